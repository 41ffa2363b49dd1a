//! How the registry stands, for `/metrics`.

use registry::{Entry, Registry};
use std::sync::Arc;
use std::time::Duration;

/// How often the gauges are set.
const EVERY: Duration = Duration::from_secs(5);

/// Sets the gauges again and again, until the future is dropped.
pub(crate) async fn keep(registry: Arc<Registry>) {
    metrics::describe_gauge!("registry_worker_types", "Worker types that are live");
    metrics::describe_gauge!("registry_releases", "Releases");
    metrics::describe_gauge!("registry_compiled_schemas", "Schemas that are compiled");
    metrics::describe_counter!("status_computations_total", "How often the status was computed");
    metrics::describe_gauge!("registry_applied_event", "The newest change that reads see");
    metrics::describe_gauge!(
        "registry_store_silence_seconds",
        metrics::Unit::Seconds,
        "For how long the database has given no news; 0 while it does"
    );
    let mut every = tokio::time::interval(EVERY);
    loop {
        every.tick().await;
        set(&registry);
    }
}

fn set(registry: &Registry) {
    let snapshot = registry.snapshot();
    let live = snapshot.worker_types.values().filter(|entry| matches!(***entry, Entry::Live(_))).count();
    metrics::gauge!("registry_worker_types").set(live as f64);
    metrics::gauge!("registry_releases").set(snapshot.releases.len() as f64);
    metrics::gauge!("registry_compiled_schemas").set(registry.compiled_schemas() as f64);
    metrics::gauge!("registry_applied_event").set(snapshot.applied as f64);
    metrics::gauge!("registry_store_silence_seconds").set(registry.stale_for().unwrap_or_default().as_secs_f64());
}
