//! Atomic: a change is there as a whole, its revision, its event and its audit row, and wherever it is told it is the same.

use super::{Judged, released};
use crate::robustness::record::{Event, Frame, Operation, Outcome, Run, Standing};
use integration_tests::state::State;
use std::collections::{BTreeMap, HashMap};

/// How the feed calls it that a revision was published to be rolled out, if something was live or not.
const PUBLISHES: [&str; 2] = ["worker-type-published", "rollout-started"];

pub fn judge(run: &Run) -> Judged {
    let mut judged = Judged::default();
    judged.faults.extend(run.ending.tables.iter().map(|fault| format!("in the tables, {fault}")));
    told_otherwise(&mut judged, run);
    let makers = run.ending.makers();
    for operation in run.operations.iter().filter(|operation| operation.made().is_some()) {
        judged.fact(without_event(&makers, operation));
    }
    let states = states(&mut judged, run);
    stands_elsewhere(&mut judged, run, &states);
    released::atomic(&mut judged, run);
    judged
}

/// What readers heard while it happened, and what each replica tells in the end, against the table of events.
fn told_otherwise(judged: &mut Judged, run: &Run) {
    let positions = run.ending.positions();
    for (reader, watch) in run.watches.iter().enumerate() {
        for event in watch.events() {
            let kept =
                positions.get(event.cursor.as_str()).and_then(|position| run.ending.feed.get(position.wrapping_sub(1)));
            // A filtered reader is told the same of what it is told.
            let differs = kept != Some(event) || !watch.filter.takes(event);
            judged.fact(differs.then(|| format!("reader {reader} heard {event:?}, but the table has {kept:?}")));
        }
    }
    let messages = run.watches.iter().flat_map(|watch| &watch.streams).flat_map(|stream| &stream.frames);
    for message in messages.filter(|message| matches!(message, Frame::Malformed { .. })) {
        judged.faults.push(format!("a reader was told what is no message of a feed: {message:?}"));
    }
    for telling in &run.ending.told {
        let (who, told, kept) =
            (format!("{} of replica {}", telling.how, telling.replica), &telling.events, &run.ending.feed);
        let differs = told.len() != kept.len();
        judged.fact(differs.then(|| format!("{who} tells {} changes, and the table has {}", told.len(), kept.len())));
        for (told, kept) in told.iter().zip(kept) {
            judged.fact((told != kept).then(|| format!("{who} tells {told:?}, and the table has {kept:?}")));
        }
    }
}

/// An acknowledged write without exactly one event of its kind that makes its generation.
fn without_event(makers: &HashMap<(&str, u64), Vec<&Event>>, operation: &Operation) -> Option<String> {
    let made = makers.get(&(operation.worker_type.as_str(), operation.made()?)).map_or(&[][..], Vec::as_slice);
    let is_of_its_kind = |event: &Event| match operation.kind() {
        Some(kind) => kind == event.kind,
        None => PUBLISHES.contains(&event.kind.as_str()),
    };
    let as_it_was = |event: &Event| match &operation.outcome {
        Outcome::Live(live) => event.revision == live.revision && is_of_its_kind(event),
        _ => is_of_its_kind(event),
    };
    (!matches!(made, [one] if as_it_was(one)))
        .then(|| format!("{operation:?} was acknowledged, and its events are {made:?}"))
}

/// Where the changes lead. Each has to be one that can follow: a rollout ends once, whoever ends it.
fn states<'a>(judged: &mut Judged, run: &'a Run) -> BTreeMap<&'a str, State> {
    let mut states: BTreeMap<&str, State> = BTreeMap::new();
    for event in run.ending.of_worker_types() {
        let state = states.entry(&event.worker_type).or_default();
        let follows = state.change(&event.kind, event.generation, event.revision);
        judged.fact(follows.err().map(|fault| format!("{fault}: {event:?}")));
    }
    states
}

/// What each replica says is live in the end, against where the changes lead.
fn stands_elsewhere(judged: &mut Judged, run: &Run, states: &BTreeMap<&str, State>) {
    let never = State::default();
    for (replica, standing) in run.ending.standing.iter().enumerate() {
        for stands in standing {
            let state = states.get(stands.worker_type.as_str()).unwrap_or(&never);
            let expected = Standing {
                worker_type: stands.worker_type.clone(),
                generation: state.generation,
                revision: state.live,
                older: state.older,
            };
            let differs = *stands != expected;
            judged
                .fact(differs.then(|| format!("in the end replica {replica} says {stands:?}, and it is {expected:?}")));
        }
        let missing = states.keys().filter(|id| !standing.iter().any(|stands| stands.worker_type == **id));
        judged.faults.extend(missing.map(|id| format!("replica {replica} was not asked about {id}")));
    }
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::robustness::promises::given::{END_ROLLOUT, forge, forge_renewed, forge_watch};
    use crate::robustness::record::{Frame, Outcome};

    #[test]
    fn a_run_is_rejected_in_which_a_revision_has_no_event() {
        assert!(!forge(judge, |run| run.ending.tables.push("revision 2 of a has no event".to_owned())).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_publish_has_no_event() {
        assert!(!forge(judge, |run| drop(run.ending.feed.remove(3))).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_end_of_a_rollout_has_no_event() {
        let elsewhere = |run: &mut crate::robustness::record::Run| {
            run.operations[END_ROLLOUT].outcome = Outcome::Done { generation: 4 };
        };
        assert!(!forge(judge, elsewhere).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_reader_hears_of_another_revision_than_the_table_has() {
        let other = forge_watch(judge, |watch| match &mut watch.streams[0].frames[1] {
            Frame::Event(event) => event.revision = 9,
            other => panic!("{other:?}"),
        });
        assert!(!other.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_replica_keeps_the_last_change_to_itself() {
        assert!(!forge(judge, |run| drop(run.ending.told[1].events.pop())).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_replica_tells_a_change_of_another_kind() {
        let other = |run: &mut crate::robustness::record::Run| {
            run.ending.told[0].events[2].kind = "worker-type-published".to_owned();
        };
        assert!(!forge(judge, other).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_rollback_or_a_change_of_a_rollout_is_told_as_something_else() {
        for place in [7, 9] {
            let other = forge_renewed(judge, |run| run.ending.feed[place].kind = "worker-type-published".to_owned());
            assert!(other.iter().any(|fault| fault.contains("was acknowledged, and its events are")), "{other:?}");
        }
    }

    #[test]
    fn a_run_is_rejected_in_which_a_rollout_ends_twice() {
        assert!(!forge(judge, |run| run.ending.feed[6].kind = "rollout-completed".to_owned()).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_replicas_do_not_agree_in_the_end() {
        assert!(!forge(judge, |run| run.ending.standing[1][0].generation = 1).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_replicas_agree_on_what_is_over() {
        let behind = forge(judge, |run| {
            for standing in &mut run.ending.standing {
                (standing[0].generation, standing[0].revision) = (6, Some(3));
            }
        });
        assert_eq!(behind.len(), 2);
        let open = forge(judge, |run| run.ending.standing.iter_mut().for_each(|stands| stands[0].older = Some(3)));
        assert_eq!(open.len(), 2, "a rollout that had ended");
        let gone = forge(judge, |run| run.ending.standing.iter_mut().for_each(|stands| stands[0].revision = None));
        assert_eq!(gone.len(), 2, "a tombstone that never was");
    }
}
