//! A compiled schema: the engine's validator for the verdict, and what was read for the explanation.

use crate::explain::{self, Named};
use crate::inspect::{Extent, examine};
use crate::model::Model;
use crate::{Limits, dotted};
use jsonschema::Validator;
use serde_json::Value;
use std::collections::HashMap;
use worker_types::{Dialect, Item};

/// A compiled schema: ask it whether a value is valid, and only for one that is not, why.
pub struct Schema {
    validator: Validator,
    model: Model,
    dialect: Dialect,
    assert_formats: Option<bool>,
    /// Whether a metaschema of its own may take keywords away, which the explanation does not know.
    has_own_metaschema: bool,
}

/// Why a value is not valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// What is wrong, in the order of the value, at most `Limits::errors`.
    pub errors: Vec<Item>,
    /// How many more there are.
    pub more: usize,
}

/// What [`Schema::compile_with`] is told beside the schema.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// Documents that `$ref` and `$schema` may name, by their absolute URI without fragment. None is ever fetched.
    pub documents: Option<&'a HashMap<String, Value>>,
    /// Whether `format` refuses values, instead of what the dialect says.
    pub assert_formats: Option<bool>,
}

impl Schema {
    /// Compiles `schema`. `dialect` counts when the schema names no `$schema`; without either it is read as draft-07.
    ///
    /// # Errors
    /// Everything that [`crate::inspect`] calls an error, with pointers relative to the schema's root.
    pub fn compile(schema: &Value, dialect: Option<Dialect>, limits: &Limits) -> Result<Self, Vec<Item>> {
        Self::compile_with(schema, dialect, limits, Surroundings::default())
    }

    /// As [`Schema::compile`], for a schema among documents that are known beforehand.
    ///
    /// # Errors
    /// As [`Schema::compile`].
    pub fn compile_with(
        schema: &Value,
        dialect: Option<Dialect>,
        limits: &Limits,
        surroundings: Surroundings<'_>,
    ) -> Result<Self, Vec<Item>> {
        let Surroundings { documents, assert_formats } = surroundings;
        let examined = examine(schema, dialect, &Extent { documents, assert_formats, limits });
        match (examined.validator, examined.read) {
            (Some(validator), Some(read)) => {
                let has_own_metaschema = examined.has_own_metaschema;
                Ok(Self { validator, model: read.model, dialect: examined.dialect, assert_formats, has_own_metaschema })
            }
            _ => Err(examined.errors),
        }
    }

    /// The dialect that the schema is read in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What was read.
    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// Whether `format` refuses values, where that does not follow from the dialect.
    pub(crate) fn assert_formats(&self) -> Option<bool> {
        self.assert_formats
    }

    /// Whether a metaschema of its own may take keywords away.
    pub(crate) fn has_own_metaschema(&self) -> bool {
        self.has_own_metaschema
    }

    /// Whether `instance` is valid.
    ///
    /// The engine recurses with the instance: a value that did not come through a parser that bounds its depth (at
    /// most 127) must pass [`crate::check_depth`] before.
    #[inline]
    pub fn is_valid(&self, instance: &Value) -> bool {
        self.validator.is_valid(instance)
    }

    /// Why `instance` is not valid; `at` is the pointer at which it stands in the task, as `/payload` or nothing.
    ///
    /// Call it only for an instance that [`Schema::is_valid`] refused: it looks at the whole value again, more slowly.
    /// For a valid one it says nothing. The depth of the instance must be bounded as there.
    pub fn explain(&self, instance: &Value, at: &str, limits: &Limits) -> Explanation {
        if self.has_own_metaschema && self.is_valid(instance) {
            return Explanation::default();
        }
        let words = dotted(at);
        let named = Named { at, words: &words, grouped: true };
        let mut explanation = explain::explain(&self.model, instance, named, self.assert_formats, limits);
        if explanation.errors.is_empty() && !self.is_valid(instance) {
            let message = format!("{words} is refused by its schema, and there is too much in it to say where");
            explanation.errors.push(Item::new("invalid", at, message));
        }
        explanation
    }
}
