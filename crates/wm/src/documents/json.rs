//! JSON: read strictly by `worker_types::parse_json`, and scanned again for places when a fault asks for one.

use super::error::Fault;
use super::places::{Node, Place};
use super::source::place;
use serde_json::Value;
use worker_types::{JsonLimits, Problem, parse_json};

pub(super) fn parse(text: &str) -> Result<Value, Fault> {
    parse_json(text.as_bytes(), JsonLimits { depth: super::DEPTH }).map_err(|error| {
        let (line, byte) = (error.line.saturating_sub(1), error.column.saturating_sub(1));
        // The reader has read the key or the string; its place is where that begins.
        let at = match error.problem {
            Problem::DuplicateKey | Problem::NulCharacter => Scanner::new(text).token_around(line, byte),
            _ => characters(text, line, byte),
        };
        Fault::new(at, error.message)
    })
}

/// The place of a byte of a line.
fn characters(text: &str, line: usize, byte: usize) -> Place {
    let of_line = text.split('\n').nth(line).unwrap_or_default();
    let before = of_line.as_bytes().get(..byte).unwrap_or(of_line.as_bytes());
    place(line, before.iter().filter(|byte| starts_character(**byte)).count())
}

/// The places of a text that is JSON.
pub(super) fn places(text: &str) -> Node {
    Scanner::new(text).value()
}

/// Whether a byte of UTF-8 begins a character.
fn starts_character(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// Goes through a text that was read as JSON before; at anything else it stops going forward.
struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    line_start: usize,
    column: usize,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0, line: 0, line_start: 0, column: 0 }
    }

    fn place(&self) -> Place {
        place(self.line, self.column)
    }

    fn step(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        if byte == b'\n' {
            (self.line, self.line_start, self.column) = (self.line + 1, self.at, 0);
        } else if starts_character(byte) {
            self.column += 1;
        }
        Some(byte)
    }

    /// The next byte that is not white space, without taking it.
    fn peek(&mut self) -> Option<u8> {
        while let Some(byte) = self.bytes.get(self.at) {
            if !byte.is_ascii_whitespace() {
                return Some(*byte);
            }
            self.step();
        }
        None
    }

    fn value(&mut self) -> Node {
        let first = self.peek();
        let mut node = Node::new(self.place());
        match first {
            Some(b'{') => self.members(&mut node),
            Some(b'[') => self.items(&mut node),
            _ => self.scalar(),
        }
        node
    }

    fn members(&mut self, node: &mut Node) {
        self.step();
        while self.peek() == Some(b'"') {
            let key = self.place();
            self.scalar();
            // The colon.
            self.peek();
            self.step();
            node.children.push(Node { key: Some(key), ..self.value() });
            if self.peek() == Some(b',') {
                self.step();
            }
            self.peek();
        }
        self.step();
    }

    fn items(&mut self, node: &mut Node) {
        self.step();
        while self.peek().is_some_and(|byte| byte != b']') {
            node.children.push(self.value());
            if self.peek() == Some(b',') {
                self.step();
            }
        }
        self.step();
    }

    /// A string, a number or a word.
    fn scalar(&mut self) {
        if self.bytes.get(self.at) == Some(&b'"') {
            self.step();
            while let Some(byte) = self.step() {
                match byte {
                    b'\\' => drop(self.step()),
                    b'"' => return,
                    _ => {}
                }
            }
            return;
        }
        // At least one byte, so that a text that is not JSON ends too.
        self.step();
        while self
            .bytes
            .get(self.at)
            .is_some_and(|byte| !matches!(byte, b',' | b']' | b'}') && !byte.is_ascii_whitespace())
        {
            self.step();
        }
    }

    /// Where the token begins that holds or ends before the byte of a line.
    fn token_around(mut self, line: usize, byte: usize) -> Place {
        let mut token = Place::START;
        while let Some(first) = self.peek() {
            if self.line > line || (self.line == line && self.at - self.line_start > byte) {
                break;
            }
            if matches!(first, b'{' | b'}' | b'[' | b']' | b',' | b':') {
                self.step();
            } else {
                token = self.place();
                self.scalar();
            }
        }
        token
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, places};
    use crate::documents::places::{Part, Place};
    use worker_types::{JsonLimits, parse_json};

    const TASK: &str = "{\n  \"payload\": {\"é\": 1, \"image\" : \"x\\\"y\",\n    \"command\": [ \"a\",\n\t-1.5e3 , {\"b\":null}, [], {} ],\r\n    \"a/b\": {\"c~d\": true}\n  }\n}";

    fn at(pointer: &str, part: Part) -> (u32, u32) {
        let value = parse_json(TASK.as_bytes(), JsonLimits::default()).unwrap();
        let Place { line, column } = places(TASK).find(&value, pointer, part);
        (line, column)
    }

    #[test]
    fn every_token_has_its_place() {
        for (pointer, key, value) in [
            ("", (1, 1), (1, 1)),
            ("/payload", (2, 3), (2, 14)),
            ("/payload/é", (2, 15), (2, 20)),
            ("/payload/image", (2, 23), (2, 33)),
            ("/payload/command", (3, 5), (3, 16)),
            ("/payload/command/0", (3, 18), (3, 18)),
            ("/payload/command/1", (4, 2), (4, 2)),
            ("/payload/command/2/b", (4, 12), (4, 16)),
            ("/payload/command/3", (4, 23), (4, 23)),
            ("/payload/a~1b/c~0d", (5, 13), (5, 20)),
        ] {
            assert_eq!((at(pointer, Part::Key), at(pointer, Part::Value)), (key, value), "{pointer}");
        }
    }

    #[test]
    fn what_is_not_there_is_shown_where_it_would_be() {
        assert_eq!(at("/payload/maxRunTime", Part::Value), (2, 14));
        assert_eq!(at("/payload/command/9", Part::Value), (3, 16));
        assert_eq!(at("/metadata/name", Part::Key), (1, 1));
    }

    #[test]
    fn faults_have_the_place_of_their_token() {
        let fault = |text: &str| {
            let fault = parse(text).unwrap_err();
            (fault.place.line, fault.place.column, fault.message)
        };
        let twice = fault("{\"é\": 1,\n  \"ab\": {\"x\": 1, \"x\": 2}}");
        assert_eq!((twice.0, twice.1), (2, 18));
        assert!(twice.2.contains("\"x\" stands twice"), "{}", twice.2);
        assert_eq!(fault("[\"é\", 1,\n  \"a\\u0000b\"]").1, 3);
        assert_eq!(fault("{\"é\": 1,}").1, 9);
        assert_eq!(fault("{'a': 1}").1, 2);
        assert_eq!((fault("{\n").0, fault("").0), (2, 1));
        assert!(fault(&"[".repeat(200)).2.contains("100 deep"));
    }
}
