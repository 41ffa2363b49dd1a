//! `GET /task-queues/{taskQueueId}/payload-schema`: what this queue enforces now.

use crate::error::QueueError;
use crate::queue::Queue;
use crate::time;
use ::service::{Authorised, Id, Refusal};
use actix_web::{HttpResponse, web};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use worker_manager_client::Enforced;
use worker_types::{
    Acceptance, Bundle, BundleRevision, BundleVariant, ContentHash, Dialect, Generation, Item, ResolvedRule,
    RevisionNumber, RolloutPolicy, SchemaRef, ValidationMode, WorkerTypeId, WrittenSchema,
};

/// What this queue holds tasks of a worker type against.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EnforcedSchema {
    #[schema(value_type = String)]
    task_queue_id: WorkerTypeId,
    generation: Generation,
    /// What this queue does with a task that is not accepted: the worker type's mode, capped by the queue's.
    mode: ValidationMode,
    /// How two live revisions decide together; none when one is live.
    rollout: Option<RolloutPolicy>,
    /// When worker-manager last confirmed it: RFC 3339, UTC.
    confirmed_at: String,
    /// That it may be out of date.
    warnings: Vec<Item>,
    /// The payload schema of every variant, where all have the same. Constraints narrow it.
    #[schema(value_type = Option<Value>)]
    payload_schema: Option<WrittenSchema>,
    /// Those that are live, older first.
    revisions: Vec<EnforcedRevision>,
}

/// One live revision.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EnforcedRevision {
    revision: RevisionNumber,
    #[schema(value_type = String)]
    content_hash: ContentHash,
    /// Which of the variants that apply must accept.
    acceptance: Acceptance,
    variants: Vec<EnforcedVariant>,
}

/// One contract.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EnforcedVariant {
    name: String,
    /// On the task: whether the variant concerns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    applies_when: Option<EnforcedPart>,
    #[serde(flatten)]
    contract: EnforcedParts,
    /// What narrows it; all must hold.
    constraints: Vec<EnforcedConstraints>,
}

/// The schemas of a contract.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EnforcedParts {
    /// On the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    task_schema: Option<EnforcedPart>,
    /// On the payload; without one any object is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    payload_schema: Option<EnforcedPart>,
}

/// Schemas and comparisons beside a contract.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EnforcedConstraints {
    #[serde(flatten)]
    parts: EnforcedParts,
    #[schema(value_type = Vec<Value>)]
    rules: Vec<ResolvedRule>,
}

/// A schema.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EnforcedPart {
    /// In which it is read when it names no `$schema`.
    dialect: Dialect,
    #[schema(value_type = Value)]
    schema: WrittenSchema,
}

pub(crate) async fn payload_schema(
    queue: web::Data<Queue>,
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
) -> Result<HttpResponse, Refusal> {
    let most = queue.settings().max_validation;
    if most == ValidationMode::Off {
        return Err(queue.refusal(QueueError::ValidationOff(id)));
    }
    let enforced = queue.gate().enforced(&id).await;
    let enforced = enforced.map_err(|verdict| queue.refusal(QueueError::NothingEnforced(verdict)))?;
    Ok(HttpResponse::Ok().json(EnforcedSchema::of(enforced, most)))
}

impl EnforcedSchema {
    fn of(enforced: Enforced, most: ValidationMode) -> Self {
        let bundle = enforced.bundle;
        Self {
            task_queue_id: bundle.worker_type_id.clone(),
            generation: bundle.generation,
            mode: bundle.validation.min(most),
            rollout: bundle.rollout.map(|rollout| rollout.policy),
            confirmed_at: time::format(enforced.confirmed_at),
            warnings: enforced.warnings,
            payload_schema: common_schema(&bundle),
            revisions: bundle.revisions.iter().map(|revision| revision_of(&bundle, revision)).collect(),
        }
    }
}

/// The payload schema of every live variant, if all have the same.
fn common_schema(bundle: &Bundle) -> Option<WrittenSchema> {
    let mut all =
        bundle.revisions.iter().flat_map(|revision| &revision.variants).map(|variant| &variant.payload_schema);
    let first = all.next()?;
    if !all.all(|other| other == first) {
        return None;
    }
    match first {
        Some(reference) => bundle.schemas.get(&reference.hash).cloned(),
        None => Some(json!({"type": "object"}).into()),
    }
}

fn revision_of(bundle: &Bundle, revision: &BundleRevision) -> EnforcedRevision {
    EnforcedRevision {
        revision: revision.revision,
        content_hash: revision.content_hash.clone(),
        acceptance: revision.acceptance,
        variants: revision.variants.iter().map(|variant| variant_of(bundle, variant)).collect(),
    }
}

fn variant_of(bundle: &Bundle, variant: &BundleVariant) -> EnforcedVariant {
    let part = |reference: &Option<SchemaRef>| {
        let reference = reference.as_ref()?;
        let schema = bundle.schemas.get(&reference.hash)?.clone();
        Some(EnforcedPart { dialect: reference.dialect, schema })
    };
    let parts = |task: &Option<SchemaRef>, payload: &Option<SchemaRef>| EnforcedParts {
        task_schema: part(task),
        payload_schema: part(payload),
    };
    EnforcedVariant {
        name: variant.name.clone(),
        applies_when: part(&variant.applies_when),
        contract: parts(&variant.task_schema, &variant.payload_schema),
        constraints: variant
            .constraints
            .iter()
            .map(|each| EnforcedConstraints {
                parts: parts(&each.task_schema, &each.payload_schema),
                rules: each.rules.clone(),
            })
            .collect(),
    }
}
