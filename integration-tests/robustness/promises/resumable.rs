//! Resumable: whoever comes back with the last place that it knows goes on with the change after it, on any replica.

use super::Judged;
use crate::robustness::record::{Filter, Run, Stream};
use std::collections::HashMap;

pub fn judge(run: &Run) -> Judged {
    let positions = run.ending.positions();
    let mut judged = Judged::default();
    for (reader, watch) in run.watches.iter().enumerate() {
        for stream in &watch.streams {
            if stream.refused.is_some() || stream.events().next().is_some() {
                judged.fact(
                    not_resumed(run, &positions, &watch.filter, stream)
                        .map(|fault| format!("reader {reader}: {fault}")),
                );
            }
        }
    }
    judged
}

fn not_resumed(run: &Run, positions: &HashMap<&str, usize>, filter: &Filter, stream: &Stream) -> Option<String> {
    if let Some(status @ (400 | 410)) = stream.refused {
        return Some(format!("the place {:?} was answered with {status}, though everything is kept", stream.from));
    }
    let first = stream.events().next()?;
    let from = match &stream.from {
        Some(cursor) => positions.get(cursor.as_str()).copied(),
        None => Some(0),
    };
    // The first that it wants to hear of; changes are counted from 1.
    let expected = from.and_then(|from| {
        let after = run.ending.feed.iter().zip(1..).skip(from);
        after.filter(|(event, _)| filter.takes(event)).map(|(_, position)| position).next()
    });
    let next = positions.get(first.cursor.as_str()).copied();
    (expected.is_none() || next != expected).then(|| {
        format!("a connection from the place {from:?} went on with change {next:?}, and {expected:?} is the next")
    })
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::robustness::promises::given::forge_watch;

    #[test]
    fn a_run_is_rejected_in_which_a_known_place_is_gone() {
        let gone = forge_watch(judge, |watch| {
            watch.streams[1].frames.clear();
            watch.streams[1].refused = Some(410);
        });
        assert!(!gone.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_connection_begins_one_too_late() {
        assert!(!forge_watch(judge, |watch| drop(watch.streams[0].frames.remove(1))).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_connection_begins_anew() {
        let anew = forge_watch(judge, |watch| watch.streams[1].frames = watch.streams[0].frames.clone());
        assert!(!anew.is_empty());
    }
}
