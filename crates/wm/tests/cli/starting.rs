//! A start that fails says which setting is wrong, and how to mend it.

use crate::given::{Server, wm_in};
use std::fs;
use std::net::TcpListener;

#[test]
fn what_is_wrong_with_the_address_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (listen, words) in [
        (address.as_str(), "choose another address with --listen"),
        ("0.0.0.0:0", "no access is configured"),
        ("here", "it must be host and port"),
    ] {
        for role in [&["dev", "--data-dir", "data"][..], &["serve", "--database-url", "sqlite://registry.sqlite"]] {
            let said = wm_in(folder.path(), &[role, &["--listen", listen]].concat());
            assert_eq!(said.status, if listen == address { 5 } else { 2 }, "{said:?}");
            assert!(said.err.contains(words), "{role:?} {listen}: {}", said.err);
        }
    }
}

#[test]
fn what_is_wrong_with_the_database_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for (url, words) in [
        ("mysql://root@localhost/x", "write sqlite://FILE"),
        ("sqlite://none/registry.sqlite", "none"),
        ("postgres://wm:hunter2@127.0.0.1:1/x", "127.0.0.1"),
    ] {
        for role in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate"]] {
            let said = wm_in(folder.path(), &[role, &["--database-url", url]].concat());
            assert_eq!(said.status, if url.starts_with("mysql") { 2 } else { 5 }, "{said:?}");
            assert!(said.err.contains("--database-url"), "{}", said.err);
            assert!(said.err.contains(words) && !said.err.contains("hunter2"), "{role:?} {url}: {}", said.err);
        }
    }
}

#[test]
fn a_file_has_one_server_and_is_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::empty();
    let database = format!("sqlite://{}", server.folder().join("data/registry.sqlite").display());
    let second = wm_in(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--database-url", &database]);
    assert_eq!(second.status, 5, "{second:?}");
    assert!(second.err.contains("in use by another server"), "{}", second.err);
    fs::write(folder.path().join("file"), "").unwrap();
    let said = wm_in(folder.path(), &["dev", "--listen", "127.0.0.1:0", "--data-dir", "file"]);
    assert!(matches!(said.status, 2 | 5), "{said:?}");
    assert!(said.err.contains("--data-dir"), "{}", said.err);
}

#[test]
fn the_log_filter_is_a_setting_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let said = wm_in(folder.path(), &["dev", "--listen", "127.0.0.1:0", "--log", "=loud="]);
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("--log"), "{}", said.err);
}

#[test]
fn migrations_are_looked_at_then_applied_then_done() {
    let folder = tempfile::tempdir().unwrap();
    let migrate = |arguments: &[&str]| {
        wm_in(folder.path(), &[&["migrate", "--database-url", "sqlite://a.sqlite"], arguments].concat())
    };
    assert_eq!(migrate(&["--check"]).status, 1);
    assert!(!folder.path().join("a.sqlite").exists());
    let applied = migrate(&[]);
    assert_eq!(applied.status, 0, "{applied:?}");
    assert_eq!(migrate(&["--check"]).status, 0);
    let other = migrate(&["--service", "queue", "--check"]);
    assert_ne!(other.status, 0, "{other:?}");
}

#[test]
fn a_database_that_was_restored_has_a_feed_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let migrate = |arguments: &[&str]| {
        wm_in(folder.path(), &[&["migrate", "--database-url", "sqlite://a.sqlite"], arguments].concat())
    };
    let epoch = || {
        let url = format!("sqlite://{}", folder.path().join("a.sqlite").display());
        let store = store::SqlStore::open(&url, &database::Options::default()).unwrap();
        registry::Store::feed(&store).unwrap().epoch
    };
    migrate(&[]);
    let before = epoch();
    migrate(&[]);
    assert_eq!(epoch(), before, "a database that is up to date keeps its feed");
    let restored = migrate(&["--restored"]);
    assert_eq!(restored.status, 0, "{restored:?}");
    assert_ne!(epoch(), before);
    let queue = migrate(&["--restored", "--service", "queue"]);
    assert_eq!(queue.status, 2, "{queue:?}");
    assert_eq!(migrate(&["--restored", "--check"]).status, 2);
}

#[test]
fn pools_are_read_and_planned_with_given_counts() {
    let (server, folder) = (Server::with_examples(), tempfile::tempdir().unwrap());
    fs::write(folder.path().join("counts.yml"), "linux/container: {pending: 100}\n").unwrap();
    let said = wm_in(
        folder.path(),
        &[
            "provision",
            "--plan",
            "--worker-manager-url",
            &server.url,
            "--queue-url",
            &server.url,
            "--counts",
            "counts.yml",
        ],
    );
    assert_eq!(said.status, 0, "{said:?}");
    assert!(said.out.contains("linux/container"), "{}", said.out);
}
