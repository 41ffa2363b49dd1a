//! The keywords of JSON Schema that authors of payload schemas write, for completion inside a definition. Whatever else
//! stands in a schema is left alone: what a schema may say is the gate's to judge.

use payload_schema::FORMATS;
use serde_json::{Map, Value, json};

/// Each keyword, what it may be, and what it says.
const KEYWORDS: &[(&str, Shape, &str)] = &[
    ("$schema", Shape::Dialect, "The draft that the schema is written in."),
    ("$id", Shape::Text, "What the schema is called in references."),
    ("$ref", Shape::Text, "What stands elsewhere in the document, as in #/definitions/name."),
    ("title", Shape::Text, "A short name, for people."),
    ("description", Shape::Text, "What the value is for; authors read it while they write. Markdown."),
    ("type", Shape::Type, "The JSON type, or several."),
    ("properties", Shape::Schemas, "The properties by name."),
    ("required", Shape::Texts, "The names that must be there."),
    ("additionalProperties", Shape::Schema, "What other properties must be; false if there may be none."),
    ("patternProperties", Shape::Schemas, "Properties whose names match a regular expression."),
    ("propertyNames", Shape::Schema, "What every name must be."),
    ("minProperties", Shape::Count, "At least so many properties."),
    ("maxProperties", Shape::Count, "At most so many properties."),
    ("items", Shape::Schema, "What every item of an array must be."),
    ("minItems", Shape::Count, "At least so many items."),
    ("maxItems", Shape::Count, "At most so many items."),
    ("uniqueItems", Shape::Flag, "Whether no item may stand there twice."),
    ("contains", Shape::Schema, "What at least one item must be."),
    ("enum", Shape::Values, "The values that are allowed."),
    ("const", Shape::Any, "The one value that is allowed."),
    ("default", Shape::Any, "What holds where the value is left out. It is said, not filled in."),
    ("examples", Shape::Values, "Values that show what is meant."),
    ("minimum", Shape::Number, "The smallest number that is allowed."),
    ("maximum", Shape::Number, "The largest number that is allowed."),
    ("exclusiveMinimum", Shape::Number, "Numbers must be larger."),
    ("exclusiveMaximum", Shape::Number, "Numbers must be smaller."),
    ("multipleOf", Shape::Number, "Numbers must be multiples of it."),
    ("minLength", Shape::Count, "At least so many characters."),
    ("maxLength", Shape::Count, "At most so many characters."),
    ("pattern", Shape::Text, "A regular expression (ECMAScript) that must match somewhere."),
    ("format", Shape::Format, "What a string must be, where the draft asserts it."),
    ("allOf", Shape::List, "All of these must accept."),
    ("anyOf", Shape::List, "At least one of these must accept."),
    ("oneOf", Shape::List, "Exactly one of these must accept; a constant in each tells them apart."),
    ("not", Shape::Schema, "This must not accept."),
    ("if", Shape::Schema, "Where this accepts, then holds; else otherwise."),
    ("then", Shape::Schema, "What must hold where if accepts."),
    ("else", Shape::Schema, "What must hold where if does not accept."),
    ("definitions", Shape::Schemas, "Schemas to refer to (until draft-07)."),
    ("$defs", Shape::Schemas, "Schemas to refer to (from 2019-09 on)."),
];

/// The drafts, as `$schema` spells them.
const DIALECTS: &[&str] = &[
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-04/schema#",
];

const TYPES: &[&str] = &["object", "array", "string", "integer", "number", "boolean", "null"];

#[derive(Clone, Copy)]
enum Shape {
    Any,
    Text,
    Texts,
    Flag,
    Count,
    Number,
    Values,
    Type,
    Format,
    Dialect,
    Schema,
    Schemas,
    List,
}

impl Shape {
    fn schema(self) -> Value {
        let schema = json!({"$ref": "#/$defs/schema"});
        match self {
            Self::Any => json!({}),
            Self::Text => json!({"type": "string"}),
            Self::Texts => json!({"type": "array", "items": {"type": "string"}}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Count => json!({"type": "integer", "minimum": 0}),
            Self::Number => json!({"type": "number"}),
            Self::Values => json!({"type": "array"}),
            Self::Type => json!({"anyOf": [{"enum": TYPES}, {"type": "array", "items": {"enum": TYPES}}]}),
            Self::Format => {
                let formats: Vec<&str> = FORMATS.iter().map(|(name, _)| *name).collect();
                json!({"type": "string", "examples": formats})
            }
            Self::Dialect => json!({"type": "string", "examples": DIALECTS}),
            Self::Schema => schema,
            Self::Schemas => json!({"type": "object", "additionalProperties": schema}),
            Self::List => json!({"type": "array", "items": schema}),
        }
    }
}

/// A schema of schemas.
pub(crate) fn schema_vocabulary() -> Value {
    let properties: Map<String, Value> = KEYWORDS
        .iter()
        .map(|(name, shape, words)| {
            let mut schema = shape.schema();
            schema["description"] = Value::from(*words);
            ((*name).to_owned(), schema)
        })
        .collect();
    json!({"type": ["object", "boolean"], "properties": properties})
}

#[cfg(test)]
mod tests {
    use super::schema_vocabulary;
    use payload_schema::{Limits, Schema};
    use serde_json::json;

    #[test]
    fn it_takes_schemas_and_knows_the_keywords_of_their_parts() {
        let vocabulary = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#/$defs/schema",
            "$defs": {"schema": schema_vocabulary()}});
        let compiled = Schema::compile(&vocabulary, None, &Limits::default()).unwrap();
        assert!(compiled.is_valid(payload_schema::create_task_schema()));
        assert!(compiled.is_valid(&json!({"type": ["string", "null"], "x-own": 5})) && compiled.is_valid(&json!(true)));
        for odd in [json!({"properties": {"a": {"type": "int"}}}), json!({"oneOf": {}}), json!({"minItems": -1})] {
            assert!(!compiled.is_valid(&odd), "{odd}");
        }
    }
}
