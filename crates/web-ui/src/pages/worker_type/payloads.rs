//! What payloads must be: of what is live; during a rollout of both revisions, the newer first, and how they decide together.

use super::contract::{self, Section, Shown};
use crate::web_ui::State;
use maud::{Markup, html};
use registry::{OpenRollout, View};
use worker_types::{RolloutPolicy, WorkerTypeId};

/// The sections about payloads.
pub(super) struct Payloads {
    /// Stands before the sections; empty where one revision is shown.
    pub(super) note: Markup,
    pub(super) sections: Vec<Section>,
}

impl Payloads {
    /// `beside` is the older revision that is live too. Milliseconds of work: keep it off threads that serve.
    pub(super) fn of(state: &State, id: &WorkerTypeId, view: &View, beside: Option<&View>, pinned: bool) -> Self {
        let both = beside.and_then(|older| Some((older, view.live.as_ref()?, view.live.as_ref()?.rollout?)));
        let Some((older, live, rollout)) = both else {
            let shown = Shown { id, view, pinned, revision: None, prefix: String::new() };
            return Self { note: Markup::default(), sections: contract::sections(state, &shown) };
        };
        let shown = |view, revision, pinned, prefix| Shown { id, view, pinned, revision: Some(revision), prefix };
        let mut sections = contract::sections(state, &shown(view, rollout.to, false, String::new()));
        let prefix = format!("{}/", rollout.from);
        sections.extend(contract::sections(state, &shown(older, rollout.from, true, prefix)));
        let example = match rollout.policy {
            RolloutPolicy::Strict => {
                contract::of_both(state.examples.of_both(&state.registry, &live.validation).as_ref())
            }
            _ => Markup::default(),
        };
        Self { note: note(&rollout, &example), sections }
    }
}

fn note(rollout: &OpenRollout, example: &Markup) -> Markup {
    let OpenRollout { from, to, policy, .. } = rollout;
    html! {
        section.contract aria-labelledby="_payloads" {
            h2 #_payloads { "Payloads during the rollout" }
            p {
                @match policy {
                    RolloutPolicy::Strict => { "A payload must be what revision " (to) " and revision " (from) " ask for: both follow." },
                    _ => { "A payload must be what revision " (to) " or revision " (from) " asks for: both follow. Once the rollout is complete, only revision " (to) " counts." },
                }
            }
            (example)
        }
    }
}
