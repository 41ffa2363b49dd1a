//! Linearizable: the writes of one worker type happen one after another, each at a moment between its request and its
//! answer. A replica's reads never go back behind what it acknowledged or showed before, nor behind the write whose place in
//! the feed they name, whichever replica made it.
//!
//! Each write makes the next generation, so the order is known, and only has to be held against the times of the requests:
//! no search for an order is needed, as for registers without versions (Wing and Gong, 1993).

use crate::robustness::record::{Action, Event, Live, Operation, Outcome, Run};
use crate::robustness::traffic::worker_types;
use std::collections::BTreeMap;

pub fn faults(run: &Run) -> Vec<String> {
    worker_types().flat_map(|worker_type| Line::of(run, &worker_type).faults()).collect()
}

/// What happened to one worker type.
struct Line<'a> {
    run: &'a Run,
    operations: Vec<&'a Operation>,
    /// The change that made each generation.
    made: BTreeMap<u64, &'a Event>,
    /// The request that asked for it, where one can be told.
    asked: BTreeMap<u64, &'a Operation>,
}

impl<'a> Line<'a> {
    fn of(run: &'a Run, worker_type: &str) -> Self {
        let operations = run.operations.iter().filter(|operation| operation.worker_type == worker_type).collect();
        let events = run.ending.feed.iter().filter(|event| event.worker_type == worker_type);
        let mut line = Self {
            run,
            operations,
            made: events.map(|event| (event.generation, event)).collect(),
            asked: BTreeMap::new(),
        };
        line.asked =
            line.made.iter().filter_map(|(generation, event)| Some((*generation, line.request_of(event)?))).collect();
        line
    }

    /// Every publish says something that no other says.
    fn request_of(&self, event: &Event) -> Option<&'a Operation> {
        // What ends a rollout or deletes has no words of its own.
        if !matches!(event.kind.as_str(), "worker-type-published" | "rollout-started") {
            return None;
        }
        let revision = self.run.ending.revision(&event.worker_type, event.revision)?;
        self.operations
            .iter()
            .copied()
            .find(|operation| matches!(&operation.action, Action::Publish { marker, .. } if *marker == revision.marker))
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let dense = self.made.keys().copied().eq(1..=self.made.len() as u64);
        if !dense {
            faults.push(format!("the generations are {:?}", self.made.keys()));
        }
        for operation in &self.operations {
            let fault = match (&operation.action, &operation.outcome) {
                (Action::Publish { marker, expects, .. }, Outcome::Live(live)) => {
                    self.wrong_write(marker, *expects, live)
                }
                (Action::Read { .. }, Outcome::Live(live)) => self.wrong_read(operation, live),
                (
                    Action::Publish { expects: Some(expects), .. } | Action::Delete { expects: Some(expects) },
                    Outcome::LostRace,
                ) => self.wrongly_refused(operation, *expects),
                (Action::Publish { marker, .. }, Outcome::LostRace | Outcome::NotDone { .. }) => {
                    self.done_all_the_same(marker)
                }
                _ => None,
            };
            faults.extend(fault.map(|fault| format!("{fault}: {operation:?}")));
        }
        faults.extend(self.back_in_time());
        faults.extend(self.behind_their_own_writes());
        faults
    }

    /// Reads that name the place of a client's last write, and show what was before its last publish here.
    fn behind_their_own_writes(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut written: BTreeMap<usize, u64> = BTreeMap::new();
        for operation in &self.operations {
            let Outcome::Live(live) = &operation.outcome else { continue };
            let newest = written.get(&operation.client).copied().unwrap_or_default();
            if is_write(operation) {
                written.insert(operation.client, live.generation);
            } else if matches!(operation.action, Action::Read { follows: true }) && live.generation < newest {
                faults.push(format!("{operation:?} follows a write of generation {newest}"));
            }
        }
        faults
    }

    fn wrong_write(&self, marker: &str, expects: Option<u64>, live: &Live) -> Option<String> {
        if live.marker != marker {
            return Some("the answer shows what somebody else published".to_owned());
        }
        if expects.is_some_and(|expects| live.generation != expects + 1) {
            return Some("it was made in another state than it named".to_owned());
        }
        let made = self.asked.get(&live.generation);
        let mine =
            made.is_some_and(|made| matches!(&made.action, Action::Publish { marker: its, .. } if its == marker));
        (!mine).then(|| format!("generation {} was made by {made:?}", live.generation))
    }

    fn wrong_read(&self, operation: &Operation, live: &Live) -> Option<String> {
        let Some(made) = self.made.get(&live.generation) else {
            return Some(format!("generation {} never was", live.generation));
        };
        let revision = self.run.ending.revision(&operation.worker_type, live.revision);
        let same = revision.is_some_and(|kept| kept.marker == live.marker && kept.content_hash == live.content_hash);
        if made.revision != live.revision || !same {
            return Some(format!("it shows what {made:?} did not make"));
        }
        let early = self.asked.get(&live.generation).is_some_and(|asked| asked.started > operation.ended);
        early.then(|| "it shows what was asked for only later".to_owned())
    }

    /// A lost race in a state that stood, as it was expected, all the while.
    fn wrongly_refused(&self, operation: &Operation, expects: u64) -> Option<String> {
        let before = self.asked.get(&expects)?;
        let acknowledged = matches!(before.outcome, Outcome::Live(_)) && before.ended < operation.started;
        let after = match (self.made.get(&(expects + 1)), self.asked.get(&(expects + 1))) {
            (None, _) => true,
            // Nobody knows who asked for it: it may have been made at any time.
            (Some(_), None) => false,
            (Some(_), Some(next)) => next.started > operation.ended,
        };
        (acknowledged && after).then(|| format!("it was refused though generation {expects} stood"))
    }

    fn done_all_the_same(&self, marker: &str) -> Option<String> {
        let is_it = |asked: &&Operation| matches!(&asked.action, Action::Publish { marker: its, .. } if its == marker);
        let done = self.asked.iter().find(|(_, asked)| is_it(asked));
        done.map(|(generation, _)| format!("it was refused, and made generation {generation}"))
    }

    /// Pairs of requests, one after the other, of which the later shows the earlier state.
    fn back_in_time(&self) -> Vec<String> {
        let mut by_end: Vec<_> = self.operations.iter().filter_map(|one| Some((*one, generation(one)?))).collect();
        by_end.sort_by_key(|(operation, _)| operation.ended);
        let mut by_start = by_end.clone();
        by_start.sort_by_key(|(operation, _)| operation.started);
        let mut faults = Vec::new();
        let mut ended = by_end.into_iter().peekable();
        // The newest generation that was written, and that each replica has shown, before the moment that is looked at.
        let mut written: Option<(&Operation, u64)> = None;
        let mut shown: BTreeMap<usize, (&Operation, u64)> = BTreeMap::new();
        for (operation, generation) in by_start {
            while let Some((earlier, its)) = ended.next_if(|(earlier, _)| earlier.ended < operation.started) {
                if is_write(earlier) && written.is_none_or(|(_, newest)| newest < its) {
                    written = Some((earlier, its));
                }
                if shown.get(&earlier.replica).is_none_or(|(_, newest)| *newest < its) {
                    shown.insert(earlier.replica, (earlier, its));
                }
            }
            let before = if is_write(operation) { written } else { shown.get(&operation.replica).copied() };
            if let Some((earlier, newest)) = before.filter(|(_, newest)| *newest > generation) {
                faults.push(format!("{operation:?} is behind generation {newest} of {earlier:?}, which had ended"));
            }
        }
        faults
    }
}

