//! Markdown for people: rendered, then cleaned of everything that could act or load something from elsewhere.

mod clean;
mod limits;

use comrak::nodes::{NodeHeading, NodeLink, NodeValue};
use comrak::{Anchorizer, Arena, Node, Options, format_html, parse_document};
use std::collections::HashSet;

/// A text as it stands in a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Safe to stand in a page.
    pub html: String,
    /// In order.
    pub headings: Vec<Heading>,
}

/// A heading that can be linked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// From 1.
    pub level: u8,
    /// The anchor, without `#`.
    pub id: String,
    /// Without markup.
    pub text: String,
}

/// The rendered text, with its headings as they are written.
pub fn to_html(markdown: &str) -> String {
    section(markdown, 1).html
}

/// The text as a part of a page; see [`Sections::add`].
pub fn section(markdown: &str, below: u8) -> Section {
    Sections::default().add(markdown, below)
}

/// Texts that stand on one page: no two of their headings have the same anchor.
#[derive(Default)]
pub struct Sections {
    taken: HashSet<String>,
    count: usize,
}

impl Sections {
    /// Adds a text whose highest heading becomes a heading of level `below`, and none of whose levels is left out on the way
    /// down, so that a reader who jumps from heading to heading misses none. With `below` 1 headings stay as written.
    pub fn add(&mut self, markdown: &str, below: u8) -> Section {
        let markdown = limits::within(markdown);
        let arena = Arena::new();
        let mut options = options(&markdown, true);
        let root = parse_document(&arena, &markdown, &options);
        link_images(root);
        let headings = place(root, below);
        self.count += 1;
        if headings.len() > limits::HEADINGS {
            options.extension.header_id_prefix = None;
            return Section { html: rendered(root, &options), headings: Vec::new() };
        }
        let headings = self.with_ids(root, headings, &mut options);
        Section { html: rendered(root, &options), headings }
    }

    /// Gives the headings the anchors that the renderer will make: as they are, unless another text has one of them already;
    /// then all of this text's get a beginning of their own, which its links to them get, too.
    fn with_ids(&mut self, root: Node<'_>, headings: Vec<(u8, String)>, options: &mut Options<'_>) -> Vec<Heading> {
        let mut anchors = Anchorizer::new();
        let ids: Vec<String> = headings.iter().map(|(_, text)| anchors.anchorize(text)).collect();
        let mut start = String::new();
        if ids.iter().any(|id| self.taken.contains(id)) {
            start = format!("part-{}-", self.count);
            let own: HashSet<&str> = ids.iter().map(String::as_str).collect();
            for node in root.descendants() {
                if let NodeValue::Link(link) = &mut node.data_mut().value
                    && let Some(id) = link.url.strip_prefix('#').filter(|id| own.contains(id))
                {
                    link.url = format!("#{start}{id}");
                }
            }
        }
        options.extension.header_id_prefix = Some(start.clone());
        options.extension.header_id_prefix_in_href = true;
        let heading = |((level, text), id): ((u8, String), String)| Heading { level, id: format!("{start}{id}"), text };
        let headings: Vec<Heading> = headings.into_iter().zip(ids).map(heading).collect();
        self.taken.extend(headings.iter().map(|heading| heading.id.clone()));
        headings
    }
}

/// Gives the headings their levels in the page; what they say, in order.
fn place(root: Node<'_>, below: u8) -> Vec<(u8, String)> {
    let mut levels = Levels { below, open: Vec::new() };
    let mut headings = Vec::new();
    for node in root.descendants() {
        let Some(level) = heading_level(node) else { continue };
        let level = if below == 1 { level } else { levels.place(level) };
        set_level(node, level);
        headings.push((level, node.collect_text()));
    }
    headings
}

/// A few words, such as a description in a schema: headings become emphasis, and nothing in it can be linked to.
pub fn snippet(markdown: &str) -> String {
    let markdown = limits::within(markdown);
    let options = options(&markdown, false);
    let arena = Arena::new();
    let root = parse_document(&arena, &markdown, &options);
    link_images(root);
    for node in root.descendants() {
        if heading_level(node).is_some() {
            node.data_mut().value = NodeValue::Paragraph;
        }
    }
    rendered(root, &options)
}

fn options(markdown: &str, anchors: bool) -> Options<'static> {
    let mut options = Options::default();
    options.extension.table = limits::may_have_tables(markdown);
    options.extension.strikethrough = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    // Without a prefix, so that an author's own links to headings (`#limits`) lead there.
    options.extension.header_id_prefix = anchors.then(String::new);
    options
}

fn rendered(root: Node<'_>, options: &Options<'_>) -> String {
    let mut html = String::new();
    // Writing to memory does not fail.
    let _ = format_html(root, options, &mut html);
    clean::clean(&html)
}

/// Images become links to them: a page loads nothing from elsewhere.
fn link_images(root: Node<'_>) {
    for node in root.descendants() {
        let mut data = node.data_mut();
        if let NodeValue::Image(image) = &data.value {
            let link = NodeLink { url: image.url.clone(), title: image.title.clone() };
            data.value = NodeValue::Link(Box::new(link));
        }
    }
}

fn heading_level(node: Node<'_>) -> Option<u8> {
    match &node.data().value {
        NodeValue::Heading(heading) => Some(heading.level),
        _ => None,
    }
}

fn set_level(node: Node<'_>, level: u8) {
    if let NodeValue::Heading(NodeHeading { level: written, .. }) = &mut node.data_mut().value {
        *written = level;
    }
}

/// Gives headings levels that follow one another.
struct Levels {
    below: u8,
    /// The levels, as written, of the headings that the next one may stand under.
    open: Vec<u8>,
}

impl Levels {
    fn place(&mut self, written: u8) -> u8 {
        while self.open.last().is_some_and(|open| *open >= written) {
            self.open.pop();
        }
        self.open.push(written);
        let depth = u8::try_from(self.open.len() - 1).unwrap_or(u8::MAX);
        self.below.saturating_add(depth).min(6)
    }
}

#[cfg(test)]
mod tests;
