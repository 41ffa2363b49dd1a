//! What every server answers, how it starts and how it stops.

use crate::sample::{Server, answer};
use service::{AccessPolicy, Check, Settings, StartError, start};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[tokio::test]
async fn ids_are_found_with_a_raw_and_with_an_encoded_slash() {
    let server = Server::local().await;
    for id in ["proj/linux", "proj%2Flinux", "proj%2flinux"] {
        let (status, body) = answer(server.get(&format!("/api/sample/v1/things/{id}"))).await;
        assert_eq!((status, body["id"].as_str()), (200, Some("proj/linux")), "{id}");
        let (status, body) = answer(server.get(&format!("/api/sample/v1/things/{id}/parts/7"))).await;
        assert_eq!((status, body.as_i64()), (200, Some(7)), "{id}");
    }
    let (status, body) = answer(server.get("/api/sample/v1/things/proj%252Flinux")).await;
    assert_eq!((status, body["problem"].as_str()), (404, Some("unknown-route")));
}

#[tokio::test]
async fn head_answers_as_get_without_a_body() {
    let server = Server::local().await;
    let url = format!("{}/api/sample/v1/things/p/w", server.running.url());
    let response = server.http.head(url).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.headers()["content-length"].to_str().unwrap().parse::<usize>().unwrap() > 10);
    assert_eq!(response.bytes().await.unwrap().len(), 0);
}

#[tokio::test]
async fn health_is_served_at_the_root_and_below_each_prefix() {
    let server = Server::local().await;
    for prefix in ["", "/api/sample/v1"] {
        for path in ["/ping", "/livez", "/readyz", "/__version__", "/__heartbeat__", "/__lbheartbeat__", "/metrics"] {
            let (status, _) = answer(server.get(&format!("{prefix}{path}"))).await;
            assert_eq!(status, 200, "{prefix}{path}");
        }
    }
    let (_, ping) = answer(server.get("/api/sample/v1/ping")).await;
    assert_eq!(ping["alive"], true);
    assert!(ping["uptime"].as_f64().unwrap() >= 0.0);
}

#[tokio::test]
async fn readiness_names_what_fails_and_bears_what_is_degraded() {
    let server = Server::local().await;
    server.sample.checks.lock().unwrap().push(Check::degraded("store", "no news for 9 s"));
    let (status, body) = answer(server.get("/readyz")).await;
    assert_eq!((status, body["checks"][0]["reason"].as_str()), (200, Some("no news for 9 s")));
    assert_eq!(answer(server.get("/__heartbeat__")).await.0, 503);
    server.sample.checks.lock().unwrap().push(Check::failed("disk", "it is full"));
    let (status, body) = answer(server.get("/readyz")).await;
    assert_eq!((status, body["problem"].as_str()), (503, Some("not-ready")));
    assert_eq!(body["detail"], "disk: it is full");
    assert_eq!(body["checks"].as_array().unwrap().len(), 2);
    assert_eq!(answer(server.get("/livez")).await.0, 200);
}

#[tokio::test]
async fn requests_are_counted_by_operation_and_status() {
    let server = Server::local().await;
    answer(server.get("/api/sample/v1/things/a/counted")).await;
    answer(server.get("/api/sample/v1/things/a/counted?nonsense=1")).await;
    let (_, text) = answer(server.get("/metrics")).await;
    let text = text.as_str().unwrap().to_owned();
    for status in ["200", "400"] {
        let line = format!("http_requests_total{{service=\"sample\",operation=\"readThing\",status=\"{status}\"}}");
        assert!(text.contains(&line), "{text}");
    }
    assert!(text.contains("http_request_seconds_bucket{service=\"sample\",operation=\"readThing\",le=\"0.0001\"}"));
}

#[tokio::test]
async fn requests_in_flight_finish_when_the_server_stops() {
    let server = Server::local().await;
    let request = tokio::spawn(answer(server.get("/api/sample/v1/slow")));
    tokio::time::sleep(Duration::from_millis(100)).await;
    let url = server.running.url();
    server.running.stop().await;
    assert_eq!(request.await.unwrap(), (200, "done".into()));
    assert!(server.http.get(format!("{url}/livez")).send().await.is_err(), "it listens no more");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn who_takes_nothing_for_too_long_is_cut_off_and_who_is_slow_is_not() {
    let stalled_timeout = Duration::from_secs(3);
    let server = Server::set(Settings { stalled_timeout, ..Settings::local("127.0.0.1:0") }).await;
    let (mut stuck, mut slow) = (endless(&server).await, endless(&server).await);
    let mut part = vec![0; 256 << 10];
    stuck.read_exact(&mut part).await.unwrap();
    slow.read_exact(&mut part).await.unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    let mut taken = 0;
    while server.sample.readers.load(Ordering::SeqCst) == 2 {
        assert!(Instant::now() < patience, "both are still served");
        slow.read_exact(&mut part).await.unwrap();
        taken += 1;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(taken > 10, "it was cut off before it was late: {taken}");
    slow.read_exact(&mut part).await.unwrap();
    assert_eq!(server.sample.readers.load(Ordering::SeqCst), 1);
}

/// A connection on which an answer without an end comes.
#[cfg(target_os = "linux")]
async fn endless(server: &Server) -> TcpStream {
    let mut stream = TcpStream::connect(server.running.address()).await.unwrap();
    stream.write_all(b"GET /api/sample/v1/endless HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    stream
}

#[tokio::test]
async fn a_server_serves_until_the_signal() {
    let server = Server::local().await;
    let began = Instant::now();
    server.running.until(tokio::time::sleep(Duration::from_millis(50))).await.unwrap();
    assert!(began.elapsed() >= Duration::from_millis(50));
}

#[tokio::test]
async fn a_start_that_fails_says_which_setting_is_wrong() {
    let error = |listen: &str, access| {
        let settings = Settings { access, ..Settings::local(listen) };
        async move { start(settings, vec![]).await.err().map(|error| error.to_string()).unwrap_or_default() }
    };
    let refused = error("0.0.0.0:0", AccessPolicy::Local).await;
    assert!(refused.contains("--listen") && refused.contains("access.tokens"), "{refused}");
    assert!(error("nonsense", AccessPolicy::Local).await.contains("host and port"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let refused = error(&taken.local_addr().unwrap().to_string(), AccessPolicy::Local).await;
    assert!(refused.contains("choose another address with --listen"), "{refused}");
    let settings = Settings { access: AccessPolicy::tokens(vec![], vec![]), ..Settings::local("0.0.0.0:0") };
    assert!(!matches!(start(settings, vec![]).await, Err(StartError::OpenToAll { .. })));
}
