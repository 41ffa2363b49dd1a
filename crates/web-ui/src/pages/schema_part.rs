//! One place of a payload schema: what was too deep or too much for the page of a worker type or of a release.

use super::{GET, GET_RELEASE, PAGE, parts};
use crate::frame::{self, Page, Place};
use crate::reference::Reference;
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::{self, Data};
use maud::html;
use service::{Authorised, Id, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_manager::refusal;
use worker_types::{Dialect, Problem, ReleaseId, RevisionNumber, WorkerTypeId, WrittenSchema};

pub(super) static OF_RELEASE: Operation = Operation {
    id: "pageReleaseSchemaPart",
    path: "/implementations/{name}/{version}/schema",
    summary: "One place of a release's payload schema",
    tag: "pages",
    access: GET_RELEASE,
    query: PartQuery::FIELDS,
    answers: PAGE,
    problems: &[Problem::UnknownRoute, Problem::UnknownRelease, Problem::UnknownImplementation],
    ..Operation::BLANK
};

pub(super) static ROW: Operation = Operation {
    id: "pageSchemaPart",
    path: "/worker-types/{provisionerId}/{workerType}/schema",
    summary: "One place of a payload schema",
    tag: "pages",
    access: GET,
    query: PartQuery::FIELDS,
    answers: PAGE,
    problems: &[
        Problem::UnknownRoute,
        Problem::UnknownWorkerType,
        Problem::Deleted,
        Problem::UnknownRevision,
        Problem::StoreUnavailable,
    ],
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
    let variant = view.resolved.variants.iter().find(|variant| variant.contract.name == query.variant);
    let variant = variant.ok_or_else(|| missing(format!("{id} has no variant {:?}", query.variant)))?;
    let schema = variant.contract.payload_schema.as_ref();
    let (schema, dialect) = schema
        .and_then(|reference| Some((view.resolved.schemas.get(&reference.hash)?.clone(), reference.dialect)))
        .ok_or_else(|| missing(format!("the variant {} has no payload schema", query.variant)))?;
    let whole = format!("/worker-types/{id}");
    let above = vec![("/".to_owned(), "Worker types".to_owned()), (whole, id.to_string())];
    answer(state, Part { schema, dialect, above, place: Place::WorkerTypes, query }).await
}

pub(super) async fn of_release(
    _: Authorised,
    Id(id): Id<ReleaseId>,
    Query(query): Query<PartQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let live = state.registry.release(&id).map_err(refusal::read)?;
    let variant = live.release.variants.iter().find(|variant| variant.name == query.variant);
    let variant = variant.ok_or_else(|| missing(format!("{id} has no variant {:?}", query.variant)))?;
    let schema = variant.contract.payload_schema.clone();
    let schema = schema.ok_or_else(|| missing(format!("the variant {} has no payload schema", query.variant)))?;
    let dialect = variant.contract.dialect.unwrap_or(Dialect::Draft07);
    let (name, version) = (id.implementation(), id.version());
    let above = vec![
        ("/implementations".to_owned(), "Implementations".to_owned()),
        (format!("/implementations/{name}"), name.to_owned()),
        (format!("/implementations/{name}/{version}"), version.to_owned()),
    ];
    answer(state, Part { schema, dialect, above, place: Place::Implementations, query }).await
}

/// What is shown, and whose it is.
struct Part {
    schema: WrittenSchema,
    dialect: Dialect,
    /// The pages above it, the whole last: URL and name.
    above: Vec<(String, String)>,
    place: Place,
    query: PartQuery,
}

async fn answer(state: Data<State>, part: Part) -> Result<HttpResponse, Refusal> {
    let (whole, name) = part.above.last().cloned().unwrap_or_default();
    let (title, place) = (format!("{} of {name}", part.query.path), part.place);
    let content = web::block(move || {
        let query = &part.query;
        let pin = query.revision.map(|revision| format!("&revision={revision}")).unwrap_or_default();
        let elsewhere = format!("{whole}/schema?variant={}{pin}&at=", query.variant);
        let reference = Reference::new(&part.schema, part.dialect, "", elsewhere);
        let above: Vec<(&str, &str)> = part.above.iter().map(|(url, name)| (url.as_str(), name.as_str())).collect();
        reference.has(&query.at).then(|| {
            html! {
                (parts::crumbs(&above))
                h1 { code { (query.path) } }
                @if query.skip > 0 { p.quiet { "From property " (query.skip + 1) " on" } }
                div.reference data-filter="Filter properties" { (reference.render(&query.at, &query.path, query.skip)) }
            }
        })
    });
    let content = content.await.map_err(Refusal::internal)?;
    let content = content.ok_or_else(|| missing("nothing stands at this place of the schema".to_owned()))?;
    Ok(frame::answer(&state, &Page { title: &title, place, islands: &[], content }))
}

fn missing(what: String) -> Refusal {
    Refusal::new(Problem::UnknownRoute, what)
}
