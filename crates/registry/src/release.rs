//! A release as it is held in memory.

use crate::document::Document;
use crate::store::{ReleaseRecord, StoreError};
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use std::sync::OnceLock;
use worker_types::{Compatibility, ContentHash, Release, ReleaseId, ReleaseState};

/// A release with its parsed content and its prebuilt answer.
#[derive(Debug)]
pub struct LiveRelease {
    /// As it is stored.
    pub record: ReleaseRecord,
    /// The content, parsed.
    pub release: Release,
    /// The answer of `GET …/releases/{version}`.
    pub document: Document,
    /// Made by the first search.
    searched: OnceLock<Box<str>>,
    /// What it changed, made by the first who asks.
    pub(crate) since: OnceLock<Changes>,
}

/// What a release does to payloads that the one before it took.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The release before it.
    pub before: ReleaseId,
    /// For each variant of either: the comparison of its payload schemas; none for one that only one of the two has.
    pub variants: Vec<(String, Option<Compatibility>)>,
}

/// The answer about a release.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReleaseAnswer<'a> {
    release: &'a ReleaseId,
    content_hash: &'a ContentHash,
    published_at: String,
    published_by: &'a str,
    message: Option<&'a str>,
    content: &'a RawValue,
    warnings: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<MarkAnswer<'a>>,
}

/// What was said of it afterwards.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MarkAnswer<'a> {
    state: ReleaseState,
    reason: Option<&'a str>,
    replaced_by: Option<&'a ReleaseId>,
    at: String,
    by: &'a str,
}

impl LiveRelease {
    /// Parses and prebuilds.
    pub(crate) fn build(record: ReleaseRecord) -> Result<Self, StoreError> {
        let what = format!("the release {}", record.id);
        let corrupt = |message: String| StoreError::Corrupt { what: what.clone(), message };
        let content: Value = serde_json::from_str(&record.content).map_err(|error| corrupt(error.to_string()))?;
        let release = Release::read(&content, &record.id)
            .map_err(|faults| corrupt(faults.first().map_or_else(String::new, |fault| fault.message.clone())))?;
        let bytes = Self::answer(&record).map_err(|error| corrupt(error.to_string()))?;
        Ok(Self {
            document: Document::hashed(bytes),
            record,
            release,
            searched: OnceLock::new(),
            since: OnceLock::new(),
        })
    }

    /// Its documentation in lower case.
    pub(crate) fn searched(&self) -> &str {
        let text = || {
            let variants = self.release.variants.iter().filter_map(|variant| variant.documentation.as_deref());
            let texts: Vec<&str> = self.release.documentation.as_deref().into_iter().chain(variants).collect();
            texts.join("\n").to_lowercase().into()
        };
        self.searched.get_or_init(text)
    }

    fn answer(record: &ReleaseRecord) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&ReleaseAnswer {
            release: &record.id,
            content_hash: &record.content_hash,
            published_at: crate::time::rfc3339(record.published_at),
            published_by: &record.published_by,
            message: record.message.as_deref(),
            content: serde_json::from_str(&record.content)?,
            warnings: serde_json::from_str(&record.warnings)?,
            mark: record.mark.as_ref().map(|mark| MarkAnswer {
                state: mark.state,
                reason: mark.reason.as_deref(),
                replaced_by: mark.replaced_by.as_ref(),
                at: crate::time::rfc3339(mark.at),
                by: &mark.by,
            }),
        })
    }
}
