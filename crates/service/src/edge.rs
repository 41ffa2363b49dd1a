//! The edge: every request passes here once on its way in and once on its way out. One function instead of a stack of
//! middleware, because it runs for every read.

use crate::access_log::{AccessLog, Entry};
use crate::context::{Context, HEADER, RequestId};
use crate::metrics::Meter;
use crate::{AccessPolicy, Forward, HttpService, Refusal, best, foreign, forward, problem_body};
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Service, ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{Method, Uri};
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse};
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use worker_types::Caller;

/// What the edge of one worker knows.
pub(crate) struct Edge {
    pub(crate) access: AccessPolicy,
    pub(crate) log: Option<AccessLog>,
    pub(crate) root_url: Option<String>,
    /// Who makes pages for browsers.
    pub(crate) services: Vec<Arc<dyn HttpService>>,
    /// Who answers in our place.
    pub(crate) forwards: Vec<Arc<dyn Forward>>,
    /// For requests that no route took.
    pub(crate) unrouted: Meter,
    /// For requests that others answer.
    pub(crate) forwarded: Meter,
}

/// Takes a request in, has it served, and finishes the answer.
pub(crate) fn handle<S>(
    edge: Rc<Edge>,
    mut request: ServiceRequest,
    service: &S,
) -> impl Future<Output = Result<ServiceResponse, Error>> + use<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    let started = Instant::now();
    let id = RequestId::of(request.headers());
    let forwarded = edge.is_forwarded(request.path());
    // Credentials of a forwarded request are for whoever answers it.
    let admitted =
        if forwarded { edge.access.admit_forwarded(request.head()) } else { edge.access.admit(request.head()) };
    let (caller, refused) = match admitted {
        Ok(caller) => (caller, None),
        Err(refusal) => (Caller::new("unknown", []), Some(refusal)),
    };
    let context = Context::new(id, caller);
    request.extensions_mut().insert(context.clone());
    split_encoded_slashes(&mut request);
    let served = match refused {
        None => Ok(service.call(request)),
        // Not `into_response`: that would forget the error.
        Some(refusal) => Err(ServiceResponse::new(request.into_parts().0, HttpResponse::from_error(refusal))),
    };
    async move {
        let response = match served {
            Ok(serving) => serving.await?,
            Err(response) => response,
        };
        Ok(edge.finish(&context, response, started, forwarded))
    }
}

impl Edge {
    fn is_forwarded(&self, path: &str) -> bool {
        self.forwards.iter().any(|one| forward::is_below(path, one.prefix()))
    }

    fn finish(
        &self,
        context: &Context,
        response: ServiceResponse,
        started: Instant,
        forwarded: bool,
    ) -> ServiceResponse {
        let mut response = self.with_problem(context, response);
        if *response.request().method() == Method::HEAD && response.response().body().size() == BodySize::Stream {
            // An endless stream would be read to its end to be thrown away. It has no length that could be told.
            response = response.map_body(|_, _| BoxBody::new(actix_web::body::None::new()));
        }
        let read = matches!(*response.request().method(), Method::GET | Method::HEAD);
        let headers = response.headers_mut();
        headers.insert(HeaderName::from_static(HEADER), context.id.header());
        if read && !forwarded && !self.access.is_local() {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        }
        let elapsed = started.elapsed();
        let endpoint = context.endpoint.get();
        let unrouted = if forwarded { &self.forwarded } else { &self.unrouted };
        endpoint.map_or(unrouted, |endpoint| &endpoint.meter).record(response.status(), elapsed);
        if let Some(log) = &self.log {
            let bytes = match response.response().body().size() {
                BodySize::Sized(bytes) => Some(bytes),
                BodySize::None => Some(0),
                BodySize::Stream => None,
            };
            log.write(&Entry { request: response.request(), context, status: response.status(), bytes, elapsed });
        }
        response
    }

    /// Puts the problem document into the answer to a refused request.
    fn with_problem(&self, context: &Context, response: ServiceResponse) -> ServiceResponse {
        let Some(error) = response.response().error() else { return response };
        let theirs;
        let refusal = match error.as_error::<Refusal>() {
            Some(refusal) => refusal,
            None => {
                theirs = foreign::refusal(error);
                &theirs
            }
        };
        let problem = match self.error_page(refusal, context, response.request()) {
            Some(page) => page,
            None => problem_body::response(refusal, context, response.request(), self.root_url.as_deref()),
        };
        response.into_response(problem)
    }

    /// The page about a refused request: for a browser that goes to a page. Whoever asks the API gets what the API says.
    fn error_page(&self, refusal: &Refusal, context: &Context, request: &HttpRequest) -> Option<HttpResponse> {
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        let wants_page = best(request.headers(), &[problem_body::MEDIA_TYPE, "text/html"]) == Some("text/html");
        if !reads || !wants_page || request.path().starts_with("/api/") {
            return None;
        }
        let refused = problem_body::refused(refusal, context, request);
        let page = self.services.iter().find_map(|service| service.error_page(&refused))?;
        Some(problem_body::page(refusal, context, page))
    }
}

/// Clients encode an id of two parts as one segment (`proj%2Flinux`); no parameter of ours can hold a slash itself.
fn split_encoded_slashes(request: &mut ServiceRequest) {
    let path = request.uri().path();
    if !path.contains('%') || !(path.contains("%2F") || path.contains("%2f")) {
        return;
    }
    let split = path.replace("%2F", "/").replace("%2f", "/");
    // Routes look at the path that they match; the request keeps the one that was sent.
    if let Ok(uri) = Uri::builder().path_and_query(split).build() {
        request.match_info_mut().get_mut().update(&uri);
    }
}
