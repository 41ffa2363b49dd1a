//! `GET /task-queues/{taskQueueId}/payload-verdicts`: what an operator looks at before `enforce` is switched on.

use crate::operations::VERDICTS;
use crate::queue::Queue;
use crate::routes::continuation;
use crate::routes::task::KeptVerdictBody;
use crate::store::{Cause, Counts, Position, VerdictFilter};
use crate::time;
use crate::verdict::Action;
use ::service::{Authorised, Id, Parameter, Query, QueryFields, QueryValues, Refusal};
use actix_web::{HttpResponse, web};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use worker_types::{Outcome, Problem, TaskId, WorkerTypeId};

/// Causes that the summary lists.
const CAUSES: usize = 50;

/// How far back the list goes when nothing is said.
const DAYS: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A page of verdicts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayloadVerdicts {
    #[schema(value_type = String)]
    task_queue_id: WorkerTypeId,
    /// Nothing before this is counted or listed: RFC 3339, UTC.
    since: String,
    /// On the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    summary: Option<Summary>,
    /// Newest first.
    verdicts: Vec<KeptVerdictBody>,
    /// There are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    continuation_token: Option<String>,
}

/// All verdicts since then, whatever the list is narrowed to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Summary {
    valid: u64,
    invalid: u64,
    unchecked: u64,
    /// Tasks that were created with a warning.
    warned: u64,
    /// Tasks that were not created.
    refused: u64,
    /// What they were warned of or refused for, most frequent first.
    causes: Vec<CauseBody>,
}

/// One fault at one place.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CauseBody {
    /// As in the items of `errors`.
    problem: String,
    /// With `*` for positions in arrays.
    pointer: String,
    /// How many tasks have it.
    tasks: u64,
    /// The newest of them.
    #[schema(value_type = String)]
    last_task_id: TaskId,
    /// What was said of that one.
    last_message: String,
    /// When: RFC 3339, UTC.
    last_at: String,
}

pub(crate) struct Listing {
    outcome: Option<Outcome>,
    action: Option<Action>,
    since: Option<Timestamp>,
    limit: usize,
    continuation_token: Option<String>,
}

impl QueryFields for Listing {
    const FIELDS: &'static [Parameter] = VERDICTS;

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        let outcome = values.text("verdict").map(|text| match text {
            "valid" => Outcome::Valid,
            "invalid" => Outcome::Invalid,
            _ => Outcome::Unchecked,
        });
        let since = values.text("since").map(|text| time::parse(text).ok_or_else(|| not_a_time(text))).transpose()?;
        Ok(Self {
            outcome,
            action: values.parsed("action")?,
            since,
            limit: values.parsed("limit")?.unwrap_or(100),
            continuation_token: values.owned("continuationToken"),
        })
    }
}

fn not_a_time(text: &str) -> Refusal {
    let shown: String = text.chars().take(100).collect();
    let detail =
        format!("the query parameter since is {shown:?}; it must be a time of RFC 3339 such as 2027-01-02T03:04:05Z");
    Refusal::new(Problem::InvalidQuery, detail)
}

pub(crate) async fn payload_verdicts(
    queue: web::Data<Queue>,
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(listing): Query<Listing>,
) -> Result<HttpResponse, Refusal> {
    let refusal = |error| queue.refusal(error);
    // A token belongs to the query as it was written; where nothing was said of the beginning, it says where that was.
    let outcome = listing.outcome.map(Outcome::as_str);
    let asked = (id.as_str(), outcome, listing.action, listing.since.map(time::format));
    let (since, after) = match &listing.continuation_token {
        Some(token) => {
            let (since, after) = continuation::read::<(i64, Position)>(&asked, token).map_err(refusal)?;
            (time::from_row(since), Some(after))
        }
        None => (listing.since.unwrap_or_else(|| queue.now().checked_sub(DAYS).unwrap_or(Timestamp::MIN)), None),
    };
    let summary = match &after {
        None => Some(queue.summary(id.clone(), since, CAUSES).await.map_err(refusal)?),
        Some(_) => None,
    };
    let filter = VerdictFilter { outcome: listing.outcome, action: listing.action, since };
    let (verdicts, next) = queue.verdicts(id.clone(), filter, after, listing.limit).await.map_err(refusal)?;
    let token = next.map(|next| continuation::write(&asked, &(since.as_microsecond(), next)));
    let continuation_token = token.transpose().map_err(refusal)?;
    Ok(HttpResponse::Ok().json(PayloadVerdicts {
        since: time::format(since),
        summary: summary.map(|(counts, causes)| Summary::of(counts, causes)),
        verdicts: verdicts.into_iter().map(Into::into).collect(),
        continuation_token,
        task_queue_id: id,
    }))
}

impl Summary {
    fn of(counts: Counts, causes: Vec<Cause>) -> Self {
        let Counts { valid, invalid, unchecked, warned, refused } = counts;
        Self { valid, invalid, unchecked, warned, refused, causes: causes.into_iter().map(CauseBody::from).collect() }
    }
}

impl From<Cause> for CauseBody {
    fn from(cause: Cause) -> Self {
        Self {
            problem: cause.problem,
            pointer: cause.pointer,
            tasks: cause.tasks,
            last_task_id: cause.last_task,
            last_message: cause.last_message,
            last_at: time::format(cause.last_at),
        }
    }
}
