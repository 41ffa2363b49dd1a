//! What a worker type's page says beside documentation and schema.

use crate::json_text::pretty;
use crate::pages::diff::rollback;
use crate::pages::parts;
use crate::web_ui::State;
use maud::{Markup, html};
use registry::{ResolvedVariant, View};
use worker_types::{DocumentationCoverage, LifecycleState, WorkerTypeId};

pub(super) fn head(id: &WorkerTypeId, view: &View) -> Markup {
    let definition = &view.definition;
    // During a rollout it is not this revision's alone.
    let bundle = view.live.as_ref().filter(|_| view.is_live()).map(|live| &live.validation);
    let validation = bundle.map_or(definition.validation, |bundle| bundle.validation);
    html! {
        h1.id { (id) " " (parts::lifecycle(definition.lifecycle.state)) }
        p.lead { (definition.description) }
        dl.meta {
            @if let Some(owner) = &definition.owner { div { dt { "Owner" } dd { (owner) } } }
            div { dt { "Revision" } dd {
                a href={ "/worker-types/" (id) "/revisions" } { (view.revision.revision) }
                ", " (parts::time(view.revision.published_at)) " by " (view.revision.published_by)
            } }
            div { dt { "Payload checks" } dd { (validation.as_str()) span.quiet { " — " (match validation.as_str() {
                "enforce" => "tasks whose payload is refused are not created",
                "warn" => "tasks whose payload is refused are created with a warning",
                _ => "payloads are not checked when tasks are created",
            }) } } }
            @if !definition.tags.is_empty() {
                div { dt { "Tags" } dd { @for tag in &definition.tags { a.tag href={ "/?tag=" (tag) } { (tag) } " " } } }
            }
            @if !definition.links.is_empty() {
                div { dt { "Links" } dd { @for link in &definition.links { (parts::outside(&link.href, &link.title)) " " } } }
            }
        }
    }
}

/// What a reader must know before anything else.
pub(super) fn notices(id: &WorkerTypeId, view: &View, pinned: bool) -> Markup {
    let lifecycle = &view.definition.lifecycle;
    let bundle = view.live.as_ref().map(|live| &live.validation);
    let rollout = bundle.filter(|_| view.is_live()).and_then(|bundle| Some((bundle.rollout?, &bundle.revisions)));
    let rollout_ends = view.live.as_ref().and_then(|live| live.rollout?.completes_at);
    html! {
        @match &view.live {
            None => p.notice.warning { "This worker type was deleted. You see revision " (view.revision.revision) " of its history." },
            Some(live) if !view.is_live() => p.notice.warning {
                "You see revision " (view.revision.revision) ". Live is "
                a href={ "/worker-types/" (id) } { "revision " (live.revision.revision) } ". "
                a href={ "/worker-types/" (id) "/diff?from=" (view.revision.revision) "&to=" (live.revision.revision) } { "What has changed" }
            },
            Some(_) if pinned && !view.is_newest() => p.notice { "This address always shows revision " (view.revision.revision) ", which is live beside a newer one." },
            Some(_) if pinned => p.notice { "This address always shows revision " (view.revision.revision) ", which is live now." },
            Some(_) => {},
        }
        @if matches!(lifecycle.state, LifecycleState::Deprecated | LifecycleState::Retired) {
            p.notice.warning {
                @if lifecycle.state == LifecycleState::Retired { "It is retired: tasks for it are refused. " } @else { "It is deprecated. " }
                @if let Some(message) = &lifecycle.message { (message) " " }
                @if let Some(other) = &lifecycle.replaced_by { "Use " a href={ "/worker-types/" (other) } { (other) } " instead." }
            }
        }
        @if let Some((rollout, revisions)) = rollout {
            p.notice {
                "A " (rollout.policy.as_str()) " rollout is in progress: revisions "
                @for (index, revision) in revisions.iter().enumerate() { @if index > 0 { " and " } (revision.revision) }
                " are both live, and " (if rollout.policy.as_str() == "strict" { "both must accept a task. " } else { "a task is accepted if either accepts it. " })
                @match rollout_ends {
                    Some(at) => { "It completes by itself at " (parts::time(at)) " UTC." },
                    None => "It is complete when an operator says so.",
                }
                @if let [older, newer] = &revisions[..] {
                    @if !pinned { " What runs here and the documentation are told of revision " (newer.revision) "; " a href={ "/worker-types/" (id) "?revision=" (older.revision) } { "those of revision " (older.revision) } "." }
                    " " a href={ "/worker-types/" (id) "/diff?from=" (older.revision) "&to=" (newer.revision) } { "What it changes, and how to end it" }
                }
            }
        }
        @for mark in bundle.filter(|_| view.is_live()).into_iter().flat_map(|bundle| &bundle.release_marks) {
            p.notice.warning { (mark.item("").message) }
        }
    }
}

