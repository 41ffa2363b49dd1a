//! A validation bundle with its schemas compiled: what [`crate::evaluate`] works on.

use crate::rules::PreparedRule;
use crate::{Limits, Schema, SchemaCache};
use std::hint::black_box;
use std::sync::{Arc, OnceLock};
use thiserror::Error;
use worker_types::{
    Bundle, BundleRevision, BundleVariant, Item, LifecycleState, Outcome, ResolvedConstraints, RevisionRef, SchemaRef,
    Verdict,
};

/// Why a bundle cannot be evaluated. The publish gate keeps such bundles from coming into being.
#[derive(Debug, Error)]
pub enum PrepareError {
    /// A reference to a schema that the bundle does not carry.
    #[error("the bundle of {worker_type_id} lacks the schema {hash}")]
    MissingSchema {
        /// Whose bundle.
        worker_type_id: String,
        /// Which schema.
        hash: String,
    },
    /// A schema that this engine does not compile.
    #[error("a schema of {worker_type_id} does not compile: {}", .faults.first().map_or("", |fault| &fault.message))]
    DoesNotCompile {
        /// Whose bundle.
        worker_type_id: String,
        /// What is wrong with it.
        faults: Vec<Item>,
    },
    /// A bundle without a live revision.
    #[error("the bundle of {0} has no revision")]
    NoRevision(String),
}

/// Prepares bundles; the compiled schemas are shared by their hash, and bounded.
pub struct Evaluator {
    cache: SchemaCache,
    limits: Arc<Limits>,
}

impl Evaluator {
    /// An evaluator that keeps up to `capacity` compiled schemas beside those in use.
    pub fn new(limits: Limits, capacity: usize) -> Self {
        Self { cache: SchemaCache::new(capacity), limits: Arc::new(limits) }
    }

    /// Compiles what `bundle` refers to: microseconds when the schemas are known, milliseconds each when they are not.
    ///
    /// # Errors
    /// The bundle lacks a schema, or one does not compile.
    pub fn prepare(&self, bundle: Arc<Bundle>) -> Result<Prepared, PrepareError> {
        if bundle.revisions.is_empty() {
            return Err(PrepareError::NoRevision(bundle.worker_type_id.to_string()));
        }
        let revisions = bundle
            .revisions
            .iter()
            .map(|revision| self.revision(&bundle, revision))
            .collect::<Result<Vec<_>, PrepareError>>()?;
        Ok(Prepared::new(bundle, revisions, self.limits.clone()))
    }

    /// How many schemas are compiled now, those included that only prepared bundles hold.
    pub fn compiled(&self) -> usize {
        self.cache.compiled()
    }

    fn revision(&self, bundle: &Bundle, revision: &BundleRevision) -> Result<Arc<PreparedRevision>, PrepareError> {
        let variants =
            revision.variants.iter().map(|variant| self.variant(bundle, variant)).collect::<Result<_, _>>()?;
        Ok(Arc::new(PreparedRevision { variants }))
    }

    fn variant(&self, bundle: &Bundle, variant: &BundleVariant) -> Result<PreparedVariant, PrepareError> {
        let constraints = variant
            .constraints
            .iter()
            .map(|constraints| self.constraints(bundle, constraints))
            .collect::<Result<_, _>>()?;
        Ok(PreparedVariant {
            applies_when: self.schema(bundle, variant.applies_when.as_ref())?,
            contract: PreparedSchemas {
                payload: self.schema(bundle, variant.payload_schema.as_ref())?,
                task: self.schema(bundle, variant.task_schema.as_ref())?,
            },
            constraints,
        })
    }

