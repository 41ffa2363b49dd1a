use super::content;
use registry::store::{ReplicaRecord, ReplicaReport};
use registry::{Counts, DatabaseStatus, FeedStatus, Replica, Status, StatusChange};
use std::time::Duration;
use worker_types::{Event, EventKind};

fn change(kind: EventKind, by: Option<&str>) -> StatusChange {
    let event = Event {
        cursor: "c".to_owned(),
        kind,
        worker_type_id: Some("proj/linux".parse().unwrap()),
        release: None,
        generation: None,
        revision: Some(worker_types::RevisionNumber(4)),
        at: "2027-01-02T11:57:00.000Z".to_owned(),
    };
    StatusChange { event, by: by.map(str::to_owned) }
}

/// A registry that is well, at noon.
fn well() -> Status {
    let mut replica = Replica::starting("host-7:8080", None);
    replica.started_at = "2027-01-02T11:00:00Z".parse().unwrap();
    let Replica { id, name, version, started_at, .. } = replica.clone();
    let report = ReplicaReport { id, name, version, started_at, applied: 7 };
    let noon = "2027-01-02T12:00:00Z".parse().unwrap();
    Status {
        computed_at: noon,
        counts: Counts {
            live: 1,
            deleted: 0,
            by_lifecycle: vec![("experimental", 0), ("active", 1)],
            by_validation: vec![("enforce", 1)],
            revisions: 4,
            releases: 0,
        },
        rollouts: Vec::new(),
        changes: vec![change(EventKind::RolloutAborted, Some("eve")), change(EventKind::WorkerTypeRolledBack, None)],
        feed: FeedStatus {
            newest: 7,
            applied: 7,
            oldest: Some(1),
            cursor: "c".to_owned(),
            watchers: 2,
            kept_for: Duration::from_secs(604_800),
            kept_count: 1_000_000,
        },
        replicas: vec![ReplicaRecord { report, seen_at: noon }],
        database: DatabaseStatus {
            kind: "SQLite",
            reachable: true,
            last_contact: Duration::from_millis(300),
            seen_at: Some(noon),
            bytes: Some(4_096),
        },
        unreadable: Vec::new(),
        replica,
    }
}

/// The words of a page, without its elements.
fn words(status: &Status, with_hosts: bool) -> String {
    let text = content(status, with_hosts).into_string();
    let words = text.split('<').filter_map(|part| part.split_once('>').map(|(_, words)| words));
    words.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_registry_that_is_well_has_no_notices_and_names_what_happened_last() {
    let status = well();
    let text = content(&status, false).into_string();
    assert!(!text.contains("notice"), "{text}");
    let words = words(&status, false);
    for expected in [
        "1 worker type live; 4 revisions",
        "None: one revision",
        "All is well.",
        "proj/linux rollout aborted: revision 4 is live alone again eve 3 min ago",
        "proj/linux rolled back: revision 4 has the content of an earlier one not known 3 min ago",
        "Reachable yes",
    ] {
        assert!(words.contains(expected), "{expected}: {words}");
    }
}

#[test]
fn a_database_that_is_away_is_said_in_words() {
    let mut status = well();
    status.database.reachable = false;
    status.database.last_contact = Duration::from_millis(12_400);
    let words = words(&status, false);
    assert!(words.contains("The database has not answered for 12 s. Live pages go on"), "{words}");
    assert!(words.contains("as of 12:00:00"), "{words}");
}

#[test]
fn a_lag_and_what_cannot_be_read_and_mixed_versions_are_said_in_words() {
    let mut status = well();
    status.feed.newest = 8;
    status.unreadable = vec!["proj/odd".parse().unwrap()];
    let mut other = status.replicas[0].clone();
    (other.report.id, other.report.version) = ("other".to_owned(), "0.0.9".to_owned());
    status.replicas.push(other);
    let words = words(&status, false);
    for expected in
        ["still to apply 1 change that", "cannot read what is live now of proj/odd", "different versions: 0.0.9, "]
    {
        assert!(words.contains(expected), "{expected}: {words}");
    }
}

#[test]
fn names_of_hosts_are_for_those_who_may_see_them() {
    assert!(!words(&well(), false).contains("host-7"));
    assert!(words(&well(), true).contains("host-7:8080"));
}

#[test]
fn a_server_that_was_not_seen_is_missed_and_one_that_was_seen_before_the_newest_event_is_not_behind() {
    let mut status = well();
    let mut other = status.replicas[0].clone();
    (other.report.id, other.report.applied) = ("other-one".to_owned(), 3);
    other.seen_at = "2027-01-02T11:59:51Z".parse().unwrap();
    status.replicas.push(other);
    let calm = words(&status, false);
    assert!(calm.contains("All is well.") && !calm.contains("behind") && calm.contains("9 s ago event 3"), "{calm}");

    status.replicas[1].seen_at = "2027-01-02T11:59:20Z".parse().unwrap();
    let missed = words(&status, false);
    assert!(missed.contains("has not said for 40 s that it is there") && missed.contains("not seen"), "{missed}");
    assert!(!missed.contains("All is well"), "{missed}");

    // The database was asked last at noon: a minute without it makes nobody missed.
    status.replicas[1].seen_at = "2027-01-02T11:59:51Z".parse().unwrap();
    status.database.reachable = false;
    status.computed_at = "2027-01-02T12:01:00Z".parse().unwrap();
    assert!(!words(&status, false).contains("has not said for"));
}
