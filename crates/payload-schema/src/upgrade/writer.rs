//! Writes the nodes of one model: each where it stands if nothing refers to it, as a definition otherwise.

use super::filled::Filled;
use super::{Definitions, Refused, Source, Target, annotations, keywords};
use crate::dialect;
use crate::model::{Model, NodeId, Reference, Rule, Scope};
use crate::pointer;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a subschema looks at. One of a task is written otherwise where a queue fills something in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum On {
    Value,
    Task,
}

/// Writes one schema into a document.
pub(crate) struct Writer<'a, 'v> {
    pub(super) source: &'a Source<'v>,
    definitions: &'a mut Definitions,
    /// What references mention, so that it becomes a definition.
    mentioned: BTreeSet<NodeId>,
    names: HashMap<(NodeId, On), String>,
    /// Mentioned and not yet written, outer schemas before inner ones.
    waiting: BTreeMap<(NodeId, On), String>,
    /// The name of the root, where it is a definition too.
    root_name: Option<String>,
    /// What the root looks at.
    root_on: On,
    /// What the schema that is being written looks at.
    pub(super) on: On,
    /// What a queue fills into a task before the schema looks at it.
    pub(super) filled: Option<Filled<'a>>,
    /// Whether what `contains` matches could count as evaluated.
    pub(super) evaluation_matters: bool,
}

impl<'a, 'v> Writer<'a, 'v> {
    /// A writer whose root is the root of the document.
    pub(crate) fn at_root(source: &'a Source<'v>, definitions: &'a mut Definitions) -> Self {
        Self::new(source, definitions, None, None)
    }

    /// A writer whose root is a definition. Where `filled` is given, the schema is one on the normalised task, and is
    /// written for the task as its author leaves it.
    pub(crate) fn as_definition(
        source: &'a Source<'v>,
        definitions: &'a mut Definitions,
        name: String,
        filled: Option<Filled<'a>>,
    ) -> Self {
        Self::new(source, definitions, Some(name), filled)
    }

    fn new(
        source: &'a Source<'v>,
        definitions: &'a mut Definitions,
        root_name: Option<String>,
        filled: Option<Filled<'a>>,
    ) -> Self {
        let root_on = if filled.is_some() { On::Task } else { On::Value };
        let model = source.model();
        let rules = || model.ids().flat_map(|id| &model.node(id).rules);
        let mentioned = rules().filter_map(|rule| match rule {
            Rule::Reference(reference) => fixed_target(model, reference),
            _ => None,
        });
        Self {
            source,
            definitions,
            mentioned: mentioned.filter(|id| *id != Model::ROOT).collect(),
            names: HashMap::new(),
            waiting: BTreeMap::new(),
            root_name,
            root_on,
            on: root_on,
            filled,
            evaluation_matters: rules().any(|rule| matches!(rule, Rule::UnevaluatedElements(_))),
        }
    }

    /// Writes everything; answers the root, which is not put anywhere.
    pub(crate) fn root(mut self) -> Result<Value, Refused> {
        let root = self.node(Model::ROOT, self.root_on)?;
        while let Some(((id, on), name)) = self.waiting.pop_first() {
            let schema = self.node(id, on)?;
            self.definitions.put(&name, schema);
        }
        Ok(root)
    }

    pub(super) fn target(&self) -> Target {
        self.definitions.target()
    }

    /// A subschema that looks at a part of what the one around it looks at.
    pub(super) fn part(&mut self, id: NodeId) -> Result<Value, Refused> {
        self.child(id, On::Value)
    }

    pub(super) fn parts(&mut self, ids: &[NodeId]) -> Result<Value, Refused> {
        ids.iter().map(|id| self.part(*id)).collect::<Result<Vec<_>, _>>().map(Value::from)
    }

    /// A subschema that looks at the same value.
    pub(super) fn same(&mut self, id: NodeId) -> Result<Value, Refused> {
        self.child(id, self.on)
    }

    pub(super) fn all_same(&mut self, ids: &[NodeId]) -> Result<Value, Refused> {
        ids.iter().map(|id| self.same(*id)).collect::<Result<Vec<_>, _>>().map(Value::from)
    }

