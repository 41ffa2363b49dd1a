//! Verdicts of a server on tasks and payloads, in the order in which they stand in their file.

use crate::Failure;
use crate::documents::ReadError;
use crate::report;
use crate::tasks::{Subject, Subjects};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use serde_json::Value;
use tokio::sync::mpsc;
use worker_manager_client::{BatchAnswer, BatchLine, Client, ClientError};
use worker_types::{Item, Task, TaskError, Verdict, WorkerTypeId};

/// Requests under way at once, where each task is one.
const AT_ONCE: usize = 8;

/// What is known of a subject.
pub enum Judgement {
    /// The server's verdict.
    Verdict(Box<Verdict>),
    /// It is no task, or not one that the server takes.
    NoTask(Vec<Item>),
}

/// A subject and its judgement, or why there is no subject.
pub type Judged = Result<(Subject, Judgement), ReadError>;

/// Judges each of `subjects` as tasks for the worker types that they name, and hands it to `take`.
///
/// # Errors
/// The server does not answer; what `take` ends with.
pub async fn tasks(
    client: &Client,
    subjects: Subjects,
    take: &mut impl FnMut(Judged) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (send, lines) = mpsc::channel(16);
    let (note, mut noted) = mpsc::unbounded_channel();
    let producer = tokio::task::spawn_blocking(move || produce(subjects, &send, &note));
    let body = stream::unfold(lines, |mut lines| async move { Some((lines.recv().await?, lines)) });
    let mut verdicts = client.validate_batch(body).await?;
    let mut line = 0;
    while let Some(next) = noted.recv().await {
        match next {
            Noted::Here(judged) => take(*judged)?,
            Noted::Sent(subject) => {
                line += 1;
                let answer = verdicts.next().await.unwrap_or_else(|| Err(broke_off(client)))?;
                let judgement = of_line(answer, line, &subject)?;
                take(Ok((*subject, judgement)))?;
            }
        }
    }
    producer.await.map_err(|error| Failure::Start(format!("reading the files was cut off: {error}")))
}

/// What becomes of a subject before its verdict.
enum Noted {
    /// Its verdict is not the server's.
    Here(Box<Judged>),
    /// The server was asked.
    Sent(Box<Subject>),
}

fn produce(subjects: Subjects, send: &mpsc::Sender<Bytes>, note: &mpsc::UnboundedSender<Noted>) {
    for subject in subjects {
        let noted = match subject {
            Ok(subject) => match Task::normalised(subject.value.clone()) {
                Ok(_) => {
                    let line = subject.value.to_string() + "\n";
                    if send.blocking_send(line.into()).is_err() {
                        return;
                    }
                    Noted::Sent(Box::new(subject))
                }
                Err(error) => Noted::Here(Box::new(Ok((subject, no_task(&error))))),
            },
            Err(error) => Noted::Here(Box::new(Err(error))),
        };
        if note.send(noted).is_err() {
            return;
        }
    }
}

fn no_task(error: &TaskError) -> Judgement {
    Judgement::NoTask(vec![error.item()])
}

fn of_line(answer: BatchLine, expected: u64, subject: &Subject) -> Result<Judgement, Failure> {
    if answer.line != expected {
        let spot = subject.spot();
        return Err(Failure::Start(format!(
            "{spot}: the server answered line {} where line {expected} was due",
            answer.line
        )));
    }
    Ok(match answer.answer {
        BatchAnswer::Verdict(verdict) => Judgement::Verdict(verdict),
        BatchAnswer::Broken { problem, message } => Judgement::NoTask(vec![Item::new(problem, "", message)]),
    })
}

fn broke_off(client: &Client) -> ClientError {
    ClientError::Unreachable {
        url: client.url(&["tasks", "validate"]).to_string(),
        cause: "the answer ended before the last verdict".to_owned(),
    }
}

/// Judges each of `subjects` as one for `worker_type`, and hands it to `take`.
///
/// # Errors
/// The server does not answer; what `take` ends with.
pub async fn for_worker_type(
    client: &Client,
    subjects: Subjects,
    worker_type: &WorkerTypeId,
    take: &mut impl FnMut(Judged) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let judged = stream::iter(subjects).map(|subject| async {
        let subject = match subject {
            Ok(subject) => subject,
            Err(error) => return Ok(Err(error)),
        };
        let judgement = one(client, worker_type, subject.is_payload, &subject.value).await?;
        Ok::<Judged, ClientError>(Ok((subject, judgement)))
    });
    let mut judged = Box::pin(judged.buffered(AT_ONCE));
    while let Some(next) = judged.next().await {
        take(next?)?;
    }
    Ok(())
}

async fn one(client: &Client, id: &WorkerTypeId, is_payload: bool, value: &Value) -> Result<Judgement, ClientError> {
    let verdict =
        if is_payload { client.validate_payload(id, value).await } else { client.validate_task(id, value).await };
    match verdict {
        Ok(verdict) => Ok(Judgement::Verdict(Box::new(verdict))),
        Err(ClientError::Problem(answer)) if matches!(answer.status, 400 | 413 | 422) => {
            Ok(Judgement::NoTask(report::items_of(&answer)))
        }
        Err(error) => Err(error),
    }
}
