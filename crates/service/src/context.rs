//! What is known of a request from its first byte on: its id and who sent it.

use crate::Refusal;
use crate::endpoint::Endpoint;
use actix_web::http::header::{HeaderMap, HeaderValue};
use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload};
use std::cell::OnceCell;
use std::future::{Ready, ready};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fmt, sync::LazyLock};
use uuid::Uuid;
use worker_types::Caller;

/// The header that carries the id, both ways.
pub(crate) const HEADER: &str = "x-request-id";

/// Names a request in the answer, in the log and in the audit trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

static START: LazyLock<u64> = LazyLock::new(|| Uuid::new_v4().as_u64_pair().0);
static COUNT: AtomicU64 = AtomicU64::new(0);

impl RequestId {
    /// The id that the request brings, if it is one that can be written anywhere, else a new one.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        match headers.get(HEADER) {
            Some(given) if is_sane(given.as_bytes()) => Self(given.clone()),
            _ => Self::new(),
        }
    }

    /// Unique among the servers of one database (64 random bits per process) and cheap (no call of the system).
    fn new() -> Self {
        // An odd constant: distinct counts stay distinct, and the ids of neighbours do not look alike.
        let number = START.wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut text = [0_u8; 16];
        for (place, digit) in text.iter_mut().rev().enumerate() {
            *digit = b"0123456789abcdef"[(number >> (place * 4)) as usize & 15];
        }
        Self(HeaderValue::from_bytes(&text).unwrap_or_else(|_| HeaderValue::from_static("0")))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    pub(crate) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}

fn is_sane(text: &[u8]) -> bool {
    let sane = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
    (1..=100).contains(&text.len()) && text.iter().all(sane)
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromRequest for RequestId {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Context::of(request).map(|context| context.id.clone()))
    }
}

/// Kept with the request.
pub(crate) struct Context {
    pub(crate) id: RequestId,
    pub(crate) caller: Caller,
    /// Set when a route takes the request.
    pub(crate) endpoint: OnceCell<Rc<Endpoint>>,
}

impl Context {
    pub(crate) fn new(id: RequestId, caller: Caller) -> Rc<Self> {
        Rc::new(Self { id, caller, endpoint: OnceCell::new() })
    }

    /// The context that the edge has put there.
    pub(crate) fn of(request: &HttpRequest) -> Result<Rc<Self>, Refusal> {
        let context = request.extensions().get::<Rc<Self>>().cloned();
        context.ok_or_else(|| Refusal::internal("a request came in past the edge"))
    }
}

#[cfg(test)]
mod tests {
    use super::RequestId;
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
    use std::collections::BTreeSet;

    fn given(id: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(HeaderName::from_static("x-request-id"), HeaderValue::from_str(id).unwrap());
        RequestId::of(&headers).to_string()
    }

    #[test]
    fn a_sane_id_is_kept_and_any_other_is_replaced() {
        assert_eq!(given("build-7.1:a_b"), "build-7.1:a_b");
        assert_ne!(given("a b"), "a b");
        assert_ne!(given(""), "");
        assert_ne!(given(&"a".repeat(101)), "a".repeat(101));
    }

    #[test]
    fn ids_differ() {
        let ids: BTreeSet<String> = (0..10_000).map(|_| RequestId::new().to_string()).collect();
        assert_eq!(ids.len(), 10_000);
        assert!(ids.iter().all(|id| id.len() == 16));
    }
}
