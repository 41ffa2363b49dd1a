//! Bookmarkable: whoever is told a place has been told of every change before it, and is told of none of them later.

use super::Judged;
use crate::robustness::record::{Frame, Run, Watch};
use std::collections::HashMap;

pub fn judge(run: &Run) -> Judged {
    let positions = run.ending.positions();
    let mut judged = Judged::default();
    for (reader, watch) in run.watches.iter().enumerate() {
        misplaced(&mut judged, run, &positions, reader, watch);
    }
    judged
}

fn misplaced(judged: &mut Judged, run: &Run, positions: &HashMap<&str, usize>, reader: usize, watch: &Watch) {
    let position = |cursor: &String| positions.get(cursor.as_str()).copied();
    // Everything that the reader wants was told up to here.
    let mut heard = 0;
    let mut bookmark = None;
    for stream in &watch.streams {
        heard = heard.max(stream.from.as_ref().and_then(position).unwrap_or_default());
        for frame in &stream.frames {
            match frame {
                Frame::Event(event) => {
                    let position = position(&event.cursor).unwrap_or_default();
                    let before = bookmark.is_some_and(|bookmark| position <= bookmark);
                    judged.fact(
                        before.then(|| {
                            format!("reader {reader} heard of change {position} after the place {bookmark:?}")
                        }),
                    );
                    heard = position;
                }
                Frame::Bookmark { cursor } => {
                    let place = position(cursor);
                    let wanted = |place: usize| {
                        run.ending.feed[heard.min(place)..place].iter().any(|event| watch.filter.takes(event))
                    };
                    let misplaced = place.is_none_or(|place| place < heard || wanted(place));
                    judged.fact(
                        misplaced.then(|| {
                            format!("reader {reader} was told the place {place:?}, and had heard up to {heard}")
                        }),
                    );
                    heard = place.unwrap_or(heard);
                    bookmark = place.or(bookmark);
                }
                Frame::End { .. } | Frame::Malformed { .. } => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::robustness::promises::given::{forge_watch, whole};
    use crate::robustness::record::Frame;

    #[test]
    fn a_run_is_rejected_in_which_a_bookmark_comes_before_its_changes() {
        let early = forge_watch(judge, |watch| {
            let cursor = whole().ending.feed[1].cursor.clone();
            watch.streams[0].frames[0] = Frame::Bookmark { cursor };
        });
        assert!(!early.is_empty());
    }

    #[test]
    fn a_run_is_rejected_in_which_a_bookmark_names_no_place() {
        let nowhere =
            forge_watch(judge, |watch| watch.streams[1].frames[0] = Frame::Bookmark { cursor: "nowhere".to_owned() });
        assert!(!nowhere.is_empty());
    }

    #[test]
    fn a_bookmark_passes_over_what_a_filtered_reader_does_not_want_and_nothing_else() {
        let told = |kind: &'static str| {
            forge_watch(judge, |watch| {
                watch.filter.kinds = vec![kind.to_owned()];
                watch.streams.truncate(1);
                watch.streams[0].frames = vec![Frame::Bookmark { cursor: "place-2".to_owned() }];
            })
        };
        assert_eq!(told("worker-type-deleted"), Vec::<String>::new());
        assert_eq!(told("worker-type-published").len(), 1, "two publishes lie before that place");
    }

    #[test]
    fn a_run_is_rejected_in_which_a_bookmark_goes_back() {
        let back = forge_watch(judge, |watch| {
            let cursor = whole().ending.start;
            watch.streams[1].frames.push(Frame::Bookmark { cursor });
        });
        assert!(!back.is_empty());
    }
}
