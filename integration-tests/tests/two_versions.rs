//! Two versions on one PostgreSQL database: while replicas are replaced one by one, the older and the newer both serve.
//! The other version is played by what it writes and by what it asks.

use diesel::connection::SimpleConnection;
use diesel::sql_types::{Nullable, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query};
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

/// What the first version asks for at its start: every worker type, with what is live of it.
fn live(connection: &mut PgConnection) -> Vec<(String, Option<String>, Option<String>)> {
    let query = "SELECT w.id, l.definition AS live, o.definition AS older FROM worker_types w \
                 LEFT JOIN revisions l ON l.worker_type_id = w.id AND l.number = w.live_revision \
                 LEFT JOIN revisions o ON o.worker_type_id = w.id AND o.number = w.older_revision ORDER BY w.id";
    let rows: Vec<Live> = sql_query(query).load(connection).unwrap();
    let words = |definition: Option<String>| {
        let definition: Value = serde_json::from_str(&definition?).unwrap();
        Some(definition["description"].as_str()?.to_owned())
    };
    rows.into_iter().map(|row| (row.id, words(row.live), words(row.older))).collect()
}

#[derive(QueryableByName)]
struct Live {
    #[diesel(sql_type = Text)]
    id: String,
    #[diesel(sql_type = Nullable<Text>)]
    live: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    older: Option<String>,
}

#[derive(QueryableByName)]
struct Kind {
    #[diesel(sql_type = Text)]
    kind: String,
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
    let this = ("two/this".to_owned(), Some("of this version".to_owned()), None);
    let changed = Some("changed by this version".to_owned());
    assert_eq!(live(&mut older), [("two/older".to_owned(), changed.clone(), None), this.clone()]);
    let rolling = json!({"description": "rolled out", "rollout": {"policy": "strict"}});
    server.publish("two/older", &rolling).expect(200);
    works(&server, "two/deleted");
    http::send(http::request("DELETE", &server.api("/worker-types/two/deleted")).header("if-match", "*")).expect(200);
    let deleted = ("two/deleted".to_owned(), None, None);
    let rolling = ("two/older".to_owned(), Some("rolled out".to_owned()), changed);
    assert_eq!(live(&mut older), [deleted, rolling, this]);
    let kinds = "SELECT kind FROM events ORDER BY sequence";
    let kinds: Vec<Kind> = sql_query(kinds).load(&mut older).unwrap();
    let told: Vec<&str> = kinds.iter().map(|row| row.kind.as_str()).collect();
    assert_eq!(
        told,
        [
            "worker-type-published",
            "worker-type-published",
            "worker-type-published",
            "rollout-started",
            "worker-type-published",
            "worker-type-deleted"
        ]
    );
}

#[test]
fn given_the_tables_of_the_first_version_then_they_are_migrated_and_everything_is_there() {
    let Some(database) = PostgresDatabase::new() else { return };
    let mut first = PgConnection::establish(&database.url()).unwrap();
    first
        .batch_execute(
            "CREATE TABLE __diesel_schema_migrations (version VARCHAR(50) PRIMARY KEY, \
             run_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP); \
             INSERT INTO __diesel_schema_migrations (version) VALUES ('registry0001')",
        )
        .unwrap();
    first.batch_execute(include_str!("../../crates/store/migrations/postgres/registry-0001_tables/up.sql")).unwrap();
    first.batch_execute(&first_revision("two/first", &json!({"description": "of the first version"}))).unwrap();
    let server = Server::start(&["serve", "--listen", "127.0.0.1:0", "--database-url", &database.url()], scratch());
    assert_eq!(description(&server, "two/first"), Some(json!("of the first version")));
    let history = http::get(&server.api("/worker-types/two/first/revisions")).expect(200).json();
    assert_eq!(history["revisions"][0]["publishedBy"], "the other version");
    server.publish("two/first", &json!({"description": "of this version"})).expect(200);
    works(&server, "two/this");
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
