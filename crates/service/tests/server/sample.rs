//! A service that has one operation of each kind, and a server that carries it.

use actix_web::{HttpResponse, web};
use bytes::Bytes;
use futures_util::stream;
use serde_json::{Value, json};
use service::{
    Access, AccessPolicy, Answer, Api, Authorised, Body, BodyLimit, Check, HttpService, Id, JsonBody, Kind, Operation,
    Parameter, Query, QueryFields, QueryValues, Refusal, RequestId, Running, Settings, Token, Verb, start,
    token_digest,
};
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use worker_types::{Problem, WorkerTypeId};

pub struct Sample {
    pub checks: Mutex<Vec<Check>>,
    /// Who reads what has no end.
    pub readers: Arc<AtomicUsize>,
}

struct ReadQuery {
    words: Option<String>,
}

impl QueryFields for ReadQuery {
    const FIELDS: &'static [Parameter] = &[Parameter::optional("words", Kind::Text, "what to say")];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        Ok(Self { words: values.owned("words") })
    }
}

static READ: Operation = Operation {
    id: "readThing",
    path: "/things/{provisionerId}/{workerType}",
    access: Access::Scope("sample:read:<workerTypeId>"),
    query: ReadQuery::FIELDS,
    answers: &[Answer::of(200, "application/json", "It")],
    ..Operation::BLANK
};

static WRITE: Operation = Operation {
    id: "writeThing",
    method: Verb::Put,
    path: "/things/{provisionerId}/{workerType}",
    access: Access::Scope("sample:write:<workerTypeId>"),
    body: Some(Body {
        media: Body::JSON,
        schema: None,
        limit: BodyLimit { setting: "max_thing_bytes", default: 100 },
        description: "A thing",
    }),
    answers: &[Answer::of(200, "application/json", "It")],
    ..Operation::BLANK
};

static SLOW: Operation = Operation { id: "slow", path: "/slow", ..Operation::BLANK };
static ENDLESS: Operation = Operation { id: "endless", path: "/endless", ..Operation::BLANK };
static BROKEN: Operation = Operation { id: "broken", path: "/broken", ..Operation::BLANK };
static TWICE: Operation = Operation {
    id: "part",
    path: "/things/{provisionerId}/{workerType}/parts/{revision}",
    access: Access::Scope("sample:read:<workerTypeId>"),
    ..Operation::BLANK
};

impl HttpService for Sample {
    fn name(&self) -> &'static str {
        "sample"
    }

    fn operations(&self) -> Vec<&'static Operation> {
        vec![&READ, &WRITE, &SLOW, &ENDLESS, &BROKEN, &TWICE]
    }

    fn routes(&self, api: Api) -> Api {
        api.on(&READ, read).on(&WRITE, write).on(&SLOW, slow).on(&ENDLESS, endless).on(&BROKEN, broken).on(&TWICE, part)
    }

    fn state(&self, config: &mut web::ServiceConfig) {
        config.app_data(web::Data::new("state".to_owned())).app_data(web::Data::from(self.readers.clone()));
    }

    fn checks(&self) -> Vec<Check> {
        self.checks.lock().unwrap().clone()
    }
}

async fn read(
    Authorised(caller): Authorised,
    Id(id): Id<WorkerTypeId>,
    Query(query): Query<ReadQuery>,
    request_id: RequestId,
    state: web::Data<String>,
) -> HttpResponse {
    let words = query.words;
    let (id, request_id) = (id.as_str(), request_id.as_str());
    HttpResponse::Ok()
        .json(json!({"id": id, "caller": caller.name(), "words": words, "request": request_id, "state": *state}))
}

async fn write(_: Authorised, Id(id): Id<WorkerTypeId>, JsonBody(body): JsonBody) -> Result<HttpResponse, Refusal> {
    if body == json!("conflict") {
        return Err(Refusal::new(Problem::PreconditionFailed, "somebody was first").member("generation", 4));
    }
    Ok(HttpResponse::Ok().json(json!({"id": id.as_str(), "body": body})))
}

async fn slow(_: Authorised) -> &'static str {
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    "done"
}

/// Counts a reader for as long as there is one.
struct Reading(web::Data<AtomicUsize>);

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn endless(_: Authorised, readers: web::Data<AtomicUsize>) -> HttpResponse {
    readers.fetch_add(1, Ordering::SeqCst);
    let reading = Reading(readers);
    let zeros = Bytes::from_static(&[0; 64 << 10]);
    HttpResponse::Ok().streaming(stream::repeat_with(move || {
        let _counted = &reading;
        Ok::<_, Infallible>(zeros.clone())
    }))
}

async fn broken(_: Authorised) -> Result<String, Refusal> {
    Err(Refusal::internal("the secret cause"))
}

async fn part(_: Authorised, Id(revision): Id<worker_types::RevisionNumber>) -> String {
    revision.to_string()
}

pub struct Server {
    pub running: Running,
    pub sample: Arc<Sample>,
    pub http: reqwest::Client,
}

impl Server {
    pub async fn local() -> Self {
        Self::with(AccessPolicy::Local).await
    }

    /// `reader` may read everything of `p`, `writer` may do everything; without a token nothing.
    pub async fn with_tokens() -> Self {
        let reader = Token::new("reader", &token_digest("r"), vec!["sample:read:p/*".to_owned()]).unwrap();
        let writer = Token::new("writer", &token_digest("w"), vec!["*".to_owned()]).unwrap();
        Self::with(AccessPolicy::tokens(vec![reader, writer], vec![])).await
    }

    pub async fn with(access: AccessPolicy) -> Self {
        Self::set(Settings { access, ..Settings::local("127.0.0.1:0") }).await
    }

    pub async fn set(settings: Settings) -> Self {
        let sample = Arc::new(Sample { checks: Mutex::default(), readers: Arc::default() });
        let settings = Settings { workers: Some(1), ..settings };
        let running = start(settings, vec![sample.clone()]).await.unwrap();
        Self { running, sample, http: reqwest::Client::builder().no_proxy().build().unwrap() }
    }

    pub fn get(&self, path: &str) -> reqwest::RequestBuilder {
        self.http.get(format!("{}{path}", self.running.url()))
    }

    pub fn put(&self, path: &str, body: impl Into<reqwest::Body>) -> reqwest::RequestBuilder {
        let request = self.http.put(format!("{}{path}", self.running.url()));
        request.header("content-type", "application/json").body(body)
    }
}

/// The status, and the body as JSON.
pub async fn answer(request: reqwest::RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}
