//! From a definition and the releases it names to the contracts that are evaluated: every reference followed, every
//! limit a number.

use crate::coverage::release_shows;
use crate::release::LiveRelease;
use serde_json::{Number, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use worker_types::{
    BundleVariant, Constraints, ContentHash, Contract, Definition, Dialect, Implementation, Item, Limit, Object, Pool,
    ReleaseId, ReleaseVariant, ResolvedConstraints, ResolvedRule, Rule, SchemaRef, Variant, VariantSource,
    WrittenSchema, closest,
};

/// The dialect of schemas that name none, in a variant that names none.
const DEFAULT_DIALECT: Dialect = Dialect::Draft07;

/// Finds releases.
pub(crate) trait Releases {
    fn release(&self, id: &ReleaseId) -> Option<Arc<LiveRelease>>;

    /// The versions of an implementation, or every implementation's name where it has none: for "did you mean".
    fn similar(&self, id: &ReleaseId) -> Option<String>;
}

/// A definition with everything followed.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// In the definition's order; a release's variants stand where it is named.
    pub variants: Vec<ResolvedVariant>,
    /// Every schema that they refer to.
    pub schemas: BTreeMap<ContentHash, WrittenSchema>,
}

/// One contract, and what people read about it.
#[derive(Clone, Debug)]
pub struct ResolvedVariant {
    /// Index of the definition's variant that it came from.
    pub index: usize,
    /// What is evaluated.
    pub contract: BundleVariant,
    /// The facts of this pool, those taken from the pool's configuration filled in.
    pub configuration: Object,
    /// Markdown: what the definition and the release's variant say of it.
    pub documentation: Option<String>,
    /// Markdown: what the release as a whole says.
    pub release_documentation: Option<String>,
    /// Whether the release shows something that is accepted.
    pub(crate) release_has_example: bool,
}

/// Follows every reference of `definition`.
///
/// # Errors
/// Every reference that leads nowhere, with its place in the definition.
pub(crate) fn resolve(definition: &Definition, releases: &dyn Releases) -> Result<Resolved, Vec<Item>> {
    let (resolved, faults) = resolve_partly(definition, releases);
    if faults.is_empty() { Ok(resolved) } else { Err(faults) }
}

/// Follows what can be followed, with every reference that leads nowhere.
pub(crate) fn resolve_partly(definition: &Definition, releases: &dyn Releases) -> (Resolved, Vec<Item>) {
    let mut resolver = Resolver { resolved: Resolved::default(), faults: Vec::new() };
    for (index, variant) in definition.variants.iter().enumerate() {
        resolver.variant(index, variant, definition.pool.as_ref(), releases);
    }
    (resolver.resolved, resolver.faults)
}

/// One variant of a release without any pool: limits that come from a configuration are left out.
pub(crate) fn resolve_release_variant(variant: &ReleaseVariant, configuration: &Object) -> Resolved {
    let mut resolver = Resolver { resolved: Resolved::default(), faults: Vec::new() };
    let dialect = variant.contract.dialect.unwrap_or(DEFAULT_DIALECT);
    let scope = json!({ "configuration": configuration });
    let constraints = resolver.constraints(&variant.constraints, dialect, &scope, "/constraints");
    let contract = resolver.contract(variant.name.clone(), &variant.contract, None, constraints.into_iter().collect());
    resolver.resolved.variants.push(ResolvedVariant {
        index: 0,
        contract,
        configuration: configuration.clone(),
        documentation: None,
        release_documentation: None,
        release_has_example: false,
    });
    resolver.resolved
}

/// Where the limit of a rule is taken from, in the definition: of a release's rule, the place that names the release.
fn limit_place(at: &str, index: usize) -> String {
    if at.ends_with("/release") { at.to_owned() } else { format!("{at}/rules/{index}/limit/from") }
}

struct Resolver {
    resolved: Resolved,
    faults: Vec<Item>,
}

