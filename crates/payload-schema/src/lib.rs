//! What a schema means: compiled schemas, the publish gate's view of them, and explanations of what they refuse.
//!
//! Pure: no network, no files; no clock but for how long a comparison waits for its turn. The engine is the crate
//! `jsonschema`; this crate keeps it within limits, reads every draft that real schemas are written in, and says in words
//! what is wrong and where.

mod cache;
mod compare;
mod dialect;
mod dotted;
mod effective;
mod engine;
mod equality;
mod evaluate;
mod example;
mod excerpt;
mod expansion;
mod explain;
mod formats;
mod inspect;
mod limits;
mod lint;
mod metaschema;
mod model;
mod number;
mod outline;
mod pattern;
mod pointer;
mod prepared;
mod problems;
mod references;
mod rules;
mod sample;
mod schema;
mod upgrade;
mod vocabulary;

pub use cache::SchemaCache;
pub use compare::{COMPARISON_BUDGET, Comparer, Contract, NotComparable};
pub use dialect::dialect_of;
pub use dotted::dotted;
pub use effective::{
    EffectiveError, Form, Strictness, create_task_schema, effective_payload_schema, effective_task_schema,
};
pub use evaluate::Input;
pub use example::{Fullness, example};
pub use formats::{FORMATS, are_asserted as formats_are_asserted};
pub use inspect::{Inspection, inspect};
pub use limits::{Limits, check_depth};
pub use outline::{Layer, Member, Outline, choices, first as first_keyword};
pub use prepared::{Evaluator, PrepareError, Prepared};
pub use problems::{SCHEMA_PROBLEMS, SchemaProblem};
pub use references::references;
pub use sample::sample;
pub use schema::{Explanation, Schema, Surroundings};
pub use upgrade::{Refused, Target, rewrite as rewrite_schema, upgrade};
