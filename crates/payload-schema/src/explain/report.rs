//! What a walk found: faults, grouped where one cause repeats over elements, and signs of what the author meant.

use super::discriminator::Told;
use super::place::{Place, Step};
use crate::model::{Bound, Count, Model, NodeId, Types};
use serde_json::{Number, Value};
use std::hash::{DefaultHasher, Hash, Hasher};

/// One rule that one value breaks.
#[derive(Clone, Debug)]
pub(super) struct Fault<'a> {
    /// The subschema whose keyword refused.
    pub(super) node: NodeId,
    pub(super) keyword: &'static str,
    /// The keyword that several branches share, where the refusal is theirs.
    pub(super) shared: Option<&'static str>,
    /// The name or index under the keyword, where the keyword alone does not say which part refused.
    pub(super) token: Option<&'a str>,
    pub(super) steps: Vec<Step<'a>>,
    pub(super) value: &'a Value,
    /// The outermost subschema for this value that has a description.
    pub(super) described: Option<NodeId>,
    pub(super) kind: Kind<'a>,
    /// How many more are like it, at other elements.
    pub(super) like: usize,
}

impl<'a> Fault<'a> {
    /// A fault of the root subschema's keyword, at a place that is written when it is kept.
    pub(super) fn new(keyword: &'static str, value: &'a Value, described: Option<NodeId>, kind: Kind<'a>) -> Self {
        let node = Model::ROOT;
        Self { node, keyword, shared: None, token: None, steps: Vec::new(), value, described, kind, like: 0 }
    }
}

