//! Conditional reads: one strong ETag for each content coding.

use crate::harness::{Server, definition, described};

const LINUX: &str = "/worker-types/proj/linux";

#[tokio::test]
async fn each_coding_has_its_own_etag_and_answers_304_to_it() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    for below in ["", "/validation", "/payload-schema", "/documentation", "/revisions/1"] {
        let path = format!("{LINUX}{below}");
        let plain = server.get(&path).send().await.expect(200);
        let gzip = server.get(&path).header("accept-encoding", "gzip").send().await.expect(200);
        assert_ne!(plain.header("etag"), "", "{path}");
        assert!(plain.header("vary").contains("Accept-Encoding"), "{path}");
        if gzip.header("content-encoding") == "gzip" {
            assert_eq!(gzip.header("etag"), plain.header("etag").trim_end_matches('"').to_owned() + "+gzip\"");
            assert!(gzip.bytes.starts_with(&[0x1f, 0x8b]) && gzip.bytes.len() < plain.bytes.len(), "{path}");
            let other = server.get(&path).header("if-none-match", gzip.header("etag")).send().await;
            assert_eq!(other.status, 200, "the tag of another coding");
        }
        let unchanged = server.get(&path).header("if-none-match", plain.header("etag")).send().await.expect(304);
        assert_eq!((unchanged.bytes.len(), unchanged.header("etag")), (0, plain.header("etag")), "{path}");
        let request = server.get(&path).header("accept-encoding", "gzip").header("if-none-match", gzip.header("etag"));
        request.send().await.expect(304);
    }
}

#[tokio::test]
async fn the_definition_is_compressed_under_its_generation() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    let gzip = server.get(LINUX).header("accept-encoding", "gzip, br").send().await.expect(200);
    assert_eq!((gzip.header("content-encoding"), gzip.header("etag")), ("gzip", "\"g1+gzip\""));
    let refused = server.get(LINUX).header("accept-encoding", "gzip;q=0").send().await.expect(200);
    assert_eq!((refused.header("content-encoding"), refused.header("etag")), ("", "\"g1\""));
}

#[tokio::test]
async fn if_none_match_compares_weakly_and_takes_lists_and_the_star() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    for (given, status) in [
        ("\"g1\"", 304),
        ("W/\"g1\"", 304),
        ("\"x\", W/\"g1\"", 304),
        ("*", 304),
        ("\"g2\"", 200),
        ("g1", 200),
        ("\"g1", 200),
    ] {
        assert_eq!(server.get(LINUX).header("if-none-match", given).send().await.status, status, "{given}");
    }
    server.publish("proj/linux", &described("next")).await;
    assert_eq!(server.get(LINUX).header("if-none-match", "\"g1\"").send().await.expect(200).header("etag"), "\"g2\"");
}

#[tokio::test]
async fn what_is_live_is_asked_for_again_and_a_revision_never() {
    let server = Server::local().await;
    server.publish("proj/linux", &definition()).await;
    assert_eq!(server.get(LINUX).send().await.header("cache-control"), "no-cache");
    for below in ["/revisions/1", "/payload-schema?revision=1", "/documentation?revision=1"] {
        let reply = server.get(&format!("{LINUX}{below}")).send().await.expect(200);
        assert!(reply.header("cache-control").ends_with("max-age=31536000, immutable"), "{below}");
    }
    assert_eq!(server.get("/worker-types").send().await.header("cache-control"), "no-store");
}
