//! Random traffic under random troubles, judged by every promise.

use super::cluster::Cluster;
use super::coverage::{self, Minimum, coverage, missing};
use super::ending::ending;
use super::promises::{broken, judged};
use super::record::Run;
use super::recorder::Recorder;
use super::troubles::Trouble;
use super::{releases, traffic, watching};
use fastrand::Rng;
use integration_tests::proxy::Proxy;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const CLIENTS: usize = 4;
/// How long after the last change a reader may take to hear of it before it counts as lost.
const PATIENCE: Duration = Duration::from_secs(15);

/// How long a run's troubles go on.
#[derive(Clone, Copy)]
pub enum Span {
    /// For so long.
    Time(Duration),
    /// Until so many were made.
    Troubles(usize),
}

/// What is run.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    pub name: &'a str,
    pub troubles: &'a [Trouble],
    pub span: Span,
    /// How long after the last change a reader that has not heard of it goes on.
    pub patience: Duration,
}

/// One run. It ends when every reader has heard of the last change.
pub fn run(plan: &Plan<'_>, seed: u64, cluster: &Cluster) -> Run {
    println!("WM_TEST_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let filters = watching::filters();
    let recorder = Recorder::start(plan.name, seed, &filters);
    let (stop, last) = (AtomicBool::new(false), OnceLock::new());
    std::thread::scope(|scope| {
        let _end = End { stop: &stop, last: &last };
        let (recorder, stop, last) = (&recorder, &stop, &last);
        let mut clients = Vec::new();
        for number in 0..CLIENTS {
            let seed = random.u64(..);
            clients.push(scope.spawn(move || traffic::client(number, seed, cluster, recorder, stop)));
        }
        for (index, worker_type) in traffic::left_alone().enumerate() {
            let (seed, number) = (random.u64(..), CLIENTS + index);
            clients
                .push(scope.spawn(move || traffic::one_who_waits(number, seed, &worker_type, cluster, recorder, stop)));
        }
        let seed = random.u64(..);
        clients.push(scope.spawn(move || releases::client(seed, cluster, recorder, stop)));
        let mut readers = Vec::new();
        for reader in filters.iter().enumerate() {
            let seed = random.u64(..);
            readers.push(scope.spawn(move || watching::watch(reader, seed, cluster, recorder, (last, plan.patience))));
        }
        make_troubles(cluster, plan, &mut random, recorder);
        stop.store(true, Ordering::SeqCst);
        clients.into_iter().for_each(|client| client.join().unwrap());
        let ending = ending(cluster);
        last.set(ending.feed.last().unwrap().cursor.clone()).unwrap();
        let proxies = cluster.replicas.iter().filter_map(|replica| replica.proxy.as_ref());
        recorder.ending(ending, proxies.map(Proxy::cut).sum());
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
    recorder.finish()
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

fn make_troubles(cluster: &Cluster, plan: &Plan<'_>, random: &mut Rng, recorder: &Recorder) {
    let start = Instant::now();
    let goes_on = |made| match plan.span {
        Span::Time(time) => start.elapsed() < time,
        Span::Troubles(count) => made < count,
    };
    for made in 0.. {
        std::thread::sleep(Duration::from_millis(random.u64(50..500)));
        if !goes_on(made) {
            return;
        }
        if let Some(trouble) = random.choice(plan.troubles) {
            recorder.trouble(trouble.make(cluster, random, recorder.clock));
        }
    }
}

/// Runs, and panics with what is broken and how to see it again.
fn keeps_its_promises(name: &str, cluster: &Cluster, troubles: &[Trouble], span: Span, minimum: &[Minimum]) {
    let run = run(&Plan { name, troubles, span, patience: PATIENCE }, super::seed(), cluster);
    let facts: Vec<String> =
        judged(&run).into_iter().map(|(promise, judged)| format!("{promise} {}", judged.facts)).collect();
    println!("statements judged: {}", facts.join(", "));
    println!("covered: {:?}", coverage(&run));
    let broken = broken(&run);
    if !broken.is_empty() {
        let faults: Vec<String> = broken
            .into_iter()
            .map(|(promise, faults)| {
                format!("not {promise}, {} times: {}", faults.len(), faults[..faults.len().min(5)].join("\n"))
            })
            .collect();
        panic!("{}\n{}", faults.join("\n"), run.save());
    }
    let seconds = match span {
        Span::Time(time) => time.as_secs(),
        Span::Troubles(_) => coverage::SECONDS,
    };
    let missing = missing(&run, &[&coverage::USUAL, minimum].concat(), seconds);
    assert!(missing.is_empty(), "next to nothing was shown:\n{}\n{}", missing.join("\n"), run.save());
}

fn for_a_while() -> Span {
    Span::Time(super::duration())
}

const OF_A_DATABASE: [Trouble; 3] = [Trouble::Cut, Trouble::Slow, Trouble::HalfOpen];
const OF_A_PROCESS: [Trouble; 2] = [Trouble::Kill, Trouble::Stop];

/// What replicas show besides.
const OF_REPLICAS: [Minimum; 1] = [("streams resumed on another replica", 2)];

#[test]
fn robustness_of_one_server_on_sqlite() {
    let troubles = [OF_A_PROCESS.as_slice(), &[Trouble::LockedFile]].concat();
    keeps_its_promises("one_server_on_sqlite", &Cluster::on_sqlite(""), &troubles, for_a_while(), &[]);
}

#[test]
fn robustness_of_one_server_on_postgresql() {
    let Some(cluster) = Cluster::on_postgresql(1) else { return };
    let troubles = [OF_A_DATABASE.as_slice(), &OF_A_PROCESS].concat();
    keeps_its_promises("one_server_on_postgresql", &cluster, &troubles, for_a_while(), &[]);
}

#[test]
fn robustness_of_two_replicas() {
    let Some(cluster) = Cluster::on_postgresql(2) else { return };
    let troubles = [OF_A_DATABASE.as_slice(), &OF_A_PROCESS].concat();
    keeps_its_promises("two_replicas", &cluster, &troubles, for_a_while(), &OF_REPLICAS);
}

#[test]
fn robustness_of_three_replicas() {
    let Some(cluster) = Cluster::on_postgresql(3) else { return };
    let troubles = [OF_A_DATABASE.as_slice(), &OF_A_PROCESS].concat();
    keeps_its_promises("three_replicas", &cluster, &troubles, for_a_while(), &OF_REPLICAS);
}

/// Now one of the replicas loses the database, now all of them do.
fn is_cut_off_20_times(name: &str, replicas: usize) {
    let Some(cluster) = Cluster::on_postgresql(replicas) else { return };
    let minimum = [
        ("connections of the database that were cut", 20),
        ("kills and cuts", 20),
        ("troubles of all replicas at once", 1),
        OF_REPLICAS[0],
    ];
    keeps_its_promises(name, &cluster, &[Trouble::Cut], Span::Troubles(20), &minimum);
}

#[test]
fn robustness_of_a_database_that_is_cut_off_20_times_from_two() {
    is_cut_off_20_times("cut_off_20_times_from_two", 2);
}

#[test]
fn robustness_of_a_database_that_is_cut_off_20_times_from_three() {
    is_cut_off_20_times("cut_off_20_times_from_three", 3);
}

#[test]
fn robustness_of_a_full_disk() {
    let Some(cluster) = Cluster::on_a_small_disk(16 << 20) else { return };
    let minimum = [("writes refused with 503", 1)];
    keeps_its_promises("full_disk", &cluster, &[Trouble::FullDisk, Trouble::Stop], for_a_while(), &minimum);
}
