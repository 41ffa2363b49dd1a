//! A server with a small service of its own, over real connections.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod access;
mod problems;
mod running;
mod sample;
