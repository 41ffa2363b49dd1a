//! Reliable: a reader hears of every change from where it began up to the last one; none is left out.

use crate::robustness::record::{Run, Watch};

pub fn faults(run: &Run) -> Vec<String> {
    run.watches.iter().enumerate().flat_map(|(reader, watch)| missed(run, reader, watch)).collect()
}

fn missed(run: &Run, reader: usize, watch: &Watch) -> Vec<String> {
    let began = watch.streams.iter().find(|stream| !stream.frames.is_empty()).and_then(|stream| stream.from.as_deref());
    let began = began.and_then(|cursor| run.ending.positions().get(cursor).copied()).unwrap_or_default();
    let heard: std::collections::BTreeSet<&str> = watch.events().map(|event| event.cursor.as_str()).collect();
    let missed =
        run.ending.feed.iter().enumerate().skip(began).filter(|(_, event)| !heard.contains(event.cursor.as_str()));
    missed.map(|(index, event)| format!("reader {reader} never heard of change {}: {event:?}", index + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::robustness::promises::given::forge_watch;

    #[test]
    fn a_run_is_rejected_in_which_a_change_in_the_middle_is_not_told() {
        assert!(!forge_watch(faults, |watch| drop(watch.streams[0].frames.remove(2))).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_the_last_change_is_not_told() {
        assert!(!forge_watch(faults, |watch| drop(watch.streams[1].frames.pop())).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_the_first_change_is_not_told() {
        assert!(!forge_watch(faults, |watch| drop(watch.streams[0].frames.remove(1))).is_empty());
    }
}
