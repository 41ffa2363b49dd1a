//! Each call: what it sends, what it makes of the answer, and of what is none.

mod batches;
mod errors;
mod lists;
mod reads;
mod writes;

use crate::fake::{Fake, Request, Step};
use serde_json::{Value, json};
use std::{collections::VecDeque, sync::Arc, sync::Mutex};
use worker_manager_client::Client;
use worker_types::WorkerTypeId;

/// A server that gives these answers, one after the other.
async fn answering(answers: impl IntoIterator<Item = Vec<Step>>) -> (Fake, Client) {
    let answers = Mutex::new(answers.into_iter().collect::<VecDeque<_>>());
    let fake = Fake::start(Arc::new(move |_| answers.lock().unwrap().pop_front().unwrap())).await;
    let client = Client::new(&fake.url()).unwrap();
    (fake, client)
}

/// The only request so far, as one line: method and target.
fn line(fake: &Fake) -> String {
    let [request] = &fake.requests()[..] else { panic!("{:?}", fake.requests()) };
    format!("{} {}", request.method, request.target)
}

fn last(fake: &Fake) -> Request {
    fake.requests().pop().unwrap()
}

fn id() -> WorkerTypeId {
    "p/w".parse().unwrap()
}

fn hash() -> String {
    format!("sha256:{}", "0".repeat(64))
}

/// The answer of PUT and GET.
fn definition_answer(definition: &Value) -> Value {
    json!({"workerTypeId": "p/w", "generation": 9, "revision": 7, "contentHash": hash(),
        "publishedAt": "2027-01-01T00:00:00Z", "publishedBy": "me", "message": "why", "definition": definition,
        "warnings": [{"problem": "not-checked-yet", "pointer": "", "message": "m"}], "new": {"a": 1.5}})
}
