//! Reading a payload schema over HTTP, against a constant of the same size.

use crate::{load, report};
use integration_tests::database::sqlite_url;
use integration_tests::http;
use integration_tests::server::{Server, scratch};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

const REQUESTS: usize = 40_000;

/// A payload schema of about six kilobytes.
fn schema() -> Value {
    let properties: serde_json::Map<String, Value> = (0..50)
        .map(|n| (format!("property{n}"), json!({"type": "string", "maxLength": 100, "description": "How the task says what it wants, in words that are long enough"})))
        .collect();
    json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": properties})
}

fn worker_manager(extra: &[&str]) -> Server {
    let folder = scratch();
    let url = sqlite_url(&folder.path().join("registry.sqlite"));
    let mut arguments = vec!["serve", "--listen", "127.0.0.1:0", "--database-url", &url];
    arguments.extend(extra);
    let server = Server::start(&arguments, folder);
    let definition = json!({"description": "x", "variants": [{"name": "default", "payloadSchema": schema()}]});
    assert_eq!(server.publish("bench/schema", &definition).status, 201);
    server
}

struct Bare {
    child: Child,
    url: String,
}

impl Bare {
    fn start(size: usize) -> Self {
        let program = std::env::current_exe().expect("this program has a path");
        let mut child =
            Command::new(program).args(["bare", &size.to_string()]).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut url).expect("it says its URL");
        Self { child, url: format!("{}/", url.trim()) }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // It ends with this program anyway.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processor time per request, with and without the access log.
pub fn measure() {
    for (name, extra, bound) in [
        ("GET payload-schema, CPU per request, access log off", &["--access-log", "off"][..], "≤ 1.5"),
        ("GET payload-schema, CPU per request, as shipped", &[][..], "≤ 2.0"),
    ] {
        let server = worker_manager(extra);
        let url = server.api("/worker-types/bench/schema/payload-schema");
        let bare = Bare::start(http::get(&url).bytes.len());
        let ours = || load::get(server.pid(), &url, REQUESTS);
        let theirs = || load::get(bare.child.id(), &bare.url, REQUESTS);
        report::compare(name, "µs", bound, || ours().0, || theirs().0);
        report::compare(&name.replace("CPU per request", "rate"), "requests/s", "none", || ours().1, || theirs().1);
    }
}
