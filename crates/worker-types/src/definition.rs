//! A worker type's definition, read from JSON with every fault named at its place.

use crate::shape::Reading;
use crate::{
    Acceptance, CompatibilityPolicy, Dialect, DocumentationPolicy, Item, Lifecycle, Object, Rollout, ValidationMode,
    Variant, VariantSource, WorkerTypeId, WrittenSchema, shape,
};
use serde_json::Value;
use std::collections::BTreeSet;

/// The most bytes of Markdown in one `documentation`.
pub(crate) const DOCUMENTATION_BYTES: usize = 500_000;

const FIELDS: &[&str] = &[
    "workerTypeId",
    "description",
    "owner",
    "documentation",
    "documentationCoverage",
    "links",
    "tags",
    "actions",
    "lifecycle",
    "validation",
    "compatibility",
    "acceptance",
    "rollout",
    "variants",
    "pool",
];

/// What a worker type is, as its owner wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// One line.
    pub description: String,
    /// Whom to ask.
    pub owner: Option<String>,
    /// Markdown.
    pub documentation: Option<String>,
    /// What happens where authors would find less than payloads have properties.
    pub documentation_coverage: DocumentationPolicy,
    /// Further reading.
    pub links: Vec<Link>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// What can be done with the worker type or its workers.
    pub actions: Vec<Action>,
    /// Where it stands in its life.
    pub lifecycle: Lifecycle,
    /// What a queue does with payloads that are not accepted.
    pub validation: ValidationMode,
    /// What happens to revisions that would refuse what the live one accepts.
    pub compatibility: CompatibilityPolicy,
    /// Which of the variants that apply must accept.
    pub acceptance: Acceptance,
    /// How this revision takes over.
    pub rollout: Rollout,
    /// At least one.
    pub variants: Vec<Variant>,
    /// How workers are provisioned; none where nothing provisions them.
    pub pool: Option<Pool>,
}

/// A titled link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What it leads to.
    pub title: String,
    /// Where.
    pub href: String,
}

/// An operation that people start from the worker type's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Unique.
    pub name: String,
    /// On the button.
    pub title: String,
    /// `worker-type` or `worker`.
    pub context: String,
    /// Where it leads.
    pub url: String,
    /// What it does.
    pub description: Option<String>,
}

/// A pool configuration: the provisioner's input.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Which provider turns it into workers.
    pub provider_id: String,
    /// As the provider's own schema says.
    pub config: Object,
    /// Whom to tell about launch errors.
    pub owner: Option<String>,
    /// Whether to tell them by e-mail.
    pub email_on_error: bool,
}

impl Definition {
    /// Reads a definition that stands, or will stand, under `id`.
    ///
    /// # Errors
    /// Every fault of shape, each with its JSON Pointer. What schemas and examples mean is not asked here.
    pub fn read(value: &Value, id: &WorkerTypeId) -> Result<Self, Vec<Item>> {
        match Self::read_partly(value, id, &WrittenSchema::unshared) {
            (Some(definition), faults) if faults.is_empty() => Ok(definition),
            (_, faults) => Err(faults),
        }
    }

    /// Reads as much as can be read, with every fault of the rest, so that later checks can go on. Variants keep their
    /// index; one that cannot be read stands there without a contract. Schemas are taken from `shared`.
    pub fn read_partly(
        value: &Value,
        id: &WorkerTypeId,
        shared: &dyn Fn(&Value) -> WrittenSchema,
    ) -> (Option<Self>, Vec<Item>) {
        let mut reading = Reading::sharing(shared);
        let definition = Self::read_fields(value, id, &mut reading);
        (definition, reading.into_faults())
    }

    /// Every schema of its variants, with its place and the dialect that it is read in where it names none.
    pub fn schemas(&self) -> impl Iterator<Item = (String, Option<Dialect>, &WrittenSchema)> {
        self.variants.iter().enumerate().flat_map(|(index, variant)| {
            let dialect = match &variant.source {
                VariantSource::Inline { contract, .. } => contract.dialect,
                VariantSource::Release { .. } => None,
            };
            let schemas = variant.schemas();
            schemas.map(move |(name, schema)| (format!("/variants/{index}/{name}"), dialect, schema))
        })
    }

    /// The definition of which only a release's variants matter: how a release is looked at without any pool.
    pub fn around_release() -> Self {
        Self {
            description: String::new(),
            owner: None,
            documentation: None,
            documentation_coverage: DocumentationPolicy::None,
            links: Vec::new(),
            tags: Vec::new(),
            actions: Vec::new(),
            lifecycle: Lifecycle::default(),
            validation: ValidationMode::Warn,
            compatibility: CompatibilityPolicy::Warn,
            acceptance: Acceptance::Any,
            rollout: Rollout::default(),
            variants: Vec::new(),
            pool: None,
        }
    }

