//! The roles as servers, and their databases.

use super::Credentials;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use worker_types::ValidationMode;

/// Where a server listens, and what it logs.
#[derive(Clone, Debug, Args)]
pub struct ServerArgs {
    /// The address to listen on; port 0 takes a free one. Beyond loopback only with access configured.
    #[arg(long, value_name = "ADDR", env = "WM_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// Whether each request is logged.
    #[arg(long, value_enum, value_name = "on|off", env = "WM_ACCESS_LOG", default_value = "on", help_heading = "Logs")]
    pub access_log: AccessLog,
    /// What is logged, as in info or warn,worker_manager=debug.
    #[arg(long, value_name = "FILTER", env = "WM_LOG", default_value = "info", help_heading = "Logs")]
    pub log: String,
    /// The URL under which people reach this server, for links; the address it listens on otherwise.
    #[arg(long, value_name = "URL", env = "WM_ROOT_URL")]
    pub root_url: Option<String>,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AccessLog {
    /// Each request is logged.
    On,
    /// Only what goes wrong is.
    Off,
}

/// What worker-manager takes and keeps.
#[derive(Clone, Debug, Args)]
pub struct RegistrySettings {
    /// The largest definition, in bytes of its canonical JSON.
    #[arg(long, value_name = "BYTES", env = "WM_MAX_DEFINITION_BYTES", default_value_t = 1 << 20, help_heading = "Limits")]
    pub max_definition_bytes: usize,
    /// The largest release, in bytes of its canonical JSON.
    #[arg(long, value_name = "BYTES", env = "WM_MAX_RELEASE_BYTES", default_value_t = 4 << 20, help_heading = "Limits")]
    pub max_release_bytes: usize,
    /// The largest request with a definition, in bytes: white space counts here.
    #[arg(long, value_name = "BYTES", env = "WM_MAX_DEFINITION_BODY_BYTES", default_value_t = (1 << 20) + (256 << 10), help_heading = "Limits")]
    pub max_definition_body_bytes: usize,
    /// The largest request with a release, in bytes.
    #[arg(long, value_name = "BYTES", env = "WM_MAX_RELEASE_BODY_BYTES", default_value_t = (4 << 20) + (1 << 20), help_heading = "Limits")]
    pub max_release_body_bytes: usize,
    /// The largest task or payload to judge, in bytes of its request or its line.
    #[arg(long, value_name = "BYTES", env = "WM_MAX_TASK_BYTES", default_value_t = (10 << 20) + (64 << 10), help_heading = "Limits")]
    pub max_task_bytes: usize,
    /// The largest request to check a definition with recorded tasks, in bytes.
    #[arg(long, value_name = "BYTES", env = "WM_MAX_CHECK_BYTES", default_value_t = 64 << 20, help_heading = "Limits")]
    pub max_check_bytes: usize,
    /// The largest import, in bytes.
    #[arg(long, value_name = "BYTES", env = "WM_MAX_IMPORT_BYTES", default_value_t = 1 << 30, help_heading = "Limits")]
    pub max_import_bytes: usize,
    /// The largest request to move worker types to a release, or back, in bytes: about 400 for each of them.
    #[arg(long, value_name = "BYTES", env = "WM_MAX_ADOPTION_BYTES", default_value_t = 8 << 20, help_heading = "Limits")]
    pub max_adoption_bytes: usize,
    /// The largest of all other requests, in bytes.
    #[arg(long, value_name = "BYTES", env = "WM_MAX_REQUEST_BYTES", default_value_t = 64 << 10, help_heading = "Limits")]
    pub max_request_bytes: usize,
    /// How many days the change feed goes back.
    #[arg(long, value_name = "DAYS", env = "WM_EVENT_DAYS", default_value_t = 7, help_heading = "Limits")]
    pub event_days: u32,
    /// How many events the change feed keeps. What is beyond is forgotten once a minute.
    #[arg(long, value_name = "COUNT", env = "WM_EVENT_COUNT", default_value_t = 1_000_000, help_heading = "Limits")]
    pub event_count: u64,
    /// After how many milliseconds without a change the change feed sends a bookmark: at most 15,000, since readers give up
    /// after three times that.
    #[arg(long, value_name = "MILLISECONDS", env = "WM_EVENT_BOOKMARK_MS", default_value_t = 15_000,
        value_parser = clap::value_parser!(u64).range(10..=15_000), help_heading = "Limits")]
    pub event_bookmark_ms: u64,
}

/// What a queue does with payloads that are not accepted.
#[derive(Clone, Debug, Args)]
pub struct QueueSettings {
    /// No worker type's validation mode counts for more than this.
    #[arg(long, value_name = "MODE", env = "WM_MAX_VALIDATION", default_value = "enforce",
        value_parser = PossibleValuesParser::new(ValidationMode::NAMES).try_map(|name| name.parse::<ValidationMode>()),
        help_heading = "Queue")]
    pub max_validation: ValidationMode,
    /// What happens to a task for a worker type that does not exist.
    #[arg(long, value_name = "MODE", env = "WM_UNKNOWN_WORKER_TYPE", default_value = "allow",
        value_parser = PossibleValuesParser::new(["allow", "warn", "refuse"]), help_heading = "Queue")]
    pub unknown_worker_type: String,
    /// The largest request to create a task, in bytes.
    #[arg(long, value_name = "BYTES", env = "WM_BODY_LIMIT", default_value_t = 10 << 20, help_heading = "Queue")]
    pub body_limit: usize,
    /// How many created tasks are recorded for each worker type, for replays with `wm check`; 0 records none, and removes
    /// those that were.
    #[arg(long, value_name = "COUNT", env = "WM_RECORD_TASKS", default_value_t = 0, help_heading = "Queue")]
    pub record_tasks: u64,
    /// How many days they are kept.
    #[arg(long, value_name = "DAYS", env = "WM_RECORD_DAYS", default_value_t = 30, help_heading = "Queue")]
    pub record_days: u32,
    /// What is taken out of them before they are written: JSON Pointers in which * stands for every member. Values keep
    /// their type.
    #[arg(
        long,
        value_name = "POINTER",
        env = "WM_RECORD_REDACT",
        value_delimiter = ',',
        default_value = "/payload/env/*",
        help_heading = "Queue"
    )]
    pub record_redact: Vec<queue::RedactedPlace>,
}

