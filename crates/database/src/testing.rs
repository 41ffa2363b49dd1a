//! Scratch databases for tests: each test makes one of its own, which goes when it ends.

mod scratch;
mod server;

pub use scratch::{POSTGRES_VARIABLE, ScratchPostgres};
pub use server::{PrivateServer, SERVERS_VARIABLE};
