//! The service over real connections, on SQLite, one file for each resource.
//!
//! Every answer that a test sees is held against the OpenAPI document: an undocumented status or problem, or a body
//! that does not fit its description, fails the test that met it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod access;
mod after_a_write;
mod batch;
mod check;
mod compatibility;
mod conditional;
mod documented;
mod event_pages;
mod events;
mod faulty_store;
mod harness;
mod history;
mod moving;
mod openapi;
mod publish;
mod reading;
mod releases;
mod rollouts;
mod schemas;
mod status;
mod store_away;
mod strict;
mod validate;
mod worker_types;
