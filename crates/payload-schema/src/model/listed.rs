//! The values of an `enum`. Tens of thousands are looked up, not gone through one by one.

use crate::equality;
use serde_json::Value;
use std::collections::HashSet;
use std::ops::Deref;
use std::sync::OnceLock;

/// Values that are gone through one by one.
const FEW: usize = 32;

#[derive(Debug)]
pub(crate) struct Listed {
    values: Vec<Value>,
    /// What equal values share, written when it is first asked for.
    keys: OnceLock<HashSet<String>>,
}

impl Listed {
    pub(crate) fn new(values: Vec<Value>) -> Self {
        Self { values, keys: OnceLock::new() }
    }

    /// Whether one of them is the same value.
    pub(crate) fn has(&self, value: &Value) -> bool {
        if self.values.len() <= FEW {
            return self.values.iter().any(|listed| equality::same(listed, value));
        }
        self.keys().contains(&equality::key(value))
    }

    /// Whether both have the same values.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let within = |one: &Self, other: &Self| one.values.iter().all(|value| other.has(value));
        within(self, other) && within(other, self)
    }

    fn keys(&self) -> &HashSet<String> {
        self.keys.get_or_init(|| self.values.iter().map(equality::key).collect())
    }
}

impl Deref for Listed {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::Listed;
    use serde_json::{Value, from_str, json};

    #[test]
    fn many_values_are_found_as_few_are() {
        let values = |count: i64| Listed::new((0..count).map(|n| json!({"n": [n]})).collect());
        for count in [10, 1_000] {
            let has = |text: &str| values(count).has(&from_str::<Value>(text).unwrap());
            assert!(has(r#"{"n": [9.0]}"#) && has(r#"{"n": [0e1]}"#));
            assert!(!has(r#"{"n": [-1]}"#) && !has(r#"{"n": ["9"]}"#) && !has(r#"{"n": [[9]]}"#));
            assert!(values(count).is_same(&values(count)) && !values(count).is_same(&values(count - 1)));
        }
    }
}
