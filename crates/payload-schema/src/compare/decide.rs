//! One comparison of two schemas: proof, else witness, else what stood in the way.

use super::canonical;
use super::classes::Classes;
use super::documentation;
use super::facts::Facts;
use super::finding;
use super::fuel::Fuel;
use super::prove::{Gap, Prover};
use super::stack::on_a_deep_stack;
use super::witness;
use super::world::{Side, World};
use crate::Schema;
use crate::model::{Model, Rule, Scope};
use serde_json::Value;
use std::rc::Rc;
use worker_types::{CompatibilityVerdict, Effect, Finding};

/// Gaps for which a witness is looked for.
const GAPS: usize = 24;
/// Findings that are told.
const FINDINGS: usize = 100;

/// Steps that one comparison may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Questions of one proof.
    pub(super) proof: usize,
    /// Values that are made for one gap, parts counted.
    pub(super) witness: usize,
    /// All the work, in units of about a tenth of a microsecond; half as much again for what is accepted now.
    pub(super) fuel: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { proof: 30_000, witness: 20_000, fuel: 2_500_000 }
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    pub(super) verdict: CompatibilityVerdict,
    pub(super) witness: Option<Value>,
    pub(super) findings: Vec<Finding>,
}

impl Decision {
    /// Nothing was decided.
    pub(super) fn open() -> Self {
        Self { verdict: CompatibilityVerdict::Unknown, witness: None, findings: Vec::new() }
    }
}

/// The two texts, for what is shown of them.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    pub(super) old: &'a Value,
    pub(super) new: &'a Value,
}

/// Compares the two, over values of these kinds, within `effort`.
pub(super) fn decide(old: &Schema, new: &Schema, texts: Texts<'_>, kinds: Classes, effort: Effort) -> Decision {
    let decided = on_a_deep_stack(|| {
        let (forth, back) = (Fuel::new(effort.fuel), Fuel::new(effort.fuel / 2));
        decide_here(World::new(old, new, &forth), &back, texts, kinds, effort)
    });
    decided.unwrap_or_else(Decision::open)
}

/// Whether it is proved that what the old one accepts the new one accepts too; no witness is looked for.
pub(super) fn is_proved(old: &Schema, new: &Schema, kinds: Classes, effort: Effort) -> bool {
    let proved = on_a_deep_stack(|| {
        let fuel = Fuel::new(effort.fuel);
        Direction::new(World::new(old, new, &fuel), kinds, effort).prove().is_ok()
    });
    proved.unwrap_or(false)
}

fn decide_here(world: World<'_>, back: &Fuel, texts: Texts<'_>, kinds: Classes, effort: Effort) -> Decision {
    let mut tightened = Direction::new(world, kinds, effort);
    let mut decision = match tightened.prove() {
        Ok(()) => Decision { verdict: CompatibilityVerdict::Compatible, witness: None, findings: Vec::new() },
        Err(gaps) => tightened.refute(&gaps, texts, effort),
    };
    if decision.verdict == CompatibilityVerdict::Unknown && kinds == Classes::ALL && canonical::covers(world, texts) {
        decision.verdict = CompatibilityVerdict::Compatible;
        decision.findings.clear();
    }
    decision.findings.extend(loosened(world.reversed(back), texts, kinds, effort));
    decision.findings.extend(documentation::findings(world, texts));
    decision.findings.truncate(FINDINGS);
    decision
}

/// Whether everything that one accepts is accepted by the other.
struct Direction<'w> {
    prover: Prover<'w>,
    kinds: Classes,
}

impl<'w> Direction<'w> {
    fn new(world: World<'w>, kinds: Classes, effort: Effort) -> Self {
        Self { kinds, prover: Prover::new(world, effort.proof) }
    }

    fn prove(&mut self) -> Result<(), Vec<Gap>> {
        let world = self.prover.world;
        let facts = Rc::new(Facts::of(world, [world.root(Side::Old)]).within(self.kinds));
        let goal = world.root(Side::New);
        match obstacle(world) {
            Some(obstacle) => Err(vec![Gap::open(&facts, goal, obstacle)]),
            None => self.prover.prove(&facts, goal),
        }
    }

