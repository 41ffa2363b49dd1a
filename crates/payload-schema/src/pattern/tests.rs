//! What patterns match, checked against ECMA-262 (the expected answers are those of a JavaScript engine), and what the
//! `jsonschema` crate makes of the same text.

use super::{Budget, PatternFault, Remark, Translated, compile};
use crate::{Limits, Schema};
use serde_json::json;

fn check(pattern: &str, limits: &Limits) -> Result<Translated, PatternFault> {
    super::check(pattern, limits, &mut Budget::new(limits))
}

/// Pattern, texts that it matches, texts that it does not.
const MATCHES: &[(&str, &[&str], &[&str])] = &[
    ("x86", &["linux-x86-64"], &["X86"]),
    ("^[a-z]+$", &["main"], &["main\n", "\nmain", "MAIN"]),
    (r"^\d+$", &["42"], &["\u{967}\u{968}", ""]),
    (r"^\D$", &["\u{967}", "\n"], &["4"]),
    (r"^\w$", &["_", "Z", "0"], &["ü", "-"]),
    (r"^\W$", &["ü", "-", "`", "{"], &["a", "_"]),
    (r"^\s$", &["\u{feff}", "\u{a0}", "\u{2028}", "\t", "\u{3000}"], &["\u{85}", "\u{200b}", "a"]),
    (r"^\S$", &["\u{85}", "\u{200b}"], &["\u{feff}", " "]),
    (r"^[\s\S]$", &["\n", "a", "\u{1f600}"], &["", "ab"]),
    (r"^[^\d\s]$", &["a", "\u{967}"], &["1", "\u{feff}"]),
    ("^.$", &["a", "\u{1f600}", "\u{85}"], &["\n", "\r", "\u{2028}", "\u{2029}", ""]),
    ("^(.*{major_version}.*)$", &["a{major_version}b", "{major_version}"], &["major_version", "a{major_version}\n"]),
    ("^a{,2}$", &["a{,2}"], &["a", "aa", ""]),
    ("^a{2}$", &["aa"], &["a{2}"]),
    ("^{}]$", &["{}]"], &["{}"]),
    ("^x{a}{2}$", &["x{a}}"], &["x{a}{a}"]),
    (r"^\{\}$", &["{}"], &[]),
    ("^[a-zA-Z0-9-_]{1,3}$", &["a-_", "-"], &["", "abcd", "é"]),
    (r"^[\w-.]+$", &["a-.b"], &["a b"]),
    ("^[--a]$", &["-", "A", "a"], &["b"]),
    ("^[a-]$", &["a", "-"], &["b"]),
    ("^[]$", &[], &["", "]", "a"]),
    ("^[^]$", &["\n", "a"], &[""]),
    ("^[[a]$", &["[", "a"], &["b"]),
    ("^[a&&b]$", &["a", "&", "b"], &["c"]),
    ("^[a~~^b]$", &["~", "^"], &["c"]),
    (r"^[\b]$", &["\u{8}"], &["b"]),
    (r"^\cJ$", &["\n"], &["J"]),
    (r"^\x41\u0042\u{43}$", &["ABC"], &["abc"]),
    (r"^\uD83D\uDE00$", &["\u{1f600}"], &[]),
    (r"^\0$", &["\0"], &["0"]),
    (r"^\/\-\_\@\<\>$", &["/-_@<>"], &[]),
    (r"^https?://[\x20-\x7e]*$", &["https://example.com/a b"], &["https://exämple.com"]),
    (r"^\p{Lu}+$", &["ÄÖ"], &["a"]),
    ("^(?<year>[0-9]{4})-(?:a|b)$", &["2024-a"], &["2024-c"]),
    ("^(?i:abc)d$", &["ABCd"], &["ABCD"]),
    ("^a+?b??$", &["aab", "a"], &["b"]),
    (r"^\S*$", &["", "abc"], &["a b", "a\u{feff}b"]),
    ("^#&~-$", &["#&~-"], &[]),
    (r"\bfoo\b", &["éfoo", "a foo b", "foo"], &["afoo", "foo_"]),
    (r"^\Bfoo", &[], &["foo", "éfoo"]),
    (r"a\B", &["ab"], &["a", "aé", "a b"]),
    ("", &["", "anything"], &[]),
];

