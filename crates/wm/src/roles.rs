//! The roles of the one binary: how each is put together from its settings, and how they run until they are told to stop.

mod access;
mod examples;
mod filling;
mod gate;
mod open_files;
mod server;

pub use examples::Embedded;
pub use filling::Filling;
pub use server::{Host, until_stopped};

use crate::Failure;
use crate::cli::{QueueSettings, RegistrySettings};
use database::{DatabaseError, Options};
use registry::{Registry, Replica, Settings};
use service::HttpService;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use store::SqlStore;
use web_ui::WebUi;
use worker_manager::WorkerManager;

/// A database, and the setting that says which.
pub struct DatabaseAt {
    /// Its URL.
    pub url: String,
    /// As messages name it.
    pub setting: &'static str,
}

/// The registry in `database`, as this server has it.
///
/// # Errors
/// The database cannot be used, or holds what this version cannot read.
pub async fn registry(
    database: DatabaseAt,
    settings: &RegistrySettings,
    replica: Replica,
) -> Result<Arc<Registry>, Failure> {
    let registry_settings = Settings { replica, ..registry_settings(settings) };
    let registry = blocking(move || {
        let store = SqlStore::open(&database.url, &Options::default()).map_err(|error| database.failure(&error))?;
        Registry::open(Arc::new(store), registry_settings).map_err(starting("the registry"))
    });
    Ok(Arc::new(registry.await?))
}

/// worker-manager over a registry.
pub fn worker_manager(registry: Arc<Registry>, settings: &RegistrySettings) -> Arc<dyn HttpService> {
    let body_limits = BTreeMap::from([
        ("max_definition_body_bytes", settings.max_definition_body_bytes),
        ("max_release_body_bytes", settings.max_release_body_bytes),
        ("max_task_bytes", settings.max_task_bytes),
        ("max_check_bytes", settings.max_check_bytes),
        ("max_import_bytes", settings.max_import_bytes),
        ("max_adoption_bytes", settings.max_adoption_bytes),
        ("max_request_bytes", settings.max_request_bytes),
    ]);
    let options = worker_manager::Options {
        body_limits,
        events_heartbeat: Duration::from_millis(settings.event_bookmark_ms),
        ..worker_manager::Options::default()
    };
    Arc::new(WorkerManager::new(registry, options))
}

/// The pages over a registry.
pub fn web_ui(registry: Arc<Registry>, has_queue: bool) -> Arc<dyn HttpService> {
    Arc::new(WebUi::new(registry, web_ui::Options { has_queue }))
}

fn registry_settings(settings: &RegistrySettings) -> Settings {
    let mut registry = Settings::default();
    registry.limits.definition_bytes = settings.max_definition_bytes;
    registry.limits.release_bytes = settings.max_release_bytes;
    registry.event_age = Duration::from_secs(u64::from(settings.event_days) * 24 * 3600);
    registry.event_count = settings.event_count;
    registry
}

/// The queue in `database`, whose gate asks worker-manager through `client`.
///
/// # Errors
/// The database or a setting cannot be used.
pub async fn queue(
    database: DatabaseAt,
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
    queue_settings.body_limit = settings.body_limit;
    queue_settings.recording = queue::Recording {
        at_most: settings.record_tasks,
        kept_for: Duration::from_secs(u64::from(settings.record_days) * 24 * 3600),
        redacted: settings.record_redact.clone(),
    };
    let gate = gate::start(client);
    let opened = blocking(move || {
        let options = Options { application_name: "wm queue".to_owned(), ..Options::default() };
        queue::Queue::open(&database.url, &options, gate, queue_settings).map_err(|error| database.failure(&error))
    });
    Ok(Arc::new(queue::QueueService::new(opened.await?)))
}

impl DatabaseAt {
    /// Why it cannot be opened: a setting that has to be mended, or a database that may come back by itself.
    fn failure(&self, error: &DatabaseError) -> Failure {
        let words = format!("{}: {}", self.setting, with_sources(error));
        if matches!(error, DatabaseError::Url(_)) { Failure::Usage(words) } else { Failure::Start(words) }
    }
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

#[cfg(test)]
mod tests {
    use crate::cli::Cli;
    use crate::settings::settings_of;
    use clap::CommandFactory;
    use std::collections::BTreeMap;

    /// A refusal names the setting that would let the request in; so there has to be one.
    #[test]
    fn every_body_limit_is_a_setting_with_the_default_of_its_route() {
        let command = Cli::command();
        let serve = command.find_subcommand("serve").unwrap();
        let defaults: BTreeMap<String, String> = settings_of(serve)
            .map(|setting| {
                (
                    setting.key.replace('-', "_"),
                    setting.arg.get_default_values().join(" ".as_ref()).into_string().unwrap(),
                )
            })
            .collect();
        for limit in worker_manager::OPERATIONS.iter().filter_map(|operation| Some(operation.body?.limit)) {
            assert_eq!(defaults.get(limit.setting), Some(&limit.default.to_string()), "{}", limit.setting);
        }
    }
}
