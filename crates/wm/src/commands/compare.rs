//! `wm compare`: whether everything that one schema accepts, another accepts too. No server is asked.

use crate::cli::CompareArgs;
use crate::comparison::{self, Sides};
use crate::documents::{Document, DocumentError, Part};
use crate::folder::Spot;
use crate::terminal::NAME;
use crate::{Exit, Failure, Terminal};
use payload_schema::{Comparer, Contract, Limits, NotComparable};
use serde_json::Value;
use worker_types::{Compatibility, CompatibilityVerdict};

pub fn run(args: &CompareArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let (old, new) = (Document::read(&args.old)?, Document::read(&args.new)?);
    for document in [&old, &new] {
        must_be_a_schema(document)?;
    }
    let contract = |document| Contract { schema: Document::value(document), dialect: args.dialect };
    let report = Comparer::new(Limits::default())
        .schemas(contract(&old), contract(&new))
        .map_err(|error| not_comparable(&error, &old, &new))?;
    if terminal.is_json() {
        terminal.json(&report)?;
    } else {
        terminal.line(head(&report, &old, &new))?;
        let sides = Sides { old: &|pointer| spot(&old, pointer), new: &|pointer| spot(&new, pointer) };
        for line in comparison::full(&report, &sides) {
            terminal.line(line)?;
        }
    }
    Ok(match report.verdict {
        CompatibilityVerdict::Compatible => Exit::Success,
        CompatibilityVerdict::Breaking => Exit::Negative,
        CompatibilityVerdict::Unknown => Exit::Unknown,
    })
}

/// A definition has no keyword of a schema: read as one it would accept everything, and any two would be compatible.
fn must_be_a_schema(document: &Document) -> Result<(), Failure> {
    let value = document.value();
    let is_definition = value.get("variants").is_some_and(Value::is_array)
        && ["$schema", "$ref", "type", "properties", "allOf", "anyOf", "oneOf"]
            .iter()
            .all(|name| value.get(name).is_none());
    if !is_definition {
        return Ok(());
    }
    let message = "this is a definition or a release, not a JSON Schema; compare the schemas in it, or hold a folder of \
                   definitions against what is live with `wm check`";
    Err(Failure::Documents(vec![DocumentError {
        file: document.name().to_owned(),
        place: document.place("/variants", Part::Key),
        message: message.to_owned(),
    }]))
}

fn head(report: &Compatibility, old: &Document, new: &Document) -> String {
    let (style, old, new) = (comparison::style(report.verdict), old.name(), new.name());
    let words = match report.verdict {
        CompatibilityVerdict::Compatible => format!("{new} accepts everything that {old} accepts"),
        CompatibilityVerdict::Breaking => format!("{new} refuses some of what {old} accepts"),
        CompatibilityVerdict::Unknown => format!("whether {new} accepts everything that {old} accepts was not decided"),
    };
    format!("{style}{}{style:#}: {NAME}{words}{NAME:#}", report.verdict)
}

fn spot(document: &Document, pointer: &str) -> Spot {
    Spot { file: document.name().to_owned(), place: document.place(pointer, Part::Value) }
}

fn not_comparable(error: &NotComparable, old: &Document, new: &Document) -> Failure {
    let document = if error.new { new } else { old };
    let fault = |item: &worker_types::Item| DocumentError {
        file: document.name().to_owned(),
        place: document.place(&item.pointer, Part::Value),
        message: item.message.clone(),
    };
    Failure::Documents(error.faults.iter().map(fault).collect())
}
