//! From rules to keywords: how one thing that a subschema asks is said in the target.

use super::{Refused, Target, Writer};
use crate::formats;
use crate::model::{Bound, Condition, Contains, Elements, Members, Node, NodeId, PatternId, Reference, Rule};
use serde_json::{Map, Value, json};

type Keywords = Vec<(&'static str, Value)>;

/// `rule`, which node `id` has, in the words of the target.
pub(super) fn of(writer: &mut Writer<'_, '_>, id: NodeId, rule: &Rule) -> Result<Keywords, Refused> {
    Ok(match rule {
        Rule::Never => vec![("not", json!({}))],
        Rule::Type(types) => {
            let mut names: Vec<_> = types.names().collect();
            vec![("type", if names.len() == 1 { names.remove(0).into() } else { names.into() })]
        }
        Rule::Enum(values) => vec![("enum", values.to_vec().into())],
        Rule::Const(value) => vec![("const", value.clone())],
        Rule::Bound(bound) => vec![(bound_keyword(bound), bound.limit.clone().into())],
        Rule::MultipleOf(divisor) => vec![("multipleOf", divisor.clone().into())],
        Rule::Count(count) => vec![(count.keyword, count.limit.into())],
        Rule::Unique => vec![("uniqueItems", true.into())],
        Rule::Pattern(pattern) => vec![("pattern", pattern_text(writer, *pattern).into())],
        Rule::Format(name) => vec![format(writer.source.model().node(id), name)],
        Rule::Required(names) => required(&missing(writer, names)),
        Rule::DependentNames(_, names) => dependent_names(writer, names),
        Rule::DependentSchemas(_, schemas) => dependent_schemas(writer, schemas)?,
        Rule::Members(members) => self::members(writer, members)?,
        Rule::Names(schema) => vec![("propertyNames", writer.part(*schema)?)],
        Rule::Elements(elements) => self::elements(writer, elements)?,
        Rule::Contains(contains) => self::contains(writer, id, contains)?,
        Rule::All(schemas) => vec![("allOf", writer.all_same(schemas)?)],
        Rule::Any(schemas) => vec![("anyOf", writer.all_same(schemas)?)],
        Rule::One(schemas) => vec![("oneOf", writer.all_same(schemas)?)],
        Rule::Not(schema) => vec![("not", writer.same(*schema)?)],
        Rule::If(condition) => self::condition(writer, condition)?,
        Rule::Reference(reference) => self::reference(writer, id, reference)?,
        Rule::UnevaluatedMembers(schema) => unevaluated(writer, id, "unevaluatedProperties", *schema)?,
        Rule::UnevaluatedElements(schema) => unevaluated(writer, id, "unevaluatedItems", *schema)?,
    })
}

fn strings(names: &[&str]) -> Value {
    names.iter().copied().map(Value::from).collect()
}

fn bound_keyword(bound: &Bound) -> &'static str {
    match (bound.least, bound.open) {
        (true, false) => "minimum",
        (true, true) => "exclusiveMinimum",
        (false, false) => "maximum",
        (false, true) => "exclusiveMaximum",
    }
}

/// The author's text; where a strict reader (flag `u`) would refuse it, the same in other words.
fn pattern_text(writer: &Writer<'_, '_>, pattern: PatternId) -> String {
    let pattern = writer.source.model().pattern(pattern);
    match &pattern.translated {
        Ok(translated) if !translated.remarks.is_empty() => {
            translated.common.as_ref().unwrap_or(&translated.text).clone()
        }
        _ => pattern.source.to_string(),
    }
}

/// A format that the author's draft asserts stays one; any other only tells people something, and must not be
/// asserted by a reader who knows more formats.
fn format(node: &Node, name: &str) -> (&'static str, Value) {
    if formats::are_asserted(node.dialect) && formats::known(node.dialect, name).is_some() {
        return ("format", name.into());
    }
    ("$comment", format!("Of the format {name}, which is not checked.").into())
}

fn dependent_names(writer: &Writer<'_, '_>, names: &[(Box<str>, Vec<Box<str>>)]) -> Keywords {
    let (mut always, mut map) = (Vec::new(), Map::new());
    for (name, needed) in names {
        let needed = missing(writer, needed);
        if writer.fills(name) {
            always.extend(needed);
        } else if !needed.is_empty() {
            map.insert(name.to_string(), strings(&needed));
        }
    }
    let keyword = if writer.target() == Target::Draft07 { "dependencies" } else { "dependentRequired" };
    let mut keywords = required(&always);
    if !map.is_empty() {
        keywords.push((keyword, Value::Object(map)));
    }
    keywords
}

/// Those of the names that nobody fills in.
fn missing<'n>(writer: &Writer<'_, '_>, names: &'n [Box<str>]) -> Vec<&'n str> {
    names.iter().map(|name| &**name).filter(|name| !writer.fills(name)).collect()
}

fn required(names: &[&str]) -> Keywords {
    if names.is_empty() { Vec::new() } else { vec![("required", strings(names))] }
}

fn dependent_schemas(writer: &mut Writer<'_, '_>, schemas: &[(Box<str>, NodeId)]) -> Result<Keywords, Refused> {
    let (mut always, mut map) = (Vec::new(), Map::new());
    for (name, schema) in schemas {
        let written = writer.same(*schema)?;
        if writer.fills(name) {
            always.push(written);
        } else {
            map.insert(name.to_string(), written);
        }
    }
    let keyword = if writer.target() == Target::Draft07 { "dependencies" } else { "dependentSchemas" };
    let mut keywords = Vec::new();
    if !map.is_empty() {
        keywords.push((keyword, Value::Object(map)));
    }
    if !always.is_empty() {
        keywords.push(("allOf", always.into()));
    }
    Ok(keywords)
}

