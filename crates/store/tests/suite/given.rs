//! Builders: worker types, authors and changes in a few words.

use jiff::Timestamp;
use registry::Store;
use registry::store::{Author, Change, ReleaseRecord, RevisionRecord, WorkerTypeRecord, WorkerTypeState};
use std::sync::atomic::{AtomicI64, Ordering};
use worker_types::{ContentHash, ReleaseId, RevisionNumber, WorkerTypeId, content_hash};

pub fn id(text: &str) -> WorkerTypeId {
    text.parse().unwrap()
}

pub fn release_id(text: &str) -> ReleaseId {
    text.parse().unwrap()
}

pub fn number(number: u32) -> RevisionNumber {
    RevisionNumber(number)
}

pub fn hash_of(text: &str) -> ContentHash {
    content_hash(&text.into())
}

/// Each a microsecond after the one before.
pub fn now() -> Timestamp {
    static NEXT: AtomicI64 = AtomicI64::new(1_700_000_000_000_000);
    Timestamp::from_microsecond(NEXT.fetch_add(1, Ordering::Relaxed)).unwrap()
}

pub fn author() -> Author {
    Author {
        name: "ann".to_owned(),
        at: now(),
        message: Some("because".to_owned()),
        request_id: Some("r-1".to_owned()),
    }
}

pub fn publish(definition: &str) -> Change {
    Change::Publish {
        definition: definition.to_owned(),
        content_hash: hash_of(definition),
        warnings: "[]".to_owned(),
        older: None,
        rollback_of: None,
        compatibility: None,
    }
}

/// With `older` staying live.
pub fn roll_out(definition: &str, stays: u32) -> Change {
    let Change::Publish { definition, content_hash, warnings, rollback_of, compatibility, .. } = publish(definition)
    else {
        unreachable!("publish() publishes")
    };
    Change::Publish { definition, content_hash, warnings, older: Some(number(stays)), rollback_of, compatibility }
}

/// The content of revision `of` comes back.
pub fn roll_back(definition: &str, of: u32) -> Change {
    let Change::Publish { definition, content_hash, warnings, older, compatibility, .. } = publish(definition) else {
        unreachable!("publish() publishes")
    };
    Change::Publish { definition, content_hash, warnings, older, rollback_of: Some(number(of)), compatibility }
}

/// Changes `id` whatever is there; answers the new state and the sequence of its event, which is as the feed has it.
pub fn change(store: &dyn Store, id: &WorkerTypeId, change: &Change) -> (WorkerTypeRecord, u64) {
    let changed = store.change_worker_type(id, &author(), &mut |_| Some(change.clone()));
    let (record, event) = changed.unwrap().expect("a change was decided");
    assert_eq!(store.events(event.sequence - 1, 1).unwrap(), std::slice::from_ref(&event));
    (record, event.sequence)
}

pub fn release(text: &str, content: &str) -> ReleaseRecord {
    ReleaseRecord {
        id: release_id(text),
        content_hash: hash_of(content),
        content: content.to_owned(),
        warnings: "[]".to_owned(),
        published_at: now(),
        published_by: "ann".to_owned(),
        message: None,
        mark: None,
    }
}

/// The revision that is live.
pub fn live(record: &WorkerTypeRecord) -> &RevisionRecord {
    match &record.state {
        WorkerTypeState::Live { revision, .. } => revision,
        WorkerTypeState::Deleted { .. } => panic!("{} is deleted", record.id),
    }
}

/// The revision that is live beside it.
pub fn older(record: &WorkerTypeRecord) -> Option<&RevisionRecord> {
    match &record.state {
        WorkerTypeState::Live { older, .. } => older.as_deref(),
        WorkerTypeState::Deleted { .. } => None,
    }
}
