//! The comparisons that a JSON Schema cannot make: `atMost` a limit of the pool, `notAfter` another time of the task.

use crate::{Limits, Schema, dotted, excerpt, pointer};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::borrow::Cow;
use worker_types::{Item, ResolvedRule};

/// A rule, ready to be held against a task.
pub(crate) enum PreparedRule {
    AtMost { path: Path, limit: String, maximum: Box<Schema>, masked: bool },
    NotAfter { path: Path, other: Path, masked: bool },
}

/// What a rule says of a task, or of a payload alone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RuleVerdict {
    Holds,
    Broken(Vec<Item>),
    NeedsTask,
}

/// A JSON Pointer on the task in which `*` stands for every member.
pub(crate) struct Path(Vec<String>);

impl Path {
    fn new(pointer: &str) -> Self {
        Self(pointer::tokens(pointer).map(Cow::into_owned).collect())
    }

    fn is_in_payload(&self) -> bool {
        self.0.first().is_some_and(|first| first == "payload")
    }

    /// Every value at this path, with its pointer.
    fn matches<'v>(&self, task: &TaskView<'v>) -> Vec<(String, &'v Value)> {
        let Some((first, rest)) = self.0.split_first() else { return Vec::new() };
        let start = task.field(first).map(|value| (pointer::join("", first), value));
        rest.iter().fold(start.into_iter().collect(), |found, part| {
            found.into_iter().flat_map(|(pointer, value)| members(&pointer, value, part)).collect()
        })
    }
}

