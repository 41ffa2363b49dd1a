//! Places in a value, as the walk goes down: cheap while everything is fine, written out only for a fault.

use crate::pointer;

/// One step down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step<'a> {
    /// Into an object: the name, and its position among the members.
    Member(&'a str, usize),
    /// Into an array.
    Element(usize),
}

impl Step<'_> {
    /// Where it stands among its siblings.
    pub(super) fn position(self) -> usize {
        match self {
            Self::Member(_, position) | Self::Element(position) => position,
        }
    }
}

/// A place: the root, or a step from another place.
#[derive(Clone, Copy)]
pub(super) enum Place<'p, 'a> {
    Root,
    Below(&'p Place<'p, 'a>, Step<'a>),
}

impl<'a> Place<'_, 'a> {
    fn above(&self) -> Option<&Self> {
        match self {
            Place::Root => None,
            Place::Below(above, _) => Some(above),
        }
    }

    /// The steps from the root.
    pub(super) fn steps(&self) -> Vec<Step<'a>> {
        let depth = std::iter::successors(Some(self), |place| place.above()).count() - 1;
        let mut steps = Vec::with_capacity(depth);
        let mut place = self;
        while let Place::Below(above, step) = place {
            steps.push(*step);
            place = above;
        }
        steps.reverse();
        steps
    }
}

/// Bytes of a pointer or a path in a message. A place below longer names is named by the last place that fits.
const BYTES: usize = 2_000;

/// The JSON Pointer and the words for the place that `steps` lead to from the one that `at` and `words` name.
pub(super) fn write(at: &str, words: &str, steps: &[Step<'_>]) -> (String, String) {
    // Most of it is the names, and what makes a path a message comes after it.
    let names = steps.iter().map(|step| if let Step::Member(name, _) = step { name.len().min(BYTES) + 1 } else { 8 });
    let names = names.sum::<usize>().min(BYTES);
    let (mut pointer, mut path) =
        (String::with_capacity(at.len() + names), String::with_capacity(words.len() + names + 100));
    pointer.push_str(at);
    path.push_str(words);
    for step in steps {
        let (pointer_before, path_before) = (pointer.len(), path.len());
        match step {
            Step::Member(name, _) if name.len() > BYTES => break,
            Step::Member(name, _) => {
                pointer::push(&mut pointer, name);
                pointer::push_member(&mut path, name);
            }
            Step::Element(index) => {
                pointer::push(&mut pointer, &index.to_string());
                pointer::push_element(&mut path, *index);
            }
        }
        if pointer.len() > at.len() + BYTES {
            pointer.truncate(pointer_before);
            path.truncate(path_before);
            break;
        }
    }
    (pointer, path)
}

#[cfg(test)]
mod tests {
    use super::{Place, Step, write};

    #[test]
    fn a_place_is_written_both_ways() {
        let above = Place::Below(&Place::Root, Step::Member("a b", 3));
        let place = Place::Below(&above, Step::Element(2));
        let written = write("/payload", "task.payload", &place.steps());
        assert_eq!(written, ("/payload/a b/2".to_owned(), "task.payload[\"a b\"][2]".to_owned()));
    }

    #[test]
    fn a_place_below_a_huge_name_is_named_by_what_is_above() {
        let huge = "x".repeat(1 << 20);
        let steps = [Step::Member("a", 0), Step::Member(&huge, 0), Step::Element(1)];
        assert_eq!(write("", "task", &steps), ("/a".to_owned(), "task.a".to_owned()));
    }
}
