//! What goes wrong, by kind.

use super::{answering, id, last};
use crate::fake::{Step, answer, json, problem};
use serde_json::json;
use std::time::Duration;
use worker_manager_client::{Client, ClientError};
use worker_types::{Generation, Problem};

#[tokio::test]
async fn a_problem_is_read_whole() {
    let (fake, client) = answering([problem(404, "unknown-worker-type", "there is no p/w", Some("p/v"))]).await;
    let error = client.worker_type(&id()).await.unwrap_err();
    assert_eq!(error.problem(), Some(Problem::UnknownWorkerType));
    let ClientError::Problem(answer) = error else { panic!("{error:?}") };
    assert_eq!((answer.status, answer.title.as_str(), answer.request_id.as_deref()), (404, "A title", Some("r-1")));
    assert_eq!((answer.suggestion.as_deref(), answer.generation), (Some("p/v"), Some(Generation(7))));
    assert_eq!(answer.errors[0].message, "there is no p/w");
    assert_eq!(answer.url, format!("{}/api/worker-manager/v1/worker-types/p/w", fake.url()));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let (mut fake, client) = answering([]).await;
    fake.stop().await;
    let error = client.worker_type(&id()).await.unwrap_err();
    let expected = format!(
        "worker-manager cannot be reached at {}/api/worker-manager/v1/worker-types/p/w: the connection was refused; is it running there?",
        fake.url()
    );
    assert_eq!(error.to_string(), expected);
    assert!(error.is_transient());
}

#[tokio::test]
async fn a_name_that_does_not_resolve_is_said_in_words() {
    let client = Client::new("http://does-not-exist.invalid").unwrap();
    let error = client.worker_type(&id()).await.unwrap_err().to_string();
    assert!(error.starts_with("worker-manager cannot be reached at http://does-not-exist.invalid/"), "{error}");
}

#[tokio::test]
async fn an_answer_that_takes_too_long_is_given_up_in_head_and_body() {
    let head = || Step::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{".to_vec());
    let (fake, _) = answering([vec![Step::Hang], vec![head(), Step::Hang], vec![head(), Step::Hang]]).await;
    let client = Client::builder(&fake.url()).timeout(Duration::from_millis(100)).build().unwrap();
    for _ in 0..2 {
        let error = client.worker_type(&id()).await.unwrap_err();
        assert!(matches!(&error, ClientError::Timeout { after, .. } if after.as_millis() == 100), "{error:?}");
        assert!(error.to_string().ends_with("did not answer within 100 ms"), "{error}");
    }
    let mut export = client.export().await.unwrap();
    let part = futures_util::StreamExt::next(&mut export).await.unwrap();
    assert!(part.is_ok());
    assert!(matches!(futures_util::StreamExt::next(&mut export).await, Some(Err(ClientError::Timeout { .. }))));
    assert!(futures_util::StreamExt::next(&mut export).await.is_none());
}

#[tokio::test]
async fn what_is_no_answer_of_worker_manager_is_shown() {
    let long = "<html>".repeat(100);
    let answers = [
        answer(502, &[("content-type", "text/html")], &long),
        answer(200, &[("content-type", "text/html")], "<html>"),
        json(404, &json!({"code": "ResourceNotFound", "message": "another service"})),
        answer(302, &[("location", "/elsewhere")], ""),
    ];
    let (fake, client) = answering(answers).await;
    for (status, start) in [(502, &long[..200]), (200, "<html>"), (404, "{\"code\""), (302, "")] {
        let ClientError::Unexpected(answer) = client.worker_type(&id()).await.unwrap_err() else { panic!() };
        assert_eq!(answer.status, status);
        assert!(answer.start.starts_with(start) && answer.start.len() <= 200, "{answer:?}");
        assert!(answer.to_string().contains("answered status"), "{answer}");
    }
    assert_eq!(fake.requests().len(), 4, "the redirect was not followed");
}

#[tokio::test]
async fn an_answer_may_not_be_larger_than_the_client_takes() {
    let flood = vec![Step::Send(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec()), Step::Flood];
    let (fake, _) = answering([json(200, &json!("x".repeat(2000))), flood]).await;
    let client = Client::builder(&fake.url()).max_answer(1000).build().unwrap();
    for _ in 0..2 {
        let error = client.worker_type(&id()).await.unwrap_err();
        assert!(matches!(error, ClientError::TooLarge { limit: 1000, .. }), "{error:?}");
    }
}

#[tokio::test]
async fn the_token_and_the_name_of_the_caller_go_along() {
    let (fake, client) =
        answering([json(200, &json!({"implementations": []})), json(200, &json!({"implementations": []}))]).await;
    client.implementations().await.unwrap();
    assert_eq!(last(&fake).header("authorization"), None);
    assert!(last(&fake).header("user-agent").unwrap().starts_with("worker-manager-client/"));
    let client = Client::builder(&fake.url()).token(Some("s3cret".into())).user_agent("wm/1").build().unwrap();
    client.implementations().await.unwrap();
    assert_eq!(last(&fake).header("authorization"), Some("Bearer s3cret"));
    assert_eq!(last(&fake).header("user-agent"), Some("wm/1"));
    assert!(!format!("{client:?}").contains("s3cret"));
}
