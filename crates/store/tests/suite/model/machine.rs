//! The steps, and the model that takes them beside a store.

use crate::given::*;
use jiff::Timestamp;
use proptest::prelude::*;
use registry::Store;
use registry::store::{
    Author, Change, EventRecord, FeedBounds, ReleaseRecord, RevisionRecord, WorkerTypeRecord, WorkerTypeState,
};
use std::collections::BTreeMap;
use store::SqlStore;
use worker_types::{EventKind, Generation, ReleaseId, RolloutEnd, WorkerTypeId};

/// One thing that happens. Numbers are taken modulo what is there.
#[derive(Clone, Debug)]
pub enum Step {
    Publish { worker_type: u8, definition: String, older: Option<u32>, rollback_of: Option<u32> },
    Delete { worker_type: u8 },
    EndRollout { worker_type: u8, completes: bool },
    DecideNothing { worker_type: u8 },
    Release { version: u8, content: String },
    Compact { keep: u64 },
    Restart,
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let worker_type = 0..3_u8;
    let text = "[ -~äß\u{1f600}\n]{0,20}";
    let number = proptest::option::weighted(0.3, 0..20_u32);
    let publish = (worker_type.clone(), text, number.clone(), number).prop_map(
        |(worker_type, definition, older, rollback_of)| Step::Publish { worker_type, definition, older, rollback_of },
    );
    let step = prop_oneof![
        8 => publish,
        2 => worker_type.clone().prop_map(|worker_type| Step::Delete { worker_type }),
        3 => (worker_type.clone(), any::<bool>())
            .prop_map(|(worker_type, completes)| Step::EndRollout { worker_type, completes }),
        1 => worker_type.prop_map(|worker_type| Step::DecideNothing { worker_type }),
        2 => (0..4_u8, text).prop_map(|(version, content)| Step::Release { version, content }),
        1 => (0..8_u64).prop_map(|keep| Step::Compact { keep }),
        1 => Just(Step::Restart),
    ];
    proptest::collection::vec(step, 0..40)
}

pub struct Model {
    worker_types: BTreeMap<WorkerTypeId, (WorkerTypeRecord, Vec<RevisionRecord>)>,
    releases: BTreeMap<ReleaseId, ReleaseRecord>,
    events: Vec<EventRecord>,
    feed: FeedBounds,
}

impl Model {
    pub fn new(store: &SqlStore) -> Self {
        let feed = FeedBounds { epoch: store.feed().unwrap().epoch, newest: 0, compacted: 0 };
        Self { worker_types: BTreeMap::new(), releases: BTreeMap::new(), events: Vec::new(), feed }
    }

    pub fn take(&mut self, store: &SqlStore, step: &Step) {
        let author = author();
        match step {
            Step::Publish { worker_type, definition, older, rollback_of } => {
                self.publish(store, &author, &name(*worker_type), definition, *older, *rollback_of);
            }
            Step::Delete { worker_type } => self.delete(store, &author, &name(*worker_type)),
            Step::EndRollout { worker_type, completes } => {
                self.end_rollout(store, &author, &name(*worker_type), *completes);
            }
            Step::DecideNothing { worker_type } => {
                let id = name(*worker_type);
                let mut seen = None;
                let decided = store.change_worker_type(&id, &author, &mut |current| {
                    seen = current.cloned();
                    None
                });
                assert_eq!((decided.unwrap(), seen.as_ref()), (None, self.record(&id)));
            }
            Step::Release { version, content } => {
                let given = release(&format!("w@{version}"), content);
                let (there, sequence) = store.publish_release(&given, &author).unwrap();
                let known = self.releases.contains_key(&given.id);
                assert_eq!(&there, self.releases.entry(given.id.clone()).or_insert(given.clone()));
                if !known {
                    self.happened(EventKind::ReleasePublished, author.at, None, Some(given.id));
                }
                assert_eq!(sequence, (!known).then_some(self.feed.newest));
            }
            Step::Compact { keep } => {
                let compacted = self.feed.newest.saturating_sub(*keep).max(self.feed.compacted);
                let forgotten = store.compact_events(Timestamp::UNIX_EPOCH, *keep).unwrap();
                assert_eq!(forgotten, compacted - self.feed.compacted);
                self.feed.compacted = compacted;
                self.events.retain(|event| event.sequence > compacted);
            }
            Step::Restart => {}
        }
    }

