//! What makes live again what was written before: a rollback, and a change of the rollout that is open. What it writes has
//! the words of another revision, and a message of its own.

use super::{Judged, Line, ROLLING};
use crate::robustness::record::{Action, Live, Operation, Outcome};

impl Line<'_> {
    /// The answer against what it made, or against what was there already.
    pub(super) fn wrong_renewal(&self, operation: &Operation, marker: &str, live: &Live) -> Option<String> {
        let made = self.generations.get(marker);
        match operation.outcome {
            Outcome::Unchanged(_) if made.is_some() => Some(format!("it made generation {made:?} all the same")),
            Outcome::Unchanged(_) => {
                self.wrong_read(operation, live).or_else(|| self.wrongly_unchanged(operation, live))
            }
            _ if made != Some(&live.generation) => Some(format!("it made generation {made:?}")),
            _ => self.wrong_read(operation, live).or_else(|| self.wrong_write(operation, live.generation)),
        }
    }

    /// Going back to what is live is no change, unless a rollout is open: it ends with it.
    fn wrongly_unchanged(&self, operation: &Operation, live: &Live) -> Option<String> {
        let Action::Rollback { revision, .. } = operation.action else { return None };
        let wanted = self.run.ending.revision(&operation.worker_type, revision);
        let same = wanted.is_some_and(|wanted| wanted.content_hash == live.content_hash);
        let is_rolling = self.made.get(&live.generation).is_some_and(|made| made.kind == ROLLING);
        (!same || is_rolling).then(|| format!("nothing was written, and it asked for {wanted:?}"))
    }

    /// No revision of a history ever goes.
    pub(super) fn wrongly_unknown(&self, operation: &Operation, revision: u64) -> Option<String> {
        let shows = |one: &&&Operation| match &one.outcome {
            Outcome::Live(live) | Outcome::Unchanged(live) => live.revision >= revision,
            _ => false,
        };
        let earlier = self.operations.iter().filter(|one| one.ended < operation.started).find(shows)?;
        Some(format!("there is no such revision, though there was before, in {earlier:?}"))
    }

    /// Those that were made, also where nobody was told, against the revision whose words they have.
    pub(super) fn renewals(&self, judged: &mut Judged) {
        for operation in &self.operations {
            let Some(generation) = self.made_by(operation) else { continue };
            let source = match operation.action {
                Action::Rollback { revision, .. } => Some(revision),
                Action::ChangeRollout { .. } => self.rolling_before(generation),
                _ => continue,
            };
            judged.fact(self.wrong_words(operation, generation, source));
        }
    }

    /// The newer revision of the rollout that is open before this generation.
    fn rolling_before(&self, generation: u64) -> Option<u64> {
        let before = self.made.get(&generation.checked_sub(1)?)?;
        (before.kind == ROLLING).then_some(before.revision)
    }

    fn wrong_words(&self, operation: &Operation, generation: u64, source: Option<u64>) -> Option<String> {
        let revision = |number| self.run.ending.revision(&operation.worker_type, number);
        let made = self.made.get(&generation);
        let same = match (made.and_then(|made| revision(made.revision)), source.and_then(revision)) {
            // Its rollout is another, so that the content is not the same.
            (Some(kept), Some(source)) if matches!(operation.action, Action::ChangeRollout { .. }) => {
                kept.marker == source.marker
            }
            (Some(kept), Some(source)) => kept.marker == source.marker && kept.content_hash == source.content_hash,
            _ => false,
        };
        let is_its = made.is_some_and(|made| operation.kind() == Some(made.kind.as_str()));
        (!same || !is_its)
            .then(|| format!("{operation:?} made {made:?}, which has not the words of revision {source:?}"))
    }
}

#[cfg(test)]
mod tests {
    use crate::robustness::promises::given::{CHANGE, ROLLBACK, UNCHANGED, WORKER_TYPE, forge_renewed, live, revision};
    use crate::robustness::promises::linearizable::judge;
    use crate::robustness::record::{Action, Outcome, Revision, Run};

    fn is_rejected(change: impl FnOnce(&mut Run)) {
        assert_ne!(forge_renewed(judge, change), Vec::<String>::new());
    }

