//! Who asks, and what they may do: Taskcluster scopes, in which a trailing `*` stands for every ending.

use crate::WorkerTypeId;
use std::sync::Arc;

/// The one who makes a request. Every read and every write takes one.
#[derive(Clone, Debug)]
pub struct Caller {
    name: Arc<str>,
    scopes: Arc<[String]>,
}

impl Caller {
    /// A caller with `scopes`.
    pub fn new(name: impl Into<Arc<str>>, scopes: impl IntoIterator<Item = String>) -> Self {
        Self { name: name.into(), scopes: scopes.into_iter().collect() }
    }

    /// One that may do everything: the operator of a server without configured access, and the server itself.
    pub fn unrestricted(name: impl Into<Arc<str>>) -> Self {
        Self::new(name, ["*".to_owned()])
    }

    /// What the audit trail calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether one of its scopes satisfies `scope`.
    pub fn has(&self, scope: &str) -> bool {
        self.scopes.iter().any(|held| match held.strip_suffix('*') {
            Some(prefix) => scope.starts_with(prefix),
            None => held == scope,
        })
    }

    /// Whether it has every scope that begins with `stem`.
    pub fn has_all_below(&self, stem: &str) -> bool {
        self.scopes.iter().any(|held| held.strip_suffix('*').is_some_and(|prefix| stem.starts_with(prefix)))
    }

    /// Whether it has any scope that begins with `stem`.
    pub fn has_some_below(&self, stem: &str) -> bool {
        self.has_all_below(stem) || self.scopes.iter().any(|held| held.starts_with(stem))
    }

    /// Whether it may read the pool configuration of a worker type.
    pub fn may_see_pool(&self, id: &WorkerTypeId) -> bool {
        // Most callers hold `*` or nothing of the kind; neither needs the scope's text.
        self.scopes.iter().any(|held| held == "*") || self.has(&format!("worker-manager:get-pool:{id}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Caller;

    #[test]
    fn all_or_some_of_the_scopes_below_a_stem() {
        let caller = Caller::new("ci", ["get:*".to_owned(), "publish:a/*".to_owned(), "list".to_owned()]);
        assert!(caller.has_all_below("get:") && caller.has_all_below("get:a/"));
        assert!(!caller.has_all_below("publish:") && caller.has_some_below("publish:"));
        assert!(!caller.has_some_below("delete:"));
        assert!(!caller.has_all_below("list"), "the scope itself is not every scope that begins like it");
        assert!(Caller::unrestricted("operator").has_all_below("anything"));
    }

    #[test]
    fn a_star_at_the_end_stands_for_every_ending() {
        let caller =
            Caller::new("ci", ["worker-manager:publish:proj-a/*".to_owned(), "worker-manager:export".to_owned()]);
        assert!(caller.has("worker-manager:publish:proj-a/linux"));
        assert!(!caller.has("worker-manager:publish:proj-b/linux"));
        assert!(caller.has("worker-manager:export"));
        assert!(!caller.has("worker-manager:export:all"));
        assert!(!Caller::new("nobody", []).has("worker-manager:export"));
        assert!(Caller::unrestricted("operator").has("anything"));
    }
}
