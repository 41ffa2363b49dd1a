//! `wm dev`: every role in one process on SQLite, with examples if one likes.

use crate::cli::DevArgs;
use crate::folder::Folder;
use crate::plan::{self, Publishing};
use crate::roles::{self, DatabaseAt, Embedded, Filling, Host, until_stopped};
use crate::settings::SettingsFile;
use crate::terminal::NAME;
use crate::{Exit, Failure, Terminal};
use service::HttpService;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use worker_manager_client::{Client, PublishOptions};

pub async fn run(args: &DevArgs, file: Option<&SettingsFile>, terminal: &mut Terminal) -> Result<Exit, Failure> {
    std::fs::create_dir_all(&args.data_dir).map_err(|source| {
        Failure::Start(format!("--data-dir: cannot make the folder {}: {source}", args.data_dir.display()))
    })?;
    let database = |name: &str| DatabaseAt {
        url: format!("sqlite://{}", args.data_dir.join(name).display()),
        setting: "--data-dir (WM_DATA_DIR)",
    };
    let host = Host::bind(&args.server, &args.routes.route, file).await?;
    let client = host.own_client()?;
    let root_url = host.root_url().to_owned();
    let registry = roles::registry(database("registry.sqlite"), &args.registry, host.replica()).await?;
    let (worker_manager, filled) = Filling::new(roles::worker_manager(registry.clone(), &args.registry));
    let services: Vec<Arc<dyn HttpService>> = vec![
        worker_manager,
        roles::queue(database("queue.sqlite"), &args.queue, client.clone(), &root_url).await?,
        roles::web_ui(registry, true),
    ];
    let running = host.start(services, terminal)?;
    if args.examples {
        publish_examples(&client, terminal).await?;
        terminal.line(what_to_try(&root_url))?;
    }
    filled.store(true, Ordering::Release);
    terminal.flush()?;
    until_stopped(running).await?;
    Ok(Exit::Success)
}

/// Publishes what is not there yet; what somebody has changed stays as it is.
async fn publish_examples(client: &Client, terminal: &mut Terminal) -> Result<(), Failure> {
    let folder = Folder::load(&Embedded).map_err(Failure::Documents)?;
    let options =
        PublishOptions { message: Some("the examples that come with wm".to_owned()), ..PublishOptions::default() };
    let mut plan = plan::compare(&folder, client, terminal).await?;
    plan.changes.retain(|change| change.action == plan::Action::Create);
    plan::examine(&mut plan, &folder, client, &options, terminal).await?;
    plan::publish(&mut plan, &Publishing { folder: &folder, client, options: &options }, terminal).await;
    let refused = plan.changes.iter().flat_map(|change| &change.errors).next();
    match refused {
        Some(item) => Err(Failure::Start(format!("an example was refused: {}: {}", item.pointer, item.message))),
        None => Ok(()),
    }
}

fn what_to_try(url: &str) -> String {
    format!(
        "\n{NAME}Try, in another terminal:{NAME:#}\n  \
         curl {url}/api/worker-manager/v1/worker-types\n  \
         curl {url}/api/worker-manager/v1/worker-types/linux/container/documentation\n  \
         wm list --url {url}\n  \
         wm validate examples/tasks/typo.json --url {url}\n\
         {NAME}In a browser:{NAME:#}\n  \
         {url}/                                  every worker type\n  \
         {url}/worker-types/linux/container      what runs there, and what its payload must be\n  \
         {url}/tasks/new                         write a task"
    )
}
