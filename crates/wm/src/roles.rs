//! The roles of the one binary: how each is put together from its settings, and how they run until they are told to stop.

mod access;
mod examples;
mod filling;
mod gate;
mod server;

pub use examples::Embedded;
pub use filling::Filling;
pub use server::{Host, until_stopped};

use crate::Failure;
use crate::cli::{QueueSettings, RegistrySettings};
use database::Options;
use registry::{Registry, Settings};
use service::HttpService;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use store::SqlStore;
use worker_manager::WorkerManager;

/// worker-manager over the registry in the database at `url`.
///
/// # Errors
/// The database cannot be used, or holds what this version cannot read.
pub async fn worker_manager(url: &str, settings: &RegistrySettings) -> Result<Arc<dyn HttpService>, Failure> {
    let (url, registry_settings) = (url.to_owned(), registry_settings(settings));
    let registry = blocking(move || {
        let store = SqlStore::open(&url, &Options::default()).map_err(starting("the registry's database"))?;
        Registry::open(Arc::new(store), registry_settings).map_err(starting("the registry"))
    });
    let body_limits = BTreeMap::from([
        ("max-definition-bytes", settings.max_definition_bytes + BODY_MARGIN),
        ("max-release-bytes", settings.max_release_bytes + BODY_MARGIN),
        ("max-task-bytes", settings.max_task_bytes),
    ]);
    let options = worker_manager::Options { body_limits, ..worker_manager::Options::default() };
    Ok(Arc::new(WorkerManager::new(Arc::new(registry.await?), options)))
}

/// White space and escapes make a body larger than the canonical text that the limit is about.
const BODY_MARGIN: usize = 256 << 10;

fn registry_settings(settings: &RegistrySettings) -> Settings {
    let mut registry = Settings::default();
    registry.limits.definition_bytes = settings.max_definition_bytes;
    registry.limits.release_bytes = settings.max_release_bytes;
    registry.event_age = Duration::from_secs(u64::from(settings.event_days) * 24 * 3600);
    registry.event_count = settings.event_count;
    registry
}

/// The queue in the database at `url`, whose gate asks worker-manager through `client`.
///
/// # Errors
/// The database or a setting cannot be used.
pub async fn queue(
    url: &str,
    settings: &QueueSettings,
    client: worker_manager_client::Client,
    worker_manager_root: &str,
) -> Result<Arc<dyn HttpService>, Failure> {
    let mut queue_settings = queue::Settings::new(worker_manager_root);
    queue_settings.max_validation = settings.max_validation;
    queue_settings.unknown_worker_type = settings
        .unknown_worker_type
        .parse()
        .map_err(|error| Failure::Usage(format!("--unknown-worker-type: {error}")))?;
    let gate = gate::start(client);
    let url = url.to_owned();
    let opened = blocking(move || {
        let options = Options { application_name: "wm queue".to_owned(), ..Options::default() };
        queue::Queue::open(&url, &options, gate, queue_settings).map_err(starting("the queue's database"))
    });
    Ok(Arc::new(queue::QueueService::new(opened.await?)))
}

/// Opening a database blocks.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Failure> + Send + 'static) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(Failure::Start(error.to_string())))
}

/// A role that cannot start: which part of it, and the part's own words.
fn starting<E: std::error::Error>(part: &'static str) -> impl Fn(E) -> Failure {
    move |error| Failure::Start(format!("{part}: {}", with_sources(&error)))
}

fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let words = cause.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        source = cause.source();
    }
    text
}
