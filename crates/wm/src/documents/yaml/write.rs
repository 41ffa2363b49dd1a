//! A JSON value as YAML that people read: texts of several lines as blocks, and quotes only where they are needed.

use super::scalar;
use serde_json::Value;

/// `value` as a YAML document. Read again, it is the same value.
pub fn to_yaml(value: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Object(members) if !members.is_empty() => block(&mut text, value, 0),
        Value::Array(items) if !items.is_empty() => block(&mut text, value, 0),
        scalar => {
            inline(&mut text, scalar, 0);
            end_line(&mut text);
        }
    }
    text
}

/// The lines of a list or a mapping that is not empty.
fn block(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(members) => {
            for (index, (key, member)) in members.iter().enumerate() {
                if index > 0 || indent == 0 || text.ends_with('\n') {
                    pad(text, indent);
                }
                text.push_str(&word(key));
                text.push(':');
                below(text, member, indent + 2);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 || indent == 0 || text.ends_with('\n') {
                    pad(text, indent);
                }
                text.push('-');
                match item {
                    Value::Object(members) if !members.is_empty() => {
                        text.push(' ');
                        block(text, item, indent + 2);
                    }
                    Value::Array(inner) if !inner.is_empty() => {
                        text.push(' ');
                        block(text, item, indent + 2);
                    }
                    scalar => {
                        text.push(' ');
                        inline(text, scalar, indent + 2);
                        end_line(text);
                    }
                }
            }
        }
        _ => {}
    }
}

/// What stands after a key.
fn below(text: &mut String, member: &Value, indent: usize) {
    let is_block = match member {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    if is_block {
        text.push('\n');
        block(text, member, indent);
    } else {
        text.push(' ');
        inline(text, member, indent);
        end_line(text);
    }
}

fn inline(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::String(words) if words.contains('\n') && fits_block(words) => literal(text, words, indent),
        Value::String(words) => text.push_str(&word(words)),
        other => text.push_str(&other.to_string()),
    }
}

fn end_line(text: &mut String) {
    if !text.ends_with('\n') {
        text.push('\n');
    }
}

fn pad(text: &mut String, indent: usize) {
    text.extend(std::iter::repeat_n(' ', indent));
}

/// A literal block (YAML 1.2 §8.1.2).
fn literal(text: &mut String, words: &str, indent: usize) {
    let indent = indent.max(2);
    text.push('|');
    let first = words.lines().find(|line| !line.is_empty()).unwrap_or_default();
    if first.starts_with([' ', '\t']) || words.starts_with('\n') {
        // The reader cannot tell from the first line how deep the block is.
        text.push('2');
    }
    let ends = words.len() - words.trim_end_matches('\n').len();
    text.push_str(match ends {
        0 => "-",
        1 => "",
        _ => "+",
    });
    for line in words.strip_suffix('\n').unwrap_or(words).split('\n') {
        text.push('\n');
        if !line.is_empty() {
            pad(text, indent);
            text.push_str(line);
        }
    }
    text.push('\n');
}

fn fits_block(words: &str) -> bool {
    words.chars().all(|c| c == '\n' || c == '\t' || is_printable(c)) && words.chars().any(|c| c != '\n')
}

/// YAML 1.2 §5.1, without the byte order mark and what editors hide.
fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202f}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
}

/// Text on one line: plain where nobody can take it for something else.
fn word(words: &str) -> String {
    let plain =
        |c: char| (c.is_alphanumeric() && is_printable(c)) || matches!(c, ' ' | '_' | '.' | '/' | '@' | '+' | '-');
    let starts = words.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '/'));
    // YAML 1.1 reads these as true and false; whoever pastes the text there shall not be surprised.
    let old = ["y", "n", "yes", "no", "on", "off"].iter().any(|word| words.eq_ignore_ascii_case(word));
    if starts && !old && !words.ends_with(' ') && words.chars().all(plain) && scalar::is_text(words) {
        return words.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in words.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if is_printable(c) => quoted.push(c),
            c => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    quoted.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    quoted.push('"');
    quoted
}
