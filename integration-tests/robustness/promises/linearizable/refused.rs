//! What is refused did not happen, and what happened somebody asked for.

use super::{DELETED, Judged, Line, shown};
use crate::robustness::record::{Event, Operation, Outcome};

impl Line<'_> {
    pub(super) fn refusals(&self, judged: &mut Judged) {
        for operation in self.operations.iter().filter(|operation| operation.was_refused()) {
            judged.fact(self.done_all_the_same(operation));
        }
        self.unasked_for(judged);
    }

    /// What writes a revision is known by its message, wherever it is.
    fn done_all_the_same(&self, operation: &Operation) -> Option<String> {
        let marker = operation.marker()?;
        let revisions = self.run.ending.revisions.get(&operation.worker_type)?;
        let (number, _) = revisions.iter().find(|(_, revision)| revision.message == marker)?;
        Some(format!("it was refused, and made revision {number}: {operation:?}"))
    }

    /// Deletions and ends of rollouts have no words of their own: each is some acknowledged request's, or that of a
    /// request of which nobody knows what became, and no two are the same request's.
    fn unasked_for(&self, judged: &mut Judged) {
        let mut left: Vec<&Operation> =
            self.operations.iter().copied().filter(|one| matches!(one.outcome, Outcome::Unknown { .. })).collect();
        for (generation, event) in &self.made {
            let ends = matches!(event.kind.as_str(), DELETED | "rollout-completed" | "rollout-aborted");
            if !ends || self.run.ending.by_itself.contains(&event.cursor) {
                continue;
            }
            let mut acknowledged = self.operations.iter().filter(|one| one.made() == Some(*generation));
            if acknowledged.any(|one| one.kind() == Some(event.kind.as_str())) {
                judged.fact(None);
                continue;
            }
            let asked = self.one_that_may_have(event, &left);
            let fault =
                asked.is_none().then(|| format!("nobody asked for {event:?}, or who did was told that it was refused"));
            judged.fact(fault);
            left.retain(|one| !asked.is_some_and(|asked| std::ptr::eq(*one, asked)));
        }
    }

    /// Those that can have made only this change first: others may be needed for later ones.
    fn one_that_may_have<'a>(&self, event: &Event, left: &[&'a Operation]) -> Option<&'a Operation> {
        let seen = self
            .operations
            .iter()
            .filter(|one| one.made().or_else(|| shown(one)).is_some_and(|generation| generation >= event.generation));
        let seen = seen.map(|one| one.ended).min().unwrap_or(u64::MAX);
        let may = |one: &&&Operation| one.kind() == Some(event.kind.as_str()) && one.started <= seen;
        let mut only = left.iter().filter(may).filter(|one| one.expects() == Some(event.generation - 1));
        let mut any = left.iter().filter(may).filter(|one| one.expects().is_none());
        only.next().or_else(|| any.next()).copied()
    }
}
