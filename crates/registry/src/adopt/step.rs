//! What moving to a release makes of one definition.

use serde_json::Value;
use worker_types::ReleaseId;

/// What one worker type would become.
pub(super) struct Step {
    pub(super) definition: Value,
    /// The releases that it leaves.
    pub(super) from: Vec<ReleaseId>,
}

/// The definition with `release` in the place of others of its implementation (of those in `from`, if there are any).
pub(super) fn moved(definition: &Value, release: &ReleaseId, from: &[ReleaseId]) -> Option<Step> {
    let mut definition = definition.clone();
    let mut left: Vec<ReleaseId> = Vec::new();
    for variant in definition.get_mut("variants")?.as_array_mut()? {
        let Some(named) = variant.get_mut("release") else { continue };
        let Some(old) = named.as_str().and_then(|text| text.parse::<ReleaseId>().ok()) else { continue };
        let is_meant = from.is_empty() || from.contains(&old);
        if old.implementation() == release.implementation() && old != *release && is_meant {
            *named = release.to_string().into();
            left.push(old);
        }
    }
    left.sort();
    left.dedup();
    (!left.is_empty()).then_some(Step { definition, from: left })
}
