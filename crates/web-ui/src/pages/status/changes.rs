//! What changed last, each change in a sentence.

use super::parts;
use jiff::Timestamp;
use maud::{Markup, html};
use registry::{Status, StatusChange};
use worker_types::{Event, EventKind};

pub(super) fn last(status: &Status) -> Markup {
    html! {
        h2 #_changes { "Last changes" }
        @if status.changes.is_empty() {
            p.quiet { "Nothing has changed lately." }
        } @else {
            table.list aria-labelledby="_changes" {
                thead { tr { th scope="col" { "Where" } th scope="col" { "What" } th scope="col" { "By" } th scope="col" { "When" } } }
                tbody { @for StatusChange { event, by } in &status.changes { tr {
                    th scope="row" { (subject(event)) }
                    td { (happened(event)) }
                    td data-label="By" { @match by { Some(by) => (by), None => span.quiet { "not known" } } }
                    td.quiet { (when(event, status.computed_at)) }
                } } }
            }
        }
    }
}

/// To what it happened, as a link.
fn subject(event: &Event) -> Markup {
    html! {
        @if let Some(id) = &event.worker_type_id { a href={ "/worker-types/" (id) } { (id) } }
        @if let Some(release) = &event.release {
            a href={ "/implementations/" (release.implementation()) "/" (release.version()) } { (release) }
        }
    }
}

fn happened(event: &Event) -> Markup {
    let revision = event.revision.map(|revision| revision.0).unwrap_or_default();
    html! { @match event.kind {
        EventKind::WorkerTypePublished => { "revision " (revision) " published" },
        EventKind::WorkerTypeRolledBack => { "rolled back: revision " (revision) " has the content of an earlier one" },
        EventKind::RolloutStarted => { "rollout of revision " (revision) " started" },
        EventKind::RolloutCompleted => { "rollout completed: revision " (revision) " is live alone" },
        EventKind::RolloutAborted => { "rollout aborted: revision " (revision) " is live alone again" },
        EventKind::WorkerTypeDeleted => { "deleted; its last revision was " (revision) },
        EventKind::ReleasePublished => "release published",
        EventKind::ReleaseMarked => "release deprecated or withdrawn, or its mark taken away",
        EventKind::Unknown => "a change that only a newer version knows",
    } }
}

fn when(event: &Event, now: Timestamp) -> Markup {
    event.at.parse().map_or_else(|_| html! { (event.at) }, |at| parts::ago(at, now))
}
