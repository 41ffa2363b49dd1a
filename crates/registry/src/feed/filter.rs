//! Which events a reader of the feed wants to hear of.

use std::collections::BTreeSet;
use std::str::FromStr;
use thiserror::Error;
use worker_types::{Event, EventKind};

/// What the ids of worker types begin with, as in `proj-build/` or `proj-build/linux`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerTypePrefix(String);

/// A text that no worker type's id begins with.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{given:?} begins no worker type's id; give the start of one, as in proj-build/ or proj-build/linux")]
pub struct UnusablePrefix {
    /// What was read, shortened.
    given: String,
}

impl FromStr for WorkerTypePrefix {
    type Err = UnusablePrefix;

    fn from_str(text: &str) -> Result<Self, UnusablePrefix> {
        let usable = match text.split_once('/') {
            Some((provisioner_id, worker_type)) => {
                !provisioner_id.is_empty() && begins_provisioner_id(provisioner_id) && begins_worker_type(worker_type)
            }
            None => begins_provisioner_id(text),
        };
        if usable { Ok(Self(text.to_owned())) } else { Err(UnusablePrefix { given: text.chars().take(120).collect() }) }
    }
}

/// As the pattern of `WorkerTypeId` has it.
fn begins_provisioner_id(text: &str) -> bool {
    text.len() <= 38 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn begins_worker_type(text: &str) -> bool {
    let may_stand = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.len() <= 38 && text.bytes().all(may_stand) && text.bytes().next().is_none_or(|byte| byte.is_ascii_lowercase())
}

/// Which events a reader wants: all, unless it says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Only those of worker types whose id begins so; then none of releases.
    pub worker_type_prefix: Option<WorkerTypePrefix>,
    /// Only those of these kinds.
    pub kinds: Option<BTreeSet<EventKind>>,
}

impl EventFilter {
    /// Whether nothing is left out.
    pub fn takes_all(&self) -> bool {
        self.worker_type_prefix.is_none() && self.kinds.is_none()
    }

    /// Whether the reader wants to hear of `event`.
    pub fn takes(&self, event: &Event) -> bool {
        let below = |prefix: &WorkerTypePrefix| {
            event.worker_type_id.as_ref().is_some_and(|id| id.as_str().starts_with(&prefix.0))
        };
        self.worker_type_prefix.as_ref().is_none_or(below)
            && self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&event.kind))
    }
}

#[cfg(test)]
mod tests {
    use super::{EventFilter, WorkerTypePrefix};
    use worker_types::{Event, EventKind, WorkerTypeId};

    #[test]
    fn a_prefix_is_what_an_id_can_begin_with() {
        let id = "proj-Build_1/linux-2";
        assert!(id.parse::<WorkerTypeId>().is_ok());
        for end in 0..=id.len() {
            assert!(id[..end].parse::<WorkerTypePrefix>().is_ok(), "{}", &id[..end]);
        }
        for bad in ["/", "/linux", "proj/Linux", "proj/2", "proj/-", "proj/a/b", "proj a", "proj.", "prój", "proj*"] {
            let refused = bad.parse::<WorkerTypePrefix>().unwrap_err().to_string();
            assert!(refused.contains(bad), "{refused}");
        }
        assert!("a".repeat(39).parse::<WorkerTypePrefix>().is_err());
        assert!(format!("p/{}", "a".repeat(39)).parse::<WorkerTypePrefix>().is_err());
    }

    fn event(kind: EventKind, worker_type: Option<&str>, release: Option<&str>) -> Event {
        Event {
            cursor: "c".to_owned(),
            kind,
            worker_type_id: worker_type.map(|id| id.parse().unwrap()),
            release: release.map(|id| id.parse().unwrap()),
            generation: None,
            revision: None,
            at: String::new(),
        }
    }

    #[test]
    fn a_prefix_leaves_out_other_worker_types_and_all_releases_and_kinds_leave_out_other_kinds() {
        let (published, marked) = (EventKind::WorkerTypePublished, EventKind::ReleaseMarked);
        let events = [
            event(published, Some("proj-a/x"), None),
            event(EventKind::WorkerTypeDeleted, Some("proj-a/x"), None),
            event(published, Some("proj-ab/x"), None),
            event(marked, None, Some("w@1")),
            event(EventKind::Unknown, Some("proj-a/x"), None),
        ];
        let taken = |prefix: Option<&str>, kinds: Option<&[EventKind]>| {
            let filter = EventFilter {
                worker_type_prefix: prefix.map(|prefix| prefix.parse().unwrap()),
                kinds: kinds.map(|kinds| kinds.iter().copied().collect()),
            };
            assert_eq!(filter.takes_all(), prefix.is_none() && kinds.is_none());
            let taken = events.iter().map(|event| if filter.takes(event) { 'x' } else { '-' });
            taken.collect::<String>()
        };
        assert_eq!(taken(None, None), "xxxxx");
        assert_eq!(taken(Some("proj-a/"), None), "xx--x");
        assert_eq!(taken(Some("proj-a"), None), "xxx-x");
        assert_eq!(taken(Some(""), None), "xxx-x", "every worker type, and no release");
        assert_eq!(taken(None, Some(&[published, marked])), "x-xx-");
        assert_eq!(taken(Some("proj-a/"), Some(&[published, marked])), "x----");
        assert_eq!(taken(None, Some(&[])), "-----");
    }
}