    fn constraints(
        &self,
        bundle: &Bundle,
        constraints: &ResolvedConstraints,
    ) -> Result<PreparedConstraints, PrepareError> {
        let fail = |faults| PrepareError::DoesNotCompile { worker_type_id: bundle.worker_type_id.to_string(), faults };
        let rules =
            constraints.rules.iter().map(|rule| PreparedRule::new(rule, &self.limits)).collect::<Result<_, _>>();
        Ok(PreparedConstraints {
            schemas: PreparedSchemas {
                payload: self.schema(bundle, constraints.payload_schema.as_ref())?,
                task: self.schema(bundle, constraints.task_schema.as_ref())?,
            },
            rules: rules.map_err(fail)?,
        })
    }

    fn schema(&self, bundle: &Bundle, reference: Option<&SchemaRef>) -> Result<Option<Arc<Schema>>, PrepareError> {
        let Some(reference) = reference else { return Ok(None) };
        let worker_type_id = || bundle.worker_type_id.to_string();
        let schema = bundle.schemas.get(&reference.hash).ok_or_else(|| PrepareError::MissingSchema {
            worker_type_id: worker_type_id(),
            hash: reference.hash.to_string(),
        })?;
        let compiled = self.cache.get(reference, schema, &self.limits);
        compiled.map(Some).map_err(|faults| PrepareError::DoesNotCompile { worker_type_id: worker_type_id(), faults })
    }
}

/// A bundle that is ready to be evaluated.
pub struct Prepared {
    pub(crate) bundle: Arc<Bundle>,
    pub(crate) revisions: Vec<Arc<PreparedRevision>>,
    pub(crate) limits: Arc<Limits>,
    /// For a worker type whose definition leaves nothing to be said about a task that it accepts: most of them.
    pub(crate) acceptance: Option<Acceptance>,
    /// What every verdict says of the live revisions.
    pub(crate) references: Arc<[RevisionRef]>,
    /// What a verdict says when every variant applies, as it mostly is.
    pub(crate) names: Arc<[String]>,
}

/// The verdict on every task that is accepted, made once, in the form that is asked for: ten thousand worker types that
/// are asked in turn do not fit into a processor's cache, and each place that a verdict is put together from would have
/// to be fetched.
#[derive(Default)]
pub(crate) struct Acceptance {
    verdict: OnceLock<Box<Verdict>>,
    json: OnceLock<Box<str>>,
    /// The payload schema, where nothing but that decides.
    pub(crate) payload_schema: Option<Arc<Schema>>,
}

impl Acceptance {
    pub(crate) fn verdict(&self, of: &Prepared) -> &Verdict {
        self.verdict.get_or_init(|| Box::new(of.accepted()))
    }

    /// # Errors
    /// None that is known: a verdict is made of text and numbers.
    pub(crate) fn json(&self, of: &Prepared) -> serde_json::Result<&str> {
        if let Some(json) = self.json.get() {
            return Ok(json);
        }
        let json = serde_json::to_string(&of.accepted())?;
        Ok(self.json.get_or_init(|| json.into()))
    }
}

fn references(bundle: &Bundle) -> Arc<[RevisionRef]> {
    let reference = |r: &BundleRevision| RevisionRef { revision: r.revision, content_hash: r.content_hash.clone() };
    bundle.revisions.iter().map(reference).collect()
}

fn names(bundle: &Bundle) -> Arc<[String]> {
    let mut names: Vec<String> = Vec::new();
    for variant in bundle.revisions.iter().flat_map(|revision| &revision.variants) {
        if !names.contains(&variant.name) {
            names.push(variant.name.clone());
        }
    }
    names.into()
}

impl Prepared {
    fn new(bundle: Arc<Bundle>, revisions: Vec<Arc<PreparedRevision>>, limits: Arc<Limits>) -> Self {
        let (references, names) = (references(&bundle), names(&bundle));
        let mut prepared = Self { acceptance: None, references, names, bundle, revisions, limits };
        prepared.acceptance = prepared.plain_variant().map(|variant| {
            let payload_schema = variant.only_payload_schema().cloned();
            Acceptance { payload_schema, ..Acceptance::default() }
        });
        prepared
    }

