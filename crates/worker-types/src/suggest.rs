//! "Did you mean": the closest of the names that exist.

/// The candidate closest to `given`, or none when nothing is close enough to be meant.
///
/// Close means: equal but for case, or an edit distance (transpositions count as one) of at most a third of the length.
pub fn closest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = Folded::new(given);
    let is_ascii = given.letters.is_some();
    candidates
        .into_iter()
        .filter(|candidate| *candidate != given.text)
        .filter_map(|candidate| {
            // Most names are told apart by their lengths alone.
            let shorter = given.length.min(candidate.len());
            if is_ascii && candidate.is_ascii() && given.length.abs_diff(candidate.len()) > tolerance(shorter) {
                return None;
            }
            let folded = Folded::new(candidate);
            let within = tolerance(given.length.min(folded.length));
            let distance = given.distance(&folded, within)?;
            (distance <= within).then_some((distance, candidate))
        })
        .min_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.cmp(right)))
        .map(|(_, candidate)| candidate)
}

/// A text that is compared without regard to case, with what tells soon that another one is far from it.
struct Folded<'a> {
    text: &'a str,
    /// In characters.
    length: usize,
    /// How often each of its letters occurs, several letters to a count; none where not all of it is ASCII.
    letters: Option<[u8; 32]>,
}

impl<'a> Folded<'a> {
    fn new(text: &'a str) -> Self {
        if !text.is_ascii() {
            return Self { text, length: text.chars().count(), letters: None };
        }
        let mut letters = [0u8; 32];
        for byte in text.bytes() {
            // The lower five bits of a letter are the same in both cases.
            let count = &mut letters[usize::from(byte & 31)];
            *count = count.saturating_add(1);
        }
        Self { text, length: text.len(), letters: Some(letters) }
    }

    /// The distance to `other`; none where it is clearly more than `within`, which is told without the table that the
    /// distance takes.
    fn distance(&self, other: &Folded<'_>, within: usize) -> Option<usize> {
        let (Some(own), Some(theirs)) = (&self.letters, &other.letters) else {
            return Some(strsim::damerau_levenshtein(&self.text.to_lowercase(), &other.text.to_lowercase()));
        };
        // Each edit changes the length by one at most, and brings or takes one letter at most.
        let more = |left: &[u8; 32], right: &[u8; 32]| -> usize {
            left.iter().zip(right).map(|(left, right)| usize::from(left.saturating_sub(*right))).sum()
        };
        let far = self.length.abs_diff(other.length).max(more(own, theirs)).max(more(theirs, own)) > within;
        (!far).then(|| of_ascii(self.text, other.text))
    }
}

/// The distance of two ASCII texts. What both begin and end with changes nothing and needs no table; most slips leave
/// nothing else.
fn of_ascii(left: &str, right: &str) -> usize {
    let same = |(left, right): &(u8, u8)| left.eq_ignore_ascii_case(right);
    let before = left.bytes().zip(right.bytes()).take_while(same).count();
    let (left, right) = (&left[before..], &right[before..]);
    let after = left.bytes().rev().zip(right.bytes().rev()).take_while(same).count();
    let (left, right) = (&left[..left.len() - after], &right[..right.len() - after]);
    match (left.len(), right.len()) {
        (0, longer) | (longer, 0) => longer,
        (1, 1) => 1,
        _ => strsim::damerau_levenshtein(&left.to_ascii_lowercase(), &right.to_ascii_lowercase()),
    }
}

/// Whether `given` may be `other` with two slips of the finger, when something else says already that it is meant.
///
/// A second look at a pair that [`closest`] finds too far apart: at most two edits, in at most half of the longer text.
pub fn may_be(given: &str, other: &str) -> bool {
    let (given, other) = (Folded::new(given), Folded::new(other));
    let within = 2.min(given.length.max(other.length) / 2);
    given.distance(&other, within).is_some_and(|distance| distance <= within)
}

fn tolerance(length: usize) -> usize {
    match length {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => length / 3,
    }
}

#[cfg(test)]
mod tests {
    use super::{closest, may_be, of_ascii};

    #[test]
    fn finds_the_name_that_was_meant() {
        assert_eq!(closest("chache", ["cache", "image"]), Some("cache"));
        assert_eq!(closest("Directory", ["file", "directory"]), Some("directory"));
        assert_eq!(closest("additionalProperty", ["additionalProperties", "properties"]), Some("additionalProperties"));
        assert_eq!(closest("enums", ["enum", "items"]), Some("enum"));
        assert_eq!(closest("mininum", ["minimum", "maximum", "minItems"]), Some("minimum"));
    }

    #[test]
    fn suggests_nothing_for_a_name_that_is_far_from_all() {
        assert_eq!(closest("volumes", ["image", "env", "cache"]), None);
        assert_eq!(closest("x", ["y"]), None);
        assert_eq!(closest("same", ["same"]), None);
    }

    #[test]
    fn a_second_look_takes_two_slips_in_a_short_name() {
        assert!(may_be("ptye", "type") && may_be("te", "type") && may_be("tasqd", "taskId"));
        assert!(!may_be("path", "type") && !may_be("x", "y") && !may_be("env", "cpu"));
    }

    #[test]
    fn the_distance_is_that_of_the_whole_texts() {
        let texts: Vec<String> = (0..4_u32.pow(5))
            .map(|number| (0..5).filter_map(move |place| ["", "a", "B", "c"].get((number >> (2 * place) & 3) as usize)))
            .map(|letters| letters.copied().collect())
            .collect();
        for left in texts.iter().step_by(3) {
            for right in texts.iter().step_by(7) {
                assert_eq!(of_ascii(left, right), strsim::damerau_levenshtein(left, right), "{left} {right}");
            }
        }
        assert_eq!(of_ascii("Directory", "directoyr"), 1);
    }
}
