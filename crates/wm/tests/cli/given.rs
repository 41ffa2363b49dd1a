//! Givens: the binary in an environment of its own, a server, a folder of definitions.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The root of the source tree, where the examples are.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the source tree is there")
}

/// What a command said and how it ended.
#[derive(Debug)]
pub struct Said {
    pub out: String,
    pub err: String,
    pub status: i32,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("wm speaks UTF-8");
        Self { out: text(output.stdout), err: text(output.stderr), status: output.status.code().unwrap_or(-1) }
    }
}

/// A command of the binary, without settings of the developer's own.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wm"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WM_")) {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the binary in the source tree.
pub fn wm(arguments: &[&str]) -> Said {
    command(arguments).current_dir(root()).output().expect("the binary runs").into()
}

/// Runs the binary in `folder`.
pub fn wm_in(folder: &Path, arguments: &[&str]) -> Said {
    command(arguments).current_dir(folder).output().expect("the binary runs").into()
}

/// Runs the binary in the source tree, with `input` on its standard input.
pub fn wm_with_input(arguments: &[&str], input: &[u8]) -> Said {
    let mut command = command(arguments);
    command.current_dir(root()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    // A command that ends early does not read all of it.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the binary ends").into()
}

/// A server of the test's own, which ends with it.
pub struct Server {
    child: Child,
    pub url: String,
    folder: TempDir,
}

impl Server {
    /// Without any worker type.
    pub fn empty() -> Self {
        Self::dev(&[], "")
    }

    /// With the worker types of `examples/`.
    pub fn with_examples() -> Self {
        Self::dev(&["--examples"], "")
    }

    /// With `settings` as its wm.toml.
    pub fn with_settings(settings: &str) -> Self {
        Self::dev(&[], settings)
    }

    fn dev(arguments: &[&str], settings: &str) -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        fs::write(folder.path().join("wm.toml"), settings).expect("there is room");
        let fixed = ["dev", "--listen", "127.0.0.1:0", "--data-dir", "data", "--access-log", "off", "--log", "warn"];
        let mut command = command(&[&fixed, arguments].concat());
        command.current_dir(folder.path()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let stdout = BufReader::new(child.stdout.take().expect("standard output is piped"));
        let mut lines = stdout.lines().map_while(Result::ok);
        let first = lines.find(|line| line.contains("http://")).expect("it says its URL");
        let url =
            first[first.find("http://").unwrap_or_default()..].split_whitespace().next().unwrap_or_default().to_owned();
        // Somebody has to read on, or the server waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        let server = Self { child, url, folder };
        server.wait_until_ready();
        server
    }

    /// Where it keeps its files.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn wait_until_ready(&self) {
        for _ in 0..600 {
            if self.is_ready() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("the server does not become ready");
    }

    fn is_ready(&self) -> bool {
        let address = self.url.trim_start_matches("http://");
        let Ok(mut stream) = std::net::TcpStream::connect(address) else { return false };
        let asked = write!(stream, "GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        let mut line = String::new();
        asked.is_ok() && BufReader::new(stream).read_line(&mut line).is_ok() && line.contains(" 200 ")
    }

    /// Runs the binary in the source tree against this server, and hides its address.
    pub fn wm(&self, arguments: &[&str]) -> Said {
        self.hide(wm(&[arguments, &["--url", &self.url]].concat()))
    }

    /// As [`Self::wm`], in `folder`.
    pub fn wm_in(&self, folder: &Path, arguments: &[&str]) -> Said {
        self.hide(wm_in(folder, &[arguments, &["--url", &self.url]].concat()))
    }

    fn hide(&self, said: Said) -> Said {
        let hide = |text: String| without_times(&text.replace(&self.url, "http://SERVER"));
        Said { out: hide(said.out), err: hide(said.err), ..said }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `2030-01-01T09:00:00.000Z` of now becomes `TIME`; dates of the examples stay, since they lie in 2030.
pub fn without_times(text: &str) -> String {
    let is_time =
        |word: &str| word.len() == 24 && word.ends_with('Z') && word.starts_with("202") && word.as_bytes()[10] == b'T';
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("202") {
        let word = rest.get(at..at + 24).unwrap_or_default();
        let end = if is_time(word) { at + 24 } else { at + 3 };
        result.push_str(&rest[..at]);
        result.push_str(if is_time(word) { "TIME" } else { "202" });
        rest = &rest[end..];
    }
    result + rest
}

/// Examples that tests may change.
pub fn copy_of_examples() -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    copy(&root().join("examples"), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("there is room");
    for entry in fs::read_dir(from).expect("the folder is there").map_while(Result::ok) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("there is room");
        }
    }
}

/// Replaces text in a file, which has to be there.
pub fn edit(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).expect("the file is there");
    assert!(text.contains(from), "{} does not hold {from:?}", file.display());
    fs::write(file, text.replace(from, to)).expect("there is room");
}

/// A server with the examples that no test changes.
pub fn examples() -> &'static SharedServer {
    static SHARED: OnceLock<SharedServer> = OnceLock::new();
    SHARED.get_or_init(SharedServer::start)
}

/// A server within this process, so that it ends with it.
pub struct SharedServer {
    pub url: String,
}

impl SharedServer {
    fn start() -> Self {
        let (say, said) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let arguments = [
                "wm",
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--database-url",
                "sqlite::memory:",
                "--access-log",
                "off",
                "--log",
                "error",
            ];
            let mut terminal = wm::Terminal::plain(Listening(say), std::io::sink());
            wm::run(arguments.iter().map(Into::into).collect(), &mut terminal);
        });
        let mut text = String::new();
        let url = loop {
            text.push_str(&said.recv().expect("the server starts"));
            let found = text.find("http://").and_then(|start| text[start..].split_once('\n'));
            if let Some((url, _)) = found {
                break url.trim().to_owned();
            }
        };
        let applied = wm(&["apply", "examples", "--url", &url]);
        assert_eq!(applied.status, 0, "{applied:?}");
        Self { url }
    }

    /// Runs the binary in the source tree against this server, and hides its address.
    pub fn wm(&self, arguments: &[&str]) -> Said {
        let said = wm(&[arguments, &["--url", &self.url]].concat());
        let hide = |text: String| without_times(&text.replace(&self.url, "http://SERVER"));
        Said { out: hide(said.out), err: hide(said.err), ..said }
    }
}

/// Standard output as messages.
struct Listening(std::sync::mpsc::Sender<String>);

impl Write for Listening {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // When the test has heard enough, the server speaks on.
        let _ = self.0.send(String::from_utf8_lossy(bytes).into_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
