//! One route at work: a request goes out, its answer comes back.

use crate::headers::{self, Asked};
use crate::streams::{outgoing, until_stopped};
use crate::{Route, websocket};
use actix_web::body::SizedStream;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::Payload;
use actix_web::{FromRequest, HttpRequest, HttpResponse, HttpResponseBuilder};
use reqwest::{Client, Response};
use service::{Forward, Forwarding, Refusal, RequestId, Shutdown};
use std::time::Duration;
use tokio::task::JoinHandle;
use uuid::Uuid;
use worker_types::Problem;

/// How long the next server may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// How long it may take from the end of a request to the head of its answer.
const ANSWER: Duration = Duration::from_secs(60);
/// Servers end idle connections, ours after five seconds; a request must not meet that end.
const IDLE: Duration = Duration::from_secs(3);

/// Forwards what is below one prefix.
pub struct Forwarder {
    route: Route,
    client: Client,
    /// In `Via`: a request that comes back would go round for ever.
    name: String,
    patience: Duration,
}

impl Forwarder {
    /// Forwards along `route`.
    ///
    /// # Errors
    /// This machine's certificates cannot be read.
    pub fn new(route: Route) -> Result<Self, reqwest::Error> {
        // Neither redirects nor proxies: what the next server says goes back as it is, and it is asked itself.
        let builder = Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy();
        let client = builder.connect_timeout(CONNECT).pool_idle_timeout(IDLE).build()?;
        let name = format!("wm-{}", &Uuid::new_v4().simple().to_string()[..12]);
        Ok(Self { route, client, name, patience: ANSWER })
    }

    /// With another time for the head of an answer.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    fn prepare(&self, request: &HttpRequest) -> Result<reqwest::Request, Refusal> {
        if headers::came_by(request.headers(), &self.name) {
            return Err(self.unreachable("the route leads back to this server"));
        }
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
        let Some(url) = self.route.url(path) else {
            let detail = format!("the path leads out of {}; nothing else is forwarded", self.route.prefix());
            return Err(Refusal::new(Problem::UnknownRoute, detail));
        };
        let method = request.method().as_str().parse().map_err(Refusal::internal)?;
        let mut out = reqwest::Request::new(method, url);
        let info = request.connection_info();
        let id = RequestId::extract(request).into_inner()?;
        *out.headers_mut() = headers::request(
            request.headers(),
            &Asked {
                peer: request.peer_addr().map(|peer| peer.ip()),
                scheme: if request.app_config().secure() { "https" } else { "http" },
                host: request.headers().get("host").and_then(|host| host.to_str().ok()).unwrap_or_else(|| info.host()),
                target: &self.route.target().origin().ascii_serialization(),
                request_id: id.as_str(),
                name: &self.name,
            },
        );
        Ok(out)
    }

    async fn forward(&self, request: HttpRequest, payload: Payload) -> Result<HttpResponse, Refusal> {
        let mut out = self.prepare(&request)?;
        let shutdown = request.app_data::<Shutdown>().cloned();
        if headers::wants_websocket(request.headers()) {
            return self.upgrade(out, payload, shutdown).await;
        }
        let has_body = ["content-length", "transfer-encoding"].iter().any(|name| request.headers().contains_key(*name));
        let mut handing = None;
        if has_body {
            let (body, task) = outgoing(payload);
            *out.body_mut() = Some(body);
            handing = Some(task);
        }
        let answer = self.send(out, handing).await?;
        Ok(passed_on(answer, request.method().as_str() == "HEAD", shutdown))
    }

    async fn upgrade(
        &self,
        mut out: reqwest::Request,
        payload: Payload,
        shutdown: Option<Shutdown>,
    ) -> Result<HttpResponse, Refusal> {
        for (name, value) in [("connection", "upgrade"), ("upgrade", "websocket")] {
            out.headers_mut().insert(name, reqwest::header::HeaderValue::from_static(value));
        }
        let answer = self.send(out, None).await?;
        let mut response = head(&answer);
        if answer.status() != reqwest::StatusCode::SWITCHING_PROTOCOLS {
            // What the client sends next is meant for a websocket, and is no request.
            response.force_close();
            return Ok(response.streaming(answer.bytes_stream()));
        }
        let connection = answer.upgrade().await.map_err(|error| self.unreachable(&with_sources(&error)))?;
        Ok(response.upgrade("websocket").streaming(websocket::joined(connection, payload, shutdown)))
    }

    /// The head of the answer. The clock runs once the whole request is handed on: an upload takes what it takes.
    async fn send(&self, out: reqwest::Request, handing: Option<JoinHandle<()>>) -> Result<Response, Refusal> {
        let late = async {
            if let Some(handing) = handing {
                // A task that panicked hands nothing on, and the body ends.
                let _ = handing.await;
            }
            tokio::time::sleep(self.patience).await;
        };
        tokio::select! {
            answered = self.client.execute(out) => answered.map_err(|error| {
                if error.is_timeout() { self.late("did not accept a connection", CONNECT) } else { self.unreachable(&with_sources(&error)) }
            }),
            () = late => Err(self.late("did not answer", self.patience)),
        }
    }

    fn unreachable(&self, why: &str) -> Refusal {
        let (prefix, target) = (self.route.prefix(), self.route.target());
        let detail = format!("what is below {prefix} is answered by the server at {target}, which cannot be reached");
        Refusal::new(Problem::UpstreamUnreachable, detail).because(why)
    }

    fn late(&self, what: &str, limit: Duration) -> Refusal {
        let (prefix, target) = (self.route.prefix(), self.route.target());
        let seconds = limit.as_secs_f64();
        let detail =
            format!("what is below {prefix} is answered by the server at {target}, which {what} within {seconds} s");
        Refusal::new(Problem::UpstreamTimeout, detail)
    }
}

impl Forward for Forwarder {
    fn prefix(&self) -> &str {
        self.route.prefix()
    }

    fn answer(self: std::sync::Arc<Self>, request: HttpRequest, payload: Payload) -> Forwarding {
        Box::pin(async move { self.forward(request, payload).await })
    }
}

fn passed_on(answer: Response, is_head: bool, shutdown: Option<Shutdown>) -> HttpResponse {
    let mut response = head(&answer);
    let length = answer.headers().get("content-length").and_then(|length| length.to_str().ok()?.parse().ok());
    let endless =
        answer.headers().get("content-type").is_some_and(|media| media.as_bytes().starts_with(b"text/event-stream"));
    match length {
        Some(length) if is_head => {
            response.body(SizedStream::new(length, futures_util::stream::empty::<Result<_, std::io::Error>>()))
        }
        Some(length) => response.body(SizedStream::new(length, answer.bytes_stream())),
        None if endless => response.streaming(until_stopped(answer.bytes_stream(), shutdown)),
        None => response.streaming(answer.bytes_stream()),
    }
}

/// Status and headers of an answer.
fn head(answer: &Response) -> HttpResponseBuilder {
    let status = StatusCode::from_u16(answer.status().as_u16()).unwrap_or(StatusCode::BAD_GATEWAY);
    let mut response = HttpResponse::build(status);
    for (name, value) in headers::answer(answer.headers()) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_bytes(&value)) {
            response.append_header((name, value));
        }
    }
    response
}

fn with_sources(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
