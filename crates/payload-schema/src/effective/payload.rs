//! The payloads of one worker type: every one that the rest of the task could make acceptable.

use super::EffectiveError;
use super::combine::{accepts_everything, all_of, any_of, described, nothing, titled};
use super::shelf::Shelf;
use super::task::{combined, defaults, notes};
use super::variant::Asking;
use serde_json::{Value, json};
use worker_types::{Acceptance, Bundle, BundleRevision, LifecycleState};

/// The root of the document.
pub(super) fn write(shelf: &mut Shelf<'_>, bundle: &Bundle) -> Result<Value, EffectiveError> {
    let mut words = Vec::new();
    let defaults = defaults(&bundle.worker_type_id);
    let mut asking = Asking { shelf, bundle, defaults: &defaults, words: &mut words };
    let revisions = bundle.revisions.iter().map(|each| revision(&mut asking, each)).collect::<Result<_, _>>()?;
    let accepted = combined(bundle, revisions);
    let mut root = json!({"title": format!("Payload of {}", bundle.worker_type_id), "type": "object"});
    if !accepts_everything(&accepted) {
        root["allOf"] = json!([accepted]);
    }
    Ok(match notes(bundle, &words) {
        Some(notes) => described(root, &notes),
        None => root,
    })
}

fn revision(asking: &mut Asking<'_, '_>, revision: &BundleRevision) -> Result<Value, EffectiveError> {
    if revision.lifecycle.state == LifecycleState::Retired {
        return Ok(nothing(&crate::evaluate::lifecycle_words("retired", revision, &asking.bundle.worker_type_id)));
    }
    let alone = revision.variants.len() == 1;
    // Whether a variant with `appliesWhen` concerns the task is open; one without does.
    let (mut certain, mut all) = (Vec::new(), Vec::new());
    for variant in &revision.variants {
        let payload = asking.of_payload(variant)?;
        let payload = if alone { payload } else { titled(payload, &variant.name) };
        if variant.applies_when.is_none() {
            certain.push(payload.clone());
        }
        all.push(payload);
    }
    Ok(match revision.acceptance {
        Acceptance::All if !certain.is_empty() => all_of(certain),
        Acceptance::All | Acceptance::Any => any_of(all),
    })
}
