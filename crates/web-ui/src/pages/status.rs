//! How the registry is, for people: what is wrong and what is open first, then the servers and what they stand on, then what
//! happened last.

mod changes;
mod facts;

use super::{PAGE, parts};
use crate::frame::{self, Page, Place};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use maud::{Markup, html};
use registry::Status;
use service::{Access, Authorised, Operation, Refusal};
use std::collections::BTreeSet;
use std::time::Duration;

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
/// Seconds that a status may be old: what is read just after a change may be from before it.
const STALE: u32 = 2;

pub(super) async fn get(Authorised(caller): Authorised, state: Data<State>) -> Result<HttpResponse, Refusal> {
    let status = state.registry.status().await;
    let status = status.ok_or_else(|| Refusal::internal("the computation of the status was cut off"))?;
    let content = content(&status, caller.has("worker-manager:status:hosts"));
    Ok(frame::answer(&state, &Page { title: "Status", place: Place::Status, islands: &[], content }))
}

fn content(status: &Status, with_hosts: bool) -> Markup {
    html! {
        h1 { "Status" }
        div data-live="list" data-every=(RENEWED_AFTER) data-stale=(STALE) data-cursor=(status.feed.cursor) {
            @let troubles = troubles(status, with_hosts);
            @for words in &troubles { p.notice.warning { (words) } }
            p.lead { @if troubles.is_empty() { strong { "All is well. " } } (facts::in_words(status)) }
            (rollouts(status))
            (facts::servers(status, with_hosts))
            (facts::database(status))
            (changes::last(status))
            (facts::feed(status))
            (facts::worker_types(status))
            p.quiet { "As of " (parts::second(status.computed_at)) " (UTC). The same as JSON: " a href="/api/worker-manager/v1/status" { "/api/worker-manager/v1/status" } }
        }
    }
}

/// What is not as it should be, each in a sentence.
fn troubles(status: &Status, with_hosts: bool) -> Vec<Markup> {
    let mut found = Vec::new();
    let database = &status.database;
    if !database.reachable {
        let silence = parts::duration(database.last_contact);
        found.push(html! {
            "The database has not answered for " (silence) ". Live pages go on; changes are refused, and history cannot be read. "
            @match database.seen_at {
                Some(at) => { "Last changes and servers are as of " (parts::second(at)) "." },
                None => "Of the last changes, only those since this server started are shown.",
            }
        });
    }
    if status.feed.lag() > 0 {
        let count = parts::count(usize::try_from(status.feed.lag()).unwrap_or(usize::MAX), "change");
        found.push(html! { "This server has still to apply " (count) " that the database holds." });
    }
    for record in status.replicas.iter().filter(|record| status.is_missed(record)) {
        let silence = status.database.seen_at.unwrap_or(status.computed_at).duration_since(record.seen_at);
        let silence = parts::duration(Duration::try_from(silence).unwrap_or_default());
        found.push(html! {
            "The server " (facts::name(record, with_hosts)) " has not said for " (silence) " that it is there: it has ended, or does not reach the database. After a minute it is not listed any more."
        });
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

#[cfg(test)]
mod tests;
