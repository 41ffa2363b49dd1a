//! Scalars by YAML 1.2's core schema (§10.3.2), with numbers kept digit for digit.

use super::super::error::Fault;
use super::super::places::Place;
use granit_parser::{ScalarStyle, Tag};
use serde_json::{Number, Value};

/// A scalar as the parser gives it.
pub(super) struct Scalar<'a> {
    pub(super) text: &'a str,
    pub(super) style: ScalarStyle,
    pub(super) tag: Option<&'a Tag>,
}

const NUL: &str = "the text contains the character U+0000, which JSON documents of this service cannot hold";

impl Scalar<'_> {
    /// What it means in JSON.
    pub(super) fn value(&self) -> Result<Value, String> {
        if self.text.contains('\0') {
            return Err(NUL.to_owned());
        }
        let text = || Value::from(self.text);
        let wanted = match self.tag {
            None if self.style == ScalarStyle::Plain => return resolve(self.text),
            None => return Ok(text()),
            Some(tag) if is_non_specific(tag) => return Ok(text()),
            Some(tag) => tag.core_suffix().ok_or_else(|| foreign_tag(tag))?,
        };
        if wanted == "str" {
            return Ok(text());
        }
        match (wanted, resolve(self.text)?) {
            ("null", value @ Value::Null) | ("bool", value @ Value::Bool(_)) | ("float", value @ Value::Number(_)) => {
                Ok(value)
            }
            ("int", Value::Number(number)) if !number.as_str().contains(['.', 'e', 'E']) => Ok(Value::Number(number)),
            _ => Err(format!("{:?} is not what its tag !!{wanted} says", self.text)),
        }
    }

    /// What it is as a key: its text, since JSON's keys are text. `3.10: x` has the key "3.10".
    pub(super) fn key(&self) -> Result<String, String> {
        let plain = self.style == ScalarStyle::Plain && self.tag.is_none();
        if plain && self.text == "<<" {
            return Err(
                "merge keys (`<<`) are not part of YAML 1.2; write the members out, or quote the key".to_owned()
            );
        }
        match self.value()? {
            Value::Null => Err("a key must be text; quote it if it is to be \"null\" or \"~\"".to_owned()),
            _ => Ok(self.text.to_owned()),
        }
    }
}

/// A list or a mapping may have its own tag and no other.
pub(super) fn check_collection_tag(tag: Option<&Tag>, own: &str, at: Place) -> Result<(), Fault> {
    match tag {
        None => Ok(()),
        Some(tag) if is_non_specific(tag) || tag.is_yaml_core_schema_tag(own) => Ok(()),
        Some(tag) => Err(Fault::new(at, foreign_tag(tag))),
    }
}

/// `!` alone: whatever stands there is text, a list or a mapping.
fn is_non_specific(tag: &Tag) -> bool {
    let (handle, suffix) = tag.parts();
    matches!((handle, suffix), ("!", "") | ("", "!"))
}

fn foreign_tag(tag: &Tag) -> String {
    format!(
        "the tag {} is not understood; only YAML's own !!str, !!int, !!float, !!bool, !!null, !!seq and !!map are",
        tag.original()
    )
}

/// A plain scalar.
fn resolve(text: &str) -> Result<Value, String> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return Err(no_json_number(text)),
        _ if matches!(text.trim_start_matches(['+', '-']), ".inf" | ".Inf" | ".INF") && text.len() <= 5 => {
            return Err(no_json_number(text));
        }
        _ => match number(text)? {
            Some(digits) => {
                Value::Number(digits.parse::<Number>().map_err(|error| format!("{text} is not a number: {error}"))?)
            }
            None => Value::from(text),
        },
    })
}

/// Whether a plain scalar is text.
pub(super) fn is_text(text: &str) -> bool {
    matches!(resolve(text), Ok(Value::String(_)))
}

fn no_json_number(text: &str) -> String {
    format!("{text} has no counterpart in JSON; quote it if it is meant as text")
}

/// The number in JSON's spelling; none when the text is none.
fn number(text: &str) -> Result<Option<String>, String> {
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return based(text, digits, radix);
        }
    }
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'-') => ("-", &text[1..]),
        Some(b'+') => ("", &text[1..]),
        _ => ("", text),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !whole.is_empty() || fraction.is_some_and(|fraction| !fraction.is_empty());
    let exponent_fits = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && all_digits(digits)
    });
    if !(has_digits && all_digits(whole) && fraction.is_none_or(all_digits) && exponent_fits) {
        return Ok(None);
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let fraction = fraction.map(|fraction| format!(".{}", if fraction.is_empty() { "0" } else { fraction }));
    let exponent = exponent.map(|exponent| format!("e{exponent}"));
    Ok(Some(format!("{sign}{whole}{}{}", fraction.unwrap_or_default(), exponent.unwrap_or_default())))
}

fn based(text: &str, digits: &str, radix: u32) -> Result<Option<String>, String> {
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Ok(None);
    }
    let number = u128::from_str_radix(digits, radix).map_err(|_| {
        format!("{text} has more than 128 bits; write it in decimal, or quote it if it is meant as text")
    })?;
    Ok(Some(number.to_string()))
}
