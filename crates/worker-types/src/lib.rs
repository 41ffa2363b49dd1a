//! The vocabulary of worker-manager: ids, definitions, releases, tasks, validation bundles, verdicts and problems.
//!
//! Every other crate speaks in these types. Text from outside is parsed here, once, into values that cannot be wrong
//! afterwards. This crate knows nothing of HTTP, storage or JSON Schema evaluation.

mod bundle;
mod caller;
mod canonical;
mod compatibility;
mod constraints;
mod coverage;
mod definition;
mod event;
mod ids;
mod item;
mod json;
mod lifecycle;
mod problem;
pub mod reference;
mod release;
mod rollout;
mod settings;
mod shape;
mod suggest;
mod task;
mod variant;
mod verdict;
mod written_schema;

pub use bundle::{
    Bundle, BundleMark, BundleRevision, BundleRollout, BundleVariant, ResolvedConstraints, ResolvedRule, SchemaRef,
};
pub use caller::Caller;
pub use canonical::{canonical_json, content_hash, content_hash_and_size};
pub use compatibility::{Compatibility, CompatibilityVerdict, Effect, Finding};
pub use constraints::{Constraints, Limit, Rule};
pub use coverage::DocumentationCoverage;
pub use definition::{Action, Definition, Link, Pool};
pub use event::{Event, EventKind};
pub use ids::{
    ContentHash, Generation, IdError, ReleaseId, RevisionNumber, TaskId, WorkerTypeId, valid_provisioner_id,
};
pub use item::Item;
pub use json::{JsonError, JsonLimits, parse_json};
pub use lifecycle::{Lifecycle, LifecycleState};
pub use problem::Problem;
pub use release::{Release, ReleaseVariant};
pub use rollout::{Rollout, RolloutEnd};
pub use settings::{
    Acceptance, CompatibilityPolicy, Dialect, DocumentationPolicy, ReleaseState, RolloutPolicy, UnknownSetting,
    ValidationMode,
};
pub use suggest::{closest, may_be};
pub use task::{Task, TaskError};
pub use variant::{Contract, Example, Implementation, Subject, Variant, VariantSource};
pub use verdict::{Outcome, RevisionRef, RevisionVerdict, UncheckedReason, Verdict, VerdictRollout};
pub use written_schema::{SchemaTag, WrittenSchema};

/// A JSON object, in its author's order.
pub type Object = serde_json::Map<String, serde_json::Value>;
