//! The releases of an implementation.

use super::scopes;
use crate::after_a_write;
use crate::answer::{self, PREFIX};
use crate::precondition::Acting;
use crate::refusal;
use crate::shapes::{ReleaseList, UsedByList};
use crate::state::State;
use actix_web::http::header::{HeaderMap, IF_MATCH};
use actix_web::http::{StatusCode, header};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use registry::MarkPrecondition;
use serde_json::Value;
use service::{
    Access, Answer, Authorised, Body, BodyLimit, EntityTags, Id, JsonBody, Kind, Operation, Parameter, PathId, Query,
    QueryFields, QueryValues, Refusal, Verb,
};
use worker_types::{Item, Problem, ReleaseId, ReleaseState};

const PATH: &str = "/implementations/{name}/releases/{version}";

pub(super) static LIST: Operation = Operation {
    id: "listReleases",
    path: "/implementations/{name}/releases",
    summary: "The releases of an implementation, oldest first",
    tag: "releases",
    access: scopes::GET_RELEASE,
    waits: super::AFTER_A_WRITE,
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
    waits: super::AFTER_A_WRITE,
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
    headers: HEADERS,
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
    problems: &[
        Problem::InvalidHeader,
        Problem::PreconditionFailed,
        Problem::ReleaseExists,
        Problem::InvalidRelease,
        Problem::StoreUnavailable,
    ],
    ..Operation::BLANK
};

pub(super) static USED_BY: Operation = Operation {
    id: "listReleaseUsers",
    path: "/implementations/{name}/releases/{version}/used-by",
    summary: "The live worker types whose definition names the release",
    tag: "releases",
    access: scopes::GET_RELEASE,
    waits: super::AFTER_A_WRITE,
    query: UsedByQuery::FIELDS,
    answers: &[Answer::json(200, "UsedByList", "A page, in the order of their ids")],
    problems: &[Problem::UnknownRelease, Problem::InvalidContinuation],
    ..Operation::BLANK
};

pub(super) static MARK: Operation = Operation {
    id: "markRelease",
    method: Verb::Put,
    path: "/implementations/{name}/releases/{version}/mark",
    summary: "Deprecate or withdraw a release, or take that back. What uses it goes on; a withdrawn one gets no new users",
    tag: "releases",
    access: Access::Scope("worker-manager:publish-release:<name>"),
    body: Some(Body {
        media: Body::JSON,
        schema: Some("MarkRequest"),
        limit: BodyLimit { setting: "max_request_bytes", default: 64 << 10 },
        description: "Where the release stands, why, and what to use instead.",
    }),
    headers: &[
        Parameter::optional(
            "If-Match",
            Kind::Text,
            "The state that is changed: the release's ETag, or * for whatever is there",
        ),
        Parameter::optional("If-None-Match", Kind::Text, "* to mark only a release of which nothing is said"),
    ],
    answers: &[Answer::json(200, "Release", "The release with its mark; it may have been there already")],
    problems: &[
        Problem::InvalidRequest,
        Problem::InvalidHeader,
        Problem::PreconditionRequired,
        Problem::PreconditionFailed,
        Problem::UnknownRelease,
        Problem::StoreUnavailable,
    ],
    ..Operation::BLANK
};

pub(super) struct UsedByQuery {
    limit: Option<usize>,
    continuation: Option<String>,
}

impl QueryFields for UsedByQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::optional("limit", Kind::Integer(1, 1_000), "Entries on a page (1000)"),
        Parameter::optional("continuationToken", Kind::Text, "From the page before"),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { limit: values.parsed("limit")?, continuation: values.owned("continuationToken") })
    }
}

/// Other than for worker types, none need be given.
const HEADERS: &[Parameter] = &[
    Parameter::optional("If-Match", Kind::Text, "The release is there: its ETag, or *"),
    Parameter::optional("If-None-Match", Kind::Text, "* to publish only what is not there; as without it"),
];

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
    Ok(answer::live(&request, &release.document, "application/json"))
}

pub(super) async fn put(
    acting: Acting,
    Id(id): Id<ReleaseId>,
    Query(query): Query<ReleaseQuery>,
    JsonBody(content): JsonBody,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    precondition(&state, &id, request.headers())?;
    let context = acting.because(query.message);
    let published = state.registry.publish_release(id.clone(), content, query.dry_run, context).await;
    let (release, created) = published.map_err(refusal::write)?;
    let created = created && !query.dry_run;
    let status = if created { StatusCode::CREATED } else { StatusCode::OK };
    let mut response = if query.dry_run { answer::uncached(status) } else { answer::written(&state, status) };
    if created {
        let location = format!("{PREFIX}/implementations/{}/releases/{}", id.implementation(), id.version());
        response.insert_header((header::LOCATION, location));
    }
    Ok(response.content_type("application/json").body(release.document.identity.bytes))
}

