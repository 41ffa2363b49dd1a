//! The releases of an implementation.

use super::scopes;
use crate::answer::{self, PREFIX};
use crate::precondition::Acting;
use crate::refusal;
use crate::shapes::{ReleaseList, UsedByList};
use crate::state::State;
use actix_web::http::{StatusCode, header};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use service::{
    Access, Answer, Authorised, Body, BodyLimit, Id, JsonBody, Kind, Operation, Parameter, PathId, Query, QueryFields,
    QueryValues, Refusal, Verb,
};
use worker_types::{Problem, ReleaseId};

const PATH: &str = "/implementations/{name}/releases/{version}";

pub(super) static LIST: Operation = Operation {
    id: "listReleases",
    path: "/implementations/{name}/releases",
    summary: "The releases of an implementation, oldest first",
    tag: "releases",
    access: scopes::GET_RELEASE,
    answers: &[Answer::json(200, "ReleaseList", "All of them")],
    problems: &[Problem::UnknownImplementation],
    ..Operation::BLANK
};

pub(super) static GET: Operation = Operation {
    id: "getRelease",
    path: PATH,
    summary: "One release",
    tag: "releases",
    access: scopes::GET_RELEASE,
    answers: &[Answer::json(200, "Release", "It"), Answer::empty(304, "The client has it")],
    problems: &[Problem::UnknownRelease],
    ..Operation::BLANK
};

pub(super) static PUT: Operation = Operation {
    id: "publishRelease",
    method: Verb::Put,
    path: PATH,
    summary: "Publish a release; the same content again is answered with what is there",
    tag: "releases",
    access: Access::Scope("worker-manager:publish-release:<name>"),
    query: ReleaseQuery::FIELDS,
    body: Some(Body {
        media: Body::JSON,
        schema: Some("ReleaseContent"),
        // The gate's limit is on the canonical form (4 MiB); white space may come on top of it.
        limit: BodyLimit { setting: "max_release_body_bytes", default: (4 << 20) + (1 << 20) },
        description: "The release.",
    }),
    answers: &[
        Answer::json(200, "Release", "It was there already; or, with dryRun, what would come of it"),
        Answer::json(201, "Release", "It came into being"),
    ],
    problems: &[Problem::ReleaseExists, Problem::InvalidRelease, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(super) static USED_BY: Operation = Operation {
    id: "listReleaseUsers",
    path: "/implementations/{name}/releases/{version}/used-by",
    summary: "The live worker types whose definition names the release",
    tag: "releases",
    access: scopes::GET_RELEASE,
    answers: &[Answer::json(200, "UsedByList", "All of them")],
    problems: &[Problem::UnknownRelease],
    ..Operation::BLANK
};

pub(super) struct ReleaseQuery {
    message: Option<String>,
    dry_run: bool,
}

impl QueryFields for ReleaseQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::optional("message", Kind::Line(1_000), "Why, for the history"),
        Parameter::optional("dryRun", Kind::Flag, "Run every stage and store nothing"),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { message: values.owned("message"), dry_run: values.flag("dryRun") })
    }
}

/// The name of an implementation.
pub(super) struct ImplementationName(String);

impl PathId for ImplementationName {
    fn read(parameter: &dyn Fn(&str) -> Result<String, Refusal>) -> Result<Self, Refusal> {
        let name = parameter("name")?;
        if ReleaseId::valid_implementation(&name) {
            return Ok(Self(name));
        }
        let shown: String = name.chars().take(100).collect();
        let rule = "it must match ^[a-z0-9]([-_.a-z0-9]{0,62}[a-z0-9])?$, as in generic-worker";
        Err(Refusal::new(Problem::InvalidId, format!("{shown:?} is not the name of an implementation: {rule}")))
    }
}

pub(super) async fn list(
    _: Authorised,
    Id(ImplementationName(name)): Id<ImplementationName>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let releases = state.registry.releases_of(&name).map_err(refusal::read)?;
    Ok(answer::json(&ReleaseList::of(name, &releases)))
}

pub(super) async fn get(
    _: Authorised,
    Id(id): Id<ReleaseId>,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let release = state.registry.release(&id).map_err(refusal::read)?;
    Ok(answer::live(&state, &request, &release.document, "application/json"))
}

pub(super) async fn put(
    acting: Acting,
    Id(id): Id<ReleaseId>,
    Query(query): Query<ReleaseQuery>,
    JsonBody(content): JsonBody,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let context = acting.because(query.message);
    let published = state.registry.publish_release(id.clone(), content, query.dry_run, context).await;
    let (release, created) = published.map_err(refusal::write)?;
    let created = created && !query.dry_run;
    let mut response = answer::uncached(if created { StatusCode::CREATED } else { StatusCode::OK });
    if created {
        let location = format!("{PREFIX}/implementations/{}/releases/{}", id.implementation(), id.version());
        response.insert_header((header::LOCATION, location));
    }
    Ok(response.content_type("application/json").body(release.document.identity.bytes))
}

pub(super) async fn used_by(_: Authorised, Id(id): Id<ReleaseId>, state: Data<State>) -> Result<HttpResponse, Refusal> {
    let users = state.registry.used_by(&id).map_err(refusal::read)?;
    Ok(answer::json(&UsedByList::of(&id, users)))
}
