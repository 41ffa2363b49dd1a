//! Makes a server the one origin in front of others: everything below a prefix is asked of another server and answered
//! as that answers, streams and websockets too.
//!
//! What is behind a prefix is not known here: nothing is judged, kept or rewritten, except what a proxy has to (RFC 9110
//! §7.6, RFC 7239), and that documents of others do not run as pages of this origin. The server that carries it admits the request, counts it and logs it.

mod answer;
mod forwarder;
mod headers;
mod route;
mod streams;
mod websocket;

pub use forwarder::Forwarder;
pub use route::{Route, RouteError};