#[test]
fn patterns_match_what_ecmascript_matches() {
    for (pattern, accepted, refused) in MATCHES {
        let translated = check(pattern, &Limits::default()).unwrap_or_else(|fault| panic!("{pattern}: {fault:?}"));
        let ours = compile(&translated.text, 1 << 20).unwrap();
        let schema = |draft: &str| json!({"$schema": draft, "pattern": pattern});
        let drafts = ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"];
        let schemas = drafts.map(|draft| Schema::compile(&schema(draft), None, &Limits::default()).unwrap());
        for (text, expected) in accepted.iter().map(|text| (text, true)).chain(refused.iter().map(|text| (text, false)))
        {
            assert_eq!(ours.is_match(text), expected, "{pattern} on {text:?}, as {}", translated.text);
            for schema in &schemas {
                assert_eq!(schema.is_valid(&json!(text)), expected, "{pattern} on {text:?} in {}", schema.dialect());
            }
        }
    }
}

#[test]
fn the_names_of_properties_match_alike() {
    for (pattern, accepted, refused) in MATCHES {
        let schema =
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "patternProperties": {*pattern: false}});
        let schema = Schema::compile(&schema, None, &Limits::default()).unwrap();
        // Under the drafts that check patterns by their metaschema, boundaries of words are those of Unicode here.
        let unicode = |text: &str| pattern.to_lowercase().contains("\\b") && !text.is_ascii();
        let fits = |text: &&&str| schema.is_valid(&json!({**text: 1}));
        assert_eq!(accepted.iter().filter(|text| !unicode(text)).find(fits), None, "{pattern}");
        assert_eq!(refused.iter().filter(|text| !unicode(text)).find(|text| !fits(text)), None, "{pattern}");
    }
}

fn refusal(pattern: &str) -> PatternFault {
    check(pattern, &Limits::default()).expect_err(pattern)
}

#[test]
fn what_needs_backtracking_is_refused_with_its_name() {
    for (pattern, what) in [
        ("^(?!a)b", "lookahead"),
        ("a(?=b)", "lookahead"),
        ("(?<=a)b", "lookbehind"),
        ("(?<!a)b", "lookbehind"),
        ("(a)\\1", "back-reference"),
        ("(?<n>a)\\k<n>", "back-reference"),
        ("(?>a)", "atomic group"),
    ] {
        assert_eq!(refusal(pattern), PatternFault::Unsupported(what), "{pattern}");
        assert!(refusal(pattern).message(pattern).contains(what));
    }
}

#[test]
fn what_is_no_pattern_is_refused() {
    for pattern in [
        "(",
        ")",
        "a)",
        "(?:a",
        "[a",
        "a**",
        "a++",
        "*a",
        "^*",
        "a{2}{3}",
        "a{3,2}",
        "[z-a]",
        "\\",
        r"\y",
        r"\A",
        r"\Z",
        r"\cü",
        r"\x4",
        r"\u00",
        r"\uD800",
        r"\p{Nonsense}",
        r"\p",
        r"\00",
        "(?P<n>a)",
        "(?i)a",
        "(?#c)",
        "(?<n",
        r"[\B]",
        "a{99999999999}",
    ] {
        assert!(matches!(refusal(pattern), PatternFault::Invalid(_)), "{pattern}: {:?}", refusal(pattern));
    }
}

#[test]
fn what_is_too_much_is_refused_before_it_is_compiled() {
    let limits = Limits::default();
    let long = "a".repeat(1 << 20);
    assert_eq!(refusal(&long), PatternFault::TooLong(limits.pattern_bytes));
    assert!(refusal(&long).message(&long).len() < 400);
    assert_eq!(refusal("(((a{1,99}){1,99}){1,99})"), PatternFault::TooLarge(limits.regex_bytes));
    assert!(check(&r"\d".repeat(limits.pattern_bytes / 2), &limits).is_ok_and(|translated| !translated.as_written));
}

#[test]
fn what_surprises_is_remarked() {
    let remarks = |pattern| check(pattern, &Limits::default()).unwrap().remarks;
    assert_eq!(remarks("^{a}]$"), [Remark::LiteralBraces]);
    assert_eq!(remarks(r"^\{a\}{2}[{}]$"), []);
    assert_eq!(remarks("[^]a]"), [Remark::EmptyClass, Remark::LiteralBraces]);
    assert_eq!(remarks("^[[:alpha:]]+$"), [Remark::PosixClass, Remark::LiteralBraces]);
}
