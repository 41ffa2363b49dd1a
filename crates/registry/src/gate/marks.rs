//! The gate's look at releases that are deprecated or withdrawn.

use super::GateReport;
use crate::live::LiveWorkerType;
use crate::resolve::Releases;
use crate::snapshot::Snapshot;
use crate::store::ReleaseMark;
use worker_types::{Definition, Item, ReleaseId, ReleaseState, VariantSource};

/// A withdrawn release is refused to whoever does not use it yet. Everybody else is warned.
pub(super) fn check(definition: &Definition, releases: &dyn Releases, in_use: &[String], report: &mut GateReport) {
    for (index, variant) in definition.variants.iter().enumerate() {
        let VariantSource::Release { id, .. } = &variant.source else { continue };
        let Some(release) = releases.release(id) else { continue };
        let Some(mark) = &release.record.mark else { continue };
        let item = item(id, mark, &format!("/variants/{index}/release"));
        let is_new = !in_use.contains(&id.to_string());
        if mark.state == ReleaseState::Withdrawn && is_new {
            report.errors.push(item);
        } else {
            report.warnings.push(item);
        }
    }
}

/// What authors of tasks should know of the releases that a live worker type uses.
pub(crate) fn mark_warnings(live: &LiveWorkerType, snapshot: &Snapshot) -> Vec<Item> {
    if snapshot.marked.is_empty() {
        return Vec::new();
    }
    let variants = live.validation.revisions.iter().flat_map(|revision| &revision.variants);
    let mut used: Vec<&ReleaseId> = variants.filter_map(|variant| variant.release.as_ref()).collect();
    used.sort();
    used.dedup();
    used.into_iter().filter_map(|id| Some(item(id, snapshot.marked.get(id)?, ""))).collect()
}

fn item(id: &ReleaseId, mark: &ReleaseMark, pointer: &str) -> Item {
    let reason = mark.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    let instead = mark.replaced_by.as_ref().map(|other| format!("; use {other} instead")).unwrap_or_default();
    let message = format!("the release {id} is {}{reason}{instead}", mark.state);
    let problem = format!("{}-release", mark.state);
    Item::new(problem, pointer, message).suggest(mark.replaced_by.as_ref().map(ToString::to_string))
}
