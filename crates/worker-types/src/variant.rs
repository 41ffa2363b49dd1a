//! A variant: one contract between task authors and one kind of worker in the pool.

use crate::shape::Reading;
use crate::{Constraints, Dialect, Item, Object, ReleaseId, WrittenSchema, shape};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A variant of a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Unique within the definition.
    pub name: String,
    /// The contract itself, or the release that holds it.
    pub source: VariantSource,
    /// What to say to authors about this variant here.
    pub documentation: Option<String>,
    /// Facts of this pool that authors may know. A value may be `{"from": "/pool/config/…"}`.
    pub configuration: Object,
    /// What this pool narrows.
    pub constraints: Constraints,
    /// Payloads and tasks that show the contract.
    pub examples: Vec<Example>,
}

/// Where a variant's contract stands.
#[derive(Clone, Debug, PartialEq)]
pub enum VariantSource {
    /// In the definition.
    Inline {
        /// Which program runs the tasks.
        implementation: Option<Implementation>,
        /// The contract.
        contract: Box<Contract>,
    },
    /// In a release: all its variants, or the one that `variant` names.
    Release {
        /// The release.
        id: ReleaseId,
        /// One variant of the release.
        variant: Option<String>,
    },
}

/// Which program runs the tasks of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Implementation {
    /// As in `generic-worker`.
    pub name: String,
    /// In the implementation's own scheme.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<String>,
    /// URL of its reference documentation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reference: Option<String>,
}

/// What a task must be to run here. Schemas are JSON Schemas; none means that anything is taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contract {
    /// On the normalised task: whether this contract concerns it.
    pub applies_when: Option<WrittenSchema>,
    /// On the normalised task: what it must be.
    pub task_schema: Option<WrittenSchema>,
    /// On the payload.
    pub payload_schema: Option<WrittenSchema>,
    /// For those of the three that name no `$schema`.
    pub dialect: Option<Dialect>,
}

/// A payload or a task that is accepted, or one that is not.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// One line.
    pub title: String,
    /// What is shown.
    pub subject: Subject,
    /// Whether the contract accepts it.
    pub valid: bool,
}

/// What an example shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A `task.payload`.
    Payload(Value),
    /// A task definition, normalised as far as it goes.
    Task(Value),
}

/// The fields of a contract, for readers of documents that hold one among other fields.
pub(crate) const CONTRACT_FIELDS: [&str; 4] = ["appliesWhen", "taskSchema", "payloadSchema", "dialect"];

const FIELDS: &[&str] = &[
    "name",
    "release",
    "releaseVariant",
    "implementation",
    "appliesWhen",
    "taskSchema",
    "payloadSchema",
    "dialect",
    "documentation",
    "configuration",
    "constraints",
    "examples",
];

impl Variant {
    /// The variant that a definition without `variants` has.
    pub(crate) fn without_schema() -> Self {
        Self {
            name: "default".to_owned(),
            source: VariantSource::Inline { implementation: None, contract: Box::default() },
            documentation: None,
            configuration: Object::new(),
            constraints: Constraints::default(),
            examples: Vec::new(),
        }
    }

    pub(crate) fn schemas(&self) -> impl Iterator<Item = (&'static str, &WrittenSchema)> {
        let own = match &self.source {
            VariantSource::Inline { contract, .. } => Some([
                ("appliesWhen", &contract.applies_when),
                ("taskSchema", &contract.task_schema),
                ("payloadSchema", &contract.payload_schema),
            ]),
            VariantSource::Release { .. } => None,
        };
        let narrowing = [
            ("constraints/taskSchema", &self.constraints.task_schema),
            ("constraints/payloadSchema", &self.constraints.payload_schema),
        ];
        let all = own.into_iter().flatten().chain(narrowing);
        all.filter_map(|(name, schema)| Some((name, schema.as_ref()?)))
    }

    pub(crate) fn read<'a>(value: &'a Value, pointer: &str, reading: &mut Reading<'a>) -> Option<Self> {
        let mut fields = shape::object(value, pointer, FIELDS, reading)?;
        let name = read_name(&mut fields);
        let source = if fields.get("release").is_some() { read_release(&mut fields) } else { read_inline(&mut fields) };
        let documentation = fields.text("documentation", crate::definition::DOCUMENTATION_BYTES);
        let configuration = fields.free_object("configuration");
        let constraints = read_constraints(&mut fields);
        let examples = read_examples(&mut fields);
        Some(Self { name, source: source?, documentation, configuration, constraints, examples })
    }
}

