//! The change feed's entries, read so that a newer server's do no harm.

use serde::Deserialize;
use worker_types::{EventKind, Generation, ReleaseId, RevisionNumber, WorkerTypeId};

/// What the feed sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedItem {
    /// Something changed.
    Event(FeedEvent),
    /// Nothing changed up to here: resume from this cursor.
    Bookmark {
        /// Opaque.
        cursor: String,
    },
    /// The server ends the stream, and says why.
    End {
        /// Why.
        why: FeedEnd,
        /// In words.
        message: String,
    },
}

/// Why the server ends a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedEnd {
    /// More came than this reader took. Resume from the last cursor.
    SlowReader,
    /// What comes next is no longer kept. List again.
    CursorGone,
    /// The database is away. Resume later.
    Unavailable,
    /// The server is shutting down. Resume from the last cursor.
    Closing,
}

impl FeedEnd {
    fn named(event: &str) -> Option<Self> {
        Some(match event {
            "slow-reader" => Self::SlowReader,
            "cursor-gone" => Self::CursorGone,
            "unavailable" => Self::Unavailable,
            "closing" => Self::Closing,
            _ => return None,
        })
    }
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FeedEvent {
    /// Resume after this change with this cursor. Opaque.
    pub cursor: String,
    /// What happened.
    pub kind: FeedKind,
    /// To which worker type.
    #[serde(default)]
    pub worker_type_id: Option<WorkerTypeId>,
    /// To which release.
    #[serde(default)]
    pub release: Option<ReleaseId>,
    /// The worker type's generation afterwards.
    #[serde(default)]
    pub generation: Option<Generation>,
    /// The revision that became live, or the last one of a tombstone.
    #[serde(default)]
    pub revision: Option<RevisionNumber>,
    /// RFC 3339, UTC.
    #[serde(default)]
    pub at: Option<String>,
}

/// What happened, also when this version has no word for it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum FeedKind {
    /// One of the kinds of this version.
    Known(EventKind),
    /// A kind of a newer version.
    Other(String),
}

impl From<String> for FeedKind {
    fn from(text: String) -> Self {
        text.parse().map_or(Self::Other(text), Self::Known)
    }
}

/// The data of a `bookmark`.
#[derive(Deserialize)]
struct Bookmark {
    cursor: String,
}

/// The data of the last event.
#[derive(Deserialize)]
struct LastWords {
    #[serde(default)]
    message: String,
}

impl FeedItem {
    /// Reads one server-sent event; none for those that carry nothing.
    pub(crate) fn read(event: Option<&str>, data: Option<&str>) -> Option<Result<Self, serde_json::Error>> {
        let data = data?;
        if event == Some("bookmark") {
            return Some(serde_json::from_str(data).map(|Bookmark { cursor }| Self::Bookmark { cursor }));
        }
        Some(match event.and_then(FeedEnd::named) {
            Some(why) => serde_json::from_str(data).map(|LastWords { message }| Self::End { why, message }),
            None => serde_json::from_str(data).map(Self::Event),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{FeedEnd, FeedItem, FeedKind};
    use worker_types::{EventKind, Generation};

    #[test]
    fn an_event_of_a_newer_server_still_says_what_changed() {
        let data =
            r#"{"cursor": "c", "kind": "worker-type-paused", "workerTypeId": "p/w", "generation": 4, "new": {}}"#;
        let Some(Ok(FeedItem::Event(event))) = FeedItem::read(Some("worker-type-paused"), Some(data)) else { panic!() };
        assert_eq!(event.kind, FeedKind::Other("worker-type-paused".to_owned()));
        assert_eq!(event.worker_type_id.unwrap().as_str(), "p/w");
        assert_eq!(event.generation, Some(Generation(4)));
    }

    #[test]
    fn known_kinds_bookmarks_and_emptiness_are_told_apart() {
        let data = r#"{"cursor": "c", "kind": "worker-type-deleted", "workerTypeId": "p/w", "generation": 4, "revision": 2, "at": "2027-01-01T00:00:00Z"}"#;
        let Some(Ok(FeedItem::Event(event))) = FeedItem::read(Some("worker-type-deleted"), Some(data)) else {
            panic!()
        };
        assert_eq!(event.kind, FeedKind::Known(EventKind::WorkerTypeDeleted));
        let bookmark = FeedItem::read(Some("bookmark"), Some(r#"{"cursor": "d"}"#)).unwrap().unwrap();
        assert_eq!(bookmark, FeedItem::Bookmark { cursor: "d".to_owned() });
        let end = FeedItem::read(Some("closing"), Some(r#"{"cursor": "d", "message": "bye"}"#)).unwrap().unwrap();
        assert_eq!(end, FeedItem::End { why: FeedEnd::Closing, message: "bye".to_owned() });
        assert!(FeedItem::read(Some("bookmark"), None).is_none());
        assert!(FeedItem::read(None, Some("rubbish")).unwrap().is_err());
    }
}
