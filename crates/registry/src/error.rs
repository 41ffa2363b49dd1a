//! Every way in which the registry says no.

use crate::gate::GateReport;
use crate::store::StoreError;
use thiserror::Error;
use worker_types::{
    BundleMark, Compatibility, CompatibilityVerdict, Generation, ReleaseId, RevisionNumber, WorkerTypeId,
};

/// Why a read found nothing.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The id was never used.
    #[error("there is no worker type {id}{}", .similar.as_ref().map(|other| format!("; did you mean {other}?")).unwrap_or_default())]
    UnknownWorkerType {
        /// What was asked for.
        id: WorkerTypeId,
        /// The closest that exists.
        similar: Option<String>,
    },
    /// The worker type is a tombstone.
    #[error("the worker type {id} was deleted; its last revision is {last_revision}")]
    Deleted {
        /// Which.
        id: WorkerTypeId,
        /// Still in the history.
        last_revision: RevisionNumber,
        /// For `If-Match`.
        generation: Generation,
    },
    /// The worker type has no such revision.
    #[error("{id} has no revision {revision}; its last is {last}")]
    UnknownRevision {
        /// Which worker type.
        id: WorkerTypeId,
        /// What was asked for.
        revision: RevisionNumber,
        /// What exists.
        last: RevisionNumber,
    },
    /// No release has this implementation's name.
    #[error("there is no implementation {0:?} with a release")]
    UnknownImplementation(String),
    /// There is no such release.
    #[error("there is no release {id}{}", .similar.as_ref().map(|other| format!("; did you mean {other}?")).unwrap_or_default())]
    UnknownRelease {
        /// What was asked for.
        id: ReleaseId,
        /// The closest that exists.
        similar: Option<String>,
    },
    /// The worker type has no variant of this name.
    #[error("{id} has {}; name one with ?variant=", variants_in_words(.variants))]
    WhichVariant {
        /// Which worker type.
        id: WorkerTypeId,
        /// What exists.
        variants: Vec<String>,
    },
    /// A schema has no equal in the draft that was asked for.
    #[error(transparent)]
    NotDerivable(payload_schema::EffectiveError),
    /// A token of another list.
    #[error("the continuation token does not belong to this query")]
    InvalidContinuation,
    /// The live definition cannot be evaluated by this version.
    #[error("the live definition of {id} cannot be evaluated: {message}")]
    NotEvaluable {
        /// Which worker type.
        id: WorkerTypeId,
        /// Why.
        message: String,
    },
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn variants_in_words(variants: &[String]) -> String {
    format!("the variants {}", variants.join(", "))
}

/// Why a write was refused. Nothing was changed.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The request does not say which state it changes.
    #[error("say which state the request changes: If-Match: \"g<generation>\", If-Match: *, or If-None-Match: *")]
    PreconditionRequired,
    /// The request does not say which state of a release's mark it changes.
    #[error("say which state the request changes: If-Match with the release's ETag, If-Match: *, or If-None-Match: *")]
    MarkPreconditionRequired,
    /// Another state is there.
    #[error("{}", lost_race(.id, *.current))]
    PreconditionFailed {
        /// Which worker type.
        id: WorkerTypeId,
        /// Its generation now; none when it does not exist.
        current: Option<Generation>,
    },
    /// Two revisions are live.
    #[error(
        "a rollout of {id} from revision {from} to revision {to} is open; complete or abort it, or publish with ?rollout=replace to replace {to}"
    )]
    RolloutOpen {
        /// Which worker type.
        id: WorkerTypeId,
        /// The older live revision.
        from: RevisionNumber,
        /// The newer live revision.
        to: RevisionNumber,
    },
    /// One revision is live, alone.
    #[error("no rollout of {0} is open: one revision is live, alone")]
    NoRollout(WorkerTypeId),
    /// The live definition has a pool that the caller may not see, and the new one has none.
    #[error(
        "{0} has a pool that this caller may not see (worker-manager:get-pool:{0}); publishing a definition without a pool would remove it"
    )]
    HiddenPool(WorkerTypeId),
    /// The definition did not pass the gate.
    #[error("{}", refused("definition", .0))]
    InvalidDefinition(GateReport),
    /// The worker type requires compatibility, and the definition breaks it or was not shown to keep it.
    #[error(
        "{id} requires compatibility: {}. {} with ?allowBreaking=true&message=<why>",
        lost(.report),
        ways_out(.report)
    )]
    Incompatible {
        /// Which worker type.
        id: WorkerTypeId,
        /// The comparison with what is live.
        report: Box<Compatibility>,
    },
    /// The release was withdrawn: nothing may begin to use it.
    #[error("{}", .0.item("").message)]
    Withdrawn(Box<BundleMark>),
    /// Another state of the release is there.
    #[error("the release {id} is there as {etag}; the request means another state of it")]
    ReleaseChanged {
        /// Which.
        id: ReleaseId,
        /// The entity tag of its state now, quotes included.
        etag: String,
    },
    /// The release did not pass the gate.
    #[error("{}", refused("release", .0))]
    InvalidRelease(GateReport),
    /// Another content stands under this id.
    #[error("the release {0} exists with another content; publish the change under a new version")]
    ReleaseExists(ReleaseId),
    /// The import did not pass.
    #[error("{}", refused("import", .0))]
    InvalidImport(GateReport),
    /// What was to be changed is not there.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn lost_race(id: &WorkerTypeId, current: Option<Generation>) -> String {
    match current {
        Some(generation) => format!("{id} is at generation {generation} now; the request means another state of it"),
        None => format!("{id} does not exist, so it has no generation to match"),
    }
}

/// What is lost, and when.
fn lost(report: &Compatibility) -> String {
    let when = if is_at_once(report) { "" } else { "once the rollout has ended by itself (completeAfter), " };
    format!("{when}{}", report.decisive().summary())
}

fn ways_out(report: &Compatibility) -> &'static str {
    if is_at_once(report) {
        "Widen the definition, or publish"
    } else {
        "Widen the definition; leave out completeAfter, to be asked when somebody completes the rollout; or publish"
    }
}

fn is_at_once(report: &Compatibility) -> bool {
    report.verdict != CompatibilityVerdict::Compatible
}

fn refused(what: &str, report: &GateReport) -> String {
    match report.errors.as_slice() {
        [one] => format!("the {what} was refused: {}", one.message),
        many => format!("the {what} was refused for {} reasons", many.len()),
    }
}

/// Why a cursor leads nowhere.
#[derive(Debug, Error)]
pub enum FeedError {
    /// Not a cursor.
    #[error("this is no cursor: give back, unchanged, the one that a list, an event or a bookmark carried")]
    InvalidCursor,
    /// One from the future.
    #[error(
        "the cursor stands at change {given}, and the newest that the database holds is change {newest}: the database was put back to an earlier state, or the cursor is of another server. List again, and watch from the cursor of the list"
    )]
    Future {
        /// Where the cursor stands.
        given: u64,
        /// The newest that there is.
        newest: u64,
    },
    /// The events after it are gone, or the feed is another one.
    #[error("the events after this cursor are no longer kept; list again, and watch from the cursor of the list")]
    Gone,
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}
