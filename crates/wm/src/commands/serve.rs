//! `wm serve`: worker-manager, and other roles on the same port.

use crate::cli::{Role, ServeArgs};
use crate::roles::{self, DatabaseAt, Host, until_stopped};
use crate::settings::SettingsFile;
use crate::{Exit, Failure, Terminal};

pub async fn run(args: &ServeArgs, file: Option<&SettingsFile>, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let host = Host::bind(&args.server, &args.routes.route, file).await?;
    let database = DatabaseAt { url: args.database_url.clone(), setting: "--database-url (WM_DATABASE_URL)" };
    let registry = roles::registry(database, &args.registry, host.replica()).await?;
    let mut services = vec![roles::worker_manager(registry.clone(), &args.registry)];
    let with_queue = args.roles.with.contains(&Role::Queue);
    if with_queue {
        let database =
            DatabaseAt { url: queue_database(args)?, setting: "--queue-database-url (WM_QUEUE_DATABASE_URL)" };
        services.push(roles::queue(database, &args.queue, host.own_client()?, host.root_url()).await?);
    }
    services.push(roles::web_ui(registry, with_queue || host.forwards_queue()));
    let running = host.start(services, terminal)?;
    until_stopped(running).await?;
    Ok(Exit::Success)
}

/// The queue has a database of its own.
fn queue_database(args: &ServeArgs) -> Result<String, Failure> {
    if let Some(url) = &args.roles.queue_database_url {
        return Ok(url.clone());
    }
    let Some(file) = args.database_url.strip_prefix("sqlite://") else {
        let words = "--with queue on PostgreSQL needs --queue-database-url (WM_QUEUE_DATABASE_URL): the queue has a database of its own";
        return Err(Failure::Usage(words.to_owned()));
    };
    let beside = std::path::Path::new(file).with_file_name("queue.sqlite");
    Ok(format!("sqlite://{}", beside.display()))
}
