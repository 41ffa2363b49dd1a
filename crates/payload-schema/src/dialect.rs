//! Which draft a `$schema` names.

use jsonschema::Draft;
use serde_json::Value;
use worker_types::Dialect;

/// The path of Taskcluster's own metaschema, which is draft-06 with titles required.
const TASKCLUSTER: &str = "/schemas/common/metaschema.json";

/// What a `$schema` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    /// One of the five drafts.
    Draft(Dialect),
    /// Taskcluster's metaschema: read as draft-06.
    Taskcluster,
    /// Something that only its owner knows.
    Unknown,
}

impl Declared {
    /// Reads a `$schema`: with or without a trailing `#`, over http or https.
    pub(crate) fn read(uri: &str) -> Self {
        let uri = uri.trim_end_matches('#');
        let Some((_, rest)) = uri.split_once("://").filter(|(scheme, _)| matches!(*scheme, "http" | "https")) else {
            return if uri == TASKCLUSTER { Self::Taskcluster } else { Self::Unknown };
        };
        match rest {
            "json-schema.org/draft-04/schema" => Self::Draft(Dialect::Draft04),
            "json-schema.org/draft-06/schema" => Self::Draft(Dialect::Draft06),
            "json-schema.org/draft-07/schema" => Self::Draft(Dialect::Draft07),
            "json-schema.org/draft/2019-09/schema" => Self::Draft(Dialect::Draft201909),
            "json-schema.org/draft/2020-12/schema" => Self::Draft(Dialect::Draft202012),
            _ if rest.split_once('/').is_some_and(|(_, path)| path == &TASKCLUSTER[1..]) => Self::Taskcluster,
            _ => Self::Unknown,
        }
    }

    /// The draft to read by, where it is known.
    pub(crate) fn dialect(self) -> Option<Dialect> {
        match self {
            Self::Draft(dialect) => Some(dialect),
            Self::Taskcluster => Some(Dialect::Draft06),
            Self::Unknown => None,
        }
    }
}

/// The dialect that `schema` is read in: that of its `$schema`, if it is one that is known, else `otherwise`.
pub fn dialect_of(schema: &Value, otherwise: Dialect) -> Dialect {
    let declared = schema.get("$schema").and_then(Value::as_str).map(Declared::read);
    declared.and_then(Declared::dialect).unwrap_or(otherwise)
}

/// The URI by which a draft is declared.
pub(crate) fn metaschema_uri(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Draft04 => "http://json-schema.org/draft-04/schema#",
        Dialect::Draft06 => "http://json-schema.org/draft-06/schema#",
        Dialect::Draft07 => "http://json-schema.org/draft-07/schema#",
        Dialect::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
        Dialect::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
    }
}

/// The engine's name of a draft.
pub(crate) fn engine_draft(dialect: Dialect) -> Draft {
    match dialect {
        Dialect::Draft04 => Draft::Draft4,
        Dialect::Draft06 => Draft::Draft6,
        Dialect::Draft07 => Draft::Draft7,
        Dialect::Draft201909 => Draft::Draft201909,
        Dialect::Draft202012 => Draft::Draft202012,
    }
}

/// Every draft, oldest first.
pub(crate) const ALL: [Dialect; 5] =
    [Dialect::Draft04, Dialect::Draft06, Dialect::Draft07, Dialect::Draft201909, Dialect::Draft202012];

/// How messages name a draft: with the word, also where the name is a date.
pub(crate) fn named(dialect: Dialect) -> String {
    match dialect {
        Dialect::Draft201909 | Dialect::Draft202012 => format!("draft {dialect}"),
        _ => dialect.to_string(),
    }
}

/// Whether `$ref` makes its siblings meaningless (draft-07 core §8.3; changed in 2019-09).
pub(crate) fn ref_stands_alone(dialect: Dialect) -> bool {
    dialect <= Dialect::Draft07
}

#[cfg(test)]
mod tests {
    use super::{ALL, Declared, metaschema_uri};
    use worker_types::Dialect;

    #[test]
    fn each_draft_is_read_from_its_uri_in_every_spelling() {
        for dialect in ALL {
            let uri = metaschema_uri(dialect).trim_end_matches('#');
            let other = if uri.starts_with("https") {
                uri.replacen("https", "http", 1)
            } else {
                uri.replacen("http", "https", 1)
            };
            for spelling in [uri.to_owned(), format!("{uri}#"), other.clone(), format!("{other}#")] {
                assert_eq!(Declared::read(&spelling), Declared::Draft(dialect), "{spelling}");
            }
        }
    }

    #[test]
    fn the_metaschema_of_taskcluster_is_draft_06() {
        for uri in ["/schemas/common/metaschema.json#", "https://tc.example.com/schemas/common/metaschema.json"] {
            assert_eq!(Declared::read(uri), Declared::Taskcluster);
            assert_eq!(Declared::read(uri).dialect(), Some(Dialect::Draft06));
        }
    }

    #[test]
    fn anything_else_is_unknown() {
        for uri in [
            "",
            "draft-07",
            "http://json-schema.org/schema#",
            "http://json-schema.org/draft-03/schema#",
            "https://example.com/m.json",
            "file:///schemas/common/metaschema.json",
        ] {
            assert_eq!(Declared::read(uri), Declared::Unknown, "{uri}");
        }
    }
}
