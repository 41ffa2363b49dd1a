//! One implementation: its releases.

use super::{GET_RELEASE, PAGE, parts};
use crate::frame::{self, Page, Place};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::{self, Data, Path};
use maud::{Markup, html};
use registry::{ListFilter, Live, LiveRelease, Order, ReadError, Registry};
use service::{Authorised, Operation, Refusal};
use std::sync::Arc;
use worker_manager::refusal;
use worker_types::{Caller, Problem};

pub(super) static ROW: Operation = Operation {
    id: "pageImplementation",
    path: "/implementations/{name}",
    summary: "The releases of an implementation",
    tag: "pages",
    access: GET_RELEASE,
    answers: PAGE,
    problems: &[Problem::UnknownImplementation],
    ..Operation::BLANK
};

pub(super) async fn get(
    Authorised(caller): Authorised,
    name: Path<String>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let (registry, title) = (state.registry.clone(), name.to_string());
    let content = web::block(move || content(&registry, &caller, &name)).await.map_err(Refusal::internal)?;
    let content = content.map_err(refusal::read)?;
    Ok(frame::answer(&state, &Page { title: &title, place: Place::Implementations, islands: &[], content }))
}

fn content(registry: &Arc<Registry>, caller: &Caller, name: &str) -> Result<Markup, ReadError> {
    let filter = ListFilter { implementation: Some(name.to_owned()), ..ListFilter::default() };
    let used_by = registry.search(caller, &filter, Order::Id, 0, 20);
    let releases = match registry.releases_of(name) {
        Ok(releases) => releases,
        // Worker types may name what has no releases.
        Err(ReadError::UnknownImplementation(_)) if used_by.total > 0 => Vec::new(),
        Err(error) => return Err(error),
    };
    Ok(html! {
        (parts::crumbs(&[("/implementations", "Implementations")]))
        h1 { (name) }
        @if releases.is_empty() {
            div.empty { p { "No release of it is published: the worker types below say themselves what it takes." } }
        } @else {
            h2 { "Releases" }
            ol.history { @for (index, release) in releases.iter().enumerate().rev() {
                (entry(release, index.checked_sub(1).and_then(|before| releases.get(before))))
            } }
        }
        h2 { "Used by" }
        ul { @for live in &used_by.worker_types { li {
            a href={ "/worker-types/" (live.record.id) } { (live.record.id) }
            @for version in versions(live, name) { " " span.quiet { (version) } }
        } } }
        @if used_by.total == 0 { p.quiet { "No worker type that is live." } }
        @if used_by.total > used_by.worker_types.len() {
            p { a href={ "/?implementation=" (name) } { "All " (parts::count(used_by.total, "worker type")) } }
        }
    })
}

/// The versions of `name` that a worker type declares.
fn versions<'l>(live: &'l Live, name: &'l str) -> impl Iterator<Item = &'l str> {
    let of_name = live.summary.implementations.iter().filter(move |(other, _)| other == name);
    of_name.filter_map(|(_, version)| version.as_deref())
}

fn entry(release: &Arc<LiveRelease>, before: Option<&Arc<LiveRelease>>) -> Markup {
    let record = &release.record;
    let url = format!("/implementations/{}/{}", record.id.implementation(), record.id.version());
    html! {
        li {
            h3 {
                a href=(url) { (record.id.version()) }
                @if let Some(mark) = &record.mark { " " span class={ "badge " (mark.state.as_str()) } { (mark.state.as_str()) } }
            }
            @if let Some(description) = &release.release.description { p { (description) } }
            p.quiet { (parts::time(record.published_at)) " by " (record.published_by) @if let Some(message) = &record.message { " · " (message) } }
            @if before.is_some() {
                p.actions { a href={ (url) "#_changes" } { "What changed" } }
            }
        }
    }
}
