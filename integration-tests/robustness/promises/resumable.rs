//! Resumable: whoever comes back with the last place that it knows goes on with the change after it, on any replica.

use crate::robustness::record::{Run, Stream};
use std::collections::HashMap;

pub fn faults(run: &Run) -> Vec<String> {
    let positions = run.ending.positions();
    let mut faults = Vec::new();
    for (reader, watch) in run.watches.iter().enumerate() {
        for stream in &watch.streams {
            faults.extend(not_resumed(&positions, stream).map(|fault| format!("reader {reader}: {fault}")));
        }
    }
    faults
}

fn not_resumed(positions: &HashMap<&str, usize>, stream: &Stream) -> Option<String> {
    if let Some(status @ (400 | 410)) = stream.refused {
        return Some(format!("the place {:?} was answered with {status}, though everything is kept", stream.from));
    }
    let first = stream.events().next()?;
    let from = match &stream.from {
        Some(cursor) => positions.get(cursor.as_str()).copied(),
        None => Some(0),
    };
    let next = positions.get(first.cursor.as_str()).copied();
    match (from, next) {
        (Some(from), Some(next)) if next == from + 1 => None,
        _ => Some(format!("a connection from the place {from:?} went on with change {next:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::robustness::promises::given::forge_watch;

    #[test]
    fn a_run_is_rejected_in_which_a_known_place_is_gone() {
        let gone = forge_watch(faults, |watch| {
            watch.streams[1].frames.clear();
            watch.streams[1].refused = Some(410);
        });
        assert!(!gone.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_connection_begins_one_too_late() {
        assert!(!forge_watch(faults, |watch| drop(watch.streams[0].frames.remove(1))).is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_connection_begins_anew() {
        let anew = forge_watch(faults, |watch| watch.streams[1].frames = watch.streams[0].frames.clone());
        assert!(!anew.is_empty());
    }
}