    fn publish(
        &mut self,
        store: &SqlStore,
        author: &Author,
        id: &WorkerTypeId,
        definition: &str,
        older: Option<u32>,
        rollback_of: Option<u32>,
    ) {
        let current = self.record(id).cloned();
        let last = current.as_ref().map_or(0, |record| record.last_revision.0);
        let among = |chosen: Option<u32>| chosen.filter(|_| last > 0).map(|chosen| number(chosen % last + 1));
        let (older, rollback_of) = (among(older), among(rollback_of));
        let compatibility = older.map(|older| format!("{{ \"against\": [{older}] }}"));
        let revision = RevisionRecord {
            revision: number(last + 1),
            content_hash: hash_of(definition),
            definition: definition.to_owned(),
            warnings: "[]".to_owned(),
            published_at: author.at,
            published_by: author.name.clone(),
            message: author.message.clone(),
            rollback_of,
            compatibility: compatibility.clone(),
        };
        let (_, history) = self.worker_types.entry(id.clone()).or_insert_with(|| {
            let state = WorkerTypeState::Deleted { at: author.at, by: String::new() };
            (
                WorkerTypeRecord { id: id.clone(), generation: Generation(1), last_revision: number(1), state },
                Vec::new(),
            )
        });
        let beside = older.map(|older| history[older.0 as usize - 1].clone());
        history.push(revision.clone());
        let record = WorkerTypeRecord {
            id: id.clone(),
            generation: Generation(current.as_ref().map_or(1, |record| record.generation.0 + 1)),
            last_revision: revision.revision,
            state: WorkerTypeState::Live { revision: revision.into(), older: beside.map(Into::into) },
        };
        let kind = match (older, rollback_of) {
            (Some(_), _) => EventKind::RolloutStarted,
            (None, Some(_)) => EventKind::WorkerTypeRolledBack,
            (None, None) => EventKind::WorkerTypePublished,
        };
        let decided = Change::Publish {
            definition: definition.to_owned(),
            content_hash: hash_of(definition),
            warnings: "[]".to_owned(),
            older,
            rollback_of,
            compatibility,
        };
        self.changed(store, author, current.as_ref(), kind, record, &decided);
    }

    fn delete(&mut self, store: &SqlStore, author: &Author, id: &WorkerTypeId) {
        let Some(current) =
            self.record(id).filter(|record| matches!(record.state, WorkerTypeState::Live { .. })).cloned()
        else {
            store.change_worker_type(id, author, &mut |_| Some(Change::Delete)).unwrap_err();
            return;
        };
        let record = WorkerTypeRecord {
            generation: current.generation.next(),
            state: WorkerTypeState::Deleted { at: author.at, by: author.name.clone() },
            ..current.clone()
        };
        self.changed(store, author, Some(&current), EventKind::WorkerTypeDeleted, record, &Change::Delete);
    }

    fn end_rollout(&mut self, store: &SqlStore, author: &Author, id: &WorkerTypeId, completes: bool) {
        let end = if completes { RolloutEnd::Completed } else { RolloutEnd::Aborted };
        let current = self.record(id).cloned();
        let Some(WorkerTypeState::Live { revision, older: Some(older) }) =
            current.as_ref().map(|current| current.state.clone())
        else {
            store.change_worker_type(id, author, &mut |_| Some(Change::EndRollout(end))).unwrap_err();
            return;
        };
        let (stays, kind) =
            if completes { (revision, EventKind::RolloutCompleted) } else { (older, EventKind::RolloutAborted) };
        let current = current.unwrap();
        let record = WorkerTypeRecord {
            generation: current.generation.next(),
            state: WorkerTypeState::Live { revision: stays, older: None },
            ..current.clone()
        };
        self.changed(store, author, Some(&current), kind, record, &Change::EndRollout(end));
    }

    fn changed(
        &mut self,
        store: &SqlStore,
        author: &Author,
        before: Option<&WorkerTypeRecord>,
        kind: EventKind,
        after: WorkerTypeRecord,
        decided: &Change,
    ) {
        let answered = store.change_worker_type(&after.id, author, &mut |current| {
            assert_eq!(current, before);
            Some(decided.clone())
        });
        self.happened(kind, author.at, Some(&after), None);
        assert_eq!(answered.unwrap(), Some((after.clone(), self.events.last().unwrap().clone())));
        let id = after.id.clone();
        self.worker_types.get_mut(&id).unwrap().0 = after;
    }

    fn happened(&mut self, kind: EventKind, at: Timestamp, of: Option<&WorkerTypeRecord>, release: Option<ReleaseId>) {
        self.feed.newest += 1;
        self.events.push(EventRecord {
            sequence: self.feed.newest,
            kind,
            worker_type_id: of.map(|record| record.id.clone()),
            release,
            generation: of.map(|record| record.generation),
            revision: of.map(|record| match &record.state {
                WorkerTypeState::Live { revision, .. } => revision.revision,
                WorkerTypeState::Deleted { .. } => record.last_revision,
            }),
            at,
        });
    }

    fn record(&self, id: &WorkerTypeId) -> Option<&WorkerTypeRecord> {
        self.worker_types.get(id).map(|(record, _)| record)
    }

    pub fn compare(&self, store: &SqlStore) {
        let loaded = store.load().unwrap();
        assert!(loaded.worker_types.iter().eq(self.worker_types.values().map(|(record, _)| record)));
        assert!(loaded.releases.iter().eq(self.releases.values()));
        assert_eq!(loaded.feed, self.feed);
        assert_eq!(store.events(0, usize::MAX).unwrap(), self.events);
        for (id, known) in &self.worker_types {
            assert_eq!(store.history(id).unwrap().as_ref(), Some(known));
            assert_eq!(store.worker_type(id).unwrap().as_ref(), Some(&known.0));
        }
    }
}

fn name(worker_type: u8) -> WorkerTypeId {
    id(&format!("p/w{worker_type}"))
}
