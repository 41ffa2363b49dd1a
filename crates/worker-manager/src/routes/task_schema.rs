//! The schema of whole tasks, for one, some or all worker types.

use crate::answer;
use crate::dialect_query::{DIALECT, target};
use crate::refusal;
use crate::routes::payload_schema::MEDIA;
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use payload_schema::{Form, Strictness, Target};
use registry::{About, Wanted};
use service::{Access, Answer, Authorised, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use std::collections::BTreeSet;
use std::sync::Arc;
use worker_types::{Bundle, IdError, Item, Problem, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "getTaskSchema",
    path: "/task-schema",
    summary: "One JSON Schema for whole task definitions: the queue's own rules, and for each worker type those of its \
              live definition; a task for another queue is held against the queue's rules alone",
    tag: "reading",
    access: Access::Each("worker-manager:get:<workerTypeId>"),
    waits: super::AFTER_A_WRITE,
    query: TaskQuery::FIELDS,
    answers: &[Answer::of(200, MEDIA, "The schema"), Answer::empty(304, "The client has it")],
    problems: &[Problem::UnknownWorkerType, Problem::Deleted, Problem::NotAcceptable],
    ..Operation::BLANK
};

/// Worker types in one document. Readers of schemas slow down far below this.
const MOST: usize = 1_000;

pub(super) struct TaskQuery {
    worker_types: Option<BTreeSet<WorkerTypeId>>,
    form: Form,
    target: Target,
}

impl QueryFields for TaskQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::optional(
            "workerType",
            Kind::Text,
            "The ids of worker types, with commas between them; without it, all that the caller may read",
        ),
        Parameter::optional(
            "form",
            Kind::OneOf(&["one-of", "if-then"]),
            "How the worker types stand together: oneOf with constant names (the default), or a list of if and then",
        ),
        DIALECT,
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        let ids = values.text("workerType").map(|text| text.split(',').map(str::parse).collect::<Result<_, IdError>>());
        let worker_types = ids.transpose().map_err(|error| {
            let detail = format!("the query parameter workerType: {error}");
            Refusal::new(Problem::InvalidQuery, &detail).errors([Item::new("invalid-query", "/workerType", detail)])
        })?;
        let form = if values.text("form") == Some("if-then") { Form::IfThen } else { Form::OneOf };
        Ok(Self { worker_types, form, target: target(values).unwrap_or(Target::Draft202012) })
    }
}

pub(super) async fn get(
    caller: Authorised,
    Query(query): Query<TaskQuery>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let (bundles, strictness) = match &query.worker_types {
        Some(ids) => (named(&state, &caller, ids)?, Strictness::Refuse),
        None => (visible(&state, &caller), Strictness::LeaveFree),
    };
    if bundles.len() > MOST {
        let detail = format!(
            "a task schema over {} worker types would be too large to use, at most {MOST} are taken; name those that you \
             need with ?workerType=",
            bundles.len()
        );
        return Err(Refusal::new(Problem::InvalidQuery, detail));
    }
    let wanted = Wanted { about: About::Task(query.form), bundles, target: query.target, strictness };
    let document = state.registry.derived(wanted).await.map_err(refusal::read)?;
    Ok(answer::live(&request, &document, MEDIA))
}

fn named(state: &State, caller: &Authorised, ids: &BTreeSet<WorkerTypeId>) -> Result<Vec<Arc<Bundle>>, Refusal> {
    let bundle = |id: &WorkerTypeId| {
        caller.require(&format!("worker-manager:get:{id}"))?;
        state.registry.live(id).map(|live| live.validation.clone()).map_err(refusal::read)
    };
    ids.iter().map(bundle).collect()
}

fn visible(state: &State, caller: &Authorised) -> Vec<Arc<Bundle>> {
    let mut bundles = state.registry.bundles();
    if !caller.has_all_below("worker-manager:get:") {
        bundles.retain(|bundle| caller.has(&format!("worker-manager:get:{}", bundle.worker_type_id)));
    }
    bundles
}
