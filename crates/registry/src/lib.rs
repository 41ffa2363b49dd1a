//! Publishing, rolling out, releasing, comparing, watching: the rules of the registry of worker types.
//!
//! The registry decides; a [`Store`] keeps. Live reads are served from memory. It knows nothing of HTTP and nothing
//! of SQL.

mod export;
pub mod store;

pub use export::Export;
pub use store::{Store, StoreError};
