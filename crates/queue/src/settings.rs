//! What an operator may turn.

use crate::definition::MAX_DEPENDENCIES;
use crate::redaction::RedactedPlace;
use std::time::Duration;
use std::{fmt, str::FromStr};
use worker_types::{UnknownSetting, ValidationMode};

/// The largest body that is read where the setting is not made.
pub(crate) const BODY_LIMIT: usize = 10 << 20;

/// The queue's settings, with their defaults.
#[derive(Clone, Debug)]
pub struct Settings {
    /// No worker type's mode counts for more than this (`enforce`).
    pub max_validation: ValidationMode,
    /// What happens to a task for a worker type that does not exist (`allow`).
    pub unknown_worker_type: UnknownWorkerType,
    /// How many dependencies a task may have (10,000, which is also the most).
    pub max_dependencies: usize,
    /// The largest body that is read, in bytes (10 MiB, as Taskcluster's).
    pub body_limit: usize,
    /// The root URL under which people reach worker-manager: links in answers lead there.
    pub root_url: String,
    /// How long the records of refused tasks are kept, and how many.
    pub retention: Retention,
    /// Which tasks are recorded for replays (none).
    pub recording: Recording,
}

/// Tasks that are kept for replays against definitions to come, for each worker type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The newest of so many; 0 records nothing, and removes what was recorded.
    pub at_most: u64,
    /// Those that are not older (30 days).
    pub kept_for: Duration,
    /// What is taken out of each before it is written (/payload/env/*).
    pub redacted: Vec<RedactedPlace>,
}

impl Default for Recording {
    fn default() -> Self {
        let redacted = "/payload/env/*".parse().into_iter().collect();
        Self { at_most: 0, kept_for: Duration::from_secs(30 * 24 * 3600), redacted }
    }
}

/// What is kept of tasks that were refused, and when expired tasks go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Records older than this go (30 days).
    pub refused_for: Duration,
    /// Of more records than this, the oldest go (100,000).
    pub refused_at_most: u64,
    /// How often that is seen to, and expired tasks are removed (10 minutes).
    pub every: Duration,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            refused_for: Duration::from_secs(30 * 24 * 3600),
            refused_at_most: 100_000,
            every: Duration::from_secs(600),
        }
    }
}

impl Settings {
    /// The defaults, with links that lead to `root_url`.
    pub fn new(root_url: impl Into<String>) -> Self {
        Self {
            max_validation: ValidationMode::Enforce,
            unknown_worker_type: UnknownWorkerType::Allow,
            max_dependencies: MAX_DEPENDENCIES,
            body_limit: BODY_LIMIT,
            root_url: root_url.into(),
            retention: Retention::default(),
            recording: Recording::default(),
        }
    }
}

/// What happens to a task whose worker type does not exist, or no longer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownWorkerType {
    /// It is created.
    Allow,
    /// It is created, and stands in the list of warned tasks.
    Warn,
    /// It is refused.
    Refuse,
}

impl UnknownWorkerType {
    /// Every spelling.
    pub const NAMES: &'static [&'static str] = &["allow", "warn", "refuse"];

    /// The one spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Refuse => "refuse",
        }
    }
}

impl fmt::Display for UnknownWorkerType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for UnknownWorkerType {
    type Err = UnknownSetting;

    fn from_str(text: &str) -> Result<Self, UnknownSetting> {
        [Self::Allow, Self::Warn, Self::Refuse]
            .into_iter()
            .find(|setting| setting.as_str() == text)
            .ok_or_else(|| UnknownSetting { given: text.to_owned(), known: Self::NAMES })
    }
}

#[cfg(test)]
mod tests {
    use super::UnknownWorkerType;

    #[test]
    fn each_setting_has_one_spelling() {
        for name in UnknownWorkerType::NAMES {
            assert_eq!(name.parse::<UnknownWorkerType>().unwrap().as_str(), *name);
        }
        assert!("deny".parse::<UnknownWorkerType>().is_err());
    }
}