    fn child(&mut self, id: NodeId, on: On) -> Result<Value, Refused> {
        if self.mentioned.contains(&id) {
            return Ok(json!({"$ref": self.mention(id, on)}));
        }
        self.node(id, on)
    }

    /// What a reference says now.
    pub(super) fn reference(&mut self, id: NodeId, reference: &Reference) -> Result<String, Refused> {
        match fixed_target(self.source.model(), reference) {
            Some(target) => Ok(self.mention(target, self.on)),
            None => Err(self.refuse(
                id,
                reference.keyword,
                "what it means depends on the way that leads there, through several schemas with an $id of their own; \
                 refer to one of them by $ref",
            )),
        }
    }

    pub(super) fn refuse(&self, id: NodeId, keyword: &'static str, why: &'static str) -> Refused {
        let pointer = self.source.model().pointer(id);
        Refused::Inexpressible { keyword, pointer, target: self.target().dialect(), why }
    }

    fn mention(&mut self, id: NodeId, on: On) -> String {
        if id == Model::ROOT && on == self.root_on {
            return self.root_name.as_deref().map_or("#".to_owned(), |name| self.definitions.reference(name));
        }
        if !self.names.contains_key(&(id, on)) {
            let wanted = self.wanted_name(id);
            let name = self.definitions.name(&wanted);
            self.waiting.insert((id, on), name.clone());
            self.names.insert((id, on), name);
        }
        self.definitions.reference(&self.names[&(id, on)])
    }

    /// The last word of the place, or of the document's address.
    fn wanted_name(&self, id: NodeId) -> String {
        let place = self.source.model().pointer(id);
        let (uri, pointer) = place.split_once('#').unwrap_or(("", &place));
        let word = pointer::tokens(pointer).filter(|token| token.parse::<usize>().is_err()).last();
        let word = word.unwrap_or_else(|| uri.rsplit('/').next().unwrap_or_default().into());
        match &self.root_name {
            Some(root) => format!("{root}.{word}"),
            None => word.into_owned(),
        }
    }

    fn node(&mut self, id: NodeId, on: On) -> Result<Value, Refused> {
        let around = std::mem::replace(&mut self.on, on);
        let written = self.node_here(id);
        self.on = around;
        written
    }

    fn node_here(&mut self, id: NodeId) -> Result<Value, Refused> {
        // The model outlives the writer: the borrow is of the source, not of this.
        let source = self.source;
        let model = source.model();
        let node = model.node(id);
        let mut written = Map::new();
        match source.value(&model.pointer(id)) {
            Some(Value::Bool(accepts)) => return Ok(Value::Bool(*accepts)),
            Some(Value::Object(schema)) => annotations::copy(schema, node.dialect, &mut written),
            _ => {}
        }
        let mut further = Vec::new();
        for rule in &node.rules {
            for (keyword, value) in keywords::of(self, id, rule)? {
                let alone = keyword == "$ref" && dialect::ref_stands_alone(self.target().dialect());
                if keyword == "$comment" {
                    annotations::remark(&mut written, value.as_str().unwrap_or_default());
                } else if alone || written.contains_key(keyword) {
                    further.push(json!({keyword: value}));
                } else {
                    written.insert(keyword.to_owned(), value);
                }
            }
        }
        if further.is_empty() {
            return Ok(Value::Object(written));
        }
        // A reference that stands alone may stay so where there is nothing but it.
        if written.is_empty() && further.len() == 1 {
            return Ok(further.remove(0));
        }
        match written.entry("allOf").or_insert_with(|| json!([])) {
            Value::Array(all) => all.extend(further),
            _ => unreachable!("allOf is written as a list"),
        }
        Ok(Value::Object(written))
    }
}

/// Where a reference always leads; none if that depends on the way that leads to it.
fn fixed_target(model: &Model, reference: &Reference) -> Option<NodeId> {
    let mut candidates = model.resources.iter().filter_map(|resource| match &reference.scope {
        Scope::Static => None,
        Scope::Anchor(name) => resource.dynamic.get(name).copied(),
        Scope::Recursive => resource.recursive.then_some(resource.root),
    });
    match (candidates.next(), candidates.next()) {
        (None, _) => reference.target,
        (only, None) => only,
        _ => None,
    }
}
