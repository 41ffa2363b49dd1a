//! One variant held against one subject, in three values: a payload alone leaves questions open.

use super::Subject;
use crate::prepared::{PreparedSchemas, PreparedVariant};
use crate::rules::RuleVerdict;

/// Yes, no, or open until the whole task is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
    Maybe,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VariantCheck {
    pub(crate) applies: Answer,
    pub(crate) accepts: Answer,
    pub(crate) has_schema: bool,
}

pub(crate) fn check(variant: &PreparedVariant, subject: Subject<'_>) -> VariantCheck {
    let applies = match (&variant.applies_when, subject.task) {
        (None, _) => Answer::Yes,
        (Some(_), None) => Answer::Maybe,
        (Some(schema), Some(task)) => yes_or_no(schema.is_valid(task)),
    };
    let accepts = if applies == Answer::No { Answer::No } else { accepts(variant, subject) };
    VariantCheck { applies, accepts, has_schema: variant.has_schema() }
}

fn accepts(variant: &PreparedVariant, subject: Subject<'_>) -> Answer {
    if !subject.payload.is_some_and(serde_json::Value::is_object) {
        return Answer::No;
    }
    let schemas = variant.schemas().map(|schemas| fits(schemas, subject));
    let rules = variant.rules().map(|rule| match rule.check(subject.view) {
        RuleVerdict::Holds => Answer::Yes,
        RuleVerdict::Broken(_) => Answer::No,
        RuleVerdict::NeedsTask => Answer::Maybe,
    });
    every(schemas.chain(rules))
}

fn fits(schemas: &PreparedSchemas, subject: Subject<'_>) -> Answer {
    let payload = match (&schemas.payload, subject.payload) {
        (Some(schema), Some(payload)) => yes_or_no(schema.is_valid(payload)),
        _ => Answer::Yes,
    };
    let task = match (&schemas.task, subject.task) {
        (None, _) => Answer::Yes,
        (Some(_), None) => Answer::Maybe,
        (Some(schema), Some(task)) => yes_or_no(schema.is_valid(task)),
    };
    every([payload, task])
}

fn yes_or_no(answer: bool) -> Answer {
    if answer { Answer::Yes } else { Answer::No }
}

/// No if one says no; else open if one is open.
fn every(answers: impl IntoIterator<Item = Answer>) -> Answer {
    let mut all = Answer::Yes;
    for answer in answers {
        match answer {
            Answer::No => return Answer::No,
            Answer::Maybe => all = Answer::Maybe,
            Answer::Yes => {}
        }
    }
    all
}
