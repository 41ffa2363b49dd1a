//! The same schemas, compared: a plain one with the hostile one, and the hostile one with itself a little changed. Each
//! comparison ends with a verdict, in bounded time, whether it was proved or not.

use super::corpus::Case;
use integration_tests::http::{self, Answer};
use integration_tests::server::Server;
use serde_json::{Value, json};

const PLAIN: &str = r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#;

/// Compares the schema of `case`, if it may be published, under the id `id`.
pub fn send(server: &Server, id: &str, case: &Case) -> Result<(), String> {
    let url = server.api(&format!("/worker-types/{id}"));
    publish(&url, PLAIN).expect(201);
    let report = check(&url, &case.schema)?;
    if report["gate"]["ok"] != true {
        return refused(&report);
    }
    let to = compared("from a plain schema", &report)?;
    // The policy is to warn: whatever breaks is published, with what it breaks.
    let published = publish(&url, &case.schema).expect(200).json();
    if published["compatibility"]["verdict"] != to.as_str() {
        return Err(format!("check says {to}, publish {:.300}", published["compatibility"].to_string()));
    }
    let Some(changed) = changed(&case.schema) else { return Ok(()) };
    let report = check(&url, &changed)?;
    if report["gate"]["ok"] != true {
        return refused(&report);
    }
    compared("to a changed copy", &report)?;
    let same = compared("to itself", &check(&url, &case.schema)?)?;
    if same == "compatible" { Ok(()) } else { Err(format!("to itself: {same}")) }
}

/// The schema with one thing more that it asks, put before what its text says.
fn changed(schema: &str) -> Option<String> {
    let rest = schema.trim_start().strip_prefix('{')?;
    let comma = if rest.trim_start().starts_with('}') { "" } else { "," };
    Some(format!(r#"{{"minProperties": 1, "title": "changed"{comma} {rest}"#)).filter(|text| {
        // A schema that says how many or what it is called keeps it: the same name twice is refused.
        text.matches("\"minProperties\"").count() == 1 && text.matches("\"title\"").count() == 1
    })
}

fn definition(schema: &str) -> String {
    format!(
        r#"{{"description": "Hostile", "compatibility": "warn",
            "variants": [{{"name": "default", "dialect": "draft-07", "payloadSchema": {schema}}}]}}"#
    )
}

fn publish(url: &str, schema: &str) -> Answer {
    let request = http::request("PUT", url).header("content-type", "application/json").header("if-match", "*");
    http::send(request.body(definition(schema)))
}

fn check(url: &str, schema: &str) -> Result<Value, String> {
    let request = http::request("POST", &format!("{url}/check")).header("content-type", "application/json");
    let answer = http::send(request.body(format!(r#"{{"definition": {}}}"#, definition(schema))));
    match answer.status {
        200 if answer.bytes.len() <= 4 << 20 => Ok(answer.json()),
        200 => Err(format!("a report of {} bytes", answer.bytes.len())),
        // What is no JSON that a definition may be never reaches the gate.
        _ => super::problems("check", &answer).map(|names| json!({"gate": {"errors": [{"message": names.join(" ")}]}})),
    }
}

/// The gate says why.
fn refused(report: &Value) -> Result<(), String> {
    let errors = report["gate"]["errors"].as_array().map_or(&[][..], Vec::as_slice);
    let said = errors.iter().all(|error| error["message"].as_str().is_some_and(|message| !message.is_empty()));
    if said && !errors.is_empty() { Ok(()) } else { Err(format!("refused without words: {:.300}", report.to_string())) }
}

/// The verdict; one that is not good says what was found, and `breaking` shows a payload.
fn compared(what: &str, report: &Value) -> Result<String, String> {
    let found = &report["compatibility"];
    let bad = |words: &str| Err(format!("{what}: {words}: {:.600}", found.to_string()));
    let messages = found["findings"].as_array().into_iter().flatten().map(|finding| finding["message"].as_str());
    let (mut count, mut longest) = (0, 0);
    for message in messages {
        let Some(message) = message.filter(|message| !message.is_empty()) else {
            return bad("a finding without words");
        };
        (count, longest) = (count + 1, longest.max(message.len()));
    }
    if longest > 20_000 {
        return bad("a finding of more than 20 kB");
    }
    match found["verdict"].as_str() {
        Some("compatible") => Ok("compatible".to_owned()),
        Some("breaking") if !found["witness"].is_null() && count > 0 => Ok("breaking".to_owned()),
        Some("unknown") if count > 0 => Ok("unknown".to_owned()),
        _ => bad("no verdict with its reason"),
    }
}
