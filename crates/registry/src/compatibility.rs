//! What a proposed definition would break for those whose tasks are accepted now, and what the policy says to it.

use crate::gate::proposed_bundle;
use crate::live::LiveWorkerType;
use crate::registry::Registry;
use crate::resolve::Releases;
use crate::store::RevisionRecord;
use payload_schema::Prepared;
use serde_json::Value;
use std::sync::Arc;
use worker_types::{
    Bundle, BundleRevision, BundleRollout, BundleVariant, Compatibility, CompatibilityPolicy, CompatibilityVerdict,
    Item, RevisionNumber, Rollout, RolloutPolicy, WorkerTypeId, content_hash,
};

/// A comparison, and the policy that it is held against.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    pub(crate) report: Compatibility,
    pub(crate) policy: CompatibilityPolicy,
    /// Whether a rollout is opened that nobody will be asked about when it ends.
    pub(crate) ends_by_itself: bool,
}

impl Judgement {
    /// Whether the policy refuses: what comes of it at once, or what a rollout leads to by itself. What was not decided is
    /// refused as well: `require` asks for proof.
    pub(crate) fn refuses(&self) -> bool {
        let report = if self.ends_by_itself { self.report.decisive() } else { &self.report };
        self.policy == CompatibilityPolicy::Require && report.verdict != CompatibilityVerdict::Compatible
    }

    /// What the author should know, of now and of the time after a rollout; none where everything stays accepted.
    pub(crate) fn remarks(&self) -> Vec<Item> {
        let required = if self.refuses() { "compatibility is required; " } else { "" };
        let now = remark(&self.report, "/compatibility", required);
        let later = self.report.after_rollout.as_ref();
        // During a strict rollout the new revision refuses already; that is said once.
        let later = later.filter(|later| later.verdict != self.report.verdict);
        let (place, ends) = match self.ends_by_itself {
            true => ("/rollout/completeAfter", "once the rollout has ended by itself: "),
            false => ("/rollout", "once the rollout has ended: "),
        };
        let later = later.and_then(|later| remark(later, place, &format!("{required}{ends}")));
        now.into_iter().chain(later).collect()
    }

    /// What is kept with the revision; nothing where another attempt may say more.
    pub(crate) fn text(&self) -> Option<String> {
        if self.report.is_provisional {
            return None;
        }
        serde_json::to_string(&self.report).ok()
    }
}

fn remark(report: &Compatibility, pointer: &str, prefix: &str) -> Option<Item> {
    let problem = match report.verdict {
        CompatibilityVerdict::Compatible => return None,
        CompatibilityVerdict::Breaking => "breaking-change",
        CompatibilityVerdict::Unknown => "compatibility-unknown",
    };
    let against: Vec<String> = report.against.iter().map(ToString::to_string).collect();
    let s = if against.len() == 1 { "" } else { "s" };
    let message = format!("{prefix}compared with revision{s} {}: {}", against.join(" and "), report.summary());
    Some(Item::new(problem, pointer, message))
}

/// What a definition is compared with.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Everything that is live of the worker type.
    pub bundle: Arc<Bundle>,
    /// The strictest policy among the live revisions: one that lowers it is still held against the one that it lowers.
    pub policy: CompatibilityPolicy,
    /// The last revision that was published: after an aborted rollout it is not live.
    pub last_revision: RevisionNumber,
}

impl Standing {
    pub(crate) fn of(live: &LiveWorkerType) -> Self {
        let last_revision = live.record.last_revision;
        Self { bundle: live.validation.clone(), policy: live.summary.compatibility, last_revision }
    }

    /// Whether two revisions are live.
    pub(crate) fn is_rolling(&self) -> bool {
        self.bundle.rollout.is_some()
    }

    /// Whether the newest live revision says the same: then nothing is published.
    pub(crate) fn has_newest(&self, definition: &Value) -> bool {
        let newest = self.bundle.revisions.last();
        newest.is_some_and(|newest| newest.content_hash == content_hash(definition))
    }

    /// What `definition` comes to when it is live alone.
    fn proposed(&self, definition: &Value, releases: &dyn Releases) -> Option<Bundle> {
        proposed_bundle(definition, &self.bundle.worker_type_id, self.last_revision.next(), releases)
    }

