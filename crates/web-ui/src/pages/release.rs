//! One release: the reference that worker types' documentation links to.

use super::{GET_RELEASE, PAGE, parts};
use crate::comparison;
use crate::frame::{self, Page, Place};
use crate::reference::{Reference, prefix};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::{self, Data};
use markdown::Sections;
use maud::{Markup, PreEscaped, html};
use registry::{Changes, ListFilter, LiveRelease, Order, Registry};
use service::{Authorised, Id, Operation, Refusal};
use std::sync::Arc;
use worker_manager::refusal;
use worker_types::{Caller, Dialect, Problem, ReleaseId, ReleaseVariant};

pub(super) static ROW: Operation = Operation {
    id: "pageRelease",
    path: "/implementations/{name}/{version}",
    summary: "What one version of an implementation takes",
    tag: "pages",
    access: GET_RELEASE,
    answers: PAGE,
    problems: &[Problem::UnknownRelease, Problem::UnknownImplementation],
    ..Operation::BLANK
};

pub(super) async fn get(
    Authorised(caller): Authorised,
    Id(id): Id<ReleaseId>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let release = state.registry.release(&id).map_err(refusal::read)?;
    let title = id.to_string();
    let registry = state.registry.clone();
    let content = web::block(move || content(&registry, &caller, &id, &release)).await.map_err(Refusal::internal)?;
    Ok(frame::answer(&state, &Page { title: &title, place: Place::Implementations, islands: &[], content }))
}

fn content(registry: &Arc<Registry>, caller: &Caller, id: &ReleaseId, live: &LiveRelease) -> Markup {
    let release = &live.release;
    let (implementation, version) = (id.implementation(), id.version());
    let above = format!("/implementations/{implementation}");
    let filter = ListFilter { release: Some(id.to_string()), ..ListFilter::default() };
    let used_by = registry.search(caller, &filter, Order::Id, 0, 20);
    let mut sections = Sections::default();
    let documentation = release.documentation.as_deref().map(|text| sections.add(&without_pool(text), 3));
    let words: Vec<Option<String>> = release
        .variants
        .iter()
        .map(|variant| Some(sections.add(&without_pool(variant.documentation.as_deref()?), 3).html))
        .collect();
    let changes = registry.changes(live);
    html! {
        (parts::crumbs(&[("/implementations", "Implementations"), (&above, implementation)]))
        h1 { (implementation) " " (version) }
        @if let Some(description) = &release.description { p.lead { (description) } }
        @if let Some(mark) = &live.record.mark {
            p.notice.warning {
                "This release is " (mark.state.as_str()) ". "
                @if let Some(reason) = &mark.reason { (reason) " " }
                @if let Some(other) = &mark.replaced_by { "Use " a href={ "/implementations/" (other.implementation()) "/" (other.version()) } { (other) } " instead." }
            }
        }
        p.quiet { "Published " (parts::time(live.record.published_at)) " by " (live.record.published_by) @if let Some(message) = &live.record.message { " · " (message) } }
        @if !release.links.is_empty() { p { @for link in &release.links { (parts::outside(&link.href, &link.title)) " " } } }
        p.actions {
            a.button href={ "/?release=" (id) } { "Used by " (parts::count(used_by.total, "worker type")) }
            a.button href={ "/api/worker-manager/v1/implementations/" (implementation) "/releases/" (version) } { "JSON" }
        }
        div.columns {
            nav.toc aria-label="On this page" {
                ul {
                    @if let Some(documentation) = &documentation {
                        li { a href="#_documentation" { "Documentation" }
                            ul { @for heading in documentation.headings.iter().filter(|heading| heading.level <= 4).take(60) {
                                li class={ "level-" (heading.level) } { a href={ "#" (heading.id) } { (heading.text) } }
                            } }
                        }
                    }
                    @for variant in &release.variants { li { a href={ "#_payload-" (variant.name) } { (payload_title(variant, release.variants.len())) } } }
                    @if changes.is_some() { li { a href="#_changes" { "Changes" } } }
                    @if !used_by.worker_types.is_empty() { li { a href="#_used-by" { "Used by" } } }
                }
            }
            div.text {
                @if let Some(documentation) = &documentation {
                    section aria-labelledby="_documentation" {
                        h2 #_documentation { "Documentation" }
                        div.markdown { (PreEscaped(&documentation.html)) }
                    }
                }
                @for (index, variant) in release.variants.iter().enumerate() { (contract(id, variant, index, release.variants.len(), words.get(index).and_then(Option::as_deref))) }
                @if let Some(changes) = &changes { (since(changes)) }
                @if !used_by.worker_types.is_empty() {
                    h2 #_used-by { "Used by" }
                    ul { @for live in &used_by.worker_types { li { a href={ "/worker-types/" (live.record.id) } { (live.record.id) } } } }
                }
            }
        }
    }
}

/// A text in which the facts of a pool, which a release has none of, are said to be the pool's.
fn without_pool(text: &str) -> String {
    const OPEN: &str = "{{configuration.";
    let mut parts = text.split(OPEN);
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("}}") {
            Some((name, rest)) => read.extend(["*(", name.trim(), " of the pool)*", rest]),
            None => read.extend([OPEN, part]),
        }
    }
    read
}

fn payload_title(variant: &ReleaseVariant, count: usize) -> String {
    if count == 1 { "Payload".to_owned() } else { format!("Payload for {}", variant.name) }
}

fn contract(id: &ReleaseId, variant: &ReleaseVariant, index: usize, count: usize, words: Option<&str>) -> Markup {
    let prefix = prefix(index, &variant.name);
    let anchor = format!("_payload-{}", variant.name);
    let elsewhere =
        format!("/implementations/{}/{}/schema?variant={}&at=", id.implementation(), id.version(), variant.name);
    let dialect = variant.contract.dialect.unwrap_or(Dialect::Draft07);
    html! {
        section.contract aria-labelledby=(anchor) {
            h2 id=(anchor) { (payload_title(variant, count)) }
            @if let Some(words) = words { div.markdown { (PreEscaped(words)) } }
            @match &variant.contract.payload_schema {
                Some(schema) => div.reference data-filter={ "Filter the payload for " (variant.name) } {
                    (Reference::new(schema, dialect, &prefix, elsewhere).render("", "payload", 0))
                },
                None => p { "Any object is taken as a payload." },
            }
        }
    }
}

/// Variants are compared by their names.
fn since(changes: &Changes) -> Markup {
    let before = &changes.before;
    html! {
        h2 #_changes { "Changes since " a href={ "/implementations/" (before.implementation()) "/" (before.version()) } { (before.version()) } }
        @for (name, found) in &changes.variants {
            @match found {
                Some(found) => (comparison::report(&format!("Payloads for {name}"), 3, found)),
                None => p { "The variant " code { (name) } " is in one of the two releases only." },
            }
        }
    }
}
