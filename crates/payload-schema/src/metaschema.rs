//! The metaschemas: documents that every schema may refer to, and the shape that every schema must have.

use crate::dialect;
use crate::explain::{self, Named};
use crate::model::{Model, Source, read};
use crate::{Explanation, Limits};
use referencing::meta;
use serde_json::Value;
use std::sync::OnceLock;
use worker_types::Dialect;

/// The metaschema, or the part of one, with this URI (without fragment).
pub(crate) fn document(uri: &str) -> Option<&'static Value> {
    let (_, path) = uri.split_once("://").filter(|(scheme, _)| matches!(*scheme, "http" | "https"))?;
    Some(match path.strip_prefix("json-schema.org/")? {
        "draft-04/schema" => &meta::DRAFT4,
        "draft-06/schema" => &meta::DRAFT6,
        "draft-07/schema" => &meta::DRAFT7,
        "draft/2019-09/schema" => &meta::DRAFT201909,
        "draft/2019-09/meta/applicator" => &meta::DRAFT201909_APPLICATOR,
        "draft/2019-09/meta/content" => &meta::DRAFT201909_CONTENT,
        "draft/2019-09/meta/core" => &meta::DRAFT201909_CORE,
        "draft/2019-09/meta/format" => &meta::DRAFT201909_FORMAT,
        "draft/2019-09/meta/meta-data" => &meta::DRAFT201909_META_DATA,
        "draft/2019-09/meta/validation" => &meta::DRAFT201909_VALIDATION,
        "draft/2020-12/schema" => &meta::DRAFT202012,
        "draft/2020-12/meta/applicator" => &meta::DRAFT202012_APPLICATOR,
        "draft/2020-12/meta/content" => &meta::DRAFT202012_CONTENT,
        "draft/2020-12/meta/core" => &meta::DRAFT202012_CORE,
        "draft/2020-12/meta/format-annotation" => &meta::DRAFT202012_FORMAT_ANNOTATION,
        "draft/2020-12/meta/format-assertion" => &meta::DRAFT202012_FORMAT_ASSERTION,
        "draft/2020-12/meta/meta-data" => &meta::DRAFT202012_META_DATA,
        "draft/2020-12/meta/unevaluated" => &meta::DRAFT202012_UNEVALUATED,
        "draft/2020-12/meta/validation" => &meta::DRAFT202012_VALIDATION,
        _ => return None,
    })
}

/// What is wrong with the shape of `schema` in `dialect`. Patterns in it must be translated already.
pub(crate) fn explain(dialect: Dialect, schema: &Value, limits: &Limits) -> Explanation {
    let named = Named { at: "", words: "schema", grouped: false };
    explain::explain(model(dialect), schema, named, Some(true), limits)
}

fn model(dialect: Dialect) -> &'static Model {
    static MODELS: [OnceLock<Model>; 5] = [const { OnceLock::new() }; 5];
    let index = dialect::ALL.iter().position(|known| *known == dialect).unwrap_or(0);
    MODELS[index].get_or_init(|| {
        let uri = dialect::metaschema_uri(dialect).trim_end_matches('#');
        let schema = document(uri).unwrap_or(&Value::Bool(true));
        let limits = Limits::default();
        read(&Source { schema, dialect, documents: &|uri| document(uri), limits: &limits }).model
    })
}

#[cfg(test)]
mod tests {
    use super::{document, explain};
    use crate::{Limits, dialect};
    use serde_json::json;

    #[test]
    fn every_metaschema_is_a_schema_by_itself() {
        for dialect in dialect::ALL {
            let schema = document(dialect::metaschema_uri(dialect).trim_end_matches('#')).unwrap();
            assert_eq!(explain(dialect, schema, &Limits::default()).errors, []);
            let broken = json!({"properties": {"a": {"type": "strng"}}});
            let explanation = explain(dialect, &broken, &Limits::default());
            assert_eq!(explanation.errors.len(), 1, "{dialect}: {explanation:?}");
            assert_eq!(explanation.errors[0].pointer, "/properties/a/type");
            assert_eq!(explanation.errors[0].suggestion.as_deref(), Some("string"));
        }
    }
}
