//! What is legal and probably not meant. Each warning names a place, says how it is read, and what was perhaps meant.

mod formats;
mod keywords;
mod never;
mod objects;

use crate::dialect::{self, Declared};
use crate::model::{Model, Read};
use crate::pattern::Remark;
use serde_json::Value;
use worker_types::{Dialect, Item};

/// The warnings about `schema`, which `read` was read from; `dialect` is what its surroundings say.
pub(crate) fn lint(schema: &Value, read: &Read, dialect: Option<Dialect>) -> Vec<Item> {
    let mut warnings = Vec::new();
    dialects(schema, read, dialect, &mut warnings);
    patterns(read, &mut warnings);
    let mut never = never::Never::new(&read.model);
    for id in read.model.ids().filter(|id| read.model.is_own(*id)) {
        let pointer = read.model.pointer(id);
        if let Some(keywords) = schema.pointer(&pointer).and_then(Value::as_object) {
            let subschema = Subschema { model: &read.model, id, pointer: &pointer, keywords };
            keywords::lint(&subschema, &mut warnings);
            formats::lint(&subschema, &mut warnings);
            objects::lint(&subschema, &mut warnings);
            never.lint(id, &mut warnings);
        }
    }
    warnings
}

/// One schema object under inspection.
struct Subschema<'a> {
    model: &'a Model,
    id: crate::model::NodeId,
    pointer: &'a str,
    keywords: &'a serde_json::Map<String, Value>,
}

impl Subschema<'_> {
    fn dialect(&self) -> Dialect {
        self.model.node(self.id).dialect
    }

    /// A warning at one of the keywords.
    fn warn(&self, problem: &str, keyword: &str, message: String) -> Item {
        Item::new(problem, crate::pointer::join(self.pointer, keyword), message)
    }
}

fn dialects(schema: &Value, read: &Read, dialect: Option<Dialect>, warnings: &mut Vec<Item>) {
    if dialect.is_none() && schema.is_object() && schema.get("$schema").is_none() {
        let message =
            "the schema names no $schema and is read as draft-07; name one, so that every tool reads it alike";
        warnings.push(Item::new("no-dialect", "", message));
    }
    for (id, declared) in read.declared.iter().filter(|(id, _)| read.model.is_own(*id)) {
        if *declared == Declared::Taskcluster {
            let message =
                "Taskcluster's own metaschema is draft-06 with rules of style; the schema is read as draft-06";
            warnings.push(Item::new("taskcluster-metaschema", read.model.keyword_pointer(*id, "$schema"), message));
        }
    }
    let root = read.model.node(Model::ROOT);
    let keyword = if root.dialect == Dialect::Draft04 { "id" } else { "$id" };
    let given = schema.get(keyword).and_then(Value::as_str).filter(|given| !given.starts_with('#'));
    let alone = dialect::ref_stands_alone(root.dialect) && schema.get("$ref").is_some();
    if let Some(given) = given.filter(|given| !alone && !has_scheme(given)) {
        let message = format!(
            "the {keyword} {} is relative and names no address; references inside the schema are followed as if it were \
             one",
            crate::excerpt::text(given)
        );
        warnings.push(Item::new("relative-id", crate::pointer::join("", keyword), message));
    }
}

/// RFC 3986 §3.1.
fn has_scheme(uri: &str) -> bool {
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

fn patterns(read: &Read, warnings: &mut Vec<Item>) {
    for (id, keyword, pattern) in read.patterns.iter().filter(|(id, ..)| read.model.is_own(*id)) {
        let pattern = read.model.pattern(*pattern);
        for remark in pattern.translated.iter().flat_map(|translated| &translated.remarks) {
            let mut pointer = read.model.keyword_pointer(*id, keyword);
            if *keyword == "patternProperties" {
                crate::pointer::push(&mut pointer, &pattern.source);
            }
            let shown = crate::excerpt::text(&pattern.source);
            let (problem, message) = match remark {
                Remark::LiteralBraces => (
                    "literal-braces",
                    format!(
                        "the pattern {shown} has braces or brackets that stand alone; they are read as themselves. \
                         Write them with a backslash, so that stricter tools take the pattern too"
                    ),
                ),
                Remark::EmptyClass => (
                    "empty-class",
                    format!("in the pattern {shown}, [] matches nothing and [^] any character, as in ECMAScript"),
                ),
                Remark::PosixClass => (
                    "posix-class",
                    format!("in the pattern {shown}, [:…:] is read as those characters; ECMAScript has no such class"),
                ),
            };
            warnings.push(Item::new(problem, pointer, message));
        }
    }
}
