//! A revision as people read it: the definition, what it resolves to, and its documentation in Markdown.

use crate::documentation::{self, Part};
use crate::error::ReadError;
use crate::live::bundle_of;
use crate::parsed::Parsed;
use crate::read::Live;
use crate::registry::Registry;
use crate::resolve::Resolved;
use crate::store::RevisionRecord;
use payload_schema::Prepared;
use std::sync::Arc;
use worker_types::{Caller, Definition, Generation, Pool, RevisionNumber, WorkerTypeId};

/// One revision with everything followed.
#[derive(Clone, Debug)]
pub struct View {
    /// As it is stored.
    pub revision: Arc<RevisionRecord>,
    /// What is live now under the id; none for one that was deleted.
    pub live: Option<Live>,
    /// As its author wrote it; the pool only for those who may see it.
    pub definition: Definition,
    /// The contracts, and the schemas that they refer to.
    pub resolved: Resolved,
    /// The worker type's, then each variant's, then each release's.
    pub documentation: Vec<Part>,
}

impl View {
    /// Whether this is the newest live revision.
    pub fn is_newest(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.revision.revision == self.revision.revision)
    }

    /// Whether it is live: the newest, or the one beside it during a rollout.
    pub fn is_live(&self) -> bool {
        let live = self.live.iter().flat_map(|live| &live.validation.revisions);
        live.into_iter().any(|revision| revision.revision == self.revision.revision)
    }

    /// The pool configuration, where the caller may see it.
    pub fn pool(&self) -> Option<&Pool> {
        self.definition.pool.as_ref()
    }
}

impl Registry {
    /// A revision as people read it; without a number, what is live.
    ///
    /// # Errors
    /// The id was never used, what was asked for does not exist or is not live any more, the database does not answer.
    pub async fn view(
        self: &Arc<Self>,
        caller: &Caller,
        id: &WorkerTypeId,
        number: Option<RevisionNumber>,
    ) -> Result<View, ReadError> {
        let sees_pool = caller.may_see_pool(id);
        let live = match (self.live(id), number) {
            (Ok(live), _) => Some(live),
            // History outlives what is live.
            (Err(ReadError::Deleted { .. }), Some(_)) => None,
            (Err(error), _) => return Err(error),
        };
        let wanted = number.filter(|number| live.as_ref().is_none_or(|live| live.revision.revision != *number));
        // Both revisions of a rollout are in memory: their pages go on without the database.
        let older = live.as_ref().and_then(|live| live.older()).filter(|older| wanted == Some(older.revision));
        let revision = match (wanted, older, &live) {
            (Some(_), Some(older), _) => older.clone(),
            (Some(number), None, _) => Arc::new(self.revision_record(id, number).await?),
            (None, _, Some(live)) => live.revision.clone(),
            (None, _, None) => return Err(self.unknown(id)),
        };
        let id = id.clone();
        let work = move |registry: &Self| {
            let releases = registry.snapshot();
            let Parsed { mut definition, resolved } = Parsed::of(&id, &revision, &registry.newest_releases(&releases))?;
            let documentation = documentation::parts(&definition, &resolved.variants);
            if !sees_pool {
                definition.pool = None;
            }
            Ok(View { revision, live, definition, resolved, documentation })
        };
        self.blocking(work).await
    }

    /// One variant of a revision that is read, as if it were live alone; none where this version cannot evaluate it.
    pub fn variant_alone(&self, id: &WorkerTypeId, view: &View, index: usize) -> Option<Prepared> {
        let variant = view.resolved.variants.get(index)?.clone();
        let resolved = Resolved { variants: vec![variant], schemas: view.resolved.schemas.clone() };
        let (number, hash) = (view.revision.revision, &view.revision.content_hash);
        let bundle = bundle_of(id, Generation(0), number, hash, &view.definition, resolved);
        self.evaluator.prepare(Arc::new(bundle)).ok()
    }
}
