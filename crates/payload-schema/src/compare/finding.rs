//! From a gap to a finding: the places on both sides, what stands there, and the words.

use super::decide::Texts;
use super::prove::{Gap, Prover, Step};
use super::words;
use super::world::{Side, Term, World};
use crate::model::{Rule, keyword};
use crate::{excerpt, pointer};
use serde_json::{Map, Value};
use worker_types::{Effect, Finding};

/// Entries of a fragment on one level, levels, and characters of one text.
const ENTRIES: usize = 12;
const LEVELS: usize = 4;
const CHARACTERS: usize = 200;

/// Something that is refused now, or may be.
pub(super) fn tightened(prover: &Prover<'_>, gap: &Gap, texts: Texts<'_>, effect: Effect) -> Finding {
    let (old, new) = (before(prover.world, gap), after(prover.world, gap));
    let message = words::tightened(prover, gap, effect == Effect::Tightened);
    Finding {
        effect,
        pointer: place(gap),
        old_fragment: fragment(texts.old, old.as_deref()),
        new_fragment: fragment(texts.new, Some(&new)),
        old_schema_pointer: old,
        new_schema_pointer: Some(new),
        message,
        variant: None,
    }
}

/// Something that is accepted now: a gap of the other direction, whose `texts` are exchanged.
pub(super) fn loosened(prover: &Prover<'_>, gap: &Gap, texts: Texts<'_>) -> Finding {
    let (new, old) = (before(prover.world, gap), after(prover.world, gap));
    Finding {
        effect: Effect::Loosened,
        pointer: place(gap),
        old_fragment: fragment(texts.new, Some(&old)),
        new_fragment: fragment(texts.old, new.as_deref()),
        old_schema_pointer: Some(old),
        new_schema_pointer: new,
        message: words::loosened(prover, gap),
        variant: None,
    }
}

/// Where in the value.
pub(super) fn place(gap: &Gap) -> String {
    let mut place = String::new();
    for level in &gap.levels {
        match &level.step {
            Step::Member(name) => pointer::push(&mut place, name),
            Step::Element(index) => pointer::push(&mut place, &index.to_string()),
            Step::Other(_) | Step::Rest(_) | Step::Name => place.push_str("/*"),
        }
    }
    if let (Some(name), "required") = (&gap.token, gap.keyword) {
        pointer::push(&mut place, name);
    }
    place
}

/// Where in the schema that the goal belongs to.
fn after(world: World<'_>, gap: &Gap) -> String {
    let model = world.model(gap.goal.side);
    if gap.keyword.is_empty() {
        return model.pointer(gap.goal.node);
    }
    model.keyword_pointer(gap.goal.node, gap.keyword)
}

/// Where in the schema that the facts come from: the rule of the same kind, else the subschema.
fn before(world: World<'_>, gap: &Gap) -> Option<String> {
    let own: Vec<Term> = gap.facts.terms.iter().copied().filter(|term| term.side == Side::Old).collect();
    let has = |term: &&Term| world.node(**term).rules.iter().any(|rule| same_kind(rule, gap.keyword));
    if let Some(term) = own.iter().find(has) {
        let rules = &world.node(*term).rules;
        let rule = rules.iter().find(|rule| same_kind(rule, gap.keyword))?;
        return Some(world.model(Side::Old).keyword_pointer(term.node, keyword(rule)));
    }
    own.first().map(|term| world.model(Side::Old).pointer(term.node))
}

/// Whether a rule is what another one of that keyword would be compared with.
fn same_kind(rule: &Rule, other: &str) -> bool {
    let kind = |keyword: &str| match keyword {
        "minimum" | "exclusiveMinimum" => "from",
        "maximum" | "exclusiveMaximum" => "to",
        "const" | "enum" => "values",
        "properties" | "patternProperties" | "additionalProperties" | "unevaluatedProperties" => "members",
        "items" | "prefixItems" | "additionalItems" | "unevaluatedItems" => "elements",
        "anyOf" | "oneOf" => "branches",
        "dependencies" | "dependentRequired" | "dependentSchemas" => "dependencies",
        _ => "",
    };
    let own = keyword(rule);
    !other.is_empty() && (own == other || (!kind(own).is_empty() && kind(own) == kind(other)))
}

/// What stands at a place of a schema, shortened. Places in other documents are not shown.
fn fragment(text: &Value, place: Option<&str>) -> Option<Value> {
    text.pointer(place?).map(|value| shortened(value, LEVELS))
}

pub(super) fn shortened(value: &Value, levels: usize) -> Value {
    match value {
        Value::Object(_) | Value::Array(_) if levels == 0 => Value::String("…".to_owned()),
        Value::Object(members) => {
            let mut kept: Map<String, Value> = members
                .iter()
                .take(ENTRIES)
                .map(|(name, member)| (excerpt::plain(name, CHARACTERS), shortened(member, levels - 1)))
                .collect();
            if members.len() > ENTRIES {
                kept.insert("…".to_owned(), (members.len() - ENTRIES).into());
            }
            Value::Object(kept)
        }
        Value::Array(elements) => {
            let mut kept: Vec<Value> =
                elements.iter().take(ENTRIES).map(|element| shortened(element, levels - 1)).collect();
            if elements.len() > ENTRIES {
                kept.push(format!("… and {} more", elements.len() - ENTRIES).into());
            }
            Value::Array(kept)
        }
        Value::String(text) => excerpt::plain(text, CHARACTERS).into(),
        other => other.clone(),
    }
}
