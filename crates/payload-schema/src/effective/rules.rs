//! The rules of constraints as JSON Schema, as far as it goes: `atMost` goes, `notAfter` is left to the service.

use crate::{Target, dotted, pointer};
use serde_json::{Value, json};
use worker_types::ResolvedRule;

/// Elements before one that a path names by its position: more are not written out.
const POSITIONS: usize = 100;

/// A rule.
pub(super) enum Said {
    /// On the value at this member of the task.
    Schema { field: String, schema: Value },
    /// For people, since no schema can say it.
    Words(String),
}

/// `rule`, in the words of `target`.
pub(super) fn say(rule: &ResolvedRule, target: Target) -> Said {
    let (path, limit) = match rule {
        ResolvedRule::AtMost { path, limit } => (path, limit),
        ResolvedRule::NotAfter { path, other } => {
            return Said::Words(format!("{} must not be after {}", words(path), words(other)));
        }
    };
    let mut tokens = pointer::tokens(path);
    let schema = tokens.next().and_then(|field| {
        let below: Vec<_> = tokens.collect();
        let bound = json!({"maximum": limit});
        let schema = below.iter().rev().try_fold(bound, |inner, token| below_token(token, inner, target))?;
        Some(Said::Schema { field: field.into_owned(), schema })
    });
    schema.unwrap_or_else(|| Said::Words(format!("{} must be at most {limit}", words(path))))
}

fn words(path: &str) -> String {
    dotted(path).replace("[\"*\"]", ".*")
}

/// What holds for the members of a value that a path's token picks.
fn below_token(token: &str, inner: Value, target: Target) -> Option<Value> {
    if token == "*" {
        return Some(json!({"additionalProperties": inner.clone(), "items": inner}));
    }
    let mut schema = json!({"properties": {token: inner.clone()}});
    if let Ok(position) = token.parse::<usize>() {
        if position > POSITIONS {
            return None;
        }
        let keyword = if target == Target::Draft07 { "items" } else { "prefixItems" };
        let mut elements = vec![json!({}); position];
        elements.push(inner);
        schema[keyword] = elements.into();
    }
    Some(schema)
}

#[cfg(test)]
mod tests {
    use super::{Said, say};
    use crate::Target;
    use serde_json::{Value, json};
    use worker_types::ResolvedRule;

    fn at_most(path: &str, target: Target) -> Option<(String, Value)> {
        match say(&ResolvedRule::AtMost { path: path.to_owned(), limit: 5.into() }, target) {
            Said::Schema { field, schema } => Some((field, schema)),
            Said::Words(_) => None,
        }
    }

    #[test]
    fn a_path_becomes_the_schema_of_what_it_picks() {
        let (field, schema) = at_most("/payload/a/*/b", Target::Draft202012).unwrap();
        let inner = json!({"properties": {"b": {"maximum": 5}}});
        assert_eq!(field, "payload");
        assert_eq!(schema, json!({"properties": {"a": {"additionalProperties": inner, "items": inner}}}));
        assert_eq!(at_most("/retries", Target::Draft07), Some(("retries".to_owned(), json!({"maximum": 5}))));
    }

    #[test]
    fn a_position_is_an_element_or_a_member() {
        let bound = json!({"maximum": 5});
        let (_, schema) = at_most("/payload/1", Target::Draft202012).unwrap();
        assert_eq!(schema, json!({"properties": {"1": bound}, "prefixItems": [{}, bound]}));
        let (_, schema) = at_most("/payload/1", Target::Draft07).unwrap();
        assert_eq!(schema, json!({"properties": {"1": bound}, "items": [{}, bound]}));
        assert_eq!(at_most("/payload/4000000", Target::Draft07), None);
    }

    #[test]
    fn times_are_compared_in_words() {
        let rule = ResolvedRule::NotAfter { path: "/payload/artifacts/*/expires".into(), other: "/expires".into() };
        let Said::Words(words) = say(&rule, Target::Draft202012) else { panic!("a schema") };
        assert_eq!(words, "task.payload.artifacts.*.expires must not be after task.expires");
    }
}
