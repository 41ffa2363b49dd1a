//! Schemas and payloads made to break things, sent to the real binary: each ends with a verdict or with what is wrong,
//! in bounded time and memory, and the process lives on. hostile/README.md says how a case is written.

mod compared;
mod corpus;
mod generated;
mod yaml;

use corpus::Case;
use integration_tests::http::{self, Answer};
use integration_tests::server::Server;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Far more than any case takes on a slow machine, far less than what hangs.
const LONGEST: Duration = Duration::from_secs(30);

/// What the server may take at most while all cases run, in kB. A debug build takes some 200 MB.
const MEMORY: u64 = 2 << 20;

#[test]
fn every_case_of_the_corpus_ends_with_a_verdict_or_a_clear_problem() {
    run(&corpus::read());
}

#[test]
fn every_generated_case_ends_with_a_verdict_or_a_clear_problem() {
    run(&generated::cases());
}

#[test]
fn every_case_ends_with_a_verdict_when_it_is_compared() {
    let mut cases = corpus::read();
    cases.extend(generated::cases());
    run_each(&cases, compared::send);
}

fn run(cases: &[Case]) {
    run_each(cases, send);
}

/// Hands each case to `send` with an id of its own, and looks at what became of the server.
fn run_each(cases: &[Case], send: impl Fn(&Server, &str, &Case) -> Result<(), String>) {
    let server = Server::dev();
    let mut wrong = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let start = Instant::now();
        let outcome = send(&server, &format!("hostile/h{index}"), case);
        let elapsed = start.elapsed();
        println!("{:>6} ms  {}", elapsed.as_millis(), case.name);
        wrong.extend(outcome.err().map(|words| format!("{}: {words}", case.name)));
        assert!(elapsed < LONGEST * 2, "{} took {elapsed:?}", case.name);
    }
    http::get(&server.at("/readyz")).expect(200);
    let peak = peak_memory(server.pid());
    println!("{} cases; the server took {peak} kB at most", cases.len());
    assert!(peak < MEMORY, "the server took {peak} kB");
    let log = std::fs::read_to_string(&server.log).unwrap();
    assert!(!log.contains("panicked"), "{log}");
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

/// `VmHWM` of proc(5).
fn peak_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Tries to publish, and validates the payloads if that was taken.
fn send(server: &Server, id: &str, case: &Case) -> Result<(), String> {
    let url = server.api(&format!("/worker-types/{id}"));
    let definition = format!(
        r#"{{"description": "Hostile", "variants": [{{"name": "default", "dialect": "draft-07", "payloadSchema": {}}}]}}"#,
        case.schema
    );
    let put = |url: &str| {
        let request = http::request("PUT", url).header("content-type", "application/json").header("if-match", "*");
        http::send(request.body(definition.clone()))
    };
    let tried = put(&format!("{url}?dryRun=true"));
    let taken = tried.status == 200;
    fits("publish", &tried, if taken { "ok" } else { "" }, &case.publish)?;
    if !taken {
        return Ok(());
    }
    put(&url).expect(201);
    for (payload, expected) in &case.payloads {
        let start = Instant::now();
        let request = http::request("POST", &format!("{url}/validate")).header("content-type", "application/json");
        let answer = http::send(request.body(format!(r#"{{"payload": {payload}}}"#)));
        let verdict = if answer.status == 200 { answer.json()["verdict"].clone() } else { Value::Null };
        let shown: String = payload.chars().take(60).collect();
        fits(&shown, &answer, verdict.as_str().unwrap_or_default(), expected)?;
        if answer.status == 200 && verdict == "invalid" {
            explains(&answer.json()).map_err(|words| format!("{shown}: {words}"))?;
        }
        if start.elapsed() > LONGEST {
            return Err(format!("{shown} took {:?}", start.elapsed()));
        }
    }
    Ok(())
}

/// `good` is what a success says; anything else must be a problem that names what is wrong.
fn fits(what: &str, answer: &Answer, good: &str, expected: &str) -> Result<(), String> {
    let said: Vec<String> = if good.is_empty() { problems(what, answer)? } else { vec![good.to_owned()] };
    if expected == "any" || said.iter().any(|said| said == expected) {
        return Ok(());
    }
    Err(format!("{what}: expected {expected}, found {said:?}: {:.600}", answer.text()))
}

/// The names in a problem document that says what is wrong in words.
fn problems(what: &str, answer: &Answer) -> Result<Vec<String>, String> {
    let bad = |words: &str| Err(format!("{what}: {words}: {} {:.300}", answer.status, answer.text()));
    if !matches!(answer.status, 400 | 413 | 422) || answer.header("content-type") != "application/problem+json" {
        return bad("no problem of the client's");
    }
    let body = answer.json();
    let name = |value: &Value| value["problem"].as_str().unwrap_or_default().to_owned();
    let items: Vec<&Value> = body["errors"].as_array().into_iter().flatten().collect();
    if body["detail"].as_str().is_none_or(str::is_empty) || items.iter().any(|item| item["message"] == "") {
        return bad("a problem without words");
    }
    if answer.bytes.len() > 1 << 20 {
        return bad("a problem of more than a megabyte");
    }
    Ok(std::iter::once(name(&body)).chain(items.into_iter().map(name)).collect())
}

/// An invalid verdict names its reasons, in bounded words.
fn explains(verdict: &Value) -> Result<(), String> {
    let errors = verdict["errors"].as_array().ok_or("no errors")?;
    let shortest = errors.iter().map(|item| item["message"].as_str().map_or(0, str::len)).min().unwrap_or(0);
    let longest = errors.iter().map(|item| item.to_string().len()).max().unwrap_or(0);
    if shortest == 0 || longest > 20_000 || errors.len() > 100 {
        return Err(format!("{} errors, of {shortest} to {longest} bytes", errors.len()));
    }
    Ok(())
}
