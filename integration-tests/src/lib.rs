//! What the integration tests stand on: the real binary on port 0, spoken to over HTTP; scratch databases; shared data.

pub mod database;
pub mod history;
pub mod http;
pub mod proxy;
pub mod server;
pub mod shared;
pub mod state;
pub mod task;
pub mod wait;
pub mod watchers;
