//! What a publish would break: reported, refused, insisted on, and read again.

use crate::harness::{Server, definition};
use serde_json::{Value, json};

const LINUX: &str = "/worker-types/proj/linux";

/// The harness's definition with a policy, its run time bounded.
fn at_most(maximum: u32, policy: &str) -> Value {
    let mut definition = definition();
    definition["compatibility"] = policy.into();
    definition["variants"][0]["payloadSchema"]["properties"]["maxRunTime"]["maximum"] = maximum.into();
    definition
}

#[tokio::test]
async fn required_compatibility_is_refused_with_the_report_until_somebody_says_why() {
    let server = Server::local().await;
    server.publish("proj/linux", &at_most(7200, "require")).await;
    let put = |query: &str| {
        server.put(&format!("{LINUX}{query}"), &at_most(3600, "require")).header("if-match", "\"g1\"").send()
    };
    let refusal = put("").await.refused(409, "incompatible");
    assert_eq!((&refusal["code"], &refusal["compatibility"]["against"]), (&json!("RequestConflict"), &json!([1])));
    assert!(refusal["detail"].as_str().unwrap().contains("allowBreaking=true"), "{refusal}");
    put("?dryRun=true").await.refused(409, "incompatible");
    for silent in ["?allowBreaking=true", "?allowBreaking=true&message=%20", "?allowBreaking=true&dryRun=true"] {
        put(silent).await.refused(400, "invalid-query");
    }
    let published = put("?allowBreaking=true&message=disks%20are%20full").await.expect(200).json();
    assert_eq!((&published["message"], &published["revision"]), (&json!("disks are full"), &json!(2)));
    assert_ne!(published["compatibility"]["verdict"], "compatible");
    let revision = server.get(&format!("{LINUX}/revisions/2")).send().await.expect(200).json();
    assert_eq!(revision["compatibility"], published["compatibility"], "and the history keeps it");
}

#[tokio::test]
async fn a_breaking_revision_comes_with_a_witness_in_every_answer_that_speaks_of_it() {
    let server = Server::local().await;
    server.publish("proj/linux", &at_most(7200, "warn")).await;
    let published = server.publish("proj/linux", &at_most(3600, "warn")).await;
    let report = &published["compatibility"];
    assert_eq!(report["verdict"], "breaking", "{report:#}");
    let witness = report["witness"]["maxRunTime"].as_f64().unwrap();
    assert!(witness > 3600.0 && witness <= 7200.0, "{report:#}");
    let finding = &report["findings"][0];
    assert_eq!(
        (&finding["effect"], &finding["pointer"], &finding["oldFragment"], &finding["newFragment"]),
        (&json!("tightened"), &json!("/payload/maxRunTime"), &json!(7200), &json!(3600)),
        "{finding:#}"
    );
    assert_eq!(published["warnings"][0]["problem"], "breaking-change");
    let diff = server.get(&format!("{LINUX}/diff?from=1&to=2")).send().await.expect(200).json();
    assert_eq!(diff["compatibility"], *report);
    let back = server.get(&format!("{LINUX}/diff?from=2&to=1")).send().await.expect(200).json();
    assert_eq!(back["compatibility"]["verdict"], "compatible", "what was not stored is computed");
}

#[tokio::test]
async fn a_check_tells_what_a_publish_would_break() {
    let server = Server::local().await;
    let check = async |definition: Value| {
        server.post(&format!("{LINUX}/check"), &json!({"definition": definition})).send().await.expect(200).json()
    };
    let first = check(at_most(7200, "require")).await;
    assert_eq!((&first["gate"]["ok"], first.get("compatibility")), (&json!(true), None), "nothing is live yet");
    server.publish("proj/linux", &at_most(7200, "require")).await;
    let report = check(at_most(3600, "require")).await;
    assert_eq!((&report["gate"]["ok"], &report["compatibility"]["against"]), (&json!(false), &json!([1])));
    assert_eq!(report["gate"]["errors"][0]["pointer"], "/compatibility");
    assert_eq!(server.get(LINUX).send().await.expect(200).json()["revision"], 1, "nothing was stored");
}

#[tokio::test]
async fn a_report_travels_with_an_export() {
    let server = Server::local().await;
    server.publish("proj/linux", &at_most(7200, "warn")).await;
    let published = server.publish("proj/linux", &at_most(3600, "warn")).await;
    let export = server.get("/export").send().await.expect(200).text();
    let other = Server::local().await;
    let import = other.request(reqwest::Method::POST, "/import").body("application/x-ndjson", export);
    import.send().await.expect(200);
    let read = other.get(LINUX).send().await.expect(200).json();
    assert_eq!(read["compatibility"], published["compatibility"]);
    assert_eq!(read["compatibility"]["against"], json!([1]));
}
