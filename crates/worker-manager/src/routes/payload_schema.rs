//! The payload schema that editors use.

use super::scopes;
use crate::answer::{self, Freshness, document_response};
use crate::dialect_query::{DIALECT, target};
use crate::refusal;
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use payload_schema::Target;
use registry::Wanted;
use service::{Answer, Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use std::sync::Arc;
use worker_types::{Bundle, Problem, RevisionNumber, WorkerTypeId};

pub(super) const MEDIA: &str = "application/schema+json";

pub(super) static ROW: Operation = Operation {
    id: "getPayloadSchema",
    path: "/worker-types/{provisionerId}/{workerType}/payload-schema",
    summary: "The payload schema: as its author wrote it where one schema decides alone, else, or where a dialect is \
              named, one document that says what all live variants and constraints accept together",
    tag: "reading",
    access: scopes::GET,
    waits: super::AFTER_A_WRITE,
    query: SchemaQuery::FIELDS,
    answers: &[Answer::of(200, MEDIA, "The schema"), Answer::empty(304, "The client has it")],
    problems: &[
        Problem::UnknownWorkerType,
        Problem::Deleted,
        Problem::UnknownRevision,
        Problem::NotAcceptable,
        Problem::StoreUnavailable,
    ],
    ..Operation::BLANK
};

pub(super) struct SchemaQuery {
    revision: Option<RevisionNumber>,
    variant: Option<String>,
    target: Option<Target>,
}

impl QueryFields for SchemaQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::optional("revision", Kind::Integer(1, u32::MAX as u64), "Of this revision instead of what is live"),
        Parameter::optional("variant", Kind::Text, "Of this variant alone"),
        DIALECT,
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { revision: values.parsed("revision")?, variant: values.owned("variant"), target: target(values) })
    }
}

pub(super) async fn get(
    _: Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<SchemaQuery>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let registry = &state.registry;
    let variant = query.variant.as_deref();
    let Some(revision) = query.revision else {
        let live = registry.live(&id).map_err(refusal::read)?;
        let written = registry.payload_schema(&live, variant).await.map_err(refusal::read)?;
        let document = match written.filter(|_| query.target.is_none()) {
            Some(written) => written,
            None => {
                let wanted = derived(live.validation.clone(), variant, query.target);
                registry.derived(wanted).await.map_err(refusal::read)?
            }
        };
        return Ok(answer::live(&request, &document, MEDIA));
    };
    let reading = registry.reading(&id, revision).await.map_err(refusal::read)?;
    let written = reading.payload_schema(variant).map_err(refusal::read)?;
    if let Some(written) = written.filter(|_| query.target.is_none()) {
        return Ok(document_response(&request, &written, MEDIA, Freshness::Immutable));
    }
    let document = registry.derived(derived(reading.bundle, variant, query.target)).await.map_err(refusal::read)?;
    // Another version of this program may write it otherwise.
    Ok(document_response(&request, &document, MEDIA, Freshness::Live))
}

/// The document for the whole bundle, or for the one variant.
fn derived(bundle: Arc<Bundle>, variant: Option<&str>, target: Option<Target>) -> Wanted {
    let bundle = match variant {
        None => bundle,
        Some(name) => {
            let mut alone = Bundle::clone(&bundle);
            for revision in &mut alone.revisions {
                revision.variants.retain(|variant| variant.name == name);
            }
            alone.revisions.retain(|revision| !revision.variants.is_empty());
            Arc::new(alone)
        }
    };
    Wanted::payload(bundle, target.unwrap_or(Target::Draft202012))
}
