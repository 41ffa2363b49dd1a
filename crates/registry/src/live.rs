//! A worker type as it is held in memory: what is live, parsed, resolved and prebuilt.

use crate::answer::{self, PoolView};
use crate::document::Document;
use crate::documentation;
use crate::gate::marks_of;
use crate::resolve::{Releases, Resolved, resolve};
use crate::store::{RevisionRecord, StoreError, WorkerTypeRecord, WorkerTypeState};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use worker_types::{
    Bundle, BundleRevision, BundleRollout, BundleVariant, ContentHash, Definition, DocumentationCoverage, Generation,
    RevisionNumber, RolloutPolicy, ValidationMode, WorkerTypeId,
};

/// What is known of an id that was used.
#[derive(Debug)]
pub enum Entry {
    /// It is live.
    Live(Box<LiveWorkerType>),
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

    pub(crate) fn build(record: WorkerTypeRecord, releases: &dyn Releases) -> Result<Self, StoreError> {
        match record.state {
            WorkerTypeState::Deleted { .. } => Ok(Self::Tombstone(Box::new(record))),
            WorkerTypeState::Live { .. } => {
                LiveWorkerType::build(record, releases).map(|live| Self::Live(Box::new(live)))
            }
        }
    }
}

/// A live worker type.
#[derive(Debug)]
pub struct LiveWorkerType {
    /// As it is stored.
    pub record: WorkerTypeRecord,
    /// The newest live revision.
    pub revision: RevisionRecord,
    /// Its definition.
    pub definition: Definition,
    /// The answer of GET for those who may see the pool.
    pub full: Document,
    /// The answer of GET for everybody else.
    pub public: Document,
    /// The answer of `…/validation`.
    pub bundle: Document,
    /// What is evaluated.
    pub validation: std::sync::Arc<Bundle>,
    /// The documents of the newest live revision.
    pub reading: Reading,
    /// How much of it is documented, once somebody has asked.
    pub(crate) coverage: OnceLock<DocumentationCoverage>,
}

impl LiveWorkerType {
    fn build(record: WorkerTypeRecord, releases: &dyn Releases) -> Result<Self, StoreError> {
        let WorkerTypeState::Live { revision, older } = record.state.clone() else {
            let what = format!("the worker type {}", record.id);
            return Err(StoreError::Corrupt { what, message: "it is not live".to_owned() });
        };
        let (definition, resolved) = parse(&record.id, &revision, releases)?;
        let earlier =
            older.as_ref().map(|older| parse(&record.id, older, releases).map(|parsed| (older, parsed))).transpose()?;
        let mut bundle = bundle(&record, (&revision, &definition, &resolved), earlier.as_ref());
        bundle.release_marks = marks_of(&bundle.revisions, releases);
        let bundle = std::sync::Arc::new(bundle);
        let corrupt = |error: serde_json::Error| StoreError::Corrupt {
            what: format!("the worker type {}", record.id),
            message: error.to_string(),
        };
        let answer =
            |pool| answer::live(&record, &revision, older.as_ref().map(|older| older.revision), pool).map_err(corrupt);
        let generation = record.generation;
        let full = Document::tagged(answer(PoolView::Shown)?, &format!("g{generation}"));
        // Where there is nothing to hide, everybody sees the same, under the same ETag.
        let public = match &definition.pool {
            Some(_) => Document::tagged(answer(PoolView::Hidden)?, &format!("g{generation}-public")),
            None => full.clone(),
        };
        Ok(Self {
            full,
            public,
            bundle: Document::hashed(serde_json::to_vec(&*bundle).map_err(corrupt)?),
            validation: bundle,
            reading: Reading::build(&record.id, &definition, resolved),
            definition,
            revision,
            record,
            coverage: OnceLock::new(),
        })
    }
}

/// What people and editors read of one revision.
#[derive(Debug)]
pub struct Reading {
    /// The payload schemas, by the variant's name; a variant without one takes any object.
    pub payload_schemas: BTreeMap<String, Document>,
    /// Markdown.
    pub documentation: Document,
    /// The same as HTML, made by whoever serves it first.
    pub html: OnceLock<Document>,
    /// The implementations that run the variants: `(name, version)`.
    pub implementations: Vec<(String, Option<String>)>,
    /// The releases that the variants come from, as `name@version`.
    pub releases: Vec<String>,
}

