//! "Did you mean": the closest of the names that exist.

/// The candidate closest to `given`, or none when nothing is close enough to be meant.
///
/// Close means: equal but for case, or an edit distance (transpositions count as one) of at most a third of the length.
pub fn closest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = Folded::new(given);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != given.text)
        .filter_map(|candidate| {
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
    length: usize,
    /// A bit for each of its characters, several characters to a bit.
    letters: u64,
}

impl<'a> Folded<'a> {
    fn new(text: &'a str) -> Self {
        let (mut length, mut letters) = (0, 0);
        for character in text.chars() {
            length += 1;
            // Folding one character may give several; those are few, and one bit stands for all of them.
            let folded = if character.is_ascii() { u32::from(character.to_ascii_lowercase()) } else { 0 };
            letters |= 1 << (folded % 64);
        }
        Self { text, length, letters }
    }

    /// The distance to `other`; none where it is clearly more than `within`, which is told without the table that the
    /// distance takes.
    fn distance(&self, other: &Folded<'_>, within: usize) -> Option<usize> {
        // Each edit changes the length by one at most, and brings or takes one letter at most.
        let lost = (self.letters & !other.letters).count_ones().max((other.letters & !self.letters).count_ones());
        if self.text.is_ascii() && other.text.is_ascii() {
            let far = self.length.abs_diff(other.length).max(lost as usize) > within;
            return (!far).then(|| {
                strsim::damerau_levenshtein(&self.text.to_ascii_lowercase(), &other.text.to_ascii_lowercase())
            });
        }
        Some(strsim::damerau_levenshtein(&self.text.to_lowercase(), &other.text.to_lowercase()))
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
    use super::{closest, may_be};

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
}
