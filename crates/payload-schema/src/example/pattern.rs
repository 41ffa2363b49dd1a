//! The plainest text that a pattern matches: each repetition as short as it may be, letters before signs.

use regex_syntax::hir::{Class, Hir, HirKind};

/// The longest text that is made.
const LONGEST: usize = 1_000;

/// A text that the translated `pattern` probably matches: what it says of its surroundings is not looked at. None where it is
/// no pattern, or where the text would be very long.
pub(super) fn plainest(pattern: &str) -> Option<String> {
    let hir = regex_syntax::parse(pattern).ok()?;
    let mut text = String::new();
    add(&hir, &mut text)?;
    Some(text)
}

fn add(hir: &Hir, text: &mut String) -> Option<()> {
    if text.len() > LONGEST {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => text.push(plainest_of(class)?),
        HirKind::Repetition(repetition) => {
            for _ in 0..repetition.min {
                add(&repetition.sub, text)?;
            }
        }
        HirKind::Capture(capture) => add(&capture.sub, text)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| add(part, text))?,
        HirKind::Alternation(branches) => add(branches.first()?, text)?,
    }
    Some(())
}

fn plainest_of(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else { return None };
    let has = |wanted: char| class.ranges().iter().any(|range| range.start() <= wanted && wanted <= range.end());
    ('a'..='z')
        .chain('0'..='9')
        .chain('A'..='Z')
        .find(|letter| has(*letter))
        .or_else(|| Some(class.ranges().first()?.start()))
}

#[cfg(test)]
mod tests {
    use super::plainest;

    #[test]
    fn a_text_is_short_and_of_letters_where_it_may_be() {
        for (pattern, text) in [
            ("^[A-Z]{3}-[0-9]+$", "AAA-0"),
            ("^(public|private)/[^/].*$", "public/a"),
            ("x*", ""),
            ("^[A-Za-z0-9_-]{22}$", "aaaaaaaaaaaaaaaaaaaaaa"),
            ("[^a-zA-Z0-9]", "\0"),
        ] {
            assert_eq!(plainest(pattern).as_deref(), Some(text), "{pattern}");
        }
        assert_eq!(plainest("a{2000}"), None);
        assert_eq!(plainest("("), None);
    }
}
