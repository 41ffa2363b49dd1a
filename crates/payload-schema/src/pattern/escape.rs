//! What follows a backslash (ECMA-262 §22.2.1, with the identity escapes of the web).

use super::PatternFault;
use super::class::{DIGIT, NOT_DIGIT, NOT_SPACE, NOT_WORD, SPACE, WORD};
use super::scan::{Scan, invalid};
use std::borrow::Cow;

/// The meaning of an escape.
pub(super) enum Escape {
    /// One character.
    Character(char),
    /// The inside of a class.
    Set(Cow<'static, str>),
    /// `\b` or `\B`.
    Boundary(char),
}

/// Reads an escape whose backslash is taken.
pub(super) fn escape(scan: &mut Scan<'_>, in_class: bool) -> Result<Escape, PatternFault> {
    let c = scan.next().ok_or_else(|| invalid("it ends in a backslash"))?;
    let set = match c {
        'd' => Some(DIGIT),
        'D' => Some(NOT_DIGIT),
        'w' => Some(WORD),
        'W' => Some(NOT_WORD),
        's' => Some(SPACE),
        'S' => Some(NOT_SPACE),
        _ => None,
    };
    if let Some(set) = set {
        scan.count_set();
        return Ok(Escape::Set(Cow::Borrowed(set)));
    }
    Ok(match c {
        'b' if in_class => Escape::Character('\u{8}'),
        'b' | 'B' if !in_class => Escape::Boundary(c),
        'p' | 'P' => Escape::Set(Cow::Owned(property(scan, c)?)),
        'f' => Escape::Character('\u{c}'),
        'n' => Escape::Character('\n'),
        'r' => Escape::Character('\r'),
        't' => Escape::Character('\t'),
        'v' => Escape::Character('\u{b}'),
        '0' if !scan.peek().is_some_and(|next| next.is_ascii_digit()) => Escape::Character('\0'),
        '1'..='9' if !in_class => return Err(PatternFault::Unsupported("back-reference")),
        'k' if !in_class && scan.peek() == Some('<') => return Err(PatternFault::Unsupported("back-reference")),
        'c' => Escape::Character(control(scan)?),
        'x' => Escape::Character(character(hexadecimal(scan, 2)?)?),
        'u' => Escape::Character(unicode(scan)?),
        c if !c.is_alphanumeric() => Escape::Character(c),
        'A' => return Err(invalid("\\A is not known; the start of the text is written ^")),
        'Z' | 'z' => return Err(invalid(format!("\\{c} is not known; the end of the text is written $"))),
        c => return Err(invalid(format!("the escape \\{c} is not known"))),
    })
}

/// `\p{…}`: names and values are those of Unicode; the engine says whether it knows them.
fn property(scan: &mut Scan<'_>, letter: char) -> Result<String, PatternFault> {
    let missing = || invalid(format!("\\{letter} needs a property in braces, as in \\{letter}{{L}}"));
    if !scan.eat("{") {
        return Err(missing());
    }
    let name = scan.rest().split_once('}').map(|(name, _)| name).ok_or_else(missing)?;
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '=');
    if name.is_empty() || !name.chars().all(fits) {
        return Err(missing());
    }
    scan.eat(name);
    scan.eat("}");
    Ok(format!("\\{letter}{{{name}}}"))
}

fn control(scan: &mut Scan<'_>) -> Result<char, PatternFault> {
    match scan.next() {
        Some(letter) if letter.is_ascii_alphabetic() => Ok(char::from(letter as u8 % 32)),
        _ => Err(invalid("\\c needs a letter")),
    }
}

fn unicode(scan: &mut Scan<'_>) -> Result<char, PatternFault> {
    if scan.eat("{") {
        let digits = scan.rest().split_once('}').map_or("", |(digits, _)| digits);
        let code = u32::from_str_radix(digits, 16).map_err(|_| invalid("\\u{…} needs hexadecimal digits"))?;
        scan.eat(digits);
        scan.eat("}");
        return character(code);
    }
    let first = hexadecimal(scan, 4)?;
    if (0xd800..0xdc00).contains(&first) && scan.eat("\\u") {
        let second = hexadecimal(scan, 4)?;
        if (0xdc00..0xe000).contains(&second) {
            return character(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00));
        }
    }
    character(first)
}

fn hexadecimal(scan: &mut Scan<'_>, length: usize) -> Result<u32, PatternFault> {
    let digits = scan.rest().get(..length).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let digits = digits.ok_or_else(|| invalid(format!("an escape needs {length} hexadecimal digits")))?;
    scan.eat(digits);
    u32::from_str_radix(digits, 16).map_err(|error| invalid(error.to_string()))
}

fn character(code: u32) -> Result<char, PatternFault> {
    char::from_u32(code).ok_or_else(|| {
        invalid(format!("U+{code:04X} is half of a surrogate pair or beyond Unicode, and no text contains it"))
    })
}