    /// Looks for a witness at each gap.
    fn refute(&mut self, gaps: &[Gap], texts: Texts<'_>, effort: Effort) -> Decision {
        let mut findings: Vec<Finding> = Vec::new();
        let mut witness: Option<Value> = None;
        let gaps: Vec<&Gap> = distinct(gaps).into_iter().take(GAPS).collect();
        for gap in &gaps {
            let found = witness::of_gap(&mut self.prover, gap, effort.witness);
            let effect = if found.is_some() { Effect::Tightened } else { Effect::Unknown };
            findings.push(finding::tightened(&self.prover, gap, texts, effect));
            let smaller =
                |new: &Value| witness.as_ref().is_none_or(|old: &Value| new.to_string().len() < old.to_string().len());
            if let Some(found) = found.filter(smaller) {
                witness = Some(found);
            }
        }
        let witness = witness.or_else(|| witness::anywhere(&mut self.prover, self.kinds, effort.witness));
        let verdict = if witness.is_some() { CompatibilityVerdict::Breaking } else { CompatibilityVerdict::Unknown };
        let told: Vec<String> = tightened_places(&findings);
        let told_within = |place: &str| told.iter().any(|other| other.starts_with(place));
        let only_around = |finding: &Finding, gap: &&Gap| {
            finding.effect == Effect::Unknown
                && matches!(gap.keyword, "anyOf" | "oneOf")
                && told_within(&finding.pointer)
        };
        let mut gaps = gaps.into_iter();
        findings.retain(|finding| gaps.next().is_none_or(|gap| !only_around(finding, &gap)));
        findings.sort_by_key(|finding| finding.effect != Effect::Tightened);
        Decision { verdict, witness, findings }
    }
}

fn tightened_places(findings: &[Finding]) -> Vec<String> {
    let tightened = findings.iter().filter(|finding| finding.effect == Effect::Tightened);
    tightened.map(|finding| finding.pointer.clone()).collect()
}

/// What the new one accepts and the old one did not; `world` is the other direction.
fn loosened(world: World<'_>, texts: Texts<'_>, kinds: Classes, effort: Effort) -> Vec<Finding> {
    let mut direction = Direction::new(world, kinds, effort);
    let Err(gaps) = direction.prove() else { return Vec::new() };
    let texts = Texts { old: texts.new, new: texts.old };
    let mut findings = Vec::new();
    for gap in distinct(&gaps).into_iter().take(GAPS) {
        if witness::of_gap(&mut direction.prover, gap, effort.witness / 4).is_some() {
            findings.push(finding::loosened(&direction.prover, gap, texts));
        }
    }
    findings
}

/// The gaps, those at the same place of the value and the schema once.
fn distinct(gaps: &[Gap]) -> Vec<&Gap> {
    let mut seen = Vec::new();
    let mut distinct = Vec::new();
    for gap in gaps {
        let steps: Vec<_> = gap.levels.iter().map(|level| &level.step).collect();
        let key = (steps, gap.goal, gap.keyword, &gap.token);
        if !seen.contains(&key) {
            seen.push(key);
            distinct.push(gap);
        }
    }
    distinct
}

/// What keeps a proof from being made at all.
fn obstacle(world: World<'_>) -> Option<&'static str> {
    let dynamic = |model: &Model| {
        let rules = || model.ids().flat_map(|id| &model.node(id).rules);
        rules().any(|rule| matches!(rule, Rule::Reference(reference) if reference.scope != Scope::Static))
    };
    if dynamic(world.old.model()) || dynamic(world.new.model()) {
        return Some("a reference whose target depends on the way by which it is reached");
    }
    let own = world.old.has_own_metaschema() || world.new.has_own_metaschema();
    own.then_some("a metaschema of its own")
}
