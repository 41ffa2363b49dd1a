//! From keywords to rules: what one schema object asks. A value of the wrong shape asks nothing; the metaschema says
//! that it is wrong.

use super::read::{Place, Reader};
use super::{Bound, Condition, Contains, Count, Counted, Elements, Listed, Members, NodeId, Rule, Types};
use crate::dialect;
use crate::number::Decimal;
use crate::vocabulary::{self, Holds, Keyword};
use serde_json::{Map, Number, Value};
use worker_types::{Dialect, Item};

/// The rules of `schema`, which is node `id` at `place`. Reads its subschemas on the way, those of `definitions` too.
pub(super) fn read<'v>(
    reader: &mut Reader<'_, 'v>,
    id: NodeId,
    schema: &'v Map<String, Value>,
    place: &Place,
) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut parts = Parts::default();
    for (name, value) in schema {
        let Some(keyword) = vocabulary::find_in(name, place.dialect) else { continue };
        match keyword.holds {
            Holds::Nothing => rules.extend(assertion(reader, id, keyword.name, value, schema, place.dialect)),
            _ => applicator(reader, id, keyword, value, place, &mut parts, &mut rules),
        }
    }
    if dialect::ref_stands_alone(place.dialect) && schema.contains_key("$ref") {
        rules.retain(|rule| matches!(rule, Rule::Reference(_)));
        return rules;
    }
    parts.finish(schema, place.dialect, &mut rules);
    // A value of another type would only break the other rules because of it.
    rules.sort_by_key(|rule| match rule {
        Rule::Type(_) => 0,
        Rule::UnevaluatedMembers(_) | Rule::UnevaluatedElements(_) => 2,
        _ => 1,
    });
    rules
}

/// The subschemas in a keyword's value, with their names or positions.
fn subschemas<'v>(keyword: &Keyword, value: &'v Value) -> Vec<(Option<String>, &'v Value)> {
    let numbered = |list: &'v Vec<Value>| list.iter().enumerate().map(|(i, schema)| (Some(i.to_string()), schema));
    let named = |map: &'v Map<String, Value>| map.iter().map(|(name, schema)| (Some(name.clone()), schema));
    match (keyword.holds, value) {
        (Holds::List | Holds::SchemaOrList, Value::Array(list)) => numbered(list).collect(),
        (Holds::Map, Value::Object(map)) => named(map).collect(),
        (Holds::SchemasOrNames, Value::Object(map)) => named(map).filter(|(_, schema)| !schema.is_array()).collect(),
        (Holds::Schema | Holds::SchemaOrList, Value::Object(_) | Value::Bool(_)) => vec![(None, value)],
        _ => Vec::new(),
    }
}

