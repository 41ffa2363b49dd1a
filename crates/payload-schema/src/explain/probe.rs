//! Whether single values fit subschemas, asked many times within one bound. For questions about a schema, not about a
//! payload.

use super::place::Place;
use super::report::Report;
use super::walk::Walk;
use super::{NESTING, Named};
use crate::model::{Model, NodeId};
use crate::{Explanation, Limits};
use serde_json::Value;

/// Checks that all questions together may take.
const EFFORT: usize = 200_000;

/// Asks whether values fit.
pub(crate) struct Probe<'a> {
    model: &'a Model,
    effort: usize,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(model: &'a Model) -> Self {
        Self { model, effort: EFFORT }
    }

    /// Whether `value` fits; none when that takes too much.
    pub(crate) fn fits(&mut self, node: NodeId, value: &Value) -> Option<bool> {
        let mut walk = Walk::new(self.model, None, self.effort, NESTING);
        let mut report = Report::probe();
        walk.check(node, value, &Place::Root, None, &mut report);
        self.effort = walk.effort;
        (!walk.is_exhausted() && !walk.too_deep).then_some(!report.failed())
    }

    /// Why `value` does not fit, as `words must be …`.
    pub(crate) fn reason(&self, node: NodeId, value: &Value, words: &str) -> Option<String> {
        let limits = Limits { errors: 1, masked: true, ..Limits::default() };
        let named = Named { at: "", words, grouped: true };
        let explainer =
            super::Explainer { model: self.model, node, value, named, assert_formats: None, limits: &limits };
        let Explanation { errors, .. } = explainer.run(NESTING)?;
        errors.into_iter().next().map(|item| item.message)
    }
}
