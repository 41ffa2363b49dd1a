//! Carries services: binds, starts, reports where it listens, and stops without cutting anyone off.

mod app;
mod error;
mod shutdown;

pub use error::StartError;
pub use shutdown::{Shutdown, stop_signal};

use crate::{AccessLog, AccessPolicy, BuildInfo, COMMON, Forward, HttpService, forward, metrics, problems};
use actix_web::HttpServer;
use actix_web::dev::ServerHandle;
use app::AppParts;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpSocket;
use tokio::task::{JoinHandle, JoinSet};

/// How a server runs.
#[derive(Clone)]
pub struct Settings {
    /// Host and port, as in `127.0.0.1:8080`; port 0 takes a free one.
    pub listen: String,
    /// How callers are told apart.
    pub access: AccessPolicy,
    /// Threads that serve requests; none for as many as there are processors.
    pub workers: Option<usize>,
    /// Where access log lines go; none for no such log.
    pub access_log: Option<AccessLog>,
    /// The URL under which clients reach this server, for links; none for relative links.
    pub root_url: Option<String>,
    /// How long requests in flight may take when the server stops.
    pub shutdown_timeout: Duration,
    /// How long a client may take nothing of what it is sent until its connection is ended (on Linux).
    pub stalled_timeout: Duration,
    /// Which build this is.
    pub build: BuildInfo,
    /// What others answer, each below its prefix.
    pub forwards: Vec<Arc<dyn Forward>>,
}

impl Settings {
    /// A server at `listen` without configured access and without an access log.
    pub fn local(listen: impl Into<String>) -> Self {
        Self {
            listen: listen.into(),
            access: AccessPolicy::Local,
            workers: None,
            access_log: None,
            root_url: None,
            shutdown_timeout: Duration::from_secs(30),
            stalled_timeout: Duration::from_secs(120),
            build: BuildInfo::default(),
            forwards: Vec::new(),
        }
    }
}

/// A server that runs. Dropping it ends it at once; [`Running::stop`] lets requests in flight finish.
pub struct Running {
    address: SocketAddr,
    handle: ServerHandle,
    shutdown: Shutdown,
    served: JoinHandle<std::io::Result<()>>,
    background: JoinSet<()>,
    log: Option<AccessLog>,
}

/// A server that has its port and does not answer yet: services that must know the address can be made now.
pub struct Bound {
    settings: Settings,
    listener: TcpListener,
    address: SocketAddr,
}

/// Takes the port. Must be called within a tokio runtime.
///
/// # Errors
/// The address cannot be used, or may not be with the access that is configured.
pub async fn bind(settings: Settings) -> Result<Bound, StartError> {
    let wanted = resolve(&settings.listen).await?;
    if !settings.access.may_listen(wanted) {
        return Err(StartError::OpenToAll { listen: settings.listen });
    }
    let fail = |source| StartError::Bind { listen: settings.listen.clone(), source };
    let listener = listen(wanted, settings.stalled_timeout).map_err(fail)?;
    let address = listener.local_addr().map_err(fail)?;
    Ok(Bound { settings, listener, address })
}

/// Starts a server with `services` on one port. Must be called within a tokio runtime.
///
/// # Errors
/// As [`bind`].
pub async fn start(settings: Settings, services: Vec<Arc<dyn HttpService>>) -> Result<Running, StartError> {
    bind(settings).await?.start(services)
}

/// The socket options that actix-web sets: a restart finds its port, and a burst of connections finds room. And one of
/// which actix-web knows nothing: it asks a stream for more only when the client has taken something, so nobody but the
/// system notices a client that takes nothing any more.
fn listen(address: SocketAddr, stalled_timeout: Duration) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv6() { TcpSocket::new_v6()? } else { TcpSocket::new_v4()? };
    socket.set_reuseaddr(true)?;
    // Connections have it from their listener (tcp(7): TCP_USER_TIMEOUT).
    #[cfg(target_os = "linux")]
    {
        let milliseconds = u32::try_from(stalled_timeout.as_millis()).unwrap_or(u32::MAX);
        rustix::net::sockopt::set_tcp_user_timeout(&socket, milliseconds)?;
    }
    socket.bind(address)?;
    socket.listen(1024)?.into_std()
}

