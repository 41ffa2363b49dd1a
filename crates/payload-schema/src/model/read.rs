//! Reading a schema: its subschemas, their identifiers and dialects, then their references.

use super::reference::{self, Pending};
use super::{Model, Node, NodeId, Pattern, PatternId, Reference, Resource, ResourceId, Rule, Scope, rules};
use crate::dialect::{self, Declared};
use crate::pattern::{self, Budget};
use crate::{Limits, excerpt, pointer};
use referencing::uri;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use worker_types::{Dialect, Item};

/// Bytes of an identifier, its base included.
const URI_BYTES: usize = 2048;

/// Bytes of all the places of a schema together; the engine keeps one for every keyword.
const PLACE_BYTES: usize = 64 << 20;

/// What is read, and what its references may reach beside it.
pub(crate) struct Source<'v> {
    pub(crate) schema: &'v Value,
    /// For schemas that declare none.
    pub(crate) dialect: Dialect,
    /// Documents by their absolute URI without fragment. Nothing else exists: there is no network.
    pub(crate) documents: &'v dyn Fn(&str) -> Option<&'v Value>,
    pub(crate) limits: &'v Limits,
}

/// A schema that was read, and what was wrong with it on the way.
pub(crate) struct Read {
    pub(crate) model: Model,
    pub(crate) faults: Vec<Item>,
    /// The nodes that have a `$schema`, with what it says.
    pub(crate) declared: Vec<(NodeId, Declared)>,
    /// Where patterns stand: the node, the keyword, the pattern. Those that a lone `$ref` makes meaningless too.
    pub(crate) patterns: Vec<(NodeId, &'static str, PatternId)>,
    /// Whether all of it was read; if not, a fault says why.
    pub(crate) complete: bool,
}

/// Reads a schema that is not nested too deeply.
pub(crate) fn read(source: &Source<'_>) -> Read {
    let mut reader = Reader {
        source,
        model: Model { documents: vec![String::new()], ..Model::default() },
        values: vec![source.schema],
        by_address: HashMap::new(),
        by_uri: HashMap::new(),
        anchors: HashMap::new(),
        patterns: HashMap::new(),
        pending: Vec::new(),
        faults: Vec::new(),
        declared: Vec::new(),
        pattern_places: Vec::new(),
        place_bytes: 0,
        budget: Budget::new(source.limits),
        complete: true,
    };
    reader.document("json-schema:///", source.schema, 0);
    reference::resolve_all(&mut reader);
    Read {
        model: reader.model,
        faults: reader.faults,
        declared: reader.declared,
        patterns: reader.pattern_places,
        complete: reader.complete,
    }
}

pub(super) struct Reader<'s, 'v> {
    source: &'s Source<'v>,
    pub(super) model: Model,
    /// The documents' values, by number.
    pub(super) values: Vec<&'v Value>,
    /// Nodes by where their value lies in memory: values stay where they are while they are read.
    pub(super) by_address: HashMap<*const Value, NodeId>,
    pub(super) by_uri: HashMap<String, ResourceId>,
    pub(super) anchors: HashMap<(ResourceId, String), NodeId>,
    patterns: HashMap<&'v str, PatternId>,
    pub(super) pending: Vec<Pending<'v>>,
    pub(super) faults: Vec<Item>,
    declared: Vec<(NodeId, Declared)>,
    pattern_places: Vec<(NodeId, &'static str, PatternId)>,
    place_bytes: usize,
    budget: Budget,
    complete: bool,
}

/// Where a value that is to be read stands.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) parent: Option<NodeId>,
    pub(super) relative: String,
    pub(super) document: u16,
    pub(super) dialect: Dialect,
    pub(super) resource: ResourceId,
    /// Bytes of the pointer from the document's root.
    bytes: usize,
}

impl<'v> Reader<'_, 'v> {
    /// Reads a whole document that is known under `uri`.
    pub(super) fn document(&mut self, uri: &str, value: &'v Value, document: u16) -> ResourceId {
        let resource = self.new_resource(uri.to_owned());
        self.by_uri.entry(uri.to_owned()).or_insert(resource);
        let dialect = self.source.dialect;
        let place = Place { parent: None, relative: String::new(), document, dialect, resource, bytes: 0 };
        let root = self.node(value, place);
        self.model.resources[resource.0 as usize].root = root;
        self.model.node(root).resource
    }