fn named(writer: &mut Writer<'_, '_>, schemas: impl IntoIterator<Item = (String, NodeId)>) -> Result<Value, Refused> {
    let mut map = Map::new();
    for (mut name, schema) in schemas {
        // Two patterns can become equal when they are put into other words.
        while map.contains_key(&name) {
            name.push_str("(?:)");
        }
        map.insert(name, writer.part(schema)?);
    }
    Ok(Value::Object(map))
}

fn members(writer: &mut Writer<'_, '_>, members: &Members) -> Result<Keywords, Refused> {
    let mut keywords = required(&writer.refused_defaults(members));
    if !members.named.is_empty() {
        let mut schemas: Vec<_> = members.named.iter().map(|(name, schema)| (name.to_string(), *schema)).collect();
        // In their author's order, in which they were read: editors propose them so.
        schemas.sort_by_key(|(_, schema)| *schema);
        keywords.push(("properties", named(writer, schemas)?));
    }
    if !members.patterns.is_empty() {
        let schemas: Vec<_> =
            members.patterns.iter().map(|(pattern, schema)| (pattern_text(writer, *pattern), *schema)).collect();
        keywords.push(("patternProperties", named(writer, schemas)?));
    }
    if let Some(additional) = members.additional {
        keywords.push(("additionalProperties", writer.part(additional)?));
    }
    Ok(keywords)
}

fn elements(writer: &mut Writer<'_, '_>, elements: &Elements) -> Result<Keywords, Refused> {
    let (first, rest) = match (writer.target(), elements.first.is_empty()) {
        (_, true) => ("", "items"),
        (Target::Draft202012, false) => ("prefixItems", "items"),
        (Target::Draft07, false) => ("items", "additionalItems"),
    };
    let mut keywords = Vec::new();
    if !elements.first.is_empty() {
        keywords.push((first, writer.parts(&elements.first)?));
    }
    if let Some(schema) = elements.rest {
        keywords.push((rest, writer.part(schema)?));
    }
    Ok(keywords)
}

fn contains(writer: &mut Writer<'_, '_>, id: NodeId, contains: &Contains) -> Result<Keywords, Refused> {
    let Contains { schema, least, most, evaluates } = *contains;
    if least == 0 && most.is_none() && !(evaluates && writer.evaluation_matters) {
        return Ok(Vec::new());
    }
    if writer.target() == Target::Draft07 && (least != 1 || most.is_some()) {
        let keyword = if most.is_some() { "maxContains" } else { "minContains" };
        return Err(writer.refuse(id, keyword, "that draft only asks for at least one element"));
    }
    let mut keywords = vec![("contains", writer.part(schema)?)];
    if least != 1 {
        keywords.push(("minContains", least.into()));
    }
    if let Some(most) = most {
        keywords.push(("maxContains", most.into()));
    }
    if !evaluates && writer.evaluation_matters {
        // Before 2020-12 what it matches does not count as evaluated; under `not` nothing does.
        let inner: Map<_, _> = keywords.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        return Ok(vec![("allOf", json!([{"not": {"not": inner}}]))]);
    }
    Ok(keywords)
}

fn condition(writer: &mut Writer<'_, '_>, condition: &Condition) -> Result<Keywords, Refused> {
    let mut keywords = vec![("if", writer.same(condition.test)?)];
    for (keyword, schema) in [("then", condition.then), ("else", condition.otherwise)] {
        if let Some(schema) = schema {
            keywords.push((keyword, writer.same(schema)?));
        }
    }
    Ok(keywords)
}

fn reference(writer: &mut Writer<'_, '_>, id: NodeId, reference: &Reference) -> Result<Keywords, Refused> {
    Ok(vec![("$ref", writer.reference(id, reference)?.into())])
}

/// In draft-07 only where nothing beside it could evaluate anything: then it is what `additional…` says.
fn unevaluated(
    writer: &mut Writer<'_, '_>,
    id: NodeId,
    keyword: &'static str,
    schema: NodeId,
) -> Result<Keywords, Refused> {
    if writer.target() == Target::Draft202012 {
        return Ok(vec![(keyword, writer.part(schema)?)]);
    }
    let members = keyword == "unevaluatedProperties";
    let model = writer.source.model();
    let looks_elsewhere = |rule: &Rule| {
        matches!(
            rule,
            Rule::All(_) | Rule::Any(_) | Rule::One(_) | Rule::If(_) | Rule::Reference(_) | Rule::DependentSchemas(..)
        ) || matches!(rule, Rule::Contains(contains) if !members && contains.evaluates)
    };
    let rules = &model.node(id).rules;
    if rules.iter().any(looks_elsewhere) {
        return Err(writer.refuse(id, keyword, "that draft has no keyword that looks into the schemas beside it"));
    }
    // What `additional…` says already leaves nothing over.
    let (known, rest) = rules.iter().fold((false, false), |(known, rest), rule| match rule {
        Rule::Members(found) if members => (known, rest || found.additional.is_some()),
        Rule::Elements(found) if !members => (known || !found.first.is_empty(), rest || found.rest.is_some()),
        _ => (known, rest),
    });
    if rest {
        return Ok(Vec::new());
    }
    let keyword = match (members, known) {
        (true, _) => "additionalProperties",
        (false, true) => "additionalItems",
        (false, false) => "items",
    };
    Ok(vec![(keyword, writer.part(schema)?)])
}
