//! One route at work: a request goes out, its answer comes back.

use crate::headers::{self, Asked};
use crate::streams::outgoing;
use crate::{Route, answer, websocket};
use actix_web::http::{ConnectionType, Method, header};
use actix_web::web::Payload;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use reqwest::{Client, Response, StatusCode};
use service::{Forward, Forwarding, OwnOrigin, Refusal, RequestId, Shutdown};
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
    /// For requests that may end a connection's HTTP: none of its connections serves a second one.
    upgrading: Client,
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
        let builder =
            || Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().connect_timeout(CONNECT);
        let client = builder().pool_idle_timeout(IDLE).build()?;
        let upgrading = builder().pool_max_idle_per_host(0).build()?;
        let name = format!("wm-{}", &Uuid::new_v4().simple().to_string()[..12]);
        Ok(Self { route, client, upgrading, name, patience: ANSWER })
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
                own_page: request.app_data::<OwnOrigin>().is_some_and(|own| own.sent(request.head())),
                target: &self.route.target().origin().ascii_serialization(),
                request_id: id.as_str(),
                name: &self.name,
            },
        );
        Ok(out)
    }

    async fn forward(&self, request: HttpRequest, payload: Payload) -> Result<HttpResponse, Refusal> {
        if request.method() == Method::CONNECT {
            let detail = "CONNECT asks for a tunnel, and none leads through this server";
            let methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
            return Err(Refusal::new(Problem::MethodNotAllowed, detail).header(header::ALLOW, methods));
        }
        let upgrades = websocket::asked_for(request.head())?;
        let mut out = self.prepare(&request)?;
        let shutdown = request.app_data::<Shutdown>().cloned();
        if upgrades {
            return self.upgrade(out, payload, shutdown).await;
        }
        let mut handing = None;
        if headers::has_body(request.headers()) {
            let (body, task) = outgoing(payload);
            *out.body_mut() = Some(body);
            handing = Some(task);
        }
        let answer = self.send(&self.client, out, handing).await?;
        if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
            return Err(self.unreachable("it switches protocols unasked"));
        }
        Ok(answer::passed_on(answer, request.method() == Method::HEAD, shutdown))
    }

    async fn upgrade(
        &self,
        mut out: reqwest::Request,
        payload: Payload,
        shutdown: Option<Shutdown>,
    ) -> Result<HttpResponse, Refusal> {
        // A length without its body would make the next server wait for one.
        out.headers_mut().remove("content-length");
        for (name, value) in [("connection", "upgrade"), ("upgrade", "websocket")] {
            out.headers_mut().insert(name, reqwest::header::HeaderValue::from_static(value));
        }
        let answer = self.send(&self.upgrading, out, None).await?;
        if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
            let mut response = answer::passed_on(answer, false, shutdown);
            // What the client sends next is meant for a websocket, and is no request.
            response.head_mut().set_connection_type(ConnectionType::Close);
            return Ok(response);
        }
        let mut response = answer::head(&answer);
        let connection = answer.upgrade().await.map_err(|error| self.unreachable(&with_sources(&error)))?;
        Ok(response.upgrade("websocket").streaming(websocket::joined(connection, payload, shutdown)))
    }

    /// The head of the answer. The clock runs once the whole request is handed on: an upload takes what it takes.
    async fn send(
        &self,
        client: &Client,
        out: reqwest::Request,
        handing: Option<JoinHandle<()>>,
    ) -> Result<Response, Refusal> {
        let late = async {
            if let Some(handing) = handing {
                // A task that panicked hands nothing on, and the body ends.
                let _ = handing.await;
            }
            tokio::time::sleep(self.patience).await;
        };
        tokio::select! {
            answered = client.execute(out) => answered.map_err(|error| {
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

fn with_sources(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
