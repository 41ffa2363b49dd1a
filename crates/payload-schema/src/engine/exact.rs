//! Keywords that the engine hands over. Patterns that the linear engine takes and the metaschemas of draft-04 to draft-07
//! would refuse: with word boundaries of ASCII, which ECMAScript has no other syntax for. And what the engine answers by
//! binary floating point where numbers are very small: `multipleOf`, and bounds that are no plain integers.

use crate::number::Decimal;
use jsonschema::ValidationOptions;
use jsonschema::{Keyword, ValidationError, paths::Location};
use regex::Regex;
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;

/// A name that no schema has: a keyword of an author cannot contain U+0000.
pub(super) const EXACT_PATTERN: &str = "pattern\u{0}";

struct ExactPattern(Regex);

impl<'i> Keyword<'i> for ExactPattern {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom("the pattern does not match")) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        instance.as_str().is_none_or(|text| self.0.is_match(text))
    }
}

/// Compiles the keyword. The pattern was compiled before, within its limit.
pub(super) fn pattern<'a>(
    _: &'a Map<String, Value>,
    value: &'a Value,
    _: Location,
) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
    let regex = Regex::new(value.as_str().unwrap_or_default());
    regex.map(|regex| Box::new(ExactPattern(regex)) as _).map_err(|error| ValidationError::custom(error.to_string()))
}

/// What a keyword asks of numbers.
struct OfNumbers<F>(F);

impl<'i, F: Fn(&Number) -> bool + Send + Sync> Keyword<'i> for OfNumbers<F> {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom("the number is refused")) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        instance.as_number().is_none_or(&self.0)
    }
}

type Compiled<'a> = Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>>;

/// Divisors that are no numbers or have too many digits were refused before.
pub(super) fn multiple_of<'a>(_: &'a Map<String, Value>, value: &'a Value, _: Location) -> Compiled<'a> {
    let Some(divisor) = value.as_number().map(Decimal::new) else { return Ok(anything()) };
    let by_digits = move |number: &Number| Decimal::new(number).is_multiple_of(&divisor) != Some(false);
    // Most of them by far divide integers by an integer.
    let Some(whole) = value.as_i64().filter(|divisor| *divisor > 0) else { return Ok(Box::new(OfNumbers(by_digits))) };
    Ok(Box::new(OfNumbers(move |number: &Number| {
        number.as_i64().map_or_else(|| by_digits(number), |number| number % whole == 0)
    })))
}

/// Whether the engine would round a bound.
pub(super) fn is_rounded(name: &str, value: &Value) -> bool {
    BOUNDS.iter().any(|(keyword, _)| *keyword == name) && value.is_number() && value.as_i64().is_none()
}

/// The bounds, and how what they refuse compares with them.
const BOUNDS: [(&str, Ordering); 4] = [
    ("minimum", Ordering::Less),
    ("exclusiveMinimum", Ordering::Less),
    ("maximum", Ordering::Greater),
    ("exclusiveMaximum", Ordering::Greater),
];

/// Takes all bounds of a schema over.
pub(super) fn with_bounds(options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    BOUNDS.into_iter().fold(options, |options, (name, refused)| {
        options.with_keyword(name, move |siblings: &Map<String, Value>, value: &Value, _: Location| {
            // As booleans, of draft-04, they say how minimum and maximum are meant.
            let Some(bound) = value.as_number().map(Decimal::new) else { return Ok(anything()) };
            let open = match name {
                "minimum" => siblings.get("exclusiveMinimum") == Some(&Value::Bool(true)),
                "maximum" => siblings.get("exclusiveMaximum") == Some(&Value::Bool(true)),
                _ => true,
            };
            let accepts = move |number: &Number| match Decimal::new(number).cmp(&bound) {
                Ordering::Equal => !open,
                order => order != refused,
            };
            Ok(Box::new(OfNumbers(accepts)) as Box<dyn for<'i> Keyword<'i>>)
        })
    })
}

fn anything() -> Box<dyn for<'i> Keyword<'i>> {
    Box::new(OfNumbers(|_: &Number| true))
}

#[cfg(test)]
mod tests {
    use super::multiple_of;
    use crate::number::Decimal;
    use jsonschema::paths::Location;
    use proptest::prelude::*;
    use serde_json::{Map, Number, Value};

    proptest! {
        #[test]
        fn integers_are_divided_as_their_digits_are(
            number in prop_oneof![any::<i64>(), -1_000..1_000_i64],
            // One of more digits is refused at publish.
            divisor in prop_oneof![1..1_000_000_000_000_000_000_i64, 1..100_i64],
        ) {
            let (siblings, value) = (Map::new(), Value::from(divisor));
            let keyword = multiple_of(&siblings, &value, Location::new()).unwrap();
            let by_digits = Decimal::new(&Number::from(number)).is_multiple_of(&Decimal::new(&Number::from(divisor)));
            prop_assert_eq!(Some(keyword.is_valid(&Value::from(number))), by_digits);
        }
    }
}
