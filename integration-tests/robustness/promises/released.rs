//! What the promises say of releases, which one client writes: a release is published once and withdrawn once, has an event
//! for each, and no other.

use super::Judged;
use crate::robustness::record::Run;
use crate::robustness::releases::{Answered, MARKED, PUBLISHED, ReleaseWrite};
use std::collections::{BTreeMap, BTreeSet};

/// Where the changes of each release stand in the feed, by kind; from 1.
type Places<'a> = BTreeMap<(&'a str, &'a str), Vec<usize>>;

fn places(run: &Run) -> Places<'_> {
    let mut places = Places::new();
    for (event, place) in run.ending.feed.iter().zip(1..) {
        if let Some(release) = &event.release {
            places.entry((release, &event.kind)).or_default().push(place);
        }
    }
    places
}

fn of<'a>(places: &'a Places<'a>, release: &'a str, kind: &'a str) -> &'a [usize] {
    places.get(&(release, kind)).map_or(&[], Vec::as_slice)
}

/// What was acknowledged has one event; each release is published before it is marked, and shown as its events say.
pub(super) fn atomic(judged: &mut Judged, run: &Run) {
    let places = places(run);
    for write in run.releases.iter().filter(|write| write.was_acknowledged()) {
        let made = of(&places, &write.release, write.kind());
        let fault = (made.len() != 1).then(|| format!("{write:?} was acknowledged, and its events are {made:?}"));
        judged.fact(fault);
    }
    let ids: BTreeSet<&str> = places.keys().map(|(release, _)| *release).collect();
    for release in ids {
        let [published, marked] = [PUBLISHED, MARKED].map(|kind| of(&places, release, kind));
        let follows = match (published, marked) {
            ([_], []) => true,
            ([first], [second]) => first < second,
            _ => false,
        };
        judged.fact((!follows).then(|| format!("{release} is published at {published:?} and marked at {marked:?}")));
        for (replica, releases) in run.ending.releases.iter().enumerate() {
            let kept = releases.get(release);
            let same = kept.is_some_and(|kept| kept.withdrawn.is_some() != marked.is_empty());
            judged.fact((!same).then(|| {
                format!("in the end replica {replica} shows {kept:?} of {release}, which is marked at {marked:?}")
            }));
        }
    }
}

/// What was acknowledged is there in the end, in the same words.
pub(super) fn durable(judged: &mut Judged, run: &Run) {
    for write in run.releases.iter().filter(|write| write.was_acknowledged()) {
        for (replica, releases) in run.ending.releases.iter().enumerate() {
            let kept = releases.get(&write.release);
            let same = kept.is_some_and(|kept| kept.is_as(&write.wanted));
            judged.fact(
                (!same).then(|| format!("{write:?} was acknowledged, and in the end replica {replica} has {kept:?}")),
            );
        }
    }
}

/// The client's writes follow one another; what is refused did not happen, and what happened was asked for.
pub(super) fn linearizable(judged: &mut Judged, run: &Run) {
    let places = places(run);
    let positions = run.ending.positions();
    let mut before = 0;
    for write in &run.releases {
        let made = of(&places, &write.release, write.kind()).first().copied();
        let named = write.place.as_ref().and_then(|cursor| positions.get(cursor.as_str()).copied());
        let fault = match &write.answered {
            Answered::Malformed { why } => Some(format!("the answer shows something else: {why}")),
            // Nothing that this client asks for is wrong, and nobody else changes its releases.
            Answered::NotDone { status } => (*status != 503).then(|| "it was refused for nothing".to_owned()),
            Answered::Done if made.is_some_and(|made| made <= before) => {
                Some(format!("it is change {made:?}, and change {before} was acknowledged before it was asked for"))
            }
            Answered::Done if named < made => Some(format!("it names the place {named:?}, and is change {made:?}")),
            Answered::Done => None,
            Answered::Unknown { .. } => continue,
        };
        judged.fact(fault.map(|fault| format!("{fault}: {write:?}")));
        if write.was_acknowledged() {
            before = before.max(made.unwrap_or_default());
        }
    }
    for ((release, kind), made) in &places {
        let may_have = |write: &&ReleaseWrite| {
            let it = write.release == *release && write.kind() == *kind;
            it && matches!(write.answered, Answered::Done | Answered::Unknown { .. })
        };
        let asked = run.releases.iter().any(|write| may_have(&write));
        let fault =
            format!("nobody asked for {kind} of {release} at {made:?}, or who did was told that it was refused");
        judged.fact((!asked).then_some(fault));
    }
}

