//! Two versions on one PostgreSQL database: while replicas are replaced one by one, the older and the newer both serve.
//! The other version is played by what it writes.

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use integration_tests::database::PostgresDatabase;
use integration_tests::http;
use integration_tests::server::{Server, scratch, wm};
use integration_tests::wait::wait_until;
use serde_json::{Value, json};

/// This version's replica, and a connection on which another version writes.
fn side_by_side(database: &PostgresDatabase) -> (Server, PgConnection) {
    let server = Server::start(&["serve", "--listen", "127.0.0.1:0", "--database-url", &database.url()], scratch());
    (server, PgConnection::establish(&database.url()).unwrap())
}

/// What every version writes when it publishes the first revision of a worker type: only the columns of 0.1.0.
fn first_revision(id: &str, definition: &Value) -> String {
    format!(
        "BEGIN;
         INSERT INTO worker_types (id, generation, last_revision, live_revision) VALUES ('{id}', 1, 1, 1);
         INSERT INTO revisions (worker_type_id, number, content_hash, definition, warnings, published_at, published_by)
             VALUES ('{id}', 1, 'sha256:{}', '{definition}', '[]', 1700000000000000, 'the other version');
         UPDATE feed SET newest = newest + 1;
         INSERT INTO events (sequence, kind, worker_type_id, generation, revision, at)
             SELECT newest, 'worker-type-published', '{id}', 1, 1, 1700000000000000 FROM feed;
         INSERT INTO audit (sequence, kind, subject, caller, at)
             SELECT newest, 'worker-type-published', '{id}', 'the other version', 1700000000000000 FROM feed;
         COMMIT;",
        "0".repeat(64)
    )
}

fn description(server: &Server, id: &str) -> Option<Value> {
    let answer = http::get(&server.api(&format!("/worker-types/{id}")));
    (answer.status == 200).then(|| answer.json()["definition"]["description"].clone())
}

fn works(server: &Server, id: &str) {
    server.publish(id, &json!({"description": "of this version"})).expect(201);
    assert_eq!(description(server, id), Some(json!("of this version")));
}

#[test]
fn given_an_older_version_beside_it_then_both_see_what_either_writes() {
    let Some(database) = PostgresDatabase::new() else { return };
    let (server, mut older) = side_by_side(&database);
    older.batch_execute(&first_revision("two/older", &json!({"description": "of the older version"}))).unwrap();
    wait_until("what the older version wrote to be seen", || {
        description(&server, "two/older") == Some(json!("of the older version"))
    });
    works(&server, "two/this");
    server.publish("two/older", &json!({"description": "changed by this version"})).expect(200);
}

#[test]
fn given_a_newer_version_beside_it_then_it_goes_on_until_it_is_replaced() {
    let Some(database) = PostgresDatabase::new() else { return };
    let (server, mut newer) = side_by_side(&database);
    works(&server, "two/before");
    // It starts: its migration adds, and takes nothing away.
    newer
        .batch_execute(
            "ALTER TABLE worker_types ADD COLUMN theme TEXT; CREATE TABLE themes (id TEXT PRIMARY KEY);
             INSERT INTO __diesel_schema_migrations (version) VALUES ('99990101000000')",
        )
        .unwrap();
    works(&server, "two/after");
    // It writes what this version cannot read, and then what it can.
    let unknown = json!({"description": "of the newer version", "theme": "dark"});
    newer.batch_execute(&first_revision("two/unreadable", &unknown)).unwrap();
    newer.batch_execute(&first_revision("two/readable", &json!({"description": "of the newer version"}))).unwrap();
    wait_until("what the newer version wrote to be seen", || {
        description(&server, "two/readable") == Some(json!("of the newer version"))
    });
    assert_eq!(description(&server, "two/unreadable"), None);
    let ready = http::get(&server.at("/readyz")).expect(200).text();
    assert!(ready.contains("cannot read 1 of the worker types"), "{ready}");
    assert!(!ready.contains("two/unreadable"), "everybody may ask: {ready}");
    let status = http::get(&server.api("/status")).expect(200).text();
    assert!(status.contains("two/unreadable"), "{status}");
    works(&server, "two/last");
    // Once it is stopped, it does not come back.
    let start = wm(&["serve", "--listen", "127.0.0.1:0", "--database-url", &database.url()]).output().unwrap();
    let words = String::from_utf8_lossy(&start.stderr).into_owned();
    assert!(!start.status.success() && words.contains("a newer version has used it"), "{words}");
}
