//! How the registry is, for people: what is open first, then what happened last, then the servers and what they stand on.

mod facts;

use super::{PAGE, parts};
use crate::frame::{self, Page, Place};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use jiff::Timestamp;
use maud::{Markup, html};
use registry::Status;
use service::{Access, Authorised, Operation, Refusal};
use std::collections::BTreeSet;
use worker_types::{Event, EventKind};

pub(super) static ROW: Operation = Operation {
    id: "pageStatus",
    path: "/status",
    summary: "How the registry is",
    tag: "pages",
    access: Access::Scope("worker-manager:status"),
    answers: PAGE,
    ..Operation::BLANK
};

/// Seconds after which a page that is looked at is read anew, also where nothing was published.
const RENEWED_AFTER: u32 = 10;

pub(super) async fn get(Authorised(caller): Authorised, state: Data<State>) -> Result<HttpResponse, Refusal> {
    let status = state.registry.status().await;
    let status = status.ok_or_else(|| Refusal::internal("the computation of the status was cut off"))?;
    let content = content(&status, caller.has("worker-manager:status:hosts"));
    Ok(frame::answer(&state.assets, &Page { title: "Status", place: Place::Status, islands: &[], content }))
}

fn content(status: &Status, with_hosts: bool) -> Markup {
    html! {
        h1 { "Status" }
        div data-live="list" data-every=(RENEWED_AFTER) data-cursor=(status.feed.cursor) {
            @for words in troubles(status) { p.notice.warning { (words) } }
            p.lead { (facts::in_words(status)) }
            (rollouts(status))
            (publishes(status))
            (facts::servers(status, with_hosts))
            (facts::database(status))
            (facts::feed(status))
            (facts::worker_types(status))
            p.quiet { "As of " (parts::second(status.computed_at)) " (UTC). The same as JSON: " a href="/api/worker-manager/v1/status" { "/api/worker-manager/v1/status" } }
        }
    }
}

/// What is not as it should be, each in a sentence.
fn troubles(status: &Status) -> Vec<Markup> {
    let mut found = Vec::new();
    let database = &status.database;
    if !database.reachable {
        let silence = parts::duration(database.last_contact);
        found.push(html! {
            "The database has not answered for " (silence) ". Live pages go on; changes are refused, and history cannot be read. "
            @match database.seen_at {
                Some(at) => { "Publishes and servers are as of " (parts::second(at)) "." },
                None => "Of the publishes, only those since this server started are shown.",
            }
        });
    }
    if status.feed.lag() > 0 {
        let count = parts::count(usize::try_from(status.feed.lag()).unwrap_or(usize::MAX), "change");
        found.push(html! { "This server has still to apply " (count) " that the database holds." });
    }
    if !status.unreadable.is_empty() {
        found.push(html! {
            "This version cannot read what is live now of "
            @for (index, id) in status.unreadable.iter().enumerate() { @if index > 0 { ", " } a href={ "/worker-types/" (id) } { (id) } }
            ", and shows what was live before. Upgrade this server."
        });
    }
    let versions: BTreeSet<&str> = status.replicas.iter().map(|record| record.report.version.as_str()).collect();
    if versions.len() > 1 {
        let versions: Vec<&str> = versions.into_iter().collect();
        found.push(html! { "The servers run different versions: " (versions.join(", ")) "." });
    }
    found
}

fn rollouts(status: &Status) -> Markup {
    html! {
        h2 #_rollouts { "Open rollouts" }
        @if status.rollouts.is_empty() {
            p.quiet { "None: one revision of each worker type is live." }
        } @else {
            table.list aria-labelledby="_rollouts" {
                thead { tr { th scope="col" { "Worker type" } th scope="col" { "Revisions" } th scope="col" { "A task is accepted if" } th scope="col" { "Since" } th scope="col" { "Completes" } } }
                tbody { @for (id, rollout) in &status.rollouts { tr {
                    th scope="row" { a href={ "/worker-types/" (id) } { (id) } }
                    td data-label="Revisions" { a href={ "/worker-types/" (id) "/diff?from=" (rollout.from) "&to=" (rollout.to) } { (rollout.from) " to " (rollout.to) } }
                    td { (rollout.policy) ": " (match rollout.policy {
                        worker_types::RolloutPolicy::Strict => "both accept it",
                        _ => "either accepts it",
                    }) }
                    td data-label="Since" { (parts::ago(rollout.started_at, status.computed_at)) }
                    td data-label="Completes" { @match rollout.completes_at {
                        Some(at) => (parts::until(at, status.computed_at)),
                        None => "when somebody completes it",
                    } }
                } } }
            }
        }
    }
}

fn publishes(status: &Status) -> Markup {
    html! {
        h2 #_publishes { "Last publishes" }
        @if status.publishes.is_empty() {
            p.quiet { "Nothing was published lately." }
        } @else {
            table.list aria-labelledby="_publishes" {
                thead { tr { th scope="col" { "What" } th scope="col" { "Became live" } th scope="col" { "When" } } }
                tbody { @for event in &status.publishes { tr {
                    th scope="row" { (subject(event)) }
                    td { (happened(event)) }
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

/// What became live of it.
fn happened(event: &Event) -> Markup {
    let revision = event.revision.map(|revision| revision.0).unwrap_or_default();
    html! { @match event.kind {
        EventKind::ReleasePublished => "a release",
        EventKind::RolloutStarted => { "revision " (revision) ", beside the one before" },
        EventKind::WorkerTypeRolledBack => { "revision " (revision) ", with what was live earlier" },
        _ => { "revision " (revision) },
    } }
}

fn when(event: &Event, now: Timestamp) -> Markup {
    event.at.parse().map_or_else(|_| html! { (event.at) }, |at| parts::ago(at, now))
}

#[cfg(test)]
mod tests;
