//! Everything below a prefix, answered by somebody else: the one thing that a server answers without a row in a table.
//! It passes the edge as every request does; who may do what is for whoever answers to say.

use crate::Refusal;
use actix_web::web::{self, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// An answer that is on its way.
pub type Forwarding = Pin<Box<dyn Future<Output = Result<HttpResponse, Refusal>>>>;

/// Whoever answers below a prefix.
pub trait Forward: Send + Sync + 'static {
    /// Such as `/api/queue`, without a slash at its end.
    fn prefix(&self) -> &str;

    /// Answers.
    fn answer(self: Arc<Self>, request: HttpRequest, payload: Payload) -> Forwarding;
}

/// Whether `path` is the prefix or below it.
pub(crate) fn is_below(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Takes every path below the prefix.
pub(crate) fn mount(forward: &Arc<dyn Forward>, config: &mut ServiceConfig) {
    let answering = forward.clone();
    let handler = move |request: HttpRequest, payload: Payload| answering.clone().answer(request, payload);
    config.service(web::scope(forward.prefix()).default_service(web::to(handler)));
}

/// Whether a forward at `prefix` would take what is served at `path`, a path with `{parameters}`.
pub(crate) fn takes(prefix: &str, path: &str) -> bool {
    let (mut wanted, mut served) = (prefix.split('/'), path.split('/'));
    wanted.by_ref().all(|segment| served.next().is_some_and(|served| served == segment || served.starts_with('{')))
}

#[cfg(test)]
mod tests {
    use super::{is_below, takes};

    #[test]
    fn a_prefix_ends_with_a_segment() {
        assert!(is_below("/api/queue", "/api/queue") && is_below("/api/queue/v1", "/api/queue"));
        assert!(!is_below("/api/queues", "/api/queue") && !is_below("/api", "/api/queue"));
    }

    #[test]
    fn a_prefix_takes_what_it_covers_also_where_a_parameter_stands() {
        for (prefix, path) in [("/api", "/api/x/v1"), ("/worker-types/a", "/worker-types/{p}/{w}"), ("/ping", "/ping")]
        {
            assert!(takes(prefix, path), "{prefix} {path}");
        }
        for (prefix, path) in [("/api/queue", "/api/x/v1"), ("/ping/x", "/ping"), ("/api/queue", "/"), ("/a", "/ab")] {
            assert!(!takes(prefix, path), "{prefix} {path}");
        }
    }
}
