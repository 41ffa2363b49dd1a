//! Regular expressions as JSON Schema means them (ECMA-262, as the web reads it), for an engine whose time is linear.
//!
//! A pattern is translated into a text that ECMAScript and the linear engine read alike: `\d`, `\w` and `\s` are the
//! sets of ECMAScript, `.` stops at its line terminators, lone braces are literal. What only a backtracking engine can
//! do (lookaround, back-references) is refused with its reason.

mod class;
mod escape;
mod scan;

use crate::{Limits, excerpt};
use regex::{Regex, RegexBuilder};

/// A pattern that the linear engine can take.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Translated {
    /// The same pattern for the linear engine.
    pub(crate) text: String,
    /// Nearly the same in the common ground of ECMAScript and the linear engine, where the exact text is outside it:
    /// word boundaries are then those of Unicode.
    pub(crate) common: Option<String>,
    /// Whether the author's own text means the same to the engine, which may then take its short cuts.
    pub(crate) as_written: bool,
    /// What in it is legal and surprising.
    pub(crate) remarks: Vec<Remark>,
}

/// Something in a pattern that ECMAScript reads otherwise than other languages, or not at all in its strict mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remark {
    /// A brace or bracket stands alone and is read as itself.
    LiteralBraces,
    /// `[]`, which nothing matches, or `[^]`, which everything matches.
    EmptyClass,
    /// `[[:alpha:]]`, which is a set of those characters.
    PosixClass,
}

/// Why a pattern is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PatternFault {
    /// Longer than the limit, which is in bytes.
    TooLong(usize),
    /// Compiled, it would take more memory than the limit, which is in bytes.
    TooLarge(usize),
    /// Compiled, it and the patterns before it would take more memory than the limit, which is in bytes.
    TooManyTogether(usize),
    /// Needs backtracking.
    Unsupported(&'static str),
    /// Is not a regular expression.
    Invalid(String),
}

impl PatternFault {
    /// The name of the problem.
    pub(crate) fn problem(&self) -> &'static str {
        match self {
            Self::TooLong(_) => "pattern-too-long",
            Self::TooLarge(_) => "pattern-too-large",
            Self::TooManyTogether(_) => "patterns-too-large",
            Self::Unsupported(_) => "unsupported-pattern",
            Self::Invalid(_) => "invalid-pattern",
        }
    }

    /// What is wrong with `pattern`.
    pub(crate) fn message(&self, pattern: &str) -> String {
        let shown = excerpt::text(pattern);
        match self {
            Self::TooLong(limit) => {
                format!("the pattern has {} bytes; at most {limit} are taken", pattern.len())
            }
            Self::TooLarge(limit) => format!(
                "the pattern {shown} takes more than {limit} bytes when compiled; shorten its repetitions or say the \
                 length by minLength and maxLength"
            ),
            Self::TooManyTogether(limit) => format!(
                "with the pattern {shown} the patterns of the schema take more than {limit} bytes when compiled; shorten \
                 their repetitions or say the length by minLength and maxLength"
            ),
            Self::Unsupported(what) => format!(
                "the pattern {shown} uses a {what}, which only a backtracking engine can match; patterns are matched \
                 in linear time, so that no payload can stall the queue"
            ),
            Self::Invalid(why) => format!("the pattern {shown} is not a regular expression of ECMAScript: {why}"),
        }
    }
}

/// Memory that compiled patterns may still take, in bytes.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: usize,
    left: usize,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { limit: limits.regex_total_bytes, left: limits.regex_total_bytes }
    }
}

/// Bytes that a compiled pattern is tried with, before the limit itself: its size is known only by what it fits into.
const SIZES: [usize; 3] = [16 << 10, 64 << 10, 256 << 10];

/// Translates `pattern` and checks that it compiles within `limits` and what is left of the `budget`.
pub(crate) fn check(pattern: &str, limits: &Limits, budget: &mut Budget) -> Result<Translated, PatternFault> {
    if pattern.len() > limits.pattern_bytes {
        return Err(PatternFault::TooLong(limits.pattern_bytes));
    }
    let translated = scan::translate(pattern)?;
    if budget.left == 0 {
        return Err(PatternFault::TooManyTogether(budget.limit));
    }
    let limit = limits.regex_bytes;
    for size in SIZES.into_iter().filter(|size| *size < limit).chain([limit]) {
        match compile(&translated.text, size) {
            Err(PatternFault::TooLarge(_)) if size < limit => {}
            Err(fault) => return Err(fault),
            Ok(_) => {
                budget.left = budget.left.saturating_sub(size);
                break;
            }
        }
    }
    Ok(translated)
}

/// The matcher of a translated pattern.
pub(crate) fn compile(text: &str, limit: usize) -> Result<Regex, PatternFault> {
    RegexBuilder::new(text).size_limit(limit).dfa_size_limit(limit).build().map_err(|error| match error {
        regex::Error::CompiledTooBig(limit) => PatternFault::TooLarge(limit),
        error => PatternFault::Invalid(last_line(&error.to_string())),
    })
}

/// The reason alone: the engine's message repeats the pattern with a pointer under it.
fn last_line(message: &str) -> String {
    let line = message.lines().last().unwrap_or(message);
    excerpt::plain(line.strip_prefix("error: ").unwrap_or(line), 200)
}

#[cfg(test)]
mod tests;