/// Which state an answer shows. What says of itself that it may be old says nothing of the order.
fn generation(operation: &Operation) -> Option<u64> {
    match &operation.outcome {
        Outcome::Live(live) if is_write(operation) || !live.stale => Some(live.generation),
        _ => None,
    }
}

fn is_write(operation: &Operation) -> bool {
    !matches!(operation.action, Action::Read { .. })
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::robustness::promises::given::{forge, live, publish};
    use crate::robustness::record::{Action, Outcome};

    #[test]
    fn a_run_is_rejected_in_which_two_writes_make_one_generation() {
        assert!(!forge(faults, |run| run.operations[1].outcome = live(1, 1, "two")).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_write_ends_before_an_earlier_one_began() {
        let swapped = forge(faults, |run| {
            (run.operations[0].started, run.operations[0].ended) = (31, 40);
            (run.operations[1].started, run.operations[1].ended) = (10, 20);
        });
        assert!(!swapped.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_write_was_made_in_another_state_than_it_named() {
        let other = forge(faults, |run| {
            run.operations[1].action = publish("two", Some(7));
        });
        assert!(!other.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_replica_shows_what_was_before_its_own_answer() {
        assert!(!forge(faults, |run| run.operations[2].outcome = live(1, 1, "one")).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_another_replica_shows_what_was_before_the_write_that_is_followed() {
        let behind = forge(faults, |run| {
            run.operations[2].replica = 1;
            run.operations[2].outcome = live(1, 1, "one");
        });
        assert!(!behind.is_empty());
        let not_followed = forge(faults, |run| {
            run.operations[2].replica = 1;
            run.operations[2].action = Action::Read { follows: false };
            run.operations[2].outcome = live(1, 1, "one");
        });
        assert_eq!(not_followed, Vec::<String>::new(), "another replica may be a moment behind");
    }

    #[test]
    fn a_run_is_rejected_in_which_a_read_shows_the_future() {
        assert!(!forge(faults, |run| (run.operations[2].started, run.operations[2].ended) = (1, 2)).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_read_shows_a_content_that_never_was() {
        assert!(!forge(faults, |run| run.operations[2].outcome = live(2, 2, "three")).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_what_was_refused_is_there() {
        assert!(!forge(faults, |run| run.operations[0].outcome = Outcome::NotDone { status: 503 }).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_nobody_was_faster_and_the_race_was_lost() {
        let lost = forge(faults, |run| {
            let mut again = run.operations[1].clone();
            (again.started, again.ended) = (22, 24);
            again.action = publish("never", Some(2));
            again.outcome = Outcome::LostRace;
            (run.operations[1].started, run.operations[1].ended) = (12, 20);
            run.ending.feed.truncate(2);
            run.operations.truncate(3);
            run.operations.push(again);
        });
        assert!(!lost.is_empty());
    }
}
