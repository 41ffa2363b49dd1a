//! Unique: no change has the place of another, and none is told to a reader twice.

use super::Judged;
use crate::robustness::record::{Event, Run};
use std::collections::BTreeSet;

pub fn judge(run: &Run) -> Judged {
    let mut judged = Judged::default();
    twice(&mut judged, "the feed", run.ending.feed.iter());
    for telling in &run.ending.told {
        twice(&mut judged, &format!("{} of replica {}", telling.how, telling.replica), telling.events.iter());
    }
    for (reader, watch) in run.watches.iter().enumerate() {
        twice(&mut judged, &format!("reader {reader}"), watch.events());
    }
    judged
}

fn twice<'a>(judged: &mut Judged, who: &str, events: impl Iterator<Item = &'a Event>) {
    let (mut cursors, mut generations) = (BTreeSet::new(), BTreeSet::new());
    for event in events {
        let again = !cursors.insert(&event.cursor);
        judged.fact(again.then(|| format!("{who} has the place {} twice", event.cursor)));
        let again = event.release.is_none() && !generations.insert((&event.worker_type, event.generation));
        judged.fact(again.then(|| format!("{who} has generation {} of {} twice", event.generation, event.worker_type)));
    }
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::robustness::promises::given::{forge, forge_watch};

    #[test]
    fn a_run_is_rejected_in_which_a_change_is_told_again_on_the_same_connection() {
        let again = forge_watch(judge, |watch| {
            let told = watch.streams[0].frames[1].clone();
            watch.streams[0].frames.insert(2, told);
        });
        assert!(!again.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_change_is_told_again_on_the_next_connection() {
        let again = forge_watch(judge, |watch| {
            let told = watch.streams[0].frames[3].clone();
            watch.streams[1].frames.insert(1, told);
        });
        assert!(!again.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_two_changes_have_one_place() {
        let doubled = forge(judge, |run| run.ending.feed[1].cursor = run.ending.feed[0].cursor.clone());
        assert!(!doubled.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_two_changes_make_one_generation() {
        assert!(!forge(judge, |run| run.ending.feed[2].generation = 1).is_empty());
    }
}
