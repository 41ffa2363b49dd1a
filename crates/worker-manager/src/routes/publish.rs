//! Publishing a definition.

use super::{scopes, worker_type};
use crate::answer;
use crate::precondition::{HEADERS, Writing};
use crate::refusal;
use crate::state::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use registry::Publish;
use service::{
    Answer, Body, BodyLimit, Id, JsonBody, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal, Verb,
};
use worker_types::{Problem, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "publishWorkerType",
    method: Verb::Put,
    path: worker_type::PATH,
    summary: "Publish a definition: the next revision, unless the same content is live already",
    tag: "worker-types",
    access: scopes::PUBLISH,
    query: PublishQuery::FIELDS,
    headers: HEADERS,
    body: Some(Body {
        media: Body::JSON,
        schema: Some("Definition"),
        // The gate's limit is on the canonical form (1 MiB); white space may come on top of it.
        limit: BodyLimit { setting: "max_definition_body_bytes", default: (1 << 20) + (256 << 10) },
        description: "The definition.",
    }),
    answers: &[
        Answer::json(200, "WorkerType", "It is live; or it was already; or, with dryRun, what would come of it"),
        Answer::json(201, "WorkerType", "It came into being, or back from its tombstone"),
    ],
    problems: &[
        Problem::InvalidHeader,
        Problem::PreconditionRequired,
        Problem::PreconditionFailed,
        Problem::RolloutOpen,
        Problem::Incompatible,
        Problem::InvalidDefinition,
        Problem::StoreUnavailable,
    ],
    ..Operation::BLANK
};

pub(super) struct PublishQuery {
    message: Option<String>,
    dry_run: bool,
    replace_rollout: bool,
    allow_breaking: bool,
}

impl QueryFields for PublishQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::optional("message", Kind::Line(1_000), "Why, for the history"),
        Parameter::optional("dryRun", Kind::Flag, "Run every stage and store nothing; needs no precondition"),
        Parameter::optional("rollout", Kind::OneOf(&["replace"]), "Replace the newer revision of an open rollout"),
        Parameter::optional(
            "allowBreaking",
            Kind::Flag,
            "Publish although compatibility is required and tasks may newly be refused; needs a message",
        ),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        let (message, allow_breaking) = (values.owned("message"), allows_breaking(values)?);
        let replace_rollout = values.text("rollout").is_some();
        Ok(Self { message, dry_run: values.flag("dryRun"), replace_rollout, allow_breaking })
    }
}

/// Whether tasks may be broken, for which a message has to say why.
pub(super) fn allows_breaking(values: &QueryValues) -> Result<bool, Refusal> {
    let allows = values.flag("allowBreaking");
    if allows && values.owned("message").is_none_or(|message| message.trim().is_empty()) {
        let detail = "allowBreaking=true needs message=<why>: the history says why tasks were broken";
        return Err(Refusal::new(Problem::InvalidQuery, detail));
    }
    Ok(allows)
}

pub(super) async fn put(
    writing: Writing,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<PublishQuery>,
    JsonBody(definition): JsonBody,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let PublishQuery { message, dry_run, replace_rollout, allow_breaking } = query;
    let publish = Publish { definition, dry_run, replace_rollout, allow_breaking };
    let published = state.registry.publish(id.clone(), publish, writing.because(message)).await;
    Ok(answer::published(&state, &id, published.map_err(refusal::write)?, dry_run))
}
