//! How many files and connections a server may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Takes as many as the system allows. Shells and service managers give a process 1,024 unless it asks for more, and each
/// reader of the change feed holds a connection.
pub fn take_what_is_allowed() {
    let limit = getrlimit(Resource::Nofile);
    if limit.current == limit.maximum {
        return;
    }
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::warn!(%error, allowed = limit.current, wanted = limit.maximum, "no more open files are to be had");
    }
}
