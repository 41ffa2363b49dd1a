//! Derived documents: effective schemas, made off the threads that serve by the first who asks, and kept by what they are
//! derived from, so that a change of a worker type makes new ones and leaves the others.

use crate::document::Document;
use crate::error::ReadError;
use crate::live::Entry;
use crate::registry::Registry;
use payload_schema::{
    EffectiveError, Form, Limits, Strictness, Target, effective_payload_schema, effective_task_schema,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use worker_types::{Bundle, ContentHash, WorkerTypeId, content_hash};

/// Bytes of documents that are kept.
const KEPT_BYTES: usize = 64 << 20;

/// What a derived document is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum About {
    /// The payloads of one worker type.
    Payload,
    /// Whole tasks.
    Task(Form),
}

/// A derived document that somebody asks for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// What it is about.
    pub about: About,
    /// Whose; one where it is about payloads.
    pub bundles: Vec<Arc<Bundle>>,
    /// The draft that it is written in.
    pub target: Target,
    /// What to do about a worker type whose schemas cannot be written in that draft.
    pub strictness: Strictness,
}

impl Wanted {
    /// The payload schema of one worker type.
    pub fn payload(bundle: Arc<Bundle>, target: Target) -> Self {
        Self { about: About::Payload, bundles: vec![bundle], target, strictness: Strictness::Refuse }
    }

    /// The address of the document: a hash over everything that it is derived from, the program's version included. A
    /// document under one address never changes.
    pub fn hash(&self) -> ContentHash {
        let about = match self.about {
            About::Payload => "payload",
            About::Task(Form::OneOf) => "task, one of",
            About::Task(Form::IfThen) => "task, if and then",
        };
        let of = |bundle: &Arc<Bundle>| {
            let revisions: Vec<_> = bundle.revisions.iter().map(|revision| &revision.content_hash).collect();
            // One variant may stand for a whole revision.
            let variants: Vec<_> =
                bundle.revisions.iter().flat_map(|revision| &revision.variants).map(|variant| &variant.name).collect();
            json!([bundle.worker_type_id, bundle.validation, bundle.rollout, revisions, variants])
        };
        content_hash(&json!({
            "by": env!("CARGO_PKG_VERSION"), "about": about, "in": self.target.dialect().as_str(),
            "of": self.bundles.iter().map(of).collect::<Vec<_>>(), "lenient": self.strictness == Strictness::LeaveFree,
        }))
    }

    fn make(&self, limits: &Limits) -> Result<Document, EffectiveError> {
        let bundles = self.bundles.iter().map(|bundle| &**bundle);
        let document = match (self.about, self.bundles.first()) {
            (About::Payload, Some(bundle)) => effective_payload_schema(bundle, self.target, limits),
            (About::Payload, None) => Ok(json!({})),
            (About::Task(form), _) => effective_task_schema(bundles, form, self.target, self.strictness, limits),
        }?;
        Ok(Document::hashed(document.to_string()))
    }
}

/// Where the derived documents of everything live stand now.
#[derive(Debug)]
pub struct SchemaIndex {
    /// Names, `proj/linux/payload` and `proj/linux/task`, in order.
    pub names: BTreeMap<String, ContentHash>,
    /// The same as it is served, made by whoever serves it first.
    pub document: OnceLock<Document>,
    addresses: BTreeMap<ContentHash, (WorkerTypeId, About)>,
}

/// The documents that were made, and the index of what can be.
pub(crate) struct Kept {
    documents: Mutex<Documents>,
    /// One is made at a time: many who ask for the same wait for the first, and the work takes one core at most.
    making: Mutex<()>,
    index: Mutex<Option<(u64, Arc<SchemaIndex>)>>,
}

struct Documents {
    by_hash: lru::LruCache<ContentHash, Document>,
    bytes: usize,
}

