//! The findings of a run: shown as they come, counted, and kept for programs.

use super::words;
use crate::documents::ReadError;
use crate::judge::{Judged, Judgement};
use crate::report;
use crate::tasks::Subject;
use crate::{Failure, Terminal};
use serde_json::{Value, json};
use worker_types::{Item, Outcome};

/// How many of each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub valid: usize,
    pub invalid: usize,
    pub unchecked: usize,
    pub unreadable: usize,
}

/// What was found so far.
#[derive(Default)]
pub struct Findings {
    pub total: Tally,
    of_file: Tally,
    /// The line about the file's one task, held back until it is known to be the only one.
    only: Option<String>,
    results: Vec<Value>,
}

impl Findings {
    /// The next file begins.
    pub fn begin(&mut self) {
        self.of_file = Tally::default();
        self.only = None;
    }

    /// Shows and counts what became of a subject.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn take(&mut self, judged: Judged, terminal: &mut Terminal) -> Result<(), Failure> {
        match judged {
            Err(error) => {
                self.of_file.unreadable += 1;
                if terminal.is_json() {
                    self.results.push(unreadable(&error));
                    return Ok(());
                }
                match &error {
                    ReadError::Document(fault) => terminal.line(words::fault(fault)),
                    ReadError::Io { .. } => {
                        terminal.error(error.to_string());
                        Ok(())
                    }
                }
            }
            Ok((subject, judgement)) => {
                self.count(&judgement);
                if terminal.is_json() {
                    self.results.push(result(&subject, &judgement));
                    return Ok(());
                }
                for line in words::about(&subject, &judgement) {
                    match line {
                        words::Line::Now(line) => terminal.line(line)?,
                        words::Line::Later(line) => self.only = Some(line),
                    }
                }
                Ok(())
            }
        }
    }

    fn count(&mut self, judgement: &Judgement) {
        let tally = &mut self.of_file;
        *match judgement {
            Judgement::NoTask(_) => &mut tally.invalid,
            Judgement::Verdict(verdict) => match verdict.verdict {
                Outcome::Valid => &mut tally.valid,
                Outcome::Invalid => &mut tally.invalid,
                Outcome::Unchecked => &mut tally.unchecked,
            },
        } += 1;
    }

    /// The file `name` has ended.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn end(&mut self, name: &str, terminal: &mut Terminal) -> Result<(), Failure> {
        let Tally { valid, invalid, unchecked, unreadable } = self.of_file;
        self.total.valid += valid;
        self.total.invalid += invalid;
        self.total.unchecked += unchecked;
        self.total.unreadable += unreadable;
        if terminal.is_json() {
            return Ok(());
        }
        match (valid + invalid + unchecked + unreadable, self.only.take()) {
            (1, Some(line)) => terminal.line(line),
            (1, None) => Ok(()),
            _ => terminal.line(words::of_file(name, &self.of_file)),
        }
    }

    /// All of it, for programs.
    pub fn document(&self) -> Value {
        let Tally { valid, invalid, unchecked, unreadable } = self.total;
        let summary = json!({"valid": valid, "invalid": invalid, "unchecked": unchecked, "unreadable": unreadable});
        json!({"summary": summary, "results": self.results})
    }
}

fn unreadable(error: &ReadError) -> Value {
    match error {
        ReadError::Document(fault) => json!({
            "verdict": "error", "file": fault.file, "line": fault.place.line, "column": fault.place.column,
            "message": fault.message,
        }),
        ReadError::Io { path, .. } => json!({"verdict": "error", "file": path, "message": error.to_string()}),
    }
}

fn result(subject: &Subject, judgement: &Judgement) -> Value {
    let spot = subject.spot();
    let placed = |items: &[Item]| -> Vec<Value> {
        items.iter().map(|item| report::json(&subject.spot_of(item), item)).collect()
    };
    let mut value = match judgement {
        Judgement::NoTask(items) => json!({"verdict": "invalid", "errors": placed(items)}),
        Judgement::Verdict(verdict) => {
            let mut value = json!(verdict);
            value["errors"] = placed(&verdict.errors).into();
            value["warnings"] = placed(&verdict.warnings).into();
            value
        }
    };
    value["file"] = spot.file.into();
    value["line"] = spot.place.line.into();
    value["column"] = spot.place.column.into();
    value["label"] = subject.label.clone().into();
    value
}
