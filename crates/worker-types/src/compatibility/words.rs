//! What a comparison says to people, in one line and as items.

use super::{Compatibility, CompatibilityVerdict, Effect, Finding};
use crate::shape::{excerpt, place};
use crate::{Item, RevisionNumber};

impl Compatibility {
    /// Nothing was decided, for one reason.
    pub fn undecided(against: Vec<RevisionNumber>, reason: impl Into<String>) -> Self {
        let finding = Finding {
            effect: Effect::Unknown,
            pointer: String::new(),
            old_schema_pointer: None,
            new_schema_pointer: None,
            old_fragment: None,
            new_fragment: None,
            message: reason.into(),
            variant: None,
        };
        let (verdict, findings) = (CompatibilityVerdict::Unknown, vec![finding]);
        Self {
            verdict,
            against,
            witness: None,
            witness_is_task: false,
            is_provisional: false,
            findings,
            after_rollout: None,
        }
    }

    /// What there is to lose, soonest: of a rollout under which nothing is lost, what is lost once it has ended.
    pub fn decisive(&self) -> &Self {
        match &self.after_rollout {
            Some(after) if self.verdict == CompatibilityVerdict::Compatible => after,
            _ => self,
        }
    }

    /// The findings that speak for the verdict: what breaks, or what was not decided.
    pub fn reasons(&self) -> impl Iterator<Item = &Finding> {
        let wanted = match self.verdict {
            CompatibilityVerdict::Compatible => None,
            CompatibilityVerdict::Breaking => Some(Effect::Tightened),
            CompatibilityVerdict::Unknown => Some(Effect::Unknown),
        };
        self.findings.iter().filter(move |finding| Some(finding.effect) == wanted)
    }

    /// The reasons as items of a refusal or a report.
    pub fn items(&self) -> Vec<Item> {
        self.reasons().map(Finding::item).collect()
    }

    /// The answer in one line: what is lost and why, or what stood in the way.
    pub fn summary(&self) -> String {
        let first = self.reasons().next();
        let more = self.reasons().count().saturating_sub(1);
        let and_more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        let why = first.map(|finding| format!("; {}{and_more}", finding.message)).unwrap_or_default();
        let what = if self.witness_is_task { "task" } else { "payload" };
        match (self.verdict, &self.witness) {
            (CompatibilityVerdict::Compatible, _) => "everything that is accepted now stays accepted".to_owned(),
            (CompatibilityVerdict::Breaking, Some(witness)) => {
                format!("a {what} that is accepted now would be refused: {}{why}", excerpt(witness))
            }
            (CompatibilityVerdict::Breaking, None) => format!("what is accepted now would be refused{why}"),
            (CompatibilityVerdict::Unknown, _) => {
                format!("it was not decided whether everything that is accepted now stays accepted{why}")
            }
        }
    }
}

impl Finding {
    /// The finding as an item; the old fragment stands as `actual`, the new one as `expected`.
    pub fn item(&self) -> Item {
        let text = |fragment: &Option<serde_json::Value>| fragment.as_ref().map(excerpt);
        Item {
            problem: self.effect.as_str().to_owned(),
            pointer: self.pointer.clone(),
            schema_pointer: self.new_schema_pointer.clone().or_else(|| self.old_schema_pointer.clone()),
            message: self.message.clone(),
            expected: text(&self.new_fragment),
            actual: text(&self.old_fragment),
            variant: self.variant.clone(),
            ..Item::default()
        }
    }

    /// The place of the values that it concerns, as a message names it.
    pub fn place(&self) -> &str {
        place(&self.pointer)
    }
}

#[cfg(test)]
mod tests {
    use super::{Compatibility, CompatibilityVerdict, Effect, Finding};
    use serde_json::json;

    fn finding(effect: Effect, message: &str) -> Finding {
        Finding { effect, ..Compatibility::undecided(Vec::new(), message).findings.remove(0) }
    }

    fn given(verdict: CompatibilityVerdict, witness: Option<serde_json::Value>) -> Compatibility {
        let findings = vec![
            finding(Effect::Tightened, "adds the required property \"b\""),
            finding(Effect::Tightened, "lowers the maximum"),
            finding(Effect::Unknown, "\"not\" was not decided"),
            finding(Effect::Documentation, "the description"),
        ];
        Compatibility { verdict, witness, findings, ..Compatibility::undecided(Vec::new(), "") }
    }

    #[test]
    fn one_line_says_what_is_lost_and_why() {
        let breaking = given(CompatibilityVerdict::Breaking, Some(json!({"a": 1})));
        assert_eq!(
            breaking.summary(),
            "a payload that is accepted now would be refused: {\"a\":1}; adds the required property \"b\" (and 1 more)"
        );
        assert_eq!(breaking.items().len(), 2);
        let unknown = given(CompatibilityVerdict::Unknown, None);
        assert!(unknown.summary().ends_with("stays accepted; \"not\" was not decided"), "{}", unknown.summary());
        assert_eq!(given(CompatibilityVerdict::Compatible, None).items(), []);
    }
}
