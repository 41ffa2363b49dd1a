//! `wm token`, access by it, `wm export` and `wm import`.

use crate::given::{Server, copy_of_examples, wm, wm_in};
use std::fs;

#[test]
fn a_token_opens_the_server_that_has_its_entry() {
    let made = wm(&["token", "--name", "ci \"x\"", "--scope", "worker-manager:*", "--scope", "queue:*"]);
    assert_eq!(made.status, 0);
    let (token, entry) = made.out.split_once('\n').unwrap();
    assert!(token.starts_with("wm_") && token.len() == 46, "{token}");
    assert!(entry.contains(r#"scopes = ["worker-manager:*", "queue:*"]"#), "{entry}");
    assert!(!entry.contains(token));
    assert_ne!(wm(&["token"]).out, made.out);

    let server = Server::with_settings(entry);
    let folder = copy_of_examples();
    let refused = server.wm_in(folder.path(), &["apply", "."]);
    assert_eq!(refused.status, 5, "{refused:?}");
    assert!(refused.err.contains("worker-manager:publish"), "{}", refused.err);
    fs::write(folder.path().join("token"), token).unwrap();
    let applied = server.wm_in(folder.path(), &["apply", ".", "--token-file", "token"]);
    assert_eq!(applied.status, 0, "{applied:?}");
    assert!(server.wm(&["show", "linux/container"]).out.contains("by ci \"x\""));
    fs::write(folder.path().join("other"), "wm_other").unwrap();
    let unknown = server.wm_in(folder.path(), &["list", "--token-file", "other"]);
    assert_eq!(unknown.status, 5);
    assert!(unknown.err.contains("does not know the token"), "{}", unknown.err);
}

#[test]
fn an_export_goes_into_another_registry_whole_or_not_at_all() {
    let (from, into, folder) = (Server::with_examples(), Server::empty(), tempfile::tempdir().unwrap());
    let exported = from.wm_in(folder.path(), &["export", "all.ndjson"]);
    assert_eq!(exported.status, 0, "{exported:?}");
    let text = fs::read_to_string(folder.path().join("all.ndjson")).unwrap();
    assert_eq!(from.wm(&["export"]).out.lines().count(), text.lines().count());

    fs::write(folder.path().join("cut.ndjson"), &text[..text.len() - 20]).unwrap();
    let cut = into.wm_in(folder.path(), &["import", "cut.ndjson"]);
    assert_eq!(cut.status, 1, "{cut:?}");
    assert!(cut.err.contains("cut.ndjson: "), "{}", cut.err);
    assert_eq!(into.wm(&["list"]).out, "");

    let imported = into.wm_in(folder.path(), &["import", "all.ndjson"]);
    assert_eq!(imported.status, 0, "{imported:?}");
    assert_eq!(into.wm(&["list"]).out, from.wm(&["list"]).out);
    let again = into.wm_in(folder.path(), &["import", "all.ndjson", "--output", "json"]);
    assert!(again.out.contains("\"new\": 0"), "{}", again.out);
    let nowhere = wm_in(folder.path(), &["export", "no/such/folder.ndjson", "--url", &from.url]);
    assert_eq!(nowhere.status, 2, "{nowhere:?}");
}

#[test]
fn access_without_tokens_is_configured_access() {
    let server = Server::with_settings("[access]\nanonymous_scopes = [\"worker-manager:list\"]\n");
    assert_eq!(server.wm(&["list"]).status, 0);
    let refused = server.wm(&["apply", "examples"]);
    assert_eq!(refused.status, 5, "{refused:?}");
    assert!(refused.err.contains("the request brings no token"), "{}", refused.err);
}
