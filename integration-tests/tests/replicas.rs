//! Replicas on one PostgreSQL database: that they know of one another, and reads that follow a write to another of them.

use integration_tests::database::PostgresDatabase;
use integration_tests::http::{self, Answer};
use integration_tests::proxy::{Mood, Proxy};
use integration_tests::server::{Server, scratch};
use integration_tests::wait::{wait_for, wait_until};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const CURSOR: &str = "x-registry-cursor";
const PATH: &str = "/worker-types/replicas/one";

fn start(url: &str) -> Server {
    Server::start(&["serve", "--listen", "127.0.0.1:0", "--database-url", url], scratch())
}

/// A replica, and another one whose database can be taken away.
struct Given {
    near: Server,
    far: Server,
    proxy: Proxy,
    _database: PostgresDatabase,
}

fn two_replicas() -> Option<Given> {
    let database = PostgresDatabase::new()?;
    let proxy = Proxy::before(database.address());
    let far = start(&database.url_by(proxy.url.trim_start_matches("http://")));
    Some(Given { near: start(&database.url()), far, proxy, _database: database })
}

impl Given {
    /// Publishes on the one, and answers the cursor.
    fn publish(&self, description: &str) -> String {
        let answer = self.near.publish("replicas/one", &json!({"description": description}));
        assert!(answer.status < 300, "{}", answer.text());
        let cursor = answer.header(CURSOR).to_owned();
        assert!(!cursor.is_empty());
        cursor
    }

    /// Reads on the other.
    fn read_after(&self, cursor: &str) -> Answer {
        http::send(http::request("GET", &self.far.api(PATH)).header(CURSOR, cursor))
    }
}

fn description(answer: &Answer) -> Value {
    answer.json()["definition"]["description"].clone()
}

#[test]
fn given_a_write_to_one_replica_then_a_read_of_another_with_its_cursor_sees_it() {
    let Some(given) = two_replicas() else { return };
    for number in 0..20 {
        let written = format!("revision {number}");
        let cursor = given.publish(&written);
        assert_eq!(description(&given.read_after(&cursor).expect(200)), json!(written));
    }
}

#[test]
fn given_a_replica_that_cannot_hear_then_a_read_with_a_cursor_is_refused_in_bounded_time_until_it_can() {
    let Some(given) = two_replicas() else { return };
    let seen = given.publish("seen");
    given.read_after(&seen).expect(200);
    for mood in [Mood::Refuse, Mood::BlackHole] {
        given.proxy.set(mood);
        let unseen = given.publish(&format!("written while the other had {mood:?}"));
        let asked = Instant::now();
        let behind = given.read_after(&unseen).expect(503);
        assert!(asked.elapsed() < Duration::from_secs(20), "{mood:?}: {:?}", asked.elapsed());
        assert_eq!(behind.json()["problem"], "behind", "{}", behind.text());
        assert!(behind.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
        // What was applied before is read on, with a cursor and without.
        assert_eq!(
            description(&given.read_after(&seen).expect(200)),
            description(&http::get(&given.far.api(PATH)).expect(200))
        );
        wait_until("the age to be told", || !http::get(&given.far.api(PATH)).header("x-registry-age").is_empty());
        given.proxy.set(Mood::Forward);
        let caught_up =
            wait_for("the other to catch up", || Some(given.read_after(&unseen)).filter(|read| read.status == 200));
        assert_eq!(description(&caught_up), json!(format!("written while the other had {mood:?}")));
    }
}

fn status(server: &Server) -> Value {
    http::get(&server.api("/status")).expect(200).json()
}

fn seen(status: &Value) -> BTreeSet<String> {
    let names = status["replicas"].as_array().unwrap().iter();
    names.map(|replica| replica["name"].as_str().unwrap().rsplit(':').next().unwrap().to_owned()).collect()
}

#[test]
fn given_two_replicas_then_each_shows_both_and_says_when_its_database_is_away() {
    let Some(given) = two_replicas() else { return };
    let port = |server: &Server| server.url.rsplit(':').next().unwrap().to_owned();
    let both: BTreeSet<String> = [port(&given.near), port(&given.far)].into();
    for server in [&given.near, &given.far] {
        wait_until("both to be seen", || seen(&status(server)) == both);
        let answering: Vec<Value> = status(server)["replicas"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|replica| replica["thisServer"] == true)
            .cloned()
            .collect();
        assert_eq!(answering.len(), 1);
        assert!(answering[0]["name"].as_str().unwrap().ends_with(&port(server)), "{answering:?}");
    }
    for mood in [Mood::Refuse, Mood::BlackHole] {
        given.proxy.set(mood);
        let away = wait_for("the outage to be told", || {
            let asked = Instant::now();
            let found = status(&given.far);
            assert!(asked.elapsed() < Duration::from_secs(10), "{mood:?}: {:?}", asked.elapsed());
            (found["database"]["reachable"] == false).then_some(found)
        });
        assert_eq!(seen(&away), both, "those that were there before");
        assert_eq!(status(&given.near)["database"]["reachable"], true);
        given.proxy.set(Mood::Forward);
        wait_until("the database to be back", || status(&given.far)["database"]["reachable"] == true);
    }
}