impl Resolver {
    fn variant(&mut self, index: usize, variant: &Variant, pool: Option<&Pool>, releases: &dyn Releases) {
        let at = format!("/variants/{index}");
        let pool =
            pool.map_or_else(|| json!({}), |pool| json!({"providerId": pool.provider_id, "config": pool.config}));
        let configuration = self.configuration(&variant.configuration, &at, &pool);
        let scope = json!({"configuration": configuration, "pool": pool});
        let at_constraints = format!("{at}/constraints");
        match &variant.source {
            VariantSource::Inline { implementation, contract } => {
                let dialect = contract.dialect.unwrap_or(DEFAULT_DIALECT);
                let own = self.constraints(&variant.constraints, dialect, &scope, &at_constraints);
                let contract =
                    self.contract(variant.name.clone(), contract, implementation.clone(), own.into_iter().collect());
                self.resolved.variants.push(ResolvedVariant {
                    index,
                    contract,
                    configuration,
                    documentation: variant.documentation.clone(),
                    release_documentation: None,
                    release_has_example: false,
                });
            }
            VariantSource::Release { id, variant: chosen } => {
                let Some(release) = releases.release(id) else {
                    let similar = releases.similar(id);
                    let hint = similar.as_ref().map_or_else(String::new, |other| format!("; did you mean {other}?"));
                    let message = format!("{at}/release: there is no release {id}{hint}");
                    self.faults.push(Item::new("unknown-release", format!("{at}/release"), message).suggest(similar));
                    return;
                };
                self.release_variants(index, variant, chosen.as_deref(), &release, &configuration, &scope);
            }
        }
    }

    fn release_variants(
        &mut self,
        index: usize,
        variant: &Variant,
        chosen: Option<&str>,
        release: &LiveRelease,
        configuration: &Object,
        scope: &Value,
    ) {
        let at = format!("/variants/{index}");
        let all = &release.release.variants;
        let picked: Vec<_> = all.iter().filter(|one| chosen.is_none_or(|chosen| one.name == chosen)).collect();
        if picked.is_empty() {
            let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
            let given = chosen.unwrap_or_default();
            let message = format!(
                "{at}/releaseVariant: {} has no variant {given:?}; it has {}",
                release.record.id,
                names.join(", ")
            );
            let item = Item::new("unknown-release-variant", format!("{at}/releaseVariant"), message);
            self.faults.push(item.suggest(closest(given, names.iter().copied())));
            return;
        }
        let implementation = Implementation {
            name: release.record.id.implementation().to_owned(),
            version: Some(release.record.id.version().to_owned()),
            reference: None,
        };
        for one in &picked {
            let dialect = one.contract.dialect.unwrap_or(DEFAULT_DIALECT);
            let theirs = self.constraints(&one.constraints, dialect, scope, &format!("{at}/release"));
            let ours = self.constraints(&variant.constraints, dialect, scope, &format!("{at}/constraints"));
            let name = if picked.len() == 1 { variant.name.clone() } else { format!("{}/{}", variant.name, one.name) };
            let constraints = theirs.into_iter().chain(ours).collect();
            let mut contract = self.contract(name, &one.contract, Some(implementation.clone()), constraints);
            contract.release = Some(release.record.id.clone());
            let documentation = [variant.documentation.as_deref(), one.documentation.as_deref()];
            let documentation: Vec<&str> = documentation.into_iter().flatten().collect();
            self.resolved.variants.push(ResolvedVariant {
                index,
                contract,
                configuration: configuration.clone(),
                documentation: (!documentation.is_empty()).then(|| documentation.join("\n\n")),
                release_documentation: release.release.documentation.clone(),
                release_has_example: release_shows(&release.release, &one.name),
            });
        }
    }

