//! Refuses U+0000, which PostgreSQL's text cannot hold. The edge refuses it earlier, in better words.

use registry::StoreError;
use registry::store::{Author, ReleaseMark, ReleaseRecord, RevisionRecord};

/// Checks texts, each with its name.
fn refuse<'a>(texts: impl IntoIterator<Item = (&'static str, Option<&'a str>)>) -> Result<(), StoreError> {
    match texts.into_iter().find(|(_, text)| text.is_some_and(|text| text.contains('\0'))) {
        Some((what, _)) => Err(StoreError::NulCharacter { what: what.to_owned() }),
        None => Ok(()),
    }
}

pub(crate) fn refuse_in_author(author: &Author) -> Result<(), StoreError> {
    refuse([
        ("the caller's name", Some(author.name.as_str())),
        ("the message", author.message.as_deref()),
        ("the request id", author.request_id.as_deref()),
    ])
}

pub(crate) fn refuse_in_revision(record: &RevisionRecord) -> Result<(), StoreError> {
    refuse([
        ("the definition", Some(record.definition.as_str())),
        ("the warnings", Some(&record.warnings)),
        ("the comparison", record.compatibility.as_deref()),
        ("the caller's name", Some(&record.published_by)),
        ("the message", record.message.as_deref()),
    ])
}

pub(crate) fn refuse_in_release(record: &ReleaseRecord) -> Result<(), StoreError> {
    refuse([
        ("the release", Some(record.content.as_str())),
        ("the warnings", Some(&record.warnings)),
        ("the caller's name", Some(&record.published_by)),
        ("the message", record.message.as_deref()),
    ])
}

pub(crate) fn refuse_in_mark(mark: &ReleaseMark) -> Result<(), StoreError> {
    refuse([("the reason", mark.reason.as_deref()), ("the caller's name", Some(mark.by.as_str()))])
}
