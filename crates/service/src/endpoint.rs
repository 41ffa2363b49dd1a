//! An operation with its handler: every call is authorised and its query checked before the handler's arguments are
//! read.

use crate::access::authorise;
use crate::context::Context;
use crate::metrics::Meter;
use crate::query::QueryValues;
use crate::{BodyLimit, Condition, Operation, Remark};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse, fn_service};
use actix_web::http::header::HeaderName;
use actix_web::{Error, FromRequest, Handler, HttpRequest, HttpResponse, Responder, Route, guard, web};
use std::collections::BTreeMap;
use std::rc::Rc;
use tracing::Instrument;

/// An operation as one worker serves it.
pub(crate) struct Endpoint {
    pub(crate) operation: &'static Operation,
    pub(crate) service: &'static str,
    pub(crate) meter: Meter,
    pub(crate) limits: Rc<BTreeMap<&'static str, usize>>,
    /// What may be waited for, and the header that asks for it.
    pub(crate) condition: Option<(HeaderName, Condition)>,
    /// What is said of its answers.
    pub(crate) remark: Option<Remark>,
}

impl Endpoint {
    /// The limit that holds here.
    pub(crate) fn limit(&self, limit: &BodyLimit) -> usize {
        self.limits.get(limit.setting).copied().unwrap_or(limit.default)
    }
}

/// The route that serves an operation by `handler`.
pub(crate) fn route<H, A>(endpoint: Rc<Endpoint>, handler: H) -> Route
where
    H: Handler<A>,
    A: FromRequest + 'static,
    H::Output: Responder + 'static,
{
    let route = match endpoint.operation.method {
        crate::Verb::Get => web::route().guard(guard::Any(guard::Get()).or(guard::Head())),
        crate::Verb::Put => web::put(),
        crate::Verb::Post => web::post(),
        crate::Verb::Delete => web::delete(),
    };
    route.service(fn_service(move |request: ServiceRequest| {
        let (endpoint, handler) = (endpoint.clone(), handler.clone());
        async move {
            let (request, mut payload) = request.into_parts();
            let mut response = match serve(&endpoint, &handler, &request, &mut payload).await {
                Ok(response) => response,
                Err(error) => HttpResponse::from_error(error),
            };
            if let Some(remark) = endpoint.remark.as_ref().filter(|_| response.status().as_u16() < 400) {
                remark(response.headers_mut());
            }
            Ok::<_, Error>(ServiceResponse::new(request, response))
        }
    }))
}

async fn serve<H, A>(
    endpoint: &Rc<Endpoint>,
    handler: &H,
    request: &HttpRequest,
    payload: &mut Payload,
) -> Result<HttpResponse, Error>
where
    H: Handler<A>,
    A: FromRequest + 'static,
    H::Output: Responder + 'static,
{
    let context = Context::of(request)?;
    let operation = endpoint.operation;
    // A request meets one route only.
    let _ = context.endpoint.set(endpoint.clone());
    authorise(operation, &context.caller, request)?;
    if !request.query_string().is_empty() || operation.query.iter().any(|field| field.required) {
        QueryValues::parse(request.query_string(), operation.query)?;
    }
    if let Some((name, condition)) = &endpoint.condition
        && let Some(value) = request.headers().get(name)
    {
        condition(value).await?;
    }
    if operation.method.is_safe() {
        return call(handler, request, payload).await;
    }
    // A span costs more than a whole read; a write can bear it.
    let span = tracing::info_span!(
        "request",
        operation = operation.id,
        request.id = context.id.as_str(),
        caller = context.caller.name()
    );
    Box::pin(call(handler, request, payload).instrument(span)).await
}

async fn call<H, A>(handler: &H, request: &HttpRequest, payload: &mut Payload) -> Result<HttpResponse, Error>
where
    H: Handler<A>,
    A: FromRequest + 'static,
    H::Output: Responder + 'static,
{
    let arguments = A::from_request(request, payload).await.map_err(Into::into)?;
    Ok(handler.call(arguments).await.respond_to(request).map_into_boxed_body())
}
