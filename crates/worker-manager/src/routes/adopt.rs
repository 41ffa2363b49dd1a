//! Moving many worker types to a release, and back.

use crate::answer;
use crate::precondition::Acting;
use crate::refusal;
use crate::shapes::AdoptReport;
use crate::state::State;
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::Data;
use registry::{Adopt, Left, Which};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use service::{Access, Answer, Body, BodyLimit, Id, JsonBody, Operation, Refusal, Verb};
use std::collections::{BTreeMap, BTreeSet};
use worker_types::{Generation, Item, Problem, ReleaseId, RevisionNumber, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "adoptRelease",
    method: Verb::Post,
    path: "/implementations/{name}/releases/{version}/adopt",
    summary: "Move many worker types to a release, or back from it: planned, and made where `apply` says so. Each is \
              published by itself on the state that was planned on, all or nothing; reading and publishing need the scopes \
              of each",
    tag: "releases",
    access: Access::Scope("worker-manager:adopt-release:<name>"),
    body: Some(Body {
        media: Body::JSON,
        schema: Some("AdoptRequest"),
        // The rows of an earlier answer about 10,000 worker types are 4 MB.
        limit: BodyLimit { setting: "max_adoption_bytes", default: 8 << 20 },
        description: "Which worker types, and whether they are moved or only planned.",
    }),
    answers: &[Answer::json(200, "AdoptReport", "The plan, or what became of each")],
    problems: &[Problem::InvalidRequest, Problem::UnknownRelease, Problem::WithdrawnRelease, Problem::StoreUnavailable],
    ..Operation::BLANK
};

/// The fields of the request, as their names are spelt.
const FIELDS: &[&str] = &["where", "apply", "rollBack", "allowBreaking", "generations", "message"];

/// Which worker types.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Where {
    provisioner_id: Option<String>,
    tag: Option<String>,
    worker_types: BTreeSet<WorkerTypeId>,
    from: Vec<ReleaseId>,
}

/// A row of an earlier answer, of which no more is looked at than this.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    worker_type_id: WorkerTypeId,
    generation_after: Option<Generation>,
    revision_before: Option<RevisionNumber>,
    #[serde(default)]
    from: Vec<ReleaseId>,
}

impl Row {
    /// How the adoption left it; none where it did not touch it.
    fn left(self) -> Option<(WorkerTypeId, Left)> {
        let (generation, before) = (self.generation_after?, self.revision_before?);
        Some((self.worker_type_id, Left { generation, before, from: self.from }))
    }
}

pub(super) async fn post(
    acting: Acting,
    Id(release): Id<ReleaseId>,
    body: JsonBody,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let (request, message) = read(body, release)?;
    let adopted = state.registry.adopt(request.clone(), acting.because(message)).await.map_err(refusal::write)?;
    let report = AdoptReport::of(&request, adopted);
    Ok(if request.apply { answer::written(&state, StatusCode::OK).json(report) } else { answer::json(&report) })
}

fn read(body: JsonBody, release: ReleaseId) -> Result<(Adopt, Option<String>), Refusal> {
    let mut fields = body.fields(FIELDS)?;
    let mut take = |name: &str| fields.remove(name).filter(|value| !value.is_null());
    let back: Option<Vec<Row>> =
        typed(take("rollBack"), "/rollBack", "the rows workerTypes of the answer of an adoption")?;
    let back = back.map(|rows| rows.into_iter().filter_map(Row::left).collect());
    if back.is_some() && ["where", "generations", "allowBreaking"].into_iter().any(|name| take(name).is_some()) {
        let rule = "names its worker types itself, and refuses none; leave where, generations and allowBreaking out";
        return Err(invalid("/rollBack", rule));
    }
    let chosen: Where = typed(take("where"), "/where", "an object with provisionerId, tag, workerTypes and from")?;
    let flag = |value, name: &str| typed::<bool>(value, &format!("/{name}"), "true or false");
    let apply = flag(take("apply"), "apply")?;
    let allow_breaking = flag(take("allowBreaking"), "allowBreaking")?;
    let generations: Option<BTreeMap<WorkerTypeId, Generation>> =
        typed(take("generations"), "/generations", "an object of generations by worker type")?;
    let message = match take("message") {
        None => None,
        Some(Value::String(text)) if text.chars().count() <= 1_000 && !text.chars().any(char::is_control) => Some(text),
        Some(_) => return Err(invalid("/message", "must be one line of at most 1000 characters")),
    };
    if allow_breaking && message.as_ref().is_none_or(|message| message.trim().is_empty()) {
        return Err(invalid("/message", "must say why tasks may be broken, where /allowBreaking is true"));
    }
    let Where { provisioner_id, tag, worker_types, from } = chosen;
    let which = Which { provisioner_id, tag, worker_types, from };
    Ok((Adopt { release, which, back, apply, generations, allow_breaking }, message))
}

fn typed<T: DeserializeOwned + Default>(value: Option<Value>, pointer: &str, wanted: &str) -> Result<T, Refusal> {
    let Some(value) = value else { return Ok(T::default()) };
    serde_json::from_value(value).map_err(|error| invalid(pointer, &format!("must be {wanted}: {error}")))
}

fn invalid(pointer: &str, rule: &str) -> Refusal {
    let message = format!("{pointer} {rule}");
    Refusal::new(Problem::InvalidRequest, message.clone()).errors([Item::new("invalid-value", pointer, message)])
}
