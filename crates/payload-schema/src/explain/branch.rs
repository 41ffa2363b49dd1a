//! `anyOf` and `oneOf`: when no branch matches, the one that the author most likely meant speaks.

use super::discriminator;
use super::report::{Evidence, Fault, Kind, Report};
use super::walk::{At, BRANCH_ROOM, Marks, Walk};
use crate::model::{Model, NodeId, Types};
use std::cmp::Reverse;

impl<'a> Walk<'a> {
    pub(super) fn any(&mut self, schemas: &'a [NodeId], at: At<'_, 'a>, marks: &mut Marks, report: &mut Report<'a>) {
        let mut branches = Vec::with_capacity(schemas.len());
        for schema in schemas {
            let branch = self.branch(*schema, at, "anyOf", report);
            let matched = !branch.0.failed();
            branches.push(branch);
            if matched && !self.marking {
                return;
            }
        }
        if mark(&branches, marks).is_empty() {
            choose(self.model, schemas, "anyOf", branches, at, report);
        }
    }

    pub(super) fn one(&mut self, schemas: &'a [NodeId], at: At<'_, 'a>, marks: &mut Marks, report: &mut Report<'a>) {
        let branches: Vec<_> = schemas.iter().map(|schema| self.branch(*schema, at, "oneOf", report)).collect();
        let matched = mark(&branches, marks);
        match matched.as_slice() {
            [] => choose(self.model, schemas, "oneOf", branches, at, report),
            [_] => {}
            // A walk that was cut short does not know that a branch matches.
            _ if self.is_exhausted() => {}
            _ => at.fault("oneOf", Kind::Several(matched, schemas.to_vec()), report),
        }
    }

    fn branch(&mut self, schema: NodeId, at: At<'_, 'a>, keyword: &'static str, report: &Report<'a>) -> Branch<'a> {
        let mut branch = report.branch(BRANCH_ROOM);
        let marks = self.apply(schema, at.value, at.place, at.sent(keyword), &mut branch);
        (branch, marks)
    }
}

type Branch<'a> = (Report<'a>, Marks);

/// Takes over what the branches that match evaluated, and says which they are. When none does, that is said already:
/// then nothing else is held against the parts that any of them knows.
fn mark(branches: &[Branch<'_>], marks: &mut Marks) -> Vec<usize> {
    let matched: Vec<usize> = (0..branches.len()).filter(|index| !branches[*index].0.failed()).collect();
    let counted = branches.iter().filter(|(report, _)| matched.is_empty() || !report.failed());
    counted.for_each(|(_, found)| marks.merge(found));
    matched
}

/// Reports what is wrong when no branch matches.
fn choose<'a>(
    model: &'a Model,
    schemas: &'a [NodeId],
    keyword: &'static str,
    branches: Vec<Branch<'a>>,
    at: At<'_, 'a>,
    report: &mut Report<'a>,
) {
    if !report.keeps() {
        at.fault(keyword, Kind::Never, report);
        return;
    }
    let mut branches: Vec<Report<'a>> = branches.into_iter().map(|(branch, _)| branch).collect();
    if branches.len() == 1 {
        branches.into_iter().for_each(|branch| report.absorb(branch));
        return;
    }
    let depth = at.place.steps().len();
    let rank = |branch: &Report<'a>| (branch.evidence, Reverse(branch.total));
    let best = (0..branches.len()).max_by_key(|index| (rank(&branches[*index]), Reverse(*index))).unwrap_or(0);
    let tied = branches.iter().filter(|branch| rank(branch) == rank(&branches[best])).collect::<Vec<_>>();
    let is_tied = tied.len() > 1;
    let shared = common(&branches.iter().collect::<Vec<_>>(), depth);
    if let Some(kind) = shared.or_else(|| common(&tied, depth).filter(|_| is_tied)) {
        let shared = match kind {
            Kind::Type(_) => Some("type"),
            Kind::Enum(_) => Some("enum"),
            _ => None,
        };
        let fault = Fault { node: at.id, shared, ..Fault::new(keyword, at.value, at.described, kind) };
        report.add(at.place, fault);
        return;
    }
    if let Some(told) = discriminator::told_by_all(model, (at.id, keyword), &branches, best, depth) {
        // Where nothing but the discriminator says which branch is meant, the rest of one branch is a guess.
        let alone = is_tied || told.is_far;
        report.replace(branches.swap_remove(best), told, alone);
        return;
    }
    // Required members that are missing and a type that fits speak for no branch when they do so for another one, too.
    let silent = |branch: &Report<'a>| Evidence { values: 0, types: 0, ..branch.evidence } == Evidence::default();
    let alike = |index: usize| {
        index != best && silent(&branches[index]) && branches[index].evidence.types == branches[best].evidence.types
    };
    if silent(&branches[best]) && (0..branches.len()).any(alike) {
        at.fault(keyword, Kind::NoBranch(schemas.to_vec()), report);
        return;
    }
    report.absorb(branches.swap_remove(best));
}

/// What these branches ask in the same way, said once: a type, one of some values, one of some members.
fn common<'a>(branches: &[&Report<'a>], depth: usize) -> Option<Kind<'a>> {
    let here = |branch: &Report<'a>| branch.faults.iter().all(|fault| fault.steps.len() == depth);
    if !branches.iter().all(|branch| here(branch) && branch.total == branch.faults.len()) {
        return None;
    }
    let single = || branches.iter().map(|branch| if branch.total == 1 { branch.faults.first() } else { None });
    let types = single().map(|fault| match &fault?.kind {
        Kind::Type(types) => Some(*types),
        _ => None,
    });
    if let Some(types) = types.collect::<Option<Vec<_>>>() {
        return Some(Kind::Type(types.into_iter().fold(Types::default(), Types::union)));
    }
    let values = single().map(|fault| match &fault?.kind {
        Kind::Const(value) => Some(vec![*value]),
        Kind::Enum(values) => Some(values.clone()),
        _ => None,
    });
    if let Some(values) = values.collect::<Option<Vec<_>>>() {
        return Some(Kind::Enum(values.concat()));
    }
    if branches.iter().any(|branch| branch.evidence.names != branches[0].evidence.names) {
        return None;
    }
    let missing = branches.iter().map(|branch| {
        let names = branch.faults.iter().map(|fault| match fault.kind {
            Kind::Missing(name, None) => Some(name),
            _ => None,
        });
        names.collect::<Option<Vec<_>>>()
    });
    missing.collect::<Option<Vec<_>>>().map(Kind::MissingOneOf)
}
