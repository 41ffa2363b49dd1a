//! A comparison of two contracts as people read it: the verdict, what is refused now, and each difference.

use crate::folder::{Sourced, Spot};
use crate::terminal::{BAD, FAINT, GOOD, NAME, WARN};
use anstyle::Style;
use serde_json::Value;
use worker_types::{Compatibility, CompatibilityVerdict, Effect, Finding, Item};

/// Characters of a value that stand on one line.
const LINE: usize = 100;

/// Where the places of two schemas stand in files.
pub struct Sides<'a> {
    /// By a pointer into the old schema.
    pub old: &'a dyn Fn(&str) -> Spot,
    /// By a pointer into the new schema.
    pub new: &'a dyn Fn(&str) -> Spot,
}

/// How a verdict is coloured.
pub fn style(verdict: CompatibilityVerdict) -> Style {
    match verdict {
        CompatibilityVerdict::Compatible => GOOD,
        CompatibilityVerdict::Breaking => BAD,
        CompatibilityVerdict::Unknown => WARN,
    }
}

/// Everything: the witness, and every difference with both of its places.
pub fn full(report: &Compatibility, sides: &Sides<'_>) -> Vec<String> {
    let mut lines = witness(report, "", NOW);
    for finding in &report.findings {
        lines.push(String::new());
        lines.push(head(finding));
        let mut side = |sign,
                        style: Style,
                        pointer: &Option<String>,
                        fragment: &Option<Value>,
                        spot: &dyn Fn(&str) -> Spot| {
            let Some(pointer) = pointer else { return };
            let shown = fragment.as_ref().map(Value::to_string).unwrap_or_default();
            lines.push(format!("  {style}{sign}{style:#} {FAINT}{}:{FAINT:#} {style}{shown}{style:#}", spot(pointer)));
        };
        side('-', BAD, &finding.old_schema_pointer, &finding.old_fragment, sides.old);
        side('+', GOOD, &finding.new_schema_pointer, &finding.new_fragment, sides.new);
    }
    lines
}

/// Whether a warning only says in short what [`brief`] says.
pub fn is_in_brief(item: &Item) -> bool {
    ["breaking-change", "compatibility-unknown"].contains(&item.problem.as_str())
}

/// What speaks for the verdict, each with its place in the files; the other differences are counted. Nothing where
/// everything stays accepted.
pub fn brief(report: &Compatibility, files: Option<&Sourced>) -> Vec<String> {
    let after = report.after_rollout.as_ref().filter(|after| after.verdict != CompatibilityVerdict::Compatible);
    if report.verdict == CompatibilityVerdict::Compatible && after.is_none() {
        return Vec::new();
    }
    let style = style(report.verdict);
    let against: Vec<String> = report.against.iter().map(ToString::to_string).collect();
    let revisions = if against.len() == 1 { "revision" } else { "revisions" };
    let mut lines =
        vec![format!("    {style}{}{style:#} for tasks of {revisions} {}", report.verdict, against.join(" and "))];
    lines.extend(placed_reasons(report, NOW, &|finding| spot(files?, finding)));
    if let Some(after) = after {
        lines.push(ended(after));
        lines.extend(placed_reasons(after, THEN, &|finding| spot(files?, finding)));
    }
    lines
}

fn ended(after: &Compatibility) -> String {
    let style = style(after.verdict);
    format!("    {style}{}{style:#} once the rollout has ended", after.verdict)
}

/// The witness and what speaks for the verdict.
pub fn reasons(report: &Compatibility) -> Vec<String> {
    let mut lines = placed_reasons(report, NOW, &|_| None);
    if let Some(after) = report.after_rollout.as_ref().filter(|after| after.verdict != CompatibilityVerdict::Compatible)
    {
        lines.push(ended(after));
        lines.extend(placed_reasons(after, THEN, &|_| None));
    }
    lines
}

fn placed_reasons(report: &Compatibility, when: &str, spot: &dyn Fn(&Finding) -> Option<Spot>) -> Vec<String> {
    if report.verdict == CompatibilityVerdict::Compatible {
        return Vec::new();
    }
    let mut lines = witness(report, "      ", when);
    for finding in report.reasons() {
        let change = match (&finding.old_fragment, &finding.new_fragment) {
            (Some(old), Some(new)) => format!(" {FAINT}({} → {}){FAINT:#}", short(old), short(new)),
            _ => String::new(),
        };
        let place = spot(finding).map(|spot| format!("{NAME}{spot}:{NAME:#} ")).unwrap_or_default();
        lines.push(format!("      {place}{}{change}", head(finding)));
    }
    lines.extend(others(report));
    lines
}

