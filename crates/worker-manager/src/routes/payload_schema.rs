//! The payload schema that editors use.

use super::scopes;
use crate::answer::{self, Freshness, document_response};
use crate::refusal;
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use registry::{Document, ReadError, Reading};
use service::{Answer, Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_types::{Problem, RevisionNumber, WorkerTypeId};

const MEDIA: &str = "application/schema+json";

pub(super) static ROW: Operation = Operation {
    id: "getPayloadSchema",
    path: "/worker-types/{provisionerId}/{workerType}/payload-schema",
    summary: "The payload schema of a variant, as its author wrote it; {\"type\": \"object\"} where there is none",
    tag: "reading",
    access: scopes::GET,
    query: SchemaQuery::FIELDS,
    answers: &[Answer::of(200, MEDIA, "The schema"), Answer::empty(304, "The client has it")],
    problems: &[Problem::UnknownWorkerType, Problem::Deleted, Problem::UnknownRevision, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(super) struct SchemaQuery {
    revision: Option<RevisionNumber>,
    variant: Option<String>,
}

impl QueryFields for SchemaQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::optional("revision", Kind::Integer(1, u32::MAX as u64), "Of this revision instead of what is live"),
        Parameter::optional("variant", Kind::Text, "Which variant, where their schemas differ"),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { revision: values.parsed("revision")?, variant: values.owned("variant") })
    }
}

pub(super) async fn get(
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<SchemaQuery>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let Some(revision) = query.revision else {
        let live = state.registry.live(&id).map_err(refusal::read)?;
        let schema = choose(&live.reading, query.variant.as_deref(), &id)?;
        return Ok(answer::live(&state, &request, schema, MEDIA));
    };
    let reading = state.registry.reading(&id, revision).await.map_err(refusal::read)?;
    let schema = choose(&reading, query.variant.as_deref(), &id)?;
    Ok(document_response(&request, schema, MEDIA, Freshness::Immutable))
}

/// The schema of the named variant; without a name, that of all variants if they have the same.
fn choose<'r>(reading: &'r Reading, variant: Option<&str>, id: &WorkerTypeId) -> Result<&'r Document, Refusal> {
    let schemas = &reading.payload_schemas;
    let chosen = match variant {
        Some(name) => schemas.get(name),
        None => {
            let mut all = schemas.values();
            let first = all.next();
            first.filter(|first| all.all(|other| other.identity.bytes == first.identity.bytes))
        }
    };
    chosen.ok_or_else(|| {
        let variants = schemas.keys().cloned().collect();
        refusal::read(ReadError::WhichVariant { id: id.clone(), variants })
    })
}
