//! Where `$ref` and its kin lead: inside the document, or to a document that is known beforehand. Never further.

use super::read::{Reader, without_fragment};
use super::{Model, NodeId, ResourceId, Rule, Scope};
use crate::{excerpt, pointer};
use referencing::uri;
use serde_json::Value;
use worker_types::{Dialect, Item, closest};

/// A reference that was read and not yet followed.
pub(super) struct Pending<'v> {
    pub(super) node: NodeId,
    pub(super) keyword: &'static str,
    pub(super) text: &'v str,
}

/// Why a reference leads nowhere.
enum Lost {
    /// Not a URI reference.
    NotAUri,
    /// Another document.
    Elsewhere(String),
    /// A pointer to a place that does not exist, and the closest one that does.
    Nowhere(Option<String>),
    /// A name that no anchor has, and the closest that one has.
    NoAnchor(Option<String>),
    /// A value that is no schema.
    NotASchema,
    /// The limits end before it.
    Unread,
}

/// Follows every reference; those found on the way too.
pub(super) fn resolve_all(reader: &mut Reader<'_, '_>) {
    while let Some(Pending { node, keyword, text }) = reader.pending.pop() {
        match resolve(reader, node, text) {
            Ok(target) => {
                let scope = scope(&reader.model, keyword, text, target);
                let rules = reader.model.nodes[node.0 as usize].rules.iter_mut();
                let mut references = rules.filter_map(|rule| match rule {
                    Rule::Reference(reference) => Some(reference),
                    _ => None,
                });
                if let Some(reference) = references.find(|reference| reference.keyword == keyword) {
                    (reference.target, reference.scope) = (Some(target), scope);
                }
            }
            Err(Lost::Unread) => {}
            Err(lost) => reader.fault(node, keyword, fault(text, lost)),
        }
    }
}

fn scope(model: &Model, keyword: &str, text: &str, target: NodeId) -> Scope {
    let resource = model.resource(model.node(target).resource);
    match keyword {
        "$recursiveRef" if resource.recursive && resource.root == target => Scope::Recursive,
        "$dynamicRef" => match text.rsplit_once('#').and_then(|(_, name)| resource.dynamic.get_key_value(name)) {
            Some((name, anchored)) if *anchored == target => Scope::Anchor(name.clone()),
            _ => Scope::Static,
        },
        _ => Scope::Static,
    }
}

fn resolve(reader: &mut Reader<'_, '_>, node: NodeId, text: &str) -> Result<NodeId, Lost> {
    let (address, fragment) = text.split_once('#').unwrap_or((text, ""));
    let resource = if address.is_empty() {
        reader.model.node(node).resource
    } else {
        let base = &reader.model.resource(reader.model.node(node).resource).uri;
        let resolved = uri::from_str(base).and_then(|base| uri::resolve_against(&base.borrow(), address));
        let resolved = resolved.map_err(|_| Lost::NotAUri)?;
        resource_of(reader, without_fragment(resolved.as_str()))?
    };
    let fragment = percent_decoded(fragment).ok_or(Lost::NotAUri)?;
    if fragment.is_empty() {
        return Ok(reader.model.resource(resource).root);
    }
    if fragment.starts_with('/') {
        return walk(reader, resource, &fragment);
    }
    reader.anchors.get(&(resource, fragment.clone())).copied().ok_or_else(|| {
        let names = reader.anchors.keys().filter(|(owner, _)| *owner == resource).map(|(_, name)| name.as_str());
        Lost::NoAnchor(closest(&fragment, names).map(|name| format!("#{name}")))
    })
}

fn resource_of(reader: &mut Reader<'_, '_>, uri: &str) -> Result<ResourceId, Lost> {
    if let Some(known) = reader.by_uri.get(uri) {
        return Ok(*known);
    }
    let value = reader.find_document(uri).ok_or_else(|| Lost::Elsewhere(uri.to_owned()))?;
    let document = u16::try_from(reader.values.len()).map_err(|_| Lost::Unread)?;
    reader.values.push(value);
    reader.model.documents.push(uri.to_owned());
    Ok(reader.document(uri, value, document))
}

/// Follows a JSON Pointer from a resource's root.
fn walk(reader: &mut Reader<'_, '_>, resource: ResourceId, fragment: &str) -> Result<NodeId, Lost> {
    let root = reader.model.resource(resource).root;
    let document = reader.values[usize::from(reader.model.node(root).document)];
    let start = reader.model.pointer(root);
    let start = start.rsplit_once('#').map_or(start.as_str(), |(_, pointer)| pointer);
    let mut value = document.pointer(start).ok_or(Lost::Nowhere(None))?;
    let (mut nearest, mut since, mut so_far) = (root, String::new(), String::from("#"));
    for token in pointer::tokens(fragment) {
        let next = match value {
            Value::Object(members) => members.get(token.as_ref()),
            Value::Array(elements) => token.parse::<usize>().ok().and_then(|index| elements.get(index)),
            _ => None,
        };
        value = next.ok_or_else(|| {
            let names = value.as_object().into_iter().flat_map(|members| members.keys().map(String::as_str));
            Lost::Nowhere(closest(&token, names).map(|name| pointer::join(&so_far, name)))
        })?;
        pointer::push(&mut so_far, &token);
        pointer::push(&mut since, &token);
        if let Some(known) = reader.by_address.get(&std::ptr::from_ref(value)) {
            nearest = *known;
            since.clear();
        }
    }
    if since.is_empty() {
        return Ok(nearest);
    }
    let boolean = value.is_boolean() && reader.model.node(nearest).dialect > Dialect::Draft04;
    if !value.is_object() && !boolean {
        return Err(Lost::NotASchema);
    }
    Ok(reader.stray(nearest, since, value))
}

/// A URI fragment without its escapes.
pub(crate) fn percent_decoded(fragment: &str) -> Option<String> {
    if !fragment.contains('%') {
        return Some(fragment.to_owned());
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                let code = digit(rest.next())? * 16 + digit(rest.next())?;
                u8::try_from(code).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn fault(text: &str, lost: Lost) -> Item {
    let shown = excerpt::plain(text, 200);
    let (problem, why, suggestion) = match lost {
        Lost::NotAUri => ("invalid-ref", format!("the reference {shown} is no URI reference"), None),
        Lost::Elsewhere(uri) => {
            let uri = excerpt::plain(&uri, 200);
            let message = if uri.starts_with("json-schema:") {
                format!("the reference {shown} leads to another document, and no schema here has that $id")
            } else {
                format!(
                    "the reference leads to {uri}, which is never fetched: a schema refers to places inside itself; \
                     copy the definition into this document"
                )
            };
            ("remote-ref", message, None)
        }
        Lost::Nowhere(close) => {
            ("unresolved-ref", format!("the reference {shown} leads to a place that does not exist"), close)
        }
        Lost::NoAnchor(close) => {
            ("unresolved-ref", format!("the reference {shown} names an anchor that does not exist"), close)
        }
        Lost::NotASchema | Lost::Unread => {
            ("unresolved-ref", format!("the reference {shown} leads to a value that is no schema"), None)
        }
    };
    let message = match &suggestion {
        Some(close) => format!("{why}; did you mean {close}?"),
        None => why,
    };
    Item::new(problem, "", message).suggest(suggestion)
}
