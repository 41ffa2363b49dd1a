//! Going back: offered where a difference leads from what is live to another revision, below what it would do.

use maud::{Markup, html};
use registry::{Diff, Live};
use worker_types::{CompatibilityPolicy, CompatibilityVerdict, ContentHash, RevisionNumber, WorkerTypeId};

/// Where one reads what going back to `to` would do, and does it; none where it would do nothing: `to` says what is live.
/// None while a rollout is open, either: then two revisions are live, and one of them is chosen where the rollout is ended.
pub(in crate::pages) fn url(live: &Live, to: RevisionNumber, content: &ContentHash) -> Option<String> {
    let newest = &live.revision;
    (newest.content_hash != *content && live.rollout.is_none())
        .then(|| format!("/worker-types/{}/diff?from={}&to={to}", live.record.id, newest.revision))
}

/// Whether this difference is what going back would do.
pub(super) fn is_offered(live: &Live, diff: &Diff) -> bool {
    diff.from == live.revision.revision && url(live, diff.to, &diff.content_hash).is_some()
}

/// The message and the button; the script sends them.
pub(super) fn form(id: &WorkerTypeId, live: &Live, diff: &Diff) -> Markup {
    let (from, to) = (diff.from, diff.to);
    let api = format!("/api/worker-manager/v1/worker-types/{id}/rollback");
    // What was not proved is not proved for a rollback either.
    let is_against_policy = live.summary.compatibility == CompatibilityPolicy::Require
        && diff.compatibility.verdict != CompatibilityVerdict::Compatible;
    html! {
        section aria-labelledby="_rollback" {
            h2 #_rollback { "Roll back to revision " (to) }
            p { "What revision " (to) " says becomes live again, as a new revision. Revision " (from) " stays in the history." }
            @if is_against_policy {
                p.notice.warning {
                    "Compatibility is required here, and "
                    a href="#_compatibility" { (if diff.compatibility.verdict == CompatibilityVerdict::Breaking { "tasks that are accepted now would be refused" } else { "it is not known whether all tasks that are accepted now still would be" }) }
                    ". A published change would be refused for that. Going back is possible all the same, as the way out of an accident: say why; the report is kept with the new revision."
                }
            }
            form.live-change hidden data-live-change data-body={ "{\"revision\": " (to) "}" } data-generation=(live.record.generation) data-then={ "/worker-types/" (id) "/revisions" } {
                label { span { "Why it is done (for the history)" }
                    input type="text" name="message" required maxlength="1000" autocomplete="off"
                        value=[(!is_against_policy).then(|| format!("back to revision {to}"))];
                }
                button type="submit" data-url=(api) data-doing={ "Revision " (to) " is made live again" } data-failed={ "Revision " (to) " was not made live again" } { "Roll back to revision " (to) @if is_against_policy { " all the same" } }
            }
            div #_told role="status" {}
            noscript {
                p.note { "The button needs JavaScript. Without it, send " code { "{\"revision\": " (to) ", \"message\": \"…\"}" } " with " code { "If-Match: \"g" (live.record.generation) "\"" } " to " code { "POST " (api) } "." }
            }
        }
    }
}
