//! How a revision takes over from the one before: at once, or beside it for a while.

use crate::shape::Reading;
use crate::{Item, RolloutPolicy, WrittenSchema, shape};
use jiff::{SignedDuration, Span, SpanRelativeTo};
use serde_json::Value;

/// The `rollout` of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rollout {
    /// Whether both revisions are live meanwhile, and how they decide together.
    pub policy: RolloutPolicy,
    /// After how long it completes by itself, counted from the publish; none where somebody completes it.
    pub complete_after: Option<SignedDuration>,
}

impl Default for Rollout {
    fn default() -> Self {
        Self { policy: RolloutPolicy::Immediate, complete_after: None }
    }
}

impl Rollout {
    /// The longest `completeAfter`.
    const LONGEST: SignedDuration = SignedDuration::from_hours(366 * 24);

    /// Reads the member `rollout` of a definition.
    pub(crate) fn read<'a>(value: &'a Value, reading: &mut Reading<'a>) -> Self {
        let Some(mut fields) = shape::object(value, "/rollout", &["policy", "completeAfter"], reading) else {
            return Self::default();
        };
        fields.required("policy");
        let policy = fields.parsed("policy", RolloutPolicy::NAMES).unwrap_or(RolloutPolicy::Immediate);
        let complete_after = read_duration(&mut fields);
        if policy == RolloutPolicy::Immediate && complete_after.is_some() {
            let message =
                "/rollout/completeAfter is for lenient and strict rollouts: an immediate one is complete at once";
            fields.fault(Item::new("invalid-value", "/rollout/completeAfter", message));
        }
        Self { policy, complete_after }
    }

    /// The `rollout` of a definition that was published: what cannot be read is as if it were not there.
    pub fn of(definition: &Value) -> Self {
        definition
            .get("rollout")
            .map_or_else(Self::default, |rollout| Self::read(rollout, &mut Reading::sharing(&WrittenSchema::unshared)))
    }
}

/// Which revision stays live when a rollout ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RolloutEnd {
    /// The newer.
    Completed,
    /// The older; the newer stays in the history.
    Aborted,
}

impl RolloutEnd {
    /// What one does to reach it: `complete` or `abort`.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Completed => "complete",
            Self::Aborted => "abort",
        }
    }

    /// What is done once it is reached: `completed` or `aborted`.
    pub fn participle(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Aborted => "aborted",
        }
    }
}

fn read_duration(fields: &mut shape::Fields<'_, '_>) -> Option<SignedDuration> {
    let text = fields.text("completeAfter", 60)?;
    let read = duration(&text).filter(|duration| duration.is_positive() && *duration <= Rollout::LONGEST);
    if read.is_none() {
        let message = format!(
            "/rollout/completeAfter is {text:?}, which is no duration of more than 0 and at most 366 days: write 45m, 2h 30m, 7d or PT2H30M"
        );
        fields.fault(Item::new("invalid-value", "/rollout/completeAfter", message));
    }
    read
}

/// A duration in hours and minutes, or as ISO 8601 writes it. A day has 24 hours.
fn duration(text: &str) -> Option<SignedDuration> {
    let span: Span = text.parse().ok()?;
    span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()
}

#[cfg(test)]
mod tests {
    use super::Rollout;
    use crate::{Definition, RolloutPolicy};
    use jiff::SignedDuration;
    use serde_json::{Value, json};

    fn read(rollout: Value) -> Result<Rollout, Vec<String>> {
        let definition = json!({"description": "x", "rollout": rollout});
        let read = Definition::read(&definition, &"p/w".parse().unwrap());
        read.map(|definition| definition.rollout)
            .map_err(|faults| faults.into_iter().map(|fault| fault.message).collect())
    }

    #[test]
    fn durations_are_read_as_people_and_as_iso_8601_write_them() {
        for (text, minutes) in [("45m", 45), ("2h 30m", 150), ("7d", 7 * 24 * 60), ("PT2H30M", 150), ("P1D", 24 * 60)] {
            let rollout = read(json!({"policy": "lenient", "completeAfter": text})).unwrap();
            assert_eq!(rollout.policy, RolloutPolicy::Lenient);
            assert_eq!(rollout.complete_after, Some(SignedDuration::from_mins(minutes)), "{text}");
        }
        assert_eq!(read(json!({"policy": "strict"})).unwrap().complete_after, None);
    }

    #[test]
    fn what_is_no_duration_is_refused_in_words() {
        for text in ["", "soon", "0s", "-1h", "400d", "1 month", "2026-01-01"] {
            let faults = read(json!({"policy": "lenient", "completeAfter": text})).unwrap_err();
            assert!(faults[0].starts_with("/rollout/completeAfter"), "{text}: {faults:?}");
        }
        let faults = read(json!({"policy": "immediate", "completeAfter": "1h"})).unwrap_err();
        assert!(faults[0].contains("complete at once"), "{faults:?}");
    }

    #[test]
    fn of_a_published_definition_it_is_the_same() {
        let definition = json!({"description": "x", "rollout": {"policy": "strict", "completeAfter": "1h"}});
        let rollout = Rollout::of(&definition);
        assert_eq!(
            (rollout.policy, rollout.complete_after),
            (RolloutPolicy::Strict, Some(SignedDuration::from_hours(1)))
        );
        assert_eq!(Rollout::of(&json!({"description": "x"})), Rollout::default());
    }
}
