//! kill -9 under eight writers: what was acknowledged is there, and the history is whole.

use super::keeping::keep;
use fastrand::Rng;
use integration_tests::database::{PostgresDatabase, sqlite_url};
use integration_tests::history::History;
use integration_tests::http;
use integration_tests::server::{Server, scratch};
use serde::Serialize;
use serde_json::json;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const WRITERS: usize = 8;
const WORKER_TYPES: usize = 50;

/// A publish, as a writer was told of it.
#[derive(Clone, Debug, Serialize)]
struct Acknowledged {
    round: usize,
    writer: usize,
    worker_type: String,
    revision: u64,
    content_hash: String,
}

/// What became of the writers' publishes.
#[derive(Default, Serialize)]
struct Told {
    acknowledged: Mutex<Vec<Acknowledged>>,
    /// Statuses that the service should not answer with, and answers that are none.
    odd: Mutex<Vec<String>>,
    /// Publishes that were never answered: they were in flight when the server was killed.
    unanswered: AtomicUsize,
}

/// One run, which is kept when it fails.
#[derive(Serialize)]
struct Kills {
    name: String,
    seed: u64,
    rounds: usize,
    told: Told,
    /// The last one that began, from 0.
    round: usize,
    /// What cannot be.
    found: Vec<String>,
}

impl Kills {
    fn begin(name: &str) -> Self {
        let (seed, rounds) = (super::seed(), super::rounds());
        println!("WM_TEST_SEED={seed}");
        Self { name: name.to_owned(), seed, rounds, told: Told::default(), round: 0, found: Vec::new() }
    }

    /// Goes on only if there is nothing that cannot be.
    fn rule_out(&mut self, faults: Vec<String>) {
        self.found = faults;
        let (kills, count) = (self.round + 1, self.found.len());
        assert!(count == 0, "after {kills} kills, {count} faults: {}", self.found[..count.min(5)].join("\n"));
    }

    fn acknowledged(&self) -> Vec<Acknowledged> {
        self.told.acknowledged.lock().unwrap().clone()
    }
}

impl Drop for Kills {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let (name, seed, rounds) = (&self.name, self.seed, self.rounds);
            let kept = keep(name, seed, self);
            eprintln!("{kept}\nagain: make robustness ONLY={name} SEED={seed} ROUNDS={rounds}");
        }
    }
}

/// Publishes until told to stop, or until the server is gone.
fn write_until(server: &Server, writer: usize, round: usize, stop: &AtomicBool, told: &Told) {
    for count in 0.. {
        if stop.load(Ordering::SeqCst) {
            return;
        }
        let id = format!("kill/w{}", (writer * 7 + count) % WORKER_TYPES);
        let definition = json!({"description": format!("round {round}, writer {writer}, count {count}")});
        let request =
            http::with_json("PUT", &server.api(&format!("/worker-types/{id}")), &definition).header("if-match", "*");
        let answer = match http::try_send(request) {
            Ok(answer) => answer,
            // Nobody listens any more: that request reached nothing.
            Err(error) if error.is_connect() => return,
            Err(_) => {
                told.unanswered.fetch_add(1, Ordering::SeqCst);
                return;
            }
        };
        let body: serde_json::Value = serde_json::from_slice(&answer.bytes).unwrap_or_default();
        match (answer.status, body["revision"].as_u64(), body["contentHash"].as_str()) {
            (200 | 201, Some(revision), Some(hash)) => {
                let content_hash = hash.to_owned();
                let acknowledged = Acknowledged { round, writer, worker_type: id, revision, content_hash };
                told.acknowledged.lock().unwrap().push(acknowledged);
            }
            // The service says that it cannot write now.
            (503, ..) => {}
            (status, ..) => told.odd.lock().unwrap().push(format!("{status}: {}", answer.text())),
        }
    }
}

fn survives_kill(name: &str, url: &str, gone: impl Fn()) {
    let mut kills = Kills::begin(name);
    let rounds = kills.rounds;
    let mut random = Rng::with_seed(kills.seed);
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--database-url", url];
    let (mut met, mut idle) = (0, 0);
    for round in 0..rounds {
        kills.round = round;
        let told = &kills.told;
        let server = Server::start(&arguments, scratch());
        let stop = AtomicBool::new(false);
        let before = (kills.acknowledged().len(), told.unanswered.load(Ordering::SeqCst));
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let (server, stop) = (&server, &stop);
                scope.spawn(move || write_until(server, writer, round, stop, told));
            }
            std::thread::sleep(Duration::from_millis(random.u64(50..500)));
            server.signal("KILL");
            stop.store(true, Ordering::SeqCst);
        });
        drop(server.kill());
        gone();
        met += usize::from(told.unanswered.load(Ordering::SeqCst) > before.1);
        idle += usize::from(kills.acknowledged().len() == before.0);
        kills.rule_out(History::read(url).faults());
        let odd = kills.told.odd.lock().unwrap().clone();
        kills.rule_out(odd);
    }
    let server = Server::start(&arguments, scratch());
    let acknowledged = kills.acknowledged();
    kills.rule_out(acknowledged.iter().filter_map(|told| lost(&server, told)).collect());
    let acknowledged = acknowledged.len();
    println!(
        "{acknowledged} publishes were acknowledged in {rounds} rounds, and all are there; {met} kills met some in flight"
    );
    assert!(met * 10 >= rounds * 8, "only {met} of {rounds} kills met a publish in flight");
    assert!(idle * 4 <= rounds, "in {idle} of {rounds} rounds nothing was acknowledged before the kill");
}

