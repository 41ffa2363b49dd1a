//! The small closed vocabularies of a definition: each value has one spelling, in JSON, in the database and on the page.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A word that is none of a setting's values.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{given:?} is not one of {}", .known.join(", "))]
pub struct UnknownSetting {
    /// What was read.
    pub given: String,
    /// What exists.
    pub known: &'static [&'static str],
}

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)+ }

        impl $name {
            /// Every spelling, in the order of the type.
            pub const NAMES: &'static [&'static str] = &[$($text,)+];

            /// The one spelling.
            pub fn as_str(self) -> &'static str { match self { $($name::$variant => $text,)+ } }
        }

        impl FromStr for $name {
            type Err = UnknownSetting;
            fn from_str(text: &str) -> Result<Self, UnknownSetting> {
                match text {
                    $($text => Ok($name::$variant),)+
                    _ => Err(UnknownSetting { given: text.to_owned(), known: Self::NAMES }),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.as_str()) }
        }

        // Not derived: the derive does not see a spelling that comes through this macro.
        #[cfg(feature = "openapi")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                let words = utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::String);
                words.enum_values(Some(Self::NAMES.iter().copied())).into()
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::ToSchema for $name {}
    };
}

pub(crate) use vocabulary;

vocabulary! {
    /// What a queue does with a payload that the worker type does not accept. The order is from mild to strict.
    ValidationMode {
        /// Payloads are not looked at.
        Off = "off",
        /// The task is created, and its author is told.
        Warn = "warn",
        /// The task is refused.
        Enforce = "enforce",
    }
}

vocabulary! {
    /// What happens when a new revision would refuse tasks that the live one accepts.
    CompatibilityPolicy {
        /// Nothing is compared.
        None = "none",
        /// The answer names what would break.
        Warn = "warn",
        /// The revision is refused.
        Require = "require",
    }
}

vocabulary! {
    /// What happens when authors would find less documentation than payloads have properties.
    DocumentationPolicy {
        /// It is measured, and nothing is said.
        None = "none",
        /// The answer names what is not documented.
        Warn = "warn",
        /// The revision is refused.
        Require = "require",
    }
}

vocabulary! {
    /// Which of the variants that apply to a task must accept it.
    Acceptance {
        /// At least one.
        Any = "any",
        /// Every one.
        All = "all",
    }
}

vocabulary! {
    /// How a revision takes over from the one before.
    RolloutPolicy {
        /// At once.
        Immediate = "immediate",
        /// Both are live, and a task is accepted if either accepts it.
        Lenient = "lenient",
        /// Both are live, and a task is accepted only if both accept it.
        Strict = "strict",
    }
}

vocabulary! {
    /// A JSON Schema draft, for schemas that name none by `$schema`.
    Dialect {
        /// <http://json-schema.org/draft-04/schema>
        Draft04 = "draft-04",
        /// <http://json-schema.org/draft-06/schema>
        Draft06 = "draft-06",
        /// <http://json-schema.org/draft-07/schema>
        Draft07 = "draft-07",
        /// <https://json-schema.org/draft/2019-09/schema>
        Draft201909 = "2019-09",
        /// <https://json-schema.org/draft/2020-12/schema>
        Draft202012 = "2020-12",
    }
}

vocabulary! {
    /// Where a release stands after it was published.
    ReleaseState {
        /// It may be used.
        Active = "active",
        /// It works; whoever uses it is told to move on.
        Deprecated = "deprecated",
        /// No definition may begin to use it.
        Withdrawn = "withdrawn",
    }
}