    /// What is live between the publish of a definition and the end of the rollout that it opens, if it opens one. The
    /// revision that stays is the older one, also where the newer of an open rollout is replaced.
    fn during_rollout(&self, alone: &Bundle, policy: RolloutPolicy) -> Option<Bundle> {
        let stays = self.bundle.revisions.first().filter(|_| policy != RolloutPolicy::Immediate)?;
        let mut during = alone.clone();
        during.rollout = Some(BundleRollout { policy });
        during.revisions.insert(0, stays.clone());
        during.schemas.extend(self.bundle.schemas.clone());
        Some(during)
    }

    /// What is live as soon as `definition` is published and takes over by `rollout`.
    pub(crate) fn published(
        &self,
        definition: &Value,
        rollout: RolloutPolicy,
        releases: &dyn Releases,
    ) -> Option<Bundle> {
        let alone = self.proposed(definition, releases)?;
        Some(self.during_rollout(&alone, rollout).unwrap_or(alone))
    }
}

impl Registry {
    /// What publishing `definition` in place of `live` comes to; none where neither asks for a comparison.
    /// Milliseconds, up to the comparer's budget: only on threads that may block.
    pub(crate) fn judge(&self, standing: &Standing, definition: &Value, rollout: RolloutPolicy) -> Option<Judgement> {
        let policy = standing.policy.max(policy_of(definition));
        let ends_by_itself = rollout != RolloutPolicy::Immediate && Rollout::of(definition).complete_after.is_some();
        (policy != CompatibilityPolicy::None).then(|| Judgement {
            report: self.compare(standing, definition, rollout),
            policy,
            ends_by_itself,
        })
    }

    /// All that is live now held against all that is live once `definition` is published; where that opens a rollout, also
    /// against `definition` alone, as it is when the rollout has ended. A rollback opens none, whatever its text says.
    pub(crate) fn compare(&self, standing: &Standing, definition: &Value, rollout: RolloutPolicy) -> Compatibility {
        let old = &standing.bundle;
        let against: Vec<RevisionNumber> = old.revisions.iter().map(|revision| revision.revision).collect();
        let undecided = |reason: &str| Compatibility::undecided(against.clone(), reason);
        let Some(alone) = standing.proposed(definition, &**self.snapshot()) else {
            return undecided("this version cannot evaluate the proposed definition");
        };
        let compare = |new: Bundle| {
            let prepare = |bundle| self.evaluator.prepare(bundle);
            match (prepare(old.clone()), prepare(Arc::new(new))) {
                (Ok(old), Ok(new)) => self.compare_prepared(&old, &new),
                (Err(error), _) | (_, Err(error)) => undecided(&error.to_string()),
            }
        };
        match standing.during_rollout(&alone, rollout) {
            None => compare(alone),
            Some(during) => {
                let after = compare(alone);
                let now = compare(during);
                let is_provisional = now.is_provisional || after.is_provisional;
                Compatibility { after_rollout: Some(Box::new(after)), is_provisional, ..now }
            }
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
            after_rollout: None,
            is_provisional: false,
        }
    }

    /// A definition that stands alone, ready to be evaluated.
    pub(crate) fn proposed(&self, id: &WorkerTypeId, definition: &Value, number: RevisionNumber) -> Option<Prepared> {
        let snapshot = self.snapshot();
        let bundle = proposed_bundle(definition, id, number, &**snapshot)?;
        self.evaluator.prepare(Arc::new(bundle)).ok()
    }
}

/// Whether both sides ask for the same in the same way, also in a rollout. Which program runs the tasks, and where its
/// contract is kept, decides about none.
fn has_same_contract(old: &Bundle, new: &Bundle) -> bool {
    let asks = |one: &BundleVariant, other: &BundleVariant| {
        one.applies_when == other.applies_when
            && one.task_schema == other.task_schema
            && one.payload_schema == other.payload_schema
            && one.constraints == other.constraints
    };
    let is_same = |old: &BundleRevision, new: &BundleRevision| {
        (old.acceptance, &old.lifecycle) == (new.acceptance, &new.lifecycle)
            && old.variants.len() == new.variants.len()
            && old.variants.iter().zip(&new.variants).all(|(one, other)| asks(one, other))
    };
    old.rollout == new.rollout
        && old.revisions.len() == new.revisions.len()
        && old.revisions.iter().zip(&new.revisions).all(|(old, new)| is_same(old, new))
}

/// What a definition asks for; `warn` where it says nothing.
fn policy_of(definition: &Value) -> CompatibilityPolicy {
    let word = definition.get("compatibility").and_then(Value::as_str);
    word.and_then(|word| word.parse().ok()).unwrap_or(CompatibilityPolicy::Warn)
}
