//! What worker-manager promises, and for each promise a judge of a recorded run: ordered, unique, reliable, atomic,
//! resumable and bookmarkable are what etcd calls the guarantees of its watch; durable and linearizable are those of writes.

mod atomic;
mod bookmarkable;
mod durable;
#[cfg(test)]
pub mod given;
mod linearizable;
mod ordered;
mod released;
mod reliable;
mod resumable;
mod unique;

use super::record::Run;

/// What a judge found.
#[derive(Debug, Default)]
pub struct Judged {
    /// How many statements of the record it held against one another.
    pub facts: usize,
    /// Those that cannot be.
    pub faults: Vec<String>,
}

impl Judged {
    /// One statement more, and what is wrong with it.
    fn fact(&mut self, fault: Option<String>) {
        self.facts += 1;
        self.faults.extend(fault);
    }
}

/// One promise.
pub struct Promise {
    pub name: &'static str,
    pub judge: fn(&Run) -> Judged,
}

/// All of them.
pub const PROMISES: [Promise; 8] = [
    Promise { name: "ordered", judge: ordered::judge },
    Promise { name: "unique", judge: unique::judge },
    Promise { name: "reliable", judge: reliable::judge },
    Promise { name: "atomic", judge: atomic::judge },
    Promise { name: "resumable", judge: resumable::judge },
    Promise { name: "bookmarkable", judge: bookmarkable::judge },
    Promise { name: "durable", judge: durable::judge },
    Promise { name: "linearizable", judge: linearizable::judge },
];

/// What each judge says of a run.
pub fn judged(run: &Run) -> Vec<(&'static str, Judged)> {
    PROMISES.iter().map(|promise| (promise.name, (promise.judge)(run))).collect()
}

/// The promises that a run breaks, each with where. A judge that found nothing to judge has shown nothing.
pub fn broken(run: &Run) -> Vec<(&'static str, Vec<String>)> {
    let with_nothing = |(name, judged): (&'static str, Judged)| match judged.facts {
        0 => (name, vec!["the record has nothing by which it could be judged".to_owned()]),
        _ => (name, judged.faults),
    };
    judged(run).into_iter().map(with_nothing).filter(|(_, faults)| !faults.is_empty()).collect()
}
