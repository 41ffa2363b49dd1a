//! The verdict on one line.

use payload_schema::Input;
use registry::{Contract, Registry};
use serde::Serialize;
use service::Line;
use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;
use worker_types::{Caller, JsonLimits, Problem, Task, WorkerTypeId, parse_json};

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
    verdict: &'static str,
    problem: &'static str,
    message: &'a str,
}

impl<'a> BrokenLine<'a> {
    fn of(problem: &'static str, message: &'a str) -> Self {
        Self { verdict: "error", problem, message }
    }
}

impl Judge {
    /// One line of answer for each line.
    pub(super) fn lines(&self, lines: &[(u64, Line)]) -> Vec<u8> {
        let mut answers = Vec::with_capacity(lines.len() * 400);
        let mut rest = lines;
        while !rest.is_empty() {
            let (together, after) = rest.split_at(few(rest));
            self.few_lines(together, &mut answers);
            rest = after;
        }
        answers
    }

    fn few_lines(&self, lines: &[(u64, Line)], answers: &mut Vec<u8>) {
        let tasks: Vec<Result<Task, Broken>> = lines.iter().map(|(_, line)| self.read(line)).collect();
        let ids = tasks.iter().filter_map(|task| task.as_ref().ok()).map(Task::worker_type_id);
        let mut contracts = self.registry.contracts(ids).into_iter();
        for ((number, _), task) in lines.iter().zip(&tasks) {
            let contract = task.as_ref().map(|task| (task, contracts.next()));
            match contract {
                Ok((task, Some(Ok(Contract::Live(prepared))))) => match prepared.evaluate_to_json(Input::Task(task)) {
                    Ok(verdict) => write_answer(*number, verdict.as_bytes(), answers),
                    Err(error) => write_failure(*number, task, &error, answers),
                },
                Ok((_, Some(Ok(Contract::Nothing(verdict))))) => write_value(*number, &verdict, answers),
                Ok((task, Some(Err(error)))) => write_failure(*number, task, &error, answers),
                // There are as many contracts as tasks.
                Ok((task, None)) => write_failure(*number, task, &"it has no contract", answers),
                Err((problem, message)) => write_value(*number, &BrokenLine::of(problem, message), answers),
            }
        }
    }

    fn read(&self, line: &Line) -> Result<Task, Broken> {
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
        Ok(task)
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

/// How many of `lines` are held in memory as tasks together. Their contracts are looked up at once, which is as many waits
/// for memory saved; more tasks than a processor's cache holds would cost more waits than that.
fn few(lines: &[(u64, Line)]) -> usize {
    const LINES: usize = 32;
    const BYTES: usize = 8 << 10;
    let mut bytes = 0;
    let fits = |(_, line): &&(u64, Line)| {
        let before = bytes;
        bytes += if let Line::Text(text) = line { text.len() } else { 0 };
        before < BYTES
    };
    lines.iter().take(LINES).take_while(fits).count()
}

/// The answer, which is an object with members, with `line` as its first member.
fn write_answer(line: u64, answer: &[u8], answers: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = write!(answers, "{{\"line\":{line},");
    answers.extend_from_slice(answer.get(1..).unwrap_or_default());
    answers.push(b'\n');
}

fn write_value(line: u64, answer: &impl Serialize, answers: &mut Vec<u8>) {
    // As above.
    write_answer(line, &serde_json::to_vec(answer).unwrap_or_default(), answers);
}

fn write_failure(line: u64, task: &Task, error: &dyn Display, answers: &mut Vec<u8>) {
    tracing::error!(%error, worker_type.id = %task.worker_type_id(), "a task could not be judged");
    let message = "the task could not be judged; the server's log says why";
    write_value(line, &BrokenLine::of(Problem::Internal.name(), message), answers);
}
