//! Verdicts by the service, streams in and out.

use super::{answering, id, last, line};
use crate::fake::{Step, answer, json};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    sync::mpsc,
};
use worker_manager_client::{BatchAnswer, Client, ClientError};
use worker_types::Outcome;

fn verdict(outcome: &str) -> Value {
    json!({"verdict": outcome, "workerTypeId": "p/w", "generation": 9, "revisions": [], "variants": [], "rejectedBy": [],
        "validation": "enforce", "warnings": [], "errors": [], "moreErrors": 3})
}

fn numbered(line: u64, outcome: &str) -> String {
    let mut verdict = verdict(outcome);
    verdict["line"] = line.into();
    format!("{verdict}\n")
}

#[tokio::test]
async fn one_payload_one_task() {
    let (fake, client) = answering([json(200, &verdict("valid")), json(200, &verdict("invalid"))]).await;
    assert_eq!(client.validate_payload(&id(), &json!({"a": 1.0})).await.unwrap().verdict, Outcome::Valid);
    assert_eq!(line(&fake), "POST /worker-types/p/w/validate");
    assert_eq!(last(&fake).body, r#"{"payload":{"a":1.0}}"#);
    let verdict = client.validate_task(&id(), &json!({"b": 2})).await.unwrap();
    assert_eq!((verdict.verdict, verdict.more_errors), (Outcome::Invalid, 3));
    assert_eq!(last(&fake).body, r#"{"task":{"b":2}}"#);
}

#[tokio::test]
async fn a_check_says_what_the_gate_would() {
    let report = json!({"gate": {"ok": false, "errors": [{"problem": "type", "pointer": "/owner", "message": "m"}], "warnings": []},
        "replay": {"checked": 1, "newlyRejected": [{"index": 0, "errors": []}], "newlyAccepted": 0}});
    let (fake, client) = answering([json(200, &report)]).await;
    let report = client.check(&id(), &json!({"d": 1}), Some(&[json!({"t": 1})])).await.unwrap();
    assert_eq!((report.gate.ok, report.gate.errors[0].pointer.as_str()), (false, "/owner"));
    assert_eq!(report.replay.unwrap().newly_rejected[0].index, 0);
    assert_eq!(line(&fake), "POST /worker-types/p/w/check");
    assert_eq!(last(&fake).body, r#"{"definition":{"d":1},"tasks":[{"t":1}]}"#);
}

#[tokio::test]
async fn a_batch_has_an_answer_for_each_line_also_a_broken_one() {
    let broken = "{\"line\": 2, \"verdict\": \"error\", \"problem\": \"malformed-json\", \"message\": \"no\"}\n";
    let text = [&numbered(1, "valid"), broken, "\n", numbered(3, "unchecked").trim_end()].concat();
    // The answer arrives in parts that end anywhere.
    let parts = text.as_bytes().chunks(7).map(|part| Step::Send(part.to_vec()));
    let head =
        Step::Send(b"HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\n\r\n".to_vec());
    let (fake, client) = answering([std::iter::once(head).chain(parts).collect::<Vec<_>>()]).await;
    let lines = stream::iter(["{\"a\":1}\n{", "]\n{}\n"].map(Bytes::from));
    let answers: Vec<_> = client.validate_batch(lines).await.unwrap().try_collect().await.unwrap();
    assert_eq!(line(&fake), "POST /tasks/validate");
    assert_eq!(last(&fake).body, "{\"a\":1}\n{]\n{}\n");
    assert_eq!(answers.iter().map(|answer| answer.line).collect::<Vec<_>>(), [1, 2, 3]);
    let broken = BatchAnswer::Broken { problem: "malformed-json".to_owned(), message: "no".to_owned() };
    assert_eq!(answers[1].answer, broken);
    assert!(matches!(&answers[2].answer, BatchAnswer::Verdict(verdict) if verdict.verdict == Outcome::Unchecked));
}

#[tokio::test]
async fn verdicts_come_while_tasks_are_still_being_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = Client::new(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let (tasks, sent) = mpsc::unbounded_channel::<Bytes>();
    tasks.send(Bytes::from("{\"first\":1}\n")).unwrap();
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut text = String::new();
        for (wanted, line) in [("first", numbered(1, "valid")), ("second", numbered(2, "invalid"))] {
            while !text.contains(wanted) {
                let mut buffer = [0; 1024];
                let read = stream.read(&mut buffer).await.unwrap();
                text.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
            }
            let head = if wanted == "first" { "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n" } else { "" };
            stream.write_all(format!("{head}{line}").as_bytes()).await.unwrap();
        }
    });
    let lines = stream::unfold(sent, async |mut sent| sent.recv().await.map(|line| (line, sent)));
    let mut answers = client.validate_batch(lines).await.unwrap();
    assert_eq!(answers.next().await.unwrap().unwrap().line, 1);
    tasks.send(Bytes::from("{\"second\":2}\n")).unwrap();
    assert_eq!(answers.next().await.unwrap().unwrap().line, 2);
    drop(tasks);
    assert!(answers.next().await.is_none());
    server.await.unwrap();
}

#[tokio::test]
async fn what_is_no_verdict_ends_a_batch_with_an_error() {
    let (_fake, client) =
        answering([answer(200, &[], format!("{}<html>\n{}", numbered(1, "valid"), numbered(2, "valid")))]).await;
    let answers: Vec<_> = client.validate_batch(stream::empty()).await.unwrap().collect().await;
    assert!(
        matches!(&answers[..], [Ok(_), Err(ClientError::Unexpected(answer))] if answer.start == "<html>\n"),
        "{answers:?}"
    );
}

#[tokio::test]
async fn an_export_goes_into_an_import_and_a_cut_is_noticed() {
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"a\":1}\n";
    let answers =
        [answer(200, &[], "{\"a\":1}\n"), json(200, &json!({"records": 2, "new": 1})), vec![Step::Send(cut.into())]];
    let (fake, client) = answering(answers).await;
    let parts: Vec<Bytes> = client.export().await.unwrap().try_collect().await.unwrap();
    assert_eq!(line(&fake), "GET /export");
    let report = client.import(stream::iter(parts)).await.unwrap();
    assert_eq!((report.records, report.new), (2, 1));
    assert_eq!((last(&fake).target.as_str(), last(&fake).body.as_str()), ("/import", "{\"a\":1}\n"));
    let parts: Vec<_> = client.export().await.unwrap().collect().await;
    assert!(matches!(parts[..], [Ok(_), Err(ClientError::Unreachable { .. })]), "{parts:?}");
}
