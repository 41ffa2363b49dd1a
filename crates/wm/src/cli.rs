//! The arguments of every subcommand. An argument with a `WM_…` variable is a setting: it may stand in `wm.toml` too.

mod authors;
mod operators;
mod servers;
mod shared;

pub use authors::{DocsArgs, ListArgs, ShowArgs, ValidateArgs};
pub use operators::{
    ApplyArgs, CheckArgs, CompareArgs, CompletionsArgs, DiffArgs, ExportArgs, ImportArgs, ReleaseAdoptArgs,
    ReleaseArgs, ReleaseCommand, ReleaseListArgs, ReleaseMarkArgs, ReleasePublishArgs, RolloutAbortArgs, RolloutArgs,
    RolloutCommand, RolloutCompleteArgs, RolloutListArgs, RolloutShowArgs, TokenArgs,
};
pub use servers::{
    AccessLog, DevArgs, MigrateArgs, ProvisionArgs, QueueArgs, QueueSettings, RegistrySettings, Role, ServeArgs,
    ServerArgs, Service,
};
pub use shared::{Credentials, ServerUrl};

use crate::terminal::Output;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// A build with faults in it says so.
const VERSION: &str = if cfg!(feature = "failpoints") {
    concat!(env!("CARGO_PKG_VERSION"), " (with failpoints)")
} else {
    env!("CARGO_PKG_VERSION")
};

/// Worker types, their payload schemas and their documentation: the server, and what operators and authors do with it.
///
/// Settings come from flags, else from WM_… variables, else from wm.toml, else from defaults.
#[derive(Debug, Parser)]
#[command(name = "wm", version = VERSION, propagate_version = true, max_term_width = 110, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// The file with settings; ./wm.toml is read if it exists.
    #[arg(long, global = true, value_name = "FILE", env = "WM_CONFIG", help_heading = "Everywhere")]
    pub config: Option<PathBuf>,
    /// For whom the results are written: people, or programs (one JSON document).
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        env = "WM_OUTPUT",
        help_heading = "Everywhere"
    )]
    pub output: Output,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run everything in one process on SQLite, to try it or to develop against it.
    Dev(DevArgs),
    /// Run worker-manager, and other roles beside it.
    Serve(ServeArgs),
    /// Run the queue.
    Queue(QueueArgs),
    /// Read the pools, and say what the provisioner would do.
    Provision(ProvisionArgs),
    /// Bring a database's tables up to date.
    Migrate(MigrateArgs),
    /// Publish a folder of definitions: plan everything, show it, then publish what differs.
    Apply(ApplyArgs),
    /// Show how a folder of definitions differs from what is live.
    Diff(DiffArgs),
    /// Hold a folder of definitions against the publish gate, and recorded tasks against it; stores nothing.
    Check(CheckArgs),
    /// Say whether everything that one schema accepts, another accepts too; asks no server.
    Compare(CompareArgs),
    /// Hold tasks, task graphs or payloads against what is live.
    Validate(ValidateArgs),
    /// List the worker types.
    List(ListArgs),
    /// Show one worker type's definition.
    Show(ShowArgs),
    /// Print one worker type's documentation as Markdown.
    Docs(DocsArgs),
    /// Publish and list releases of worker implementations.
    Release(ReleaseArgs),
    /// Show, complete or abort the rollout of a worker type.
    Rollout(RolloutArgs),
    /// Write the whole registry, with its history, as NDJSON.
    Export(ExportArgs),
    /// Take an export in: all of it or nothing.
    Import(ImportArgs),
    /// Make a random token, and the entry of wm.toml that lets it in.
    Token(TokenArgs),
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
}
