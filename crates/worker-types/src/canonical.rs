//! The canonical form of a JSON value (RFC 8785, JSON Canonicalization Scheme) and its hash.
//!
//! One deviation, documented: integers beyond a double's precision are written as their digits instead of being
//! rounded, so that two definitions that differ in such a number differ in their hash.

use crate::ContentHash;
use serde_json::{Number, Value};
use sha2::{Digest, Sha256};
use std::cmp::Ordering;

/// Most definitions need no more.
const USUAL_BYTES: usize = 8_192;

/// The largest integer up to which every integer is a double (2^53).
const EXACT: u64 = 1 << 53;

/// The canonical text of `value`: no white space, keys sorted by their UTF-16 code units, numbers as ECMAScript writes them.
pub fn canonical_json(value: &Value) -> String {
    // Only whole texts and ASCII are written, so this is UTF-8.
    String::from_utf8(canonical_bytes(value)).unwrap_or_default()
}

fn canonical_bytes(value: &Value) -> Vec<u8> {
    let mut text = Vec::with_capacity(USUAL_BYTES);
    write_value(value, &mut text);
    text
}

/// `sha256:` and the hex digest of [`canonical_json`].
pub fn content_hash(value: &Value) -> ContentHash {
    content_hash_and_size(value).0
}

/// [`content_hash`], and of how many bytes.
pub fn content_hash_and_size(value: &Value) -> (ContentHash, usize) {
    let bytes = canonical_bytes(value);
    (ContentHash::from_digest(&Sha256::digest(&bytes)), bytes.len())
}

fn write_value(value: &Value, text: &mut Vec<u8>) {
    match value {
        Value::Null => text.extend(b"null"),
        Value::Bool(value) => text.extend(if *value { &b"true"[..] } else { b"false" }),
        Value::Number(number) => write_number(number, text),
        Value::String(value) => write_string(value, text),
        Value::Array(items) => {
            text.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                write_value(item, text);
            }
            text.push(b']');
        }
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by(|(left, _), (right, _)| by_code_units(left, right));
            text.push(b'{');
            for (index, (name, member)) in sorted.into_iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                write_string(name, text);
                text.push(b':');
                write_value(member, text);
            }
            text.push(b'}');
        }
    }
}

/// RFC 8785 §3.2.3. Bytes sort as code units do, as long as both are ASCII.
fn by_code_units(left: &str, right: &str) -> Ordering {
    match left.is_ascii() && right.is_ascii() {
        true => left.cmp(right),
        false => left.encode_utf16().cmp(right.encode_utf16()),
    }
}

/// serde_json escapes exactly what RFC 8785 §3.2.2.2 asks for.
fn write_string(value: &str, text: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(text, value);
}

fn write_number(number: &Number, text: &mut Vec<u8>) {
    let digits = number.as_str();
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    let is_integer = unsigned.bytes().all(|byte| byte.is_ascii_digit());
    if is_integer && unsigned.parse::<u64>().map_or(true, |magnitude| magnitude > EXACT) {
        text.extend(digits.as_bytes());
        return;
    }
    match number.as_f64().filter(|double| double.is_finite()) {
        Some(double) => text.extend(ryu_js::Buffer::new().format_finite(double).as_bytes()),
        None => text.extend(digits.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::{canonical_json, content_hash};
    use serde_json::{Value, from_str};

    fn canonical(text: &str) -> String {
        canonical_json(&from_str::<Value>(text).unwrap())
    }

    #[test]
    fn follows_the_example_of_rfc_8785() {
        // RFC 8785 §3.2.2 and §3.2.3
        let input = r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
            "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#;
        let expected = "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
            \"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
        assert_eq!(canonical(input), expected);
    }

    #[test]
    fn sorts_keys_by_utf16_units() {
        // RFC 8785 §3.2.3: the surrogate pair of U+1F600 sorts before U+FB33.
        assert_eq!(
            canonical("{\"\u{fb33}\":1,\"\u{1f600}\":2,\"1\":3,\"\\r\":4}"),
            "{\"\\r\":4,\"1\":3,\"\u{1f600}\":2,\"\u{fb33}\":1}"
        );
    }

    #[test]
    fn one_value_written_in_two_ways_is_one_text() {
        assert_eq!(canonical("[1, 1.0, 1e0, -0]"), "[1,1,1,0]");
    }

    #[test]
    fn integers_beyond_a_double_keep_their_digits() {
        assert_eq!(
            canonical("[9007199254740993,-9007199254740993,123456789012345678901234567890]"),
            "[9007199254740993,-9007199254740993,123456789012345678901234567890]"
        );
        assert_ne!(
            content_hash(&from_str("9007199254740992").unwrap()),
            content_hash(&from_str("9007199254740993").unwrap())
        );
    }
}
