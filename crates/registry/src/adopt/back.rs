//! Taking an adoption back: exactly those worker types that are still as it left them.

use super::plan::{Planned, Planning, lost_race, stored, vanished};
use super::step::{Step, moved};
use super::{Adoption, AdoptionOutcome, Left};
use crate::live::{Entry, LiveWorkerType};
use crate::store::StoreError;
use worker_types::{Item, WorkerTypeId, content_hash};

impl Planning<'_> {
    /// The way back of one worker type.
    ///
    /// # Errors
    /// The database does not answer.
    pub(super) fn back(
        &mut self,
        id: &WorkerTypeId,
        entry: Option<&Entry>,
        left: Option<&Left>,
    ) -> Result<Option<Planned>, StoreError> {
        let Some(left) = left else { return Ok(None) };
        let live = match entry {
            Some(Entry::Live(live)) => live,
            gone => return Ok(Some((vanished(id, left.generation, gone), None))),
        };
        if let Some(outcome) = changed_since(live, left) {
            return Ok(Some((Adoption::without(id, left.generation, outcome), None)));
        }
        let Some(step) = self.step_back(live, left)? else {
            let (release, before) = (&self.request.release, left.before);
            let message = format!("what is live is not what moving revision {before} to {release} makes of it");
            let outcome = AdoptionOutcome::Refused(vec![Item::new("not-adopted", "", message)]);
            return Ok(Some((Adoption::without(id, left.generation, outcome), None)));
        };
        Ok(Some((self.row(live, &step, Some(left.before)), Some(step))))
    }

    /// What was live before, if the adoption made of it what is live now: a plan that was never made, or one of another
    /// release, takes nothing back.
    fn step_back(&self, live: &LiveWorkerType, left: &Left) -> Result<Option<Step>, StoreError> {
        let Some(earlier) = self.registry.store.revision(&live.record.id, left.before)? else { return Ok(None) };
        let before = stored(&earlier.definition);
        let made = moved(&before, &self.request.release, &left.from);
        let made = made.filter(|made| content_hash(&made.definition) == live.revision.content_hash);
        Ok(made.map(|made| Step { definition: before, from: made.from }))
    }
}

/// What became of it since the adoption; none where it is as that left it.
fn changed_since(live: &LiveWorkerType, left: &Left) -> Option<AdoptionOutcome> {
    let now = live.record.generation;
    if now == left.generation {
        return None;
    }
    let is_back = now == left.generation.next() && live.revision.rollback_of == Some(left.before);
    Some(if is_back { AdoptionOutcome::Unchanged(live.revision.revision) } else { lost_race(live) })
}
