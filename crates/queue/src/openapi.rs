//! The OpenAPI document: the table, and the bodies that it names. `schemas/queue-openapi.json` is its golden copy.

use crate::operations;
use crate::routes::{
    EnforcedSchema, KeptVerdictBody, PayloadVerdicts, PendingTasks, TaskStatusResponse, TasksResponse,
};
use ::service::{Components, Info};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use utoipa::openapi::OpenApi;
use worker_types::{Generation, Item, Outcome, RevisionNumber, UncheckedReason, ValidationMode};

const DESCRIPTION: &str = "A small task queue with Taskcluster's routes. `createTask` asks the worker type whether it \
accepts the task, and says what is wrong with one that it does not.";

/// The document.
pub(crate) fn document(prefix: String) -> OpenApi {
    let info = Info { title: "Queue", description: DESCRIPTION, version: env!("CARGO_PKG_VERSION"), prefix };
    let components = Components::new()
        .with::<TaskDefinition>()
        .with::<TaskStatusResponse>()
        .with::<TasksRequest>()
        .with::<TasksResponse>()
        .with::<KeptVerdictBody>()
        .with::<PayloadVerdicts>()
        .with::<EnforcedSchema>()
        .with::<PendingTasks>();
    ::service::openapi_document(&info, operations::ALL, components)
}

/// A task, as it is created and as it is shown. Names the worker type by `taskQueueId`, or by `provisionerId` and
/// `workerType`, or by all three; everything else that is left out has a default.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it is here for its schema")]
struct TaskDefinition {
    #[schema(nullable = false, pattern = "^[a-zA-Z0-9-_]{1,38}/[a-z]([-a-z0-9]{0,36}[a-z0-9])?$")]
    task_queue_id: Option<String>,
    #[schema(nullable = false, pattern = "^[a-zA-Z0-9-_]{1,38}$")]
    provisioner_id: Option<String>,
    #[schema(nullable = false, pattern = "^[a-z]([-a-z0-9]{0,36}[a-z0-9])?$")]
    worker_type: Option<String>,
    /// Who makes the task group.
    #[schema(nullable = false, min_length = 1, max_length = 38, pattern = "^([a-zA-Z0-9-_]*)$", default = "-")]
    scheduler_id: Option<String>,
    #[schema(nullable = false, min_length = 1, max_length = 500, pattern = "^([a-zA-Z0-9._/-]*)$", default = "none")]
    project_id: Option<String>,
    /// The group that it belongs to; its own id when it is left out.
    #[schema(nullable = false)]
    task_group_id: Option<String>,
    /// Tasks that must be done before; all of them exist.
    #[schema(nullable = false, max_items = 10000)]
    dependencies: Option<Vec<String>>,
    #[schema(nullable = false, pattern = "^(all-completed|all-resolved)$", default = "all-completed")]
    requires: Option<String>,
    #[schema(nullable = false, max_items = 64)]
    routes: Option<Vec<String>>,
    /// `highest`, `very-high`, `high`, `medium`, `low`, `very-low` or `lowest`.
    #[schema(nullable = false, default = "lowest")]
    priority: Option<String>,
    #[schema(nullable = false, minimum = 0, maximum = 49, default = 5)]
    retries: Option<u8>,
    /// Within a quarter of an hour of now.
    #[schema(format = DateTime)]
    created: String,
    /// At most 5 days from now.
    #[schema(format = DateTime)]
    deadline: String,
    /// When the task is forgotten; a year after its deadline when it is left out.
    #[schema(nullable = false, format = DateTime)]
    expires: Option<String>,
    /// What the task may do; none ends in more than one star.
    #[schema(nullable = false)]
    scopes: Option<Vec<String>>,
    /// What the worker type's own schema says.
    payload: BTreeMap<String, Value>,
    metadata: TaskMetadata,
    #[schema(nullable = false)]
    tags: Option<BTreeMap<String, String>>,
    #[schema(nullable = false)]
    extra: Option<BTreeMap<String, Value>>,
}

/// What people read of a task.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is here for its schema")]
struct TaskMetadata {
    #[schema(max_length = 255)]
    name: String,
    #[schema(max_length = 32768)]
    description: String,
    /// Whom to ask about it.
    #[schema(max_length = 255)]
    owner: String,
    /// Where it is defined.
    #[schema(max_length = 4096, pattern = "^(https?://|ssh://|git@)")]
    source: String,
}

/// Which tasks to read.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it is here for its schema")]
struct TasksRequest {
    /// Their ids; none for none.
    #[schema(nullable = false)]
    task_ids: Option<Vec<String>>,
}

/// The verdict on a task, as `validate` of worker-manager answers it.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it is here for its schema")]
pub(crate) struct VerdictFields {
    verdict: Outcome,
    /// Why nothing was decided; with `unchecked` only.
    #[schema(nullable = false)]
    reason: Option<UncheckedReason>,
    worker_type_id: String,
    /// None when the worker type is not known.
    generation: Option<Generation>,
    /// Those that were live, older first.
    revisions: Vec<RevisionReference>,
    /// The variants that applied.
    variants: Vec<String>,
    /// Under `acceptance: any`: variants that applied and refused, while another accepted.
    rejected_by: Vec<String>,
    /// What the worker type asks for; none when it is not known.
    validation: Option<ValidationMode>,
    warnings: Vec<Item>,
    errors: Vec<Item>,
    /// How many errors are not listed.
    more_errors: u64,
}

/// A revision that took part in a verdict.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it is here for its schema")]
struct RevisionReference {
    revision: RevisionNumber,
    content_hash: String,
}

#[cfg(test)]
mod tests {
    use super::document;
    use std::path::Path;

    #[test]
    fn the_golden_document_is_the_one_that_is_served() {
        let text = ::service::openapi_text(&document("/api/queue/v1".to_owned()));
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/queue-openapi.json");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&golden, &text).unwrap();
        }
        let kept = std::fs::read_to_string(&golden).unwrap_or_default();
        assert!(
            kept == text,
            "schemas/queue-openapi.json is not what is served; UPDATE_GOLDEN=1 cargo test -p queue golden writes it"
        );
    }
}
