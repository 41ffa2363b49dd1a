//! An open rollout: reading it, moving on, ending it.

use super::{publish, scopes};
use crate::answer;
use crate::precondition::{HEADERS, Writing};
use crate::refusal;
use crate::state::State;
use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use actix_web::web::Data;
use registry::WriteError;
use serde_json::Value;
use service::{
    Answer, Authorised, Body, BodyLimit, Id, JsonBody, Kind, Operation, Parameter, Query, QueryFields, QueryValues,
    Refusal, Verb,
};
use worker_types::{Problem, RolloutEnd, WorkerTypeId};

const PATH: &str = "/worker-types/{provisionerId}/{workerType}/rollout";
const TAG: &str = "rollouts";

pub(super) static GET: Operation = Operation {
    id: "getRollout",
    path: PATH,
    summary: "The rollout that is open",
    tag: TAG,
    access: scopes::GET,
    waits: super::AFTER_A_WRITE,
    answers: &[Answer::json(200, "Rollout", "Two revisions are live; ETag \"g<generation>\" for If-Match")],
    problems: &[Problem::UnknownWorkerType, Problem::Deleted, Problem::NoRollout],
    ..Operation::BLANK
};

pub(super) static PUT: Operation = Operation {
    id: "changeRollout",
    method: Verb::Put,
    path: PATH,
    summary: "Publish the newer revision's definition again with another rollout, in its place",
    tag: TAG,
    access: scopes::PUBLISH,
    query: RolloutQuery::FIELDS,
    headers: HEADERS,
    body: Some(Body {
        media: Body::JSON,
        schema: Some("RolloutSettings"),
        limit: BodyLimit { setting: "max_request_bytes", default: 64 << 10 },
        description: "How it takes over, as in a definition.",
    }),
    answers: &[Answer::json(200, "WorkerType", "It is live")],
    problems: &[
        Problem::InvalidRequest,
        Problem::InvalidHeader,
        Problem::UnknownWorkerType,
        Problem::Deleted,
        Problem::NoRollout,
        Problem::PreconditionRequired,
        Problem::PreconditionFailed,
        Problem::InvalidDefinition,
        Problem::Incompatible,
        Problem::StoreUnavailable,
    ],
    ..Operation::BLANK
};

pub(super) static COMPLETE: Operation = Operation {
    id: "completeRollout",
    path: "/worker-types/{provisionerId}/{workerType}/rollout/complete",
    summary: "Let the newer revision be live alone",
    query: RolloutQuery::FIELDS,
    problems: &[
        Problem::InvalidHeader,
        Problem::UnknownWorkerType,
        Problem::Deleted,
        Problem::NoRollout,
        Problem::PreconditionRequired,
        Problem::PreconditionFailed,
        Problem::Incompatible,
        Problem::StoreUnavailable,
    ],
    ..ENDING
};

pub(super) static ABORT: Operation = Operation {
    id: "abortRollout",
    path: "/worker-types/{provisionerId}/{workerType}/rollout/abort",
    summary: "Let the older revision be live alone again; the newer stays in the history",
    ..ENDING
};

const ENDING: Operation = Operation {
    method: Verb::Post,
    tag: TAG,
    access: scopes::PUBLISH,
    query: AbortQuery::FIELDS,
    headers: HEADERS,
    answers: &[Answer::json(200, "WorkerType", "One revision is live")],
    problems: &[
        Problem::InvalidHeader,
        Problem::UnknownWorkerType,
        Problem::Deleted,
        Problem::NoRollout,
        Problem::PreconditionRequired,
        Problem::PreconditionFailed,
        Problem::StoreUnavailable,
    ],
    ..Operation::BLANK
};

const MESSAGE: Parameter = Parameter::optional("message", Kind::Line(1_000), "Why, for the history");

pub(super) struct RolloutQuery {
    message: Option<String>,
    allow_breaking: bool,
}

impl QueryFields for RolloutQuery {
    const FIELDS: &'static [Parameter] = &[
        MESSAGE,
        Parameter::optional(
            "allowBreaking",
            Kind::Flag,
            "Go on although compatibility is required and tasks may newly be refused; needs a message",
        ),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { message: values.owned("message"), allow_breaking: publish::allows_breaking(values)? })
    }
}

/// An abort is refused for nothing, so that there is nothing to allow.
pub(super) struct AbortQuery {
    message: Option<String>,
}

impl QueryFields for AbortQuery {
    const FIELDS: &'static [Parameter] = &[MESSAGE];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { message: values.owned("message") })
    }
}

pub(super) async fn get(_: Authorised, Id(id): Id<WorkerTypeId>, state: Data<State>) -> Result<HttpResponse, Refusal> {
    let live = state.registry.live(&id).map_err(refusal::read)?;
    let rollout = live.rollout.ok_or_else(|| refusal::write(WriteError::NoRollout(id)))?;
    // For If-Match: what ends is then the rollout that was seen.
    let etag = (header::ETAG, format!("\"g{}\"", live.record.generation));
    Ok(answer::uncached(StatusCode::OK).insert_header(etag).json(rollout))
}

pub(super) async fn put(
    writing: Writing,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<RolloutQuery>,
    body: JsonBody,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let rollout = Value::Object(body.fields(&["policy", "completeAfter"])?);
    let context = writing.because(query.message);
    let published = state.registry.change_rollout(id.clone(), rollout, query.allow_breaking, context).await;
    Ok(answer::published(&state, &id, published.map_err(refusal::write)?, false))
}

pub(super) async fn complete(
    writing: Writing,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<RolloutQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    end(id, RolloutEnd::Completed, query, writing, &state).await
}

pub(super) async fn abort(
    writing: Writing,
    Id(id): Id<WorkerTypeId>,
    Query(AbortQuery { message }): Query<AbortQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let query = RolloutQuery { message, allow_breaking: false };
    end(id, RolloutEnd::Aborted, query, writing, &state).await
}

async fn end(
    id: WorkerTypeId,
    end: RolloutEnd,
    query: RolloutQuery,
    writing: Writing,
    state: &State,
) -> Result<HttpResponse, Refusal> {
    let context = writing.because(query.message);
    let ended = state.registry.end_rollout(id.clone(), end, query.allow_breaking, context).await;
    Ok(answer::published(state, &id, ended.map_err(refusal::write)?, false))
}
