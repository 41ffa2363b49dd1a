//! Bounded pieces of values for messages: never more of an instance than a reader needs to recognise it.

use serde_json::Value;
use std::io::{self, Write};

/// Characters of a value that a message shows.
const CHARACTERS: usize = 80;

/// `value` as JSON, cut after 80 characters.
pub(crate) fn value(value: &Value) -> String {
    // Four bytes a character at most, and one more to see that there is more.
    let mut shown = Bounded { bytes: Vec::with_capacity(128), room: CHARACTERS * 4 + 1 };
    // The writer refuses what does not fit; that is the only way in which this fails.
    let whole = serde_json::to_writer(&mut shown, value).is_ok();
    match String::from_utf8(shown.bytes) {
        Ok(json) if whole && after(&json, CHARACTERS).is_none() => json,
        Ok(json) => cut(&json, whole),
        Err(broken) => cut(&String::from_utf8_lossy(broken.as_bytes()), whole),
    }
}

/// `text` as a JSON string, cut after 80 characters.
pub(crate) fn text(text: &str) -> String {
    let end = after(text, CHARACTERS).unwrap_or(text.len());
    let mut shown = Vec::with_capacity(end + 2);
    // Writing to a Vec cannot fail.
    let _ = serde_json::to_writer(&mut shown, &text[..end]);
    let shown = String::from_utf8(shown).unwrap_or_default();
    match (end == text.len(), after(&shown, CHARACTERS)) {
        (true, None) => shown,
        (true, _) => cut(&shown, true),
        (false, _) => cut(&shown[..shown.len() - 1], false),
    }
}

/// `text` as it stands, cut after `characters`.
pub(crate) fn plain(text: &str, characters: usize) -> String {
    match after(text, characters) {
        Some(offset) => format!("{}…", &text[..offset]),
        None => text.to_owned(),
    }
}

/// Where the part of `text` begins that follows so many characters, if there is one.
fn after(text: &str, characters: usize) -> Option<usize> {
    // A character has a byte at least: short texts need no counting.
    if text.len() <= characters {
        return None;
    }
    text.char_indices().nth(characters).map(|(offset, _)| offset)
}

fn cut(json: &str, whole: bool) -> String {
    match after(json, CHARACTERS) {
        Some(offset) => format!("{}…", json[..offset].trim_end_matches('\u{fffd}')),
        None if whole => json.to_owned(),
        None => format!("{}…", json.trim_end_matches('\u{fffd}')),
    }
}

struct Bounded {
    bytes: Vec<u8>,
    room: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.room);
        self.bytes.extend_from_slice(&bytes[..taken]);
        self.room -= taken;
        // Nothing taken is an error to `write_all`, which ends the writing.
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{text, value};
    use serde_json::json;

    #[test]
    fn short_values_are_shown_whole() {
        assert_eq!(value(&json!({"a": [1, "x", null]})), r#"{"a":[1,"x",null]}"#);
        assert_eq!(text("a \"b\""), r#""a \"b\"""#);
    }

    #[test]
    fn long_values_are_cut_on_a_character() {
        let long = value(&json!(["ü".repeat(1000)]));
        assert_eq!(long.chars().count(), 81);
        assert!(long.starts_with("[\"ü") && long.ends_with('…'));
        assert_eq!(text(&"ü".repeat(1000)).chars().count(), 81);
        assert_eq!(value(&json!(vec![1; 100_000])).chars().count(), 81);
    }
}
