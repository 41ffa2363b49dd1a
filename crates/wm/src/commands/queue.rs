//! `wm queue`: the queue, beside a worker-manager that runs elsewhere.

use crate::cli::QueueArgs;
use crate::connection::connect_to;
use crate::roles::{self, DatabaseAt, Host, until_stopped};
use crate::settings::SettingsFile;
use crate::{Exit, Failure, Terminal};

pub async fn run(args: &QueueArgs, file: Option<&SettingsFile>, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let host = Host::bind(&args.server, &[], file).await?;
    let client = connect_to(&args.worker_manager_url, &args.credentials)?;
    let root = args.worker_manager_url.trim_end_matches('/');
    let database = DatabaseAt { url: args.database_url.clone(), setting: "--database-url (WM_DATABASE_URL)" };
    let queue = roles::queue(database, &args.queue, client, root).await?;
    let running = host.start(vec![queue], terminal)?;
    until_stopped(running).await?;
    Ok(Exit::Success)
}