    fn read_fields<'a>(value: &'a Value, id: &WorkerTypeId, reading: &mut Reading<'a>) -> Option<Self> {
        let mut fields = shape::object(value, "", FIELDS, reading)?;
        check_id(&mut fields, id);
        let lifecycle = fields.get("lifecycle").map(|value| Lifecycle::read(value, "/lifecycle", fields.reading()));
        let rollout = fields.get("rollout").map(|value| Rollout::read(value, fields.reading()));
        Some(Self {
            description: fields.required_line("description", 1_000),
            owner: fields.line("owner", 320),
            documentation: fields.text("documentation", DOCUMENTATION_BYTES),
            documentation_coverage: fields
                .parsed("documentationCoverage", DocumentationPolicy::NAMES)
                .unwrap_or(DocumentationPolicy::None),
            links: read_links(&mut fields),
            tags: read_tags(&mut fields),
            actions: read_actions(&mut fields),
            lifecycle: lifecycle.unwrap_or_default(),
            validation: fields.parsed("validation", ValidationMode::NAMES).unwrap_or(ValidationMode::Warn),
            compatibility: fields
                .parsed("compatibility", CompatibilityPolicy::NAMES)
                .unwrap_or(CompatibilityPolicy::Warn),
            acceptance: fields.parsed("acceptance", Acceptance::NAMES).unwrap_or(Acceptance::Any),
            rollout: rollout.unwrap_or_default(),
            variants: read_variants(&mut fields),
            pool: fields.get("pool").and_then(|value| Pool::read(value, fields.reading())),
        })
    }
}

fn check_id(fields: &mut shape::Fields<'_, '_>, id: &WorkerTypeId) {
    let Some(written) = fields.text("workerTypeId", 200) else { return };
    if written != id.as_str() {
        let message = format!(
            "/workerTypeId is {written:?}, but the definition stands under {id}; make them agree or leave it out"
        );
        fields.fault(Item::new("id-disagrees", "/workerTypeId", message).contrast(id.as_str(), format!("{written:?}")));
    }
}

pub(crate) fn read_links<'a>(fields: &mut shape::Fields<'a, '_>) -> Vec<Link> {
    let entries = fields.entries("links", 100);
    let read = |(at, entry): (String, &'a Value)| {
        let mut link = shape::object(entry, &at, &["title", "href"], fields.reading())?;
        Some(Link { title: link.required_line("title", 200), href: link.href("href") })
    };
    entries.into_iter().filter_map(read).collect()
}

fn read_tags(fields: &mut shape::Fields<'_, '_>) -> Vec<String> {
    let mut tags = Vec::new();
    for (at, entry) in fields.entries("tags", 50) {
        match entry {
            Value::String(tag) if is_tag(tag) => tags.push(tag.clone()),
            Value::String(_) => {
                let message =
                    format!("{at} may have letters, digits, '-', '_', '.', ':' and '/' only, up to 60 of them");
                fields.fault(Item::new("invalid-value", at, message));
            }
            _ => fields.fault(shape::wrong_type(at, "a string", entry)),
        }
    }
    tags
}

fn is_tag(text: &str) -> bool {
    (1..=60).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':' | b'/'))
}

fn read_actions<'a>(fields: &mut shape::Fields<'a, '_>) -> Vec<Action> {
    let entries = fields.entries("actions", 50);
    let read = |(at, entry): (String, &'a Value)| {
        let known = &["name", "title", "context", "url", "description"];
        let mut action = shape::object(entry, &at, known, fields.reading())?;
        let context = action.line("context", 20).unwrap_or_else(|| "worker-type".to_owned());
        if !["worker-type", "worker"].contains(&context.as_str()) {
            let message = format!("{} must be worker-type or worker", action.at("context"));
            let item = Item::new("invalid-value", action.at("context"), message);
            action.fault(item);
        }
        Some(Action {
            name: action.required_line("name", 100),
            title: action.required_line("title", 200),
            context,
            url: action.href("url"),
            description: action.text("description", 2_000),
        })
    };
    entries.into_iter().filter_map(read).collect()
}

