//! JSON as people read it: a character that shows nothing, or turns the writing round, is written by its number.

use serde_json::Value;
use std::fmt::Write;

/// A value over several lines.
pub(crate) fn pretty(value: &Value) -> String {
    visible(&serde_json::to_string_pretty(value).unwrap_or_default())
}

/// A name in one line: as it is, or in quotes where one would not see all of it.
pub(crate) fn name(name: &str) -> String {
    let all_seen =
        !name.is_empty() && name == name.trim() && !name.contains(is_unseen) && !name.contains(char::is_control);
    if all_seen { name.to_owned() } else { visible(&Value::from(name).to_string()) }
}

/// The same JSON. Such characters stand in strings only, where an escape means the same (RFC 8259 §7).
fn visible(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if is_unseen(character) {
            // Writing to memory does not fail; all of them are below U+10000.
            let _ = write!(text, "\\u{:04x}", u32::from(character));
        } else {
            text.push(character);
        }
    }
    text
}

/// Marks of direction (UAX #9 §2), and spaces without width. Joiners stay: emoji and whole scripts need them.
fn is_unseen(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::{name, pretty};
    use serde_json::{Value, json};

    #[test]
    fn what_turns_the_writing_round_is_seen_and_the_value_is_the_same() {
        let value = json!({"\u{202e}evil": "a\u{2066}b\u{200d}c", "مفتاح": "x"});
        let text = pretty(&value);
        assert!(
            text.contains("\\u202eevil") && text.contains("a\\u2066b\u{200d}c") && text.contains("مفتاح"),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn a_name_that_cannot_be_seen_whole_stands_in_quotes() {
        assert_eq!(name("max run time"), "max run time");
        assert_eq!(name("<b>"), "<b>");
        for (given, shown) in
            [("", "\"\""), (" ", "\" \""), ("a ", "\"a \""), ("\u{202e}x", "\"\\u202ex\""), ("a\nb", "\"a\\nb\"")]
        {
            assert_eq!(name(given), shown);
        }
    }
}
