//! What a createTask request may look like: the names, types, patterns and bounds of Taskcluster's
//! `queue/v1/create-task-request`, each fault with its place, all at once. What times and references mean is asked later.

mod rule;

use payload_schema::{Limits, Schema};
use rule::{Field, Pattern, Rule, optional, required};
use serde_json::{Value, json};
use std::sync::LazyLock;
use worker_types::{Item, TaskId, WorkerTypeId, valid_provisioner_id};

pub use rule::Faults;

/// The most that a request may list; settings can lower it for dependencies.
pub const MAX_DEPENDENCIES: usize = 10_000;

/// The priorities, highest first.
pub(crate) const PRIORITIES: &[&str] = &["highest", "very-high", "high", "medium", "low", "very-low", "lowest"];

const SLUG: Rule = Rule::Fits(Pattern {
    fits: |text| text.parse::<TaskId>().is_ok(),
    says: "must be a task id: 22 characters that match ^[A-Za-z0-9_-]{8}[Q-T][A-Za-z0-9_-][CGKOSWaeimquy26-][A-Za-z0-9_-]{10}[AQgw]$",
});

const TASK: &[Field] = &[
    optional("taskQueueId", &Rule::Fits(TASK_QUEUE_ID)),
    optional("provisionerId", &Rule::Fits(PROVISIONER_ID)),
    optional("workerType", &Rule::Fits(WORKER_TYPE)),
    optional("schedulerId", &Rule::Text { least: 1, most: 38, pattern: Some(SCHEDULER_ID) }),
    optional("projectId", &Rule::Text { least: 1, most: 500, pattern: Some(PROJECT_ID) }),
    optional("taskGroupId", &SLUG),
    optional("dependencies", &Rule::List { of: &SLUG, most: MAX_DEPENDENCIES, unique: true }),
    optional("requires", &Rule::OneOf(&["all-completed", "all-resolved"])),
    optional("routes", &Rule::List { of: &Rule::Text { least: 1, most: 249, pattern: None }, most: 64, unique: true }),
    optional("priority", &Rule::OneOf(PRIORITIES)),
    optional("retries", &Rule::Integer { least: 0, most: 49 }),
    required("created", &Rule::Time),
    required("deadline", &Rule::Time),
    optional("expires", &Rule::Time),
    optional("scopes", &Rule::List { of: &Rule::Fits(SCOPE), most: usize::MAX, unique: false }),
    required("payload", &Rule::Object),
    required("metadata", &Rule::Fields(METADATA)),
    optional("tags", &Rule::Map(&Rule::Text { least: 0, most: 4096, pattern: None })),
    optional("extra", &Rule::Object),
];

const METADATA: &[Field] = &[
    required("name", &Rule::Text { least: 0, most: 255, pattern: None }),
    required("description", &Rule::Text { least: 0, most: 32_768, pattern: None }),
    required("owner", &Rule::Text { least: 0, most: 255, pattern: None }),
    required("source", &Rule::Text { least: 0, most: 4096, pattern: Some(SOURCE) }),
];

const TASK_QUEUE_ID: Pattern = Pattern {
    fits: |text| text.parse::<WorkerTypeId>().is_ok(),
    says: "must match ^[a-zA-Z0-9-_]{1,38}/[a-z]([-a-z0-9]{0,36}[a-z0-9])?$, as in proj-build/linux-large",
};

const PROVISIONER_ID: Pattern = Pattern { fits: valid_provisioner_id, says: "must match ^[a-zA-Z0-9-_]{1,38}$" };

const WORKER_TYPE: Pattern =
    Pattern { fits: |text| WorkerTypeId::new("p", text).is_ok(), says: "must match ^[a-z]([-a-z0-9]{0,36}[a-z0-9])?$" };

const SCHEDULER_ID: Pattern = Pattern {
    fits: |text| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')),
    says: "must match ^([a-zA-Z0-9-_]*)$",
};

const PROJECT_ID: Pattern = Pattern {
    fits: |text| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/')),
    says: "must match ^([a-zA-Z0-9._/-]*)$",
};

const SCOPE: Pattern = Pattern {
    fits: |text| text.bytes().all(|byte| (b' '..=b'~').contains(&byte)),
    says: "must be made of printable ASCII characters and spaces",
};

const SOURCE: Pattern =
    Pattern { fits: is_source, says: "must be a link that begins with http://, https://, ssh:// or git@" };

fn is_source(text: &str) -> bool {
    ["http://", "https://", "ssh://", "git@"].iter().any(|start| text.starts_with(start))
        && SOURCE_FORMATS.as_ref().is_none_or(|schema| schema.is_valid(&Value::from(text)))
}

/// The contract takes a URI or, for git's own notation, anything that is a regular expression.
static SOURCE_FORMATS: LazyLock<Option<Schema>> = LazyLock::new(|| {
    let schema = json!({"anyOf": [{"format": "uri"}, {"format": "regex"}]});
    Schema::compile(&schema, None, &Limits::default()).ok()
});

/// Every fault of shape in a request's body.
pub(crate) fn check(body: &Value) -> Faults {
    let mut faults = Faults::default();
    Rule::Fields(TASK).check(body, "", &mut faults);
    for item in &mut faults.items {
        hint(item, body);
    }
    faults
}

/// Older clients still send a priority that became another one.
fn hint(item: &mut Item, body: &Value) {
    if item.pointer == "/priority" && body["priority"] == "normal" {
        item.message.push_str("; the former normal is lowest now");
        item.suggestion = Some("lowest".to_owned());
    }
}

#[cfg(test)]
mod tests;