    /// The configuration with each `{"from": "/pool/…"}` replaced by what stands there.
    fn configuration(&mut self, configuration: &Object, at: &str, pool: &Value) -> Object {
        let scope = json!({ "pool": pool });
        let mut resolved = Object::new();
        for (name, value) in configuration {
            let from = value.as_object().filter(|object| object.len() == 1).and_then(|object| object.get("from"));
            let value = match from.and_then(Value::as_str) {
                None => value.clone(),
                Some(pointer) => {
                    let place = format!("{at}/configuration/{}/from", name.replace('~', "~0").replace('/', "~1"));
                    match self.follow(&scope, pointer, &place) {
                        Some(found) => found.clone(),
                        None => continue,
                    }
                }
            };
            resolved.insert(name.clone(), value);
        }
        resolved
    }

    fn follow<'s>(&mut self, scope: &'s Value, pointer: &str, place: &str) -> Option<&'s Value> {
        let found = scope.pointer(pointer);
        if found.is_none() {
            let roots = if place.contains("/configuration/") {
                "/pool/config/…"
            } else {
                "/configuration/… or /pool/config/…"
            };
            let message = format!(
                "{place}: a value is taken from {pointer:?}, where nothing stands; a reference begins with {roots}"
            );
            self.faults.push(Item::new("unresolved-reference", place, message));
        }
        found
    }

    fn contract(
        &mut self,
        name: String,
        contract: &Contract,
        implementation: Option<Implementation>,
        constraints: Vec<ResolvedConstraints>,
    ) -> BundleVariant {
        let dialect = contract.dialect.unwrap_or(DEFAULT_DIALECT);
        BundleVariant {
            name,
            implementation,
            release: None,
            applies_when: self.schema(contract.applies_when.as_ref(), dialect),
            task_schema: self.schema(contract.task_schema.as_ref(), dialect),
            payload_schema: self.schema(contract.payload_schema.as_ref(), dialect),
            constraints,
        }
    }

    fn constraints(
        &mut self,
        constraints: &Constraints,
        dialect: Dialect,
        scope: &Value,
        at: &str,
    ) -> Option<ResolvedConstraints> {
        if constraints.is_empty() {
            return None;
        }
        let payload_schema = self.schema(constraints.payload_schema.as_ref(), dialect);
        let task_schema = self.schema(constraints.task_schema.as_ref(), dialect);
        let rules = constraints.rules.iter().enumerate();
        let rules = rules.filter_map(|(index, rule)| self.rule(rule, scope, &limit_place(at, index))).collect();
        Some(ResolvedConstraints { payload_schema, task_schema, rules })
    }

    fn rule(&mut self, rule: &Rule, scope: &Value, place: &str) -> Option<ResolvedRule> {
        Some(match rule {
            Rule::AtMost { path, limit } => {
                ResolvedRule::AtMost { path: path.clone(), limit: self.limit(limit, scope, place)? }
            }
            Rule::NotAfter { path, other } => ResolvedRule::NotAfter { path: path.clone(), other: other.clone() },
        })
    }

    fn limit(&mut self, limit: &Limit, scope: &Value, place: &str) -> Option<Number> {
        let pointer = match limit {
            Limit::Number(number) => return Some(number.clone()),
            Limit::From(pointer) => pointer,
        };
        let found = self.follow(scope, pointer, place)?;
        if let Value::Number(number) = found {
            return Some(number.clone());
        }
        let message = format!("{place}: {pointer} is {found}, and a limit must be a number");
        self.faults.push(Item::new("unresolved-reference", place, message));
        None
    }

    fn schema(&mut self, schema: Option<&WrittenSchema>, dialect: Dialect) -> Option<SchemaRef> {
        let schema = schema?;
        let hash = schema.content_hash().clone();
        self.resolved.schemas.entry(hash.clone()).or_insert_with(|| schema.clone());
        // The one in force: a schema may name its own.
        Some(SchemaRef { hash, dialect: payload_schema::dialect_of(schema, dialect) })
    }
}
