//! The end of a rollout: offered where a difference leads from its older to its newer revision.

use crate::pages::parts;
use maud::{Markup, html};
use registry::{Diff, Live};
use worker_types::{
    CompatibilityPolicy, CompatibilityVerdict, RevisionNumber, RolloutEnd, RolloutPolicy, WorkerTypeId,
};

/// Whether this difference is what an open rollout changes.
pub(super) fn is_open(live: &Live, diff: &Diff) -> bool {
    live.rollout.is_some_and(|rollout| (rollout.from, rollout.to) == (diff.from, diff.to))
}

/// The message and the two buttons; the script sends them.
pub(super) fn form(id: &WorkerTypeId, live: &Live, diff: &Diff) -> Markup {
    let (from, to) = (diff.from, diff.to);
    let url = |end: RolloutEnd| format!("/api/worker-manager/v1/worker-types/{id}/rollout/{}", end.verb());
    // What was not proved is not proved for the end of a rollout either. A strict one refuses already.
    let is_against_policy = live.summary.compatibility == CompatibilityPolicy::Require
        && diff.compatibility.verdict != CompatibilityVerdict::Compatible
        && live.rollout.is_some_and(|rollout| rollout.policy != RolloutPolicy::Strict);
    let complete = url(RolloutEnd::Completed) + if is_against_policy { "?allowBreaking=true" } else { "" };
    let generation = live.record.generation;
    // Under a strict one only what both accept is accepted: whichever stays alone refuses nothing of it.
    let is_lenient = live.rollout.is_some_and(|rollout| rollout.policy != RolloutPolicy::Strict);
    let may_break = is_lenient && diff.compatibility.verdict != CompatibilityVerdict::Compatible;
    let refused = |by: RevisionNumber| format!("Tasks that only revision {by} accepts will be refused.");
    let (loses_older, loses_newer) = (may_break.then(|| refused(from)), is_lenient.then(|| refused(to)));
    html! {
        section aria-labelledby="_rollout" {
            h2 #_rollout { "End the rollout" }
            p { "Complete it when all workers are ready for revision " (to) ": it is live alone then. Abort it to have revision " (from) " live alone again; revision " (to) " stays in the history." }
            @if let Some(at) = live.rollout.and_then(|rollout| rollout.completes_at) {
                p { "If nobody does, it completes by itself at " (parts::time(at)) " UTC." }
            }
            @if is_against_policy {
                p.notice.warning { "Compatibility is required here, and completing may refuse tasks that are accepted now. It is possible all the same: say why." }
            }
            form.live-change hidden data-live-change data-generation=(generation) data-then={ "/worker-types/" (id) } {
                label { span { "Why it is done (for the history)" }
                    input type="text" name="message" required[may_break] maxlength="1000" autocomplete="off";
                }
                // Enter in the message would press the first button, for whoever types why they abort too: this one cannot be pressed.
                button type="submit" hidden disabled {}
                button type="submit" data-url=(complete) data-doing="The rollout is completed" data-failed="The rollout was not completed" data-confirm=[loses_older] data-yes="Yes, complete it" { "Complete: revision " (to) " alone" @if is_against_policy { " all the same" } }
                button.secondary type="submit" data-url=(url(RolloutEnd::Aborted)) data-doing="The rollout is aborted" data-failed="The rollout was not aborted" data-confirm=[loses_newer] data-yes="Yes, abort it" { "Abort: back to revision " (from) }
            }
            div #_told role="status" {}
            noscript {
                p.note { "The buttons need JavaScript. Without it, run " code { "wm rollout complete " (id) } " or " code { "wm rollout abort " (id) } "." }
            }
        }
    }
}
