//! A second opinion from the engine's canonical form, for small schemas whose inclusion our own proof did not see.
//!
//! Its calls cannot be cancelled and take seconds on large schemas: only small ones get there.

use super::decide::Texts;
use super::world::World;
use crate::dialect;
use jsonschema::canonical::{self, Containment};

/// Subschemas of both together.
const NODES: usize = 60;
/// Bytes of both together.
const BYTES: usize = 6_000;

/// Whether the canonical form proves that the new schema accepts everything that the old one accepts.
pub(super) fn covers(world: World<'_>, texts: Texts<'_>) -> bool {
    let nodes = world.old.model().nodes.len() + world.new.model().nodes.len();
    let expressions = world.old.model().patterns.len() + world.new.model().patterns.len();
    let bytes = texts.old.to_string().len() + texts.new.to_string().len();
    // Expressions are read otherwise there than here.
    if nodes > NODES || expressions > 0 || bytes > BYTES || world.old.dialect() != world.new.dialect() {
        return false;
    }
    let canonicalize = |schema| {
        canonical::options().offline().with_draft(dialect::engine_draft(world.old.dialect())).canonicalize(schema)
    };
    let (Ok(old), Ok(new)) = (canonicalize(texts.old), canonicalize(texts.new)) else { return false };
    matches!(new.covers(&old), Ok(Containment::Yes))
}
