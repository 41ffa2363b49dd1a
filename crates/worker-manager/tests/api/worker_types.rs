//! Listing, reading and deleting worker types.

use crate::harness::{Server, definition, described};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn the_list_shows_what_an_author_chooses_by() {
    let server = Server::local().await;
    let published = server.publish("proj/linux", &definition()).await;
    let list = server.get("/worker-types").send().await.expect(200).json();
    assert_eq!(
        list["workerTypes"],
        json!([{
            "workerTypeId": "proj/linux", "description": "Linux tasks in containers", "owner": "builds@example.com",
            "tags": ["linux"], "lifecycle": "active", "validation": "enforce",
            "implementations": [{"name": "container-worker", "version": "44.2.0"}], "releases": [],
            "generation": 1, "revision": 1, "publishedAt": published["publishedAt"],
        }])
    );
    assert!(list["cursor"].is_string() && list.get("continuationToken").is_none());
}

#[tokio::test]
async fn the_list_is_filtered_and_paged_with_one_cursor() {
    let server = Server::local().await;
    for name in ["a", "b", "c", "d"] {
        server.publish(&format!("proj/{name}"), &described(name)).await;
    }
    let mut other = described("hardware");
    other["tags"] = json!(["metal"]);
    server.publish("lab/hw", &other).await;
    let ids = |list: &Value| -> Vec<String> {
        let ids =
            list["workerTypes"].as_array().unwrap().iter().map(|one| one["workerTypeId"].as_str().unwrap().to_owned());
        ids.collect()
    };
    for (query, expected) in [
        ("provisionerId=lab", vec!["lab/hw"]),
        ("tag=metal", vec!["lab/hw"]),
        ("query=HARD%20lab", vec!["lab/hw"]),
        ("lifecycle=retired", vec![]),
        ("implementation=container-worker&provisionerId=lab", vec!["lab/hw"]),
        ("release=x@1", vec![]),
    ] {
        assert_eq!(
            ids(&server.get(&format!("/worker-types?{query}")).send().await.expect(200).json()),
            expected,
            "{query}"
        );
    }
    let first = server.get("/worker-types?limit=3&provisionerId=proj").send().await.expect(200).json();
    assert_eq!(ids(&first), ["proj/a", "proj/b", "proj/c"]);
    server.publish("proj/e", &definition()).await;
    let token = first["continuationToken"].as_str().unwrap();
    let path = format!("/worker-types?limit=3&provisionerId=proj&continuationToken={token}");
    let second = server.get(&path).send().await.expect(200).json();
    assert_eq!((ids(&second), &second["cursor"]), (vec!["proj/d".to_owned(), "proj/e".to_owned()], &first["cursor"]));
    assert!(second.get("continuationToken").is_none());
    let elsewhere = format!("/worker-types?continuationToken={token}");
    server.get(&elsewhere).send().await.refused(400, "invalid-continuation-token");
    server.get("/worker-types?continuationToken=x").send().await.refused(400, "invalid-continuation-token");
}

#[tokio::test]
async fn wrong_queries_are_refused_with_what_was_meant() {
    let server = Server::local().await;
    let problem = server.get("/worker-types?provisonerId=p").send().await.refused(400, "invalid-query");
    assert_eq!(problem["errors"][0]["suggestion"], "provisionerId");
    for query in ["limit=0", "limit=1001", "limit=ten", "lifecycle=gone", "tag=a&tag=b"] {
        server.get(&format!("/worker-types?{query}")).send().await.refused(400, "invalid-query");
    }
}

#[tokio::test]
async fn an_unknown_worker_type_names_the_closest_one() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let problem = server.get("/worker-types/proj/linus").send().await.refused(404, "unknown-worker-type");
    assert_eq!(problem["suggestion"], "proj/linux");
    assert_eq!(problem["detail"], "there is no worker type proj/linus; did you mean proj/linux?");
}

#[tokio::test]
async fn ids_are_taken_as_one_segment_and_as_two_on_every_route() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    for below in
        ["", "/revisions", "/revisions/1", "/diff?from=1&to=1", "/payload-schema", "/documentation", "/validation"]
    {
        for id in ["proj/linux", "proj%2Flinux", "proj%2flinux"] {
            server.get(&format!("/worker-types/{id}{below}")).send().await.expect(200);
        }
    }
    let payload = json!({"payload": {"maxRunTime": 1}});
    server.post("/worker-types/proj%2Flinux/validate", &payload).send().await.expect(200);
    server.post("/worker-types/proj%2Flinux/check", &json!({"definition": definition()})).send().await.expect(200);
    server.get("/worker-types/proj%2Flinux%2Fdeep").send().await.refused(404, "unknown-route");
}

#[tokio::test]
async fn head_works_where_get_does() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    for path in [
        "/worker-types",
        "/worker-types/proj/linux",
        "/worker-types/proj/linux/payload-schema",
        "/events",
        "/export",
        "/openapi.json",
    ] {
        let reply = server.request(Method::HEAD, path).send().await.expect(200);
        assert!(reply.bytes.is_empty(), "{path}");
        assert!(!reply.header("content-type").is_empty(), "{path}");
    }
    assert_eq!(server.request(Method::HEAD, "/worker-types/proj/none").send().await.status, 404);
}

#[tokio::test]
async fn deleting_leaves_a_tombstone_and_numbering_goes_on() {
    let server = Server::local().await;
    const LINUX: &str = "/worker-types/proj/linux";
    let delete = |tag: &'static str| {
        server.request(Method::DELETE, &format!("{LINUX}?message=over")).header("if-match", tag).send()
    };
    server.publish("proj/linux", &definition()).await;
    server.request(Method::DELETE, LINUX).send().await.refused(428, "precondition-required");
    delete("\"g7\"").await.refused(412, "precondition-failed");
    delete("seven").await.refused(400, "invalid-header");
    let tombstone = delete("\"g1\"").await.expect(200);
    assert_eq!(tombstone.header("etag"), "\"g2\"");
    let tombstone = tombstone.json();
    assert_eq!(
        (&tombstone["generation"], &tombstone["lastRevision"], &tombstone["deletedBy"]),
        (&json!(2), &json!(1), &json!("local"))
    );

    let gone = server.get(LINUX).send().await;
    assert_eq!(gone.header("etag"), "\"g2\"");
    let gone = gone.refused(410, "deleted");
    assert_eq!((&gone["lastRevision"], &gone["generation"]), (&json!(1), &json!(2)));
    for below in ["/payload-schema", "/documentation", "/validation"] {
        server.get(&format!("{LINUX}{below}")).send().await.refused(410, "deleted");
    }
    delete("*").await.refused(410, "deleted");
    server
        .request(Method::DELETE, "/worker-types/proj/none")
        .header("if-match", "*")
        .send()
        .await
        .refused(404, "unknown-worker-type");
    server.get(&format!("{LINUX}/revisions/1")).send().await.expect(200);

    let back = server.put(LINUX, &definition()).header("if-none-match", "*").send().await.expect(201).json();
    assert_eq!((&back["generation"], &back["revision"]), (&json!(3), &json!(2)));
}