impl Bound {
    /// Where it will listen.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of the place where it will listen, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers from now on. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// The port cannot be listened on, or a forward would take what a service answers.
    pub fn start(self, services: Vec<Arc<dyn HttpService>>) -> Result<Running, StartError> {
        let Self { mut settings, listener, address } = self;
        check_forwards(&settings.forwards, &services)?;
        // The longer prefix goes first: what is below it is below the shorter, too.
        settings.forwards.sort_by_key(|forward| std::cmp::Reverse(forward.prefix().len()));
        run(settings, services, listener, address)
    }
}

fn run(
    settings: Settings,
    services: Vec<Arc<dyn HttpService>>,
    listener: TcpListener,
    address: SocketAddr,
) -> Result<Running, StartError> {
    let shutdown = Shutdown::new();
    let mut background = JoinSet::new();
    for work in services.iter().flat_map(|service| service.background()) {
        background.spawn(work);
    }
    background.spawn(upkeep());
    let workers = settings.workers.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from));
    let timeout = settings.shutdown_timeout.as_secs().max(1);
    let (listen, log) = (settings.listen.clone(), settings.access_log.clone());
    let parts = AppParts { settings, services, shutdown: shutdown.clone(), started: Instant::now() };
    let server = HttpServer::new(move || parts.app())
        .workers(workers)
        .disable_signals()
        .shutdown_timeout(timeout)
        .listen(listener)
        .map_err(|source| StartError::Bind { listen: listen.clone(), source })?;
    let server = server.run();
    let handle = server.handle();
    Ok(Running { address, handle, shutdown, served: tokio::spawn(server), background, log })
}

/// No forward may stand in front of a service of this server, or of another forward.
fn check_forwards(forwards: &[Arc<dyn Forward>], services: &[Arc<dyn HttpService>]) -> Result<(), StartError> {
    for (index, one) in forwards.iter().enumerate() {
        let prefix = one.prefix();
        let own = services.iter().find(|service| {
            let scope = service.prefix();
            let below = !scope.is_empty() && forward::is_below(prefix, &scope);
            below || service.operations().iter().any(|row| forward::takes(prefix, &format!("{scope}{}", row.path)))
        });
        let served = own.map(|service| service.name().to_owned());
        let rooted = COMMON
            .iter()
            .chain(problems::ROWS)
            .any(|row| forward::takes(prefix, row.path))
            .then(|| "the server".to_owned());
        let again = forwards[..index].iter().any(|other| other.prefix() == prefix).then(|| "another route".to_owned());
        if let Some(by) = served.or(rooted).or(again) {
            return Err(StartError::Served { prefix: prefix.to_owned(), by });
        }
    }
    Ok(())
}

async fn resolve(listen: &str) -> Result<SocketAddr, StartError> {
    let resolved = tokio::net::lookup_host(listen).await;
    let first = resolved.map_err(|source| StartError::Address { listen: listen.to_owned(), source })?.next();
    first.ok_or_else(|| StartError::NoAddress { listen: listen.to_owned() })
}

async fn upkeep() {
    let mut every = tokio::time::interval(Duration::from_secs(5));
    loop {
        every.tick().await;
        metrics::upkeep();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The order is sent at once; nobody waits for its end.
        drop(self.handle.stop(false));
    }
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of the place where it listens, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops: no new connections, streams end, requests in flight finish, then what runs beside them; the access log
    /// is written.
    pub async fn stop(mut self) {
        self.shutdown.request();
        self.handle.stop(true).await;
        self.background.shutdown().await;
        if let Some(log) = self.log.take() {
            // A sink that panicked has nothing more to write.
            let _ = tokio::task::spawn_blocking(move || log.flush()).await;
        }
    }

    /// Serves until `signal`, then stops.
    ///
    /// # Errors
    /// The server broke off by itself.
    pub async fn until(mut self, signal: impl Future<Output = ()>) -> std::io::Result<()> {
        tokio::select! {
            () = signal => {
                self.stop().await;
                Ok(())
            }
            served = &mut self.served => served.unwrap_or_else(|error| Err(std::io::Error::other(error))),
        }
    }
}
