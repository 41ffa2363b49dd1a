//! The problem document (RFC 9457), with the members that Taskcluster's clients know beside its own.

use crate::context::Context;
use crate::ids::percent_decode;
use crate::{ErrorPage, Refusal, Refused};
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::{Map, Value};
use worker_types::{Item, Object};

/// The media type of a problem document.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: &'a str,
    instance: &'a str,
    problem: &'static str,
    /// Taskcluster's.
    code: &'static str,
    /// Taskcluster's: the detail, and the lines that its services append to it.
    message: String,
    /// Taskcluster's.
    request_info: RequestInfo<'a>,
    errors: &'a [Item],
    #[serde(skip_serializing_if = "<[Item]>::is_empty")]
    warnings: &'a [Item],
    #[serde(flatten)]
    members: &'a Object,
    request_id: &'a str,
}

#[derive(Serialize)]
struct RequestInfo<'a> {
    method: &'a str,
    params: Map<String, Value>,
    payload: Option<()>,
    time: &'a str,
}

/// What a page says of a refused request. The log is told here, as with a problem document.
pub(crate) fn refused<'a>(refusal: &'a Refusal, context: &'a Context, request: &'a HttpRequest) -> Refused<'a> {
    let parts = refusal.parts();
    Refused {
        status: parts.problem.status(),
        problem: parts.problem.name(),
        title: parts.problem.title(),
        detail: &parts.detail,
        suggestion: parts.members.get("suggestion").and_then(Value::as_str),
        path: request.path(),
        request_id: context.id.as_str(),
    }
}

/// The answer to a refused request with a page instead of a problem document.
pub(crate) fn page(refusal: &Refusal, context: &Context, page: ErrorPage) -> HttpResponse {
    tell_log(refusal, context);
    let mut response = HttpResponse::build(refusal.status_code());
    for header in page.headers {
        response.insert_header(header);
    }
    response.insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-store")));
    for (name, value) in &refusal.parts().headers {
        response.insert_header((name.clone(), value.clone()));
    }
    response.body(page.html)
}

fn tell_log(refusal: &Refusal, context: &Context) {
    let parts = refusal.parts();
    let operation = context.endpoint.get().map_or("", |endpoint| endpoint.operation.id);
    if let Some(cause) = &parts.internal {
        tracing::error!(request.id = context.id.as_str(), operation, problem = parts.problem.name(), cause, "refused");
    }
}

/// The answer to a refused request. `root_url` is where `/problems/…` stands; none for a relative reference.
pub(crate) fn response(
    refusal: &Refusal,
    context: &Context,
    request: &HttpRequest,
    root_url: Option<&str>,
) -> HttpResponse {
    let parts = refusal.parts();
    let operation = context.endpoint.get().map_or("", |endpoint| endpoint.operation.id);
    tell_log(refusal, context);
    let time = format!("{:.3}", jiff::Timestamp::now());
    let document = Document {
        r#type: format!("{}/problems/{}", root_url.unwrap_or_default(), parts.problem.name()),
        title: parts.problem.title(),
        status: parts.problem.status(),
        detail: &parts.detail,
        instance: request.uri().path(),
        problem: parts.problem.name(),
        code: parts.problem.code(),
        message: message(refusal, operation, &time),
        request_info: RequestInfo { method: operation, params: parameters(request), payload: None, time: &time },
        errors: &parts.errors,
        warnings: &parts.warnings,
        members: &parts.members,
        request_id: context.id.as_str(),
    };
    let body = serde_json::to_vec(&document).unwrap_or_else(|_| b"{}".to_vec());
    let mut response = HttpResponse::build(refusal.status_code());
    response.insert_header((header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE)));
    response.insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-store")));
    for (name, value) in &parts.headers {
        response.insert_header((name.clone(), value.clone()));
    }
    response.body(body)
}

fn message(refusal: &Refusal, operation: &str, time: &str) -> String {
    let parts = refusal.parts();
    let (code, status) = (parts.problem.code(), parts.problem.status());
    format!(
        "{}\n\n---\n\n* method:     {operation}\n* errorCode:  {code}\n* statusCode: {status}\n* time:       {time}",
        parts.detail
    )
}

fn parameters(request: &HttpRequest) -> Map<String, Value> {
    let decoded = |value: &str| Value::String(percent_decode(value).unwrap_or_else(|| value.to_owned()));
    request.match_info().iter().map(|(name, value)| (name.to_owned(), decoded(value))).collect()
}
