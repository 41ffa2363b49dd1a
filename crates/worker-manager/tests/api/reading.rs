//! What editors, people and gates read.

use crate::harness::{Server, definition, described};
use serde_json::json;

const LINUX: &str = "/worker-types/proj/linux";

#[tokio::test]
async fn the_payload_schema_is_served_as_its_author_wrote_it() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let reply = server.get(&format!("{LINUX}/payload-schema")).send().await.expect(200);
    assert_eq!(reply.header("content-type"), "application/schema+json");
    assert_eq!(reply.text(), definition()["variants"][0]["payloadSchema"].to_string());
    server.get("/worker-types/proj/none/payload-schema").send().await.refused(404, "unknown-worker-type");
}

#[tokio::test]
async fn no_schema_means_any_object() {
    let server = Server::local().await;
    server.publish("proj/bare", &json!({"description": "nothing known"})).await;
    let reply = server.get("/worker-types/proj/bare/payload-schema").send().await.expect(200);
    assert_eq!(reply.json(), json!({"type": "object"}));
}

#[tokio::test]
async fn variants_with_different_schemas_come_together_or_by_name() {
    let server = Server::local().await;
    let mut two = definition();
    let mut native = two["variants"][0].clone();
    native["name"] = "native".into();
    two["variants"] = json!([two["variants"][0], native]);
    server.publish("proj/linux", &two).await;
    server.get(&format!("{LINUX}/payload-schema")).send().await.expect(200);
    two["variants"][1]["payloadSchema"] = json!({"type": "object"});
    server.publish("proj/linux", &two).await;
    let together = server.get(&format!("{LINUX}/payload-schema")).send().await.expect(200).json();
    let titles = ["/allOf/0/anyOf/0/title", "/allOf/0/anyOf/1/title"].map(|place| together.pointer(place).cloned());
    assert_eq!(titles, [Some(json!("container-worker")), Some(json!("native"))], "{together}");
    let native = server.get(&format!("{LINUX}/payload-schema?variant=native")).send().await.expect(200);
    assert_eq!(native.json(), json!({"type": "object"}));
    let problem =
        server.get(&format!("{LINUX}/payload-schema?variant=natve")).send().await.refused(400, "invalid-query");
    assert_eq!(problem["variants"], json!(["container-worker", "native"]));
    server.get(&format!("{LINUX}/payload-schema?revision=1")).send().await.expect(200);
    server.get(&format!("{LINUX}/payload-schema?revision=9")).send().await.refused(404, "unknown-revision");
}

#[tokio::test]
async fn documentation_is_markdown_for_programs_and_a_page_for_browsers() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let path = format!("{LINUX}/documentation");
    let markdown = server.get(&path).send().await.expect(200);
    assert_eq!(markdown.header("content-type"), "text/markdown; charset=utf-8");
    assert!(markdown.text().contains("# Linux\n\nRuns at most 86400 seconds."), "{}", markdown.text());
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for _ in 0..2 {
        let page = server.get(&path).header("accept", browser).send().await.expect(200);
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert!(page.text().contains("<title>proj/linux</title>") && page.text().contains("<h1 id=\"linux\">Linux"));
        assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
        server
            .get(&path)
            .header("accept", browser)
            .header("if-none-match", page.header("etag"))
            .send()
            .await
            .expect(304);
    }
    server.get(&path).header("accept", "application/pdf").send().await.refused(406, "not-acceptable");
    server.publish("proj/linux", &json!({"description": "new", "documentation": "New words"})).await;
    let old = server.get(&format!("{path}?revision=1")).header("accept", "text/html").send().await.expect(200);
    assert!(old.text().contains("86400"));
    server.get(&format!("{path}?revision=7")).send().await.refused(404, "unknown-revision");
    server.get("/worker-types/proj/none/documentation").send().await.refused(404, "unknown-worker-type");
}

#[tokio::test]
async fn nothing_in_documentation_acts() {
    let server = Server::local().await;
    let words = "# Hi <script>alert(1)</script>\n\n[x](javascript:alert(1)) <img src=x onerror=alert(1)>";
    server.publish("proj/linux", &json!({"description": "d", "documentation": words})).await;
    let page = server.get(&format!("{LINUX}/documentation")).header("accept", "text/html").send().await.expect(200);
    for bad in ["<script", "javascript:", "onerror"] {
        assert!(!page.text().contains(bad), "{}", page.text());
    }
}

#[tokio::test]
async fn the_bundle_is_one_document_and_changes_with_the_generation() {
    let server = Server::local().await;
    let published = server.publish("proj/linux", &definition()).await;
    let reply = server.get(&format!("{LINUX}/validation")).send().await.expect(200);
    let bundle: worker_types::Bundle = serde_json::from_slice(&reply.bytes).unwrap();
    assert_eq!(bundle.generation.0, 1);
    assert_eq!(bundle.revisions[0].content_hash.as_str(), published["contentHash"]);
    assert_eq!(bundle.schemas.len(), 1);
    server.publish("proj/linux", &described("other")).await;
    let request = server.get(&format!("{LINUX}/validation")).header("if-none-match", reply.header("etag"));
    request.send().await.expect(200);
    server.get("/worker-types/proj/none/validation").send().await.refused(404, "unknown-worker-type");
}

#[tokio::test]
async fn problems_and_health_are_served_beside_the_api() {
    let server = Server::local().await;
    let page = server.get("//problems/precondition-failed").send().await.expect(200);
    assert!(page.text().contains("Somebody else changed it first"));
    for path in [
        "//readyz",
        "/readyz",
        "//livez",
        "/ping",
        "/__version__",
        "/__heartbeat__",
        "/__lbheartbeat__",
        "//metrics",
        "/metrics",
        "/livez",
        "/openapi.json",
    ] {
        server.get(path).send().await.expect(200);
    }
    server.get("/worker-type/proj/linux").send().await.refused(404, "unknown-route");
    let reply = server.post("/worker-types", &json!({})).send().await;
    assert_eq!(reply.header("allow"), "GET, HEAD");
    reply.refused(405, "method-not-allowed");
}
