//! The server that carries roles: logs, access, its address, and the way it says that it is there and that it goes.

use super::{access, starting};
use crate::cli::{AccessLog, ServerArgs};
use crate::settings::SettingsFile;
use crate::{Failure, Terminal};
use secrecy::SecretString;
use service::{Bound, BuildInfo, HttpService, LogFormat, Running, Settings, StartError};
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;
use worker_manager_client::Client;

/// A server that has its port, and waits for its roles.
pub struct Host {
    bound: Bound,
    root_url: String,
    own_token: Option<SecretString>,
    open: bool,
}

impl Host {
    /// Starts the logs, reads the access settings, takes the port.
    ///
    /// # Errors
    /// A setting that cannot be used, in words that name it.
    pub async fn bind(args: &ServerArgs, file: Option<&SettingsFile>) -> Result<Self, Failure> {
        let format = if std::io::stderr().is_terminal() { LogFormat::Text } else { LogFormat::Json };
        service::init_logging(format, &args.log).map_err(|words| Failure::Usage(format!("--log: {words}")))?;
        let (access, own_token) = access::policy(file)?;
        let open = access.is_local();
        let settings = Settings {
            access,
            access_log: (args.access_log == AccessLog::On).then(|| service::AccessLog::to(std::io::stderr())),
            root_url: args.root_url.clone(),
            shutdown_timeout: Duration::from_secs(10),
            build: BuildInfo { version: env!("CARGO_PKG_VERSION").to_owned(), ..BuildInfo::default() },
            ..Settings::local(&args.listen)
        };
        let bound = service::bind(settings).await.map_err(bind_failure)?;
        let root_url = args.root_url.clone().unwrap_or_else(|| bound.url());
        Ok(Self { bound, root_url, own_token, open })
    }

    /// The URL under which people reach it.
    pub fn root_url(&self) -> &str {
        &self.root_url
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
        let running = self.bound.start(services).map_err(starting("the server"))?;
        terminal.line(said)?;
        if self.open {
            terminal.line(
                "Access is open: everyone on this machine may do everything. [access] in wm.toml changes that.",
            )?;
        }
        terminal.flush()?;
        Ok(running)
    }
}

/// A port that is taken may be free later; anything else has to be mended.
fn bind_failure(error: StartError) -> Failure {
    match error {
        StartError::Bind { .. } => Failure::Start(error.to_string()),
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