/// What several keywords say together.
#[derive(Default)]
struct Parts {
    members: Option<Members>,
    first: Option<(&'static str, Vec<NodeId>)>,
    rest: Option<(&'static str, NodeId)>,
    additional: Option<(&'static str, NodeId)>,
    contains: Option<NodeId>,
    test: Option<NodeId>,
    then: Option<NodeId>,
    otherwise: Option<NodeId>,
}

impl Parts {
    fn finish(self, schema: &Map<String, Value>, dialect: Dialect, rules: &mut Vec<Rule>) {
        rules.extend(self.members.map(Rule::Members));
        // `additionalItems` says nothing unless `items` is a list.
        let rest = self.rest.or(self.additional.filter(|_| self.first.is_some()));
        if self.first.is_some() || rest.is_some() {
            let (first_keyword, first) = self.first.unwrap_or(("items", Vec::new()));
            let (rest_keyword, rest) = rest.map_or(("items", None), |(keyword, schema)| (keyword, Some(schema)));
            rules.push(Rule::Elements(Elements { first_keyword, first, rest_keyword, rest }));
        }
        if let Some(contained) = self.contains {
            let bound = |name: &str| schema.get(name).and_then(count).filter(|_| dialect >= Dialect::Draft201909);
            rules.push(Rule::Contains(Contains {
                schema: contained,
                least: bound("minContains").unwrap_or(1),
                most: bound("maxContains"),
                evaluates: dialect >= Dialect::Draft202012,
            }));
        }
        if let Some(test) = self.test {
            rules.push(Rule::If(Condition { test, then: self.then, otherwise: self.otherwise }));
        }
    }
}

fn applicator<'v>(
    reader: &mut Reader<'_, 'v>,
    id: NodeId,
    keyword: &'static Keyword,
    value: &'v Value,
    place: &Place,
    parts: &mut Parts,
    rules: &mut Vec<Rule>,
) {
    let name = keyword.name;
    let children: Vec<(Option<String>, NodeId)> = subschemas(keyword, value)
        .into_iter()
        .map(|(token, schema)| {
            let child = match &token {
                Some(token) => reader.child(id, place, &[name, token], schema),
                None => reader.child(id, place, &[name], schema),
            };
            (token, child)
        })
        .collect();
    let only = children.first().filter(|(token, _)| token.is_none()).map(|(_, child)| *child);
    let list = || children.iter().map(|(_, child)| *child).collect();
    let named = || children.iter().filter_map(|(token, child)| Some((token.as_deref()?.into(), *child)));
    match name {
        "allOf" => rules.push(Rule::All(list())),
        "anyOf" if !children.is_empty() => rules.push(Rule::Any(list())),
        "oneOf" if !children.is_empty() => rules.push(Rule::One(list())),
        "not" => rules.extend(only.map(Rule::Not)),
        "propertyNames" => rules.extend(only.map(Rule::Names)),
        "unevaluatedProperties" => rules.extend(only.map(Rule::UnevaluatedMembers)),
        "unevaluatedItems" => rules.extend(only.map(Rule::UnevaluatedElements)),
        "dependentSchemas" | "dependencies" => {
            if let (true, Value::Object(map)) = (name == "dependencies", value) {
                rules.push(Rule::DependentNames(name, dependent_names(map)));
            }
            rules.push(Rule::DependentSchemas(name, named().collect()));
        }
        "if" => parts.test = only,
        "then" => parts.then = only,
        "else" => parts.otherwise = only,
        "contains" => parts.contains = only,
        "properties" => parts.members.get_or_insert_default().named = named().collect(),
        "patternProperties" => {
            let sources = value.as_object().into_iter().flat_map(Map::keys).zip(&children);
            let patterns = sources.map(|(source, (_, child))| (reader.pattern(id, name, source), *child));
            parts.members.get_or_insert_default().patterns = patterns.collect();
        }
        "additionalProperties" => parts.members.get_or_insert_default().additional = only,
        "prefixItems" => parts.first = Some((name, list())),
        "items" if value.is_array() => parts.first = Some((name, list())),
        "items" => parts.rest = only.map(|child| (name, child)),
        "additionalItems" => parts.additional = only.map(|child| (name, child)),
        _ => {}
    }
}

fn assertion<'v>(
    reader: &mut Reader<'_, 'v>,
    id: NodeId,
    name: &'static str,
    value: &'v Value,
    schema: &Map<String, Value>,
    dialect: Dialect,
) -> Option<Rule> {
    let counting = |of, least| count(value).map(|limit| Rule::Count(Count { keyword: name, of, least, limit }));
    let bound = |least, open| {
        let limit = value.as_number()?.clone();
        Some(Rule::Bound(Bound { keyword: name, value: Decimal::new(&limit), limit, least, open }))
    };
    // draft-04 §5.1.2: the boolean makes the bound beside it exclusive.
    let open = |beside: &str| dialect == Dialect::Draft04 && schema.get(beside) == Some(&Value::Bool(true));
    match name {
        "type" => types(value).map(Rule::Type),
        "enum" => value.as_array().map(|values| Rule::Enum(Listed::new(values.clone()))),
        "const" => Some(Rule::Const(value.clone())),
        "multipleOf" => value.as_number().map(|number| Rule::MultipleOf(Number::clone(number))),
        "minimum" => bound(true, open("exclusiveMinimum")),
        "maximum" => bound(false, open("exclusiveMaximum")),
        "exclusiveMinimum" if dialect > Dialect::Draft04 => bound(true, true),
        "exclusiveMaximum" if dialect > Dialect::Draft04 => bound(false, true),
        "minLength" => counting(Counted::Characters, true),
        "maxLength" => counting(Counted::Characters, false),
        "minItems" => counting(Counted::Elements, true),
        "maxItems" => counting(Counted::Elements, false),
        "minProperties" => counting(Counted::Members, true),
        "maxProperties" => counting(Counted::Members, false),
        "uniqueItems" => (value == &Value::Bool(true)).then_some(Rule::Unique),
        "pattern" => value.as_str().map(|source| Rule::Pattern(reader.pattern(id, name, source))),
        "format" => value.as_str().map(|format| Rule::Format(format.into())),
        "required" => value.as_array().map(|names| Rule::Required(strings(names))),
        "dependentRequired" => value.as_object().map(|map| Rule::DependentNames(name, dependent_names(map))),
        "$ref" | "$dynamicRef" | "$recursiveRef" => {
            let Some(text) = value.as_str() else {
                // Not every metaschema says so.
                reader.fault(id, name, Item::new("invalid-ref", "", format!("{name} must be a string")));
                return None;
            };
            // JSON Schema 2019-09, 8.2.4.2.1: no other value is defined, and programs differ in what they make of one.
            if name == "$recursiveRef" && text != "#" {
                let words = format!(
                    "{name} must be \"#\", the only value that draft 2019-09 defines; for another place use $ref"
                );
                reader.fault(id, name, Item::new("invalid-ref", "", words));
                return None;
            }
            Some(Rule::Reference(reader.reference(id, name, text)))
        }
        _ => None,
    }
}

fn types(value: &Value) -> Option<Types> {
    let mut types = Types::default();
    match value {
        Value::String(name) => types.insert(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).for_each(|name| types.insert(name)),
        _ => return None,
    }
    (types != Types::default()).then_some(types)
}

fn strings(values: &[Value]) -> Vec<Box<str>> {
    values.iter().filter_map(Value::as_str).map(Into::into).collect()
}

fn dependent_names(map: &Map<String, Value>) -> Vec<(Box<str>, Vec<Box<str>>)> {
    map.iter().filter_map(|(name, needed)| Some((name.as_str().into(), strings(needed.as_array()?)))).collect()
}

/// A count: any number without a fraction; one beyond 64 bits is as good as the largest.
fn count(value: &Value) -> Option<u64> {
    let number = value.as_number()?;
    if let Some(count) = number.as_u64() {
        return Some(count);
    }
    let exact = Decimal::new(number);
    (exact.is_integer() && !number.as_str().starts_with('-'))
        .then(|| number.as_f64().filter(|float| *float < 1e15).map_or(u64::MAX, |float| float as u64))
}
