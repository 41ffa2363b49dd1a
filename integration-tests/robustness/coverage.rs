//! What a run has covered. A run that keeps its promises shows little if next to nothing happened in it.

use super::record::{Action, Frame, Operation, Outcome, Run, Watch};
use super::releases::{MARKED, PUBLISHED};
use super::troubles::Trouble;
use std::collections::BTreeMap;

/// Something that has to have happened, and how often in a run of [`SECONDS`].
pub type Minimum = (&'static str, usize);

/// The length of run that the figures are for: a longer one has to show more.
pub const SECONDS: u64 = 6;

/// What every run with troubles shows. A tenth of what a quiet machine does: others build and test beside it.
pub const USUAL: [Minimum; 16] = [
    ("acknowledged publishes", 40),
    ("acknowledged deletions", 2),
    ("acknowledged ends of rollouts", 1),
    ("acknowledged rollbacks", 2),
    ("acknowledged changes of a rollout", 1),
    ("rollouts that completed by themselves", 1),
    ("acknowledged releases", 2),
    ("acknowledged marks of releases", 1),
    ("refused writes", 5),
    ("fresh reads", 10),
    ("reads that nothing is live", 1),
    ("reads that followed a write", 5),
    ("resumed streams with changes", 4),
    ("bookmarks after a change of the same stream", 1),
    ("changes told to filtered readers", 10),
    // Few are left in the time that one of 12 s takes.
    ("troubles", 1),
];

/// How often each thing happened.
pub fn coverage(run: &Run) -> BTreeMap<&'static str, usize> {
    let operations = |is: &dyn Fn(&Operation) -> bool| run.operations.iter().filter(|one| is(one)).count();
    let acknowledged = |is: &dyn Fn(&Action) -> bool| operations(&|one| one.made().is_some() && is(&one.action));
    let is_fresh = |one: &Operation| matches!(&one.outcome, Outcome::Live(live) if !one.is_write() && !live.stale);
    let is_absent = |one: &Operation| !one.is_write() && matches!(one.outcome, Outcome::Absent { .. });
    let follows = |one: &Operation| {
        one.action == Action::Read { follows: true } && matches!(one.outcome, Outcome::Live(_) | Outcome::Absent { .. })
    };
    let is_old = |one: &Operation| matches!(&one.outcome, Outcome::Live(live) if live.stale);
    let releases = |kind| run.releases.iter().filter(|one| one.was_acknowledged() && one.kind() == kind).count();
    let ends = run.ending.feed.iter().filter(|event| run.ending.by_itself.contains(&event.cursor)).count();
    let filtered = run.watches.iter().filter(|watch| !watch.filter.query().is_empty());
    BTreeMap::from([
        ("acknowledged publishes", acknowledged(&|action| matches!(action, Action::Publish { .. }))),
        ("acknowledged deletions", acknowledged(&|action| matches!(action, Action::Delete { .. }))),
        ("acknowledged ends of rollouts", acknowledged(&|action| matches!(action, Action::EndRollout { .. }))),
        ("acknowledged rollbacks", acknowledged(&|action| matches!(action, Action::Rollback { .. }))),
        ("acknowledged changes of a rollout", acknowledged(&|action| matches!(action, Action::ChangeRollout { .. }))),
        ("writes of what was live already", operations(&|one| matches!(one.outcome, Outcome::Unchanged(_)))),
        ("rollouts that completed by themselves", ends),
        ("acknowledged releases", releases(PUBLISHED)),
        ("acknowledged marks of releases", releases(MARKED)),
        ("refused writes", operations(&Operation::was_refused)),
        (
            "writes refused with 503",
            operations(&|one| one.is_write() && one.outcome == Outcome::NotDone { status: 503 }),
        ),
        (
            "writes of unknown outcome",
            operations(&|one| one.is_write() && matches!(one.outcome, Outcome::Unknown { .. })),
        ),
        ("fresh reads", operations(&is_fresh)),
        ("reads that say they may be old", operations(&is_old)),
        ("reads that nothing is live", operations(&is_absent)),
        ("reads that followed a write", operations(&follows)),
        ("resumed streams with changes", run.watches.iter().map(resumed).sum()),
        ("streams resumed on another replica", run.watches.iter().map(resumed_elsewhere).sum()),
        ("bookmarks after a change of the same stream", run.watches.iter().map(bookmarks).sum()),
        ("changes told to filtered readers", filtered.map(|watch| watch.events().count()).sum()),
        ("troubles", run.troubles.len()),
        ("troubles of all replicas at once", run.troubles.iter().filter(|made| made.replica.is_none()).count()),
        ("kills and cuts", troubles_that_cut(run).count()),
        (
            "kills and cuts that met a write in flight",
            troubles_that_cut(run).filter(|at| met_a_write(run, *at)).count(),
        ),
        ("connections of the database that were cut", run.cut),
    ])
}

