//! A compiled schema.

use crate::{Limits, inspect};
use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;
use worker_types::{Dialect, Item};

/// A compiled schema: ask it whether a value is valid, and only for one that is not, why.
pub struct Schema {
    validator: Validator,
}

/// Why a value is not valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// What is wrong, in the order of the value, at most `Limits::errors`.
    pub errors: Vec<Item>,
    /// How many more there are.
    pub more: usize,
}

impl Schema {
    /// Compiles `schema`. `dialect` counts when the schema names no `$schema`; without either it is read as draft-07.
    ///
    /// # Errors
    /// Everything that [`inspect`] calls an error, with pointers relative to the schema's root.
    pub fn compile(schema: &Value, dialect: Option<Dialect>, limits: &Limits) -> Result<Self, Vec<Item>> {
        let inspection = inspect(schema, dialect, limits);
        if !inspection.errors.is_empty() {
            return Err(inspection.errors);
        }
        let draft = match inspection.dialect {
            Dialect::Draft04 => Draft::Draft4,
            Dialect::Draft06 => Draft::Draft6,
            Dialect::Draft07 => Draft::Draft7,
            Dialect::Draft201909 => Draft::Draft201909,
            Dialect::Draft202012 => Draft::Draft202012,
        };
        jsonschema::options()
            .with_draft(draft)
            .offline()
            .with_pattern_options(PatternOptions::regex().size_limit(limits.regex_bytes))
            .build(schema)
            .map(|validator| Self { validator })
            .map_err(|error| vec![Item::new("invalid-schema", error.instance_path().as_str(), error.to_string())])
    }

    /// Whether `instance` is valid. The depth of a value that did not come through a parser must be checked before
    /// ([`crate::check_depth`]).
    #[inline]
    pub fn is_valid(&self, instance: &Value) -> bool {
        self.validator.is_valid(instance)
    }

    /// Why `instance` is not valid; `at` is the pointer at which it stands in the task. Call it only for instances that
    /// [`Schema::is_valid`] refused.
    pub fn explain(&self, instance: &Value, at: &str, limits: &Limits) -> Explanation {
        let mut errors: Vec<_> = self
            .validator
            .iter_errors(instance)
            .map(|error| Item {
                schema_pointer: Some(error.schema_path().to_string()),
                ..Item::new(
                    error.kind().keyword(),
                    format!("{at}{}", error.instance_path()),
                    error.masked().to_string(),
                )
            })
            .collect();
        let more = errors.len().saturating_sub(limits.errors);
        errors.truncate(limits.errors);
        Explanation { errors, more }
    }
}
