//! What operators and those who maintain worker implementations use.

use super::ServerUrl;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;
use worker_types::{Dialect, ReleaseId, ReleaseState, WorkerTypeId};

/// `wm apply`.
#[derive(Debug, Args)]
pub struct ApplyArgs {
    /// The folder with worker-types/, releases/ and defaults.yml.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Plan and show, publish nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Why, for the history.
    #[arg(long, short, value_name = "TEXT")]
    pub message: Option<String>,
    /// Where a rollout is open, replace the newer of the two live revisions.
    #[arg(long)]
    pub replace_rollout: bool,
    /// Publish although compatibility is required and tasks may newly be refused; needs --message.
    #[arg(long, requires = "message")]
    pub allow_breaking: bool,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The folder with worker-types/, releases/ and defaults.yml.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The folder with worker-types/, releases/ and defaults.yml.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Recorded tasks, one on each line: those that a definition would newly refuse are named.
    #[arg(long, value_name = "FILE.ndjson")]
    pub tasks: Option<PathBuf>,
    /// The root URL of a queue: the tasks that wait there now are held against the definitions too. The token is sent
    /// to it only where it has the origin of --url.
    #[arg(long, value_name = "URL")]
    pub queue_url: Option<String>,
    /// Where a rollout is open, look at what replacing the newer of the two live revisions does; refused otherwise.
    #[arg(long)]
    pub replace_rollout: bool,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The JSON Schema that is in use, in JSON or YAML.
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The JSON Schema that is to take its place.
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// How schemas are read that name no `$schema`; draft-07 otherwise.
    #[arg(long, value_name = "DRAFT",
        value_parser = PossibleValuesParser::new(Dialect::NAMES).try_map(|name| name.parse::<Dialect>()))]
    pub dialect: Option<Dialect>,
}

/// `wm rollout`.
#[derive(Debug, Args)]
pub struct RolloutArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: RolloutCommand,
}

/// The subcommands of `wm rollout`.
#[derive(Debug, Subcommand)]
pub enum RolloutCommand {
    /// Name every rollout that is open.
    List(RolloutListArgs),
    /// Say which two revisions are live, and until when.
    Show(RolloutShowArgs),
    /// Let the newer revision be live alone.
    Complete(RolloutCompleteArgs),
    /// Let the older revision be live alone again; the newer stays in the history.
    Abort(RolloutAbortArgs),
}

/// `wm rollout list`.
#[derive(Debug, Args)]
pub struct RolloutListArgs {
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm rollout show`.
#[derive(Debug, Args)]
pub struct RolloutShowArgs {
    /// The worker type.
    #[arg(value_name = "PROVISIONER/WORKERTYPE")]
    pub id: WorkerTypeId,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm rollout abort`, which is the way out of an accident and refused for nothing.
#[derive(Debug, Args)]
pub struct RolloutAbortArgs {
    /// The worker type.
    #[arg(value_name = "PROVISIONER/WORKERTYPE")]
    pub id: WorkerTypeId,
    /// Why, for the history.
    #[arg(long, short, value_name = "TEXT")]
    pub message: Option<String>,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm rollout complete`.
#[derive(Debug, Args)]
pub struct RolloutCompleteArgs {
    /// The worker type.
    #[arg(value_name = "PROVISIONER/WORKERTYPE")]
    pub id: WorkerTypeId,
    /// Complete although compatibility is required and tasks may newly be refused; needs --message.
    #[arg(long, requires = "message")]
    pub allow_breaking: bool,
    /// Why, for the history.
    #[arg(long, short, value_name = "TEXT")]
    pub message: Option<String>,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm release`.
#[derive(Debug, Args)]
pub struct ReleaseArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: ReleaseCommand,
}

/// The subcommands of `wm release`.
#[derive(Debug, Subcommand)]
pub enum ReleaseCommand {
    /// Publish one release, or every release of a folder.
    Publish(ReleasePublishArgs),
    /// Move many worker types to a release, planned first, and back.
    Adopt(ReleaseAdoptArgs),
    /// Deprecate or withdraw a release, or take that back.
    Mark(ReleaseMarkArgs),
    /// List implementations and their releases.
    List(ReleaseListArgs),
}

/// `wm release adopt`.
#[derive(Debug, Args)]
pub struct ReleaseAdoptArgs {
    /// The release that worker types are moved to: those that use another one of the same implementation.
    #[arg(value_name = "NAME@VERSION")]
    pub release: ReleaseId,
    /// Only those with provisionerId=ID, tag=TAG, workerType=ID or from=NAME@VERSION; repeat it, and all must hold. Several
    /// workerType or from are alternatives.
    #[arg(long = "where", value_name = "NAME=VALUE")]
    pub conditions: Vec<String>,
    /// Publish what is planned; otherwise it is only shown.
    #[arg(long)]
    pub apply: bool,
    /// Back to what was live before the adoption whose answer (`--output json`) this is, where nobody has changed it since.
    #[arg(long, value_name = "PLAN.json", conflicts_with_all = ["conditions", "allow_breaking"])]
    pub rollback: Option<PathBuf>,
    /// Publish although compatibility is required and tasks may newly be refused; needs --message.
    #[arg(long, requires = "message")]
    pub allow_breaking: bool,
    /// Why, for the history.
    #[arg(long, short, value_name = "TEXT")]
    pub message: Option<String>,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm release mark`.
#[derive(Debug, Args)]
pub struct ReleaseMarkArgs {
    /// The release.
    #[arg(value_name = "NAME@VERSION")]
    pub release: ReleaseId,
    /// A deprecated one warns those who use it; a withdrawn one gets no new users.
    #[arg(value_name = "STATE",
        value_parser = PossibleValuesParser::new(ReleaseState::NAMES).try_map(|name| name.parse::<ReleaseState>()))]
    pub state: ReleaseState,
    /// What to use instead.
    #[arg(long, value_name = "NAME@VERSION")]
    pub replaced_by: Option<ReleaseId>,
    /// Why, for those who use it.
    #[arg(long, short, value_name = "TEXT")]
    pub message: Option<String>,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm release publish`.
#[derive(Debug, Args)]
pub struct ReleasePublishArgs {
    /// A release, or a folder with releases/<name>/<version>.yml.
    #[arg(value_name = "FILE|DIR")]
    pub path: PathBuf,
    /// Its id, where neither the file's place (<name>/<version>.yml) nor its field `release` says it.
    #[arg(long, value_name = "NAME@VERSION")]
    pub id: Option<ReleaseId>,
    /// Run every check, publish nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Why, for the history.
    #[arg(long, short, value_name = "TEXT")]
    pub message: Option<String>,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm release list`.
#[derive(Debug, Args)]
pub struct ReleaseListArgs {
    /// Only this implementation's, with who published them and when.
    #[arg(value_name = "NAME")]
    pub implementation: Option<String>,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Where to write it; standard output otherwise.
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// What `wm export` wrote; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm token`.
#[derive(Debug, Args)]
pub struct TokenArgs {
    /// The name by which the history calls whoever uses it.
    #[arg(long, default_value = "operator")]
    pub name: String,
    /// What it may do; repeat it for several. `*` is everything.
    #[arg(long = "scope", value_name = "SCOPE", default_value = "*")]
    pub scopes: Vec<String>,
}

/// `wm completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}