#[cfg(test)]
mod tests {
    use crate::robustness::promises::given::{PUBLISH, RELEASE, WITHDRAW, released};
    use crate::robustness::promises::{Judged, PROMISES, broken};
    use crate::robustness::record::Run;
    use crate::robustness::releases::Answered;

    /// What the judge of this promise says of a forgery.
    fn forge(promise: &str, change: impl FnOnce(&mut Run)) -> Vec<String> {
        let mut run = released();
        change(&mut run);
        let judge: fn(&Run) -> Judged = PROMISES.iter().find(|one| one.name == promise).unwrap().judge;
        judge(&run).faults
    }

    fn is_rejected(promise: &str, change: impl FnOnce(&mut Run)) {
        assert_ne!(forge(promise, change), Vec::<String>::new());
    }

    #[test]
    fn a_run_in_which_a_release_is_published_and_withdrawn_keeps_every_promise() {
        assert_eq!(broken(&released()), Vec::new());
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_release_or_mark_has_no_event() {
        is_rejected("atomic", |run| drop(run.ending.feed.remove(7)));
        is_rejected("atomic", |run| drop(run.ending.feed.remove(8)));
    }

    #[test]
    fn a_run_is_rejected_in_which_a_release_is_published_twice_or_marked_before() {
        is_rejected("atomic", |run| run.ending.feed[8].kind = "release-published".to_owned());
        is_rejected("atomic", |run| run.ending.feed.swap(7, 8));
    }

    #[test]
    fn a_run_is_rejected_in_which_a_replica_does_not_show_the_mark() {
        for promise in ["atomic", "durable"] {
            is_rejected(promise, |run| {
                run.ending.releases[1].get_mut(RELEASE).unwrap().withdrawn = None;
            });
        }
    }

    #[test]
    fn a_run_is_rejected_in_which_an_acknowledged_release_is_gone_or_another() {
        is_rejected("durable", |run| drop(run.ending.releases[1].remove(RELEASE)));
        is_rejected("durable", |run| {
            run.ending.releases[0].get_mut(RELEASE).unwrap().description = "another".to_owned();
        });
    }

    #[test]
    fn a_run_is_rejected_in_which_a_refused_release_or_mark_is_there() {
        for write in [PUBLISH, WITHDRAW] {
            is_rejected("linearizable", |run| run.releases[write].answered = Answered::NotDone { status: 503 });
        }
    }

    #[test]
    fn what_nobody_was_told_of_may_have_been_done() {
        for write in [PUBLISH, WITHDRAW] {
            let unknown = Answered::Unknown { why: "cut off".to_owned() };
            assert_eq!(forge("linearizable", |run| run.releases[write].answered = unknown), Vec::<String>::new());
        }
    }

    #[test]
    fn a_run_is_rejected_in_which_a_release_that_was_acknowledged_is_unknown() {
        is_rejected("linearizable", |run| {
            run.ending.feed.pop();
            run.releases[WITHDRAW].answered = Answered::NotDone { status: 404 };
        });
    }

    #[test]
    fn a_run_is_rejected_in_which_a_write_of_a_release_names_a_place_before_its_own_or_none() {
        is_rejected("linearizable", |run| run.releases[WITHDRAW].place = Some("place-8".to_owned()));
        is_rejected("linearizable", |run| run.releases[PUBLISH].place = None);
    }

    #[test]
    fn a_run_is_rejected_in_which_a_later_write_comes_before_an_acknowledged_one() {
        is_rejected("linearizable", |run| run.releases.swap(PUBLISH, WITHDRAW));
    }

    #[test]
    fn a_reader_has_to_hear_of_releases_too() {
        is_rejected("reliable", |run| drop(run.watches[0].streams[1].frames.pop()));
    }
}
