//! Why a server does not start: which setting is wrong, and how to mend it.

use std::io;
use thiserror::Error;

/// Why a server does not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// No address at all.
    #[error("listen is {listen:?}, which is no address: {source}; it must be host and port, as in 127.0.0.1:8080")]
    Address {
        /// What was given.
        listen: String,
        /// Why.
        source: io::Error,
    },
    /// A name that stands for nothing.
    #[error("listen is {listen:?}, and that name has no address; use an IP address, as in 127.0.0.1:8080")]
    NoAddress {
        /// What was given.
        listen: String,
    },
    /// Somebody else has it, or it is not ours.
    #[error("cannot listen at {listen}: {source}; choose another address with --listen, or stop what listens there")]
    Bind {
        /// What was given.
        listen: String,
        /// Why.
        source: io::Error,
    },
    /// Two answer in the same place.
    #[error(
        "a route leads {prefix} elsewhere, and {by} answers there already; forward another prefix, or start without it"
    )]
    Served {
        /// The prefix of the route.
        prefix: String,
        /// Who answers there.
        by: String,
    },
    /// Everybody on the network could do everything.
    #[error(
        "listen is {listen}, and no access is configured: everybody on the network could change everything. Listen at \
         127.0.0.1 (--listen), or configure tokens (access.tokens in wm.toml; `wm token` makes one)"
    )]
    OpenToAll {
        /// What was given.
        listen: String,
    },
}
