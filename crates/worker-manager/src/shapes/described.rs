//! Bodies that are made or read elsewhere, described for the OpenAPI document. The types themselves stand in
//! `worker-types` and `registry`; tests hold real answers against these descriptions.
#![expect(dead_code, reason = "these types are here for their schemas")]

use super::{
    AdoptReport, CheckReport, EventPage, ImplementationList, ImportReport, ReleaseList, RevisionDiff, RevisionList,
    SchemaCatalog, SchemaList, StatusReport, Tombstone, UsedByList, WorkerTypeList,
};
use serde_json::Value;
use service::Components;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use worker_types::{
    Acceptance, Compatibility, CompatibilityPolicy, DocumentationCoverage, DocumentationPolicy, EventKind, Generation,
    Item, Lifecycle, Outcome, ReleaseState, RevisionNumber, RevisionVerdict, RolloutPolicy, UncheckedReason,
    ValidationMode,
};

/// Every component that the table names.
pub(crate) fn components() -> Components {
    Components::new()
        .with::<WorkerTypeList>()
        .with::<SchemaList>()
        .with::<SchemaCatalog>()
        .with::<WorkerType>()
        .with::<Revision>()
        .with::<Tombstone>()
        .with::<Definition>()
        .with::<RevisionList>()
        .with::<RevisionDiff>()
        .with::<RollbackRequest>()
        .with::<Rollout>()
        .with::<RolloutSettings>()
        .with::<Bundle>()
        .with::<ValidateRequest>()
        .with::<Verdict>()
        .with::<BrokenLine>()
        .with::<CheckRequest>()
        .with::<CheckReport>()
        .with::<DocumentationCoverage>()
        .with::<AdoptRequest>()
        .with::<AdoptReport>()
        .with::<MarkRequest>()
        .with::<ImplementationList>()
        .with::<ReleaseList>()
        .with::<Release>()
        .with::<ReleaseContent>()
        .with::<UsedByList>()
        .with::<ImportReport>()
        .with::<Event>()
        .with::<EventPage>()
        .with::<StatusReport>()
}

/// A worker type, as it is live.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct WorkerType {
    worker_type_id: String,
    /// Counts every change of what is live: `If-Match: "g<generation>"`.
    generation: Generation,
    /// The newest live revision.
    revision: RevisionNumber,
    /// `sha256:` and the digest of the definition's canonical form (RFC 8785).
    content_hash: String,
    /// RFC 3339, UTC.
    published_at: String,
    published_by: String,
    message: Option<String>,
    /// The revision whose content a rollback brought back.
    rollback_of: Option<RevisionNumber>,
    /// Two revisions are live.
    rollout: Option<Rollout>,
    definition: Definition,
    /// What the publish gate remarked.
    warnings: Vec<Item>,
    /// The comparison with what was live before; none where nothing was, or where nobody asked.
    #[schema(nullable = false)]
    compatibility: Option<Compatibility>,
}

/// An open rollout.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct Rollout {
    /// The older live revision.
    from: RevisionNumber,
    /// The newer one, which takes over.
    to: RevisionNumber,
    /// `lenient`: a task is accepted if either accepts it; `strict`: if both do.
    policy: RolloutPolicy,
    /// RFC 3339, UTC.
    started_at: String,
    /// When it completes by itself; none where somebody completes it.
    #[schema(nullable = false)]
    completes_at: Option<String>,
}

/// One revision of the history.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct Revision {
    worker_type_id: String,
    revision: RevisionNumber,
    content_hash: String,
    published_at: String,
    published_by: String,
    message: Option<String>,
    rollback_of: Option<RevisionNumber>,
    definition: Definition,
    warnings: Vec<Item>,
    /// The comparison with what was live before it.
    #[schema(nullable = false)]
    compatibility: Option<Compatibility>,
}

