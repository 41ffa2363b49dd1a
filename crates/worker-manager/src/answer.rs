//! Puts documents on the wire: the coding that the client takes, its ETag, and 304 where it has it already.

use crate::state::State;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use registry::{Document, Published};
use serde::Serialize;
use service::{Encoding, Remark, encoding, if_none_match};
use std::rc::Rc;
use worker_types::WorkerTypeId;

/// Where a resource of this service stands.
pub(crate) const PREFIX: &str = "/api/worker-manager/v1";

/// Names a place in the change feed: of a write in its answer, and with a read what it must have seen.
pub(crate) const CURSOR: &str = "x-registry-cursor";

/// For how long the database has not answered, in seconds, where an answer goes by what was live before.
pub const AGE: &str = "x-registry-age";

/// How long the answer may be used without asking again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// Never: what is live may change at any time.
    Live,
    /// For ever, by everybody.
    Immutable,
    /// For ever, by the one who asked: it shows what not everybody may see.
    ImmutableForCaller,
}

impl Freshness {
    fn cache_control(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Live => "no-cache",
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::ImmutableForCaller => "private, max-age=31536000, immutable",
        })
    }
}

/// Says how old what reads show may be, while the database is away.
pub(crate) fn remark(state: Data<State>) -> Remark {
    Rc::new(move |headers| tell_age(&state, headers))
}

/// As [`remark`], where an answer is of no row that waits.
pub(crate) fn tell_age(state: &State, headers: &mut HeaderMap) {
    if let Some(age) = state.registry.stale_for() {
        headers.insert(HeaderName::from_static(AGE), HeaderValue::from(age.as_secs()));
    }
}

/// Answers with a document about what is live.
pub(crate) fn live(request: &HttpRequest, document: &Document, media: &'static str) -> HttpResponse {
    document_response(request, document, media, Freshness::Live)
}

/// Answers with a document.
pub(crate) fn document_response(
    request: &HttpRequest,
    document: &Document,
    media: &'static str,
    freshness: Freshness,
) -> HttpResponse {
    let gzip = matches!(encoding(request.headers()), Encoding::Gzip).then(|| document.gzip()).flatten();
    let (representation, compressed) = gzip.map_or((&document.identity, false), |gzip| (gzip, true));
    let unchanged = if_none_match(request.headers(), &representation.etag);
    let mut response = HttpResponse::build(if unchanged { StatusCode::NOT_MODIFIED } else { StatusCode::OK });
    if let Ok(etag) = HeaderValue::from_str(&representation.etag) {
        response.insert_header((header::ETAG, etag));
    }
    response.insert_header((header::CACHE_CONTROL, freshness.cache_control()));
    response.insert_header((header::VARY, HeaderValue::from_static("Accept-Encoding, Accept, Authorization")));
    if unchanged {
        return response.finish();
    }
    response.insert_header((header::CONTENT_TYPE, HeaderValue::from_static(media)));
    if compressed {
        response.insert_header((header::CONTENT_ENCODING, HeaderValue::from_static("gzip")));
    }
    response.body(representation.bytes.clone())
}

/// Answers with a value as JSON that is made for this request.
pub(crate) fn json(body: &impl Serialize) -> HttpResponse {
    uncached(StatusCode::OK).json(body)
}

/// Begins an answer that nobody keeps.
pub(crate) fn uncached(status: StatusCode) -> HttpResponseBuilder {
    let mut response = HttpResponse::build(status);
    response.insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-store")));
    response
}

/// Begins the answer to a write: a read that brings its cursor sees what was written, on any server.
pub(crate) fn written(state: &State, status: StatusCode) -> HttpResponseBuilder {
    let mut response = uncached(status);
    response.insert_header((HeaderName::from_static(CURSOR), state.registry.written().to_string()));
    response
}

/// Answers a write of a worker type.
pub(crate) fn published(state: &State, id: &WorkerTypeId, published: Published, dry_run: bool) -> HttpResponse {
    let created = published.outcome == registry::Outcome::Created && !dry_run;
    let status = if created { StatusCode::CREATED } else { StatusCode::OK };
    let mut response = if dry_run { uncached(status) } else { written(state, status) };
    response.content_type("application/json");
    if !dry_run {
        response.insert_header((header::ETAG, format!("\"g{}\"", published.generation)));
    }
    if created {
        response.insert_header((header::LOCATION, format!("{PREFIX}/worker-types/{id}")));
    }
    response.body(published.body)
}
