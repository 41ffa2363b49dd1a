//! The page that stands where another was asked for and could not be shown.

use crate::assets::Assets;
use crate::frame::{self, Page, Place};
use maud::html;
use service::Refused;
use worker_types::WorkerTypeId;

/// Says what happened and what one can do.
pub(crate) fn page(assets: &Assets, refused: &Refused<'_>) -> String {
    let what_to_do = match refused.status {
        401 | 403 => "Ask whoever runs this service for access, or go on where you came from.",
        404 => "The name may be mistyped, or what stood here never was. The list shows everything that is live.",
        410 => "It was deleted; its history is kept.",
        503 => "Live pages go on; history comes back with the database. Try again in a moment.",
        _ => "Go back, or start from the list.",
    };
    let asked = worker_type(refused.path);
    let content = html! {
        h1 { (refused.title) }
        p.lead { (said(refused)) }
        @if let Some((url, name)) = meant(refused) { p { "Did you mean " a href=(url) { (name) } "?" } }
        p { (what_to_do) }
        p.actions {
            a.button.primary href="/" { "All worker types" }
            @if let Some(id) = &asked {
                @if refused.problem == "unknown-worker-type" { a.button href={ "/new?workerType=" (id) } { "Define it" } }
                @if refused.problem == "deleted" { a.button href={ "/worker-types/" (id) "/revisions" } { "Its history" } }
            }
        }
        p.quiet { "Problem " a href={ "/problems/" (refused.problem) } { (refused.problem) } ", request " code { (refused.request_id) } }
    };
    let page = Page { title: refused.title, place: Place::Nowhere, islands: &[], content };
    frame::text(assets, &page, None, None)
}

/// The worker type that a page is about.
fn worker_type(path: &str) -> Option<WorkerTypeId> {
    let path = path.replace("%2F", "/").replace("%2f", "/");
    let mut parts = path.strip_prefix("/worker-types/")?.split('/');
    WorkerTypeId::new(parts.next()?, parts.next()?).ok()
}

/// What is wrong, as a sentence; what was probably meant is a link below it.
fn said(refused: &Refused<'_>) -> String {
    let words = match refused.suggestion {
        Some(_) => refused.detail.split("; did you mean ").next().unwrap_or(refused.detail),
        None => refused.detail,
    };
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    let end = if words.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// The page of what was probably meant.
fn meant<'a>(refused: &Refused<'a>) -> Option<(String, &'a str)> {
    let name = refused.suggestion?;
    if refused.path.starts_with("/worker-types/") {
        return Some((format!("/worker-types/{name}"), name));
    }
    let (implementation, version) = name.split_once('@')?;
    refused
        .path
        .starts_with("/implementations/")
        .then(|| (format!("/implementations/{implementation}/{version}"), name))
}
