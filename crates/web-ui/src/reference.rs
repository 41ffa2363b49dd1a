//! A payload schema as a reference that people read: every property with its type, what it must be and what it is for.
//!
//! What a schema hides is shown in place: references are followed, `allOf` is put together, choices are listed. A recursion
//! is shown once and unfolded on a page of its own; so is what is too much for one page.

mod anchor;
mod facts;
mod words;

pub(crate) use anchor::{encoded, of_path};

use crate::json_text;
use maud::{Markup, PreEscaped, html};
use payload_schema::{Layer, Limits, Outline, choices, first_keyword};
use serde_json::Value;
use std::cell::Cell;
use worker_types::Dialect;

/// Properties on one page.
const SHOWN: usize = 600;
/// Of HTML that is shown unfolded.
const FEW_BYTES: usize = 1_500;
/// Parts inside one another on one page.
const DEPTH: usize = 12;

/// The reference of one schema.
pub(crate) struct Reference<'s> {
    outline: Outline<'s>,
    /// Before every anchor, so that two references on one page have different ones.
    prefix: &'s str,
    /// The URL of the page about one place: the place follows it, percent-encoded.
    elsewhere: String,
    /// What a pool asks beyond the schema: the path of a property and what it must be there.
    narrowed: Vec<(String, String)>,
    left: Cell<usize>,
}

/// What stands before the anchors of a variant's properties: nothing for the first, to which documentation links.
pub(crate) fn prefix(index: usize, variant: &str) -> String {
    if index == 0 { String::new() } else { format!("{variant}/") }
}

/// Where a part stands.
#[derive(Clone)]
struct Spot {
    /// The schemas that say what it is.
    pointers: Vec<String>,
    /// From the payload on, as authors write it: `payload.artifacts[].name`.
    path: String,
    /// The same as an anchor.
    anchor: String,
    /// The definitions that it is a part of.
    trail: Vec<String>,
    depth: usize,
}

impl<'s> Reference<'s> {
    pub(crate) fn new(schema: &'s Value, dialect: Dialect, prefix: &'s str, elsewhere: String) -> Self {
        let outline = Outline::new(schema, dialect, &Limits::default());
        Self { outline, prefix, elsewhere, narrowed: Vec::new(), left: Cell::new(SHOWN) }
    }

    /// With what a pool asks beyond the schema said beside each property.
    pub(crate) fn narrowed(self, narrowed: Vec<(String, String)>) -> Self {
        Self { narrowed, ..self }
    }

    /// What stands at `pointer`, called `path`; the first `skip` properties are left out.
    pub(crate) fn render(&self, pointer: &str, path: &str, skip: usize) -> Markup {
        let anchor = anchor::of_name(path).replace("!2e;", ".");
        let spot =
            Spot { pointers: vec![pointer.to_owned()], path: path.to_owned(), anchor, trail: Vec::new(), depth: 0 };
        let layers = self.outline.layers(&spot.pointers);
        let trail = spot.trail_with(&layers);
        html! {
            (described(&layers))
            (facts::list(&layers))
            (self.parts(&Spot { trail, ..spot }, &layers, skip))
        }
    }

    /// The properties at the top: the path of each, and its name.
    pub(crate) fn tops(&self) -> Vec<(String, String)> {
        let members = Outline::members(&self.outline.layers(&[String::new()]));
        let top = |name: &str| (format!("{}payload.{}", self.prefix, anchor::of_name(name)), json_text::name(name));
        members.iter().map(|member| top(member.name)).collect()
    }

    /// Whether there is anything at `pointer`.
    pub(crate) fn has(&self, pointer: &str) -> bool {
        self.outline.at(pointer).is_some()
    }

