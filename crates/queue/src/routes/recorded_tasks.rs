//! `GET /task-queues/{taskQueueId}/recorded-tasks`: what was created, for replays against definitions to come.

use crate::error::QueueError;
use crate::operations::RECORDED;
use crate::queue::{Queue, RecordedPage};
use ::service::{Authorised, Id, Parameter, Query, QueryFields, QueryValues, Refusal};
use actix_web::{HttpResponse, web};
use bytes::Bytes;
use futures_util::{Stream, stream};
use worker_types::WorkerTypeId;

/// Tasks that are read at once: one may have ten megabytes.
const PAGE: usize = 16;

pub(crate) struct Limit(Option<usize>);

impl QueryFields for Limit {
    const FIELDS: &'static [Parameter] = RECORDED;

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self(values.parsed("limit")?))
    }
}

pub(crate) async fn recorded_tasks(
    queue: web::Data<Queue>,
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(Limit(limit)): Query<Limit>,
) -> Result<HttpResponse, Refusal> {
    let most = usize::try_from(queue.settings().recording.at_most).unwrap_or(usize::MAX);
    let mut reading =
        Reading { queue: queue.get_ref().clone(), id, left: limit.unwrap_or(most).min(most), next: Next::First };
    // Read before the head is sent, so that a database that is away is a refusal and not half an answer.
    let first = reading.page().await.map_err(|error| queue.refusal(error))?;
    let lines = stream::unfold((Some(first), reading), |(read, mut reading)| async move {
        let page = match read {
            Some(first) => first,
            None => match reading.page().await {
                Ok(page) => page,
                Err(error) => return Some((Err(error), (Some(None), reading))),
            },
        };
        page.map(|lines| (Ok(lines), (None, reading)))
    });
    Ok(HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .insert_header(("cache-control", "no-store"))
        .streaming(Box::pin(lines) as std::pin::Pin<Box<dyn Stream<Item = Result<Bytes, QueueError>>>>))
}

/// A recording that is being read.
struct Reading {
    queue: Queue,
    id: WorkerTypeId,
    /// How many tasks may still be shown.
    left: usize,
    next: Next,
}

enum Next {
    First,
    After(crate::store::RecordedPosition),
    Ended,
}

impl Reading {
    /// The next lines; none at the end.
    async fn page(&mut self) -> Result<Option<Bytes>, QueueError> {
        let after = match std::mem::replace(&mut self.next, Next::Ended) {
            Next::First => None,
            Next::After(position) => Some(position),
            Next::Ended => return Ok(None),
        };
        if self.left == 0 {
            return Ok(None);
        }
        let RecordedPage { tasks, next } = self.queue.recorded(self.id.clone(), after, self.left.min(PAGE)).await?;
        self.left -= tasks.len();
        self.next = next.map_or(Next::Ended, Next::After);
        let lines: String = tasks.into_iter().flat_map(|task| [task, "\n".to_owned()]).collect();
        Ok((!lines.is_empty()).then(|| lines.into()))
    }
}
