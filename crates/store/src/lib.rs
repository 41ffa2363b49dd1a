//! The registry's database: [`registry::Store`] on SQLite or PostgreSQL, chosen by URL.
//!
//! It keeps texts byte for byte and numbers in order; what they mean, the registry knows. Every change goes through
//! one transaction that holds the revision, the event and the audit row.

mod change;
mod failure;
mod feed;
mod import;
mod locks;
mod nul;
mod reads;
mod releases;
mod replicas;
mod rows;
mod schema;
mod sql_store;

pub use sql_store::{MIGRATIONS, SqlStore};