impl Reading {
    fn build(id: &WorkerTypeId, definition: &Definition, resolved: Resolved) -> Self {
        let schema = |variant: &BundleVariant| {
            let schema = variant.payload_schema.as_ref().and_then(|reference| resolved.schemas.get(&reference.hash));
            Document::hashed(schema.map_or_else(|| r#"{"type":"object"}"#.to_owned(), Value::to_string))
        };
        let contracts = || resolved.variants.iter().map(|variant| &variant.contract);
        let mut implementations: Vec<_> =
            contracts().filter_map(|c| c.implementation.clone()).map(|i| (i.name, i.version)).collect();
        implementations.sort();
        implementations.dedup();
        let mut releases: Vec<_> =
            contracts().filter_map(|contract| contract.release.as_ref().map(ToString::to_string)).collect();
        releases.sort();
        releases.dedup();
        Self {
            payload_schemas: contracts().map(|contract| (contract.name.clone(), schema(contract))).collect(),
            documentation: Document::hashed(documentation::markdown(id, definition, &resolved.variants)),
            html: OnceLock::new(),
            implementations,
            releases,
        }
    }

    /// The documents of a revision of the history.
    pub(crate) fn of(
        id: &WorkerTypeId,
        revision: &RevisionRecord,
        releases: &dyn Releases,
    ) -> Result<Self, StoreError> {
        let (definition, resolved) = parse(id, revision, releases)?;
        Ok(Self::build(id, &definition, resolved))
    }
}

/// The bundle of one revision of the history, as if it were live alone.
pub(crate) fn revision_bundle(
    id: &WorkerTypeId,
    revision: &RevisionRecord,
    releases: &dyn Releases,
) -> Result<Bundle, StoreError> {
    let (definition, resolved) = parse(id, revision, releases)?;
    Ok(bundle_of(id, Generation(0), revision.revision, &revision.content_hash, &definition, &resolved))
}

fn parse(
    id: &WorkerTypeId,
    revision: &RevisionRecord,
    releases: &dyn Releases,
) -> Result<(Definition, Resolved), StoreError> {
    let corrupt =
        |message: String| StoreError::Corrupt { what: format!("revision {} of {id}", revision.revision), message };
    let first =
        |faults: Vec<worker_types::Item>| faults.into_iter().next().map_or_else(String::new, |fault| fault.message);
    let value: Value = serde_json::from_str(&revision.definition).map_err(|error| corrupt(error.to_string()))?;
    let definition = Definition::read(&value, id).map_err(|faults| corrupt(first(faults)))?;
    let resolved = resolve(&definition, releases).map_err(|faults| corrupt(first(faults)))?;
    Ok((definition, resolved))
}

type Parsed<'a> = (&'a RevisionRecord, (Definition, Resolved));

fn bundle(
    record: &WorkerTypeRecord,
    (revision, definition, resolved): (&RevisionRecord, &Definition, &Resolved),
    earlier: Option<&Parsed<'_>>,
) -> Bundle {
    let mut bundle =
        bundle_of(&record.id, record.generation, revision.revision, &revision.content_hash, definition, resolved);
    if let Some((older, (older_definition, older_resolved))) = earlier {
        bundle.schemas.extend(older_resolved.schemas.clone());
        let older = bundle_revision(older.revision, &older.content_hash, older_definition, older_resolved);
        bundle.revisions.insert(0, older);
        bundle.rollout = Some(BundleRollout { policy: definition.rollout });
        bundle.validation = mode(definition, older_definition);
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
    resolved: &Resolved,
) -> Bundle {
    Bundle {
        worker_type_id: id.clone(),
        generation,
        validation: definition.validation,
        rollout: None,
        revisions: vec![bundle_revision(revision, content_hash, definition, resolved)],
        schemas: resolved.schemas.clone(),
        release_marks: Vec::new(),
    }
}

/// During a strict rollout the newer's mode; during a lenient one the milder of the two.
fn mode(newer: &Definition, older: &Definition) -> ValidationMode {
    match newer.rollout {
        RolloutPolicy::Strict => newer.validation,
        _ => newer.validation.min(older.validation),
    }
}

fn bundle_revision(
    revision: RevisionNumber,
    content_hash: &ContentHash,
    definition: &Definition,
    resolved: &Resolved,
) -> BundleRevision {
    BundleRevision {
        revision,
        content_hash: content_hash.clone(),
        validation: definition.validation,
        acceptance: definition.acceptance,
        lifecycle: definition.lifecycle.clone(),
        variants: resolved.variants.iter().map(|variant| variant.contract.clone()).collect(),
    }
}
