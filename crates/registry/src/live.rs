//! A worker type as it is held in memory: the text of what is live once, what is evaluated, and what lists show. Every
//! other document is made when somebody asks.

use crate::document::Document;
use crate::documentation;
use crate::documents::any_object;
use crate::error::ReadError;
use crate::gate::marks_of;
use crate::parsed::Parsed;
use crate::prepared::Slot;
use crate::resolve::{Releases, Resolved, ResolvedVariant};
use crate::rollout::OpenRollout;
use crate::shelf::{Shelf, Shelved};
use crate::store::{RevisionRecord, StoreError, WorkerTypeRecord, WorkerTypeState};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use worker_types::{
    Bundle, BundleRevision, BundleRollout, BundleVariant, CompatibilityPolicy, ContentHash, Definition, Generation,
    LifecycleState, RevisionNumber, RolloutPolicy, ValidationMode, WorkerTypeId,
};

/// What is known of an id that was used.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are live, and every step to one costs a verdict time")]
pub enum Entry {
    /// It is live.
    Live(LiveWorkerType),
    /// It was deleted.
    Tombstone(Box<WorkerTypeRecord>),
}

impl Entry {
    /// Its stored state.
    pub fn record(&self) -> &WorkerTypeRecord {
        match self {
            Self::Live(live) => &live.record,
            Self::Tombstone(record) => record,
        }
    }

    /// The rollout that is open, if one is.
    pub fn rollout(&self) -> Option<OpenRollout> {
        match self {
            Self::Live(live) => live.rollout,
            Self::Tombstone(_) => None,
        }
    }

    /// From what is stored; `parsed` is the newest revision, where somebody has read it already.
    pub(crate) fn build(
        record: WorkerTypeRecord,
        parsed: Option<Parsed>,
        releases: &dyn Releases,
        shelf: &Shelf,
    ) -> Result<Self, StoreError> {
        match record.state {
            WorkerTypeState::Deleted { .. } => Ok(Self::Tombstone(Box::new(record))),
            WorkerTypeState::Live { .. } => LiveWorkerType::build(record, parsed, releases, shelf).map(Self::Live),
        }
    }
}

/// A live worker type.
#[derive(Debug)]
pub struct LiveWorkerType {
    /// As it is stored: the text of its definition is in memory once, here.
    pub record: WorkerTypeRecord,
    /// The newest live revision.
    pub revision: Arc<RevisionRecord>,
    /// The rollout that is open, if one is.
    pub rollout: Option<OpenRollout>,
    /// What lists and filters ask of its definition.
    pub summary: Summary,
    /// What is evaluated; its schemas are shared with whoever has the same.
    pub validation: Arc<Bundle>,
    /// Where among the shelved ones the payload schemas of the newest revision's variants are; none for a variant that takes
    /// any object.
    payload_schemas: Box<[Option<usize>]>,
    /// What a list shows of it in lower case, once somebody has searched.
    searched_summary: OnceLock<Box<str>>,
    /// Every schema that it holds.
    shelved: Box<[Arc<Shelved>]>,
    /// Its own documentation in lower case, to be searched; none where it has none.
    pub(crate) searched_documentation: Option<Box<str>>,
    /// Which of all that were ever built in this process: what is derived from it is kept under this number.
    pub(crate) serial: u64,
    pub(crate) prepared: Slot,
    /// Whether nothing is missing from its documentation, once somebody has asked.
    pub(crate) documented: OnceLock<bool>,
}

/// What lists and filters ask of a definition.
#[derive(Debug)]
pub struct Summary {
    /// One line.
    pub description: String,
    /// Whom to ask.
    pub owner: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Where it stands.
    pub lifecycle: LifecycleState,
    /// The implementations that run the variants: `(name, version)`.
    pub implementations: Vec<(String, Option<String>)>,
    /// The releases that the variants come from, as `name@version`.
    pub releases: Vec<String>,
    /// Whether there is a pool configuration, which not everybody may see.
    pub has_pool: bool,
    /// The strictest policy among the live revisions.
    pub compatibility: CompatibilityPolicy,
}

