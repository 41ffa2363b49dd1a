//! What keeps one text from taking a server's time: the renderer's work grows with the square of some things that nobody writes
//! for people.

use std::borrow::Cow;

/// Headings of one text that get anchors.
pub(crate) const HEADINGS: usize = 500;
/// Quotes and lists inside one another, at the beginning of a line.
const NESTED: usize = 40;
/// Cells of all tables of one text, those that are filled up included.
const CELLS: usize = 60_000;

/// The text, with lines that begin deeper inside one another than anybody reads as code.
pub(crate) fn within(markdown: &str) -> Cow<'_, str> {
    if markdown.lines().all(|line| nesting(line) <= NESTED) {
        return Cow::Borrowed(markdown);
    }
    let shown =
        |line: &str| if nesting(line) <= NESTED { line.to_owned() } else { format!("`{}`", line.replace('`', "'")) };
    Cow::Owned(markdown.lines().map(shown).collect::<Vec<_>>().join("\n"))
}

/// The marks of quotes and lists that a line begins with.
fn nesting(line: &str) -> usize {
    let marks = line.bytes().take_while(|byte| b"> \t-+*0123456789.)".contains(byte));
    marks.filter(|byte| b">-+*.)".contains(byte)).count()
}

/// Whether tables are looked for: each row is filled up to the widest, however short it is.
pub(crate) fn may_have_tables(markdown: &str) -> bool {
    let widest = markdown.lines().map(|line| line.bytes().filter(|byte| *byte == b'|').count()).max().unwrap_or(0);
    widest.saturating_mul(markdown.lines().count()) <= CELLS
}

#[cfg(test)]
mod tests {
    use super::{may_have_tables, within};
    use crate::section;
    use std::time::{Duration, Instant};

    #[test]
    fn what_people_write_stays_as_it_is() {
        let text =
            "> quoted\n> > twice\n\n1. one\n   - two\n\n---------------------\n\n| a | b |\n|---|---|\n| 1 | 2 |";
        assert_eq!(within(text), text);
        assert!(may_have_tables(text));
    }

    #[test]
    fn texts_made_to_take_time_do_not() {
        let wide = format!("|{}\n|{}\n{}", "a|".repeat(2_000), "-|".repeat(2_000), "|\n".repeat(4_000));
        for text in [">".repeat(20_000), "- ".repeat(20_000), "1) ".repeat(20_000), wide, "# a\n".repeat(20_000)] {
            let started = Instant::now();
            let html = section(&text, 2).html;
            assert!(started.elapsed() < Duration::from_secs(5), "{:?} for {}", started.elapsed(), &text[..10]);
            assert!(html.len() < 2_000_000, "{} bytes for {}", html.len(), &text[..10]);
        }
    }
}