    /// The value of a document that references may reach, if there is one.
    pub(super) fn find_document(&self, uri: &str) -> Option<&'v Value> {
        (self.source.documents)(uri)
    }

    fn new_resource(&mut self, uri: String) -> ResourceId {
        let id = ResourceId(u32::try_from(self.model.resources.len()).unwrap_or(u32::MAX));
        let root = NodeId(u32::try_from(self.model.nodes.len()).unwrap_or(u32::MAX));
        self.model.resources.push(Resource { uri, root, dynamic: BTreeMap::new(), recursive: false });
        id
    }

    /// Reads one subschema and those inside it.
    pub(super) fn node(&mut self, value: &'v Value, mut place: Place) -> NodeId {
        if !self.has_room(value, &place) {
            return Model::ROOT;
        }
        let id = NodeId(u32::try_from(self.model.nodes.len()).unwrap_or(u32::MAX));
        self.by_address.insert(value, id);
        self.model.nodes.push(Node {
            parent: place.parent,
            relative: place.relative.as_str().into(),
            document: place.document,
            dialect: place.dialect,
            resource: place.resource,
            title: None,
            description: None,
            rules: Vec::new(),
        });
        let mut found = match value {
            Value::Bool(false) => vec![Rule::Never],
            Value::Object(schema) => {
                self.declare(id, schema, &mut place);
                rules::read(self, id, schema, &place)
            }
            // The metaschema says what is wrong with it.
            _ => Vec::new(),
        };
        found.shrink_to_fit();
        self.model.nodes[id.0 as usize].rules = found;
        id
    }

    /// Reads the subschema at `path`, a keyword and perhaps a token, of a node.
    pub(super) fn child(&mut self, parent: NodeId, around: &Place, path: &[&str], value: &'v Value) -> NodeId {
        let mut relative = String::new();
        path.iter().for_each(|token| pointer::push(&mut relative, token));
        let bytes = around.bytes + relative.len();
        self.node(value, Place { parent: Some(parent), relative, bytes, ..around.clone() })
    }

    /// Reads a value that a reference reaches but no keyword holds.
    pub(super) fn stray(&mut self, parent: NodeId, relative: String, value: &'v Value) -> NodeId {
        let node = self.model.node(parent);
        let (document, dialect, resource) = (node.document, node.dialect, node.resource);
        let bytes = self.model.pointer(parent).len() + relative.len();
        self.node(value, Place { parent: Some(parent), relative, document, dialect, resource, bytes })
    }

    fn has_room(&mut self, value: &Value, place: &Place) -> bool {
        let keywords = value.as_object().map_or(1, |schema| schema.len() + 1);
        self.place_bytes = self.place_bytes.saturating_add(place.bytes.saturating_mul(keywords));
        let limit = self.source.limits.subschemas;
        let fault = if self.model.nodes.len() >= limit && !self.model.nodes.is_empty() {
            Item::new("too-many-subschemas", "", format!("the schema has more than {limit} subschemas"))
        } else if self.place_bytes > PLACE_BYTES {
            let message = "names in the schema are so long that its places alone take more than 64 MiB";
            Item::new("names-too-long", "", message)
        } else {
            return true;
        };
        if self.complete {
            self.faults.push(fault);
        }
        self.complete = false;
        false
    }

    /// Takes in what a schema says of itself: `$schema`, `$id`, anchors, title and description.
    fn declare(&mut self, id: NodeId, schema: &'v Map<String, Value>, place: &mut Place) {
        let text = |name: &str| schema.get(name).and_then(Value::as_str);
        if let Some(declared) = text("$schema").map(Declared::read) {
            place.dialect = declared.dialect().unwrap_or(place.dialect);
            self.declared.push((id, declared));
        }
        if !(dialect::ref_stands_alone(place.dialect) && schema.contains_key("$ref")) {
            self.identify(id, schema, place);
        }
        let node = &mut self.model.nodes[id.0 as usize];
        (node.dialect, node.resource) = (place.dialect, place.resource);
        node.title = text("title").map(Into::into);
        node.description = text("description").map(Into::into);
    }

    fn identify(&mut self, id: NodeId, schema: &'v Map<String, Value>, place: &mut Place) {
        let text = |name: &str| schema.get(name).and_then(Value::as_str);
        let modern = place.dialect >= Dialect::Draft201909;
        let keyword = if place.dialect == Dialect::Draft04 { "id" } else { "$id" };
        match text(keyword) {
            Some(anchor) if !modern && anchor.starts_with('#') => self.anchor(place.resource, &anchor[1..], id),
            Some(uri) => self.enter_resource(id, keyword, uri, place),
            None => {}
        }
        if !modern {
            return;
        }
        if let Some(name) = text("$anchor") {
            self.anchor(place.resource, name, id);
        }
        let resource = &mut self.model.resources[place.resource.0 as usize];
        resource.recursive |= place.dialect == Dialect::Draft201909
            && resource.root == id
            && schema.get("$recursiveAnchor") == Some(&Value::Bool(true));
        if let Some(name) = text("$dynamicAnchor").filter(|_| place.dialect == Dialect::Draft202012) {
            resource.dynamic.entry(name.into()).or_insert(id);
            self.anchor(place.resource, name, id);
        }
    }

    fn anchor(&mut self, resource: ResourceId, name: &str, id: NodeId) {
        self.anchors.entry((resource, name.to_owned())).or_insert(id);
    }

    fn enter_resource(&mut self, id: NodeId, keyword: &'static str, text: &str, place: &mut Place) {
        let base = &self.model.resource(place.resource).uri;
        let resolved = uri::from_str(base).and_then(|base| uri::resolve_against(&base.borrow(), text));
        match resolved {
            Ok(resolved) if resolved.as_str().len() <= URI_BYTES => {
                let uri = without_fragment(resolved.as_str()).to_owned();
                let resource = self.new_resource(uri.clone());
                self.model.resources[resource.0 as usize].root = id;
                self.by_uri.entry(uri).or_insert(resource);
                place.resource = resource;
            }
            _ => {
                let message = format!("the {keyword} {} is no usable URI reference", excerpt::text(text));
                self.fault(id, keyword, Item::new("invalid-id", "", message));
            }
        }
    }

    /// Keeps a fault of the schema itself, at a keyword of a node.
    pub(super) fn fault(&mut self, id: NodeId, keyword: &str, fault: Item) {
        if self.model.is_own(id) {
            self.faults.push(Item { pointer: self.model.keyword_pointer(id, keyword), ..fault });
        }
    }

    /// Translates a pattern, once for all its places; a refusal is a fault at each of them.
    pub(super) fn pattern(&mut self, id: NodeId, keyword: &'static str, source: &'v str) -> PatternId {
        let known = self.patterns.get(source).copied();
        let pattern = known.unwrap_or_else(|| {
            let new = PatternId(u32::try_from(self.model.patterns.len()).unwrap_or(u32::MAX));
            self.model
                .patterns
                .push(Pattern::new(source, pattern::check(source, self.source.limits, &mut self.budget)));
            self.patterns.insert(source, new);
            new
        });
        self.pattern_places.push((id, keyword, pattern));
        pattern
    }

    /// Keeps a reference until everything is read.
    pub(super) fn reference(&mut self, id: NodeId, keyword: &'static str, text: &'v str) -> Reference {
        self.pending.push(Pending { node: id, keyword, text });
        Reference { keyword, target: None, scope: Scope::Static }
    }
}

/// `uri` up to its fragment.
pub(super) fn without_fragment(uri: &str) -> &str {
    uri.split_once('#').map_or(uri, |(uri, _)| uri)
}
