//! What taskgraph leaves open in the graphs that it writes, and fills in when it creates the tasks: dates relative to
//! now, ids of other tasks, URLs of their artifacts. Filled in here as well, so that the tasks are judged as they will be.

use jiff::{Span, Timestamp, tz::TimeZone};
use serde_json::Value;

/// A task id that stands for those that are not known yet.
const SOME_TASK: &str = "AAAAAAAAQACAAAAAAAAAAA";

/// `value` with everything filled in, as of `now`.
pub(super) fn resolved(value: Value, now: Timestamp) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(|item| resolved(item, now)).collect(),
        Value::Object(members) => {
            if let (1, Some((key, Value::String(text)))) = (members.len(), members.iter().next())
                && let Some(filled) = filled(key, text, now)
            {
                return Value::from(filled);
            }
            Value::Object(members.into_iter().map(|(key, member)| (key, resolved(member, now))).collect())
        }
        scalar => scalar,
    }
}

fn filled(key: &str, text: &str, now: Timestamp) -> Option<String> {
    match key {
        "relative-datestamp" => relative(text, now),
        "task-reference" => Some(substituted(text, |_| SOME_TASK.to_owned())),
        "artifact-reference" => Some(substituted(text, |name| {
            let path = name.split_once('/').map_or(name, |(_, path)| path);
            format!("https://tc.example.com/api/queue/v1/task/{SOME_TASK}/artifacts/{path}")
        })),
        _ => None,
    }
}

/// `text` with each `<name>` replaced; `<<>` is a `<` of its own.
fn substituted(text: &str, replacement: impl Fn(&str) -> String) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        result.push_str(before);
        let Some((name, behind)) = after.split_once('>') else {
            result.push('<');
            rest = after;
            continue;
        };
        if name == "<" {
            result.push('<');
        } else {
            result.push_str(&replacement(name));
        }
        rest = behind;
    }
    result + rest
}

/// `1 year`, `2 days 3 hours`, `-1 minute`: the time that far from now, as Taskcluster writes it.
fn relative(text: &str, now: Timestamp) -> Option<String> {
    let trimmed = text.trim();
    let (sign, trimmed) = match trimmed.strip_prefix('-') {
        Some(rest) => (-1, rest.trim()),
        None => (1, trimmed.strip_prefix('+').unwrap_or(trimmed).trim()),
    };
    let mut span = Span::new();
    let mut rest = trimmed;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let count = rest[..digits].parse::<i64>().ok()?.checked_mul(sign)?;
        let unit = rest[digits..].trim_start();
        let end = unit.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(unit.len());
        span = with(span, &unit[..end], count)?;
        rest = unit[end..].trim_start();
    }
    let then = now.to_zoned_datetime(TimeZone::UTC).checked_add(span).ok()?;
    Some(format!("{:.3}", then.timestamp()))
}

fn with(span: Span, unit: &str, count: i64) -> Option<Span> {
    match unit {
        "years" | "year" | "yr" | "y" => span.try_years(count),
        "months" | "month" | "mo" => span.try_months(count),
        "weeks" | "week" | "wk" | "w" => span.try_weeks(count),
        "days" | "day" | "d" => span.try_days(count),
        "hours" | "hour" | "hr" | "h" => span.try_hours(count),
        "minutes" | "minute" | "min" | "m" => span.try_minutes(count),
        "seconds" | "second" | "sec" | "s" => span.try_seconds(count),
        _ => return None,
    }
    .ok()
}

#[cfg(test)]
mod tests {
    use super::{SOME_TASK, resolved};
    use serde_json::json;
    use worker_types::TaskId;

    #[test]
    fn dates_and_references_are_filled_in() {
        let task = json!({
            "created": {"relative-datestamp": "0 seconds"},
            "deadline": {"relative-datestamp": "1 day"},
            "expires": {"relative-datestamp": "1 year 2h"},
            "before": {"relative-datestamp": "-5 minutes"},
            "odd": {"relative-datestamp": "soon"},
            "payload": {
                "env": {"IMAGE": {"task-reference": "<docker-image>"}},
                "command": ["a", {"task-reference": "x <build> <<> y"}, {"artifact-reference": "<build/public/a.zip>"}],
                "kept": {"task-reference": "x", "other": 1},
            },
        });
        let url = format!("https://tc.example.com/api/queue/v1/task/{SOME_TASK}/artifacts/public/a.zip");
        assert_eq!(
            resolved(task, "2027-01-01T00:00:00Z".parse().unwrap()),
            json!({
                "created": "2027-01-01T00:00:00.000Z",
                "deadline": "2027-01-02T00:00:00.000Z",
                "expires": "2028-01-01T02:00:00.000Z",
                "before": "2026-12-31T23:55:00.000Z",
                "odd": {"relative-datestamp": "soon"},
                "payload": {
                    "env": {"IMAGE": SOME_TASK},
                    "command": ["a", format!("x {SOME_TASK} < y"), url],
                    "kept": {"task-reference": "x", "other": 1},
                },
            })
        );
        assert!(SOME_TASK.parse::<TaskId>().is_ok());
    }
}
