//! A compatibility report as people read it.

use crate::json_text::pretty;
use crate::pages::parts;
use maud::{Markup, html};
use serde_json::Value;
use worker_types::{Compatibility, CompatibilityVerdict, Effect, Finding};

/// Findings that are shown openly.
const OPEN: usize = 20;

/// The verdict in words, what it rests on, and the payload that shows it, under a heading of level 2 or 3.
pub(crate) fn report(title: &str, level: u8, found: &Compatibility) -> Markup {
    let words = match found.verdict {
        CompatibilityVerdict::Compatible => {
            "Every task that is accepted before the change is accepted after it: this was proved."
        }
        CompatibilityVerdict::Breaking => "Some tasks that are accepted before the change are refused after it.",
        CompatibilityVerdict::Unknown => {
            "It was not decided whether every task that is accepted before the change is accepted after it."
        }
    };
    let (telling, other): (Vec<&Finding>, Vec<&Finding>) =
        found.findings.iter().partition(|finding| matches!(finding.effect, Effect::Tightened | Effect::Unknown));
    html! {
        section.compatibility {
            @let heading = html! { (title) " " span class={ "badge " (found.verdict.as_str()) } { (found.verdict.as_str()) } };
            @if level == 2 { h2 { (heading) } } @else { h3 { (heading) } }
            p { (words) }
            @if let Some(witness) = &found.witness {
                p { "This " (if found.witness_is_task { "task" } else { "payload" }) " is accepted before and refused after:" }
                pre data-copy { code { (pretty(witness)) } }
            }
            (findings(&telling))
            @if !other.is_empty() {
                details { summary { (parts::count(other.len(), "difference")) " that refuse" (if other.len() == 1 { "s" } else { "" }) " nothing" } (findings(&other)) }
            }
            @if let Some(after) = &found.after_rollout { (report("Once the rollout has ended", 3, after)) }
        }
    }
}

fn findings(findings: &[&Finding]) -> Markup {
    html! {
        @if !findings.is_empty() {
            ul.findings { @for finding in findings.iter().take(OPEN) { li { (one(finding)) } } }
            @if findings.len() > OPEN { p.quiet { "and " (findings.len() - OPEN) " more" } }
        }
    }
}

fn one(finding: &Finding) -> Markup {
    let fragment = |name: &str, place: &Option<String>, fragment: &Option<Value>| {
        html! {
            @if let Some(fragment) = fragment {
                div { span.quiet { (name) @if let Some(place) = place { " " code { (if place.is_empty() { "/" } else { place }) } } ": " } code { (fragment) } }
            }
        }
    };
    html! {
        span class={ "badge " (finding.effect.as_str()) } { (finding.effect.as_str()) } " "
        @if let Some(variant) = &finding.variant { span.quiet { "variant " (variant) ": " } }
        @if !finding.pointer.is_empty() { code { (finding.pointer) } " " }
        (finding.message)
        (fragment("was", &finding.old_schema_pointer, &finding.old_fragment))
        (fragment("is", &finding.new_schema_pointer, &finding.new_fragment))
    }
}
