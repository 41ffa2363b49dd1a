//! A PostgreSQL server of a test's own, which it may stop, kill and reconfigure.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Names a folder below which tests may make servers; whoever set it removes what is left there.
pub const SERVERS_VARIABLE: &str = "WM_TEST_POSTGRES_DIR";

/// A running server; removed with this value.
pub struct PrivateServer {
    folder: PathBuf,
    url: String,
}

impl PrivateServer {
    /// Makes and starts one, `name` being unique among tests. Without the variable it prints why the test is skipped,
    /// and answers none.
    ///
    /// # Panics
    /// The variable is set, and the server does not start.
    pub fn start(name: &str) -> Option<Self> {
        let Ok(folder) = std::env::var(SERVERS_VARIABLE) else {
            println!("skipped: PostgreSQL tests with a server of their own, {SERVERS_VARIABLE} is not set");
            return None;
        };
        let folder = Path::new(&folder).join(name);
        let url = script(&["start"], &folder);
        Some(Self { folder, url })
    }

    /// Its superuser's URL, the same after a restart.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Stops it, as a crash would if `crash`. Its data stays.
    pub fn stop(&self, crash: bool) {
        script(if crash { &["stop", "--immediate"] } else { &["stop"] }, &self.folder);
    }

    /// Starts it again.
    pub fn restart(&self) {
        script(&["start"], &self.folder);
    }
}

impl Drop for PrivateServer {
    fn drop(&mut self) {
        script(&["remove"], &self.folder);
    }
}

fn script(arguments: &[&str], folder: &Path) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/postgres");
    let (action, options) = arguments.split_at(1);
    let output = Command::new(&script).args(action).arg(folder).args(options).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", script.display()));
    assert!(output.status.success(), "scripts/postgres {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
