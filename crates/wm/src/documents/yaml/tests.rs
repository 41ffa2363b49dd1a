use super::parse;
use crate::documents::places::{Part, Place};
use serde_json::{Value, json};

fn read(text: &str) -> Value {
    parse(text).unwrap_or_else(|fault| panic!("{}: {}\n{text}", fault.place, fault.message)).0
}

/// `line:column: message` of the fault.
fn fault(text: &str) -> String {
    let fault = parse(text).expect_err(text);
    format!("{}: {}", fault.place, fault.message)
}

#[test]
fn plain_scalars_follow_the_core_schema() {
    for (text, expected) in [
        ("yes", json!("yes")),
        ("on", json!("on")),
        ("No", json!("No")),
        ("true", json!(true)),
        ("False", json!(false)),
        ("TRUE", json!(true)),
        ("tRUE", json!("tRUE")),
        ("~", Value::Null),
        ("null", Value::Null),
        ("nULL", json!("nULL")),
        ("12", json!(12)),
        ("+12", json!(12)),
        ("-7", json!(-7)),
        ("012", json!(12)),
        ("0o14", json!(12)),
        ("0x1F", json!(31)),
        ("0b11", json!("0b11")),
        ("1_000", json!("1_000")),
        ("0o8", json!("0o8")),
        ("0x", json!("0x")),
        ("-0x1", json!("-0x1")),
        ("1:30", json!("1:30")),
        ("2030-01-01", json!("2030-01-01")),
        ("2030-01-01T09:00:00Z", json!("2030-01-01T09:00:00Z")),
        ("1.2.3", json!("1.2.3")),
        ("1e", json!("1e")),
        (".", json!(".")),
        ("-", json!([null])),
        ("+", json!("+")),
        ("inf", json!("inf")),
        ("nan", json!("nan")),
        ("'12'", json!("12")),
        ("\"true\"", json!("true")),
        ("!!str 12", json!("12")),
        ("! 12", json!("12")),
        ("!!int \"12\"", json!(12)),
        ("!!null ''", Value::Null),
        ("!<tag:yaml.org,2002:str> 1", json!("1")),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn numbers_keep_their_digits() {
    for (text, expected) in [
        ("9007199254740993", "9007199254740993"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("3600.0", "3600.0"),
        ("-0.10", "-0.10"),
        (".5", "0.5"),
        ("1.", "1.0"),
        ("00.5", "0.5"),
        ("6.02E23", "6.02e+23"),
        ("1e400", "1e+400"),
        ("1e-400", "1e-400"),
        ("0xffffffffffffffffffffffffffffffff", "340282366920938463463374607431768211455"),
    ] {
        assert_eq!(read(text).to_string(), expected, "{text}");
    }
}

#[test]
fn collections_block_scalars_and_quotes() {
    let text = "
# a comment
a: |
  one
    two

  three
b: >-
  folded
  text
c: [1, 'it''s', {d: \"\\u00e9\\ud83d\\ude00\"}]
? e
: - - x
  - {}
f:
g: {\"json\":1,\"b\":[true,null]}
h: &anchor
  i: j
k: *anchor
";
    let expected = json!({
        "a": "one\n  two\n\nthree\n", "b": "folded text", "c": [1, "it's", {"d": "é😀"}], "e": [["x"], {}], "f": null,
        "g": {"json": 1, "b": [true, null]}, "h": {"i": "j"}, "k": {"i": "j"},
    });
    assert_eq!(read(text), expected);
    assert_eq!(read(&text.replace('\n', "\r\n")), expected);
}

#[test]
fn keys_are_text_as_it_is_written() {
    assert_eq!(read("3.10: a\n1: b\ntrue: c\n\"\": d\n"), json!({"3.10": "a", "1": "b", "true": "c", "": "d"}));
    assert_eq!(read("&k a: 1\nb: {*k : 2}"), json!({"a": 1, "b": {"a": 2}}));
    assert!(fault("a: 1\n? [b]\n: c\n").starts_with("2:3: a key must be text"));
    assert!(fault("~: 1").starts_with("1:1: a key must be text"));
    assert!(fault(": 1").starts_with("1:1: a key must be text"));
    assert!(fault("a: &x {b: 1}\nc:\n  <<: *x\n").starts_with("3:3: merge keys"));
    assert_eq!(read("\"<<\": 1"), json!({"<<": 1}));
}

#[test]
fn a_key_twice_is_refused_where_it_stands_again() {
    assert!(fault("a: 1\nb:\n  c: 1\n  'c': 2\n").starts_with("4:3: the key \"c\" stands twice"));
    assert!(fault("{1: a, '1': b}").starts_with("1:8: "));
}

#[test]
fn what_json_cannot_say_is_refused() {
    for (text, start) in [
        ("a: .inf", "1:4: .inf has no counterpart"),
        ("a: -.INF", "1:4: -.INF has no"),
        ("- .nan", "1:3: .nan has no"),
        ("a: \"x\\0y\"", "1:4: the text contains the character U+0000"),
        ("\"a\\0\": 1", "1:1: the text contains"),
        ("a: 0x1ffffffffffffffffffffffffffffffff", "1:4: 0x1f"),
        ("a: !!binary aGVsbG8=", "1:13: the tag !!binary is not understood"),
        ("a: !secret x", "1:12: the tag !secret"),
        ("a: !!set {b}", "1:10: the tag !!set"),
        ("a: !!int x", "1:10: \"x\" is not what its tag !!int says"),
        ("a: !!int 1.5", "1:10: "),
        ("a: 1\n---\nb: 2\n", "2:1: a second document begins here"),
        ("%YAML 1.1\n---\na: yes\n", "2:1: the file says %YAML 1.1"),
        ("", "1:1: the file is empty"),
        ("# nothing\n", "1:1: the file is empty"),
    ] {
        let found = fault(text);
        assert!(found.starts_with(start), "{text:?}: {found}");
    }
}

#[test]
fn the_parsers_faults_have_places_and_words() {
    for (text, start) in [
        ("a:\n\tb: 1\n", "2:2: a tab stands where YAML indents"),
        ("a: \"x\n", "1:4: the quoted text that begins here is not closed"),
        ("a: [1, 2\n", "1:4: the \"[\" that opens here"),
        ("é: *x\n", "1:4: the alias names an anchor"),
        ("a: 1\n b: 2\n", "2:3: mapping values are not allowed"),
        ("a: @x\n", "1:4: '@' cannot begin a value"),
        ("a: \"\\w\"\n", "1:4: an unknown escape"),
        ("a:\n  b: 1\n c: 2\n", "3:2: a key was expected here"),
        ("[ a ] ]\n", "1:7: "),
    ] {
        let found = fault(text);
        assert!(found.starts_with(start), "{text:?}: {found}");
    }
}

#[test]
fn alias_bombs_are_refused_before_they_grow() {
    let mut text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..20 {
        let below = format!("*a{}", level - 1);
        text.push_str(&format!("a{level}: &a{level} [{}]\n", [below.as_str(); 10].join(", ")));
    }
    assert!(fault(&text).contains("copy more than 64 MiB"));
    let long = format!("a: &a \"{}\"\nb: [{}]\n", "x".repeat(1 << 20), ["*a"; 100].join(", "));
    assert!(fault(&long).contains("copy more than 64 MiB"));
    assert!(fault("a: &a [1, *a]").starts_with("1:11: this alias stands inside"));
    // Nested to the bound by aliases, where no text is nested.
    let mut text = "a0: &a0 [x]\n".to_owned();
    for level in 1..110 {
        text.push_str(&format!("a{level}: &a{level} [*a{}]\n", level - 1));
    }
    assert!(fault(&text).contains("more than 100 deep"));
}

#[test]
fn depth_is_bounded_in_every_style() {
    assert!(fault(&"[".repeat(100_000)).contains("more than 100 deep"));
    assert!(fault(&"- ".repeat(100_000)).contains("more than 100 deep"));
    assert!(fault(&format!("{}1{}", "{a: ".repeat(200), "}".repeat(200))).contains("more than 100 deep"));
    let block: String = (0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    assert!(fault(&block).contains("more than 100 deep"));
    read(&format!("{}{}", "[".repeat(100), "]".repeat(100)));
}

#[test]
fn every_token_has_its_place() {
    let text = "a: &x !!str  'v'\n\"é\":\n  - 1\n  - {c: d, é: f}\n  -\n  - *x\nd: |\n  block\nm:\n  n: o\ng:\n";
    let (value, node) = parse(text).unwrap();
    let at = |pointer: &str, part| {
        let Place { line, column } = node.find(&value, pointer, part);
        (line, column)
    };
    for (pointer, key, value) in [
        ("", (1, 1), (1, 1)),
        ("/a", (1, 1), (1, 14)),
        ("/é", (2, 1), (3, 3)),
        ("/é/0", (3, 5), (3, 5)),
        ("/é/1", (4, 5), (4, 5)),
        ("/é/1/c", (4, 6), (4, 9)),
        ("/é/1/é", (4, 12), (4, 15)),
        ("/é/3", (1, 14), (1, 14)),
        ("/d", (7, 1), (8, 3)),
        ("/m", (9, 1), (10, 3)),
        ("/m/n", (10, 3), (10, 6)),
        ("/m/missing", (10, 3), (10, 3)),
        ("/g", (11, 1), (11, 2)),
    ] {
        assert_eq!((at(pointer, Part::Key), at(pointer, Part::Value)), (key, value), "{pointer}");
    }
}

#[test]
fn lines_end_as_they_do_on_windows_too() {
    assert!(fault("a: 1\r\nb:\r\n  - c\r\n  - @\r\n").starts_with("4:5: "));
}

#[test]
fn what_is_written_is_read_as_the_same() {
    let value = json!({
        "plain": "Linux tasks in containers", "image": "registry.example.com/ci/rust:1.91", "yes": "yes", "true": "true", "null": null,
        "12": "12", "number": 12, "float": 3600.0, "empty": "", "space": " x", "end": "x ", "dash": "- x", "colon": "a: b", "hash": "a #b",
        "quote": "it's \"so\"", "control": "a\u{1}b\u{85}c\u{2028}d\u{feff}e", "emoji": "😀", "escaped \\n": "\\n", "<<": "merge", "~": "~",
        "block": "one\n  two\n\nthree\n", "stripped": "one\ntwo", "kept": "one\n\n\n", "indented": "  one\ntwo\n", "late": "\n\n  one\n",
        "tabs": "\tone\n\ttwo\n", "returns": "one\r\ntwo", "only": "\n\n", "spaces": "one \n  \n two  \n",
        "list": [1, [2, [3]], {"a": {"b": []}, "c": {}}, "x\ny", []], "nested": {"deep": {"text": "x\ny\n"}},
    });
    let text = super::to_yaml(&value);
    assert_eq!(read(&text), value, "{text}");
    for alone in [
        json!("x\ny"),
        json!([]),
        json!({}),
        json!("x"),
        json!([["x\ny\n"]]),
        json!("  x\ny"),
        json!("x\n"),
        json!("#\n\n\n"),
    ] {
        let text = super::to_yaml(&alone);
        assert_eq!(read(&text), alone, "{text}");
    }
    insta::assert_snapshot!(text);
}
