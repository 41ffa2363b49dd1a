//! Any sequence of changes leaves in the database what a few maps in memory would hold.

mod machine;

use crate::backend::Backend;
use machine::{Model, Step, steps};
use proptest::prelude::*;

fn agree(backend: &Backend, taken: &[Step]) {
    let mut store = backend.open();
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
    let config = ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(taken in steps())| agree(&Backend::sqlite(), &taken));
}

#[test]
fn postgres() {
    if Backend::postgres().is_none() {
        return;
    }
    let config = ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(taken in steps())| agree(&Backend::postgres().unwrap(), &taken));
}