fn members<'v>(pointer: &str, value: &'v Value, part: &str) -> Vec<(String, &'v Value)> {
    match (value, part) {
        (Value::Object(object), "*") => {
            object.iter().map(|(name, member)| (pointer::join(pointer, name), member)).collect()
        }
        (Value::Array(items), "*") => {
            items.iter().enumerate().map(|(i, item)| (format!("{pointer}/{i}"), item)).collect()
        }
        (Value::Object(object), name) => {
            object.get(name).map(|member| (pointer::join(pointer, name), member)).into_iter().collect()
        }
        (Value::Array(items), index) => {
            let item = index.parse::<usize>().ok().and_then(|index| items.get(index));
            item.map(|item| (pointer::join(pointer, index), item)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// A task, or the part of one that is known when only its payload was given.
#[derive(Clone, Copy)]
pub(crate) enum TaskView<'v> {
    Task(&'v Value),
    Payload(&'v Value),
}

impl<'v> TaskView<'v> {
    fn field(&self, name: &str) -> Option<&'v Value> {
        match self {
            Self::Task(task) => task.get(name),
            Self::Payload(payload) => (name == "payload").then_some(*payload),
        }
    }

    fn knows(&self, path: &Path) -> bool {
        matches!(self, Self::Task(_)) || path.is_in_payload()
    }
}

impl PreparedRule {
    pub(crate) fn new(rule: &ResolvedRule, limits: &Limits) -> Result<Self, Vec<Item>> {
        Ok(match rule {
            // The engine compares numbers exactly; so a bound is its keyword, not arithmetic of ours.
            ResolvedRule::AtMost { path, limit } => Self::AtMost {
                path: Path::new(path),
                limit: limit.to_string(),
                maximum: Box::new(Schema::compile(&json!({ "maximum": limit }), None, limits)?),
                masked: limits.masked,
            },
            ResolvedRule::NotAfter { path, other } => {
                Self::NotAfter { path: Path::new(path), other: Path::new(other), masked: limits.masked }
            }
        })
    }

    pub(crate) fn check(&self, task: TaskView<'_>) -> RuleVerdict {
        match self {
            Self::AtMost { path, .. } | Self::NotAfter { path, .. } if !task.knows(path) => RuleVerdict::NeedsTask,
            Self::AtMost { path, limit, maximum, masked } => {
                let beyond = path.matches(&task).into_iter().filter(|(_, value)| !maximum.is_valid(value));
                verdict(beyond.map(|(pointer, value)| at_most_item(pointer, value, limit, *masked)).collect())
            }
            Self::NotAfter { path, other, masked } => not_after(path, other, task, *masked),
        }
    }
}

fn verdict(items: Vec<Item>) -> RuleVerdict {
    if items.is_empty() { RuleVerdict::Holds } else { RuleVerdict::Broken(items) }
}

fn at_most_item(pointer: String, value: &Value, limit: &str, masked: bool) -> Item {
    let (limit, value) = (excerpt::plain(limit, 80), excerpt::value(value));
    let expected = format!("at most {limit}");
    let message = format!("{} must be {expected}, the limit of this pool", dotted(&pointer));
    if masked {
        return Item { expected: Some(expected), ..Item::new("atMost", pointer, message) };
    }
    Item::new("atMost", pointer, format!("{message}; it is {value}")).contrast(expected, value)
}

fn not_after(path: &Path, other: &Path, task: TaskView<'_>, masked: bool) -> RuleVerdict {
    let times: Vec<_> =
        path.matches(&task).into_iter().filter_map(|(pointer, value)| Some((pointer, time(value)?))).collect();
    if times.is_empty() {
        return RuleVerdict::Holds;
    }
    if !task.knows(other) {
        return RuleVerdict::NeedsTask;
    }
    let bound = other
        .matches(&task)
        .into_iter()
        .filter_map(|(pointer, value)| Some((pointer, time(value)?)))
        .min_by_key(|(_, at)| *at);
    let Some((bound_pointer, bound)) = bound else { return RuleVerdict::Holds };
    let late = times.into_iter().filter(|(_, at)| *at > bound);
    verdict(late.map(|(pointer, at)| not_after_item(pointer, at, &bound_pointer, bound, masked)).collect())
}

fn not_after_item(pointer: String, at: Timestamp, bound_pointer: &str, bound: Timestamp, masked: bool) -> Item {
    let (place, other) = (dotted(&pointer), dotted(bound_pointer));
    if masked {
        let expected = format!("not after {other}");
        let message = format!("{place} is after {other}; it must not be");
        return Item { expected: Some(expected), ..Item::new("notAfter", pointer, message) };
    }
    let message = format!("{place} is {at}, which is after {other} ({bound}); it must not be");
    Item::new("notAfter", pointer, message).contrast(format!("not after {other}, {bound}"), format!("\"{at}\""))
}

/// A time of RFC 3339; what is none is the schema's business.
fn time(value: &Value) -> Option<Timestamp> {
    value.as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{PreparedRule, RuleVerdict, TaskView};
    use crate::Limits;
    use serde_json::{Value, json};
    use worker_types::ResolvedRule;

    fn at_most(path: &str, limit: &str) -> PreparedRule {
        let rule = ResolvedRule::AtMost { path: path.to_owned(), limit: limit.parse().unwrap() };
        PreparedRule::new(&rule, &Limits::default()).unwrap()
    }

    fn not_after(path: &str, other: &str) -> PreparedRule {
        let rule = ResolvedRule::NotAfter { path: path.to_owned(), other: other.to_owned() };
        PreparedRule::new(&rule, &Limits::default()).unwrap()
    }

    fn broken_at(rule: &PreparedRule, task: &Value) -> Vec<String> {
        match rule.check(TaskView::Task(task)) {
            RuleVerdict::Broken(items) => items.into_iter().map(|item| item.pointer).collect(),
            RuleVerdict::Holds => Vec::new(),
            RuleVerdict::NeedsTask => panic!("a whole task is enough"),
        }
    }

    #[test]
    fn at_most_holds_up_to_the_limit_and_compares_exactly() {
        let rule = at_most("/payload/maxRunTime", "3600");
        assert!(broken_at(&rule, &json!({"payload": {"maxRunTime": 3600}})).is_empty());
        assert!(broken_at(&rule, &json!({"payload": {"maxRunTime": "7200"}})).is_empty());
        assert!(broken_at(&rule, &json!({"payload": {}})).is_empty());
        assert_eq!(broken_at(&rule, &json!({"payload": {"maxRunTime": 3600.5}})), ["/payload/maxRunTime"]);
        let exact = at_most("/payload/n", "9007199254740992");
        assert_eq!(broken_at(&exact, &json!({"payload": {"n": 9_007_199_254_740_993_u64}})), ["/payload/n"]);
    }

    #[test]
    fn a_masked_rule_shows_no_value_of_the_task() {
        let limits = Limits { masked: true, ..Limits::default() };
        let times = ("/payload/expires".to_owned(), "/expires".to_owned());
        let rules = [
            ResolvedRule::AtMost { path: "/payload/n".to_owned(), limit: "3".parse().unwrap() },
            ResolvedRule::NotAfter { path: times.0, other: times.1 },
        ];
        let task = json!({"expires": "2027-01-01T00:00:00Z", "payload": {"n": 42, "expires": "2028-01-01T00:00:00Z"}});
        for rule in rules {
            let RuleVerdict::Broken(items) = PreparedRule::new(&rule, &limits).unwrap().check(TaskView::Task(&task))
            else {
                panic!("{rule:?} is broken")
            };
            let said = format!("{items:?}");
            assert!(!said.contains("42") && !said.contains("2027") && !said.contains("2028"), "{said}");
        }
    }

    #[test]
    fn a_star_stands_for_every_member_of_objects_and_arrays() {
        let rule = not_after("/payload/artifacts/*/expires", "/expires");
        let task = json!({"expires": "2027-01-01T00:00:00Z", "payload": {"artifacts": {
            "a/b": {"expires": "2027-01-01T00:00:00.001Z"}, "b": {"expires": "2027-01-01T01:00:00+01:00"}, "c": {"expires": "soon"}, "d": {}}}});
        assert_eq!(broken_at(&rule, &task), ["/payload/artifacts/a~1b/expires"]);
        let task = json!({"expires": "2027-01-01T00:00:00Z", "payload": {"artifacts": [{}, {"expires": "2028-01-01T00:00:00Z"}]}});
        assert_eq!(broken_at(&rule, &task), ["/payload/artifacts/1/expires"]);
    }

    #[test]
    fn a_payload_alone_decides_what_it_can() {
        let payload = json!({"maxRunTime": 5, "artifacts": {"a": {"expires": "2027-01-01T00:00:00Z"}}});
        let view = TaskView::Payload(&payload);
        assert_eq!(at_most("/payload/maxRunTime", "5").check(view), RuleVerdict::Holds);
        assert!(matches!(at_most("/payload/maxRunTime", "4").check(view), RuleVerdict::Broken(_)));
        assert_eq!(at_most("/retries", "4").check(view), RuleVerdict::NeedsTask);
        assert_eq!(not_after("/payload/artifacts/*/expires", "/expires").check(view), RuleVerdict::NeedsTask);
        assert_eq!(not_after("/payload/none/*/expires", "/expires").check(view), RuleVerdict::Holds);
    }
}