impl Kept {
    pub(crate) fn new() -> Self {
        let documents = Documents { by_hash: lru::LruCache::unbounded(), bytes: 0 };
        Self { documents: Mutex::new(documents), making: Mutex::new(()), index: Mutex::new(None) }
    }

    fn get(&self, hash: &ContentHash) -> Option<Document> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner).by_hash.get(hash).cloned()
    }

    fn put(&self, hash: ContentHash, document: Document) {
        let mut documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
        documents.bytes += document.size();
        if let Some(before) = documents.by_hash.put(hash, document) {
            documents.bytes -= before.size();
        }
        while documents.bytes > KEPT_BYTES {
            let Some((_, forgotten)) = documents.by_hash.pop_lru() else { break };
            documents.bytes -= forgotten.size();
        }
    }
}

impl Registry {
    /// The document.
    ///
    /// # Errors
    /// A schema cannot be written in the draft that was asked for.
    pub async fn derived(self: &Arc<Self>, wanted: Wanted) -> Result<Document, ReadError> {
        let hash = wanted.hash();
        if let Some(known) = self.kept.get(&hash) {
            return Ok(known);
        }
        self.blocking(move |registry| {
            let _one_at_a_time = registry.kept.making.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = registry.kept.get(&hash) {
                return Ok(known);
            }
            let document = wanted.make(&registry.settings.limits.schema).map_err(ReadError::NotDerivable)?;
            registry.kept.put(hash, document.clone());
            Ok(document)
        })
        .await
    }

    /// The bundles of everything live, in the order of their ids.
    pub fn bundles(&self) -> Vec<Arc<Bundle>> {
        let live = |entry: &Arc<Entry>| match &**entry {
            Entry::Live(live) => Some(live.validation.clone()),
            Entry::Tombstone(_) => None,
        };
        self.snapshot().worker_types.values().filter_map(live).collect()
    }

    /// The index of what is live now; some ten milliseconds for ten thousand worker types, once after each change.
    pub async fn schema_index(self: &Arc<Self>) -> Result<Arc<SchemaIndex>, ReadError> {
        let applied = self.snapshot().applied;
        let known = self.kept.index.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, index)) = known.filter(|(at, _)| *at == applied) {
            return Ok(index);
        }
        self.blocking(move |registry| {
            let index = Arc::new(SchemaIndex::of(&registry.bundles()));
            *registry.kept.index.lock().unwrap_or_else(PoisonError::into_inner) = Some((applied, index.clone()));
            Ok(index)
        })
        .await
    }

    /// The live worker type and the document under an address of the index; none if nothing live has it any more.
    ///
    /// # Errors
    /// The work was cut off.
    pub async fn wanted_at(self: &Arc<Self>, hash: &ContentHash) -> Result<Option<(WorkerTypeId, Wanted)>, ReadError> {
        let index = self.schema_index().await?;
        // What is live may have changed since the index was made.
        let found = index.addresses.get(hash).and_then(|(id, about)| {
            let wanted = standard(self.live(id).ok()?.validation.clone(), *about);
            (wanted.hash() == *hash).then(|| (id.clone(), wanted))
        });
        Ok(found)
    }
}

impl SchemaIndex {
    fn of(bundles: &[Arc<Bundle>]) -> Self {
        let (mut names, mut addresses) = (BTreeMap::new(), BTreeMap::new());
        for bundle in bundles {
            for (word, about) in [("payload", About::Payload), ("task", About::Task(Form::OneOf))] {
                let hash = standard(bundle.clone(), about).hash();
                names.insert(format!("{}/{word}", bundle.worker_type_id), hash.clone());
                addresses.insert(hash, (bundle.worker_type_id.clone(), about));
            }
        }
        Self { names, document: OnceLock::new(), addresses }
    }
}

/// The form of a document that the index names.
fn standard(bundle: Arc<Bundle>, about: About) -> Wanted {
    Wanted { about, bundles: vec![bundle], target: Target::Draft202012, strictness: Strictness::Refuse }
}
