//! The payload schema that editors use.

use super::scopes;
use crate::answer::{self, Freshness, document_response};
use crate::dialect_query::{DIALECT, target};
use crate::refusal;
use crate::state::State;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use payload_schema::Target;
use registry::{Document, ReadError, Reading, Wanted};
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
        let alone = variant.is_some() || live.validation.revisions.len() == 1;
        let written = written(&live.reading, variant, &id)?.filter(|_| query.target.is_none() && alone);
        if let Some(written) = written {
            return Ok(answer::live(&state, &request, written, MEDIA));
        }
        let wanted = derived(live.validation.clone(), variant, query.target);
        let document = registry.derived(wanted).await.map_err(refusal::read)?;
        return Ok(answer::live(&state, &request, &document, MEDIA));
    };
    let reading = registry.reading(&id, revision).await.map_err(refusal::read)?;
    if let Some(written) = written(&reading, variant, &id)?.filter(|_| query.target.is_none()) {
        return Ok(document_response(&request, written, MEDIA, Freshness::Immutable));
    }
    let bundle = registry.revision_bundle(&id, revision).await.map_err(refusal::read)?;
    let document = registry.derived(derived(bundle, variant, query.target)).await.map_err(refusal::read)?;
    // Another version of this program may write it otherwise.
    Ok(document_response(&request, &document, MEDIA, Freshness::Live))
}

/// The schema as its author wrote it: of the named variant; without a name, of all variants if they have the same.
fn written<'r>(
    reading: &'r Reading,
    variant: Option<&str>,
    id: &WorkerTypeId,
) -> Result<Option<&'r Document>, Refusal> {
    let schemas = &reading.payload_schemas;
    let Some(name) = variant else {
        let mut all = schemas.values();
        let first = all.next();
        return Ok(first.filter(|first| all.all(|other| other.identity.bytes == first.identity.bytes)));
    };
    schemas.get(name).map(Some).ok_or_else(|| {
        let variants = schemas.keys().cloned().collect();
        refusal::read(ReadError::WhichVariant { id: id.clone(), variants })
    })
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
