//! What opening a PostgreSQL database refuses, and in which words.

use crate::counters::{MIGRATIONS, Place, open, refusal};
use database::testing::{PrivateServer, ScratchPostgres};
use database::{Database, DatabaseError, EmbeddedMigrations, Migrations, Options, PendingMigrations, pending};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use std::net::TcpListener;
use std::time::{Duration, Instant};

#[test]
fn a_database_that_does_not_exist_is_told() {
    let Some(scratch) = ScratchPostgres::create() else { return };
    let url = scratch.url().replace("/test_", "/missing_");
    let error = open(&url).err().unwrap();
    let message = error.to_string();
    assert!(message.contains("does not exist") && message.contains("createdb"), "{message}");
    assert!(!error.is_transient());
}

#[test]
fn a_server_that_is_away_is_told_and_may_come_back() {
    // A port that nobody listens on any more.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let start = Instant::now();
    let error = open(&format!("postgres://wm:hunter2@127.0.0.1:{port}/wm")).err().unwrap();
    assert!(start.elapsed() < Duration::from_secs(5));
    let message = error.to_string();
    assert!(message.contains("Connection refused") && message.contains("Start the server"), "{message}");
    assert!(error.is_transient() && !message.contains("hunter2"), "{message}");
}

#[test]
fn a_server_that_says_nothing_is_given_up() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://wm@127.0.0.1:{}/wm?connect_timeout=2", silent.local_addr().unwrap().port());
    let start = Instant::now();
    let error = open(&url).err().unwrap();
    assert!(error.is_transient() && error.to_string().contains("timeout expired"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_host_without_an_address_is_told() {
    let message = refusal("postgres://wm@no-such-host.invalid/wm");
    assert!(message.contains("could not translate host name") && message.contains("Check the host"), "{message}");
}

#[test]
fn an_encoding_that_cannot_hold_every_text_is_refused() {
    let Some(scratch) = ScratchPostgres::create() else { return };
    let name = format!("latin_{}", std::process::id());
    let mut server = PgConnection::establish(scratch.server_url()).unwrap();
    let create = format!("CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0");
    server.batch_execute(&create).unwrap();
    let url = scratch.url();
    let (before, _) = url.rsplit_once('/').unwrap();
    let message = refusal(&format!("{before}/{name}"));
    server.batch_execute(&format!("DROP DATABASE {name}")).unwrap();
    assert!(message.contains("its encoding is LATIN1") && message.contains("--encoding=UTF8"), "{message}");
}

#[test]
fn pending_and_newer_migrations_are_told() {
    let Some(place) = Place::postgres() else { return };
    let refuse = Options { pending_migrations: PendingMigrations::Refuse, ..Options::default() };
    assert_eq!(pending(&place.url, &MIGRATIONS).unwrap(), ["0001_counters"]);
    let refused = Database::open(&place.url, &MIGRATIONS, &refuse).err().unwrap();
    assert!(matches!(refused, DatabaseError::Pending { .. }));
    place.open();
    Database::open(&place.url, &MIGRATIONS, &refuse).unwrap();
    let older = Migrations { sqlite: EmbeddedMigrations::new(&[]), postgres: EmbeddedMigrations::new(&[]) };
    assert!(matches!(Database::open(&place.url, &older, &refuse), Err(DatabaseError::Newer { .. })));
}

#[test]
fn servers_that_start_together_migrate_once() {
    let Some(place) = Place::postgres() else { return };
    std::thread::scope(|scope| {
        let opened: Vec<_> = (0..6).map(|_| scope.spawn(|| open(&place.url).map(drop))).collect();
        for each in opened {
            each.join().unwrap().unwrap();
        }
    });
}

/// On a server of its own: passwords and TLS are settings of the whole server.
#[test]
fn passwords_and_tls_are_checked_and_explained() {
    let Some(server) = PrivateServer::start("database-tls") else { return };
    let administrator = &mut PgConnection::establish(server.url()).unwrap();
    demand_a_password(administrator);
    let own = server.url().replace("postgres@127.0.0.1", "wm:right@localhost");
    let wrong = server.url().replace("postgres@127.0.0.1", "wm:hunter2@localhost");

    let message = refusal(&wrong);
    assert!(message.contains("password authentication failed") && message.contains("Check the user"), "{message}");
    assert!(!message.contains("hunter2"), "{message}");
    let message = refusal(&server.url().replace("postgres@127.0.0.1", "nobody@localhost"));
    assert!(message.contains("role \"nobody\" does not exist") && message.contains("createuser"), "{message}");
    let message = refusal(&format!("{own}?sslmode=require"));
    assert!(message.contains("server does not support SSL") && message.contains("sslmode=prefer"), "{message}");
    open(&own).unwrap();

    if !turn_tls_on(administrator) {
        println!("skipped TLS: the server program was built without it");
        return;
    }
    let certificate = |name: &str| format!("{}/tests/tls/{name}", env!("CARGO_MANIFEST_DIR"));
    let verified = |name: &str| format!("{own}?sslmode=verify-full&sslrootcert={}", certificate(name));
    let uses_tls = |url: &str| {
        let database = open(url).unwrap();
        database.read(|connection| -> Result<bool, DatabaseError> {
            use diesel::RunQueryDsl;
            let asked = "SELECT ssl AS yes FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
            Ok(diesel::sql_query(asked).get_result::<Answer>(connection)?.yes)
        })
    };
    assert!(uses_tls(&format!("{own}?sslmode=require")).unwrap());
    assert!(uses_tls(&verified("server.crt")).unwrap());
    assert!(!uses_tls(&format!("{own}?sslmode=disable")).unwrap());
    for refused in [
        verified("other.crt"),
        verified("missing.crt"),
        verified("server.crt").replace("localhost", "127.0.0.1"),
        format!("{own}?sslrootcert=system"),
    ] {
        let message = refusal(&refused);
        assert!(message.contains("ertificate") && message.contains("sslrootcert=FILE"), "{message}");
    }
}

fn demand_a_password(administrator: &mut PgConnection) {
    administrator
        .batch_execute(
            "CREATE ROLE wm LOGIN SUPERUSER PASSWORD 'right';
             COPY (SELECT 'host all postgres all trust') TO PROGRAM 'cat > pg_hba.conf';
             COPY (SELECT 'host all nobody all trust') TO PROGRAM 'cat >> pg_hba.conf';
             COPY (SELECT 'host all all all scram-sha-256') TO PROGRAM 'cat >> pg_hba.conf';
             SELECT pg_reload_conf();",
        )
        .unwrap();
}

fn turn_tls_on(administrator: &mut PgConnection) -> bool {
    let write = |name: &str, content: &str| {
        format!("COPY (SELECT unnest(string_to_array('{content}', E'\\n'))) TO PROGRAM 'umask 077; cat > {name}';")
    };
    let files = write("server.crt", include_str!("../tls/server.crt"))
        + &write("server.key", include_str!("../tls/server.key"));
    administrator.batch_execute(&files).unwrap();
    // A setting each statement: ALTER SYSTEM takes no transaction.
    administrator.batch_execute("ALTER SYSTEM SET ssl = on").is_ok()
        && administrator.batch_execute("SELECT pg_reload_conf()").is_ok()
}

#[derive(diesel::QueryableByName)]
struct Answer {
    #[diesel(sql_type = diesel::sql_types::Bool)]
    yes: bool,
}
