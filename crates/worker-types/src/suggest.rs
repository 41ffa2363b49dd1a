//! "Did you mean": the closest of the names that exist.

/// The candidate closest to `given`, or none when nothing is close enough to be meant.
///
/// Close means: equal but for case, or an edit distance (transpositions count as one) of at most a third of the length.
pub fn closest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given_lower = given.to_lowercase();
    candidates
        .into_iter()
        .filter(|candidate| *candidate != given)
        .map(|candidate| (strsim::damerau_levenshtein(&given_lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= tolerance(given.chars().count().min(candidate.chars().count())))
        .min_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.cmp(right)))
        .map(|(_, candidate)| candidate)
}

/// Whether `given` may be `other` with two slips of the finger, when something else says already that it is meant.
///
/// A second look at a pair that [`closest`] finds too far apart: at most two edits, in at most half of the longer text.
pub fn may_be(given: &str, other: &str) -> bool {
    let longer = given.chars().count().max(other.chars().count());
    strsim::damerau_levenshtein(&given.to_lowercase(), &other.to_lowercase()) <= 2.min(longer / 2)
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
