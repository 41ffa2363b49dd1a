//! Keywords about what is left unevaluated, about objects, and those that combine.

use super::{Changes, changes};
use serde_json::json;
use worker_types::Dialect::{Draft04, Draft06, Draft07, Draft201909, Draft202012};

pub(super) fn table() -> Vec<Changes> {
    let ever = (Draft04, Draft202012);
    let since_06 = (Draft06, Draft202012);
    let since_07 = (Draft07, Draft202012);
    let since_2019 = (Draft201909, Draft202012);
    let string = || json!({"type": "string"});
    let integer = || json!({"type": "integer"});
    vec![
        changes(
            "unevaluatedItems",
            since_2019,
            [
                (json!({"unevaluatedItems": false}), json!({"unevaluatedItems": integer()})),
                (json!({"maxItems": 0}), json!({"unevaluatedItems": false})),
            ],
            [
                (json!({}), json!({"unevaluatedItems": false})),
                (json!({"unevaluatedItems": integer()}), json!({"unevaluatedItems": string()})),
            ],
        ),
        changes(
            "properties",
            ever,
            [
                (json!({"properties": {"a": integer()}}), json!({"properties": {"a": {"type": "number"}}})),
                (json!({"properties": {"a": integer(), "b": string()}}), json!({"properties": {"a": integer()}})),
            ],
            [
                (json!({"properties": {"a": {"type": "number"}}}), json!({"properties": {"a": integer()}})),
                (json!({"type": "object"}), json!({"properties": {"a": integer()}})),
            ],
        ),
        changes(
            "patternProperties",
            ever,
            [
                (json!({"patternProperties": {"^x-": integer()}}), json!({"patternProperties": {"^x-1": integer()}})),
                (json!({"additionalProperties": integer()}), json!({"patternProperties": {"^x-": integer()}})),
            ],
            [
                (json!({"patternProperties": {"^x-1": integer()}}), json!({"patternProperties": {"^x-": integer()}})),
                (json!({"properties": {"x-1": integer()}}), json!({"patternProperties": {"^x-": string()}})),
            ],
        ),
        changes(
            "additionalProperties",
            ever,
            [
                (json!({"additionalProperties": false}), json!({"additionalProperties": integer()})),
                (
                    json!({"properties": {"a": {}}, "additionalProperties": false}),
                    json!({"properties": {"a": {}, "b": integer()}, "additionalProperties": false}),
                ),
            ],
            [
                (json!({"properties": {"a": {}}}), json!({"properties": {"a": {}}, "additionalProperties": false})),
                (
                    json!({"properties": {"a": {}, "b": {}}, "additionalProperties": false}),
                    json!({"properties": {"a": {}}, "additionalProperties": false}),
                ),
            ],
        ),
        changes(
            "unevaluatedProperties",
            since_2019,
            [
                (
                    json!({"properties": {"a": {}}, "additionalProperties": false}),
                    json!({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}),
                ),
                (json!({"unevaluatedProperties": integer()}), json!({"unevaluatedProperties": {"type": "number"}})),
            ],
            [
                (
                    json!({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}),
                    json!({"allOf": [{"properties": {"a": {}}}], "additionalProperties": false}),
                ),
                (
                    json!({"anyOf": [{"properties": {"a": {}}}, {}], "unevaluatedProperties": false}),
                    json!({"unevaluatedProperties": false}),
                ),
            ],
        ),
        changes(
            "propertyNames",
            since_06,
            [
                (json!({"propertyNames": {"maxLength": 1}}), json!({"propertyNames": {"maxLength": 2}})),
                (
                    json!({"properties": {"a": {}}, "additionalProperties": false}),
                    json!({"propertyNames": {"pattern": "^a"}}),
                ),
            ],
            [
                (json!({"propertyNames": {"maxLength": 3}}), json!({"propertyNames": {"maxLength": 1}})),
                (json!({"type": "object"}), json!({"type": "object", "propertyNames": {"pattern": "^[a-c]$"}})),
            ],
        ),
        changes(
            "required",
            ever,
            [
                (json!({"required": ["a", "b"]}), json!({"required": ["a"]})),
                (json!({"type": "array"}), json!({"type": "array", "required": ["a"]})),
            ],
            [
                (json!({"required": ["a"]}), json!({"required": ["a", "b"]})),
                (json!({"type": "object"}), json!({"required": ["a"]})),
            ],
        ),
        changes(
            "minProperties",
            ever,
            [
                (json!({"minProperties": 2}), json!({"minProperties": 1})),
                (json!({"required": ["a", "b"]}), json!({"minProperties": 2})),
            ],
            [
                (json!({"minProperties": 1}), json!({"minProperties": 2})),
                (json!({"required": ["a"]}), json!({"minProperties": 2})),
            ],
        ),
        changes(
            "maxProperties",
            ever,
            [
                (json!({"maxProperties": 1}), json!({"maxProperties": 2})),
                (json!({"properties": {"a": {}, "b": {}}, "additionalProperties": false}), json!({"maxProperties": 2})),
            ],
            [
                (json!({"maxProperties": 2}), json!({"maxProperties": 1})),
                (json!({"properties": {"a": {}, "b": {}}, "additionalProperties": false}), json!({"maxProperties": 1})),
            ],
        ),
        changes(
            "dependencies",
            (Draft04, Draft07),
            [
                (json!({"dependencies": {"a": ["b", "c"]}}), json!({"dependencies": {"a": ["b"]}})),
                (json!({"required": ["b"]}), json!({"dependencies": {"a": ["b"]}})),
            ],
            [
                (json!({"dependencies": {"a": ["b"]}}), json!({"dependencies": {"a": ["b", "c"]}})),
                (json!({}), json!({"dependencies": {"a": {"required": ["b"]}}})),
            ],
        ),
        changes(
            "dependentRequired",
            since_2019,
            [
                (json!({"dependentRequired": {"a": ["b", "c"]}}), json!({"dependentRequired": {"a": ["c"]}})),
                (json!({"required": ["b"]}), json!({"dependentRequired": {"a": ["b"]}})),
            ],
            [
                (json!({"dependentRequired": {"a": ["b"]}}), json!({"dependentRequired": {"a": ["b", "c"]}})),
                (json!({}), json!({"dependentRequired": {"a": ["b"]}})),
            ],
        ),
        changes(
            "dependentSchemas",
            since_2019,
            [
                (json!({"required": ["b"]}), json!({"dependentSchemas": {"a": {"required": ["b"]}}})),
                (
                    json!({"dependentSchemas": {"a": {"maxProperties": 1}}}),
                    json!({"dependentSchemas": {"a": {"maxProperties": 2}}}),
                ),
            ],
            [
                (json!({}), json!({"dependentSchemas": {"a": {"required": ["b"]}}})),
                (
                    json!({"dependentSchemas": {"a": {"maxProperties": 2}}}),
                    json!({"dependentSchemas": {"a": {"maxProperties": 1}}}),
                ),
            ],
        ),
        changes(
            "allOf",
            ever,
            [
                (json!({"allOf": [integer(), {"minimum": 0}]}), json!({"type": "integer"})),
                (json!({"type": "integer", "minimum": 0}), json!({"allOf": [{"minimum": 0}, {"type": "number"}]})),
            ],
            [
                (json!({"allOf": [{"minimum": 0}]}), json!({"allOf": [{"minimum": 0}, {"maximum": 3}]})),
                (json!({"type": "number"}), json!({"allOf": [integer()]})),
            ],
        ),
        changes(
            "anyOf",
            ever,
            [
                (json!({"anyOf": [integer(), string()]}), json!({"type": ["string", "number"]})),
                (json!({"type": ["string", "integer"]}), json!({"anyOf": [{"type": "number"}, string()]})),
            ],
            [
                (json!({"anyOf": [integer(), string()]}), json!({"anyOf": [integer()]})),
                (json!({"type": ["string", "number"]}), json!({"anyOf": [integer(), string()]})),
            ],
        ),
        changes(
            "oneOf",
            ever,
            [
                (json!({"oneOf": [integer(), string()]}), json!({"oneOf": [integer(), string(), {"type": "null"}]})),
                (json!({"type": "string"}), json!({"oneOf": [string(), {"type": "boolean"}]})),
            ],
            [
                (json!({"anyOf": [{"type": "number"}, integer()]}), json!({"oneOf": [{"type": "number"}, integer()]})),
                (json!({"oneOf": [integer(), string()]}), json!({"oneOf": [integer(), {"type": "null"}]})),
            ],
        ),
        changes(
            "not",
            ever,
            [
                (json!({"not": {"type": ["string", "null"]}}), json!({"not": string()})),
                (json!({"type": "integer"}), json!({"not": string()})),
            ],
            [
                (json!({"not": string()}), json!({"not": {"type": ["string", "null"]}})),
                (json!({}), json!({"not": {"required": ["a"]}})),
            ],
        ),
        changes(
            "if, then, else",
            since_07,
            [
                (json!({"if": integer(), "then": {"minimum": 2}}), json!({"if": integer(), "then": {"minimum": 1}})),
                (json!({"type": "string"}), json!({"if": integer(), "then": false})),
            ],
            [
                (json!({"if": integer(), "then": {"minimum": 1}}), json!({"if": integer(), "then": {"minimum": 2}})),
                (json!({}), json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {}})),
            ],
        ),
        changes(
            "$ref",
            ever,
            [
                (
                    json!({"definitions": {"n": integer()}, "properties": {"a": {"$ref": "#/definitions/n"}}}),
                    json!({"properties": {"a": {"type": "number"}}}),
                ),
                (
                    json!({"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}),
                    json!({"properties": {"a": {"$ref": "#"}, "b": {}}, "additionalProperties": false}),
                ),
            ],
            [
                (
                    json!({"definitions": {"n": {"type": "number"}}, "properties": {"a": {"$ref": "#/definitions/n"}}}),
                    json!({"definitions": {"n": integer()}, "properties": {"a": {"$ref": "#/definitions/n"}}}),
                ),
                (
                    json!({"properties": {"a": {"$ref": "#"}, "b": {}}, "additionalProperties": false}),
                    json!({"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}),
                ),
            ],
        ),
    ]
}