    /// One part under its name, with everything in it.
    fn part(&self, name: Markup, required: bool, spot: Spot) -> Markup {
        let layers = self.outline.layers(&spot.pointers);
        let refused = spot.pointers.iter().any(|pointer| self.outline.at(pointer) == Some(&Value::Bool(false)));
        let recursive = layers.iter().any(|layer| layer.is_target && spot.trail.contains(&layer.pointer));
        if self.left.get() == 0 {
            return html! { @if let Some(pointer) = spot.pointers.first() {
                p.quiet { a href=(self.elsewhere(pointer, &spot.path, 0)) { "Unfold " code { (spot.path) } } }
            } };
        }
        let id = format!("{}{}", self.prefix, spot.anchor);
        let trail = spot.trail_with(&layers);
        self.left.set(self.left.get().saturating_sub(1));
        html! {
            div.property id=(id) data-name=(spot.path) {
                p.head {
                    a.name href={ "#" (id) } { (name) }
                    " " span.type { (if refused { "not allowed".to_owned() } else { words::kind(&self.outline, &layers) }) }
                    @if required { " " strong.required { "required" } }
                    @if first_keyword(&layers, "deprecated") == Some(&Value::Bool(true)) { " " strong.deprecated { "deprecated" } }
                }
                (described(&layers))
                (facts::list(&layers))
                @for (_, words) in self.narrowed.iter().filter(|(path, _)| *path == spot.path.replace("[]", ".*")) {
                    p.narrowed { strong { "Here" } " " (words) }
                }
                @if recursive || spot.depth >= DEPTH {
                    @if let Some(pointer) = spot.pointers.first() {
                        p.quiet { a href=(self.elsewhere(pointer, &spot.path, 0)) { "Unfold " code { (spot.path) } } }
                    }
                } @else {
                    (self.inside(&Spot { trail, ..spot }, &layers))
                }
            }
        }
    }

