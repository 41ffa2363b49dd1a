//! Data that every version made opens in this one. Each folder of `upgrade/` holds a version's databases and its export.

use integration_tests::database::{PostgresDatabase, sqlite_url};
use integration_tests::http;
use integration_tests::server::{Server, scratch};
use std::fs;
use std::path::{Path, PathBuf};

fn versions() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("upgrade");
    let mut versions: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    versions.sort();
    assert!(!versions.is_empty());
    versions
}

#[test]
fn the_databases_of_every_version_open_and_hold_what_they_held() {
    for version in versions() {
        let folder = scratch();
        let data = folder.path().join("data");
        fs::create_dir(&data).unwrap();
        for file in ["registry.sqlite", "queue.sqlite"] {
            fs::copy(version.join(file), data.join(file)).unwrap();
        }
        let server =
            Server::start(&["dev", "--listen", "127.0.0.1:0", "--data-dir", &data.display().to_string()], folder);
        let kept = fs::read_to_string(version.join("export.ndjson")).unwrap();
        assert_eq!(http::get(&server.api("/export")).expect(200).text(), kept, "{}", version.display());
        let task_id = fs::read_to_string(version.join("task-id")).unwrap();
        let verdict = http::get(&server.queue(&format!("/task/{}/validation", task_id.trim()))).expect(200).json();
        assert_eq!(verdict["verdict"], "valid", "{}", version.display());
    }
}

fn imports(version: &Path, database_url: &str) {
    let server = Server::start(&["serve", "--listen", "127.0.0.1:0", "--database-url", database_url], scratch());
    let kept = fs::read_to_string(version.join("export.ndjson")).unwrap();
    let request =
        http::request("POST", &server.api("/import")).header("content-type", "application/x-ndjson").body(kept.clone());
    http::send(request).expect(200);
    assert_eq!(http::get(&server.api("/export")).expect(200).text(), kept, "{}", version.display());
}

#[test]
fn the_exports_of_every_version_import_on_sqlite() {
    for version in versions() {
        let folder = scratch();
        imports(&version, &sqlite_url(&folder.path().join("registry.sqlite")));
    }
}

#[test]
fn the_exports_of_every_version_import_on_postgresql() {
    for version in versions() {
        let Some(database) = PostgresDatabase::new() else { return };
        imports(&version, &database.url());
    }
}
