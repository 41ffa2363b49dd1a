//! The client against a worker-manager that can be made to misbehave in every way that networks and servers know.
#![expect(clippy::unwrap_used, reason = "tests say what they expect")]

mod calls;
mod fake;
mod gate;
mod watch;
mod world;
