//! Random traffic under random troubles, judged by every promise.

use super::cluster::{Cluster, Replica};
use super::promises::broken;
use super::record::{Clock, Ending, Outcome, Revision, Run, Standing, Stream};
use super::traffic::{self, number, text};
use super::troubles::Trouble;
use super::watching;
use fastrand::Rng;
use integration_tests::http;
use integration_tests::wait::{wait_for, wait_until};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const CLIENTS: usize = 4;
const READERS: usize = 4;

/// How long a run's troubles go on.
#[derive(Clone, Copy)]
pub enum Span {
    /// For as long as the settings say.
    Time,
    /// Until so many were made.
    Troubles(usize),
}

/// One run. It ends when every reader has heard of the last change.
pub fn run(name: &str, cluster: &Cluster, troubles: &[Trouble], span: Span) -> Run {
    let seed = super::seed();
    println!("WM_TEST_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let clock = Clock::start();
    let (stop, last) = (AtomicBool::new(false), OnceLock::new());
    let mut run = Run { name: name.to_owned(), seed, ..Run::default() };
    std::thread::scope(|scope| {
        let _end = End { stop: &stop, last: &last };
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let (seed, stop) = (random.u64(..), &stop);
                scope.spawn(move || traffic::client(number, seed, cluster, clock, stop))
            })
            .collect();
        let readers: Vec<_> = (0..READERS)
            .map(|_| {
                let (seed, last) = (random.u64(..), &last);
                scope.spawn(move || watching::watch(seed, cluster, last))
            })
            .collect();
        run.troubles = make_troubles(cluster, troubles, span, &mut random);
        stop.store(true, Ordering::SeqCst);
        run.operations = clients.into_iter().flat_map(|client| client.join().unwrap()).collect();
        run.ending = ending(cluster);
        last.set(run.ending.feed.last().unwrap().cursor.clone()).unwrap();
        run.watches = readers.into_iter().map(|reader| reader.join().unwrap()).collect();
    });
    run
}

/// Tells the clients and the readers of a run that it is over, also when it failed.
struct End<'a> {
    stop: &'a AtomicBool,
    last: &'a OnceLock<String>,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Set already when all went well.
        let _ = self.last.set(watching::NOWHERE.to_owned());
    }
}

fn make_troubles(cluster: &Cluster, kinds: &[Trouble], span: Span, random: &mut Rng) -> Vec<String> {
    let start = Instant::now();
    let mut made = Vec::new();
    let goes_on = |made: &Vec<String>| match span {
        Span::Time => start.elapsed() < super::duration(),
        Span::Troubles(count) => made.len() < count,
    };
    while goes_on(&made) {
        std::thread::sleep(Duration::from_millis(random.u64(50..500)));
        if let Some(trouble) = random.choice(kinds) {
            made.push(trouble.make(cluster, random));
        }
    }
    made
}

/// What is there once every replica says that it sees all there is.
fn ending(cluster: &Cluster) -> Ending {
    // A write that nobody waits for any more may still be on its way: the last change is the one after all of them.
    std::thread::sleep(Duration::from_millis(300));
    let mark = wait_for("the service to take a last change", || {
        let url = cluster.replicas[0].api("/worker-types/robust/last");
        let definition = serde_json::json!({"description": format!("the last of {}", fastrand::u64(..))});
        let answer = http::try_send(http::with_json("PUT", &url, &definition).header("if-match", "*")).ok()?;
        matches!(answer.status, 200 | 201).then(|| number(&answer.json()["generation"]))
    });
    for replica in &cluster.replicas {
        wait_until("a replica to hear of the last change", || {
            let answer = http::try_send(http::request("GET", &replica.api("/worker-types/robust/last")));
            answer.is_ok_and(|answer| answer.status == 200 && number(&answer.json()["generation"]) >= mark)
        });
    }
    let url = cluster.replicas[0].api("/events");
    let Stream { frames, .. } = watching::read(&url, 0, None, Duration::from_secs(2));
    let whole = Stream { frames, ..Stream::default() };
    Ending {
        start: whole.frames.iter().find_map(watching::cursor).unwrap(),
        feed: whole.events().cloned().collect(),
        revisions: all_worker_types().map(|id| (id.clone(), revisions(&cluster.replicas[0], &id))).collect(),
        standing: cluster.replicas.iter().map(standing).collect(),
        tables: cluster.faults_of_tables(),
    }
}

fn all_worker_types() -> impl Iterator<Item = String> {
    traffic::worker_types().chain(["robust/last".to_owned()])
}

