//! One place of a payload schema: what was too deep or too much for the worker type's page.

use super::{GET, PAGE, parts};
use crate::frame::{self, Page, Place};
use crate::reference::Reference;
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::{self, Data};
use maud::html;
use service::{Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_manager::refusal;
use worker_types::{Problem, RevisionNumber, WorkerTypeId};

pub(super) static ROW: Operation = Operation {
    id: "pageSchemaPart",
    path: "/worker-types/{provisionerId}/{workerType}/schema",
    summary: "One place of a payload schema",
    tag: "pages",
    access: GET,
    query: PartQuery::FIELDS,
    answers: PAGE,
    problems: &[Problem::UnknownWorkerType, Problem::Deleted, Problem::UnknownRevision, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(super) struct PartQuery {
    variant: String,
    at: String,
    path: String,
    skip: usize,
    revision: Option<RevisionNumber>,
}

impl QueryFields for PartQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::required("variant", Kind::Text, "Whose payload schema"),
        Parameter::required("at", Kind::Text, "JSON Pointer into the schema"),
        Parameter::optional("path", Kind::Text, "What the place is called"),
        Parameter::optional("skip", Kind::Integer(0, 1_000_000), "Properties that were shown before"),
        Parameter::optional("revision", Kind::Integer(1, u32::MAX as u64), "Of this revision instead of what is live"),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self {
            variant: values.owned("variant").unwrap_or_default(),
            at: values.owned("at").unwrap_or_default(),
            path: values.owned("path").unwrap_or_else(|| "payload".to_owned()),
            skip: values.parsed("skip")?.unwrap_or(0),
            revision: values.parsed("revision")?,
        })
    }
}

pub(super) async fn get(
    Authorised(caller): Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<PartQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let view = state.registry.view(&caller, &id, query.revision).await.map_err(refusal::read)?;
    let missing = |what: String| Refusal::new(Problem::InvalidQuery, what);
    let variant = view.resolved.variants.iter().find(|variant| variant.contract.name == query.variant);
    let variant = variant.ok_or_else(|| missing(format!("{id} has no variant {:?}", query.variant)))?;
    let schema = variant.contract.payload_schema.as_ref();
    let (schema, dialect) = schema
        .and_then(|reference| Some((view.resolved.schemas.get(&reference.hash)?.clone(), reference.dialect)))
        .ok_or_else(|| missing(format!("the variant {} has no payload schema", query.variant)))?;
    let title = format!("{} of {id}", query.path);
    let content = web::block(move || {
        let pin = query.revision.map(|revision| format!("&revision={revision}")).unwrap_or_default();
        let elsewhere = format!("/worker-types/{id}/schema?variant={}{pin}&at=", query.variant);
        let reference = Reference::new(&schema, dialect, "", elsewhere);
        reference.has(&query.at).then(|| {
            let whole = format!("/worker-types/{id}");
            html! {
                (parts::crumbs(&[("/", "Worker types"), (&whole, id.as_str())]))
                h1 { code { (query.path) } }
                @if query.skip > 0 { p.quiet { "From property " (query.skip + 1) " on" } }
                div.reference data-filter="Filter properties" { (reference.render(&query.at, &query.path, query.skip)) }
            }
        })
    });
    let content = content.await.map_err(Refusal::internal)?;
    let content = content.ok_or_else(|| missing("nothing stands at this place of the schema".to_owned()))?;
    Ok(frame::answer(&state.assets, &Page { title: &title, place: Place::WorkerTypes, islands: &[], content }))
}
