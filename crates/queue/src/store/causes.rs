//! Why tasks were warned of or refused, in rows that can be counted.

use crate::error::QueueError;
use crate::store::schema::verdict_causes;
use crate::verdict::KeptVerdict;
use database::AnyConnection;
use diesel::prelude::*;
use std::collections::HashSet;

/// Rows of one verdict.
const MOST: usize = 20;

/// Bytes of a pointer, so that every index takes it, and of a message.
const POINTER: usize = 400;
const MESSAGE: usize = 500;

/// Writes the distinct causes of a verdict.
pub(crate) fn insert(connection: &mut AnyConnection, verdict_id: &str, kept: &KeptVerdict) -> Result<(), QueueError> {
    let mut seen = HashSet::new();
    for item in kept.causes() {
        let (problem, pointer) = (cut(&item.problem, 100), cut(&generalised(&item.pointer), POINTER));
        if seen.len() == MOST || !seen.insert((problem.clone(), pointer.clone())) {
            continue;
        }
        let row = (
            verdict_causes::verdict_id.eq(verdict_id),
            verdict_causes::problem.eq(problem),
            verdict_causes::pointer.eq(pointer),
            verdict_causes::task_queue_id.eq(kept.verdict.worker_type_id.as_str()),
            verdict_causes::requested_id.eq(kept.task_id.as_str()),
            verdict_causes::message.eq(cut(&item.message, MESSAGE)),
            verdict_causes::at.eq(kept.at.as_microsecond()),
        );
        diesel::insert_into(verdict_causes::table).values(row).execute(connection)?;
    }
    Ok(())
}

/// The pointer with `*` for positions in arrays, so that the same fault at two places counts twice, not once each.
fn generalised(pointer: &str) -> String {
    let is_position = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    pointer.split('/').map(|part| if is_position(part) { "*" } else { part }).collect::<Vec<_>>().join("/")
}

/// At most `limit` bytes, and nothing that a database cannot keep.
fn cut(text: &str, limit: usize) -> String {
    let text = text.replace('\0', "\u{fffd}");
    if text.len() <= limit {
        return text;
    }
    let end = (0..=limit - '…'.len_utf8()).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}…", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::{cut, generalised};

    #[test]
    fn positions_are_the_same_cause() {
        assert_eq!(generalised("/payload/command/0/12"), "/payload/command/*/*");
        assert_eq!(generalised("/payload/env/A1"), "/payload/env/A1");
        assert_eq!(generalised(""), "");
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcdef", 5), "ab…");
        assert_eq!(cut("äääää", 6), "ä…");
        assert_eq!(cut("a\0b", 9), "a\u{fffd}b");
    }
}
