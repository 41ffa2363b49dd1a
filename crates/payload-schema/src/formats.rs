//! Formats: which are asserted in which draft, and what fits them. The engine decides each.

use crate::dialect;
use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::OnceLock;
use worker_types::Dialect;
use worker_types::Dialect::{Draft04, Draft06, Draft07, Draft201909};

/// Every format that is known, with the first draft in which it is.
///
/// In draft-04, -06 and -07 a value that does not fit a known format is invalid. In 2019-09 and 2020-12 `format` is an
/// annotation, as their specifications say, and refuses nothing.
pub const FORMATS: &[(&str, Dialect)] = &[
    ("date", Draft04),
    ("date-time", Draft04),
    ("duration", Draft201909),
    ("email", Draft04),
    ("hostname", Draft04),
    ("idn-email", Draft04),
    ("idn-hostname", Draft07),
    ("ipv4", Draft04),
    ("ipv6", Draft04),
    ("iri", Draft07),
    ("iri-reference", Draft07),
    ("json-pointer", Draft06),
    ("regex", Draft04),
    ("relative-json-pointer", Draft07),
    ("time", Draft04),
    ("uri", Draft04),
    ("uri-reference", Draft06),
    ("uri-template", Draft06),
    ("uuid", Draft201909),
];

/// Whether a value that does not fit its format is refused in `dialect`.
pub fn are_asserted(dialect: Dialect) -> bool {
    dialect <= Draft07
}

/// The name of the format as the table has it, if `dialect` knows it.
pub(crate) fn known(dialect: Dialect, name: &str) -> Option<&'static str> {
    FORMATS.iter().find(|(format, since)| *format == name && *since <= dialect).map(|(format, _)| *format)
}

/// Whether a text fits a format. What is unknown fits.
pub(crate) fn fits(dialect: Dialect, format: &str, text: &Value) -> bool {
    static VALIDATORS: OnceLock<HashMap<(Dialect, &'static str), Validator>> = OnceLock::new();
    let validators = VALIDATORS.get_or_init(|| {
        let pairs = dialect::ALL.into_iter().flat_map(|dialect| {
            FORMATS.iter().filter_map(move |(format, since)| (*since <= dialect).then_some((dialect, *format)))
        });
        pairs.filter_map(|(dialect, format)| Some(((dialect, format), validator(dialect, format)?))).collect()
    });
    known(dialect, format)
        .and_then(|format| validators.get(&(dialect, format)))
        .is_none_or(|validator| validator.is_valid(text))
}

fn validator(dialect: Dialect, format: &str) -> Option<Validator> {
    let options = jsonschema::options().with_draft(dialect::engine_draft(dialect)).should_validate_formats(true);
    options.build(&json!({"format": format})).ok()
}

#[cfg(test)]
mod tests {
    use super::{FORMATS, fits, known};
    use crate::dialect;
    use serde_json::json;
    use worker_types::Dialect;

    #[test]
    fn the_table_is_what_the_engine_knows() {
        let others = ["url", "int32", "unix-time", "color", "unknown"];
        for dialect in dialect::ALL {
            for name in FORMATS.iter().map(|(name, _)| *name).chain(others) {
                let engine = jsonschema::options().is_known_format(dialect::engine_draft(dialect), name);
                assert_eq!(known(dialect, name).is_some(), engine, "{name} in {dialect}");
            }
        }
    }

    #[test]
    fn each_format_has_its_check() {
        assert!(fits(Dialect::Draft07, "date-time", &json!("2027-05-06T00:00:00Z")));
        assert!(!fits(Dialect::Draft07, "date-time", &json!("2027-05-06")));
        assert!(fits(Dialect::Draft07, "uuid", &json!("no")), "not a format of draft-07");
        assert!(!fits(Dialect::Draft202012, "uuid", &json!("no")));
        assert!(fits(Dialect::Draft07, "no-such-format", &json!("x")));
        assert!(fits(Dialect::Draft07, "ipv4", &json!(3)));
    }
}
