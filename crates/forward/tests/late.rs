//! A server that takes a request and does not answer it.

use actix_web::http::StatusCode;
use forward::Forwarder;
use service::Settings;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

#[tokio::test]
async fn a_server_that_does_not_answer_in_time_is_told_of_as_a_problem() {
    // Connections are accepted by the system, and nobody reads them.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = silent.local_addr().unwrap();
    let route = format!("/api/queue=http://{target}").parse().unwrap();
    let forwarder = Forwarder::new(route).unwrap().patience(Duration::from_millis(200));
    let settings = Settings { forwards: vec![Arc::new(forwarder)], ..Settings::local("127.0.0.1:0") };
    let server = service::start(settings, vec![]).await.unwrap();
    let answer = reqwest::Client::new()
        .post(format!("{}/api/queue/v1/task", server.url()))
        .body("a body that is taken")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status().as_u16(), StatusCode::GATEWAY_TIMEOUT.as_u16());
    let problem = answer.text().await.unwrap();
    assert!(problem.contains("\"problem\":\"upstream-timeout\""), "{problem}");
    assert!(
        problem.contains(&format!("the server at http://{target}/, which did not answer within 0.2 s")),
        "{problem}"
    );
    server.stop().await;
}