impl LiveWorkerType {
    fn build(
        record: WorkerTypeRecord,
        parsed: Option<Parsed>,
        releases: &dyn Releases,
        shelf: &Shelf,
    ) -> Result<Self, StoreError> {
        let WorkerTypeState::Live { revision, older } = &record.state else {
            let what = format!("the worker type {}", record.id);
            return Err(StoreError::Corrupt { what, message: "it is not live".to_owned() });
        };
        let (revision, older) = (revision.clone(), older.clone());
        let read = |revision: &RevisionRecord| Parsed::of(&record.id, revision, releases);
        let Parsed { definition, resolved } = parsed.map_or_else(|| read(&revision), Ok)?;
        let earlier = older.as_deref().map(|older| Ok::<_, StoreError>((older, read(older)?))).transpose()?;
        let mut compatibility = definition.compatibility;
        if let Some((_, earlier)) = &earlier {
            compatibility = compatibility.max(earlier.definition.compatibility);
        }
        let mut bundle = bundle(&record, (&revision, &definition, resolved), earlier);
        bundle.release_marks = marks_of(&bundle.revisions, releases);
        let Placed { bundle, shelved, payload_schemas } = place(bundle, shelf);
        let rollout = older.as_ref().map(|older| OpenRollout::of(older, &revision, definition.rollout));
        Ok(Self {
            rollout,
            searched_documentation: searched_documentation(&definition),
            shelved,
            summary: Summary::of(definition, compatibility, bundle.revisions.last()),
            validation: Arc::new(bundle),
            payload_schemas,
            serial: SERIAL.fetch_add(1, Ordering::Relaxed),
            prepared: Slot::default(),
            documented: OnceLock::new(),
            searched_summary: OnceLock::new(),
            revision,
            record,
        })
    }

    /// The older revision that is live beside the newest while a rollout is open.
    pub(crate) fn older(&self) -> Option<&Arc<RevisionRecord>> {
        match &self.record.state {
            WorkerTypeState::Live { older, .. } => older.as_ref(),
            WorkerTypeState::Deleted { .. } => None,
        }
    }

    /// The payload schemas of the newest revision, each with the index of its variant.
    pub(crate) fn payload_schemas(&self) -> impl Iterator<Item = (usize, &Shelved)> {
        (0..self.payload_schemas.len()).filter_map(|variant| Some((variant, self.payload_schema(variant)?)))
    }

    /// The payload schema of one variant of the newest revision.
    pub(crate) fn payload_schema(&self, variant: usize) -> Option<&Shelved> {
        let place = (*self.payload_schemas.get(variant)?)?;
        self.shelved.get(place).map(|shelved| &**shelved)
    }

    /// What a list shows of it, in lower case.
    pub(crate) fn searched_summary(&self) -> &str {
        self.searched_summary.get_or_init(|| {
            let Summary { description, owner, tags, .. } = &self.summary;
            let owner = owner.as_deref().unwrap_or_default();
            format!("{} {description} {owner} {}", self.record.id, tags.join(" ")).to_lowercase().into()
        })
    }

    /// The definition of the newest revision, read anew.
    pub(crate) fn read(&self, releases: &dyn Releases) -> Result<Parsed, StoreError> {
        Parsed::of(&self.record.id, &self.revision, releases)
    }
}

impl Summary {
    fn of(definition: Definition, compatibility: CompatibilityPolicy, newest: Option<&BundleRevision>) -> Self {
        let contracts = || newest.iter().flat_map(|revision| &revision.variants);
        let mut implementations: Vec<_> =
            contracts().filter_map(|c| c.implementation.clone()).map(|i| (i.name, i.version)).collect();
        implementations.sort();
        implementations.dedup();
        let mut releases: Vec<_> =
            contracts().filter_map(|contract| contract.release.as_ref().map(ToString::to_string)).collect();
        releases.sort();
        releases.dedup();
        Self {
            description: definition.description,
            owner: definition.owner,
            tags: definition.tags,
            lifecycle: definition.lifecycle.state,
            has_pool: definition.pool.is_some(),
            implementations,
            releases,
            compatibility,
        }
    }
}

static SERIAL: AtomicU64 = AtomicU64::new(0);

/// A bundle with the schemas that are in memory already.
struct Placed {
    bundle: Bundle,
    shelved: Box<[Arc<Shelved>]>,
    payload_schemas: Box<[Option<usize>]>,
}

fn place(mut bundle: Bundle, shelf: &Shelf) -> Placed {
    let mut places = BTreeMap::new();
    let mut shelved = Vec::with_capacity(bundle.schemas.len());
    for (hash, schema) in &mut bundle.schemas {
        let one = shelf.place(schema);
        *schema = one.schema.clone();
        places.insert(hash.clone(), shelved.len());
        shelved.push(one);
    }
    let newest = bundle.revisions.last().into_iter().flat_map(|revision| &revision.variants);
    let place = |variant: &BundleVariant| places.get(&variant.payload_schema.as_ref()?.hash).copied();
    let payload_schemas = newest.map(place).collect();
    Placed { bundle, shelved: shelved.into(), payload_schemas }
}

/// The words that the worker type's own authors wrote: what a release says is searched there.
fn searched_documentation(definition: &Definition) -> Option<Box<str>> {
    let variants = definition.variants.iter().filter_map(|variant| variant.documentation.as_deref());
    let texts: Vec<&str> = definition.documentation.as_deref().into_iter().chain(variants).collect();
    (!texts.is_empty()).then(|| texts.join("\n").to_lowercase().into())
}

