//! The JSON that says what a worker type is: the answer of PUT and GET, and of each revision.

use crate::rollout::OpenRollout;
use crate::store::{RevisionRecord, WorkerTypeRecord};
use crate::time::rfc3339;
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use worker_types::{Caller, ContentHash, Generation, RevisionNumber, WorkerTypeId};

/// A revision, with the generation in which it is read.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RevisionAnswer<'a> {
    worker_type_id: &'a WorkerTypeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    generation: Option<Generation>,
    revision: RevisionNumber,
    content_hash: &'a ContentHash,
    published_at: String,
    published_by: &'a str,
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rollback_of: Option<RevisionNumber>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rollout: Option<OpenRollout>,
    definition: &'a RawValue,
    warnings: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    compatibility: Option<&'a RawValue>,
}

/// Whether a body shows the pool configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PoolView {
    Shown,
    Hidden,
}

impl PoolView {
    /// What `caller` sees.
    pub(crate) fn of(caller: &Caller, id: &WorkerTypeId) -> Self {
        if caller.may_see_pool(id) { Self::Shown } else { Self::Hidden }
    }
}

/// The answer about what is live.
pub(crate) fn live(
    record: &WorkerTypeRecord,
    revision: &RevisionRecord,
    rollout: Option<OpenRollout>,
    pool: PoolView,
) -> Result<Vec<u8>, serde_json::Error> {
    body(&record.id, Some(record.generation), revision, rollout, pool)
}

/// The answer about one revision of the history: it has no generation, so that it never changes.
pub(crate) fn revision(
    id: &WorkerTypeId,
    revision: &RevisionRecord,
    pool: PoolView,
) -> Result<Vec<u8>, serde_json::Error> {
    body(id, None, revision, None, pool)
}

fn body(
    id: &WorkerTypeId,
    generation: Option<Generation>,
    revision: &RevisionRecord,
    rollout: Option<OpenRollout>,
    pool: PoolView,
) -> Result<Vec<u8>, serde_json::Error> {
    let without_pool;
    let definition: &RawValue = match pool {
        PoolView::Shown => serde_json::from_str(&revision.definition)?,
        PoolView::Hidden => {
            without_pool = hide_pool(&revision.definition)?;
            &without_pool
        }
    };
    let mut body = Vec::with_capacity(definition.get().len() + 1_024);
    let answer = RevisionAnswer {
        worker_type_id: id,
        generation,
        revision: revision.revision,
        content_hash: &revision.content_hash,
        published_at: rfc3339(revision.published_at),
        published_by: &revision.published_by,
        message: revision.message.as_deref(),
        rollback_of: revision.rollback_of,
        rollout,
        definition,
        warnings: serde_json::from_str(&revision.warnings)?,
        compatibility: revision.compatibility.as_deref().map(serde_json::from_str).transpose()?,
    };
    serde_json::to_writer(&mut body, &answer)?;
    Ok(body)
}

/// The definition's text without its pool.
pub(crate) fn hide_pool(definition: &str) -> Result<Box<RawValue>, serde_json::Error> {
    let mut value: Value = serde_json::from_str(definition)?;
    if let Some(object) = value.as_object_mut() {
        object.shift_remove("pool");
    }
    serde_json::value::to_raw_value(&value)
}
