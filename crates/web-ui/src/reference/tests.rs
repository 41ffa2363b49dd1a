use super::Reference;
use serde_json::{Value, json};
use worker_types::Dialect;

fn rendered(schema: &Value) -> String {
    let reference = Reference::new(schema, Dialect::Draft07, "", "/schema?at=".to_owned());
    reference.render("", "payload", 0).into_string()
}

#[test]
fn a_property_says_what_it_is_and_can_be_linked_to() {
    let html = rendered(
        &json!({"type": "object", "required": ["maxRunTime"], "additionalProperties": false, "properties": {
        "maxRunTime": {"type": "integer", "minimum": 1, "maximum": 86400, "description": "In *seconds*.", "default": 3600},
        "features": {"$ref": "#/definitions/features"}},
        "definitions": {"features": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "uniqueItems": true}}}),
    );
    for expected in [
        "id=\"payload.maxRunTime\"",
        "<strong class=\"required\">required</strong>",
        "In <em>seconds</em>.",
        "at least 1, at most 86400",
        "<code>3600</code>",
        "array of strings",
        "no two alike",
        "id=\"payload.features[]\"",
        "No other properties.",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
}

#[test]
fn a_recursion_is_shown_once_and_leads_on() {
    let html = rendered(&json!({"$ref": "#/definitions/node", "definitions": {"node": {"properties": {
        "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/definitions/node"}}}}}}));
    assert_eq!(html.matches(">name</code>").count(), 1, "{html}");
    assert!(
        html.contains("href=\"/schema?at=/definitions/node/properties/children/items&amp;path=payload.children%5B%5D"),
        "{html}"
    );
    assert!(rendered(&json!({"properties": {"self": {"$ref": "#"}}})).contains("Unfold"));
}

#[test]
fn choices_are_called_by_what_sets_them_apart() {
    let html = rendered(&json!({"oneOf": [
        {"properties": {"kind": {"enum": ["file"]}, "path": {}}}, {"title": "A directory", "properties": {"path": {}}},
        {"required": ["url"], "properties": {"url": {}}}, {"type": "null"}, {}]}));
    for label in ["kind is &quot;file&quot;", "A directory", "with url", "null", "choice 5"] {
        assert!(html.contains(&format!("<summary>{label}</summary>")), "{label} in {html}");
    }
    // One id for each, though two branches have a property of the same name.
    assert!(html.contains("id=\"payload~1.path\"") && html.contains("id=\"payload~2.path\""), "{html}");
}

#[test]
fn nothing_in_a_schema_acts() {
    let bad = "<script>alert(1)</script><img src=x onerror=alert(1)>";
    let html =
        rendered(&json!({"title": bad, "description": bad, "properties": {bad: {"description": bad, "enum": [bad],
        "default": bad, "pattern": bad}}, "patternProperties": {bad: {}}, "not": {"const": bad}}));
    assert!(!html.contains("<script") && !html.contains("<img"), "{html}");
}

#[test]
fn what_is_too_much_for_a_page_is_on_the_next() {
    let properties: serde_json::Map<String, Value> =
        (0..5_000).map(|n| (format!("p{n}"), json!({"type": "string"}))).collect();
    let schema = json!({"properties": properties});
    let html = rendered(&schema);
    assert!(html.contains("4400 more properties") && html.contains("&amp;skip=600"));
    let reference = Reference::new(&schema, Dialect::Draft07, "", "/schema?at=".to_owned());
    let last = reference.render("", "payload", 4_800).into_string();
    assert!(last.contains(">p4999</code>") && !last.contains("more properties") && !last.contains(">p4799</code>"));
}

#[test]
fn definitions_that_refer_to_one_another_by_patterns_do_not_fill_a_page() {
    let names: Vec<String> = (0..12).map(|n| format!("d{n}")).collect();
    let all = |of: &str| {
        let others = names.iter().filter(|name| *name != of);
        let patterns: serde_json::Map<String, Value> =
            others.map(|name| (format!("^{name}"), json!({"$ref": format!("#/definitions/{name}")}))).collect();
        json!({"patternProperties": patterns, "items": [{"$ref": "#/definitions/d0"}, {"$ref": "#/definitions/d1"}]})
    };
    let definitions: serde_json::Map<String, Value> = names.iter().map(|name| (name.clone(), all(name))).collect();
    let html = rendered(&json!({"definitions": definitions, "$ref": "#/definitions/d0"}));
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
    assert!(html.contains("Unfold"));
}
