//! A keyword for patterns that the linear engine takes and the metaschemas of draft-04 to draft-07 would refuse: with
//! word boundaries of ASCII, which ECMAScript has no other syntax for.

use jsonschema::{Keyword, ValidationError, paths::Location};
use regex::Regex;
use serde_json::{Map, Value};

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
pub(super) fn compile<'a>(
    _: &'a Map<String, Value>,
    value: &'a Value,
    _: Location,
) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
    let regex = Regex::new(value.as_str().unwrap_or_default());
    regex.map(|regex| Box::new(ExactPattern(regex)) as _).map_err(|error| ValidationError::custom(error.to_string()))
}
