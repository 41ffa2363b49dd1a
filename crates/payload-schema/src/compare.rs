//! Whether a new contract still accepts everything that the old one accepts: proved, or refuted by a witness, or left
//! open. Never a guess.

mod canonical;
mod classes;
mod decide;
mod definitions;
mod documentation;
mod facts;
mod finding;
mod fuel;
mod make;
mod parts;
mod prove;
mod same;
mod stack;
mod strings;
mod turns;
mod witness;
mod words;
mod world;

use crate::{Limits, Prepared, Schema};
use classes::Classes;
use decide::{Decision, Effort, Texts, decide};
use parts::Pairs;
pub(crate) use parts::accepted_by;
use serde_json::Value;
use std::time::Duration;
use turns::Turns;
use worker_types::{Compatibility, CompatibilityVerdict, Dialect, Item, RevisionNumber};

/// A schema to be compared, and the dialect it is read in when it names none.
#[derive(Clone, Copy, Debug)]
pub struct Contract<'a> {
    /// The schema.
    pub schema: &'a Value,
    /// For one without `$schema`.
    pub dialect: Option<Dialect>,
}

/// Why two schemas were not compared: one of them does not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotComparable {
    /// Whether it is the new one.
    pub new: bool,
    /// What is wrong with it.
    pub faults: Vec<Item>,
}

/// What one comparison of two schemas takes at most, once it has its turn: what its work comes to on a slow machine. The
/// bound itself is on the work, which is the same everywhere. Definitions with several variants are several such
/// comparisons in one turn, at most forty for each pair of revisions. One that has no turn within that time is answered `unknown`.
pub const COMPARISON_BUDGET: Duration = Duration::from_secs(2);

/// Compares contracts within a budget, and remembers the answers.
pub struct Comparer {
    limits: Limits,
    effort: Effort,
    pairs: Pairs,
    turns: Turns,
}

impl Comparer {
    /// A comparer of schemas that keep to `limits`.
    pub fn new(limits: Limits) -> Self {
        Self { limits, effort: Effort::default(), pairs: Pairs::new(), turns: Turns::new() }
    }

    /// Whether every value that `old` accepts is accepted by `new`. Milliseconds, up to [`COMPARISON_BUDGET`], and as
    /// long before it has its turn; keep it off threads that serve.
    ///
    /// # Errors
    /// One of the schemas does not compile.
    pub fn schemas(&self, old: Contract<'_>, new: Contract<'_>) -> Result<Compatibility, NotComparable> {
        let Some(_turn) = self.turns.take(COMPARISON_BUDGET) else { return Ok(busy(Vec::new())) };
        let compile = |contract: Contract<'_>, new| {
            Schema::compile(contract.schema, contract.dialect, &self.limits)
                .map_err(|faults| NotComparable { new, faults })
        };
        let (before, after) = (compile(old, false)?, compile(new, true)?);
        let texts = Texts { old: old.schema, new: new.schema };
        let Decision { verdict, witness, findings } = decide(&before, &after, texts, Classes::ALL, self.effort);
        Ok(Compatibility { witness, findings, ..answer(verdict) })
    }

    /// Whether every task that the live definition `old` accepts is accepted by `new`. As slow as [`Comparer::schemas`].
    /// `against` names the live revisions of `old`.
    pub fn bundles(&self, old: &Prepared, new: &Prepared) -> Compatibility {
        let Some(_turn) = self.turns.take(COMPARISON_BUDGET) else {
            return busy(old.bundle().revisions.iter().map(|revision| revision.revision).collect());
        };
        definitions::compare(self, old, new)
    }
}

/// Others had their turns for too long.
fn busy(against: Vec<RevisionNumber>) -> Compatibility {
    let seconds = COMPARISON_BUDGET.as_secs();
    let reason = format!("too much else was being compared: this had no turn within {seconds} seconds; try again");
    Compatibility { is_provisional: true, ..Compatibility::undecided(against, reason) }
}

fn answer(verdict: CompatibilityVerdict) -> Compatibility {
    Compatibility {
        verdict,
        against: Vec::new(),
        witness: None,
        witness_is_task: false,
        findings: Vec::new(),
        after_rollout: None,
        is_provisional: false,
    }
}
