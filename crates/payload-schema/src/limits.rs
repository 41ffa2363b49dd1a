//! The bounds that keep one schema or one payload from taking the process with it.

use serde_json::Value;

/// Bounds on schemas and on explanations. Each is checked before the engine sees the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Objects and arrays inside one another in a schema.
    pub depth: usize,
    /// Subschemas in one schema.
    pub subschemas: usize,
    /// Subschemas after every `$ref` is replaced by its target (a recursion counts once), and also the checks that one
    /// value can cause, its parts not counted.
    pub expansion: u64,
    /// Checks inside one another while the deepest value is looked at; each takes stack.
    pub nesting: usize,
    /// Bytes of one regular expression as its author wrote it.
    pub pattern_bytes: usize,
    /// Bytes of one compiled regular expression.
    pub regex_bytes: usize,
    /// Bytes of all compiled regular expressions of one schema.
    pub regex_total_bytes: usize,
    /// Items in one explanation or one list of faults; the rest is counted.
    pub errors: usize,
    /// Whether explanations leave out the values of the instance, which may be secret: what its members are called and
    /// of what types they are is still said.
    pub masked: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 64,
            subschemas: 20_000,
            expansion: 100_000,
            nesting: 4_000,
            pattern_bytes: 4096,
            regex_bytes: 1 << 20,
            regex_total_bytes: 32 << 20,
            errors: 100,
            masked: false,
        }
    }
}

/// Whether arrays and objects in `value` are nested at most `limit` deep. Never recurses deeper than that.
///
/// Values that came through [`worker_types::parse_json`] are within its limit; this is for those that did not. The
/// engine recurses with the instance: ask this before [`crate::Schema::is_valid`] for any value of unknown depth.
pub fn check_depth(value: &Value, limit: usize) -> bool {
    match value {
        Value::Array(items) => limit > 0 && items.iter().all(|item| check_depth(item, limit - 1)),
        Value::Object(members) => limit > 0 && members.values().all(|member| check_depth(member, limit - 1)),
        _ => true,
    }
}

/// The place of the first array or object that is nested more than `limit` deep.
pub(crate) fn too_deep(value: &Value, limit: usize) -> Option<String> {
    let (mut pointer, mut value, mut left) = (String::new(), value, limit);
    if check_depth(value, left) {
        return None;
    }
    loop {
        let (token, child) = match value {
            _ if left == 0 => return Some(pointer),
            Value::Array(items) => {
                let mut items = items.iter().enumerate();
                let (index, item) = items.find(|(_, item)| !check_depth(item, left - 1))?;
                (index.to_string(), item)
            }
            Value::Object(members) => {
                let (name, member) = members.iter().find(|(_, member)| !check_depth(member, left - 1))?;
                (crate::excerpt::plain(name, 200), member)
            }
            _ => return None,
        };
        crate::pointer::push(&mut pointer, &token);
        (value, left) = (child, left - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::check_depth;
    use serde_json::{Value, json};

    #[test]
    fn counts_arrays_and_objects() {
        assert!(check_depth(&json!(1), 0));
        assert!(!check_depth(&json!([]), 0));
        assert!(check_depth(&json!([{"a": [1]}]), 3));
        assert!(!check_depth(&json!([{"a": [1]}]), 2));
    }

    #[test]
    fn a_very_deep_value_does_not_overflow_the_stack() {
        let deep = (0..200_000).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
        assert!(!check_depth(&deep, 64));
        // serde_json drops values recursively: that is its owner's trouble, not this test's.
        std::mem::forget(deep);
    }
}
