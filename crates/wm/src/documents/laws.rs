//! What holds for every document.

use super::{Document, Format, Part, to_yaml};
use proptest::prelude::*;
use serde_json::{Map, Number, Value};

fn value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        "-?[1-9][0-9]{0,30}(\\.[0-9]{1,9})?(e[+-][0-9]{1,3})?"
            .prop_map(|digits| Value::Number(digits.parse::<Number>().unwrap())),
    ];
    // Any text but U+0000, with what YAML could mistake for something else among it.
    let text = prop_oneof![
        "[^\0]{0,20}",
        "[ -~]{0,20}",
        "[ a:#\\-\n]{0,12}",
        prop::sample::select(vec!["yes", "null", "~", "1e3", "0x1f", "-", "<<", "---", "a: b", "|", "\t", "\u{feff}"])
            .prop_map(str::to_owned),
    ];
    let leaf =
        prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number, text.clone().prop_map(Value::from)];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((text.clone(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Every part of a value, by its pointer.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                pointers(member, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_value_written_as_yaml_is_read_as_itself(value in value()) {
        let text = to_yaml(&value);
        let read = Document::parse("a.yml", text.as_bytes(), Format::Yaml);
        prop_assert_eq!(read.map(|read| read.value().clone()).map_err(|error| format!("{error}\n{text}")), Ok(value));
    }

    #[test]
    fn places_of_parts_that_follow_one_another_do_too(value in value()) {
        for (text, format) in [(to_yaml(&value), Format::Yaml), (format!("{value:#}"), Format::Json)] {
            let document = Document::parse("a", text.as_bytes(), format).unwrap();
            let mut found = Vec::new();
            pointers(&value, "", &mut found);
            let places: Vec<_> = found.iter().map(|pointer| document.place(pointer, Part::Value)).collect();
            prop_assert!(places.is_sorted(), "{text}\n{found:?}\n{places:?}");
        }
    }

    #[test]
    fn no_text_brings_the_reader_down(text in "[^\0]{0,60}|[-\\[\\]{}:,?&*!|>'\"%@` \t\na#~]{0,40}") {
        for format in [Format::Json, Format::Yaml] {
            if let Ok(document) = Document::parse("a", text.as_bytes(), format) {
                document.place("/a/0", Part::Key);
            }
        }
    }

    #[test]
    fn no_bytes_bring_the_reader_down(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        for format in [Format::Json, Format::Yaml] {
            if let Err(error) = Document::parse("a", &bytes, format) {
                prop_assert!(error.place.line >= 1 && error.place.column >= 1);
            }
        }
    }
}
