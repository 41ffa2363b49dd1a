//! A server that answers and is not ready yet: its examples are still being published.

use super::record::Recorder;
use integration_tests::http;
use integration_tests::server::{scratch, wm};
use integration_tests::wait::wait_for;
use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

/// Publishing the examples takes longer than asking; a machine that is busy may still miss it a few times.
const TRIES: usize = 10;

pub fn given_a_server_that_starts_then_it_says_that_it_is_not_ready(recorder: &Recorder) {
    let seen = (0..TRIES).any(|_| is_seen_starting(recorder));
    assert!(seen, "{TRIES} servers were ready at once");
}

fn is_seen_starting(recorder: &Recorder) -> bool {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let folder = scratch();
    let mut command = wm(&["dev", "--examples", "--data-dir", "data", "--listen", &free]);
    let mut child = command.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let ask = || http::request("GET", &format!("http://{free}/api/worker-manager/v1/readyz"));
    let listens = || std::net::TcpStream::connect_timeout(&free.parse().unwrap(), Duration::from_millis(10)).ok();
    wait_for("the server to listen", listens);
    let answer = recorder.send(ask());
    if answer.status == 503 {
        assert_eq!(answer.json()["problem"], "not-ready");
        assert!(answer.text().contains("examples") && !answer.header("retry-after").is_empty(), "{}", answer.text());
    }
    // Already gone is as good.
    let _ = child.kill();
    let _ = child.wait();
    answer.status == 503
}