/// The differences that do not speak for the verdict, in numbers: what was not decided is not to be overlooked.
fn others(report: &Compatibility) -> Option<String> {
    let others = report.findings.len() - report.reasons().count();
    let undecided = match report.verdict {
        CompatibilityVerdict::Breaking => report.findings.iter().filter(|one| one.effect == Effect::Unknown).count(),
        _ => 0,
    };
    let differences = if others == 1 { "difference" } else { "differences" };
    let undecided = match undecided {
        0 => String::new(),
        some if some == others => format!(", {WARN}not decided{WARN:#}"),
        some => format!(", {WARN}{some} of them not decided{WARN:#}"),
    };
    (others > 0).then(|| format!("      {FAINT}and {others} other {differences}{FAINT:#}{undecided}"))
}

/// Where a definition's files say what a finding is about; none where more than one schema of its variant could be
/// meant, or a release says it.
fn spot(files: &Sourced, finding: &Finding) -> Option<Spot> {
    let variants = files.value().get("variants")?.as_array()?;
    let index = match &finding.variant {
        Some(name) => variants.iter().position(|variant| variant["name"] == name.as_str())?,
        None => 0,
    };
    let variant = variants.get(index).filter(|_| finding.variant.is_some() || variants.len() == 1)?;
    if variant.get("constraints").is_some() || variant.get("taskSchema").is_some() {
        return None;
    }
    let pointer = finding.new_schema_pointer.as_ref()?;
    variant.get("payloadSchema")?.pointer(pointer)?;
    Some(files.spot_of(&Item::new("", format!("/variants/{index}/payloadSchema{pointer}"), "")))
}

fn head(finding: &Finding) -> String {
    let style = match finding.effect {
        Effect::Tightened => BAD,
        Effect::Loosened => GOOD,
        Effect::Unknown => WARN,
        Effect::Documentation => FAINT,
    };
    let variant = finding.variant.as_ref().map(|name| format!(" {FAINT}[{name}]{FAINT:#}")).unwrap_or_default();
    let effect = finding.effect.as_str();
    format!("{style}{effect}{style:#} {NAME}{}{NAME:#}{variant}: {}", finding.place(), finding.message)
}

/// When the new contract is live: at once.
const NOW: &str = "refused now, accepted before";
/// When the new contract is live: once a rollout has ended.
const THEN: &str = "refused then, accepted until then";

/// The value that is refused, on one line if it fits.
fn witness(report: &Compatibility, indent: &str, when: &str) -> Vec<String> {
    let Some(value) = &report.witness else { return Vec::new() };
    let what = if report.witness_is_task { "task" } else { "payload" };
    let what = if report.against.is_empty() { "value" } else { what };
    let head = format!("{indent}{BAD}{when}{BAD:#}, the {what}");
    let line = value.to_string();
    if line.chars().count() <= LINE {
        return vec![format!("{head} {NAME}{line}{NAME:#}")];
    }
    let text = serde_json::to_string_pretty(value).unwrap_or(line);
    std::iter::once(head).chain(text.lines().map(|line| format!("{indent}  {line}"))).collect()
}

fn short(value: &Value) -> String {
    const SHORT: usize = 40;
    let text = value.to_string();
    if text.chars().count() <= SHORT { text } else { text.chars().take(SHORT).chain("…".chars()).collect() }
}

#[cfg(test)]
mod tests {
    use super::{brief, reasons};
    use worker_types::{Compatibility, CompatibilityVerdict, RevisionNumber};

    #[test]
    fn what_breaks_once_a_rollout_has_ended_is_told_though_nothing_breaks_before() {
        let against = vec![RevisionNumber(1)];
        let after = Compatibility::undecided(against.clone(), "the pattern is too large");
        let now = Compatibility {
            verdict: CompatibilityVerdict::Compatible,
            findings: Vec::new(),
            after_rollout: Some(Box::new(after)),
            ..Compatibility::undecided(against, "")
        };
        for lines in [brief(&now, None), reasons(&now)] {
            let text = anstream::adapter::strip_str(&lines.join("\n")).to_string();
            assert!(text.contains("unknown once the rollout has ended") && text.contains("too large"), "{text}");
        }
    }
}
