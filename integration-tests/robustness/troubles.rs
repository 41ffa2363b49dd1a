//! What is done to the service and its database while it is at work.

use super::cluster::{Cluster, Replica};
use super::record::{Clock, Made};
use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use fastrand::Rng;
use integration_tests::proxy::Mood;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::time::Duration;

/// Longer than whoever waits: for a lock (10 s), for a connection (5 s), for news of the database (6 s).
const LONG: Duration = Duration::from_secs(12);
/// A run has room for some of those.
const LONG_RUN: Duration = Duration::from_secs(45);

/// One kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trouble {
    /// Connections to the database are ended and refused.
    Cut,
    /// Every message to and from the database is late.
    Slow,
    /// Connections to the database stay open, and nothing comes through.
    HalfOpen,
    /// The process is killed, and started again.
    Kill,
    /// The process stands still, and goes on.
    Stop,
    /// Somebody else holds the lock of the SQLite file.
    LockedFile,
    /// The disk of the SQLite file is full.
    FullDisk,
}

impl Trouble {
    /// Makes it to one of the replicas, or now and then to the network before all of them, and ends it; says what was done.
    pub fn make(self, cluster: &Cluster, random: &mut Rng, clock: Clock) -> Made {
        let index = random.usize(..cluster.replicas.len());
        let everywhere = random.u8(..5) < 2 && self.is_of_the_network() && cluster.replicas.len() > 1;
        let replica = &cluster.replicas[index];
        let struck = if everywhere { &cluster.replicas[..] } else { std::slice::from_ref(replica) };
        let (short, outlives_timeouts) = (Duration::from_millis(random.u64(50..800)), random.u8(..6) == 0);
        let moment = if outlives_timeouts && super::duration() >= LONG_RUN { LONG } else { short };
        let started = clock.now();
        match self {
            Self::Cut => by_proxy(struck, Mood::Refuse, moment),
            Self::Slow => by_proxy(struck, Mood::Slow, moment),
            Self::HalfOpen => by_proxy(struck, Mood::BlackHole, moment),
            Self::Kill => {
                replica.kill();
                replica.start();
            }
            Self::Stop => {
                replica.signal("STOP");
                std::thread::sleep(moment);
                replica.signal("CONT");
            }
            Self::LockedFile => lock(&cluster.database_url, moment),
            Self::FullDisk => fill(replica, moment),
        }
        Made { trouble: self, replica: (!everywhere).then_some(index), started, ended: clock.now() }
    }

    /// Whether it lies between a replica and its database.
    pub fn is_of_the_network(self) -> bool {
        matches!(self, Self::Cut | Self::Slow | Self::HalfOpen)
    }
}

fn by_proxy(struck: &[Replica], mood: Mood, moment: Duration) {
    let all = |mood| struck.iter().filter_map(|replica| replica.proxy.as_ref()).for_each(|proxy| proxy.set(mood));
    all(mood);
    std::thread::sleep(moment);
    all(Mood::Forward);
}

fn lock(url: &str, moment: Duration) {
    let mut connection = SqliteConnection::establish(url.trim_start_matches("sqlite://")).unwrap();
    connection.batch_execute("PRAGMA busy_timeout=20000; BEGIN IMMEDIATE").unwrap();
    std::thread::sleep(moment);
    connection.batch_execute("ROLLBACK").unwrap();
}

fn fill(replica: &Replica, moment: Duration) {
    let file = replica.small_disk().unwrap().join("filler");
    let mut filler = std::fs::File::create(&file).unwrap();
    // It ends when there is no room for more.
    while filler.write_all(&[0; 4096]).is_ok() {}
    std::thread::sleep(moment);
    std::fs::remove_file(&file).unwrap();
}
