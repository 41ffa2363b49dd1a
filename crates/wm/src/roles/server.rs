//! The server that carries roles: logs, access, its address, and the way it says that it is there and that it goes.

use super::{access, open_files, starting};
use crate::cli::{AccessLog, ServerArgs};
use crate::settings::SettingsFile;
use crate::{Failure, Terminal};
use forward::{Forwarder, Route};
use registry::Replica;
use secrecy::SecretString;
use service::{Bound, BuildInfo, Forward, HttpService, LogFormat, Running, Settings, StartError};
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;
use worker_manager_client::Client;

/// The commit that this was built from, where whoever built it said so.
const COMMIT: Option<&str> = option_env!("WM_COMMIT");

/// Where a queue answers, whoever it is.
const QUEUE: &str = "/api/queue/";

/// A server that has its port, and waits for its roles.
pub struct Host {
    bound: Bound,
    root_url: String,
    own_token: Option<SecretString>,
    open: bool,
    routes: Vec<Route>,
}

impl Host {
    /// Starts the logs, reads the access settings, takes the port. What is below `routes` others will answer.
    ///
    /// # Errors
    /// A setting that cannot be used, in words that name it.
    pub async fn bind(args: &ServerArgs, routes: &[Route], file: Option<&SettingsFile>) -> Result<Self, Failure> {
        let format = if std::io::stderr().is_terminal() { LogFormat::Text } else { LogFormat::Json };
        service::init_logging(format, &args.log).map_err(|words| Failure::Usage(format!("--log: {words}")))?;
        open_files::take_what_is_allowed();
        let (access, own_token) = access::policy(file)?;
        let open = access.is_local();
        let settings = Settings {
            access,
            access_log: (args.access_log == AccessLog::On).then(|| service::AccessLog::to(std::io::stderr())),
            root_url: args.root_url.clone(),
            shutdown_timeout: Duration::from_secs(10),
            forwards: forwards(routes)?,
            build: build_info(),
            ..Settings::local(&args.listen)
        };
        let bound = service::bind(settings).await.map_err(start_failure)?;
        let root_url = args.root_url.clone().unwrap_or_else(|| bound.url());
        Ok(Self { bound, root_url, own_token, open, routes: routes.to_vec() })
    }

    /// The URL under which people reach it.
    pub fn root_url(&self) -> &str {
        &self.root_url
    }

    /// This server among those on its database: named by its host, and by the port where others may reach it.
    pub fn replica(&self) -> Replica {
        let host = gethostname::gethostname();
        Replica::starting(format!("{}:{}", host.to_string_lossy(), self.bound.address().port()), commit())
    }

    /// Whether another server answers for a queue here.
    pub fn forwards_queue(&self) -> bool {
        self.routes.iter().any(|route| QUEUE.starts_with(&format!("{}/", route.prefix())))
    }

    /// A client of this very server, for the roles that run in it.
    ///
    /// # Errors
    /// The address makes no URL.
    pub fn own_client(&self) -> Result<Client, Failure> {
        // "Every address" is one to listen on; to call, it is this machine, and no proxy stands between.
        let url = self.bound.url().replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
        let builder = Client::builder(&url).user_agent(concat!("wm/", env!("CARGO_PKG_VERSION")));
        Ok(builder.token(self.own_token.clone()).build()?)
    }

    /// Answers with `services` from now on, and says where.
    ///
    /// # Errors
    /// The port cannot be listened on.
    pub fn start(self, services: Vec<Arc<dyn HttpService>>, terminal: &mut Terminal) -> Result<Running, Failure> {
        let names: Vec<&str> = services.iter().map(|service| service.name()).collect();
        let said = format!("{} at {}", names.join(" and "), self.bound.url());
        let running = self.bound.start(services).map_err(start_failure)?;
        terminal.line(said)?;
        for route in &self.routes {
            terminal.line(format!("{} is forwarded to {}", route.prefix(), route.target()))?;
        }
        if self.open {
            terminal.line(
                "Access is open: everyone on this machine may do everything. [access] in wm.toml changes that.",
            )?;
        }
        terminal.flush()?;
        Ok(running)
    }
}

/// None also where it was left empty, as a build without it in a container does.
fn commit() -> Option<&'static str> {
    COMMIT.filter(|commit| !commit.is_empty())
}

fn build_info() -> BuildInfo {
    let commit = commit().unwrap_or_default().to_owned();
    BuildInfo { version: env!("CARGO_PKG_VERSION").to_owned(), commit, ..BuildInfo::default() }
}

fn forwards(routes: &[Route]) -> Result<Vec<Arc<dyn Forward>>, Failure> {
    let forward = |route: &Route| match Forwarder::new(route.clone()) {
        Ok(forwarder) => Ok(Arc::new(forwarder) as Arc<dyn Forward>),
        Err(error) => Err(starting("--route")(error)),
    };
    routes.iter().map(forward).collect()
}

/// A port that is taken may be free later; anything else has to be mended.
fn start_failure(error: StartError) -> Failure {
    match error {
        StartError::Bind { .. } => Failure::Start(error.to_string()),
        StartError::Served { .. } => Failure::Usage(format!("--route (WM_ROUTE): {error}")),
        _ => Failure::Usage(error.to_string()),
    }
}

/// Serves until the process is told to stop.
///
/// # Errors
/// The server broke off by itself.
pub async fn until_stopped(running: Running) -> Result<(), Failure> {
    let stop = async {
        if let Err(error) = service::stop_signal().await {
            tracing::error!(%error, "signals cannot be heard; the server stops");
        }
    };
    running.until(stop).await.map_err(starting("the server"))
}
