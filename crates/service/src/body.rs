//! Bodies, read with a limit and in the expected media type.

mod json;
mod lines;

pub use json::JsonBody;
pub use lines::{Line, Lines, NdjsonBody};

use crate::context::Context;
use crate::endpoint::Endpoint;
use crate::{Body, Refusal};
use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use std::rc::Rc;
use worker_types::Problem;

/// The row of the body that the request's operation reads, once its media type is found to be right.
fn expected(request: &HttpRequest) -> Result<(Rc<Endpoint>, Body), Refusal> {
    let context = Context::of(request)?;
    let endpoint = context.endpoint.get().cloned().ok_or_else(|| Refusal::internal("no route took the request"))?;
    let body = endpoint.operation.body.ok_or_else(|| {
        Refusal::internal(format!("the operation {} reads a body that its row does not name", endpoint.operation.id))
    })?;
    check_media_type(request, &body)?;
    Ok((endpoint, body))
}

fn check_media_type(request: &HttpRequest, body: &Body) -> Result<(), Refusal> {
    let wanted = body.media.first().copied().unwrap_or_default();
    let given = request.headers().get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
    let essence = given.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if !body.media.iter().any(|media| essence.eq_ignore_ascii_case(media)) {
        let shown: String = essence.chars().take(100).collect();
        let has = if given.is_none() { "the request names none".to_owned() } else { format!("not {shown:?}") };
        let detail = format!("the content type must be {wanted}; {has}. Send Content-Type: {wanted}");
        return Err(Refusal::new(Problem::WrongContentType, detail));
    }
    let coding = request.headers().get(header::CONTENT_ENCODING).map(|value| value.as_bytes());
    if coding.is_some_and(|coding| !coding.eq_ignore_ascii_case(b"identity")) {
        return Err(Refusal::new(Problem::WrongContentType, "bodies must come without Content-Encoding"));
    }
    Ok(())
}

/// Reads a whole body of at most `limit` bytes. `setting` is what the refusal of a larger one names.
///
/// # Errors
/// The body is larger, or it ends before its announced length.
pub async fn read_limited(
    payload: &mut Payload,
    announced: Option<usize>,
    limit: usize,
    setting: &str,
) -> Result<Bytes, Refusal> {
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large(limit, setting));
    }
    let mut body = BytesMut::with_capacity(announced.unwrap_or(0).min(1 << 16));
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|error| broken_off(&error))?;
        if body.len() + chunk.len() > limit {
            return Err(too_large(limit, setting));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// How long the request says its body is.
pub fn announced_length(request: &HttpRequest) -> Option<usize> {
    request.headers().get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(limit: usize, setting: &str) -> Refusal {
    let detail = format!("the body is larger than {limit} bytes, the limit that the setting {setting} holds");
    Refusal::new(Problem::TooLarge, detail).member("limit", limit).member("setting", setting)
}

pub(crate) fn broken_off(error: &PayloadError) -> Refusal {
    Refusal::new(Problem::MalformedJson, format!("the body could not be read to its end: {error}"))
}
