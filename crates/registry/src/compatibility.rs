//! What a proposed definition would break for those whose tasks are accepted now, and what the policy says to it.

use crate::gate::proposed_bundle;
use crate::live::LiveWorkerType;
use crate::registry::Registry;
use crate::store::RevisionRecord;
use payload_schema::Prepared;
use serde_json::Value;
use std::sync::Arc;
use worker_types::{
    Bundle, BundleVariant, Compatibility, CompatibilityPolicy, CompatibilityVerdict, Item, RevisionNumber, WorkerTypeId,
};

/// A comparison, and the policy that it is held against.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    pub(crate) report: Compatibility,
    pub(crate) policy: CompatibilityPolicy,
}

impl Judgement {
    /// Whether the policy refuses. What was not decided is refused as well: `require` asks for proof.
    pub(crate) fn refuses(&self) -> bool {
        self.policy == CompatibilityPolicy::Require && self.report.verdict != CompatibilityVerdict::Compatible
    }

    /// What the author should know; none where everything stays accepted.
    pub(crate) fn remark(&self) -> Option<Item> {
        let problem = match self.report.verdict {
            CompatibilityVerdict::Compatible => return None,
            CompatibilityVerdict::Breaking => "breaking-change",
            CompatibilityVerdict::Unknown => "compatibility-unknown",
        };
        let against: Vec<String> = self.report.against.iter().map(ToString::to_string).collect();
        let required = if self.refuses() { "compatibility is required; " } else { "" };
        let message = format!("{required}compared with revision {}: {}", against.join(" and "), self.report.summary());
        Some(Item::new(problem, "/compatibility", message))
    }

    pub(crate) fn text(&self) -> Option<String> {
        serde_json::to_string(&self.report).ok()
    }
}

/// What a definition is compared with.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Everything that is live of the worker type.
    pub bundle: Arc<Bundle>,
    /// The strictest policy among the live revisions: one that lowers it is still held against the one that it lowers.
    pub policy: CompatibilityPolicy,
}

impl Standing {
    pub(crate) fn of(live: &LiveWorkerType) -> Self {
        Self { bundle: live.validation.clone(), policy: live.summary.compatibility }
    }
}

impl Registry {
    /// What publishing `definition` in place of `live` comes to; none where neither asks for a comparison.
    /// Milliseconds, up to the comparer's budget: only on threads that may block.
    pub(crate) fn judge(&self, standing: &Standing, definition: &Value) -> Option<Judgement> {
        let policy = standing.policy.max(policy_of(definition));
        (policy != CompatibilityPolicy::None).then(|| Judgement { report: self.compare(standing, definition), policy })
    }

    /// The comparison of `definition`, live alone, with all that is live now.
    pub(crate) fn compare(&self, standing: &Standing, definition: &Value) -> Compatibility {
        let bundle = &standing.bundle;
        let against: Vec<RevisionNumber> = bundle.revisions.iter().map(|revision| revision.revision).collect();
        let next = against.iter().max().map_or(RevisionNumber(1), |newest| newest.next());
        let proposed = self.proposed(&bundle.worker_type_id, definition, next);
        match (self.evaluator.prepare(bundle.clone()), proposed) {
            (Ok(old), Some(new)) => self.compare_prepared(&old, &new),
            (Err(error), _) => Compatibility::undecided(against, error.to_string()),
            (_, None) => Compatibility::undecided(against, "this version cannot evaluate the proposed definition"),
        }
    }

    /// The comparison of two revisions, each live alone.
    pub(crate) fn compare_revisions(
        &self,
        id: &WorkerTypeId,
        from: &RevisionRecord,
        to: &RevisionRecord,
    ) -> Compatibility {
        let prepared = |record: &RevisionRecord| {
            let definition: Value = serde_json::from_str(&record.definition).ok()?;
            self.proposed(id, &definition, record.revision)
        };
        let undecided = |number| {
            let reason = format!("this version cannot evaluate revision {number}");
            Compatibility::undecided(vec![from.revision], reason)
        };
        match (prepared(from), prepared(to)) {
            (Some(old), Some(new)) => self.compare_prepared(&old, &new),
            (None, _) => undecided(from.revision),
            (_, None) => undecided(to.revision),
        }
    }

    /// Most publishes change words only; those need no proof.
    fn compare_prepared(&self, old: &Prepared, new: &Prepared) -> Compatibility {
        if !has_same_contract(old.bundle(), new.bundle()) {
            return self.comparer.bundles(old, new);
        }
        Compatibility {
            verdict: CompatibilityVerdict::Compatible,
            against: old.bundle().revisions.iter().map(|revision| revision.revision).collect(),
            witness: None,
            witness_is_task: false,
            findings: Vec::new(),
        }
    }

    /// A definition that stands alone, ready to be evaluated.
    pub(crate) fn proposed(&self, id: &WorkerTypeId, definition: &Value, number: RevisionNumber) -> Option<Prepared> {
        let snapshot = self.snapshot();
        let bundle = proposed_bundle(definition, id, number, &**snapshot)?;
        self.evaluator.prepare(Arc::new(bundle)).ok()
    }
}

/// Whether one revision is live on either side, and the two ask for the same in the same way. Which program runs the tasks,
/// and where its contract is kept, decides about none.
fn has_same_contract(old: &Bundle, new: &Bundle) -> bool {
    let ([old], [new]) = (&old.revisions[..], &new.revisions[..]) else { return false };
    let asks = |one: &BundleVariant, other: &BundleVariant| {
        one.applies_when == other.applies_when
            && one.task_schema == other.task_schema
            && one.payload_schema == other.payload_schema
            && one.constraints == other.constraints
    };
    (old.acceptance, &old.lifecycle) == (new.acceptance, &new.lifecycle)
        && old.variants.len() == new.variants.len()
        && old.variants.iter().zip(&new.variants).all(|(one, other)| asks(one, other))
}

/// What a definition asks for; `warn` where it says nothing.
fn policy_of(definition: &Value) -> CompatibilityPolicy {
    let word = definition.get("compatibility").and_then(Value::as_str);
    word.and_then(|word| word.parse().ok()).unwrap_or(CompatibilityPolicy::Warn)
}
