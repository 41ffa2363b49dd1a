//! Character classes: the sets of ECMAScript, and what stands between brackets.

use super::escape::{Escape, escape};
use super::scan::{Scan, invalid};
use super::{PatternFault, Remark};
use std::borrow::Cow;

pub(super) const DIGIT: &str = "0-9";
pub(super) const NOT_DIGIT: &str = r"\x00-/:-\u{10FFFF}";
pub(super) const WORD: &str = "A-Za-z0-9_";
pub(super) const NOT_WORD: &str = r"\x00-/:-@\x5B-\x5E`\x7B-\u{10FFFF}";
/// `WhiteSpace` and `LineTerminator` (ECMA-262 §12.2, §12.3).
pub(super) const SPACE: &str = r"\t-\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF";
pub(super) const NOT_SPACE: &str = r"\x00-\x08\x0E-\x1F!-\u009F\u00A1-\u167F\u1681-\u1FFF\u200B-\u2027\u202A-\u202E\u2030-\u205E\u2060-\u2FFF\u3001-\uFEFE\uFF00-\u{10FFFF}";
/// `.`: anything but a line terminator.
pub(super) const DOT: &str = r"[^\n\r\u2028\u2029]";

enum Atom {
    Character(char),
    Set(Cow<'static, str>),
}

/// Reads a class whose opening bracket is taken.
pub(super) fn class(scan: &mut Scan<'_>) -> Result<(), PatternFault> {
    let negated = scan.eat("^");
    if scan.eat("]") {
        // Nothing is in the empty class, everything is in its opposite.
        scan.differs = true;
        scan.remark(Remark::EmptyClass);
        scan.text.push_str(if negated { r"[\x00-\u{10FFFF}]" } else { r"[^\x00-\u{10FFFF}]" });
        return Ok(());
    }
    scan.text.push_str(if negated { "[^" } else { "[" });
    if scan.rest().starts_with("[:") && scan.rest().contains(":]") {
        scan.remark(Remark::PosixClass);
    }
    while !scan.eat("]") {
        let low = atom(scan)?;
        item(scan, &low)?;
    }
    scan.text.push(']');
    Ok(())
}

/// One atom, or the range that it opens.
fn item(scan: &mut Scan<'_>, low: &Atom) -> Result<(), PatternFault> {
    if !scan.rest().starts_with('-') || scan.rest().starts_with("-]") {
        push(scan, low);
        return Ok(());
    }
    scan.eat("-");
    let high = atom(scan)?;
    if let (Atom::Character(low), Atom::Character(high)) = (low, &high)
        && low > high
    {
        return Err(invalid(format!("the range {low}-{high} is out of order")));
    }
    let range = matches!((low, &high), (Atom::Character(_), Atom::Character(_)));
    push(scan, low);
    // Beside a set, the hyphen is itself (annex B.1.2).
    scan.text.push_str(if range { "-" } else { "\\-" });
    scan.differs |= !range;
    push(scan, &high);
    Ok(())
}

fn atom(scan: &mut Scan<'_>) -> Result<Atom, PatternFault> {
    match scan.next() {
        None => Err(invalid("a class is not closed")),
        Some('\\') => match escape(scan, true)? {
            Escape::Character(c) => {
                scan.differs |= !c.is_ascii_punctuation();
                Ok(Atom::Character(c))
            }
            Escape::Set(set) => Ok(Atom::Set(set)),
            Escape::Boundary(c) => Err(invalid(format!("\\{c} does not stand in a class"))),
        },
        Some(c) => {
            let edge = scan.peek() == Some(']') || scan.text.ends_with('[') || scan.text.ends_with("[^");
            scan.differs |= matches!(c, '[' | '&' | '~' | '^') || (c == '-' && !edge) || c.is_control();
            Ok(Atom::Character(c))
        }
    }
}

fn push(scan: &mut Scan<'_>, atom: &Atom) {
    match atom {
        Atom::Set(set) => scan.text.push_str(set),
        Atom::Character(c) if c.is_control() => scan.text.push_str(&format!("\\u{{{:X}}}", u32::from(*c))),
        Atom::Character(c) => {
            if matches!(c, '[' | ']' | '\\' | '^' | '-' | '&' | '~') {
                scan.text.push('\\');
            }
            scan.text.push(*c);
        }
    }
}
