//! The gate's look at every schema of a document, also where other fields of it are wrong.

use super::GateReport;
use super::inspections::Inspections;
use serde_json::Value;
use worker_types::{Definition, Dialect, WrittenSchema};

const OF_VARIANT: [&str; 3] = ["appliesWhen", "taskSchema", "payloadSchema"];
const OF_CONSTRAINTS: [&str; 2] = ["taskSchema", "payloadSchema"];

/// Inspects the schemas of a definition that was read as a whole.
pub(super) fn inspect_definition(definition: &Definition, inspections: &Inspections, report: &mut GateReport) {
    for (at, dialect, schema) in definition.schemas() {
        inspect(schema, dialect, &at, inspections, report);
    }
}

/// Inspects the schemas of `/variants/*`, constraints included, of a document that may have other faults.
pub(super) fn inspect_variants(document: &Value, inspections: &Inspections, report: &mut GateReport) {
    let variants = document.get("variants").and_then(Value::as_array);
    for (index, variant) in variants.into_iter().flatten().enumerate() {
        let at = format!("/variants/{index}");
        let dialect = variant.get("dialect").and_then(Value::as_str).and_then(|name| name.parse().ok());
        for name in OF_VARIANT {
            inspect_one(variant.get(name), dialect, &format!("{at}/{name}"), inspections, report);
        }
        for name in OF_CONSTRAINTS {
            let schema = variant.get("constraints").and_then(|constraints| constraints.get(name));
            inspect_one(schema, dialect, &format!("{at}/constraints/{name}"), inspections, report);
        }
    }
}

/// Inspects one schema, if it is there; a value that is none is the shape's business.
pub(super) fn inspect_one(
    schema: Option<&Value>,
    dialect: Option<Dialect>,
    at: &str,
    inspections: &Inspections,
    report: &mut GateReport,
) {
    if let Some(schema) = schema.filter(|schema| schema.is_object() || schema.is_boolean()) {
        inspect(&schema.clone().into(), dialect, at, inspections, report);
    }
}

fn inspect(
    schema: &WrittenSchema,
    dialect: Option<Dialect>,
    at: &str,
    inspections: &Inspections,
    report: &mut GateReport,
) {
    let inspection = inspections.of(schema, dialect);
    report.errors.extend(inspection.errors.iter().map(|item| item.clone().below(at)));
    report.warnings.extend(inspection.warnings.iter().map(|item| item.clone().below(at)));
}
