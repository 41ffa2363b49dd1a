//! The documents about what is live: made by the first who asks, kept within a bound of bytes as long as they are asked
//! for, never made again for another worker type with the same schema.

use crate::answer::{self, PoolView};
use crate::document::Document;
use crate::documentation;
use crate::error::ReadError;
use crate::live::{LiveWorkerType, chosen};
use crate::parsed::Parsed;
use crate::read::Live;
use crate::registry::Registry;
use crate::store::StoreError;
use quick_cache::sync::Cache;
use quick_cache::{OptionsBuilder, Weighter};
use std::sync::Arc;
use worker_types::{Caller, SchemaTag, WorkerTypeId};

/// Bytes of documents that are kept.
const KEPT_BYTES: u64 = 32 << 20;
/// Few, so that each can hold the largest document.
const SHARDS: usize = 4;
/// What a document takes beside its bytes.
const OVERHEAD_BYTES: usize = 300;

/// A document about a worker type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    /// The answer of GET for those who may see the pool.
    Definition,
    /// The answer of GET for everybody else.
    Public,
    /// The bundle.
    Validation,
    /// Markdown.
    Documentation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Of(u64, Part),
    /// The documentation as HTML.
    Page(u64),
    Schema(SchemaTag),
}

#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Document> for Bytes {
    fn weight(&self, _: &Key, document: &Document) -> u64 {
        (document.size() + OVERHEAD_BYTES) as u64
    }
}

/// The documents that are kept.
pub(crate) struct Documents(Cache<Key, Document, Bytes>);

impl Documents {
    pub(crate) fn new() -> Self {
        let options = OptionsBuilder::new()
            .shards(SHARDS)
            .weight_capacity(KEPT_BYTES)
            .estimated_items_capacity(usize::try_from(KEPT_BYTES).unwrap_or(usize::MAX) / 4_096)
            .build();
        // The options lack nothing, which is all that can be wrong with them.
        let cache = options.map(|options| {
            Cache::with_options(options, Bytes, quick_cache::DefaultHashBuilder::default(), Default::default())
        });
        Self(cache.unwrap_or_else(|_| Cache::with_weighter(8_192, KEPT_BYTES, Bytes)))
    }
}

impl Registry {
    /// The answer about what is live, as far as `caller` may see it.
    ///
    /// # Errors
    /// As [`Self::live`].
    pub async fn definition(self: &Arc<Self>, caller: &Caller, id: &WorkerTypeId) -> Result<Document, ReadError> {
        let live = self.live(id)?;
        // Where there is nothing to hide, everybody sees the same, under the same ETag.
        let shown = caller.may_see_pool(id) || !live.summary.has_pool;
        self.part(&live, if shown { Part::Definition } else { Part::Public }).await
    }

    /// The bundle that gates evaluate.
    ///
    /// # Errors
    /// The work was cut off.
    pub async fn validation(self: &Arc<Self>, live: &Live) -> Result<Document, ReadError> {
        self.part(live, Part::Validation).await
    }

    /// Markdown for authors.
    ///
    /// # Errors
    /// The work was cut off.
    pub async fn documentation(self: &Arc<Self>, live: &Live) -> Result<Document, ReadError> {
        self.part(live, Part::Documentation).await
    }

    /// The documentation as a page: `render` makes it of its title and the Markdown.
    ///
    /// # Errors
    /// The work was cut off.
    pub async fn page(self: &Arc<Self>, live: &Live, render: fn(&str, &str) -> String) -> Result<Document, ReadError> {
        let markdown = self.documentation(live).await?;
        let title = live.record.id.to_string();
        let make =
            move |_: &Self| Ok(Document::hashed(render(&title, &String::from_utf8_lossy(&markdown.identity.bytes))));
        self.kept_or_made(Key::Page(live.serial), make).await
    }

    /// The payload schema as its author wrote it: of the named variant; without a name, of all variants if they have
    /// the same; none where several decide together.
    ///
    /// # Errors
    /// There is no such variant.
    pub async fn payload_schema(
        self: &Arc<Self>,
        live: &Live,
        variant: Option<&str>,
    ) -> Result<Option<Document>, ReadError> {
        let Some(index) = chosen(&live.validation, variant)? else { return Ok(None) };
        let Some(schema) = live.payload_schema(index) else { return Ok(Some(any_object())) };
        let written = schema.schema.clone();
        let make = move |_: &Self| Ok(Document::of_json(&written));
        self.kept_or_made(Key::Schema(schema.schema.tag()), make).await.map(Some)
    }

    async fn part(self: &Arc<Self>, live: &Live, part: Part) -> Result<Document, ReadError> {
        let (key, live) = (Key::Of(live.serial, part), live.clone());
        self.kept_or_made(key, move |registry| live.document(part, registry)).await
    }

    async fn kept_or_made(
        self: &Arc<Self>,
        key: Key,
        make: impl FnOnce(&Self) -> Result<Document, StoreError> + Send + 'static,
    ) -> Result<Document, ReadError> {
        if let Some(document) = self.documents.0.get(&key) {
            return Ok(document);
        }
        // A definition may have a megabyte: no work for a thread that serves.
        let work = move |registry: &Self| {
            let document = make(registry)?;
            registry.documents.0.insert(key, document.clone());
            Ok::<_, StoreError>(document)
        };
        Ok(self.blocking(work).await?)
    }
}

/// What a variant without a payload schema takes.
pub(crate) fn any_object() -> Document {
    Document::hashed(r#"{"type":"object"}"#)
}

impl LiveWorkerType {
    fn document(&self, part: Part, registry: &Registry) -> Result<Document, StoreError> {
        let corrupt = |error: serde_json::Error| StoreError::Corrupt {
            what: format!("the worker type {}", self.record.id),
            message: error.to_string(),
        };
        let answer = |pool| answer::live(&self.record, &self.revision, self.rollout, pool).map_err(corrupt);
        let generation = self.record.generation;
        Ok(match part {
            Part::Definition => Document::tagged(answer(PoolView::Shown)?, &format!("g{generation}")),
            Part::Public => Document::tagged(answer(PoolView::Hidden)?, &format!("g{generation}-public")),
            Part::Validation => Document::hashed(serde_json::to_vec(&*self.validation).map_err(corrupt)?),
            Part::Documentation => {
                let Parsed { definition, resolved } = self.read(&registry.newest_releases(&registry.snapshot()))?;
                let text = documentation::markdown(&self.record.id, &definition, &resolved.variants);
                let note = self.rollout.map(|rollout| documentation::rollout_note(&self.record.id, &rollout));
                Document::hashed(note.unwrap_or_default() + &text)
            }
        })
    }
}
