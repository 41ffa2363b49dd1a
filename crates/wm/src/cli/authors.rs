//! What authors of tasks use.

use super::ServerUrl;
use clap::Args;
use std::path::PathBuf;
use worker_types::{LifecycleState, ReleaseId, RevisionNumber, WorkerTypeId};

/// `wm list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Words that all stand in the id, the description, the owner or a tag.
    pub words: Vec<String>,
    /// Of one provisioner.
    #[arg(long, value_name = "ID")]
    pub provisioner_id: Option<String>,
    /// That run one implementation.
    #[arg(long, value_name = "NAME")]
    pub implementation: Option<String>,
    /// That use one release.
    #[arg(long, value_name = "NAME@VERSION")]
    pub release: Option<ReleaseId>,
    /// In one state of life: experimental, active, deprecated or retired.
    #[arg(long, value_name = "STATE")]
    pub lifecycle: Option<LifecycleState>,
    /// With one tag.
    #[arg(long, value_name = "TAG")]
    pub tag: Option<String>,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The worker type, as in linux/container.
    #[arg(value_name = "ID")]
    pub id: WorkerTypeId,
    /// One revision of its history, instead of what is live.
    #[arg(long, value_name = "NUMBER")]
    pub revision: Option<RevisionNumber>,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm docs`.
#[derive(Debug, Args)]
pub struct DocsArgs {
    /// The worker type, as in linux/container.
    #[arg(value_name = "ID")]
    pub id: WorkerTypeId,
    /// One revision of its history, instead of what is live.
    #[arg(long, value_name = "NUMBER")]
    pub revision: Option<RevisionNumber>,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}

/// `wm validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Tasks, task graphs, payloads, in JSON or YAML, or tasks as NDJSON; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The worker type that payloads without a task are for; tasks are held against it too.
    #[arg(long, value_name = "ID")]
    pub worker_type: Option<WorkerTypeId>,
    /// Which server.
    #[command(flatten)]
    pub server: ServerUrl,
}