/// An acknowledged publish that is not there as it was acknowledged.
fn lost(server: &Server, told: &Acknowledged) -> Option<String> {
    let (id, revision) = (&told.worker_type, told.revision);
    let answer = http::get(&server.api(&format!("/worker-types/{id}/revisions/{revision}")));
    let is_there = answer.status == 200 && answer.json()["contentHash"] == told.content_hash.as_str();
    (!is_there).then(|| format!("{told:?} was acknowledged, and there is {}: {}", answer.status, answer.text()))
}

#[test]
fn every_acknowledged_publish_survives_kill_on_sqlite() {
    let folder = scratch();
    survives_kill("survives_kill_on_sqlite", &sqlite_url(&folder.path().join("registry.sqlite")), || {});
}

#[test]
fn every_acknowledged_publish_survives_kill_on_postgresql() {
    let Some(database) = PostgresDatabase::new() else { return };
    // PostgreSQL may go on with what a dead client had asked for.
    survives_kill("survives_kill_on_postgresql", &database.url(), || database.wait_until_nobody_is_connected());
}

#[test]
fn the_check_of_histories_rejects_forged_ones() {
    use integration_tests::history::{Audited, Change, Entry, Revision, Standing};
    use integration_tests::state::State;
    let revision = |id: &str, number| Revision { worker_type: id.to_owned(), number };
    let entry = |sequence, kind: &str, id: &str| Entry { sequence, kind: kind.to_owned(), subject: id.to_owned() };
    let change = |sequence, kind: &str, id: &str, generation, revision| Change {
        entry: entry(sequence, kind, id),
        generation: Some(generation),
        revision: Some(revision),
    };
    let events = vec![
        change(1, "worker-type-published", "a", 1, 1),
        change(2, "worker-type-published", "b", 1, 1),
        change(3, "rollout-started", "a", 2, 2),
        change(4, "worker-type-deleted", "b", 2, 1),
    ];
    let audited = |event: &Change| Audited { entry: event.entry.clone(), caller: "anyone".to_owned() };
    let stands = |id: &str, state| Standing { worker_type: id.to_owned(), state };
    let whole = History {
        epoch: "e".to_owned(),
        revisions: vec![revision("a", 1), revision("a", 2), revision("b", 1)],
        audit: events.iter().map(audited).collect(),
        events,
        standing: vec![
            stands("a", State { generation: 2, last_revision: 2, live: Some(2), older: Some(1) }),
            stands("b", State { generation: 2, last_revision: 1, live: None, older: None }),
        ],
    };
    assert_eq!(whole.faults(), Vec::<String>::new());
    let forge = |change: fn(&mut History)| {
        let mut forged = whole.clone();
        change(&mut forged);
        forged.faults()
    };
    assert!(!forge(|history| drop(history.revisions.pop())).is_empty(), "a revision is missing");
    assert!(!forge(|history| drop(history.events.pop())).is_empty(), "an event is missing");
    assert!(!forge(|history| drop(history.audit.pop())).is_empty(), "an audit row is missing");
    assert!(!forge(|history| history.audit.swap(0, 1)).is_empty(), "an audit row belongs to another event");
    let other_kind = forge(|history| history.audit[3].entry.kind = "worker-type-published".to_owned());
    assert!(!other_kind.is_empty(), "an audit row tells another kind of change");
    assert!(!forge(|history| history.events[2].revision = Some(1)).is_empty(), "a revision was published twice");
    assert!(!forge(|history| history.events[2].generation = Some(3)).is_empty(), "a generation is left out");
    let gap = forge(|history| (history.events[3].entry.sequence, history.audit[3].entry.sequence) = (5, 5));
    assert!(!gap.is_empty(), "the sequence has a gap");
    assert!(!forge(|history| history.standing[0].state.live = Some(1)).is_empty(), "another revision is live");
    assert!(!forge(|history| history.standing[0].state.older = None).is_empty(), "the rollout is over");
    assert!(!forge(|history| history.standing[1].state.generation = 3).is_empty(), "another generation stands");
    assert!(!forge(|history| drop(history.standing.pop())).is_empty(), "a worker type is missing");
}
