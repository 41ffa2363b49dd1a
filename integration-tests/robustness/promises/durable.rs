//! Durable: what was acknowledged is there in the end, as it was acknowledged.

use super::{Judged, released};
use crate::robustness::record::{Event, Operation, Outcome, Revision, Run};
use std::collections::HashMap;

pub fn judge(run: &Run) -> Judged {
    let makers = run.ending.makers();
    let mut judged = Judged::default();
    for operation in run.operations.iter().filter(|operation| operation.made().is_some()) {
        judged.fact(lost(run, &makers, operation));
    }
    released::durable(&mut judged, run);
    judged
}

fn lost(run: &Run, makers: &HashMap<(&str, u64), Vec<&Event>>, operation: &Operation) -> Option<String> {
    match &operation.outcome {
        Outcome::Live(live) => {
            let kept = run.ending.revision(&operation.worker_type, live.revision);
            let is_its = |kept: &Revision| operation.marker() == Some(kept.message.as_str());
            let shows = |kept: &Revision| kept.content_hash == live.content_hash && kept.marker == live.marker;
            let same = kept.is_some_and(|kept| is_its(kept) && shows(kept));
            (!same).then(|| format!("{operation:?} was acknowledged, and in the end there is {kept:?}"))
        }
        _ => {
            let made = makers.get(&(operation.worker_type.as_str(), operation.made()?));
            let kept = made.is_some_and(|made| made.iter().any(|event| operation.kind() == Some(event.kind.as_str())));
            (!kept).then(|| format!("{operation:?} was acknowledged, and the table of events does not have it"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::robustness::promises::given::{WORKER_TYPE, forge, forge_renewed};
    use crate::robustness::record::{Revision, Run};

    fn revision(run: &mut Run) -> &mut Revision {
        run.ending.revisions.get_mut(WORKER_TYPE).unwrap().get_mut(&1).unwrap()
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_revision_is_missing() {
        assert!(!forge(judge, |run| drop(run.ending.revisions.get_mut(WORKER_TYPE).unwrap().remove(&1))).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_revision_has_another_content() {
        assert!(!forge(judge, |run| revision(run).content_hash = "sha256:other".to_owned()).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_rollback_is_somebody_elses() {
        let other = |run: &mut Run| {
            let kept = run.ending.revisions.get_mut(WORKER_TYPE).unwrap();
            kept.get_mut(&6).unwrap().message = "another".to_owned();
        };
        assert_eq!(forge_renewed(judge, other).len(), 1);
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_deletion_did_not_happen() {
        assert!(!forge(judge, |run| run.ending.feed[2].kind = "worker-type-published".to_owned()).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_end_of_a_rollout_did_not_happen() {
        assert!(!forge(judge, |run| run.ending.feed[5].kind = "rollout-completed".to_owned()).is_empty());
        assert!(!forge(judge, |run| run.ending.feed.truncate(5)).is_empty());
    }
}