    /// The variant with a schema that concerns every task, where one revision is live that has no other, with nothing to
    /// be said about its lifecycle.
    fn plain_variant(&self) -> Option<&PreparedVariant> {
        let ([revision], [prepared]) = (&self.bundle.revisions[..], &self.revisions[..]) else { return None };
        let [variant] = &prepared.variants[..] else { return None };
        let silent = matches!(revision.lifecycle.state, LifecycleState::Active | LifecycleState::Experimental);
        (silent && variant.applies_when.is_none() && variant.has_schema()).then_some(variant)
    }

    /// The verdict `valid`, when every variant applies and accepts.
    pub(crate) fn accepted(&self) -> Verdict {
        Verdict {
            verdict: Outcome::Valid,
            reason: None,
            worker_type_id: self.bundle.worker_type_id.clone(),
            generation: Some(self.bundle.generation),
            revisions: self.references.clone(),
            rollout: None,
            variants: self.names.clone(),
            rejected_by: Vec::new(),
            validation: Some(self.bundle.validation),
            // The one place from which every verdict has them, the queue's as well as this service's.
            warnings: self.bundle.release_marks.iter().map(|mark| mark.item("")).collect(),
            errors: Vec::new(),
            more_errors: 0,
        }
    }

    /// One of the live revisions, as if it were live alone.
    pub(crate) fn only(&self, index: usize) -> Self {
        let mut bundle = (*self.bundle).clone();
        bundle.revisions = bundle.revisions.into_iter().skip(index).take(1).collect();
        bundle.rollout = None;
        let revisions = self.revisions.iter().skip(index).take(1).cloned().collect();
        Self::new(Arc::new(bundle), revisions, self.limits.clone())
    }

    /// Waits for the memory that an accepted task's verdict is in: where many are asked for, one wait for all of them.
    pub fn fetch(&self) {
        const LINE: usize = 64;
        let json = self.acceptance.as_ref().and_then(|acceptance| acceptance.json.get());
        let lines = json.map_or(&[][..], |json| json.as_bytes()).iter().step_by(LINE);
        black_box(lines.fold(0, |sum, byte| sum ^ byte));
    }

    /// The bundle.
    pub fn bundle(&self) -> &Arc<Bundle> {
        &self.bundle
    }
}

pub(crate) struct PreparedRevision {
    pub(crate) variants: Vec<PreparedVariant>,
}

pub(crate) struct PreparedVariant {
    pub(crate) applies_when: Option<Arc<Schema>>,
    pub(crate) contract: PreparedSchemas,
    pub(crate) constraints: Vec<PreparedConstraints>,
}

pub(crate) struct PreparedSchemas {
    pub(crate) payload: Option<Arc<Schema>>,
    pub(crate) task: Option<Arc<Schema>>,
}

pub(crate) struct PreparedConstraints {
    pub(crate) schemas: PreparedSchemas,
    pub(crate) rules: Vec<PreparedRule>,
}

impl PreparedVariant {
    /// The contract's schemas, then those of the constraints.
    pub(crate) fn schemas(&self) -> impl Iterator<Item = &PreparedSchemas> {
        std::iter::once(&self.contract).chain(self.constraints.iter().map(|constraints| &constraints.schemas))
    }

    pub(crate) fn rules(&self) -> impl Iterator<Item = &PreparedRule> {
        self.constraints.iter().flat_map(|constraints| &constraints.rules)
    }

    /// The payload schema, if nothing else is asked of a task.
    fn only_payload_schema(&self) -> Option<&Arc<Schema>> {
        let alone = self.applies_when.is_none() && self.contract.task.is_none() && self.constraints.is_empty();
        self.contract.payload.as_ref().filter(|_| alone)
    }

    /// Whether any schema says more of a task than that its payload is an object.
    pub(crate) fn has_schema(&self) -> bool {
        self.schemas().any(|schemas| schemas.payload.is_some() || schemas.task.is_some())
    }
}
