//! Durable: what was acknowledged is there in the end, as it was acknowledged.

use crate::robustness::record::{Action, Event, Operation, Outcome, Run};
use std::collections::HashMap;

pub fn faults(run: &Run) -> Vec<String> {
    let makers = run.ending.makers();
    run.operations.iter().filter_map(|operation| lost(run, &makers, operation)).collect()
}

fn lost(run: &Run, makers: &HashMap<(&str, u64), Vec<&Event>>, operation: &Operation) -> Option<String> {
    match (&operation.action, &operation.outcome) {
        (Action::Publish { marker, .. }, Outcome::Live(live)) => {
            let kept = run.ending.revision(&operation.worker_type, live.revision);
            let same = kept.is_some_and(|kept| kept.content_hash == live.content_hash && kept.marker == *marker);
            (!same).then(|| format!("{operation:?} was acknowledged, and in the end there is {kept:?}"))
        }
        (Action::Delete { expects: Some(expects) }, Outcome::Done) => {
            let made = makers.get(&(operation.worker_type.as_str(), expects + 1));
            let kept = made.is_some_and(|made| made.iter().any(|event| event.kind == "worker-type-deleted"));
            (!kept).then(|| format!("{operation:?} was acknowledged, and the feed does not have it"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::robustness::promises::given::{WORKER_TYPE, forge};
    use crate::robustness::record::{Revision, Run};

    fn revision(run: &mut Run) -> &mut Revision {
        run.ending.revisions.get_mut(WORKER_TYPE).unwrap().get_mut(&1).unwrap()
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_revision_is_missing() {
        assert!(!forge(faults, |run| drop(run.ending.revisions.get_mut(WORKER_TYPE).unwrap().remove(&1))).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_revision_has_another_content() {
        assert!(!forge(faults, |run| revision(run).content_hash = "sha256:other".to_owned()).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_deletion_did_not_happen() {
        assert!(!forge(faults, |run| run.ending.feed[2].kind = "worker-type-published".to_owned()).is_empty());
    }
}
