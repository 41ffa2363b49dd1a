//! One fetch of one bundle: asked for, bounded, read, compiled; and what a failure says about whom.

use crate::gate::GateSettings;
use crate::gate::known::{Answer, Fetched};
use crate::{Client, ClientError, Conditional, ProblemAnswer};
use bytes::Bytes;
use payload_schema::{Evaluator, Prepared};
use std::{fmt::Display, sync::Arc};
use tokio::{task, time::timeout};
use worker_types::{Bundle, Problem, WorkerTypeId};

/// A fetch that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// In words.
    pub(crate) cause: String,
    /// worker-manager answers as it should; what fails is about this worker type.
    pub(crate) of_this_worker_type: bool,
}

impl Failure {
    fn of_the_service(cause: &dyn Display) -> Self {
        Self { cause: cause.to_string(), of_this_worker_type: false }
    }

    fn of_this_worker_type(cause: &dyn Display) -> Self {
        Self { cause: cause.to_string(), of_this_worker_type: true }
    }
}

/// Asks for the bundle of `id`. Takes [`GateSettings::fetch_timeout`] at most, and then what compiling needs.
pub(crate) async fn fetch(
    client: &Client,
    evaluator: &Arc<Evaluator>,
    settings: &GateSettings,
    id: &WorkerTypeId,
    etag: Option<&str>,
) -> Result<Fetched, Failure> {
    let patience = settings.fetch_timeout();
    let asked = timeout(patience, ask(client, settings, id, etag)).await;
    let too_slow = || Failure::of_the_service(&format!("no whole answer within {} ms", patience.as_millis()));
    match asked.map_err(|_| too_slow())? {
        Ok(Conditional::NotModified) => Ok(Fetched::NotModified),
        Ok(Conditional::Fresh { value, etag }) => {
            let (evaluator, id) = (Arc::clone(evaluator), id.clone());
            let prepared = task::spawn_blocking(move || prepare(&evaluator, &id, &value)).await;
            let prepared = prepared.map_err(|error| Failure::of_this_worker_type(&error))??;
            Ok(Fetched::Answer { answer: Answer::Live(Arc::new(prepared)), etag })
        }
        Err(error) => refusal(&error),
    }
}

/// Asks once more when the connection broke: one that was kept from earlier may have been closed a moment ago.
async fn ask(
    client: &Client,
    settings: &GateSettings,
    id: &WorkerTypeId,
    etag: Option<&str>,
) -> Result<Conditional<Bytes>, ClientError> {
    let once = || client.validation_text(id, etag, settings.fetch_timeout(), settings.max_bundle);
    match once().await {
        Err(ClientError::Unreachable { .. }) => once().await,
        answer => answer,
    }
}

fn prepare(evaluator: &Evaluator, id: &WorkerTypeId, text: &[u8]) -> Result<Prepared, Failure> {
    let unreadable =
        |error: serde_json::Error| Failure::of_the_service(&format!("its answer is no validation bundle ({error})"));
    let bundle: Bundle = serde_json::from_slice(text).map_err(unreadable)?;
    if bundle.worker_type_id != *id {
        let answered = bundle.worker_type_id;
        return Err(Failure::of_the_service(&format!("it answered the bundle of {answered} for {id}")));
    }
    evaluator.prepare(Arc::new(bundle)).map_err(|error| Failure::of_this_worker_type(&error))
}

/// A refusal is an answer when it says that there is no such worker type, or no longer.
fn refusal(error: &ClientError) -> Result<Fetched, Failure> {
    let words = |answer: &ProblemAnswer| answer.detail.clone().unwrap_or_else(|| answer.title.clone());
    let answer = match (error, error.problem()) {
        (ClientError::Problem(problem), Some(Problem::Deleted)) => {
            Answer::Deleted { detail: words(problem), generation: problem.generation }
        }
        (ClientError::Problem(problem), Some(Problem::UnknownWorkerType)) => {
            Answer::Unknown { detail: words(problem), suggestion: problem.suggestion.clone() }
        }
        (ClientError::Problem(_), Some(Problem::Internal)) | (ClientError::TooLarge { .. }, _) => {
            return Err(Failure::of_this_worker_type(error));
        }
        _ => return Err(Failure::of_the_service(error)),
    };
    Ok(Fetched::Answer { answer, etag: None })
}