fn read_variants(fields: &mut shape::Fields<'_, '_>) -> Vec<Variant> {
    let entries = fields.entries("variants", 100);
    if entries.is_empty() {
        return vec![Variant::without_schema()];
    }
    let mut names = BTreeSet::new();
    let mut variants = Vec::new();
    for (at, entry) in entries {
        let read = Variant::read(entry, &at, fields.reading());
        let name = read.as_ref().map_or("", |variant| variant.name.as_str());
        if !name.is_empty() && !names.insert(name.to_owned()) {
            let message = format!("{at}/name: two variants are called {name:?}");
            fields.fault(Item::new("duplicate-name", format!("{at}/name"), message));
        }
        variants.push(read.unwrap_or_else(Variant::without_schema));
    }
    variants
}

impl Pool {
    fn read<'a>(value: &'a Value, reading: &mut Reading<'a>) -> Option<Self> {
        let mut fields = shape::object(value, "/pool", &["providerId", "config", "owner", "emailOnError"], reading)?;
        let provider_id = fields.required_line("providerId", 38);
        if !provider_id.is_empty() && !crate::valid_provisioner_id(&provider_id) {
            let message = "/pool/providerId must match ^[a-zA-Z0-9-_]{1,38}$";
            fields.fault(Item::new("invalid-value", "/pool/providerId", message));
        }
        Some(Self {
            provider_id,
            config: fields.free_object("config"),
            owner: fields.line("owner", 320),
            email_on_error: fields.flag("emailOnError", false),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Definition;
    use crate::{Acceptance, CompatibilityPolicy, LifecycleState, Rollout, ValidationMode, VariantSource};
    use serde_json::{Value, json};

    fn read(value: Value) -> Result<Definition, Vec<(String, String, Option<String>)>> {
        Definition::read(&value, &"p/w".parse().unwrap()).map_err(|faults| {
            faults.into_iter().map(|fault| (fault.problem, fault.pointer, fault.suggestion)).collect()
        })
    }

    fn fault(problem: &str, pointer: &str) -> (String, String, Option<String>) {
        (problem.to_owned(), pointer.to_owned(), None)
    }

    #[test]
    fn a_description_is_enough() {
        let definition = read(json!({"description": "A pool"})).unwrap();
        assert_eq!(definition.validation, ValidationMode::Warn);
        assert_eq!(definition.compatibility, CompatibilityPolicy::Warn);
        assert_eq!(definition.acceptance, Acceptance::Any);
        assert_eq!(definition.rollout, Rollout::default());
        assert_eq!(definition.lifecycle.state, LifecycleState::Active);
        assert_eq!(definition.variants.len(), 1);
        assert_eq!(definition.variants[0].name, "default");
        assert!(
            matches!(&definition.variants[0].source, VariantSource::Inline { contract, .. } if contract.payload_schema.is_none())
        );
    }

    #[test]
    fn all_faults_are_named_at_once() {
        let faults = read(json!({
            "decription": "x", "owner": 5, "validation": "enfroce", "tags": ["ok", "not ok"], "links": [{"title": "x", "href": "javascript:x"}],
            "lifecycle": {"state": "active", "replacedBy": "p/x"}, "pool": {"providerId": "a b"},
            "variants": [{"name": "a", "release": "x@1", "payloadSchema": {}}, {"name": "a", "payloadSchema": []}, 5],
        }))
        .unwrap_err();
        let suggested =
            |problem: &str, pointer: &str, word: &str| (problem.to_owned(), pointer.to_owned(), Some(word.to_owned()));
        assert_eq!(
            faults,
            [
                suggested("unknown-field", "/decription", "description"),
                fault("invalid-value", "/lifecycle/replacedBy"),
                fault("missing-field", ""),
                fault("wrong-type", "/owner"),
                fault("invalid-value", "/links/0/href"),
                fault("invalid-value", "/tags/1"),
                suggested("invalid-value", "/validation", "enforce"),
                fault("contract-and-release", "/variants/0/payloadSchema"),
                fault("wrong-type", "/variants/1/payloadSchema"),
                fault("duplicate-name", "/variants/1/name"),
                fault("wrong-type", "/variants/2"),
                fault("invalid-value", "/pool/providerId"),
            ]
        );
    }

    #[test]
    fn the_id_in_the_body_agrees_with_the_path() {
        assert!(read(json!({"description": "x", "workerTypeId": "p/w"})).is_ok());
        assert_eq!(
            read(json!({"description": "x", "workerTypeId": "p/v"})).unwrap_err(),
            [fault("id-disagrees", "/workerTypeId")]
        );
    }

    #[test]
    fn documentation_has_a_limit() {
        let at_limit = "x".repeat(super::DOCUMENTATION_BYTES);
        assert!(read(json!({"description": "x", "documentation": at_limit})).is_ok());
        assert_eq!(
            read(json!({"description": "x", "documentation": format!("{at_limit}x")})).unwrap_err(),
            [fault("too-long", "/documentation")]
        );
    }
}
