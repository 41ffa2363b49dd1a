//! Anchors of properties, and places in URLs. No two names have the same anchor.

use std::fmt::Write;

/// A name as a part of an anchor: what an id cannot hold, or what parts are joined by, by its number.
pub(crate) fn of_name(name: &str) -> String {
    let mut anchor = String::with_capacity(name.len());
    for character in name.chars() {
        if character.is_whitespace() || character.is_control() || "\"'<>%#!;.[]~/*".contains(character) {
            // Writing to memory does not fail.
            let _ = write!(anchor, "!{:x};", u32::from(character));
        } else {
            anchor.push(character);
        }
    }
    anchor
}

/// The anchor of a property by its path from the payload on, as `artifacts[].name`.
pub(crate) fn of_path(prefix: &str, path: &str) -> String {
    let part = |part: &str| {
        let name = part.trim_end_matches("[]");
        let elements = &part[name.len()..];
        if name == "*" { part.to_owned() } else { format!("{}{elements}", of_name(name)) }
    };
    let parts: Vec<String> = path.split('.').map(part).collect();
    format!("{prefix}payload.{}", parts.join("."))
}

/// Text in a query.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{of_name, of_path};
    use std::collections::BTreeSet;

    #[test]
    fn names_that_differ_have_anchors_that_differ() {
        let names = ["a b", "a_b", "a%b", "a.b", "a!20;b", "a\u{a0}b", "a/b", "a~b", "max_run-time"];
        let anchors: BTreeSet<String> = names.iter().map(|name| of_name(name)).collect();
        assert_eq!(anchors.len(), names.len(), "{anchors:?}");
        assert!(anchors.contains("max_run-time") && anchors.contains("a!20;b"), "{anchors:?}");
        assert_eq!(of_path("two/", "artifacts[].na me"), "two/payload.artifacts[].na!20;me");
    }
}
