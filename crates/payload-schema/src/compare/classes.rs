//! The kinds of values that schemas tell apart, finer than JSON's types.

use crate::model::Types;
use crate::number::Decimal;
use serde_json::Value;
use worker_types::Dialect;

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Classes(u8);

impl Classes {
    pub(super) const STRING: Self = Self(1);
    /// A whole number written without fraction and exponent.
    pub(super) const INTEGER: Self = Self(2);
    /// A whole number written as `1.0` or `1e3`: no integer in draft-04.
    pub(super) const WHOLE: Self = Self(4);
    pub(super) const FRACTION: Self = Self(8);
    pub(super) const BOOLEAN: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const NULL: Self = Self(128);
    pub(super) const NUMBER: Self = Self(2 | 4 | 8);
    pub(super) const ALL: Self = Self(255);
    pub(super) const NONE: Self = Self(0);

    /// JSON's types as sets of kinds, objects first: what is most often meant.
    pub(super) const GROUPS: [Self; 6] =
        [Self::OBJECT, Self::STRING, Self::NUMBER, Self::BOOLEAN, Self::ARRAY, Self::NULL];

    pub(super) fn of_types(types: Types, dialect: Dialect) -> Self {
        types.names().fold(Self::NONE, |classes, name| {
            classes.or(match name {
                "string" => Self::STRING,
                "integer" if dialect == Dialect::Draft04 => Self::INTEGER,
                "integer" => Self::INTEGER.or(Self::WHOLE),
                "number" => Self::NUMBER,
                "boolean" => Self::BOOLEAN,
                "array" => Self::ARRAY,
                "object" => Self::OBJECT,
                _ => Self::NULL,
            })
        })
    }

    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
            Value::Number(number) if number.as_str().bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => {
                Self::INTEGER
            }
            Value::Number(number) if Decimal::new(number).is_integer() => Self::WHOLE,
            Value::Number(_) => Self::FRACTION,
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}
