//! The service under test: one server on SQLite, or several replicas on PostgreSQL, each behind a proxy of its own to the
//! database. Each comes back at the address that it had.

use integration_tests::database::{PostgresDatabase, sqlite_url};
use integration_tests::history::History;
use integration_tests::proxy::Proxy;
use integration_tests::server::{Server, scratch, wm};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// Between two changes of busy clients.
const BOOKMARK_MS: &str = "20";

/// Some replicas and their database.
pub struct Cluster {
    pub replicas: Vec<Replica>,
    /// The database, not by way of a proxy.
    pub database_url: String,
    /// Dropped after the replicas.
    _kept: Kept,
}

/// What goes when the cluster goes.
enum Kept {
    File { _folder: TempDir },
    Database { _database: PostgresDatabase },
}

/// One server, which may be away.
pub struct Replica {
    /// `http://host:port`.
    pub url: String,
    /// Between it and its database, if there is a network between them.
    pub proxy: Option<Proxy>,
    launch: Launch,
    server: Mutex<Option<Server>>,
}

/// How a replica is started.
#[derive(Clone, Default)]
struct Launch {
    database_url: String,
    failpoints: String,
    /// A file system of that many bytes for this folder, which only the server has.
    small_disk: Option<(PathBuf, u64)>,
}

impl Cluster {
    /// One server on a file of its own, with these failpoints.
    pub fn on_sqlite(failpoints: &str) -> Self {
        let folder = scratch();
        let database_url = sqlite_url(&folder.path().join("registry.sqlite"));
        let launch =
            Launch { database_url: database_url.clone(), failpoints: failpoints.to_owned(), ..Launch::default() };
        Self { replicas: vec![Replica::new(launch, None)], database_url, _kept: Kept::File { _folder: folder } }
    }

    /// Replicas on one database; none, said visibly, where there is no PostgreSQL.
    pub fn on_postgresql(replicas: usize) -> Option<Self> {
        let database = PostgresDatabase::new()?;
        let replica = |_| {
            let proxy = Proxy::before(database.address());
            let database_url = database.url_by(proxy.url.trim_start_matches("http://"));
            Replica::new(Launch { database_url, ..Launch::default() }, Some(proxy))
        };
        let replicas = (0..replicas).map(replica).collect();
        Some(Self { replicas, database_url: database.url(), _kept: Kept::Database { _database: database } })
    }

    /// One server on SQLite, on a disk of this size; none, said visibly, where none can be made.
    pub fn on_a_small_disk(bytes: u64) -> Option<Self> {
        let possible = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
            .output()
            .is_ok_and(|output| output.status.success());
        if !possible {
            println!("skipped full disk: this account may not make a file system of its own (unshare, mount)");
            return None;
        }
        let folder = scratch();
        let disk = folder.path().join("disk");
        std::fs::create_dir(&disk).unwrap();
        let launch = Launch {
            database_url: sqlite_url(&disk.join("registry.sqlite")),
            small_disk: Some((disk.clone(), bytes)),
            ..Launch::default()
        };
        let database_url = launch.database_url.clone();
        Some(Self { replicas: vec![Replica::new(launch, None)], database_url, _kept: Kept::File { _folder: folder } })
    }

    /// What the database's tables hold.
    pub fn history(&self) -> History {
        let replica = &self.replicas[0];
        let Some(disk) = replica.small_disk() else { return History::read(&self.database_url) };
        // SQLite would follow the path to where it leads from here. Nobody writes while the files are copied.
        let copy = scratch();
        replica.signal("STOP");
        for file in std::fs::read_dir(disk).unwrap().map_while(Result::ok) {
            std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        }
        replica.signal("CONT");
        History::read(&sqlite_url(&copy.path().join("registry.sqlite")))
    }
}

impl Replica {
    fn new(launch: Launch, proxy: Option<Proxy>) -> Self {
        let server = launch.start("127.0.0.1:0");
        Self { url: server.url.clone(), proxy, launch, server: Mutex::new(Some(server)) }
    }

    /// A path below worker-manager's API.
    pub fn api(&self, path: &str) -> String {
        format!("{}/api/worker-manager/v1{path}", self.url)
    }

    /// Ends it as by power loss.
    pub fn kill(&self) {
        if let Some(server) = self.server().take() {
            drop(server.kill());
        }
    }

    /// Starts it again where it was.
    pub fn start(&self) {
        *self.server() = Some(self.launch.start(self.url.trim_start_matches("http://")));
    }

    /// Sends it a signal by name, such as `STOP`.
    pub fn signal(&self, name: &str) {
        if let Some(server) = &*self.server() {
            server.signal(name);
        }
    }

    /// The folder of its small disk, as others see it.
    pub fn small_disk(&self) -> Option<PathBuf> {
        let (folder, _) = self.launch.small_disk.as_ref()?;
        let pid = self.server().as_ref()?.pid();
        Some(PathBuf::from(format!("/proc/{pid}/root{}", folder.display())))
    }

    fn server(&self) -> MutexGuard<'_, Option<Server>> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Launch {
    fn start(&self, listen: &str) -> Server {
        let mut command =
            wm(&["serve", "--listen", listen, "--database-url", &self.database_url, "--access-log", "off"]);
        // So often that bookmarks come between changes.
        command.args(["--event-bookmark-ms", BOOKMARK_MS]);
        if let Some((folder, bytes)) = &self.small_disk {
            command = on_a_disk_of(*bytes, folder, &command);
        }
        command.env("FAILPOINTS", &self.failpoints);
        Server::run(command, scratch())
    }
}

/// The same command, where `folder` is a file system of its own.
fn on_a_disk_of(bytes: u64, folder: &Path, command: &Command) -> Command {
    let mut wrapped = Command::new("unshare");
    let script = r#"mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@""#;
    wrapped.args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", &bytes.to_string()]);
    wrapped.arg(folder).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(name, value),
            None => wrapped.env_remove(name),
        };
    }
    wrapped
}
