//! Linearizable: the writes of one worker type happen one after another, each at a moment between its request and its
//! answer, and what is refused did not happen. A replica's reads never go back behind what it acknowledged or showed
//! before, nor behind the write whose place in the feed they name, whichever replica made it. That nothing is live is an
//! answer like any other.
//!
//! Each write makes the next generation, so the order is known, and only has to be held against the times of the requests:
//! no search for an order is needed, as for registers without versions (Wing and Gong, 1993).

mod order;
mod refused;
mod renewed;
#[cfg(test)]
mod tests;

use super::{Judged, released};
use crate::robustness::record::{Action, Event, Live, Operation, Outcome, Run};
use std::collections::BTreeMap;

const DELETED: &str = "worker-type-deleted";
const ROLLING: &str = "rollout-started";
/// What comes of a new revision.
const PUBLISHES: [&str; 3] = ["worker-type-published", "worker-type-rolled-back", ROLLING];

pub fn judge(run: &Run) -> Judged {
    let mut judged = Judged::default();
    for worker_type in run.worker_types() {
        let line = Line::of(run, worker_type);
        line.statements(&mut judged);
        line.times(&mut judged);
        line.own_writes(&mut judged);
        line.refusals(&mut judged);
        line.renewals(&mut judged);
    }
    released::linearizable(&mut judged, run);
    judged
}

/// What happened to one worker type.
struct Line<'a> {
    run: &'a Run,
    operations: Vec<&'a Operation>,
    /// The change that made each generation.
    made: BTreeMap<u64, &'a Event>,
    /// The generation that each marker's write made.
    generations: BTreeMap<&'a str, u64>,
}

impl<'a> Line<'a> {
    fn of(run: &'a Run, worker_type: &str) -> Self {
        let operations = run.operations.iter().filter(|operation| operation.worker_type == worker_type).collect();
        let events = run.ending.feed.iter().filter(|event| event.worker_type == worker_type);
        let made: BTreeMap<u64, &Event> = events.map(|event| (event.generation, event)).collect();
        // What ends a rollout or deletes has no words of its own.
        let publishes = made.iter().filter(|(_, event)| PUBLISHES.contains(&event.kind.as_str()));
        let generations = publishes
            .filter_map(|(generation, event)| {
                Some((run.ending.revision(worker_type, event.revision)?.message.as_str(), *generation))
            })
            .collect();
        Self { run, operations, made, generations }
    }

    /// The generation that it made, also where nobody was told.
    fn made_by(&self, operation: &Operation) -> Option<u64> {
        match &operation.outcome {
            // Each has a message that no other has.
            Outcome::Unknown { .. } => self.generations.get(operation.marker()?).copied(),
            _ => operation.made(),
        }
    }

    /// What each answer says, whenever it came.
    fn statements(&self, judged: &mut Judged) {
        for operation in &self.operations {
            let fault = match (&operation.action, &operation.outcome) {
                (_, Outcome::Malformed { why }) => Some(format!("the answer is none of this service's: {why}")),
                (Action::Publish { marker, .. }, Outcome::Live(live)) => {
                    self.wrong_publish(marker, live).or_else(|| self.wrong_write(operation, live.generation))
                }
                (Action::Read { .. }, Outcome::Live(live)) => self.wrong_read(operation, live),
                (
                    Action::Rollback { marker, .. } | Action::ChangeRollout { marker, .. },
                    Outcome::Live(live) | Outcome::Unchanged(live),
                ) => self.wrong_renewal(operation, marker, live),
                (Action::Rollback { revision, .. }, Outcome::NotDone { status: 404 }) => {
                    self.wrongly_unknown(operation, *revision)
                }
                (_, Outcome::Done { generation }) => self.wrong_write(operation, *generation),
                (_, Outcome::Absent { generation }) => self.wrongly_absent(*generation),
                (_, Outcome::LostRace { generation }) => self.wrongly_lost(operation, *generation),
                (_, Outcome::Live(_) | Outcome::Unchanged(_)) => Some("it is no answer to what was asked".to_owned()),
                (_, Outcome::NotDone { .. } | Outcome::Unknown { .. }) => continue,
            };
            judged.fact(fault.map(|fault| format!("{fault}: {operation:?}")));
        }
    }

    fn wrong_publish(&self, marker: &str, live: &Live) -> Option<String> {
        if live.marker != marker {
            return Some("the answer shows what somebody else published".to_owned());
        }
        let made = self.generations.get(marker);
        (made != Some(&live.generation)).then(|| format!("it made generation {made:?}"))
    }

    fn wrong_write(&self, operation: &Operation, generation: u64) -> Option<String> {
        if operation.expects().is_some_and(|expects| generation != expects + 1) {
            return Some("it was made in another state than it named".to_owned());
        }
        let positions = self.run.ending.positions();
        let place = |cursor: &String| positions.get(cursor.as_str()).copied();
        let (Some(named), Some(made)) = (operation.place.as_ref().and_then(place), self.made.get(&generation)) else {
            return Some(format!(
                "it names the place {:?}, and made {:?}",
                operation.place,
                self.made.get(&generation)
            ));
        };
        (place(&made.cursor) > Some(named)).then(|| format!("it names the place {named}, before its own change"))
    }

    fn wrong_read(&self, operation: &Operation, live: &Live) -> Option<String> {
        let Some(made) = self.made.get(&live.generation) else {
            return Some(format!("generation {} never was", live.generation));
        };
        let revision = self.run.ending.revision(&operation.worker_type, live.revision);
        let same = revision.is_some_and(|kept| kept.marker == live.marker && kept.content_hash == live.content_hash);
        let shows = made.revision == live.revision && made.kind != DELETED && same;
        (!shows).then(|| format!("it shows what {made:?} did not make"))
    }

    /// Generation 0 was before all others.
    fn wrongly_absent(&self, generation: Option<u64>) -> Option<String> {
        let generation = generation?;
        let made = self.made.get(&generation);
        let deleted = made.is_some_and(|made| made.kind == DELETED);
        (!deleted).then(|| format!("generation {generation} is no deletion but {made:?}"))
    }

    fn wrongly_lost(&self, operation: &Operation, generation: Option<u64>) -> Option<String> {
        if generation.is_some_and(|generation| !self.made.contains_key(&generation)) {
            return Some(format!("generation {generation:?} never was"));
        }
        let expected = operation.expects().is_some() && operation.expects() == generation;
        expected.then(|| "it was refused though the state was the one that it named".to_owned())
    }

    /// Reads that name the place of their client's last write, and show what was before its last write here.
    fn own_writes(&self, judged: &mut Judged) {
        let mut written: BTreeMap<usize, u64> = BTreeMap::new();
        for operation in &self.operations {
            let newest = written.get(&operation.client).copied().unwrap_or_default();
            if let Some(generation) = operation.made() {
                written.insert(operation.client, generation);
            } else if matches!(operation.action, Action::Read { follows: true })
                && let Some(shown) = shown(operation)
            {
                let behind = shown < newest;
                judged.fact(behind.then(|| format!("{operation:?} follows a write of generation {newest}")));
            }
        }
    }
}

/// Which generation an answer shows that made none; 0: there never was any.
fn shown(operation: &Operation) -> Option<u64> {
    match &operation.outcome {
        Outcome::Live(live) if !operation.is_write() => Some(live.generation),
        Outcome::Absent { generation } => Some(generation.unwrap_or_default()),
        // Decided under the worker type's lock.
        Outcome::Unchanged(live) => Some(live.generation),
        Outcome::LostRace { generation } => Some(generation.unwrap_or_default()),
        _ => None,
    }
}
