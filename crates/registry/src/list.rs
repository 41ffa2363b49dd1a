//! The list of worker types: the labels that an author can use, filtered and paged.

use crate::cursor::Cursor;
use crate::error::ReadError;
use crate::live::{Entry, LiveWorkerType};
use crate::registry::Registry;
use crate::search::Words;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use std::ops::Bound;
use worker_types::{LifecycleState, WorkerTypeId, content_hash};

/// Which worker types are listed. Every filter that is set must hold.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ListFilter {
    /// Words that all stand in the id, the description, the owner or a tag.
    pub query: Option<String>,
    /// The part of the id before the slash.
    pub provisioner_id: Option<String>,
    /// A variant runs this implementation.
    pub implementation: Option<String>,
    /// A variant comes from this release (`name@version`).
    pub release: Option<String>,
    /// The lifecycle state.
    pub lifecycle: Option<LifecycleState>,
    /// A tag.
    pub tag: Option<String>,
    /// Whether nothing is missing from its documentation.
    pub documented: Option<bool>,
}

/// One page.
#[derive(Clone, Debug)]
pub struct ListPage {
    /// In the order of their ids.
    pub worker_types: Vec<crate::Live>,
    /// For the next page; none on the last.
    pub continuation: Option<String>,
    /// The place in the feed from which a reader of the first page watches on.
    pub cursor: Cursor,
}

/// What a continuation token holds: the query it belongs to, the last id, the cursor of the first page.
#[derive(Serialize, Deserialize)]
struct Continuation {
    query: String,
    last: WorkerTypeId,
    epoch: String,
    sequence: u64,
}

/// What a page that a token continues has to show: the state that the first page was read from, or a later one. Between an
/// earlier one and the cursor that the list goes on from, changes would be lost.
///
/// # Errors
/// No list gave the token out.
pub fn continued_from(token: &str) -> Result<Cursor, ReadError> {
    let Continuation { epoch, sequence, .. } = read_token(token)?;
    Ok(Cursor { epoch, sequence })
}

impl Registry {
    /// A page of the live worker types. Wait for [`continued_from`] first where it goes on from another.
    ///
    /// # Errors
    /// The continuation token belongs to another query.
    pub fn list(&self, filter: &ListFilter, limit: usize, continuation: Option<&str>) -> Result<ListPage, ReadError> {
        let snapshot = self.snapshot();
        let query = filter.fingerprint();
        let continued = continuation.map(|token| decode(token, &query)).transpose()?;
        let start = continued.as_ref().map_or(Bound::Unbounded, |continued| Bound::Excluded(continued.last.clone()));
        let cursor = match &continued {
            Some(continued) => Cursor { epoch: continued.epoch.clone(), sequence: continued.sequence },
            None => snapshot.cursor(),
        };
        let mut worker_types: Vec<crate::Live> = Vec::new();
        let mut more = false;
        let words = Words::new(filter.query.as_deref().unwrap_or_default());
        for (_, entry) in snapshot.worker_types.range((start, Bound::Unbounded)) {
            let Entry::Live(live) = &**entry else { continue };
            if !words.are_in_summary(live) || !self.takes(filter, live) {
                continue;
            }
            if worker_types.len() == limit {
                more = true;
                break;
            }
            worker_types.push(crate::Live::of(entry.clone()));
        }
        let last = worker_types.last().filter(|_| more).map(|last| last.record.id.clone());
        let continuation = last
            .map(|last| encode(&Continuation { query, last, epoch: cursor.epoch.clone(), sequence: cursor.sequence }));
        Ok(ListPage { worker_types, continuation, cursor })
    }

    /// Whether every filter but the words holds.
    pub(crate) fn takes(&self, filter: &ListFilter, live: &LiveWorkerType) -> bool {
        let is_documented = |wanted| self.is_documented(live) == wanted;
        filter.takes(live) && filter.documented.is_none_or(is_documented)
    }
}

impl ListFilter {
    fn takes(&self, live: &LiveWorkerType) -> bool {
        let id = &live.record.id;
        let wants = |wanted: &Option<String>, has: &dyn Fn(&str) -> bool| wanted.as_deref().is_none_or(has);
        wants(&self.provisioner_id, &|wanted| id.provisioner_id() == wanted)
            && wants(&self.implementation, &|wanted| {
                live.summary.implementations.iter().any(|(name, _)| name == wanted)
            })
            && wants(&self.release, &|wanted| live.summary.releases.iter().any(|name| name == wanted))
            && wants(&self.tag, &|wanted| live.summary.tags.iter().any(|tag| tag == wanted))
            && self.lifecycle.is_none_or(|wanted| live.summary.lifecycle == wanted)
    }

    fn fingerprint(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        content_hash(&value).as_str()[7..23].to_owned()
    }
}

fn encode(continuation: &Continuation) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(serde_json::to_vec(continuation).unwrap_or_default())
}

fn decode(token: &str, query: &str) -> Result<Continuation, ReadError> {
    let continuation = read_token(token)?;
    if continuation.query == query { Ok(continuation) } else { Err(ReadError::InvalidContinuation) }
}

fn read_token(token: &str) -> Result<Continuation, ReadError> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).map_err(|_| ReadError::InvalidContinuation)?;
    serde_json::from_slice(&bytes).map_err(|_| ReadError::InvalidContinuation)
}
