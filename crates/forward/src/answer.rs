//! An answer on its way back: as it came, with the body that its status has, and fenced in, since it is read at this
//! server's origin.

use crate::headers;
use crate::streams::until_stopped;
use actix_web::body::{None as NoBody, SizedStream};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, HttpResponseBuilder};
use reqwest::Response;
use service::Shutdown;

/// The answer to a request with the method HEAD, or another.
pub(crate) fn passed_on(answer: Response, is_head: bool, shutdown: Option<Shutdown>) -> HttpResponse {
    let mut response = head(&answer);
    fence(&mut response, &answer);
    let length = text(&answer, "content-length").and_then(|length| length.parse().ok());
    if is_head || never_has_a_body(answer.status()) {
        return without_body(response, answer.status(), length);
    }
    let endless = text(&answer, "content-type").is_some_and(|media| media.starts_with("text/event-stream"));
    match length {
        Some(length) => response.body(SizedStream::new(length, answer.bytes_stream())),
        None if endless => response.streaming(until_stopped(answer.bytes_stream(), shutdown)),
        None => response.streaming(answer.bytes_stream()),
    }
}

/// Status and headers of an answer.
pub(crate) fn head(answer: &Response) -> HttpResponseBuilder {
    let status = StatusCode::from_u16(answer.status().as_u16()).unwrap_or(StatusCode::BAD_GATEWAY);
    let mut response = HttpResponse::build(status);
    for (name, value) in headers::answer(answer.headers()) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_bytes(&value)) {
            response.append_header((name, value));
        }
    }
    response
}

/// Whatever its length says, which then is that of another answer (RFC 9110 §8.6).
fn never_has_a_body(status: reqwest::StatusCode) -> bool {
    status.is_informational() || matches!(status, reqwest::StatusCode::NO_CONTENT | reqwest::StatusCode::NOT_MODIFIED)
}

fn without_body(mut response: HttpResponseBuilder, status: reqwest::StatusCode, length: Option<u64>) -> HttpResponse {
    match length {
        // A length that is only said: actix-web writes it as a header for 304, and as that of the body otherwise.
        Some(length) if never_has_a_body(status) => {
            response.insert_header((header::CONTENT_LENGTH, length)).body(NoBody::new())
        }
        Some(length) => {
            response.body(SizedStream::new(length, futures_util::stream::empty::<Result<_, std::io::Error>>()))
        }
        None => response.body(NoBody::new()),
    }
}

/// What others store behind a route (logs, artifacts) must not run as a page of ours, unless its server says how far.
fn fence(response: &mut HttpResponseBuilder, answer: &Response) {
    if !answer.headers().contains_key("x-content-type-options") {
        response.insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"));
    }
    let mut media_types = answer.headers().get_all("content-type").iter();
    if media_types.any(|media| runs_scripts(&String::from_utf8_lossy(media.as_bytes())))
        && !answer.headers().contains_key("content-security-policy")
    {
        response.insert_header((header::CONTENT_SECURITY_POLICY, "sandbox"));
    }
}

/// Whether browsers show this media type as a document that may hold scripts: HTML, XML in any dress (SVG is one), and
/// parts that may be either. Of several types one header may name, browsers take the last that they know.
fn runs_scripts(media_types: &str) -> bool {
    media_types.split(',').any(|media_type| {
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        matches!(essence.as_str(), "text/html" | "text/xml" | "application/xml" | "multipart/x-mixed-replace")
            || essence.ends_with("+xml")
    })
}

fn text<'a>(answer: &'a Response, name: &str) -> Option<&'a str> {
    answer.headers().get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::runs_scripts;

    #[test]
    fn html_and_xml_are_documents_and_data_is_not() {
        for media in [
            "text/html",
            "Text/HTML; charset=utf-8",
            "application/xhtml+xml",
            "image/svg+xml",
            "text/xml;a=b",
            "a/b, text/html",
        ] {
            assert!(runs_scripts(media), "{media}");
        }
        for media in ["text/plain", "application/json", "image/png", "text/event-stream", ""] {
            assert!(!runs_scripts(media), "{media}");
        }
    }
}
