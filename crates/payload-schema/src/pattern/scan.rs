//! One pass over a pattern: ECMAScript in, the common ground out.

use super::class::{DOT, class};
use super::escape::{Escape, escape};
use super::{PatternFault, Remark, Translated};

/// Where the pass stands.
pub(super) struct Scan<'p> {
    pattern: &'p str,
    offset: usize,
    /// What was translated so far.
    pub(super) text: String,
    /// Whether the translation says something that the engine would not read out of the author's text.
    pub(super) differs: bool,
    remarks: Vec<Remark>,
    /// Where in the text a word boundary of ASCII stands.
    boundaries: Vec<usize>,
    sets: usize,
    open_groups: usize,
    /// Whether a quantifier may follow.
    repeatable: bool,
}

/// The engine rewrites `\d`, `\w` and `\s` one by one, each time over the whole pattern: not for more than this many.
const SETS_LEFT_TO_THE_ENGINE: usize = 16;

/// What makes a word boundary one of ASCII, before its letter.
const BOUNDARY: &str = "(?-u:\\";

/// Translates `pattern`.
pub(super) fn translate(pattern: &str) -> Result<Translated, PatternFault> {
    let mut scan = Scan {
        pattern,
        offset: 0,
        text: String::with_capacity(pattern.len() + 16),
        differs: false,
        remarks: Vec::new(),
        boundaries: Vec::new(),
        sets: 0,
        open_groups: 0,
        repeatable: false,
    };
    while let Some(c) = scan.next() {
        scan.term(c)?;
    }
    if scan.open_groups > 0 {
        return Err(invalid("a group is not closed"));
    }
    let as_written = !scan.differs && scan.sets <= SETS_LEFT_TO_THE_ENGINE;
    let common = scan.in_common_ground();
    Ok(Translated { text: scan.text, common, as_written, remarks: scan.remarks })
}

pub(super) fn invalid(why: impl Into<String>) -> PatternFault {
    PatternFault::Invalid(why.into())
}

impl<'p> Scan<'p> {
    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.offset += c.len_utf8();
        Some(c)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn rest(&self) -> &'p str {
        &self.pattern[self.offset..]
    }

    /// Takes `expected` if it comes next.
    pub(super) fn eat(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.offset += expected.len();
        }
        found
    }

    /// Counts a `\d`, `\w` or `\s`.
    pub(super) fn count_set(&mut self) {
        self.sets += 1;
    }

    /// Notes something surprising, once.
    pub(super) fn remark(&mut self, remark: Remark) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// The text with the engine's own word boundaries, if it has any.
    fn in_common_ground(&self) -> Option<String> {
        let mut text = self.text.clone();
        for start in self.boundaries.iter().rev() {
            let letter = text[*start..].chars().nth(BOUNDARY.len())?;
            text.replace_range(*start..*start + BOUNDARY.len() + 2, &format!("\\{letter}"));
        }
        (!self.boundaries.is_empty()).then_some(text)
    }

    fn term(&mut self, c: char) -> Result<(), PatternFault> {
        match c {
            '\\' => return self.escape(),
            '[' => {
                class(self)?;
                self.repeatable = true;
            }
            '(' => return self.group(),
            ')' => {
                self.open_groups = self.open_groups.checked_sub(1).ok_or_else(|| invalid("a ) closes no group"))?;
                self.text.push(')');
                self.repeatable = true;
            }
            '|' | '^' | '$' => {
                self.text.push(c);
                self.repeatable = false;
            }
            '.' => {
                self.text.push_str(DOT);
                self.differs = true;
                self.repeatable = true;
            }
            '*' | '+' | '?' => return self.quantifier(&String::from(c)),
            '{' => match braces(self.rest()) {
                Some(length) => {
                    let quantifier = format!("{{{}", &self.rest()[..length]);
                    self.offset += length;
                    return self.quantifier(&quantifier);
                }
                None => self.lone(c),
            },
            '}' | ']' => self.lone(c),
            c => self.literal(c),
        }
        Ok(())
    }

    /// A character that stands for itself.
    fn literal(&mut self, c: char) {
        if c.is_control() {
            self.text.push_str(&format!("\\u{{{:X}}}", u32::from(c)));
            self.differs = true;
        } else {
            if regex_syntax::is_meta_character(c) && !matches!(c, '#' | '&' | '-' | '~') {
                self.text.push('\\');
            }
            self.text.push(c);
        }
        self.repeatable = true;
    }

    /// A brace or bracket that opens or closes nothing: legal on the web (ECMA-262 annex B.1.2), read as itself.
    fn lone(&mut self, c: char) {
        self.remark(Remark::LiteralBraces);
        self.differs = true;
        self.literal(c);
    }

    fn quantifier(&mut self, quantifier: &str) -> Result<(), PatternFault> {
        if !self.repeatable {
            return Err(invalid(format!("nothing stands before {quantifier} that could be repeated")));
        }
        if let Some((least, most)) = quantifier.trim_matches(['{', '}']).split_once(',')
            && let (Ok(least), Ok(most)) = (least.parse::<u64>(), most.parse::<u64>())
            && least > most
        {
            return Err(invalid(format!("{quantifier} asks for more than it allows")));
        }
        self.text.push_str(quantifier);
        if self.eat("?") {
            self.text.push('?');
        }
        self.repeatable = false;
        Ok(())
    }

    fn escape(&mut self) -> Result<(), PatternFault> {
        let start = self.offset - 1;
        match escape(self, false)? {
            Escape::Boundary(c) => {
                self.boundaries.push(self.text.len());
                self.text.push_str(BOUNDARY);
                self.text.push(c);
                self.text.push(')');
                self.differs = true;
                self.repeatable = false;
                return Ok(());
            }
            Escape::Set(set) => {
                self.text.push('[');
                self.text.push_str(&set);
                self.text.push(']');
            }
            Escape::Character(c) => {
                let before = self.text.len();
                self.literal(c);
                self.differs |= self.text[before..] != self.pattern[start..self.offset];
            }
        }
        self.repeatable = true;
        Ok(())
    }

    fn group(&mut self) -> Result<(), PatternFault> {
        self.open_groups += 1;
        self.repeatable = false;
        if !self.eat("?") {
            self.text.push_str("(?:");
            return Ok(());
        }
        for (syntax, what) in
            [("=", "lookahead"), ("!", "lookahead"), ("<=", "lookbehind"), ("<!", "lookbehind"), (">", "atomic group")]
        {
            if self.eat(syntax) {
                return Err(PatternFault::Unsupported(what));
            }
        }
        for modifiers in [":", "i:", "-i:"] {
            if self.eat(modifiers) {
                self.text.push_str("(?");
                self.text.push_str(modifiers);
                return Ok(());
            }
        }
        if self.eat("<") {
            let length = self.rest().find('>').filter(|length| *length > 0);
            self.offset += length.ok_or_else(|| invalid("the name of a group is not closed"))? + 1;
            self.text.push_str("(?:");
            self.differs = true;
            return Ok(());
        }
        Err(invalid(match self.peek() {
            Some('P') => "(?P… is Python's; a named group is written (?<name>…)",
            Some('i') => "flags for the whole pattern do not exist; write (?i:…) around it",
            _ => "(? begins no group that it knows",
        }))
    }
}

/// The length of `n}`, `n,}` or `n,m}` at the start of `rest`; any other brace is literal.
fn braces(rest: &str) -> Option<usize> {
    let length = rest.find('}')?;
    let (least, most) = rest[..length].split_once(',').unwrap_or((&rest[..length], ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (!least.is_empty() && digits(least) && digits(most)).then_some(length + 1)
}
