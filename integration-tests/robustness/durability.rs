//! kill -9 under eight writers: what was acknowledged is there, and the history is whole.

use integration_tests::database::{PostgresDatabase, sqlite_url};
use integration_tests::history::History;
use integration_tests::http;
use integration_tests::server::{Server, scratch};
use serde_json::json;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const WRITERS: usize = 8;
const WORKER_TYPES: usize = 50;

/// What a writer was told: `(id, revision, content hash)`.
type Acknowledged = (String, u64, String);

/// Publishes until told to stop, or until the server is gone.
fn write_until(
    server: &Server,
    writer: usize,
    round: usize,
    stop: &AtomicBool,
    acknowledged: &Mutex<Vec<Acknowledged>>,
) {
    for count in 0.. {
        if stop.load(Ordering::SeqCst) {
            return;
        }
        let id = format!("kill/w{}", (writer * 7 + count) % WORKER_TYPES);
        let definition = json!({"description": format!("round {round}, writer {writer}, count {count}")});
        let request =
            http::with_json("PUT", &server.api(&format!("/worker-types/{id}")), &definition).header("if-match", "*");
        let Ok(answer) = http::try_send(request) else { return };
        if matches!(answer.status, 200 | 201) {
            let body = answer.json();
            let told = (id, body["revision"].as_u64().unwrap(), body["contentHash"].as_str().unwrap().to_owned());
            acknowledged.lock().unwrap().push(told);
        }
    }
}

fn survives_kill(url: &str) {
    let acknowledged = Mutex::new(Vec::new());
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--database-url", url];
    for round in 0..super::rounds() {
        let server = Server::start(&arguments, scratch());
        let stop = AtomicBool::new(false);
        let patience = Duration::from_millis(50 + (u64::from(uuid::Uuid::new_v4().as_bytes()[0]) * 450) / 255);
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let (server, stop, acknowledged) = (&server, &stop, &acknowledged);
                scope.spawn(move || write_until(server, writer, round, stop, acknowledged));
            }
            std::thread::sleep(patience);
            server.signal("KILL");
            stop.store(true, Ordering::SeqCst);
        });
        drop(server.kill());
        let faults = History::read(url).faults();
        assert!(faults.is_empty(), "round {round}: {}", faults.join("\n"));
    }
    let server = Server::start(&arguments, scratch());
    let acknowledged = acknowledged.into_inner().unwrap();
    for (id, revision, hash) in &acknowledged {
        let answer = http::get(&server.api(&format!("/worker-types/{id}/revisions/{revision}"))).expect(200).json();
        assert_eq!(answer["contentHash"], hash.as_str(), "{id} {revision}");
    }
    println!("{} publishes were acknowledged in {} rounds, and all are there", acknowledged.len(), super::rounds());
    assert!(!acknowledged.is_empty());
}

#[test]
fn every_acknowledged_publish_survives_kill_on_sqlite() {
    let folder = scratch();
    survives_kill(&sqlite_url(&folder.path().join("registry.sqlite")));
}

#[test]
fn every_acknowledged_publish_survives_kill_on_postgresql() {
    let Some(database) = PostgresDatabase::new() else { return };
    survives_kill(&database.url());
}

#[test]
fn the_check_of_histories_rejects_forged_ones() {
    let pair = |id: &str, number: i64| (id.to_owned(), number);
    let whole = History {
        revisions: vec![pair("a", 1), pair("a", 2), pair("b", 1)],
        published: vec![pair("a", 1), pair("b", 1), pair("a", 2)],
        events: vec![pair("a", 1), pair("b", 2), pair("a", 3)],
        audit: vec![pair("a", 1), pair("b", 2), pair("a", 3)],
    };
    assert_eq!(whole.faults(), Vec::<String>::new());
    let forge = |change: fn(&mut History)| {
        let mut forged = whole.clone();
        change(&mut forged);
        forged.faults()
    };
    assert!(!forge(|history| drop(history.revisions.pop())).is_empty(), "a revision is missing");
    assert!(!forge(|history| drop(history.published.pop())).is_empty(), "an event is missing");
    assert!(!forge(|history| drop(history.audit.pop())).is_empty(), "an audit row is missing");
    assert!(!forge(|history| history.audit.swap(0, 1)).is_empty(), "an audit row belongs to another event");
    assert!(!forge(|history| history.published.swap(0, 2)).is_empty(), "events are out of order");
    assert!(!forge(|history| history.published.push(("a".to_owned(), 2))).is_empty(), "a revision was published twice");
    let gap = forge(|history| {
        history.events[2].1 = 4;
        history.audit[2].1 = 4;
    });
    assert!(!gap.is_empty(), "the sequence has a gap");
}
