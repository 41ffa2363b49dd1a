//! `--route`: a server that stands in front of others passes on what is below a prefix, as it comes and both ways.

mod guards;
mod streams;
mod upstream;

use integration_tests::http;
use integration_tests::server::{Server, scratch, wm};
use upstream::Upstream;

/// A server without a queue of its own, with this route.
fn routed(routes: &[&str]) -> Server {
    routed_in(scratch(), &[], routes)
}

/// The same with the settings of this folder and more arguments.
fn routed_in(folder: tempfile::TempDir, more: &[&str], routes: &[&str]) -> Server {
    let database = format!("sqlite://{}", folder.path().join("registry.sqlite").display());
    let mut arguments = vec!["serve", "--listen", "127.0.0.1:0", "--database-url", &database];
    arguments.extend(more);
    arguments.extend(routes.iter().flat_map(|route| ["--route", route]));
    Server::start(&arguments, folder)
}

#[test]
fn a_route_passes_on_method_path_query_and_what_is_behind() {
    let upstream = Upstream::start();
    let server = routed(&[&format!("/api/queue={}", upstream.url)]);
    let request = http::request("DELETE", &server.at("/api/queue/seen/a%2Fb?x=1&y=%20"));
    let answer =
        http::send(request.header("authorization", "Hawk id=\"a\"").header("x-request-id", "mine")).expect(418);
    let seen = answer.json();
    assert_eq!(seen["method"], "DELETE");
    assert_eq!(seen["target"], "/api/queue/seen/a%2Fb?x=1&y=%20");
    let host = upstream.url.trim_start_matches("http://");
    assert_eq!(seen["headers"]["host"], host);
    assert_eq!(seen["headers"]["authorization"], "Hawk id=\"a\"");
    assert_eq!(seen["headers"]["x-forwarded-for"], "127.0.0.1");
    assert_eq!(seen["headers"]["x-forwarded-host"], server.url.trim_start_matches("http://"));
    assert_eq!(seen["headers"]["x-forwarded-proto"], "http");
    assert_eq!(seen["headers"]["x-request-id"], "mine");
    assert_eq!((answer.header("x-request-id"), answer.header("x-theirs")), ("mine", "kept"));
}

#[test]
fn a_head_says_how_long_the_answer_would_be() {
    let upstream = Upstream::start();
    let server = routed(&[&format!("/api/queue={}", upstream.url)]);
    let answer = http::send(http::request("HEAD", &server.at("/api/queue/bytes/4096"))).expect(200);
    assert_eq!((answer.header("content-length"), answer.bytes.len()), ("4096", 0));
}

#[test]
fn a_queue_behind_a_route_is_used_like_one_s_own() {
    let queue = Server::dev();
    let server = routed(&[&format!("/api/queue={}", queue.url)]);
    assert_eq!(http::get(&server.queue("/ping")).expect(200).json()["alive"], true);
    // A page's own writes pass both servers' guards, and another's neither.
    let body = serde_json::json!({});
    let write = |origin: &str| {
        let request = http::with_json("PUT", &server.queue("/task/fN1SbArXTPSVFNUvaOlinQ"), &body);
        http::send(request.header("origin", origin)).json()["problem"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(write(&server.url), "invalid-task-definition");
    assert_eq!(write("https://example.com"), "foreign-host");
    assert_eq!(write(&queue.url), "foreign-host");
}

#[test]
fn a_route_whose_server_is_away_says_so_and_the_rest_goes_on() {
    let queue = Server::dev();
    let server = routed(&[&format!("/api/queue={}", queue.url)]);
    http::get(&server.queue("/ping")).expect(200);
    let target = queue.url.clone();
    drop(queue);
    let problem = http::get(&server.queue("/ping")).expect(502).json();
    assert_eq!(problem["problem"], "upstream-unreachable");
    assert_eq!(
        problem["detail"],
        format!("what is below /api/queue is answered by the server at {target}/, which cannot be reached")
    );
    http::get(&server.api("/worker-types")).expect(200);
    http::get(&server.at("/readyz")).expect(200);
}

#[test]
fn dots_do_not_lead_out_of_a_route_and_no_route_goes_round() {
    let upstream = Upstream::start();
    let server = routed(&[&format!("/api/queue={}", upstream.url)]);
    let answer =
        streams::raw(&server, "GET /api/queue/../secret HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 404") && answer.contains("leads out of /api/queue"), "{answer}");
    // Two servers that send each other what neither has.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let one = routed(&[&format!("/api/queue=http://127.0.0.1:{port}")]);
    let folder = scratch();
    let (listen, database) =
        (format!("127.0.0.1:{port}"), format!("sqlite://{}", folder.path().join("r.sqlite").display()));
    let back = format!("/api/queue={}", one.url);
    let other = Server::start(&["serve", "--listen", &listen, "--database-url", &database, "--route", &back], folder);
    assert_eq!(http::get(&other.queue("/ping")).expect(502).json()["problem"], "upstream-unreachable");
}

#[test]
fn a_route_in_front_of_what_the_server_answers_itself_is_wrong_usage() {
    let refused = |arguments: &[&str]| {
        let folder = scratch();
        let output = wm(arguments).current_dir(folder.path()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let serve = ["serve", "--listen", "127.0.0.1:0", "--database-url", "sqlite://r.sqlite"];
    for (route, by) in [
        ("/api/worker-manager/v1", "worker-manager"),
        ("/api", "worker-manager"),
        ("/worker-types", "web-ui"),
        ("/tasks", "web-ui"),
        ("/assets", "web-ui"),
        ("/ping", "the server"),
        ("/problems", "the server"),
    ] {
        let (status, words) = refused(&[&serve[..], &["--route", &format!("{route}=http://127.0.0.1:1")]].concat());
        assert_eq!(status, Some(2), "{route}: {words}");
        assert!(
            words.contains(&format!("--route (WM_ROUTE): a route leads {route} elsewhere, and {by} answers")),
            "{words}"
        );
    }
    let queue = ["--with", "queue", "--route", "/api/queue=http://127.0.0.1:1"];
    let (status, words) = refused(&[&serve[..], &queue].concat());
    assert!(status == Some(2) && words.contains("queue answers there already"), "{words}");
    for wrong in ["/api/queue", "/=http://h", "/a=ftp://h"] {
        let (status, words) = refused(&[&serve[..], &["--route", wrong]].concat());
        assert!(status == Some(2) && words.contains("--route"), "{wrong}: {words}");
    }
}
