//! Differences that people read: both sides as YAML, the old one's members in the new one's order.

use crate::documents::to_yaml;
use serde_json::{Map, Value};
use similar::TextDiff;

/// A unified diff; empty when the two are the same but for the order of members.
pub fn unified(old: &Value, new: &Value, old_name: &str, new_name: &str) -> String {
    let old = to_yaml(&in_order_of(old, new));
    let new = to_yaml(new);
    TextDiff::from_lines(&old, &new).unified_diff().context_radius(3).header(old_name, new_name).to_string()
}

/// `new` as something that comes into being.
pub fn added(new: &Value, new_name: &str) -> String {
    let new = to_yaml(new);
    TextDiff::from_lines("", &new).unified_diff().header("/dev/null", new_name).to_string()
}

/// `value` with the members of its objects in the order that `model` has them in.
fn in_order_of(value: &Value, model: &Value) -> Value {
    match (value, model) {
        (Value::Object(members), Value::Object(models)) => {
            let common = models.iter().filter_map(|(key, model)| Some((key, members.get(key)?, model)));
            let mut ordered: Map<String, Value> =
                common.map(|(key, member, model)| (key.clone(), in_order_of(member, model))).collect();
            for (key, member) in members {
                ordered.entry(key.clone()).or_insert_with(|| member.clone());
            }
            Value::Object(ordered)
        }
        (Value::Array(items), Value::Array(models)) => {
            let model = |index| models.get(index).unwrap_or(&Value::Null);
            Value::Array(items.iter().enumerate().map(|(index, item)| in_order_of(item, model(index))).collect())
        }
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{added, unified};
    use serde_json::json;

    #[test]
    fn only_what_differs_is_shown_whatever_the_order_of_members() {
        let old =
            json!({"b": 1, "documentation": "# A\n\none\ntwo\n", "a": {"y": 1, "x": [{"d": 1, "c": 2}]}, "gone": true});
        let new = json!({"a": {"x": [{"c": 2, "d": 1}], "y": 1}, "b": 2, "documentation": "# A\n\none\n2\n"});
        insta::assert_snapshot!(unified(&old, &new, "live", "w.yml"));
        assert_eq!(unified(&json!({"a": 1, "b": 2}), &json!({"b": 2, "a": 1}), "", ""), "");
        assert_eq!(added(&json!({"a": 1}), "w.yml"), "--- /dev/null\n+++ w.yml\n@@ -0,0 +1 @@\n+a: 1\n");
    }
}