    fn is_accepted(change: impl FnOnce(&mut Run)) {
        assert_eq!(forge_renewed(judge, change), Vec::<String>::new());
    }

    fn kept(run: &mut Run, number: u64) -> &mut Revision {
        run.ending.revisions.get_mut(WORKER_TYPE).unwrap().get_mut(&number).unwrap()
    }

    const UNKNOWN: Outcome = Outcome::Unknown { why: String::new() };

    #[test]
    fn a_run_is_rejected_in_which_a_rollback_makes_another_revision_live_again() {
        is_rejected(|run| {
            *kept(run, 6) = revision("back", "two");
            run.operations[ROLLBACK].outcome = live(8, 6, "two");
        });
        // Also where nobody was told.
        is_rejected(|run| {
            *kept(run, 6) = revision("back", "two");
            run.operations[ROLLBACK].outcome = UNKNOWN;
        });
        is_accepted(|run| run.operations[ROLLBACK].outcome = UNKNOWN);
    }

    #[test]
    fn a_run_is_rejected_in_which_the_rollout_of_something_else_is_changed() {
        is_rejected(|run| {
            kept(run, 8).marker = "one".to_owned();
            run.operations[CHANGE].outcome = UNKNOWN;
        });
        is_accepted(|run| run.operations[CHANGE].outcome = UNKNOWN);
    }

    #[test]
    fn a_run_is_rejected_in_which_a_rollout_is_changed_that_was_not_open() {
        is_rejected(|run| run.ending.feed[8].kind = "worker-type-published".to_owned());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_rollback_or_a_change_is_told_as_something_else() {
        for place in [7, 9] {
            is_rejected(|run| run.ending.feed[place].kind = "worker-type-published".to_owned());
        }
    }

    #[test]
    fn a_run_is_rejected_in_which_a_rollback_is_answered_with_what_it_did_not_make() {
        is_rejected(|run| run.operations[ROLLBACK].outcome = live(7, 5, "five"));
        is_rejected(|run| run.operations[ROLLBACK].outcome = live(8, 6, "two"));
    }

    #[test]
    fn a_run_is_rejected_in_which_a_rollback_was_made_in_another_state_than_it_named() {
        is_rejected(|run| {
            run.operations[ROLLBACK].action =
                Action::Rollback { marker: "back".to_owned(), revision: 1, expects: Some(5) };
        });
    }

    #[test]
    fn a_run_is_rejected_in_which_a_refused_rollback_or_change_is_there() {
        for write in [ROLLBACK, CHANGE] {
            is_rejected(|run| run.operations[write].outcome = Outcome::NotDone { status: 503 });
        }
    }

    #[test]
    fn a_run_is_rejected_in_which_nothing_was_to_be_written_though_something_else_was_live() {
        is_rejected(|run| {
            run.operations[UNCHANGED].action =
                Action::Rollback { marker: "again".to_owned(), revision: 7, expects: None };
        });
        // The rollout would have ended with it.
        is_rejected(|run| {
            (run.operations[UNCHANGED].started, run.operations[UNCHANGED].ended) = (131, 139);
            if let Outcome::Unchanged(live) = &mut run.operations[UNCHANGED].outcome {
                live.generation = 10;
            }
        });
        // It shows what was over when it was asked.
        is_rejected(|run| {
            if let Outcome::Live(before) = live(8, 6, "one") {
                run.operations[UNCHANGED].action =
                    Action::Rollback { marker: "again".to_owned(), revision: 1, expects: None };
                run.operations[UNCHANGED].outcome = Outcome::Unchanged(before);
            }
        });
    }

    #[test]
    fn a_run_is_rejected_in_which_a_revision_is_unknown_that_was_acknowledged() {
        is_rejected(|run| run.operations[UNCHANGED].outcome = Outcome::NotDone { status: 404 });
        is_accepted(|run| {
            run.operations[UNCHANGED].action =
                Action::Rollback { marker: "again".to_owned(), revision: 9, expects: None };
            run.operations[UNCHANGED].outcome = Outcome::NotDone { status: 404 };
        });
    }
}
