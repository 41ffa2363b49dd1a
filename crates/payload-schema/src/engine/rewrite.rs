//! The engine's copy of a schema: patterns in the common ground of ECMAScript and the linear engine, Taskcluster's
//! metaschema by the name of its draft. Every other place stays as its author wrote it.

use super::EXACT_PATTERN;
use crate::dialect::{self, Declared};
use crate::formats;
use crate::model::{Model, NodeId, Pattern, Read, Rule, percent_decoded};
use crate::pointer;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::HashMap;
use worker_types::Dialect;

/// `schema`, which `read` was read from, as the engine takes it.
///
/// A pattern that was refused becomes one that matches everything: its fault is reported, and must not hide others.
pub(crate) fn rewrite<'v>(schema: &'v Value, read: &Read) -> Cow<'v, Value> {
    let model = &read.model;
    let mut copy = Cow::Borrowed(schema);
    for (id, declared) in read.declared.iter().filter(|(id, _)| model.is_own(*id)) {
        if *declared == Declared::Taskcluster {
            replace(&mut copy, &model.keyword_pointer(*id, "$schema"), dialect::metaschema_uri(Dialect::Draft06));
        }
    }
    let mut renamed = HashMap::new();
    for (id, keyword, pattern) in read.patterns.iter().filter(|(id, ..)| model.is_own(*id)) {
        let pattern = model.pattern(*pattern);
        let Some((text, exact)) = engine_text(pattern, model.node(*id).dialect) else { continue };
        let pointer = model.keyword_pointer(*id, keyword);
        if *keyword != "pattern" {
            renamed.insert(pointer::join(&pointer, &pattern.source), text.to_owned());
        } else if let Some(exact) = exact {
            replace_keyword(&mut copy, &model.pointer(*id), exact);
        } else {
            replace(&mut copy, &pointer, text);
        }
    }
    if !renamed.is_empty() {
        for id in model.ids().filter(|id| model.is_own(*id)) {
            for rule in &model.node(id).rules {
                if let Rule::Reference(reference) = rule {
                    redirect(&mut copy, model, id, reference.keyword, &renamed);
                }
            }
        }
        rename(copy.to_mut(), &mut String::new(), &renamed);
    }
    copy
}

/// What the engine gets instead of the author's text; and what it must match exactly, where its metaschemas would
/// refuse that as a pattern.
fn engine_text(pattern: &Pattern, dialect: Dialect) -> Option<(&str, Option<&str>)> {
    match &pattern.translated {
        Ok(translated) if translated.as_written => None,
        Ok(translated) => Some(match &translated.common {
            Some(common) if formats::are_asserted(dialect) => (common, Some(&translated.text)),
            _ => (&translated.text, None),
        }),
        Err(_) => Some(("", None)),
    }
}

/// Moves a pattern to the keyword under which the engine takes it unchecked.
fn replace_keyword(copy: &mut Cow<'_, Value>, node: &str, text: &str) {
    if let Some(schema) = copy.to_mut().pointer_mut(node).and_then(Value::as_object_mut) {
        schema.shift_remove("pattern");
        schema.insert(EXACT_PATTERN.to_owned(), Value::from(text));
    }
}

fn replace(copy: &mut Cow<'_, Value>, pointer: &str, text: &str) {
    if let Some(value) = copy.to_mut().pointer_mut(pointer) {
        *value = Value::from(text);
    }
}

/// Gives the keys of `patternProperties` their new names, inner ones first. Two that become equal are kept apart.
fn rename(value: &mut Value, here: &mut String, renamed: &HashMap<String, String>) {
    let length = here.len();
    match value {
        Value::Object(members) => {
            let mut changed = false;
            for (name, member) in members.iter_mut() {
                pointer::push(here, name);
                changed |= renamed.contains_key(here);
                rename(member, here, renamed);
                here.truncate(length);
            }
            if changed {
                let mut copy = Map::with_capacity(members.len());
                for (name, member) in std::mem::take(members) {
                    pointer::push(here, &name);
                    let mut new = renamed.get(here).cloned().unwrap_or(name);
                    here.truncate(length);
                    while copy.contains_key(&new) {
                        new.push_str("(?:)");
                    }
                    copy.insert(new, member);
                }
                *members = copy;
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                pointer::push(here, &index.to_string());
                rename(element, here, renamed);
                here.truncate(length);
            }
        }
        _ => {}
    }
}

/// Makes a reference that goes through a renamed key follow it.
fn redirect(copy: &mut Cow<'_, Value>, model: &Model, id: NodeId, keyword: &str, renamed: &HashMap<String, String>) {
    let pointer = model.keyword_pointer(id, keyword);
    let Some(text) = copy.pointer(&pointer).and_then(Value::as_str) else { return };
    let Some(fragment) = text.strip_prefix('#').filter(|fragment| fragment.contains("/patternProperties/")) else {
        return;
    };
    let Some(fragment) = percent_decoded(fragment) else { return };
    let mut place = model.pointer(model.resource(model.node(id).resource).root);
    let mut followed = String::from("#");
    let mut changed = false;
    for token in pointer::tokens(&fragment) {
        pointer::push(&mut place, &token);
        let new = renamed.get(&place);
        changed |= new.is_some();
        pointer::push(&mut followed, new.map_or(token.as_ref(), String::as_str));
    }
    if changed {
        replace(copy, &pointer, &encoded(&followed));
    }
}

/// A reference with what RFC 3986 does not allow in it percent-encoded.
pub(super) fn encoded(reference: &str) -> String {
    reference.chars().fold(String::new(), |mut encoded, c| {
        if c.is_ascii_alphanumeric() || "#/~-._$*+!',;=:@()&?".contains(c) {
            encoded.push(c);
        } else {
            c.to_string().bytes().for_each(|byte| encoded.push_str(&format!("%{byte:02X}")));
        }
        encoded
    })
}