fn standing(replica: &Replica) -> Vec<Standing> {
    let standing = |worker_type: String| {
        let answer = http::get(&replica.api(&format!("/worker-types/{worker_type}")));
        let body = (answer.status == 200).then(|| answer.json());
        let of = |name: &str| body.as_ref().map(|body| number(&body[name]));
        Standing { generation: of("generation"), revision: of("revision"), worker_type }
    };
    all_worker_types().map(standing).collect()
}

fn revisions(replica: &Replica, worker_type: &str) -> BTreeMap<u64, Revision> {
    let mut revisions = BTreeMap::new();
    for revision in 1.. {
        let answer = http::get(&replica.api(&format!("/worker-types/{worker_type}/revisions/{revision}")));
        if answer.status == 404 {
            break;
        }
        let body = answer.expect(200).json();
        let (content_hash, marker) = (text(&body["contentHash"]), text(&body["definition"]["description"]));
        revisions.insert(revision, Revision { content_hash, marker });
    }
    revisions
}

/// Runs, and panics with what is broken and how to see it again.
fn keeps_its_promises(name: &str, cluster: &Cluster, troubles: &[Trouble], span: Span) -> Run {
    let run = run(name, cluster, troubles, span);
    let (requests, connections) =
        (run.operations.len(), run.watches.iter().map(|watch| watch.streams.len()).sum::<usize>());
    println!("{requests} requests, {connections} connections of readers, {} troubles", run.troubles.len());
    println!("changes: {:?}", kinds_of_changes(&run));
    let broken = broken(&run);
    if !broken.is_empty() {
        let seed = run.seed;
        let faults: Vec<String> = broken
            .into_iter()
            .map(|(promise, faults)| {
                format!("not {promise}, {} times: {}", faults.len(), faults[..faults.len().min(5)].join("\n"))
            })
            .collect();
        panic!(
            "{}\nthe whole record: {}\nagain: make robustness ONLY={name} SEED={seed}",
            faults.join("\n"),
            run.save().display()
        );
    }
    let done = run.operations.iter().filter(|operation| matches!(operation.outcome, Outcome::Live(_))).count();
    assert!(done > 20, "next to nothing was done: {:?}", run.operations);
    run
}

fn kinds_of_changes(run: &Run) -> BTreeMap<&str, usize> {
    let mut kinds = BTreeMap::new();
    for event in &run.ending.feed {
        *kinds.entry(event.kind.as_str()).or_default() += 1;
    }
    kinds
}

const OF_A_DATABASE: [Trouble; 3] = [Trouble::Cut, Trouble::Slow, Trouble::HalfOpen];
const OF_A_PROCESS: [Trouble; 2] = [Trouble::Kill, Trouble::Stop];

#[test]
fn robustness_of_one_server_on_sqlite() {
    let troubles = [OF_A_PROCESS.as_slice(), &[Trouble::LockedFile]].concat();
    keeps_its_promises("one_server_on_sqlite", &Cluster::on_sqlite(""), &troubles, Span::Time);
}

#[test]
fn robustness_of_one_server_on_postgresql() {
    let Some(cluster) = Cluster::on_postgresql(1) else { return };
    keeps_its_promises("one_server_on_postgresql", &cluster, &[&OF_A_DATABASE[..], &OF_A_PROCESS].concat(), Span::Time);
}

#[test]
fn robustness_of_two_replicas() {
    let Some(cluster) = Cluster::on_postgresql(2) else { return };
    keeps_its_promises("two_replicas", &cluster, &[&OF_A_DATABASE[..], &OF_A_PROCESS].concat(), Span::Time);
}

#[test]
fn robustness_of_three_replicas() {
    let Some(cluster) = Cluster::on_postgresql(3) else { return };
    keeps_its_promises("three_replicas", &cluster, &[&OF_A_DATABASE[..], &OF_A_PROCESS].concat(), Span::Time);
}

#[test]
fn robustness_of_a_database_that_is_cut_off_20_times() {
    let Some(cluster) = Cluster::on_postgresql(3) else { return };
    keeps_its_promises("cut_off_20_times", &cluster, &[Trouble::Cut], Span::Troubles(20));
}

#[test]
fn robustness_of_a_full_disk() {
    let Some(cluster) = Cluster::on_a_small_disk(16 << 20) else { return };
    let run = keeps_its_promises("full_disk", &cluster, &[Trouble::FullDisk, Trouble::Stop], Span::Time);
    let refused = |outcome: &Outcome| matches!(outcome, Outcome::NotDone { status: 503 });
    assert!(run.operations.iter().any(|operation| refused(&operation.outcome)), "the disk was never full");
}