pub(super) fn links(state: &State, id: &WorkerTypeId, view: &View) -> Markup {
    let revision = view.revision.revision;
    let api = format!("/api/worker-manager/v1/worker-types/{id}");
    html! {
        p.actions {
            @if view.live.is_some() {
                a.button.primary href={ "/tasks/new?workerType=" (id) } { "Create a task here" }
                a.button href={ "/worker-types/" (id) "/edit" } { "Edit the definition" }
            }
            a.button href={ "/worker-types/" (id) "/revisions" } { "History" }
            @if let Some(back) = view.live.as_ref().and_then(|live| rollback::url(live, revision, &view.revision.content_hash)) {
                a.button href=(back) { "Roll back to revision " (revision) "…" }
            }
            a.button href={ (api) "/revisions/" (revision) } { "JSON" }
            @for action in view.definition.actions.iter().filter(|action| action.context == "worker-type") {
                span title=[action.description.as_deref()] { (parts::outside(&action.url, &action.title)) }
            }
        }
        @if !state.options.has_queue { p.quiet { "No queue answers on this address: tasks can be written and checked here, not submitted." } }
    }
}

/// Implementation, version and configuration of each variant.
pub(super) fn what_runs(view: &View) -> Markup {
    html! {
        section aria-labelledby="_runs" {
            h2 #_runs { "What runs here" }
            table.list {
                thead { tr { th scope="col" { "Variant" } th scope="col" { "Implementation" } th scope="col" { "Configuration" } th scope="col" { "Known from" } } }
                tbody { @for variant in &view.resolved.variants { (variant_row(variant)) } }
            }
            @if view.resolved.variants.len() > 1 {
                p.quiet { "A task is accepted if " (if view.definition.acceptance.as_str() == "all" { "all of the variants that apply accept it." } else { "any of the variants that apply accepts it." }) }
            }
            @if let Some(pool) = view.pool() {
                p { "Provisioned by " code { (pool.provider_id) } "." }
                details { summary { "Pool configuration" } pre { code { (pretty(&serde_json::Value::Object(pool.config.clone()))) } } }
            }
        }
    }
}

fn variant_row(variant: &ResolvedVariant) -> Markup {
    let contract = &variant.contract;
    html! {
        tr {
            th scope="row" { (contract.name) @if contract.applies_when.is_some() { div.quiet { "for some tasks only" } } }
            td {
                @match &contract.implementation {
                    Some(implementation) => {
                        a href={ "/implementations/" (implementation.name) } { (implementation.name) }
                        @if let Some(version) = &implementation.version {
                            " " @if contract.release.is_some() { a href={ "/implementations/" (implementation.name) "/" (version) } { (version) } } @else { (version) }
                        }
                        @if let Some(reference) = &implementation.reference { " · " (parts::outside(reference, "reference")) }
                    },
                    None => span.quiet { "not declared" },
                }
            }
            td {
                @if variant.configuration.is_empty() { span.quiet { "—" } }
                @for (name, value) in &variant.configuration { div { code { (name) } " " (value) } }
            }
            td { span.badge { "declared" } }
        }
    }
}

/// What its owner may add.
pub(super) fn coverage(coverage: &DocumentationCoverage) -> Markup {
    let lists = [
        ("Properties without a description", &coverage.undescribed),
        ("Properties that the documentation does not mention", &coverage.unmentioned),
        ("Variants without an example that is accepted", &coverage.without_example),
        ("Links that lead nowhere", &coverage.dead_links),
    ];
    html! {
        section aria-labelledby="_coverage" {
            h2 #_coverage { "Documentation coverage" }
            @if coverage.complete { p { "Nothing is missing: every property is described and mentioned, every variant has an example." } } @else {
                p { "For its owner: what authors would look for in vain." }
                @for (title, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
                    details { summary { (title) ": " (list.len()) } p { @for name in list { code { (name) } " " } } }
                }
            }
        }
    }
}

/// Filled by script from the queue.
pub(super) fn verdicts(id: &WorkerTypeId) -> Markup {
    html! {
        section hidden data-verdicts={ "/api/queue/v1/task-queues/" (id) "/payload-verdicts" } aria-labelledby="_verdicts" {
            h2 #_verdicts { "Is it safe to enforce?" }
        }
    }
}
