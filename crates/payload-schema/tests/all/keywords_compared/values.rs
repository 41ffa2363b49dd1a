//! Keywords about a value as a whole, numbers, texts and arrays.

use super::{Changes, changes};
use serde_json::json;
use worker_types::Dialect::{Draft04, Draft06, Draft07, Draft201909, Draft202012};

pub(super) fn table() -> Vec<Changes> {
    let ever = (Draft04, Draft202012);
    let since_06 = (Draft06, Draft202012);
    let since_2019 = (Draft201909, Draft202012);
    let string = || json!({"type": "string"});
    let integer = || json!({"type": "integer"});
    vec![
        changes(
            "type",
            ever,
            [
                (json!({"type": "integer"}), json!({"type": "number"})),
                (json!({"type": "string"}), json!({"type": ["null", "string"]})),
            ],
            [(json!({"type": "number"}), json!({"type": "integer"})), (json!({}), json!({"type": "object"}))],
        ),
        changes(
            "enum",
            ever,
            [
                (json!({"enum": [1, "a"]}), json!({"enum": ["a", 2, 1]})),
                (json!({"enum": [1, 2]}), json!({"type": "number"})),
            ],
            [
                (json!({"enum": [1, "a"]}), json!({"enum": [1]})),
                (json!({"type": "string"}), json!({"enum": ["a", "b"]})),
            ],
        ),
        changes(
            "const",
            since_06,
            [(json!({"const": 1}), json!({"const": 1.0})), (json!({"const": "a"}), json!({"enum": ["a", "b"]}))],
            [(json!({"const": 1}), json!({"const": 2})), (json!({"enum": ["a", "b"]}), json!({"const": "a"}))],
        ),
        changes(
            "minimum",
            ever,
            [
                (json!({"minimum": 3}), json!({"minimum": 2})),
                (json!({"type": "string"}), json!({"type": "string", "minimum": 5})),
            ],
            [(json!({"minimum": 2}), json!({"minimum": 3})), (json!({}), json!({"minimum": 0}))],
        ),
        changes(
            "maximum",
            ever,
            [
                (json!({"maximum": 3}), json!({"maximum": 4})),
                (json!({"type": "integer", "maximum": 3}), json!({"type": "integer", "maximum": 3.5})),
            ],
            [(json!({"maximum": 4}), json!({"maximum": 3})), (json!({"maximum": 3}), json!({"maximum": 2.5}))],
        ),
        changes(
            "exclusiveMinimum",
            since_06,
            [
                (json!({"type": "integer", "exclusiveMinimum": 0}), json!({"type": "integer", "minimum": 1})),
                (json!({"minimum": 1}), json!({"exclusiveMinimum": 0})),
            ],
            [
                (json!({"exclusiveMinimum": 0}), json!({"minimum": 1})),
                (json!({"minimum": 0}), json!({"exclusiveMinimum": 0})),
            ],
        ),
        changes(
            "exclusiveMaximum",
            since_06,
            [
                (json!({"exclusiveMaximum": 3}), json!({"maximum": 3})),
                (json!({"type": "integer", "exclusiveMaximum": 3}), json!({"type": "integer", "maximum": 2})),
            ],
            [
                (json!({"maximum": 3}), json!({"exclusiveMaximum": 3})),
                (json!({"exclusiveMaximum": 3}), json!({"maximum": 2})),
            ],
        ),
        changes(
            "exclusiveMinimum and exclusiveMaximum as booleans",
            (Draft04, Draft04),
            [
                (json!({"minimum": 0, "exclusiveMinimum": true}), json!({"minimum": 0})),
                (json!({"maximum": 3, "exclusiveMaximum": true}), json!({"maximum": 3, "exclusiveMaximum": false})),
            ],
            [
                (json!({"minimum": 0}), json!({"minimum": 0, "exclusiveMinimum": true})),
                (json!({"maximum": 3}), json!({"maximum": 3, "exclusiveMaximum": true})),
            ],
        ),
        changes(
            "multipleOf",
            ever,
            [
                (json!({"multipleOf": 6}), json!({"multipleOf": 3})),
                (json!({"type": "integer"}), json!({"type": "integer", "multipleOf": 0.5})),
            ],
            [
                (json!({"multipleOf": 3}), json!({"multipleOf": 6})),
                (json!({"type": "number"}), json!({"type": "number", "multipleOf": 0.5})),
            ],
        ),
        changes(
            "minLength",
            ever,
            [
                (json!({"minLength": 2}), json!({"minLength": 1})),
                (json!({"pattern": "^ab?c?$"}), json!({"pattern": "^ab?c?$", "minLength": 1})),
            ],
            [
                (json!({"minLength": 1}), json!({"minLength": 2})),
                (json!({"type": "string"}), json!({"type": "string", "minLength": 1})),
            ],
        ),
        changes(
            "maxLength",
            ever,
            [
                (json!({"maxLength": 2}), json!({"maxLength": 3})),
                (json!({"pattern": "^ab?c?$"}), json!({"maxLength": 3})),
            ],
            [
                (json!({"maxLength": 3}), json!({"maxLength": 2})),
                (json!({"pattern": "^ab?c?$"}), json!({"maxLength": 2})),
            ],
        ),
        changes(
            "pattern",
            ever,
            [
                (json!({"pattern": "^ab"}), json!({"pattern": "^a"})),
                (json!({"enum": ["a", "ab"]}), json!({"pattern": "^a"})),
            ],
            [
                (json!({"pattern": "^a"}), json!({"pattern": "^ab"})),
                (json!({"type": "string"}), json!({"pattern": "^[a-c]*$"})),
            ],
        ),
        changes(
            "format where it is asserted",
            (Draft04, Draft07),
            [
                (json!({"format": "ipv4"}), json!({})),
                (json!({"type": "integer"}), json!({"type": "integer", "format": "ipv4"})),
            ],
            [
                (json!({}), json!({"format": "ipv4"})),
                (json!({"type": "string", "minLength": 2}), json!({"type": "string", "format": "ipv4"})),
            ],
        ),
        changes(
            "items",
            ever,
            [
                (json!({"items": integer()}), json!({"items": {"type": "number"}})),
                (json!({"maxItems": 0}), json!({"items": string()})),
            ],
            [
                (json!({"items": {"type": "number"}}), json!({"items": integer()})),
                (json!({}), json!({"items": string()})),
            ],
        ),
        changes(
            "items as a list",
            (Draft04, Draft201909),
            [
                (json!({"items": [integer(), integer()]}), json!({"items": [integer()]})),
                (json!({"items": integer()}), json!({"items": [integer(), {"type": "number"}]})),
            ],
            [
                (json!({"items": [integer()]}), json!({"items": [integer(), integer()]})),
                (json!({"items": [integer()]}), json!({"items": integer()})),
            ],
        ),
        changes(
            "additionalItems",
            (Draft04, Draft201909),
            [
                (json!({"items": [{}], "additionalItems": false}), json!({"maxItems": 1})),
                (json!({}), json!({"additionalItems": false})),
            ],
            [
                (json!({"items": [{}]}), json!({"items": [{}], "additionalItems": false})),
                (json!({"items": [{}]}), json!({"items": [{}], "additionalItems": string()})),
            ],
        ),
        changes(
            "prefixItems",
            (Draft202012, Draft202012),
            [
                (json!({"prefixItems": [integer(), integer()]}), json!({"prefixItems": [integer()]})),
                (json!({"items": integer()}), json!({"prefixItems": [{"type": "number"}]})),
            ],
            [
                (json!({"prefixItems": [integer()]}), json!({"prefixItems": [integer(), integer()]})),
                (json!({"prefixItems": [integer()]}), json!({"prefixItems": [integer()], "items": false})),
            ],
        ),
        changes(
            "minItems",
            ever,
            [
                (json!({"minItems": 2}), json!({"minItems": 1})),
                (json!({"enum": [[1], [1, 2]]}), json!({"minItems": 1})),
            ],
            [
                (json!({"minItems": 1}), json!({"minItems": 2})),
                (json!({"type": "array"}), json!({"type": "array", "minItems": 1})),
            ],
        ),
        changes(
            "maxItems",
            ever,
            [(json!({"maxItems": 1}), json!({"maxItems": 2})), (json!({"type": "string"}), json!({"maxItems": 0}))],
            [(json!({"maxItems": 2}), json!({"maxItems": 1})), (json!({}), json!({"maxItems": 2}))],
        ),
        changes(
            "uniqueItems",
            ever,
            [(json!({"uniqueItems": true}), json!({})), (json!({"maxItems": 1}), json!({"uniqueItems": true}))],
            [
                (json!({}), json!({"uniqueItems": true})),
                (json!({"items": integer(), "maxItems": 2}), json!({"uniqueItems": true})),
            ],
        ),
        changes(
            "contains",
            since_06,
            [
                (json!({"contains": integer()}), json!({"contains": {"type": "number"}})),
                (json!({"items": integer(), "minItems": 1}), json!({"contains": integer()})),
            ],
            [
                (json!({"contains": {"type": "number"}}), json!({"contains": string()})),
                (json!({"items": integer()}), json!({"contains": integer()})),
            ],
        ),
        changes(
            "minContains",
            since_2019,
            [
                (json!({"contains": integer(), "minContains": 2}), json!({"contains": integer()})),
                (json!({}), json!({"contains": integer(), "minContains": 0})),
            ],
            [
                (json!({"contains": integer()}), json!({"contains": integer(), "minContains": 2})),
                (json!({"contains": integer(), "minContains": 0}), json!({"contains": integer()})),
            ],
        ),
        changes(
            "maxContains",
            since_2019,
            [
                (json!({"contains": integer(), "maxContains": 1}), json!({"contains": integer(), "maxContains": 2})),
                (json!({"contains": integer(), "maxItems": 2}), json!({"contains": integer(), "maxContains": 2})),
            ],
            [
                (json!({"contains": integer(), "maxContains": 2}), json!({"contains": integer(), "maxContains": 1})),
                (json!({"contains": integer()}), json!({"contains": integer(), "maxContains": 2})),
            ],
        ),
    ]
}