/// What a worker type is, as its owner wrote it. Only `description` is required. The pool is shown to those who may see it.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct Definition {
    /// If given, it must be the id in the path.
    #[schema(nullable = false)]
    worker_type_id: Option<String>,
    /// One line.
    description: String,
    #[schema(nullable = false)]
    owner: Option<String>,
    /// Markdown.
    #[schema(nullable = false)]
    documentation: Option<String>,
    /// What happens where authors would find less than payloads have properties; `none` where it is left out.
    #[schema(nullable = false)]
    documentation_coverage: Option<DocumentationPolicy>,
    #[schema(nullable = false)]
    links: Option<Vec<Link>>,
    #[schema(nullable = false)]
    tags: Option<Vec<String>>,
    #[schema(nullable = false)]
    actions: Option<Vec<Value>>,
    /// Where it stands in its life; active where it is left out.
    #[schema(nullable = false)]
    lifecycle: Option<Lifecycle>,
    /// What a queue does with an invalid payload; `warn` where it is left out.
    #[schema(nullable = false)]
    validation: Option<ValidationMode>,
    /// What happens to revisions that would refuse what is accepted now; `warn` where it is left out.
    #[schema(nullable = false)]
    compatibility: Option<CompatibilityPolicy>,
    /// Which of the variants that apply must accept; `any` where it is left out.
    #[schema(nullable = false)]
    acceptance: Option<Acceptance>,
    /// `{"policy": "immediate"}`, or `lenient` or `strict`.
    #[schema(nullable = false)]
    rollout: Option<RolloutSettings>,
    /// The contracts: inline, or by `release`.
    #[schema(nullable = false)]
    variants: Option<Vec<Value>>,
    /// How workers are provisioned.
    #[schema(nullable = false)]
    pool: Option<Value>,
}

/// Further reading.
#[derive(ToSchema)]
struct Link {
    title: String,
    href: String,
}

/// How a revision takes over from the one before.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct RolloutSettings {
    policy: RolloutPolicy,
    /// After how long it completes by itself, counted from the publish: `90s`, `45m`, `2h 30m`, `7d`; at most 366 days.
    #[schema(nullable = false)]
    complete_after: Option<String>,
}

/// Which revision comes back.
#[derive(ToSchema)]
struct RollbackRequest {
    revision: RevisionNumber,
    /// Why, for the history.
    message: Option<String>,
}

/// Everything that decides whether the worker type accepts a task.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct Bundle {
    worker_type_id: String,
    generation: Generation,
    /// What a queue does with an invalid payload now, rollout considered.
    validation: ValidationMode,
    /// How two live revisions decide together.
    rollout: Option<Value>,
    /// Older first.
    revisions: Vec<BundleRevision>,
    /// Every schema that the variants refer to, by its hash.
    schemas: BTreeMap<String, Value>,
    /// Of the releases in use, those that are deprecated or withdrawn.
    #[schema(nullable = false)]
    release_marks: Option<Vec<BundleMark>>,
}

/// What was said of a release in use.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct BundleMark {
    /// `name@version`.
    release: String,
    state: ReleaseState,
    #[schema(nullable = false)]
    reason: Option<String>,
    /// `name@version`.
    #[schema(nullable = false)]
    replaced_by: Option<String>,
}

/// One live revision.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct BundleRevision {
    revision: RevisionNumber,
    content_hash: String,
    validation: ValidationMode,
    acceptance: Acceptance,
    lifecycle: Lifecycle,
    /// Releases and constraints resolved.
    variants: Vec<Value>,
}

/// Exactly one of the two.
#[derive(ToSchema)]
struct ValidateRequest {
    /// A `task.payload` alone.
    payload: Option<Value>,
    /// A task definition.
    task: Option<Value>,
}