/// In which way a rule is broken.
#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    Type(Types),
    Enum(Vec<&'a Value>),
    Const(&'a Value),
    Bound(&'a Bound),
    MultipleOf(&'a Number),
    Count(&'a Count, usize),
    Repeated(usize, usize),
    Pattern(&'a str),
    Format(&'a str),
    /// A member that is missing, and the one that makes it necessary.
    Missing(&'a str, Option<&'a str>),
    /// A member that is missing, and the values by which it tells the branches of a union apart.
    MissingChoice(&'a str, Vec<&'a Value>),
    /// One of these sets of members is missing.
    MissingOneOf(Vec<Vec<&'a str>>),
    /// A member that no keyword knows.
    Unknown,
    /// An element beyond those that are described.
    Extra,
    /// A place where nothing may stand.
    Never,
    /// A member's name, with what is wrong with it.
    Name(&'a str, String),
    Contains {
        schema: NodeId,
        least: u64,
        most: Option<u64>,
        found: u64,
    },
    Not(NodeId),
    /// More than one branch matches: which of how many.
    Several(Vec<usize>, Vec<NodeId>),
    /// No branch matches, and none is nearer than the others.
    NoBranch(Vec<NodeId>),
}

impl Kind<'_> {
    /// Whether the cause lies in the structure, so that the same fault at another element is the same mistake.
    fn is_structural(&self) -> bool {
        matches!(
            self,
            Self::Type(_)
                | Self::Missing(..)
                | Self::MissingChoice(..)
                | Self::MissingOneOf(_)
                | Self::Unknown
                | Self::Extra
                | Self::Never
        )
    }
}

/// Signs that a branch is the one that the author meant, strongest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Evidence {
    /// Members that have the one value that the branch allows.
    pub(super) discriminators: i64,
    /// Members that nearly have a value that the branch allows.
    pub(super) near_misses: i64,
    /// Declared members with a valid value, less required ones that are missing.
    pub(super) values: i64,
    /// Declared members that are there, misspelt ones too.
    pub(super) names: i64,
    /// The value's own type is right.
    pub(super) types: i64,
}

impl Evidence {
    fn add(&mut self, other: Self) {
        self.discriminators += other.discriminators;
        self.near_misses += other.near_misses;
        self.values += other.values;
        self.names += other.names;
    }
}

/// Value-specific faults of one rule over many elements that are kept apart; beyond, they are grouped too.
const KEPT_APART: usize = 3;

/// What is found on a walk, or the bare fact that something is.
pub(super) struct Report<'a> {
    pub(super) faults: Vec<Fault<'a>>,
    /// Every fault, those that are not kept too.
    pub(super) total: usize,
    pub(super) evidence: Evidence,
    /// Whether faults of one cause over many elements are kept once.
    pub(super) is_grouped: bool,
    /// Whether it is one branch's among several, so that somebody weighs them.
    pub(super) is_weighed: bool,
    room: usize,
    /// Of kept faults below elements, by rule and place without element numbers: which is the first, and how many.
    groups: Vec<Group>,
}

impl<'a> Report<'a> {
    /// A report that keeps `room` faults.
    pub(super) fn new(room: usize) -> Self {
        Self {
            faults: Vec::new(),
            total: 0,
            evidence: Evidence::default(),
            is_grouped: true,
            is_weighed: false,
            room,
            groups: Vec::new(),
        }
    }

    /// A report that only tells whether there is a fault.
    pub(super) fn probe() -> Self {
        Self::new(0)
    }

    pub(super) fn failed(&self) -> bool {
        self.total > 0
    }

    /// Whether nothing more needs to be known.
    pub(super) fn is_done(&self) -> bool {
        self.room == 0 && self.total > 0
    }

    /// Whether faults are kept, so that it is worth looking for the best one.
    pub(super) fn keeps(&self) -> bool {
        self.room > 0
    }

    /// A report for one branch, which keeps `room` faults at most and only if this keeps any.
    pub(super) fn branch(&self, room: usize) -> Self {
        Self { is_grouped: self.is_grouped, is_weighed: true, ..Self::new(self.room.min(room)) }
    }

    /// Takes one fault at `place`, which is written out only if it is kept.
    pub(super) fn add(&mut self, place: &Place<'_, 'a>, fault: Fault<'a>) {
        self.total += 1;
        if self.room > 0 {
            self.keep(Fault { steps: place.steps(), ..fault });
        }
    }

    /// Takes over what a chosen branch found.
    pub(super) fn absorb(&mut self, branch: Report<'a>) {
        self.total += branch.total;
        self.evidence.add(branch.evidence);
        if self.room > 0 {
            branch.faults.into_iter().for_each(|fault| self.keep(fault));
        }
    }

    /// Takes over what a chosen branch found, with one fault told otherwise; `alone`, only that one.
    pub(super) fn replace(&mut self, mut branch: Report<'a>, told: Told<'a>, alone: bool) {
        if alone {
            branch.faults = vec![told.fault];
            branch.total = 1;
        } else {
            branch.faults[told.index] = told.fault;
        }
        self.absorb(branch);
    }

    fn keep(&mut self, fault: Fault<'a>) {
        let full = self.faults.len() >= self.room;
        if self.is_grouped && fault.steps.iter().any(|step| matches!(step, Step::Element(_))) {
            let apart = if fault.kind.is_structural() { 1 } else { KEPT_APART };
            let key = group(&fault);
            match self.groups.iter_mut().find(|group| group.key == key) {
                Some(group) if group.count >= apart => {
                    self.faults[group.first].like += 1 + fault.like;
                    return;
                }
                Some(group) => group.count += 1,
                None if full => return,
                None => self.groups.push(Group { key, first: self.faults.len(), count: 1 }),
            }
        }
        if !full {
            self.faults.push(fault);
        }
    }
}

/// Faults of one rule at one place but for element numbers.
struct Group {
    key: u64,
    first: usize,
    count: usize,
}

fn group(fault: &Fault<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (fault.node, fault.keyword, fault.token).hash(&mut hasher);
    if let Kind::Missing(name, _) | Kind::MissingChoice(name, _) = &fault.kind {
        name.hash(&mut hasher);
    }
    for step in &fault.steps {
        match step {
            Step::Member(name, _) => name.hash(&mut hasher),
            Step::Element(_) => 0.hash(&mut hasher),
        }
    }
    hasher.finish()
}
