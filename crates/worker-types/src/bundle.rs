//! The validation bundle: everything that decides whether a worker type accepts a task, in one document.
//!
//! worker-manager builds it from the live revisions; it, queues and the command line evaluate the same bundle by the
//! same function, so that a queue never joins several reads across a publish.

use crate::{
    Acceptance, ContentHash, Dialect, Generation, Implementation, Item, Lifecycle, ReleaseId, ReleaseState,
    RevisionNumber, RolloutPolicy, ValidationMode, WorkerTypeId, WrittenSchema,
};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use std::collections::BTreeMap;

/// What a gate needs to know of one worker type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bundle {
    /// The worker type.
    pub worker_type_id: WorkerTypeId,
    /// Of the live state that the bundle was built from.
    pub generation: Generation,
    /// What a queue does with an invalid payload now, rollout considered.
    pub validation: ValidationMode,
    /// How two live revisions decide together; none when one is live.
    pub rollout: Option<BundleRollout>,
    /// The live revisions, older first: one, or two during a rollout.
    pub revisions: Vec<BundleRevision>,
    /// Every schema that the variants refer to, by the hash of its canonical form.
    pub schemas: BTreeMap<ContentHash, WrittenSchema>,
    /// Those of the releases in use that are deprecated or withdrawn, in the order of their ids. A mark changes without a
    /// new generation.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub release_marks: Vec<BundleMark>,
}

/// What was said of a release after it was published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BundleMark {
    /// The release.
    pub release: ReleaseId,
    /// Deprecated or withdrawn.
    pub state: ReleaseState,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// What to use instead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replaced_by: Option<ReleaseId>,
}

impl BundleMark {
    /// What those should know who use the release, at `pointer`: the problem `deprecated-release` or `withdrawn-release`.
    pub fn item(&self, pointer: &str) -> Item {
        let Self { release, state, reason, replaced_by } = self;
        let reason = reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let instead = replaced_by.as_ref().map(|other| format!("; use {other} instead")).unwrap_or_default();
        let message = format!("the release {release} is {state}{reason}{instead}");
        Item::new(format!("{state}-release"), pointer, message).suggest(replaced_by.as_ref().map(ToString::to_string))
    }
}

/// An open rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BundleRollout {
    /// `lenient`: either revision accepts; `strict`: both must.
    pub policy: RolloutPolicy,
}

/// One live revision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BundleRevision {
    /// Its number.
    pub revision: RevisionNumber,
    /// Its content.
    pub content_hash: ContentHash,
    /// Its own validation mode.
    pub validation: ValidationMode,
    /// Which of the variants that apply must accept.
    pub acceptance: Acceptance,
    /// Where the worker type stands.
    pub lifecycle: Lifecycle,
    /// Releases resolved, constraints resolved.
    pub variants: Vec<BundleVariant>,
}

/// One contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BundleVariant {
    /// What verdicts call it.
    pub name: String,
    /// Which program runs the tasks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub implementation: Option<Implementation>,
    /// The release that the contract came from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub release: Option<ReleaseId>,
    /// On the normalised task: whether the variant concerns it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub applies_when: Option<SchemaRef>,
    /// On the normalised task.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub task_schema: Option<SchemaRef>,
    /// On the payload.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payload_schema: Option<SchemaRef>,
    /// The release's narrowing, then the definition's. All must hold.
    #[serde(default)]
    pub constraints: Vec<ResolvedConstraints>,
}

/// A schema of the bundle, and the dialect it is read in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SchemaRef {
    /// Key of `schemas`.
    pub hash: ContentHash,
    /// That of its `$schema` where it names a known one, else the variant's.
    pub dialect: Dialect,
}

/// Narrowing whose limits are numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedConstraints {
    /// On the payload.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payload_schema: Option<SchemaRef>,
    /// On the normalised task.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub task_schema: Option<SchemaRef>,
    /// Comparisons.
    #[serde(default)]
    pub rules: Vec<ResolvedRule>,
}

/// A comparison (see [`crate::Rule`]) whose limit is a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RuleFields", into = "RuleFields")]
pub enum ResolvedRule {
    /// Every number at `path` is at most `limit`.
    AtMost {
        /// JSON Pointer with `*`.
        path: String,
        /// The bound.
        limit: Number,
    },
    /// Every time at `path` is not after the one at `other`.
    NotAfter {
        /// JSON Pointer with `*`.
        path: String,
        /// JSON Pointer.
        other: String,
    },
}

/// The rule on the wire: `{"rule": "atMost", "path": …, "limit": …}`.
#[derive(Serialize, Deserialize)]
struct RuleFields {
    rule: String,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    limit: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    other: Option<String>,
}

impl From<ResolvedRule> for RuleFields {
    fn from(rule: ResolvedRule) -> Self {
        match rule {
            ResolvedRule::AtMost { path, limit } => {
                Self { rule: "atMost".to_owned(), path, limit: Some(limit), other: None }
            }
            ResolvedRule::NotAfter { path, other } => {
                Self { rule: "notAfter".to_owned(), path, limit: None, other: Some(other) }
            }
        }
    }
}

impl TryFrom<RuleFields> for ResolvedRule {
    type Error = String;

    fn try_from(fields: RuleFields) -> Result<Self, String> {
        match (fields.rule.as_str(), fields.limit, fields.other) {
            ("atMost", Some(limit), None) => Ok(Self::AtMost { path: fields.path, limit }),
            ("notAfter", None, Some(other)) => Ok(Self::NotAfter { path: fields.path, other }),
            (rule, ..) => Err(format!("no rule {rule:?} has these fields")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Bundle;
    use serde_json::json;

    #[test]
    fn a_bundle_survives_the_wire_with_its_numbers_exact() {
        let hash = format!("sha256:{}", "0".repeat(64));
        let text = json!({
            "workerTypeId": "p/w", "generation": 3, "validation": "enforce", "rollout": {"policy": "strict"},
            "revisions": [{"revision": 2, "contentHash": hash, "validation": "enforce", "acceptance": "any",
                "lifecycle": {"state": "active"}, "variants": [{"name": "default",
                "payloadSchema": {"hash": hash, "dialect": "draft-07"},
                "constraints": [{"rules": [{"rule": "atMost", "path": "/payload/a", "limit": 9007199254740993_u64},
                    {"rule": "notAfter", "path": "/payload/*/expires", "other": "/expires"}]}]}]}],
            "schemas": {hash: {"const": 9007199254740993_u64}},
            "releaseMarks": [{"release": "w@1", "state": "deprecated", "reason": "slow", "replacedBy": "w@2"}],
        })
        .to_string();
        let bundle: Bundle = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&bundle).unwrap(), text);
    }

    #[test]
    fn a_bundle_without_marks_and_one_of_a_newer_version_are_read() {
        let text = json!({"workerTypeId": "p/w", "generation": 1, "validation": "warn", "rollout": null, "revisions": [],
            "schemas": {}, "somethingNewer": 1});
        assert_eq!(serde_json::from_value::<Bundle>(text).unwrap().release_marks, []);
    }
}
