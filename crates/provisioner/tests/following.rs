//! Reading and following pools, against a worker-manager of a few lines that the test moves.
#![expect(clippy::unwrap_used, reason = "tests say what they expect")]

use actix_web::{App, HttpResponse, HttpServer, web};
use futures_util::stream;
use provisioner::{PoolChange, PoolWatch, read_pools};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::broadcast;
use worker_manager_client::{Client, WatchSettings};

/// A worker type: what is live of it, none where it was deleted.
#[derive(Clone)]
struct State {
    generation: u64,
    live: Option<Option<Value>>,
}

/// Worker types by their ids, and what happens to them.
#[derive(Clone)]
struct Fake {
    pools: Arc<Mutex<BTreeMap<String, State>>>,
    /// What the next reads show: a server that has not heard of the changes since.
    behind: Arc<Mutex<Vec<BTreeMap<String, State>>>>,
    events: broadcast::Sender<String>,
}

impl Fake {
    /// Starts it; answers it and a client of it.
    fn start(pools: &[(&str, Option<Value>)]) -> (Self, Client) {
        let state = |pool: &Option<Value>| State { generation: 1, live: Some(pool.clone()) };
        let pools = pools.iter().map(|(id, pool)| ((*id).to_owned(), state(pool))).collect();
        let fake =
            Self { pools: Arc::new(Mutex::new(pools)), behind: Arc::default(), events: broadcast::channel(100).0 };
        let state = fake.clone();
        let app = move || {
            let scope = web::scope("/api/worker-manager/v1")
                .route("/worker-types", web::get().to(list))
                .route("/worker-types/{p}/{w}", web::get().to(show))
                .route("/events", web::get().to(events));
            App::new().app_data(web::Data::new(state.clone())).service(scope)
        };
        let server = HttpServer::new(app).workers(1).disable_signals().bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", server.addrs()[0]);
        tokio::spawn(server.run());
        (fake, Client::new(&url).unwrap())
    }

    /// Changes a worker type's pool; the worker type goes when there is none to say.
    fn change(&self, id: &str, pool: Option<Option<Value>>) {
        let mut pools = self.pools.lock().unwrap();
        let generation = pools.get(id).map_or(1, |known| known.generation + 1);
        let kind = if pool.is_some() { "worker-type-published" } else { "worker-type-deleted" };
        pools.insert(id.to_owned(), State { generation, live: pool });
        let event =
            json!({"cursor": "next", "kind": kind, "workerTypeId": id, "generation": generation, "revision": 2});
        self.events.send(event.to_string()).unwrap();
    }
}

async fn list(fake: web::Data<Fake>) -> HttpResponse {
    let entry = |id: &String| json!({"workerTypeId": id, "validation": "warn", "generation": 1, "revision": 1});
    let all: Vec<Value> = fake.pools.lock().unwrap().keys().map(entry).collect();
    HttpResponse::Ok().json(json!({"workerTypes": all, "cursor": "first"}))
}

async fn show(fake: web::Data<Fake>, path: web::Path<(String, String)>) -> HttpResponse {
    let id = format!("{}/{}", path.0, path.1);
    let earlier = fake.behind.lock().unwrap().pop();
    let shown = earlier.unwrap_or_else(|| fake.pools.lock().unwrap().clone()).get(&id).cloned();
    let Some(State { generation, live: Some(pool) }) = shown else {
        let (status, problem) = if shown.is_some() { (410, "deleted") } else { (404, "unknown-worker-type") };
        let generation = shown.map(|state| state.generation);
        let body = json!({"type": "/problems/x", "title": "none", "status": status, "problem": problem, "generation": generation});
        let status = actix_web::http::StatusCode::from_u16(status).unwrap();
        return HttpResponse::build(status).content_type("application/problem+json").body(body.to_string());
    };
    let mut definition = json!({"description": "a worker type"});
    if let Some(pool) = pool {
        definition["pool"] = pool;
    }
    let hash = format!("sha256:{}", "0".repeat(64));
    HttpResponse::Ok().json(
        json!({"workerTypeId": id, "generation": generation, "revision": 1, "contentHash": hash, "definition": definition}),
    )
}

