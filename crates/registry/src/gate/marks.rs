//! The gate's look at releases that are deprecated or withdrawn.

use super::GateReport;
use crate::resolve::Releases;
use crate::store::ReleaseMark;
use std::collections::BTreeSet;
use worker_types::{BundleMark, BundleRevision, Definition, ReleaseId, ReleaseState, VariantSource};

/// A withdrawn release is refused to whoever does not use it yet. Everybody else is warned.
pub(super) fn check(definition: &Definition, releases: &dyn Releases, in_use: &[String], report: &mut GateReport) {
    for (index, variant) in definition.variants.iter().enumerate() {
        let VariantSource::Release { id, .. } = &variant.source else { continue };
        let Some(release) = releases.release(id) else { continue };
        let Some(mark) = &release.record.mark else { continue };
        let item = bundle_mark(id, mark).item(&format!("/variants/{index}/release"));
        let is_new = !in_use.contains(&id.to_string());
        if mark.state == ReleaseState::Withdrawn && is_new {
            report.errors.push(item);
        } else {
            report.warnings.push(item);
        }
    }
}

/// What authors of tasks should know of the releases that live revisions use.
pub(crate) fn marks_of(revisions: &[BundleRevision], releases: &dyn Releases) -> Vec<BundleMark> {
    let variants = revisions.iter().flat_map(|revision| &revision.variants);
    let used: BTreeSet<&ReleaseId> = variants.filter_map(|variant| variant.release.as_ref()).collect();
    used.into_iter().filter_map(|id| Some(bundle_mark(id, releases.release(id)?.record.mark.as_ref()?))).collect()
}

/// A mark as bundles carry it: without its time and its author.
pub(crate) fn bundle_mark(id: &ReleaseId, mark: &ReleaseMark) -> BundleMark {
    BundleMark {
        release: id.clone(),
        state: mark.state,
        reason: mark.reason.clone(),
        replaced_by: mark.replaced_by.clone(),
    }
}
