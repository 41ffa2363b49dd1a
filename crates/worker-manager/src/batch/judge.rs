//! The verdict on one line.

use payload_schema::Input;
use registry::Registry;
use serde::Serialize;
use service::Line;
use std::io::Write;
use std::sync::Arc;
use worker_types::{Caller, JsonLimits, Problem, Task, Verdict, WorkerTypeId, parse_json};

/// Judges lines for one caller.
pub(super) struct Judge {
    pub(super) registry: Arc<Registry>,
    pub(super) caller: Caller,
    pub(super) limit: usize,
}

/// Why a line has no verdict.
type Broken = (&'static str, String);

/// The answer to a line that has no verdict.
#[derive(Serialize)]
struct BrokenLine<'a> {
    line: u64,
    verdict: &'static str,
    problem: &'static str,
    message: &'a str,
}

impl Judge {
    /// One line of answer for each line.
    pub(super) fn lines(&self, lines: &[(u64, Line)]) -> Vec<u8> {
        let mut answers = Vec::with_capacity(lines.len() * 400);
        for (number, line) in lines {
            match self.judge(line) {
                Ok(verdict) => write_verdict(*number, &verdict, &mut answers),
                Err((problem, message)) => {
                    write_broken(
                        &BrokenLine { line: *number, verdict: "error", problem, message: &message },
                        &mut answers,
                    );
                }
            }
            answers.push(b'\n');
        }
        answers
    }

    fn judge(&self, line: &Line) -> Result<Verdict, Broken> {
        let Line::Text(text) = line else {
            let message = format!(
                "the line is longer than {} bytes, the limit that the setting max_task_bytes holds",
                self.limit
            );
            return Err((Problem::TooLarge.name(), message));
        };
        let value = parse_json(text, JsonLimits::default())
            .map_err(|error| (error.problem.name(), format!("{} at column {}", error.message, error.column)))?;
        let task = Task::normalised(value).map_err(|error| (Problem::InvalidRequest.name(), error.to_string()))?;
        self.check_scope(task.worker_type_id())?;
        self.registry.verdict(task.worker_type_id(), Input::Task(&task)).map_err(|error| {
            tracing::error!(%error, worker_type.id = %task.worker_type_id(), "a task could not be judged");
            (Problem::Internal.name(), "the task could not be judged; the server's log says why".to_owned())
        })
    }

    fn check_scope(&self, id: &WorkerTypeId) -> Result<(), Broken> {
        const STEM: &str = "worker-manager:validate:";
        if self.caller.has_all_below(STEM) {
            return Ok(());
        }
        let scope = format!("{STEM}{id}");
        let message = || format!("this needs the scope {scope}, which {} does not have", self.caller.name());
        if self.caller.has(&scope) { Ok(()) } else { Err((Problem::Forbidden.name(), message())) }
    }
}

/// The verdict, with `line` as its first member.
fn write_verdict(line: u64, verdict: &Verdict, answers: &mut Vec<u8>) {
    let mut head = [0_u8; 32];
    // The verdict's opening brace is overwritten by what stands before its members. Writing to memory does not fail.
    let mut rest = &mut head[..];
    let _ = write!(rest, "{{\"line\":{line},");
    let length = 32 - rest.len();
    let start = answers.len();
    answers.extend_from_slice(&head[..length - 1]);
    let _ = serde_json::to_writer(&mut *answers, verdict);
    answers[start..start + length].copy_from_slice(&head[..length]);
}

fn write_broken(line: &BrokenLine<'_>, answers: &mut Vec<u8>) {
    // As above.
    let _ = serde_json::to_writer(answers, line);
}
