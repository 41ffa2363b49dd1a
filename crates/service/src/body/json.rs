//! A body of one JSON value, read strictly.

use super::{announced_length, expected, read_limited};
use crate::Refusal;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use worker_types::{Item, JsonLimits, Object, Problem, closest, parse_json};

/// A JSON value: `Content-Type: application/json`, no key twice, no U+0000, bounded in bytes and in depth.
#[derive(Clone, Debug)]
pub struct JsonBody(pub Value);

impl FromRequest for JsonBody {
    type Error = Refusal;
    type Future = LocalBoxFuture<'static, Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let expected = expected(request);
        let announced = announced_length(request);
        let mut payload = payload.take();
        Box::pin(async move {
            let (endpoint, body) = expected?;
            let bytes = read_limited(&mut payload, announced, endpoint.limit(&body.limit), body.limit.setting).await?;
            Ok(Self(parse_json(&bytes, JsonLimits::default())?))
        })
    }
}

impl JsonBody {
    /// The body as an object that has no other fields than `known`.
    ///
    /// # Errors
    /// It is another JSON type, or a field is unknown; all of them are named.
    pub fn fields(self, known: &[&str]) -> Result<Object, Refusal> {
        let Value::Object(object) = self.0 else {
            let detail = format!("the body must be an object with the fields {}", known.join(", "));
            return Err(Refusal::new(Problem::InvalidRequest, detail.clone()).errors([Item::new(
                "wrong-type",
                "",
                detail,
            )]));
        };
        let unknown: Vec<Item> = object
            .keys()
            .filter(|name| !known.contains(&name.as_str()))
            .map(|name| {
                let meant = closest(name, known.iter().copied());
                let hint = meant.map(|meant| format!("; did you mean {meant:?}?")).unwrap_or_default();
                let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
                let message = format!("there is no field {name:?} here{hint} (it has {})", known.join(", "));
                Item::new("unknown-field", pointer, message).suggest(meant)
            })
            .collect();
        match unknown.first() {
            None => Ok(object),
            Some(first) => Err(Refusal::new(Problem::InvalidRequest, first.message.clone()).errors(unknown)),
        }
    }
}