/// A variant's name: what verdicts and pages call it.
pub(crate) fn read_name(fields: &mut shape::Fields<'_, '_>) -> String {
    let name = fields.required_line("name", 100);
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    if !name.chars().all(fits) {
        let message = format!("{} may have letters, digits, '-', '_', '.' and ':' only", fields.at("name"));
        let item = Item::new("invalid-value", fields.at("name"), message);
        fields.fault(item);
    }
    name
}

pub(crate) fn read_contract(fields: &mut shape::Fields<'_, '_>) -> Contract {
    Contract {
        applies_when: fields.schema("appliesWhen"),
        task_schema: fields.schema("taskSchema"),
        payload_schema: fields.schema("payloadSchema"),
        dialect: fields.parsed("dialect", Dialect::NAMES),
    }
}

pub(crate) fn read_constraints(fields: &mut shape::Fields<'_, '_>) -> Constraints {
    let pointer = fields.at("constraints");
    fields.get("constraints").map(|value| Constraints::read(value, &pointer, fields.reading())).unwrap_or_default()
}

pub(crate) fn read_examples(fields: &mut shape::Fields<'_, '_>) -> Vec<Example> {
    let entries = fields.entries("examples", 200);
    entries.into_iter().filter_map(|(at, entry)| Example::read(entry, &at, fields.reading())).collect()
}

fn read_inline(fields: &mut shape::Fields<'_, '_>) -> Option<VariantSource> {
    if fields.get("releaseVariant").is_some() {
        let message = format!("{} needs the field \"release\" beside it", fields.at("releaseVariant"));
        let item = Item::new("invalid-value", fields.at("releaseVariant"), message);
        fields.fault(item);
    }
    let pointer = fields.at("implementation");
    let implementation =
        fields.get("implementation").and_then(|value| Implementation::read(value, &pointer, fields.reading()));
    Some(VariantSource::Inline { implementation, contract: Box::new(read_contract(fields)) })
}

fn read_release(fields: &mut shape::Fields<'_, '_>) -> Option<VariantSource> {
    for name in CONTRACT_FIELDS
        .into_iter()
        .chain(["implementation"])
        .filter(|name| fields.get(name).is_some())
        .collect::<Vec<_>>()
    {
        let message = format!(
            "{} cannot stand beside \"release\": a variant has an inline contract or a release",
            fields.at(name)
        );
        let item = Item::new("contract-and-release", fields.at(name), message);
        fields.fault(item);
    }
    let id = fields.parsed("release", &[]);
    let variant = fields.line("releaseVariant", 100);
    Some(VariantSource::Release { id: id?, variant })
}

impl Implementation {
    fn read<'a>(value: &'a Value, pointer: &str, reading: &mut Reading<'a>) -> Option<Self> {
        let mut fields = shape::object(value, pointer, &["name", "version", "reference"], reading)?;
        let name = fields.required_line("name", 64);
        let version = fields.line("version", 64);
        let reference = fields.get("reference").map(|_| fields.href("reference"));
        if !name.is_empty() && !ReleaseId::valid_implementation(&name) {
            let message = format!("{} may have lower-case letters, digits, '-', '_' and '.' only", fields.at("name"));
            let item = Item::new("invalid-value", fields.at("name"), message);
            fields.fault(item);
        }
        Some(Self { name, version, reference })
    }
}

impl Example {
    fn read<'a>(value: &'a Value, pointer: &str, reading: &mut Reading<'a>) -> Option<Self> {
        let mut fields = shape::object(value, pointer, &["title", "payload", "task", "valid"], reading)?;
        let title = fields.line("title", 200).unwrap_or_else(|| "untitled".to_owned());
        let valid = fields.flag("valid", true);
        let subject = match (fields.get("payload"), fields.get("task")) {
            (Some(payload), None) => Some(Subject::Payload(payload.clone())),
            (None, Some(task)) => Some(Subject::Task(task.clone())),
            _ => {
                let message = format!("{} must have either \"payload\" or \"task\"", shape::place(pointer));
                fields.fault(Item::new("missing-field", pointer, message));
                None
            }
        };
        Some(Self { title, subject: subject?, valid })
    }
}
