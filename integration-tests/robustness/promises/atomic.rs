//! Atomic: a change is there as a whole, its revision, its event and its audit row, and wherever it is told it is the same.

use crate::robustness::record::{Action, Event, Operation, Outcome, Run};
use std::collections::{BTreeSet, HashMap};

/// How the feed calls it that a revision was published.
const PUBLISHES: [&str; 2] = ["worker-type-published", "rollout-started"];

pub fn faults(run: &Run) -> Vec<String> {
    let mut faults: Vec<String> = run.ending.tables.iter().map(|fault| format!("in the tables, {fault}")).collect();
    faults.extend(told_otherwise(run));
    let makers = run.ending.makers();
    faults.extend(run.operations.iter().filter_map(|operation| without_event(&makers, operation)));
    faults.extend(ended_twice(run));
    faults.extend(replicas_disagree(run));
    faults
}

fn told_otherwise(run: &Run) -> Vec<String> {
    let positions = run.ending.positions();
    let mut faults = Vec::new();
    for (reader, watch) in run.watches.iter().enumerate() {
        for event in watch.events() {
            let kept =
                positions.get(event.cursor.as_str()).and_then(|position| run.ending.feed.get(position.wrapping_sub(1)));
            if kept != Some(event) {
                faults.push(format!("reader {reader} heard {event:?}, but the feed has {kept:?}"));
            }
        }
    }
    faults
}

/// An acknowledged publish without exactly one event that makes its generation and its revision live.
fn without_event(makers: &HashMap<(&str, u64), Vec<&Event>>, operation: &Operation) -> Option<String> {
    let (Action::Publish { .. }, Outcome::Live(live)) = (&operation.action, &operation.outcome) else { return None };
    let made = makers.get(&(operation.worker_type.as_str(), live.generation)).map_or(&[][..], Vec::as_slice);
    let as_it_was = |event: &Event| event.revision == live.revision && PUBLISHES.contains(&event.kind.as_str());
    (!matches!(made, [one] if as_it_was(one)))
        .then(|| format!("{operation:?} was acknowledged, and its events are {made:?}"))
}

/// A rollout ends once, whoever ends it.
fn ended_twice(run: &Run) -> Vec<String> {
    let mut open = BTreeSet::new();
    let mut faults = Vec::new();
    for event in &run.ending.feed {
        let was_open = match event.kind.as_str() {
            "rollout-started" => !open.insert(&event.worker_type),
            _ => open.remove(&event.worker_type),
        };
        if matches!(event.kind.as_str(), "rollout-completed" | "rollout-aborted") && !was_open {
            faults.push(format!("no rollout was open at {event:?}"));
        }
    }
    faults
}

fn replicas_disagree(run: &Run) -> Vec<String> {
    let pairs = run.ending.standing.iter().zip(run.ending.standing.iter().skip(1));
    let differing = pairs.filter(|(one, other)| one != other);
    differing.map(|(one, other)| format!("in the end one replica says {one:?} and another {other:?}")).collect()
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::robustness::promises::given::{forge, forge_watch};
    use crate::robustness::record::Frame;

    #[test]
    fn a_run_is_rejected_in_which_a_revision_has_no_event() {
        assert!(!forge(faults, |run| run.ending.tables.push("revision 2 of a has no event".to_owned())).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_publish_has_no_event() {
        assert!(!forge(faults, |run| drop(run.ending.feed.pop())).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_reader_hears_of_another_revision_than_the_feed_has() {
        let other = forge_watch(faults, |watch| match &mut watch.streams[0].frames[1] {
            Frame::Event(event) => event.revision = 9,
            other => panic!("{other:?}"),
        });
        assert!(!other.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_rollout_ends_twice() {
        assert!(!forge(faults, |run| run.ending.feed[3].kind = "rollout-completed".to_owned()).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_replicas_do_not_agree_in_the_end() {
        assert!(!forge(faults, |run| run.ending.standing[1][0].generation = Some(1)).is_empty());
    }
}
