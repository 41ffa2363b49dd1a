//! What could not be proved: at which place of the value, and which rule of the goal.

use crate::compare::facts::Facts;
use crate::compare::world::{Term, World};
use crate::model::{Rule, keyword};
use serde_json::Value;
use std::rc::Rc;

/// Values that are remembered of those that the goal refuses.
const VALUES: usize = 1_000;

/// A step into the value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::compare) enum Step {
    /// The member of this name.
    Member(Box<str>),
    /// A member that no schema names, such as this one.
    Other(Box<str>),
    /// The element at this index.
    Element(usize),
    /// Any element from this index on.
    Rest(usize),
    /// The name of a member.
    Name,
}

/// A step that a proof took, and what was known of the value that it left.
#[derive(Clone, Debug)]
pub(in crate::compare) struct Level {
    pub(in crate::compare) facts: Rc<Facts>,
    pub(in crate::compare) step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::compare) enum Reason {
    /// The rule does not follow from the facts.
    DoesNotFollow,
    /// It was not decided, because of this.
    Open(&'static str),
}

#[derive(Clone, Debug)]
pub(in crate::compare) struct Gap {
    /// The way to the place, outermost first.
    pub(in crate::compare) levels: Vec<Level>,
    /// What is known of the value there.
    pub(in crate::compare) facts: Rc<Facts>,
    pub(in crate::compare) goal: Term,
    /// The goal's keyword that does not follow; empty for `false`.
    pub(in crate::compare) keyword: &'static str,
    /// The part of the keyword: a member's name.
    pub(in crate::compare) token: Option<Box<str>>,
    pub(in crate::compare) reason: Reason,
    /// Values that satisfy the facts and not the goal, where they are known.
    pub(in crate::compare) values: Vec<Value>,
}

impl Gap {
    pub(super) fn of(facts: &Rc<Facts>, goal: Term, rule: &Rule) -> Self {
        Self {
            levels: Vec::new(),
            facts: facts.clone(),
            goal,
            keyword: keyword(rule),
            token: None,
            reason: Reason::DoesNotFollow,
            values: Vec::new(),
        }
    }

    pub(super) fn named(facts: &Rc<Facts>, goal: Term, rule: &Rule, name: &str) -> Self {
        Self { token: Some(name.into()), ..Self::of(facts, goal, rule) }
    }

    pub(in crate::compare) fn open(facts: &Rc<Facts>, goal: Term, why: &'static str) -> Self {
        let mut gap = Self::of(facts, goal, &Rule::Never);
        gap.reason = Reason::Open(why);
        gap
    }

    /// These values satisfy the facts and not the goal.
    pub(super) fn of_values(world: World<'_>, facts: &Rc<Facts>, goal: Term, values: Vec<Value>) -> Self {
        let refusing = values.first().and_then(|value| world.refusing(goal, value));
        let found = refusing.and_then(|(term, keyword)| {
            let rule = world.node(term).rules.iter().find(|rule| crate::model::keyword(rule) == keyword)?;
            Some((term, rule))
        });
        let (term, rule) = found.unwrap_or((goal, world.node(goal).rules.first().unwrap_or(&Rule::Never)));
        let mut gap = Self::of(facts, term, rule);
        gap.values = values;
        gap.values.truncate(VALUES);
        gap
    }

    pub(super) fn within(mut self, level: Level) -> Self {
        self.levels.insert(0, level);
        self
    }
}