/// Which variant of the newest revision says what payloads are, as its author wrote it: the one that is named; without
/// a name, the first if all that is live asks for the same; none where several decide together.
pub(crate) fn chosen(bundle: &Bundle, variant: Option<&str>) -> Result<Option<usize>, ReadError> {
    let variants = bundle.revisions.last().map_or(&[][..], |revision| &revision.variants);
    let Some(name) = variant else {
        // What narrows a contract decides with it.
        let alone = bundle.revisions.len() == 1 && variants.iter().all(|variant| variant.constraints.is_empty());
        let hashes = || variants.iter().map(|variant| variant.payload_schema.as_ref().map(|reference| &reference.hash));
        let same = || hashes().zip(hashes().skip(1)).all(|(one, next)| one == next);
        return Ok((alone && !variants.is_empty() && same()).then_some(0));
    };
    let index = variants.iter().position(|variant| variant.name == name);
    index.map(Some).ok_or_else(|| {
        let mut names: Vec<String> = variants.iter().map(|variant| variant.name.clone()).collect();
        names.sort();
        ReadError::WhichVariant { id: bundle.worker_type_id.clone(), variants: names }
    })
}

/// The payload schema of one variant of the newest revision.
pub(crate) fn written(bundle: &Bundle, index: usize) -> Option<&Value> {
    let reference = bundle.revisions.last()?.variants.get(index)?.payload_schema.as_ref()?;
    bundle.schemas.get(&reference.hash).map(|schema| &**schema)
}

/// One revision of the history, as if it were live alone.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What is evaluated.
    pub bundle: Arc<Bundle>,
    /// Markdown.
    pub documentation: Document,
}

impl Reading {
    pub(crate) fn of(
        id: &WorkerTypeId,
        revision: &RevisionRecord,
        releases: &dyn Releases,
    ) -> Result<Self, StoreError> {
        let Parsed { definition, resolved } = Parsed::of(id, revision, releases)?;
        let documentation = Document::hashed(documentation::markdown(id, &definition, &resolved.variants));
        let number = revision.revision;
        let bundle = bundle_of(id, Generation(0), number, &revision.content_hash, &definition, resolved);
        Ok(Self { bundle: Arc::new(bundle), documentation })
    }

    /// The payload schema as its author wrote it: of the named variant; without a name, of all variants if they have
    /// the same; none where several decide together.
    ///
    /// # Errors
    /// There is no such variant.
    pub fn payload_schema(&self, variant: Option<&str>) -> Result<Option<Document>, ReadError> {
        let index = chosen(&self.bundle, variant)?;
        Ok(index.map(|index| written(&self.bundle, index).map_or_else(any_object, Document::of_json)))
    }
}

fn bundle(
    record: &WorkerTypeRecord,
    (revision, definition, resolved): (&RevisionRecord, &Definition, Resolved),
    earlier: Option<(&RevisionRecord, Parsed)>,
) -> Bundle {
    let mut bundle =
        bundle_of(&record.id, record.generation, revision.revision, &revision.content_hash, definition, resolved);
    if let Some((older, parsed)) = earlier {
        bundle.schemas.extend(parsed.resolved.schemas);
        bundle.rollout = Some(BundleRollout { policy: definition.rollout.policy });
        bundle.validation = mode(definition, &parsed.definition);
        let older = bundle_revision(older.revision, &older.content_hash, &parsed.definition, parsed.resolved.variants);
        bundle.revisions.insert(0, older);
    }
    bundle
}

/// The bundle of one definition that is live alone.
pub(crate) fn bundle_of(
    id: &WorkerTypeId,
    generation: Generation,
    revision: RevisionNumber,
    content_hash: &ContentHash,
    definition: &Definition,
    resolved: Resolved,
) -> Bundle {
    Bundle {
        worker_type_id: id.clone(),
        generation,
        validation: definition.validation,
        rollout: None,
        revisions: vec![bundle_revision(revision, content_hash, definition, resolved.variants)],
        schemas: resolved.schemas,
        release_marks: Vec::new(),
    }
}

/// During a strict rollout the newer's mode; during a lenient one the milder of the two.
fn mode(newer: &Definition, older: &Definition) -> ValidationMode {
    match newer.rollout.policy {
        RolloutPolicy::Strict => newer.validation,
        _ => newer.validation.min(older.validation),
    }
}

fn bundle_revision(
    revision: RevisionNumber,
    content_hash: &ContentHash,
    definition: &Definition,
    variants: Vec<ResolvedVariant>,
) -> BundleRevision {
    BundleRevision {
        revision,
        content_hash: content_hash.clone(),
        validation: definition.validation,
        acceptance: definition.acceptance,
        lifecycle: definition.lifecycle.clone(),
        variants: variants.into_iter().map(|variant| variant.contract).collect(),
    }
}