async fn events(fake: web::Data<Fake>) -> HttpResponse {
    let stream = stream::unfold(fake.events.subscribe(), |mut events| async {
        let event = events.recv().await.ok()?;
        let text = format!("event: change\ndata: {event}\n\n");
        Some((Ok::<_, actix_web::Error>(bytes::Bytes::from(text)), events))
    });
    HttpResponse::Ok().content_type("text/event-stream").streaming(stream)
}

fn pool(max_capacity: u64) -> Option<Value> {
    Some(json!({"providerId": "aws", "config": {"maxCapacity": max_capacity}}))
}

#[actix_web::test]
async fn pools_are_read_and_those_that_cannot_be_used_are_named() {
    let wrong = Some(json!({"providerId": "aws", "config": {"maxCapacity": -1}}));
    let (_fake, client) = Fake::start(&[("p/a", pool(3)), ("p/b", None), ("p/c", wrong), ("p/d", pool(4))]);
    let list = read_pools(&client).await.unwrap();
    let read: Vec<_> = list.pools.iter().map(|pool| (pool.worker_type_id.as_str(), pool.config.max_capacity)).collect();
    assert_eq!(read, [("p/a", Some(3)), ("p/d", Some(4))]);
    assert_eq!(
        list.faulty[0].to_string(),
        "the pool of p/c cannot be used: /pool/config/maxCapacity must be an integer from 0"
    );
}

#[actix_web::test]
async fn changes_of_pools_are_followed() {
    let (fake, client) = Fake::start(&[("p/a", pool(3))]);
    let settings = WatchSettings { first_pause: Duration::from_millis(10), ..WatchSettings::default() };
    let mut watch = PoolWatch::new(client, settings);
    let PoolChange::Listed(list) = watch.next().await else { panic!() };
    assert_eq!(list.pools.len(), 1);
    assert_eq!(watch.next().await, PoolChange::Connected);

    fake.change("p/a", Some(pool(5)));
    let PoolChange::Changed(changed) = watch.next().await else { panic!() };
    assert_eq!((changed.worker_type_id.as_str(), changed.config.max_capacity), ("p/a", Some(5)));

    fake.change("p/b", Some(Some(json!({"providerId": "aws", "config": {"maxCapacity": true}}))));
    let PoolChange::Faulty(error) = watch.next().await else { panic!() };
    assert_eq!(error.worker_type_id.as_str(), "p/b");

    fake.change("p/b", Some(None));
    assert_eq!(watch.next().await, PoolChange::Gone("p/b".parse().unwrap()));
    fake.change("p/a", None);
    assert_eq!(watch.next().await, PoolChange::Gone("p/a".parse().unwrap()));
}

#[actix_web::test]
async fn a_server_that_has_not_heard_of_a_change_is_asked_again() {
    let (fake, client) = Fake::start(&[("p/a", pool(3))]);
    let mut watch = PoolWatch::new(client, WatchSettings::default());
    assert!(matches!(watch.next().await, PoolChange::Listed(_)));
    assert_eq!(watch.next().await, PoolChange::Connected);
    let before = || vec![fake.pools.lock().unwrap().clone(); 2];

    *fake.behind.lock().unwrap() = before();
    fake.change("p/a", Some(pool(5)));
    let PoolChange::Changed(changed) = watch.next().await else { panic!() };
    assert_eq!(changed.config.max_capacity, Some(5));

    *fake.behind.lock().unwrap() = before();
    fake.change("p/new", Some(pool(7)));
    let PoolChange::Changed(changed) = watch.next().await else { panic!() };
    assert_eq!((changed.worker_type_id.as_str(), changed.config.max_capacity), ("p/new", Some(7)));

    *fake.behind.lock().unwrap() = before();
    fake.change("p/a", None);
    assert_eq!(watch.next().await, PoolChange::Gone("p/a".parse().unwrap()));
}
