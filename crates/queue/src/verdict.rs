//! What a verdict means for a task: created, created with a warning, or refused. And what is kept of it.

use crate::settings::{Settings, UnknownWorkerType};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use worker_types::{Item, Outcome, TaskId, UncheckedReason, UnknownSetting, ValidationMode, Verdict};

/// Bytes of a verdict that are kept; a longer one loses errors from its end.
const KEPT_BYTES: usize = 32 * 1024;

/// What became of the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It was created.
    Created,
    /// It was created, and its author told.
    Warned,
    /// It was not created.
    Refused,
}

impl Action {
    /// Every spelling.
    pub const NAMES: &'static [&'static str] = &["created", "warned", "refused"];

    /// The one spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Warned => "warned",
            Self::Refused => "refused",
        }
    }
}

impl FromStr for Action {
    type Err = UnknownSetting;

    fn from_str(text: &str) -> Result<Self, UnknownSetting> {
        [Self::Created, Self::Warned, Self::Refused]
            .into_iter()
            .find(|action| action.as_str() == text)
            .ok_or_else(|| UnknownSetting { given: text.to_owned(), known: Self::NAMES })
    }
}

/// A verdict on one task, and what it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptVerdict {
    /// The task, which does not exist if it was refused.
    pub task_id: TaskId,
    /// What became of it.
    pub action: Action,
    /// The mode that counted: the worker type's, capped by the queue's; none when the worker type is not known.
    pub mode: Option<ValidationMode>,
    /// The verdict.
    pub verdict: Verdict,
    /// When it was made.
    pub at: Timestamp,
}

impl KeptVerdict {
    /// Draws the consequences of `verdict`.
    pub(crate) fn decide(task_id: TaskId, verdict: Verdict, settings: &Settings, at: Timestamp) -> Self {
        let mode = verdict.validation.map(|mode| mode.min(settings.max_validation));
        let action = match (verdict.verdict, verdict.reason) {
            (Outcome::Invalid, _) => match mode.unwrap_or(settings.max_validation) {
                ValidationMode::Off => Action::Created,
                ValidationMode::Warn => Action::Warned,
                ValidationMode::Enforce => Action::Refused,
            },
            (Outcome::Unchecked, Some(UncheckedReason::UnknownWorkerType | UncheckedReason::Deleted)) => {
                match settings.unknown_worker_type {
                    UnknownWorkerType::Allow => Action::Created,
                    UnknownWorkerType::Warn => Action::Warned,
                    UnknownWorkerType::Refuse => Action::Refused,
                }
            }
            _ => Action::Created,
        };
        Self { task_id, action, mode, verdict, at }
    }

    /// Why it was warned of or refused.
    pub(crate) fn causes(&self) -> Vec<&Item> {
        let verdict = &self.verdict;
        match (self.action, verdict.verdict, verdict.reason) {
            (Action::Created, ..) => Vec::new(),
            (_, Outcome::Invalid, _) => verdict.errors.iter().collect(),
            (_, _, Some(reason)) => verdict.warnings.iter().filter(|item| item.problem == reason.as_str()).collect(),
            (_, _, None) => verdict.warnings.iter().collect(),
        }
    }

    /// The same with a verdict that has room in a row: the last errors and warnings go until it has.
    pub(crate) fn bounded(mut self) -> Self {
        let size = |verdict: &Verdict| serde_json::to_string(verdict).map_or(0, |text| text.len());
        while size(&self.verdict) > KEPT_BYTES {
            let verdict = &mut self.verdict;
            let kept = verdict.errors.len() / 2;
            verdict.more_errors += verdict.errors.len() - kept;
            verdict.errors.truncate(kept);
            if kept == 0 {
                let kept = verdict.warnings.len() / 2;
                verdict.warnings.truncate(kept);
                if kept == 0 {
                    break;
                }
            }
        }
        self
    }

    /// The value of the header `Payload-Verdict`.
    pub fn header(&self) -> String {
        match self.verdict.reason {
            Some(reason) => format!("{}; reason={reason}", self.verdict.verdict),
            None => self.verdict.verdict.to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
