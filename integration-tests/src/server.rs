//! The real binary, started on a free port, and ended with the test.

use crate::http::{self, Answer};
use crate::wait::wait_for;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use tempfile::TempDir;

/// The binary under test: `WM_BIN`, else the one that cargo built beside the tests.
pub fn binary() -> PathBuf {
    match std::env::var_os("WM_BIN") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/debug/wm"),
    }
}

/// A command of the binary, in an environment without settings of the developer's own.
pub fn wm(args: &[&str]) -> Command {
    let mut command = Command::new(binary());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WM_")) {
        command.env_remove(name);
    }
    command.args(args);
    command
}

/// A running server.
pub struct Server {
    child: Child,
    /// The root URL, without a slash at its end.
    pub url: String,
    /// What it says on standard error.
    pub log: PathBuf,
    /// Where its files are; removed with it.
    pub folder: TempDir,
}

impl Server {
    /// All roles in one process on SQLite, on loopback, with open access.
    pub fn dev() -> Self {
        let folder = scratch();
        let data = folder.path().join("data").display().to_string();
        Self::start(&["dev", "--listen", "127.0.0.1:0", "--data-dir", &data], folder)
    }

    /// Starts `wm` with `args`, and waits until it is ready. Its working directory is `folder`.
    ///
    /// # Panics
    /// It does not become ready.
    pub fn start(args: &[&str], folder: TempDir) -> Self {
        Self::run(wm(args), folder)
    }

    /// Starts a command that becomes a server, and waits until it is ready. Its working directory is `folder`.
    ///
    /// # Panics
    /// It does not become ready.
    pub fn run(mut command: Command, folder: TempDir) -> Self {
        let log = folder.path().join("log");
        let stderr = std::fs::File::create(&log).unwrap_or_else(|error| panic!("{}: {error}", log.display()));
        command.current_dir(folder.path()).stdout(Stdio::piped()).stderr(stderr);
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", binary().display()));
        let url = announced_url(&mut child, &log);
        let server = Self { child, url, log, folder };
        wait_for("the server to be ready", || {
            http::try_send(http::request("GET", &server.at("/readyz"))).ok().filter(|answer| answer.status == 200)
        });
        server
    }

    /// A path below the root.
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// A path below worker-manager's API.
    pub fn api(&self, path: &str) -> String {
        self.at(&format!("/api/worker-manager/v1{path}"))
    }

    /// A path below the queue's API.
    pub fn queue(&self, path: &str) -> String {
        self.at(&format!("/api/queue/v1{path}"))
    }

    /// Publishes over whatever is there.
    #[track_caller]
    pub fn publish(&self, id: &str, definition: &Value) -> Answer {
        let request = http::with_json("PUT", &self.api(&format!("/worker-types/{id}")), definition);
        http::send(request.header("if-match", "*"))
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal by name, such as `STOP`.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([format!("-{name}"), self.pid().to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()), "kill -{name} {}", self.pid());
    }

    /// Ends the process as by power loss, and leaves its files.
    pub fn kill(mut self) -> TempDir {
        self.end();
        std::mem::replace(&mut self.folder, scratch())
    }

    fn end(&mut self) {
        // Already gone is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
        if std::thread::panicking() {
            let log = std::fs::read_to_string(&self.log).unwrap_or_default();
            let tail: Vec<&str> =
                log.lines().filter(|line| !line.starts_with("{\"kind\":\"access\"")).rev().take(20).collect();
            eprintln!("--- the server's last words\n{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
        }
    }
}

/// A folder of its own.
///
/// # Panics
/// There is no room for one.
pub fn scratch() -> TempDir {
    tempfile::tempdir().unwrap_or_else(|error| panic!("no scratch folder: {error}"))
}

/// Reads standard output until it names the URL.
fn announced_url(child: &mut Child, log: &Path) -> String {
    let stdout = child.stdout.take().unwrap_or_else(|| panic!("standard output is piped"));
    let (found, url) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if let Some(start) = line.find("http://") {
                let text: String = line[start..].chars().take_while(|c| !c.is_whitespace() && *c != '"').collect();
                // The receiver takes the first, and may be gone for the others.
                let _ = found.send(text.trim_end_matches('/').to_owned());
            }
        }
    });
    url.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| {
        let _ = child.kill();
        panic!("the server named no URL; it said: {}", std::fs::read_to_string(log).unwrap_or_default())
    })
}