    /// The parts of a part: folded where they are deep.
    fn inside(&self, spot: &Spot, layers: &[Layer<'s>]) -> Markup {
        let parts = self.parts(spot, layers, 0).into_string();
        if parts.is_empty() {
            return PreEscaped(parts);
        }
        let words = words::inside(layers);
        // A few lines are read at once; more is asked for.
        let few = spot.depth < 2 && parts.len() < FEW_BYTES;
        html! {
            details.parts open[few] {
                summary { (words) span.visually-hidden { " of " (spot.path) } }
                (PreEscaped(parts))
            }
        }
    }

    fn parts(&self, spot: &Spot, layers: &[Layer<'s>], skip: usize) -> Markup {
        html! {
            (self.members(spot, layers, skip))
            @for layer in layers {
                (self.named_by_pattern(spot, layer))
                (self.elements(spot, layer))
                (self.choices(spot, layer))
                (self.conditions(spot, layer))
            }
        }
    }

    fn members(&self, spot: &Spot, layers: &[Layer<'s>], skip: usize) -> Markup {
        let members = Outline::members(layers);
        let mut shown = skip;
        html! {
            @for member in members.iter().skip(skip) {
                @if self.left.get() > 0 {
                    ({ shown += 1; self.part(html! { code { (json_text::name(member.name)) } }, member.is_required, spot.member(member.name, member.pointers.clone())) })
                }
            }
            @if shown < members.len() {
                @if let Some(pointer) = spot.pointers.first() {
                    p.note { a href=(self.elsewhere(pointer, &spot.path, shown)) { (members.len() - shown) " more properties" } }
                }
            }
            @if !members.is_empty() && is_closed(layers) { p.quiet { "No other properties." } }
        }
    }

    fn named_by_pattern(&self, spot: &Spot, layer: &Layer<'s>) -> Markup {
        let patterns = layer.keywords.get("patternProperties").and_then(Value::as_object);
        html! {
            @for (pattern, _) in patterns.into_iter().flatten().take(self.left.get()) {
                (self.part(
                    html! { "names like " code { (pattern) } },
                    false,
                    spot.member(&format!("/{pattern}/"), vec![below(&layer.pointer, &["patternProperties", pattern])]),
                ))
            }
            @for keyword in ["additionalProperties", "unevaluatedProperties"] {
                @if layer.keywords.get(keyword).and_then(Value::as_object).is_some_and(|schema| !schema.is_empty()) {
                    (self.part(html! { (if layer.keywords.contains_key("properties") { "any other name" } else { "any name" }) }, false, spot.member("*", vec![below(&layer.pointer, &[keyword])])))
                }
            }
        }
    }

    fn elements(&self, spot: &Spot, layer: &Layer<'s>) -> Markup {
        let tuple = ["prefixItems", "items"].into_iter().find_map(|keyword| {
            layer.keywords.get(keyword).and_then(Value::as_array).map(|list| (keyword, list.len()))
        });
        html! {
            @if let Some((keyword, count)) = tuple {
                @for index in 0..count.min(self.left.get()) {
                    (self.part(
                        html! { "element " (index) },
                        false,
                        spot.element(&index.to_string(), below(&layer.pointer, &[keyword, &index.to_string()])),
                    ))
                }
            }
            @for (keyword, name) in [("items", "each element"), ("additionalItems", "each further element"), ("contains", "some element")] {
                @if layer.keywords.get(keyword).and_then(Value::as_object).is_some_and(|schema| !words::is_plain(schema)) {
                    (self.part(html! { (name) }, false, spot.element("", below(&layer.pointer, &[keyword]))))
                }
            }
        }
    }

    fn choices(&self, spot: &Spot, layer: &Layer<'s>) -> Markup {
        html! {
            @for (keyword, words) in [("oneOf", "Exactly one of these:"), ("anyOf", "At least one of these:")] {
                @if let Some(branches) = choices(layer.keywords, keyword) {
                    div.choices {
                        p { (words) }
                        @for index in 0..branches.len() {
                            (self.branch(spot, below(&layer.pointer, &[keyword, &index.to_string()]), index))
                        }
                    }
                }
            }
            @if let Some(not) = layer.keywords.get("not") {
                p { "Must not be: " code { (words::excerpt(not)) } }
            }
        }
    }

    fn branch(&self, spot: &Spot, pointer: String, index: usize) -> Markup {
        let layers = self.outline.layers(std::slice::from_ref(&pointer));
        let recursive = layers.iter().any(|layer| layer.is_target && spot.trail.contains(&layer.pointer));
        let label = words::branch(&self.outline, &layers, index);
        if recursive || self.left.get() == 0 || spot.depth >= DEPTH {
            return html! { p.quiet { a href=(self.elsewhere(&pointer, &spot.path, 0)) { (label) } } };
        }
        let spot = Spot {
            path: spot.path.clone(),
            anchor: format!("{}~{}", spot.anchor, index + 1),
            trail: spot.trail_with(&layers),
            depth: spot.depth + 1,
            pointers: vec![pointer],
        };
        html! {
            details.choice open[spot.depth < 2] {
                summary { (label) }
                (described_beside(&layers, Some(&label)))
                (facts::list(&layers))
                (self.parts(&spot, &layers, 0))
            }
        }
    }

    fn conditions(&self, spot: &Spot, layer: &Layer<'s>) -> Markup {
        let Some(test) = layer.keywords.get("if") else { return html! {} };
        html! {
            @for (keyword, words) in [("then", "If it is like "), ("else", "If it is not like ")] {
                @if layer.keywords.get(keyword).is_some_and(Value::is_object) {
                    div.choices {
                        p { (words) code { (words::excerpt(test)) } ", then:" }
                        (self.branch(spot, below(&layer.pointer, &[keyword]), usize::from(keyword == "else")))
                    }
                }
            }
        }
    }

    fn elsewhere(&self, pointer: &str, path: &str, skip: usize) -> String {
        format!("{}{}&path={}&skip={skip}", self.elsewhere, encoded(pointer), encoded(path))
    }
}

impl Spot {
    fn member(&self, name: &str, pointers: Vec<String>) -> Self {
        let anchor = format!("{}.{}", self.anchor, if name == "*" { name.to_owned() } else { anchor::of_name(name) });
        let path = format!("{}.{name}", self.path);
        Self { path, anchor, pointers, trail: self.trail.clone(), depth: self.depth + 1 }
    }

    fn element(&self, index: &str, pointer: String) -> Self {
        let (path, anchor) = (format!("{}[{index}]", self.path), format!("{}[{index}]", self.anchor));
        Self { path, anchor, pointers: vec![pointer], trail: self.trail.clone(), depth: self.depth + 1 }
    }

    fn trail_with(&self, layers: &[Layer<'_>]) -> Vec<String> {
        let mut trail = self.trail.clone();
        // The place itself, too: a schema may refer to its root.
        trail.extend(layers.iter().map(|layer| layer.pointer.clone()));
        trail
    }
}

fn described(layers: &[Layer<'_>]) -> Markup {
    described_beside(layers, None)
}

/// Title and description, without what was said already.
fn described_beside(layers: &[Layer<'_>], said: Option<&str>) -> Markup {
    let text = |keyword| first_keyword(layers, keyword).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let (title, description) = (text("title"), text("description"));
    html! {
        @if let Some(title) = title.filter(|title| Some(*title) != description && Some(*title) != said) { p.title { (title) } }
        @if let Some(description) = description { div.description { (PreEscaped(markdown::snippet(description))) } }
    }
}

fn is_closed(layers: &[Layer<'_>]) -> bool {
    let closes = |keyword| layers.iter().any(|layer| layer.keywords.get(keyword) == Some(&Value::Bool(false)));
    closes("additionalProperties") || closes("unevaluatedProperties")
}

fn below(pointer: &str, names: &[&str]) -> String {
    let mut pointer = pointer.to_owned();
    for name in names {
        pointer.push('/');
        pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
    }
    pointer
}

#[cfg(test)]
mod tests;
