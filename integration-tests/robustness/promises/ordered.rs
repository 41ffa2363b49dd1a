//! Ordered: a reader hears of changes in the order in which they were committed, also over several connections.

use super::Judged;
use crate::robustness::record::Run;

pub fn judge(run: &Run) -> Judged {
    let positions = run.ending.positions();
    let mut judged = Judged::default();
    for (reader, watch) in run.watches.iter().enumerate() {
        let mut last = 0;
        for event in watch.events() {
            let Some(&position) = positions.get(event.cursor.as_str()) else {
                judged.fact(Some(format!("reader {reader} heard of {event:?}, which the feed does not have")));
                continue;
            };
            let went_back = position < last;
            judged.fact(went_back.then(|| format!("reader {reader} heard of change {position} after change {last}")));
            last = position;
        }
    }
    judged
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::robustness::promises::given::{event, forge, forge_watch};
    use crate::robustness::record::Frame;

    #[test]
    fn a_run_is_rejected_in_which_two_changes_are_told_the_wrong_way_round() {
        assert!(!forge_watch(judge, |watch| watch.streams[0].frames.swap(1, 2)).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_later_connection_goes_back() {
        assert!(!forge_watch(judge, |watch| watch.streams.swap(0, 1)).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_something_is_told_that_never_was() {
        let invented = |run: &mut crate::robustness::record::Run| {
            run.watches[0].streams[0].frames.push(Frame::Event(event(99, "worker-type-published", 7, 7)));
        };
        assert!(!forge(judge, invented).is_empty());
    }
}
