//! Bookmarkable: whoever is told a place has been told of every change before it, and is told of none of them later.

use crate::robustness::record::{Frame, Run, Watch};
use std::collections::HashMap;

pub fn faults(run: &Run) -> Vec<String> {
    let positions = run.ending.positions();
    run.watches.iter().enumerate().flat_map(|(reader, watch)| misplaced(&positions, reader, watch)).collect()
}

fn misplaced(positions: &HashMap<&str, usize>, reader: usize, watch: &Watch) -> Vec<String> {
    let position = |cursor: &String| positions.get(cursor.as_str()).copied();
    let mut faults = Vec::new();
    let mut heard = None;
    let mut bookmark = 0;
    for stream in &watch.streams {
        let from = stream.from.as_ref().and_then(position).unwrap_or_default();
        for frame in &stream.frames {
            match frame {
                Frame::Event(event) => {
                    let position = position(&event.cursor).unwrap_or_default();
                    if position <= bookmark {
                        faults.push(format!("reader {reader} heard of change {position} after the place {bookmark}"));
                    }
                    heard = Some(position);
                }
                Frame::Bookmark { cursor } => {
                    let place = position(cursor);
                    let expected = heard.unwrap_or(from);
                    if place != Some(expected) {
                        faults.push(format!(
                            "reader {reader} was told the place {place:?}, and had heard up to {expected}"
                        ));
                    }
                    bookmark = place.unwrap_or(bookmark);
                }
                Frame::End { .. } => {}
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::robustness::promises::given::{forge_watch, whole};
    use crate::robustness::record::Frame;

    #[test]
    fn a_run_is_rejected_in_which_a_bookmark_comes_before_its_changes() {
        let early = forge_watch(faults, |watch| {
            let cursor = whole().ending.feed[1].cursor.clone();
            watch.streams[0].frames[0] = Frame::Bookmark { cursor };
        });
        assert!(!early.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_bookmark_names_no_place() {
        let nowhere =
            forge_watch(faults, |watch| watch.streams[1].frames[0] = Frame::Bookmark { cursor: "nowhere".to_owned() });
        assert!(!nowhere.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_bookmark_goes_back() {
        let back = forge_watch(faults, |watch| {
            let cursor = whole().ending.start;
            watch.streams[1].frames.push(Frame::Bookmark { cursor });
        });
        assert!(!back.is_empty());
    }
}
