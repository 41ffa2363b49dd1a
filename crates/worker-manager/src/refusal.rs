//! What the registry says no to, as problems of the table.

use actix_web::http::header::{ETAG, RETRY_AFTER};
use payload_schema::{EffectiveError, Refused};
use registry::{FeedError, GateReport, ReadError, StoreError, WaitError, WriteError};
use service::Refusal;
use worker_types::Problem;

/// Seconds after which a client may ask again when the database is away.
const RETRY_SECONDS: &str = "5";
/// Seconds after which a server that lags may have caught up.
const BEHIND_SECONDS: &str = "1";

/// A read that found nothing.
pub fn read(error: ReadError) -> Refusal {
    let detail = error.to_string();
    match error {
        ReadError::UnknownWorkerType { similar, .. } => {
            Refusal::new(Problem::UnknownWorkerType, detail).member("suggestion", similar)
        }
        ReadError::Deleted { last_revision, generation, .. } => Refusal::new(Problem::Deleted, detail)
            .member("lastRevision", last_revision)
            .member("generation", generation)
            .header(ETAG, format!("\"g{generation}\"")),
        ReadError::UnknownRevision { last, .. } => {
            Refusal::new(Problem::UnknownRevision, detail).member("lastRevision", last)
        }
        ReadError::UnknownImplementation(_) => Refusal::new(Problem::UnknownImplementation, detail),
        ReadError::UnknownRelease { similar, .. } => {
            Refusal::new(Problem::UnknownRelease, detail).member("suggestion", similar)
        }
        ReadError::WhichVariant { variants, .. } => {
            Refusal::new(Problem::InvalidQuery, detail).member("variants", variants)
        }
        ReadError::NotDerivable(EffectiveError::Refused { source: Refused::Inexpressible { keyword, .. }, .. }) => {
            Refusal::new(Problem::NotAcceptable, detail).member("keyword", keyword)
        }
        ReadError::NotDerivable(_) => Refusal::internal(detail),
        ReadError::InvalidContinuation => Refusal::new(Problem::InvalidContinuation, detail),
        ReadError::NotEvaluable { .. } => Refusal::internal(detail),
        ReadError::Store(error) => store(&error, ""),
    }
}

/// A write that was refused.
pub(crate) fn write(error: WriteError) -> Refusal {
    let detail = error.to_string();
    match error {
        WriteError::PreconditionRequired => Refusal::new(Problem::PreconditionRequired, detail),
        WriteError::PreconditionFailed { current, .. } => {
            let refusal = Refusal::new(Problem::PreconditionFailed, detail).member("generation", current);
            match current {
                Some(generation) => refusal.header(ETAG, format!("\"g{generation}\"")),
                None => refusal,
            }
        }
        WriteError::RolloutOpen { from, to, .. } => {
            Refusal::new(Problem::RolloutOpen, detail).member("from", from).member("to", to)
        }
        WriteError::Incompatible { report, .. } => {
            let errors = report.decisive().items();
            Refusal::new(Problem::Incompatible, detail).errors(errors).member("compatibility", report)
        }
        WriteError::NoRollout(_) => Refusal::new(Problem::NoRollout, detail),
        WriteError::HiddenPool(id) => {
            Refusal::new(Problem::Forbidden, detail).member("scope", format!("worker-manager:get-pool:{id}"))
        }
        WriteError::MarkPreconditionRequired => Refusal::new(Problem::PreconditionRequired, detail),
        WriteError::ReleaseChanged { etag, .. } => Refusal::new(Problem::PreconditionFailed, detail).header(ETAG, etag),
        WriteError::Withdrawn(mark) => {
            Refusal::new(Problem::WithdrawnRelease, detail).member("suggestion", mark.replaced_by)
        }
        WriteError::InvalidDefinition(report) => gate(Problem::InvalidDefinition, detail, report),
        WriteError::InvalidRelease(report) => gate(Problem::InvalidRelease, detail, report),
        WriteError::InvalidImport(report) => gate(Problem::InvalidImport, detail, report),
        WriteError::ReleaseExists(_) => Refusal::new(Problem::ReleaseExists, detail),
        WriteError::Read(ReadError::Store(error)) | WriteError::Store(error) => store(&error, NOTHING_CHANGED),
        WriteError::Read(error) => read(error),
    }
}

fn gate(problem: Problem, detail: String, report: GateReport) -> Refusal {
    Refusal::new(problem, detail).errors(report.errors).warnings(report.warnings)
}

/// A cursor that leads nowhere.
pub(crate) fn feed(error: FeedError) -> Refusal {
    let detail = error.to_string();
    match error {
        FeedError::InvalidCursor | FeedError::Future { .. } => Refusal::new(Problem::InvalidCursor, detail),
        FeedError::Gone => Refusal::new(Problem::CursorGone, detail),
        FeedError::Store(error) => store(&error, ""),
    }
}

/// A read that does not wait for its cursor any longer.
pub(crate) fn wait(error: WaitError) -> Refusal {
    let detail = error.to_string();
    match error {
        WaitError::InvalidCursor | WaitError::Foreign | WaitError::Future { .. } => {
            Refusal::new(Problem::InvalidCursor, detail)
        }
        WaitError::Behind { applied, wanted, .. } => {
            let refusal = Refusal::new(Problem::Behind, detail).member("applied", applied).member("wanted", wanted);
            refusal.header(RETRY_AFTER, BEHIND_SECONDS)
        }
    }
}

/// What a write adds where the database was away; for a read it goes without saying.
const NOTHING_CHANGED: &str = "; nothing was changed";

/// A stream that would have nothing to tell as long as this server knows no more.
pub(crate) fn no_news() -> Refusal {
    let detail = "this server cannot reach the database, and hears of no changes; another server may";
    Refusal::new(Problem::StoreUnavailable, detail).header(RETRY_AFTER, RETRY_SECONDS)
}

/// The database. What its driver says goes to the log: it may name hosts and users.
fn store(error: &StoreError, consequence: &str) -> Refusal {
    let away = |detail: &str| {
        Refusal::new(Problem::StoreUnavailable, detail).header(RETRY_AFTER, RETRY_SECONDS).because(error)
    };
    match error {
        StoreError::Unavailable { .. } => away(&format!("the database cannot be reached{consequence}")),
        StoreError::OutcomeUnknown { .. } => away(
            "the database went away while the change was being committed: it may or may not have happened. Send the \
             same request again; if the change was made, the answer says so",
        ),
        StoreError::NulCharacter { .. } | StoreError::ImportConflict(_) => {
            Refusal::new(Problem::InvalidRequest, error.to_string())
        }
        StoreError::Corrupt { .. } | StoreError::Failed { .. } => Refusal::internal(error),
    }
}
