//! What several pages show alike.

use jiff::Timestamp;
use maud::{Markup, html};
use registry::rfc3339;
use worker_types::{CompatibilityVerdict, LifecycleState};

/// A time, to the minute; the exact one is in the element.
pub(super) fn time(at: Timestamp) -> Markup {
    html! { time datetime=(rfc3339(at)) title="UTC" { (at.strftime("%Y-%m-%d %H:%M")) } }
}

/// Where a worker type stands in its life; nothing for an active one.
pub(super) fn lifecycle(state: LifecycleState) -> Markup {
    html! { @if state != LifecycleState::Active { span class={ "badge " (state.as_str()) } { (state.as_str()) } } }
}

/// The verdict of a comparison.
pub(super) fn compatibility(verdict: CompatibilityVerdict) -> Markup {
    html! { span class={ "badge " (verdict.as_str()) } { (verdict.as_str()) } }
}

/// `1 worker type`, `3 worker types`.
pub(crate) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// Where one stands: links to what is above.
pub(super) fn crumbs(steps: &[(&str, &str)]) -> Markup {
    html! {
        nav.crumbs aria-label="Breadcrumb" {
            @for (url, name) in steps { a href=(url) { (name) } " / " }
        }
    }
}

/// A link whose target an author wrote: only what a browser may safely follow.
pub(super) fn outside(href: &str, title: &str) -> Markup {
    let safe = ["https://", "http://", "mailto:", "/", "#"].iter().any(|start| href.starts_with(start));
    html! { @if safe { a href=(href) rel="noopener noreferrer" { (title) } } @else { (title) " (" code { (href) } ")" } }
}
