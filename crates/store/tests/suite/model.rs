//! Any sequence of changes leaves in the database what a few maps in memory would hold.

mod machine;

use crate::backend::{Backend, execute};
use machine::{Model, Step, steps};
use proptest::prelude::*;

const EMPTY: &str = "DELETE FROM events; DELETE FROM audit; DELETE FROM revisions; DELETE FROM worker_types;
                     DELETE FROM releases; UPDATE feed SET newest = 0, compacted = 0";

fn any_sequence_agrees(backend: &Backend) {
    let config = ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(taken in steps())| agree(backend, &taken));
}

fn agree(backend: &Backend, taken: &[Step]) {
    let mut store = backend.open();
    // Quicker than a new database for each case.
    execute(&store, EMPTY);
    let mut model = Model::new(&store);
    for step in taken {
        if matches!(step, Step::Restart) {
            drop(store);
            store = backend.open();
        } else {
            model.take(&store, step);
        }
    }
    model.compare(&store);
}

#[test]
fn sqlite() {
    any_sequence_agrees(&Backend::sqlite());
}

#[test]
fn postgres() {
    if let Some(backend) = Backend::postgres() {
        any_sequence_agrees(&backend);
    }
}
