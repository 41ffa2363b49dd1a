//! Where the references of a schema lead, for those who show it.

use crate::Limits;
use crate::dialect::Declared;
use crate::limits::too_deep;
use crate::metaschema;
use crate::model::{Rule, Source, read};
use serde_json::Value;
use std::collections::HashMap;
use worker_types::Dialect;

/// The targets of the references within `schema`: from the JSON Pointer of each subschema that has a `$ref`, to the pointer
/// of what that means. References that lead nowhere or to another document are left out. `dialect` counts when the schema
/// names no `$schema`.
pub fn references(schema: &Value, dialect: Dialect, limits: &Limits) -> HashMap<String, String> {
    if too_deep(schema, limits.depth).is_some() {
        return HashMap::new();
    }
    let declared = schema.get("$schema").and_then(Value::as_str).and_then(|uri| Declared::read(uri).dialect());
    let documents = |uri: &str| metaschema::document(uri);
    let read = read(&Source { schema, dialect: declared.unwrap_or(dialect), documents: &documents, limits });
    let model = &read.model;
    let own = model.ids().filter(|id| model.is_own(*id));
    own.flat_map(|id| model.node(id).rules.iter().map(move |rule| (id, rule)))
        .filter_map(|(id, rule)| match rule {
            Rule::Reference(reference) => Some((id, reference.target.filter(|target| model.is_own(*target))?)),
            _ => None,
        })
        .map(|(id, target)| (model.pointer(id), model.pointer(target)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::references;
    use crate::Limits;
    use serde_json::json;
    use worker_types::Dialect;

    #[test]
    fn references_by_pointer_by_name_and_by_identifier_lead_to_their_places() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "properties": {"a": {"$ref": "#/$defs/a~1b"}, "b": {"$ref": "#named"}, "c": {"$ref": "https://example.com/c"},
                "d": {"$ref": "https://example.com/elsewhere"}},
            "$defs": {"a/b": {"type": "string"}, "n": {"$anchor": "named"}, "c": {"$id": "https://example.com/c"}},
        });
        let mut found: Vec<_> = references(&schema, Dialect::Draft07, &Limits::default()).into_iter().collect();
        found.sort();
        let expected = [("/properties/a", "/$defs/a~1b"), ("/properties/b", "/$defs/n"), ("/properties/c", "/$defs/c")];
        assert_eq!(found, expected.map(|(from, to)| (from.to_owned(), to.to_owned())));
    }
}
