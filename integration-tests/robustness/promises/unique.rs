//! Unique: no change has the place of another, and none is told to a reader twice.

use crate::robustness::record::{Event, Run};
use std::collections::BTreeSet;

pub fn faults(run: &Run) -> Vec<String> {
    let mut faults = twice("the feed", run.ending.feed.iter());
    for (reader, watch) in run.watches.iter().enumerate() {
        faults.extend(twice(&format!("reader {reader}"), watch.events()));
    }
    faults
}

fn twice<'a>(who: &str, events: impl Iterator<Item = &'a Event>) -> Vec<String> {
    let (mut cursors, mut generations) = (BTreeSet::new(), BTreeSet::new());
    let mut faults = Vec::new();
    for event in events {
        if !cursors.insert(&event.cursor) {
            faults.push(format!("{who} has the place {} twice", event.cursor));
        }
        if !generations.insert((&event.worker_type, event.generation)) {
            faults.push(format!("{who} has generation {} of {} twice", event.generation, event.worker_type));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::robustness::promises::given::{forge, forge_watch};

    #[test]
    fn a_run_is_rejected_in_which_a_change_is_told_again_on_the_same_connection() {
        let again = forge_watch(faults, |watch| {
            let told = watch.streams[0].frames[1].clone();
            watch.streams[0].frames.insert(2, told);
        });
        assert!(!again.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_change_is_told_again_on_the_next_connection() {
        let again = forge_watch(faults, |watch| {
            let told = watch.streams[0].frames[3].clone();
            watch.streams[1].frames.insert(1, told);
        });
        assert!(!again.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_two_changes_have_one_place() {
        let doubled = forge(faults, |run| run.ending.feed[1].cursor = run.ending.feed[0].cursor.clone());
        assert!(!doubled.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_two_changes_make_one_generation() {
        assert!(!forge(faults, |run| run.ending.feed[2].generation = 1).is_empty());
    }
}