/// A release never changes, so that only two states can be meant: it is not there (`If-None-Match: *`, which is what a
/// publish does anyway: another content under the same version is refused), or it is there (`If-Match`).
fn precondition(state: &State, id: &ReleaseId, headers: &HeaderMap) -> Result<(), Refusal> {
    if let Some(EntityTags::List(_)) = EntityTags::read(headers, header::IF_NONE_MATCH)? {
        return Err(Refusal::new(Problem::InvalidHeader, "with a write, If-None-Match can only be *"));
    }
    let Some(tags) = EntityTags::read(headers, IF_MATCH)? else { return Ok(()) };
    let there = state.registry.release(id).ok();
    let etag = there.as_ref().map(|release| release.document.identity.etag.trim_matches('"').to_owned());
    let holds = match (&tags, &etag) {
        (_, None) => false,
        (EntityTags::Any, Some(_)) => true,
        (EntityTags::List(tags), Some(etag)) => {
            tags.iter().any(|(weak, tag)| !weak && tag.strip_suffix("+gzip").unwrap_or(tag) == etag)
        }
    };
    if holds {
        return Ok(());
    }
    let detail = match etag {
        Some(etag) => format!("the release {id} is there as \"{etag}\"; the request means another state of it"),
        None => format!("the release {id} is not there; leave If-Match out to publish it"),
    };
    Err(Refusal::new(Problem::PreconditionFailed, detail))
}

pub(super) async fn mark(
    acting: Acting,
    Id(id): Id<ReleaseId>,
    body: JsonBody,
    state: Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, Refusal> {
    let precondition = mark_precondition(request.headers())?;
    let mut fields = body.fields(&["state", "reason", "replacedBy"])?;
    let mut text = |name: &str| match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.len() <= 1_000 && !text.chars().any(char::is_control) => Ok(Some(text)),
        Some(_) => Err(invalid(&format!("/{name}"), "must be one line of at most 1000 bytes")),
    };
    let (given, reason, replaced_by) = (text("state")?, text("reason")?, text("replacedBy")?);
    let given = given.ok_or_else(|| invalid("/state", "must be active, deprecated or withdrawn"))?;
    let marked: ReleaseState = given.parse().map_err(|error| invalid("/state", &format!("{error}")))?;
    let replaced_by = replaced_by.map(|text| text.parse::<ReleaseId>()).transpose();
    let replaced_by = replaced_by.map_err(|error| invalid("/replacedBy", &error.to_string()))?;
    if let Some(other) = &replaced_by {
        check_replacement(&state, &id, other)?;
    }
    let context = acting.because(reason);
    let marked = state.registry.mark_release(id, marked, replaced_by, precondition, context).await;
    let release = marked.map_err(refusal::write)?;
    let mut response = answer::written(&state, StatusCode::OK);
    response.insert_header((header::ETAG, release.document.identity.etag));
    Ok(response.content_type("application/json").body(release.document.identity.bytes))
}

/// Whoever follows the advice must arrive somewhere.
fn check_replacement(state: &State, id: &ReleaseId, other: &ReleaseId) -> Result<(), Refusal> {
    if other == id {
        return Err(invalid("/replacedBy", "must be another release"));
    }
    let live = state
        .registry
        .release(other)
        .map_err(|error| invalid("/replacedBy", &format!("must be a release: {error}")))?;
    match &live.record.mark {
        Some(mark) if mark.state == ReleaseState::Withdrawn => {
            Err(invalid("/replacedBy", &format!("must be a release that one can use; {other} is withdrawn")))
        }
        _ => Ok(()),
    }
}

/// Other than a release, its mark changes, so that its writer says which state is meant.
fn mark_precondition(headers: &HeaderMap) -> Result<Option<MarkPrecondition>, Refusal> {
    let refuse = |detail: &str| Err(Refusal::new(Problem::InvalidHeader, detail));
    match (EntityTags::read(headers, IF_MATCH)?, EntityTags::read(headers, header::IF_NONE_MATCH)?) {
        (None, None) => Ok(None),
        (None, Some(EntityTags::Any)) => Ok(Some(MarkPrecondition::Unmarked)),
        (Some(EntityTags::Any), None) => Ok(Some(MarkPrecondition::Any)),
        (Some(EntityTags::List(tags)), None) => {
            let strong = tags.into_iter().filter(|(weak, _)| !weak);
            let plain = |(_, tag): (bool, String)| tag.strip_suffix("+gzip").map_or(tag.clone(), str::to_owned);
            Ok(Some(MarkPrecondition::Tags(strong.map(plain).collect())))
        }
        (Some(_), Some(_)) => refuse("If-Match and If-None-Match contradict each other; send one of them"),
        (None, Some(EntityTags::List(_))) => refuse("with a write, If-None-Match can only be *"),
    }
}

fn invalid(pointer: &str, rule: &str) -> Refusal {
    let message = format!("{pointer} {rule}");
    Refusal::new(Problem::InvalidRequest, message.clone()).errors([Item::new("invalid-value", pointer, message)])
}

pub(super) async fn used_by(
    _: Authorised,
    Id(id): Id<ReleaseId>,
    Query(query): Query<UsedByQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let limit = query.limit.unwrap_or(1_000);
    after_a_write::continued(&state, query.continuation.as_deref()).await?;
    let page = state.registry.used_by(&id, limit, query.continuation.as_deref()).map_err(refusal::read)?;
    Ok(answer::json(&UsedByList::of(&id, page)))
}
