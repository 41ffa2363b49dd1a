//! One revision's decision: which variants apply, and whether `any` or `all` of those accept.

use super::Subject;
use super::variant::{self, Answer, VariantCheck};
use crate::prepared::PreparedRevision;
use smallvec::SmallVec;
use worker_types::{Acceptance, BundleRevision, LifecycleState};

/// From the strictest to the mildest, so that `strict` is the least and `lenient` the greatest of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Decision {
    Rejects,
    NeedsTask,
    AcceptsUnchecked,
    Accepts,
}

/// Most worker types have one or two variants: no allocation for what is looked at and dropped.
pub(crate) type Few<T> = SmallVec<[T; 4]>;

#[derive(Debug)]
pub(crate) struct RevisionCheck {
    pub(crate) decision: Decision,
    /// The variants that apply, or may.
    pub(crate) candidates: Few<usize>,
    /// Those of them that refuse.
    pub(crate) rejecting: Few<usize>,
}

pub(crate) fn check(revision: &BundleRevision, prepared: &PreparedRevision, subject: Subject<'_>) -> RevisionCheck {
    let checks: Few<VariantCheck> = prepared.variants.iter().map(|variant| variant::check(variant, subject)).collect();
    let pick = |wanted: fn(&VariantCheck) -> bool| {
        checks.iter().enumerate().filter(|(_, check)| wanted(check)).map(|(index, _)| index).collect()
    };
    let decision = match (revision.lifecycle.state, revision.acceptance) {
        (LifecycleState::Retired, _) => Decision::Rejects,
        (_, Acceptance::Any) => any(&checks),
        (_, Acceptance::All) => all(&checks),
    };
    RevisionCheck {
        decision,
        candidates: pick(|check| check.applies != Answer::No),
        rejecting: pick(|check| check.applies != Answer::No && check.accepts == Answer::No),
    }
}

/// At least one of the variants that apply accepts.
fn any(checks: &[VariantCheck]) -> Decision {
    let hopeful = checks.iter().filter(|check| check.applies != Answer::No && check.accepts != Answer::No);
    let one = |check: &VariantCheck| match (check.applies, check.accepts, check.has_schema) {
        (Answer::Yes, Answer::Yes, true) => (3, Decision::Accepts),
        (Answer::Yes, Answer::Yes, false) => (1, Decision::AcceptsUnchecked),
        // Whatever accepts for certain without a schema, a variant with one may still make it a real answer.
        (_, _, true) => (2, Decision::NeedsTask),
        (_, _, false) => (0, Decision::NeedsTask),
    };
    hopeful.map(one).max_by_key(|(rank, _)| *rank).map_or(Decision::Rejects, |(_, decision)| decision)
}

/// At least one variant applies, and every one that applies accepts.
fn all(checks: &[VariantCheck]) -> Decision {
    let candidates: Vec<_> = checks.iter().filter(|check| check.applies != Answer::No).collect();
    let refuses = |check: &&&VariantCheck| check.accepts == Answer::No;
    let certain = |check: &&&VariantCheck| check.applies == Answer::Yes;
    let refused_for_certain = candidates.iter().filter(certain).any(|check| refuses(&check));
    let refused_whatever_applies = candidates.iter().all(|check| refuses(&check));
    if refused_for_certain || refused_whatever_applies {
        return Decision::Rejects;
    }
    let settled =
        candidates.iter().any(|check| certain(&check)) && candidates.iter().all(|check| check.accepts == Answer::Yes);
    match (settled, candidates.iter().all(|check| check.has_schema)) {
        (false, _) => Decision::NeedsTask,
        (true, true) => Decision::Accepts,
        (true, false) => Decision::AcceptsUnchecked,
    }
}