/// A role that runs beside worker-manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Taskcluster's createTask and its neighbours.
    Queue,
}

/// The roles beside worker-manager, and the queue's database.
#[derive(Clone, Debug, Args)]
pub struct RoleArgs {
    /// Roles to run in the same process, on the same port.
    #[arg(long, value_enum, value_name = "ROLE", env = "WM_WITH", value_delimiter = ',')]
    pub with: Vec<Role>,
    /// The queue's database; queue.sqlite beside worker-manager's file otherwise.
    #[arg(long, value_name = "URL", env = "WM_QUEUE_DATABASE_URL")]
    pub queue_database_url: Option<String>,
}

/// What other servers answer in this one's name.
#[derive(Clone, Debug, Args)]
pub struct RouteArgs {
    /// What is below PREFIX is answered by the server at URL, as in /api/queue=http://127.0.0.1:8081; may be given again
    /// for another prefix. Requests go on with their credentials: who may do what is that server's to say.
    #[arg(long, value_name = "PREFIX=URL", env = "WM_ROUTE", value_delimiter = ',')]
    pub route: Vec<forward::Route>,
}

/// `wm dev`.
#[derive(Debug, Args)]
pub struct DevArgs {
    /// Where it listens, and what it logs.
    #[command(flatten)]
    pub server: ServerArgs,
    /// The folder for the databases; made if it does not exist.
    #[arg(long, value_name = "DIR", env = "WM_DATA_DIR", default_value = ".wm")]
    pub data_dir: PathBuf,
    /// Publish the example worker types that are not there yet, and print what to try.
    #[arg(long)]
    pub examples: bool,
    /// What others answer.
    #[command(flatten)]
    pub routes: RouteArgs,
    /// What worker-manager takes and keeps.
    #[command(flatten)]
    pub registry: RegistrySettings,
    /// What the queue does.
    #[command(flatten)]
    pub queue: QueueSettings,
}

/// `wm serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Where it listens, and what it logs.
    #[command(flatten)]
    pub server: ServerArgs,
    /// sqlite://FILE or postgres://USER:PASSWORD@HOST/DATABASE.
    #[arg(long, value_name = "URL", env = "WM_DATABASE_URL", hide_env_values = true)]
    pub database_url: String,
    /// What runs beside it.
    #[command(flatten)]
    pub roles: RoleArgs,
    /// What others answer.
    #[command(flatten)]
    pub routes: RouteArgs,
    /// What worker-manager takes and keeps.
    #[command(flatten)]
    pub registry: RegistrySettings,
    /// What the queue does.
    #[command(flatten)]
    pub queue: QueueSettings,
}

/// `wm queue`.
#[derive(Debug, Args)]
pub struct QueueArgs {
    /// Where it listens, and what it logs.
    #[command(flatten)]
    pub server: ServerArgs,
    /// sqlite://FILE or postgres://USER:PASSWORD@HOST/DATABASE; not worker-manager's.
    #[arg(long, value_name = "URL", env = "WM_DATABASE_URL", hide_env_values = true)]
    pub database_url: String,
    /// worker-manager's root URL.
    #[arg(long, value_name = "URL", env = "WM_WORKER_MANAGER_URL")]
    pub worker_manager_url: String,
    /// What the queue does.
    #[command(flatten)]
    pub queue: QueueSettings,
    /// What it sends to worker-manager.
    #[command(flatten)]
    pub credentials: Credentials,
}

/// `wm provision`.
#[derive(Debug, Args)]
pub struct ProvisionArgs {
    /// worker-manager's root URL.
    #[arg(long, value_name = "URL", env = "WM_WORKER_MANAGER_URL", default_value = "http://127.0.0.1:8080")]
    pub worker_manager_url: String,
    /// The queue's root URL. This version asks it nothing: counts come from --counts.
    #[arg(long, value_name = "URL", env = "WM_QUEUE_URL", default_value = "http://127.0.0.1:8080")]
    pub queue_url: String,
    /// Read, print what would be done, and end. This version does nothing else.
    #[arg(long, required = true)]
    pub plan: bool,
    /// Counts to plan with, as JSON or YAML: {"p/w": {"pending": 3, …}}.
    #[arg(long, value_name = "FILE")]
    pub counts: Option<PathBuf>,
    /// What it sends to worker-manager.
    #[command(flatten)]
    pub credentials: Credentials,
}

/// `wm migrate`.
#[derive(Debug, Args)]
pub struct MigrateArgs {
    /// sqlite://FILE or postgres://USER:PASSWORD@HOST/DATABASE.
    #[arg(long, value_name = "URL", env = "WM_DATABASE_URL", hide_env_values = true)]
    pub database_url: String,
    /// Whose database it is.
    #[arg(long, value_enum, value_name = "SERVICE", default_value = "worker-manager")]
    pub service: Service,
    /// Change nothing; say what is missing.
    #[arg(long)]
    pub check: bool,
    /// The database was just brought back from a backup: let everybody who watches its changes list anew.
    #[arg(long, conflicts_with = "check")]
    pub restored: bool,
}

/// A service with a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Service {
    /// worker-manager.
    WorkerManager,
    /// The queue.
    Queue,
}
