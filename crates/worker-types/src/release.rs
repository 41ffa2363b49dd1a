//! A release: the contracts of one version of a worker implementation, written once by those who maintain it.

use crate::definition::{DOCUMENTATION_BYTES, Link, read_links};
use crate::shape::Reading;
use crate::variant::{read_constraints, read_contract, read_examples, read_name};
use crate::{Constraints, Contract, Example, Item, ReleaseId, WrittenSchema, shape};
use serde_json::Value;
use std::collections::BTreeSet;

/// What one version of an implementation accepts.
#[derive(Clone, Debug, PartialEq)]
pub struct Release {
    /// One line.
    pub description: Option<String>,
    /// Markdown.
    pub documentation: Option<String>,
    /// Further reading.
    pub links: Vec<Link>,
    /// JSON Schema of the `configuration` of variants that use the release.
    pub configuration_schema: Option<WrittenSchema>,
    /// At least one.
    pub variants: Vec<ReleaseVariant>,
}

/// One contract of a release.
#[derive(Clone, Debug, PartialEq)]
pub struct ReleaseVariant {
    /// Unique within the release.
    pub name: String,
    /// The contract.
    pub contract: Contract,
    /// Markdown.
    pub documentation: Option<String>,
    /// Narrowing that depends on the configuration.
    pub constraints: Constraints,
    /// Payloads and tasks that show the contract.
    pub examples: Vec<Example>,
}

impl Release {
    /// Reads a release that stands, or will stand, under `id`.
    ///
    /// # Errors
    /// Every fault of shape, each with its JSON Pointer.
    pub fn read(value: &Value, id: &ReleaseId) -> Result<Self, Vec<Item>> {
        let mut reading = Reading::sharing(&WrittenSchema::unshared);
        let release = Self::read_fields(value, id, &mut reading);
        let faults = reading.into_faults();
        release.filter(|_| faults.is_empty()).ok_or(faults)
    }

    fn read_fields<'a>(value: &'a Value, id: &ReleaseId, reading: &mut Reading<'a>) -> Option<Self> {
        let known = &["release", "description", "documentation", "links", "configurationSchema", "variants"];
        let mut fields = shape::object(value, "", known, reading)?;
        if let Some(written) = fields.text("release", 200).filter(|written| *written != id.to_string()) {
            let message =
                format!("/release is {written:?}, but the release stands under {id}; make them agree or leave it out");
            fields.fault(Item::new("id-disagrees", "/release", message));
        }
        fields.required("variants");
        let variants = read_variants(&mut fields);
        Some(Self {
            description: fields.line("description", 1_000),
            documentation: fields.text("documentation", DOCUMENTATION_BYTES),
            links: read_links(&mut fields),
            configuration_schema: fields.schema("configurationSchema"),
            variants,
        })
    }
}

fn read_variants(fields: &mut shape::Fields<'_, '_>) -> Vec<ReleaseVariant> {
    let mut names = BTreeSet::new();
    let mut variants = Vec::new();
    let entries = fields.entries("variants", 100);
    if entries.is_empty() && fields.get("variants").is_some_and(Value::is_array) {
        fields.fault(Item::new("missing-field", "/variants", "/variants must have at least one variant"));
    }
    for (at, entry) in entries {
        let Some(variant) = ReleaseVariant::read(entry, &at, fields.reading()) else { continue };
        if !variant.name.is_empty() && !names.insert(variant.name.clone()) {
            let message = format!("{at}/name: two variants are called {:?}", variant.name);
            fields.fault(Item::new("duplicate-name", format!("{at}/name"), message));
        }
        variants.push(variant);
    }
    variants
}

impl ReleaseVariant {
    fn read<'a>(value: &'a Value, pointer: &str, reading: &mut Reading<'a>) -> Option<Self> {
        let known = &[
            "name",
            "appliesWhen",
            "taskSchema",
            "payloadSchema",
            "dialect",
            "documentation",
            "constraints",
            "examples",
        ];
        let mut fields = shape::object(value, pointer, known, reading)?;
        Some(Self {
            name: read_name(&mut fields),
            contract: read_contract(&mut fields),
            documentation: fields.text("documentation", DOCUMENTATION_BYTES),
            constraints: read_constraints(&mut fields),
            examples: read_examples(&mut fields),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Release;
    use serde_json::json;

    #[test]
    fn a_release_needs_variants_with_unique_names() {
        let id = "w@1.0.0".parse().unwrap();
        assert!(Release::read(&json!({"variants": [{"name": "posix", "payloadSchema": {}}]}), &id).is_ok());
        let faults =
            Release::read(&json!({"release": "w@2", "variants": [{"name": "a"}, {"name": "a"}]}), &id).unwrap_err();
        let found: Vec<_> = faults.iter().map(|fault| (fault.problem.as_str(), fault.pointer.as_str())).collect();
        assert_eq!(found, [("id-disagrees", "/release"), ("duplicate-name", "/variants/1/name")]);
        assert!(Release::read(&json!({"variants": []}), &id).is_err());
        assert!(Release::read(&json!({}), &id).is_err());
    }
}
