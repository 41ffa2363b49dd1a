//! The documentation of a worker type: its owner's words first, then each variant's, then those of the releases that
//! run there, each under a heading of its own.

use crate::resolve::ResolvedVariant;
use crate::rollout::OpenRollout;
use serde_json::Value;
use worker_types::{Definition, Item, Object, RolloutPolicy, WorkerTypeId};

/// What one of those who know says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is about; none for the worker type itself.
    pub about: Option<String>,
    /// Markdown.
    pub text: String,
}

/// One Markdown document for authors.
pub(crate) fn markdown(id: &WorkerTypeId, definition: &Definition, variants: &[ResolvedVariant]) -> String {
    let mut text = String::new();
    if definition.documentation.is_none() {
        push(&mut text, &format!("# {id}\n\n{}", definition.description));
    }
    for part in parts(definition, variants) {
        if let Some(about) = &part.about {
            push(&mut text, &format!("## {about}"));
        }
        push(&mut text, &part.text);
    }
    text
}

/// What authors must know of an open rollout before they read what is said of its newer revision.
pub(crate) fn rollout_note(id: &WorkerTypeId, rollout: &OpenRollout) -> String {
    let OpenRollout { from, to, policy, completes_at, .. } = rollout;
    let asks = match policy {
        RolloutPolicy::Strict => "both must accept a task",
        RolloutPolicy::Lenient | RolloutPolicy::Immediate => "a task is accepted if either accepts it",
    };
    let end = completes_at.map(|at| format!(", at the latest at {at:.0}")).unwrap_or_default();
    format!(
        "> **A {policy} rollout of {id} is open:** revisions {from} and {to} are both live, and {asks}. \
         This is the documentation of revision {to}, which will be live alone when the rollout is complete{end}. \
         That of revision {from}: `?revision={from}`, or `wm docs {id} --revision {from}`.\n\n"
    )
}

/// The documentation, each part by itself.
pub(crate) fn parts(definition: &Definition, variants: &[ResolvedVariant]) -> Vec<Part> {
    let own = definition.documentation.as_deref().map(|words| fill(words, &configuration_of_all(variants)));
    let mut parts: Vec<Part> = own.map(|text| Part { about: None, text }).into_iter().collect();
    for variant in variants {
        let Some(words) = &variant.documentation else { continue };
        let about = Some(format!("Variant {}", variant.contract.name));
        parts.push(Part { about, text: fill(words, &variant.configuration) });
    }
    let mut shown: Vec<String> = Vec::new();
    for variant in variants {
        let (Some(words), Some(release)) = (&variant.release_documentation, &variant.contract.release) else {
            continue;
        };
        if !shown.contains(&release.to_string()) {
            shown.push(release.to_string());
            let about = Some(format!("Implementation {} {}", release.implementation(), release.version()));
            parts.push(Part { about, text: fill(words, &variant.configuration) });
        }
    }
    parts
}

/// A warning for each `{{configuration.NAME}}` that stands for nothing.
pub(crate) fn empty_placeholders(definition: &Definition, variants: &[ResolvedVariant]) -> Vec<Item> {
    let all = configuration_of_all(variants);
    let top = definition.documentation.iter().map(|words| ("/documentation".to_owned(), words, &all));
    let per_variant = variants.iter().filter_map(|variant| {
        let words = variant.documentation.as_ref()?;
        Some((format!("/variants/{}/documentation", variant.index), words, &variant.configuration))
    });
    top.chain(per_variant)
        .flat_map(|(pointer, words, configuration)| {
            placeholders(words)
                .filter(|name| lookup(configuration, name).is_none())
                .map(move |name| {
                    let message =
                        format!("{pointer} shows {{{{configuration.{name}}}}}, but no configuration has {name:?}");
                    Item::new("empty-placeholder", pointer.clone(), message)
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

fn push(text: &mut String, part: &str) {
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(part.trim_end());
}

/// The facts that hold for the worker type as a whole: those on which its variants do not differ.
fn configuration_of_all(variants: &[ResolvedVariant]) -> Object {
    let mut all = Object::new();
    for (name, value) in variants.iter().flat_map(|variant| &variant.configuration) {
        let differs = |variant: &ResolvedVariant| variant.configuration.get(name).is_some_and(|other| other != value);
        if !variants.iter().any(differs) {
            all.insert(name.clone(), value.clone());
        }
    }
    all
}

const OPEN: &str = "{{configuration.";
const CLOSE: &str = "}}";

fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split(OPEN).skip(1).filter_map(|rest| rest.split_once(CLOSE)).map(|(name, _)| name.trim())
}

/// Replaces each placeholder that stands for something; the others stay as they are written.
fn fill(text: &str, configuration: &Object) -> String {
    let mut parts = text.split(OPEN);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let found = part.split_once(CLOSE).and_then(|(name, rest)| Some((lookup(configuration, name.trim())?, rest)));
        match found {
            Some((Value::String(value), rest)) => filled.extend([value.as_str(), rest]),
            Some((value, rest)) => filled.extend([value.to_string().as_str(), rest]),
            None => filled.extend([OPEN, part]),
        }
    }
    filled
}

fn lookup<'c>(configuration: &'c Object, name: &str) -> Option<&'c Value> {
    let mut parts = name.split('.');
    let first = configuration.get(parts.next()?)?;
    parts.try_fold(first, |value, part| value.get(part))
}

#[cfg(test)]
mod tests {
    use super::fill;
    use serde_json::json;

    #[test]
    fn placeholders_show_the_configuration_and_others_stay() {
        let configuration = json!({"maxTaskRunTime": 86400, "region": "eu", "disk": {"gb": 40}});
        let configuration = configuration.as_object().unwrap();
        let text = "at most {{configuration.maxTaskRunTime}} s in {{ region }}, {{configuration.disk.gb}} GB {{configuration.none}} {{configuration.";
        assert_eq!(
            fill(text, configuration),
            "at most 86400 s in {{ region }}, 40 GB {{configuration.none}} {{configuration."
        );
    }
}
