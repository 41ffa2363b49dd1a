//! From events to a value: the collections that are open, their members, and the limits on them.

use super::super::DEPTH;
use super::super::error::Fault;
use super::super::places::{Node, Place};
use super::anchors::{Anchors, Refusal};
use super::scalar::Scalar;
use serde_json::{Map, Value};

/// A document that is being built.
#[derive(Default)]
pub(super) struct Builder {
    open: Vec<Frame>,
    anchors: Anchors,
    whole: Option<(Value, Node)>,
}

/// A collection that is not closed yet.
struct Frame {
    node: Node,
    anchor: usize,
    contents: Contents,
}

enum Contents {
    Sequence(Vec<Value>),
    Mapping {
        members: Map<String, Value>,
        /// A key whose value comes next.
        key: Option<(String, Place)>,
    },
}

impl Builder {
    /// The document's value; none when there was no document.
    pub(super) fn finish(self) -> Option<(Value, Node)> {
        self.whole
    }

    pub(super) fn begin_sequence(&mut self, anchor: usize, at: Place) -> Result<(), Fault> {
        self.begin(Contents::Sequence(Vec::new()), anchor, at)
    }

    pub(super) fn begin_mapping(&mut self, anchor: usize, at: Place) -> Result<(), Fault> {
        self.begin(Contents::Mapping { members: Map::new(), key: None }, anchor, at)
    }

    fn begin(&mut self, contents: Contents, anchor: usize, at: Place) -> Result<(), Fault> {
        if self.wants_key() {
            return Err(Fault::new(at, "a key must be text; JSON knows no list or mapping as a key"));
        }
        if self.open.len() >= DEPTH {
            return Err(too_deep(at));
        }
        self.open.push(Frame { node: Node::new(at), anchor, contents });
        Ok(())
    }

    pub(super) fn end(&mut self) -> Result<(), Fault> {
        let Some(Frame { node, anchor, contents }) = self.open.pop() else { return Ok(()) };
        let value = match contents {
            Contents::Sequence(items) => Value::Array(items),
            Contents::Mapping { members, .. } => Value::Object(members),
        };
        self.keep(anchor, &value, &node)?;
        self.add(value, node);
        Ok(())
    }

    pub(super) fn scalar(&mut self, scalar: &Scalar<'_>, anchor: usize, at: Place) -> Result<(), Fault> {
        if self.wants_key() {
            let key = scalar.key().map_err(|message| Fault::new(at, message))?;
            self.keep(anchor, &Value::from(key.clone()), &Node::new(at))?;
            return self.set_key(key, at);
        }
        let value = scalar.value().map_err(|message| Fault::new(at, message))?;
        let node = Node::new(at);
        self.keep(anchor, &value, &node)?;
        self.add(value, node);
        Ok(())
    }

    pub(super) fn alias(&mut self, anchor: usize, at: Place) -> Result<(), Fault> {
        let depth = DEPTH - self.open.len();
        let (value, node) = self.anchors.copy(anchor, depth).map_err(|refusal| refused(&refusal, at))?;
        if !self.wants_key() {
            self.add(value, node);
            return Ok(());
        }
        match value {
            Value::String(key) => self.set_key(key, at),
            _ => Err(Fault::new(at, "a key must be text, and this alias stands for something else")),
        }
    }

    fn keep(&mut self, anchor: usize, value: &Value, node: &Node) -> Result<(), Fault> {
        self.anchors.keep(anchor, value, node).map_err(|refusal| refused(&refusal, node.place))
    }

    /// Whether the next node is a key.
    fn wants_key(&self) -> bool {
        matches!(self.open.last(), Some(Frame { contents: Contents::Mapping { key: None, .. }, .. }))
    }

    fn set_key(&mut self, text: String, at: Place) -> Result<(), Fault> {
        let Some(Frame { contents: Contents::Mapping { members, key }, .. }) = self.open.last_mut() else {
            return Ok(());
        };
        if members.contains_key(&text) {
            return Err(Fault::new(at, format!("the key {text:?} stands twice in this mapping")));
        }
        *key = Some((text, at));
        Ok(())
    }

    /// Adds a whole node to what is open.
    fn add(&mut self, value: Value, mut node: Node) {
        let Some(frame) = self.open.last_mut() else {
            self.whole = Some((value, node));
            return;
        };
        match &mut frame.contents {
            Contents::Sequence(items) => items.push(value),
            Contents::Mapping { members, key } => {
                if let Some((text, at)) = key.take() {
                    node.key = Some(at);
                    members.insert(text, value);
                }
            }
        }
        frame.node.children.push(node);
    }
}

fn too_deep(at: Place) -> Fault {
    Fault::new(at, format!("lists and mappings are nested more than {DEPTH} deep"))
}

fn refused(refusal: &Refusal, at: Place) -> Fault {
    match refusal {
        Refusal::Inside => Fault::new(at, "this alias stands inside the node that it names"),
        Refusal::Depth => too_deep(at),
        Refusal::Budget => Fault::new(
            at,
            "the aliases of this file copy more than 64 MiB; write the parts out, or generate the file as JSON",
        ),
    }
}