/// The verdict on a task or a payload.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct Verdict {
    /// Of `POST /tasks/validate`: the line that it answers, from 1.
    line: Option<u64>,
    verdict: Outcome,
    /// Only with `unchecked`.
    reason: Option<UncheckedReason>,
    worker_type_id: String,
    generation: Option<Generation>,
    /// The live revisions, older first.
    revisions: Vec<RevisionRef>,
    /// Only while a rollout is open.
    #[schema(nullable = false)]
    rollout: Option<VerdictRollout>,
    /// The variants that apply, or may apply where only a payload was given.
    variants: Vec<String>,
    /// Variants that apply and refuse, while another accepts.
    rejected_by: Vec<String>,
    /// What a queue does with an invalid one.
    validation: Option<ValidationMode>,
    warnings: Vec<Item>,
    errors: Vec<Item>,
    /// How many errors are not listed.
    more_errors: usize,
}

/// A revision that took part in a verdict.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct RevisionRef {
    revision: RevisionNumber,
    content_hash: String,
}

/// How two live revisions came to one verdict.
#[derive(ToSchema)]
struct VerdictRollout {
    policy: RolloutPolicy,
    /// What each live revision says by itself, older first.
    revisions: Vec<RevisionVerdict>,
}

/// The answer of `POST /tasks/validate` to a line that has no verdict.
#[derive(ToSchema)]
struct BrokenLine {
    line: u64,
    /// Always `error`.
    verdict: String,
    problem: String,
    message: String,
}

/// A proposed definition.
#[derive(ToSchema)]
struct CheckRequest {
    definition: Definition,
    /// Recorded task definitions.
    #[schema(nullable = false)]
    tasks: Option<Vec<Value>>,
}

/// A release, as it was published.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct Release {
    /// `name@version`.
    release: String,
    content_hash: String,
    published_at: String,
    published_by: String,
    message: Option<String>,
    content: ReleaseContent,
    warnings: Vec<Item>,
    /// What was said of it afterwards.
    #[schema(nullable = false)]
    mark: Option<ReleaseMark>,
}

/// What was said of a release after it was published.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct ReleaseMark {
    /// `deprecated` or `withdrawn`.
    state: ReleaseState,
    reason: Option<String>,
    /// `name@version`.
    replaced_by: Option<String>,
    /// RFC 3339, UTC.
    at: String,
    by: String,
}

/// Where a release stands.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct MarkRequest {
    state: ReleaseState,
    /// Why, for those who use it.
    reason: Option<String>,
    /// What to use instead, as `name@version`.
    replaced_by: Option<String>,
}

/// Which worker types are moved to a release, or back from it.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct AdoptRequest {
    /// Everything that is set must hold: `provisionerId`, `tag`, `workerTypes` (ids), `from` (releases that they use now).
    r#where: Option<Value>,
    /// Publish; otherwise it is planned only.
    apply: Option<bool>,
    /// The rows `workerTypes` of the answer of an adoption of this release: back to what was live before, where it is still
    /// as that left it. Goes with `apply` and `message` only.
    roll_back: Option<Vec<Value>>,
    /// Publish although compatibility is required and tasks may newly be refused; needs a message.
    allow_breaking: Option<bool>,
    /// The generations that a plan showed, by worker type: others are left alone, and these must still be there.
    generations: Option<BTreeMap<String, Generation>>,
    /// Why, for the history.
    message: Option<String>,
}

/// What one version of an implementation accepts, as those who maintain it wrote it.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct ReleaseContent {
    /// If given, it must be the one in the path.
    #[schema(nullable = false)]
    release: Option<String>,
    #[schema(nullable = false)]
    description: Option<String>,
    /// Markdown.
    #[schema(nullable = false)]
    documentation: Option<String>,
    #[schema(nullable = false)]
    links: Option<Vec<Link>>,
    /// JSON Schema of the `configuration` of variants that use the release.
    #[schema(nullable = false)]
    configuration_schema: Option<Value>,
    /// At least one.
    variants: Vec<Value>,
}

/// One change, as the feed sends it in `data`.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct Event {
    /// Resume after this event with this cursor. Opaque.
    cursor: String,
    kind: EventKind,
    worker_type_id: Option<String>,
    release: Option<String>,
    generation: Option<Generation>,
    revision: Option<RevisionNumber>,
    at: String,
}