/// What happened less often than it has to, in words.
pub fn missing(run: &Run, minimum: &[Minimum], seconds: u64) -> Vec<String> {
    let found = coverage(run);
    // Long runs have troubles of 12 s, in which little happens.
    let scaled = |least: usize| least * usize::try_from(seconds / SECONDS / 4).unwrap_or(1).max(1);
    let least = minimum.iter().map(|(name, least)| (*name, scaled(*least)));
    let half_met = ("kills and cuts that met a write in flight", troubles_that_cut(run).count() / 2);
    least
        .chain([half_met])
        .map(|(name, least)| (name, least, found.get(name).copied().unwrap_or_default()))
        .filter(|(_, least, found)| found < least)
        .map(|(name, least, found)| format!("{name}: {found}, and it takes {least} to show anything"))
        .collect()
}

fn resumed(watch: &Watch) -> usize {
    watch.streams.iter().filter(|stream| stream.from.is_some() && stream.events().next().is_some()).count()
}

fn resumed_elsewhere(watch: &Watch) -> usize {
    let pairs = watch.streams.iter().zip(watch.streams.iter().skip(1));
    pairs.filter(|(one, next)| one.replica != next.replica && next.events().next().is_some()).count()
}

fn bookmarks(watch: &Watch) -> usize {
    let after_a_change = |frames: &[Frame]| {
        let begun = frames.iter().skip_while(|frame| !matches!(frame, Frame::Event(_)));
        begun.filter(|frame| matches!(frame, Frame::Bookmark { .. })).count()
    };
    watch.streams.iter().map(|stream| after_a_change(&stream.frames)).sum()
}

/// When each of them struck.
fn troubles_that_cut(run: &Run) -> impl Iterator<Item = u64> {
    let cutting = run.troubles.iter().filter(|made| matches!(made.trouble, Trouble::Kill | Trouble::Cut));
    cutting.map(|made| made.started)
}

fn met_a_write(run: &Run, at: u64) -> bool {
    run.operations.iter().any(|one| one.is_write() && one.started <= at && at <= one.ended)
}

#[cfg(test)]
mod tests {
    use super::{SECONDS, coverage, missing};
    use crate::robustness::promises::given::{renewed, whole};
    use crate::robustness::record::{Made, Run};
    use crate::robustness::troubles::Trouble;

    #[test]
    fn a_run_is_told_what_it_did_not_show() {
        assert_eq!(missing(&Run::default(), &[("troubles", 1), ("fresh reads", 2)], SECONDS).len(), 2);
        let run = renewed();
        let found = coverage(&run);
        let expected = [
            ("acknowledged publishes", 5),
            ("acknowledged deletions", 1),
            ("acknowledged ends of rollouts", 1),
            ("acknowledged rollbacks", 1),
            ("acknowledged changes of a rollout", 1),
            ("writes of what was live already", 1),
            ("refused writes", 1),
            ("fresh reads", 1),
            ("reads that nothing is live", 1),
            ("reads that followed a write", 2),
            ("writes of unknown outcome", 1),
            ("resumed streams with changes", 1),
            ("streams resumed on another replica", 1),
        ];
        for (name, count) in expected {
            assert_eq!(found[name], count, "{name}");
        }
        assert_eq!(missing(&run, &expected, SECONDS), Vec::<String>::new());
        assert_eq!(missing(&run, &expected, 8 * SECONDS).len(), expected.len(), "a longer run has to show more");
    }

    #[test]
    fn troubles_that_met_nothing_are_found_missing() {
        let mut run = whole();
        let made = |started| Made { trouble: Trouble::Cut, replica: Some(0), started, ended: started + 1 };
        run.troubles = vec![made(12), made(500)];
        assert_eq!(missing(&run, &[], SECONDS), Vec::<String>::new(), "half of them met a write");
        run.troubles[0].started = 600;
        assert_eq!(missing(&run, &[], SECONDS).len(), 1);
    }

    #[test]
    fn a_run_in_which_the_database_was_never_away_for_all_is_told_so() {
        let mut run = whole();
        run.troubles = vec![Made { trouble: Trouble::Cut, replica: Some(1), started: 12, ended: 13 }];
        let minimum = [("troubles of all replicas at once", 1)];
        assert_eq!(missing(&run, &minimum, SECONDS).len(), 1);
        run.troubles[0].replica = None;
        assert_eq!(missing(&run, &minimum, SECONDS), Vec::<String>::new());
    }
}
