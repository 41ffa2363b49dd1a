//! Reliable: a reader hears of every change from where it began up to the last one; none is left out.

use super::Judged;
use crate::robustness::record::{Run, Watch};
use std::collections::BTreeSet;

pub fn judge(run: &Run) -> Judged {
    let mut judged = Judged::default();
    for (reader, watch) in run.watches.iter().enumerate() {
        missed(&mut judged, run, reader, watch);
    }
    judged
}

fn missed(judged: &mut Judged, run: &Run, reader: usize, watch: &Watch) {
    let began = watch.streams.iter().find(|stream| !stream.frames.is_empty()).and_then(|stream| stream.from.as_deref());
    let began = began.and_then(|cursor| run.ending.positions().get(cursor).copied()).unwrap_or_default();
    let heard: BTreeSet<&str> = watch.events().map(|event| event.cursor.as_str()).collect();
    let wanted = run.ending.feed.iter().enumerate().skip(began).filter(|(_, event)| watch.filter.takes(event));
    for (index, event) in wanted {
        let missed = !heard.contains(event.cursor.as_str());
        judged.fact(missed.then(|| format!("reader {reader} never heard of change {}: {event:?}", index + 1)));
    }
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::robustness::promises::given::forge_watch;
    use crate::robustness::record::{Frame, Watch};

    #[test]
    fn a_run_is_rejected_in_which_a_change_in_the_middle_is_not_told() {
        assert!(!forge_watch(judge, |watch| drop(watch.streams[0].frames.remove(2))).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_reader_hears_nothing_at_all() {
        assert!(!forge_watch(judge, |watch| watch.streams.clear()).is_empty());
    }

    #[test]
    fn a_filtered_reader_hears_of_what_it_wants_and_has_to_hear_of_all_of_it() {
        let deletions = |watch: &mut Watch, told: bool| {
            watch.filter.kinds = vec!["worker-type-deleted".to_owned()];
            let wanted = |frame: &Frame| matches!(frame, Frame::Event(event) if told && event.generation == 3);
            watch.streams.iter_mut().for_each(|stream| stream.frames.retain(wanted));
        };
        assert_eq!(forge_watch(judge, |watch| deletions(watch, true)), Vec::<String>::new());
        assert_eq!(forge_watch(judge, |watch| deletions(watch, false)).len(), 1);
    }

    #[test]
    fn a_run_is_rejected_in_which_the_last_change_is_not_told() {
        assert!(!forge_watch(judge, |watch| drop(watch.streams[1].frames.pop())).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_the_first_change_is_not_told() {
        assert!(!forge_watch(judge, |watch| drop(watch.streams[0].frames.remove(1))).is_empty());
    }
}
