//! Anchors of properties, and places in URLs.

/// The id of the element about a property: its path, with what an id cannot hold replaced.
pub(crate) fn anchor(prefix: &str, path: &str) -> String {
    let fits = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '"' | '\'' | '<' | '>' | '%' | '#');
    format!("{prefix}{}", path.chars().map(|c| if fits(c) { c } else { '_' }).collect::<String>())
}

/// Text in a query.
pub(super) fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
