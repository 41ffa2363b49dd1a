//! The schemas of two definitions, pair by pair: each distinct pair is compared once and remembered.

use super::classes::Classes;
use super::decide::{Decision, Effort, Texts, decide};
use super::facts::Facts;
use super::fuel::Fuel;
use super::make::{Maker, Wish};
use super::prove::Prover;
use super::stack::on_a_deep_stack;
use super::world::{Side, World};
use crate::{Limits, Schema};
use fastrand::Rng;
use lru::LruCache;
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use worker_types::{CompatibilityVerdict, SchemaRef};

/// Pairs that are remembered.
const PAIRS: usize = 1_000;
/// Values that are made of one schema.
const SAMPLES: usize = 6;

/// A schema of a definition.
#[derive(Clone)]
pub(super) struct Part<'a> {
    /// None for the schema that says nothing.
    reference: Option<&'a SchemaRef>,
    schema: Arc<Schema>,
    text: &'a Value,
}

impl<'a> Part<'a> {
    pub(super) fn new(reference: &'a SchemaRef, schema: &Arc<Schema>, text: &'a Value) -> Self {
        Self { reference: Some(reference), schema: schema.clone(), text }
    }

    /// What a variant without a schema asks: nothing but an object.
    pub(super) fn any() -> Self {
        static ANY: OnceLock<(Arc<Schema>, Value)> = OnceLock::new();
        let (schema, text) = ANY.get_or_init(|| {
            let text = json!({});
            let compiled = Schema::compile(&text, None, &Limits::default());
            (Arc::new(compiled.unwrap_or_else(|_| unreachable!("the empty schema compiles"))), text)
        });
        Part { reference: None, schema: schema.clone(), text }
    }

    pub(super) fn is(&self, other: &Part<'_>) -> bool {
        self.reference == other.reference
    }
}

/// The old schema and the new one.
type Pair = (Option<SchemaRef>, Option<SchemaRef>);

/// Answers by the pair of schemas.
pub(super) struct Pairs {
    known: Mutex<LruCache<Pair, Arc<Decision>>>,
}

impl Pairs {
    pub(super) fn new() -> Self {
        let capacity = NonZeroUsize::new(PAIRS).unwrap_or(NonZeroUsize::MIN);
        Self { known: Mutex::new(LruCache::new(capacity)) }
    }

    /// Whether every object that the old part accepts is accepted by the new one.
    pub(super) fn compare(&self, old: &Part<'_>, new: &Part<'_>, effort: Effort) -> Arc<Decision> {
        if old.is(new) {
            let (verdict, witness, findings) = (CompatibilityVerdict::Compatible, None, Vec::new());
            return Arc::new(Decision { verdict, witness, findings });
        }
        let pair = (old.reference.cloned(), new.reference.cloned());
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&pair) {
            return known.clone();
        }
        let texts = Texts { old: old.text, new: new.text };
        let decision = Arc::new(decide(&old.schema, &new.schema, texts, Classes::OBJECT, effort));
        lock().put(pair, decision.clone());
        decision
    }
}

/// Objects that both parts accept.
pub(super) fn samples(one: &Part<'_>, other: &Part<'_>, effort: Effort) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for value in made(&one.schema, &other.schema, Classes::OBJECT, (4 * SAMPLES, 5), effort) {
        if values.len() < SAMPLES && !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Values that the schema accepts, `count` at most.
pub(crate) fn accepted_by(schema: &Schema, count: usize, seed: u64) -> Vec<Value> {
    let effort = Effort { proof: 1_000 * count, witness: 1_000 * count, fuel: 100_000 * count as u64 };
    made(schema, schema, Classes::ALL, (count, seed), effort)
}

/// The values of `rounds` tries that both accept.
fn made(one: &Schema, other: &Schema, kinds: Classes, (rounds, seed): (usize, u64), effort: Effort) -> Vec<Value> {
    let made = on_a_deep_stack(|| {
        let fuel = Fuel::new(effort.fuel);
        let world = World::new(one, other, &fuel);
        let facts = Facts::of(world, [world.root(Side::Old), world.root(Side::New)]).within(kinds);
        let mut prover = Prover::new(world, effort.proof);
        let mut maker = Maker { prover: &mut prover, rng: Rng::with_seed(seed), effort: effort.witness, goal: None };
        let try_one = |round: usize| {
            let wish = Wish { density: [0, 10, 3, 8][round % 4], ..Wish::default() };
            maker.make(&facts, wish).filter(|value| one.is_valid(value) && other.is_valid(value))
        };
        (0..rounds).filter_map(try_one).collect()
    });
    made.unwrap_or_default()
}
