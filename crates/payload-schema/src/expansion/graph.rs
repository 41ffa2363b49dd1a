//! The graph of subschemas: cycles that never go into the value, and the size after every reference is replaced.

use crate::model::{Edge, Model, NodeId, Rule};

/// A cycle through the same value, named by a reference on it.
pub(super) struct Loop {
    pub(super) node: NodeId,
    pub(super) keyword: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// The subschemas that are applied to the same value, each once.
pub(super) fn same_value(model: &Model, id: NodeId) -> Vec<NodeId> {
    let edges = model.edges(id).into_iter();
    edges.filter(|edge| !matches!(edge, Edge::Part(_))).map(Edge::target).collect()
}

/// The first cycle of subschemas that apply one another to the same value.
pub(super) fn find_loop(model: &Model) -> Option<Loop> {
    let mut marks = vec![Mark::New; model.nodes.len()];
    for start in model.ids() {
        if marks[start.0 as usize] != Mark::New {
            continue;
        }
        let mut open = vec![(start, same_value(model, start))];
        marks[start.0 as usize] = Mark::Open;
        while let Some((id, left)) = open.last_mut() {
            let Some(next) = left.pop() else {
                marks[id.0 as usize] = Mark::Done;
                open.pop();
                continue;
            };
            match marks[next.0 as usize] {
                Mark::Done => {}
                Mark::New => {
                    marks[next.0 as usize] = Mark::Open;
                    open.push((next, same_value(model, next)));
                }
                Mark::Open => {
                    let from = open.iter().position(|(id, _)| *id == next).unwrap_or(0);
                    let cycle = open[from..].iter().map(|(id, _)| *id);
                    return Some(name(model, &cycle.collect::<Vec<_>>()));
                }
            }
        }
    }
    None
}

fn name(model: &Model, cycle: &[NodeId]) -> Loop {
    let following = cycle.iter().cycle().skip(1);
    let reference = cycle.iter().zip(following).find_map(|(id, next)| {
        model.node(*id).rules.iter().find_map(|rule| match rule {
            Rule::Reference(reference) if model.outermost_target(rule) == Some(*next) => {
                model.is_own(*id).then_some(Loop { node: *id, keyword: reference.keyword })
            }
            _ => None,
        })
    });
    reference.unwrap_or(Loop { node: Model::ROOT, keyword: "$ref" })
}

/// The number of subschemas under the root after every reference is replaced by its target. A recursion counts once:
/// what can reach itself is one piece, and only ways out of it multiply.
pub(super) fn expanded_size(model: &Model) -> u64 {
    let mut sizes = Sizes {
        model,
        index: vec![None; model.nodes.len()],
        low: vec![0; model.nodes.len()],
        size: vec![None; model.nodes.len()],
        stack: Vec::new(),
        counter: 0,
    };
    sizes.visit(Model::ROOT);
    sizes.size[0].unwrap_or(u64::MAX)
}

/// Tarjan's strongly connected components, which come out targets first.
struct Sizes<'m> {
    model: &'m Model,
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    size: Vec<Option<u64>>,
    stack: Vec<NodeId>,
    counter: usize,
}

impl Sizes<'_> {
    fn enter(&mut self, id: NodeId) -> (NodeId, Vec<NodeId>) {
        self.index[id.0 as usize] = Some(self.counter);
        self.low[id.0 as usize] = self.counter;
        self.counter += 1;
        self.stack.push(id);
        (id, self.model.edges(id).into_iter().map(Edge::target).collect())
    }

    fn visit(&mut self, root: NodeId) {
        let mut open = vec![self.enter(root)];
        while let Some((id, left)) = open.last_mut() {
            let at = id.0 as usize;
            if let Some(next) = left.pop() {
                match self.index[next.0 as usize] {
                    None => {
                        let entered = self.enter(next);
                        open.push(entered);
                    }
                    Some(index) if self.size[next.0 as usize].is_none() => self.low[at] = self.low[at].min(index),
                    Some(_) => {}
                }
                continue;
            }
            open.pop();
            if let Some((parent, _)) = open.last() {
                let parent = parent.0 as usize;
                self.low[parent] = self.low[parent].min(self.low[at]);
            }
            if self.index[at] == Some(self.low[at]) {
                self.close(at);
            }
        }
    }

    /// Takes the component whose first node is `first` off the stack.
    fn close(&mut self, first: usize) {
        let from = self.stack.iter().rposition(|id| id.0 as usize == first).unwrap_or(0);
        let component = self.stack.split_off(from);
        let outward = component.iter().flat_map(|id| self.model.edges(*id)).map(|edge| edge.target());
        let inside = u64::try_from(component.len()).unwrap_or(u64::MAX);
        let size = outward.filter_map(|target| self.size[target.0 as usize]).fold(inside, u64::saturating_add);
        for id in component {
            self.size[id.0 as usize] = Some(size);
        }
    }
}
