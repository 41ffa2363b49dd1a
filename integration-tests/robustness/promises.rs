//! What worker-manager promises, and for each promise a judge of a recorded run: ordered, unique, reliable, atomic,
//! resumable and bookmarkable are what etcd calls the guarantees of its watch; durable and linearizable are those of writes.

mod atomic;
mod bookmarkable;
mod durable;
#[cfg(test)]
mod given;
mod linearizable;
mod ordered;
mod reliable;
mod resumable;
mod unique;

use super::record::Run;

/// One promise.
pub struct Promise {
    pub name: &'static str,
    /// Where a run breaks it.
    pub faults: fn(&Run) -> Vec<String>,
}

/// All of them.
pub const PROMISES: [Promise; 8] = [
    Promise { name: "ordered", faults: ordered::faults },
    Promise { name: "unique", faults: unique::faults },
    Promise { name: "reliable", faults: reliable::faults },
    Promise { name: "atomic", faults: atomic::faults },
    Promise { name: "resumable", faults: resumable::faults },
    Promise { name: "bookmarkable", faults: bookmarkable::faults },
    Promise { name: "durable", faults: durable::faults },
    Promise { name: "linearizable", faults: linearizable::faults },
];

/// The promises that a run breaks, each with where.
pub fn broken(run: &Run) -> Vec<(&'static str, Vec<String>)> {
    let judged = PROMISES.iter().map(|promise| (promise.name, (promise.faults)(run)));
    judged.filter(|(_, faults)| !faults.is_empty()).collect()
}
