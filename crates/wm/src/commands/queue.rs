//! `wm queue`: the queue, beside a worker-manager that runs elsewhere.

use crate::cli::QueueArgs;
use crate::connection::connect_to;
use crate::roles::{self, Host, until_stopped};
use crate::settings::SettingsFile;
use crate::{Exit, Failure, Terminal};

pub async fn run(args: &QueueArgs, file: Option<&SettingsFile>, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let host = Host::bind(&args.server, file).await?;
    let client = connect_to(&args.worker_manager_url, &args.credentials)?;
    let root = args.worker_manager_url.trim_end_matches('/');
    let queue = roles::queue(&args.database_url, &args.queue, client, root).await?;
    let running = host.start(vec![queue], terminal)?;
    until_stopped(running).await?;
    Ok(Exit::Success)
}
