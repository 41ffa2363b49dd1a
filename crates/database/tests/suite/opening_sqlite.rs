//! What opening a SQLite database refuses, in which words, and what it leaves behind.

use crate::counters::{MIGRATIONS, Place, open, refusal, set};
use database::{Database, DatabaseError, EmbeddedMigrations, Migrations, Options, PendingMigrations, pending};
use diesel::connection::SimpleConnection;
use std::fs;

fn url(path: &std::path::Path) -> String {
    format!("sqlite://{}", path.display())
}

#[test]
fn a_second_server_is_refused_in_words_until_the_first_has_gone() {
    let place = Place::sqlite();
    let first = place.open();
    let error = open(&place.url).err().unwrap();
    assert!(matches!(error, DatabaseError::InUse { .. }));
    let message = error.to_string();
    assert!(message.contains("test.sqlite is in use by another server"), "{message}");
    assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
    assert!(message.contains("PostgreSQL"), "{message}");
    drop(first);
    place.open();
}

#[cfg(unix)]
#[test]
fn another_name_for_the_same_file_does_not_get_around_the_lock() {
    let folder = tempfile::tempdir().unwrap();
    let _first = open(&url(&folder.path().join("real.sqlite"))).unwrap();
    std::os::unix::fs::symlink(folder.path().join("real.sqlite"), folder.path().join("link.sqlite")).unwrap();
    assert!(refusal(&url(&folder.path().join("link.sqlite"))).contains("is in use by another server"));
}

#[test]
fn a_missing_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let message = refusal(&url(&folder.path().join("missing/x.sqlite")));
    assert!(message.contains("No such file or directory"), "{message}");
    assert!(message.contains(&format!("The folder {}/missing does not exist", folder.path().display())), "{message}");
}

#[test]
fn a_folder_or_another_file_in_its_place_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let message = refusal(&url(folder.path()));
    assert!(message.contains("Is a directory") && message.contains("/data.sqlite"), "{message}");
    let text = folder.path().join("text");
    fs::write(&text, "hello, ".repeat(1000)).unwrap();
    assert!(refusal(&url(&text)).contains("file is not a database"));
    assert_eq!(fs::read_to_string(&text).unwrap(), "hello, ".repeat(1000));
}

#[cfg(unix)]
#[test]
fn a_lack_of_rights_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o500)).unwrap();
    if fs::write(folder.path().join("probe"), "").is_ok() {
        println!("skipped: this account may write everywhere");
        return;
    }
    let message = refusal(&url(&folder.path().join("x.sqlite")));
    assert!(message.contains("Permission denied") && message.contains("The server's user needs to"), "{message}");
}

#[test]
fn names_that_look_like_something_else_are_only_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["file:x", "a b%20c#d", "ü.sqlite"] {
        open(&url(&folder.path().join(name))).unwrap().write(|connection| set(connection, "a", 1)).unwrap();
        assert!(folder.path().join(name).metadata().unwrap().len() > 0, "{name}");
    }
}

#[test]
fn commits_reach_the_disk_before_they_are_acknowledged() {
    use diesel::RunQueryDsl;
    let place = Place::sqlite();
    let database = place.open();
    let settings = database.write(|connection| -> Result<_, DatabaseError> {
        Ok((
            diesel::sql_query("PRAGMA journal_mode").get_result::<Journal>(connection)?.journal_mode,
            diesel::sql_query("PRAGMA synchronous").get_result::<Synchronous>(connection)?.synchronous,
            diesel::sql_query("PRAGMA foreign_keys").get_result::<ForeignKeys>(connection)?.foreign_keys,
        ))
    });
    // https://www.sqlite.org/pragma.html#pragma_synchronous: FULL is 2.
    assert_eq!(settings.unwrap(), ("wal".to_owned(), 2, 1));
}

#[derive(diesel::QueryableByName)]
struct Journal {
    #[diesel(sql_type = diesel::sql_types::Text)]
    journal_mode: String,
}

#[derive(diesel::QueryableByName)]
struct Synchronous {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    synchronous: i64,
}

#[derive(diesel::QueryableByName)]
struct ForeignKeys {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    foreign_keys: i64,
}

#[test]
fn pending_migrations_are_named_without_being_applied() {
    let place = Place::sqlite();
    assert_eq!(pending(&place.url, &MIGRATIONS).unwrap(), ["0001_counters"]);
    let refuse = Options { pending_migrations: PendingMigrations::Refuse, ..Options::default() };
    let message = Database::open(&place.url, &MIGRATIONS, &refuse).err().unwrap().to_string();
    assert!(message.contains("0001_counters"), "{message}");
    assert_eq!(pending(&place.url, &MIGRATIONS).unwrap(), ["0001_counters"]);
    let open = place.open();
    // Also while a server has it open.
    assert!(pending(&place.url, &MIGRATIONS).unwrap().is_empty());
    drop(open);
    Database::open(&place.url, &MIGRATIONS, &refuse).unwrap();
}

#[test]
fn a_database_ahead_of_this_program_is_refused() {
    let place = Place::sqlite();
    drop(place.open());
    let older = Migrations { sqlite: EmbeddedMigrations::new(&[]), postgres: EmbeddedMigrations::new(&[]) };
    let error = Database::open(&place.url, &older, &Options::default()).err().unwrap();
    assert!(matches!(&error, DatabaseError::Newer { migrations, .. } if migrations == &["0001"]));
    assert!(error.to_string().contains("a newer version has used it"), "{error}");
    assert!(matches!(pending(&place.url, &older), Err(DatabaseError::Newer { .. })));
}

#[test]
fn migrations_that_fail_leave_nothing() {
    let place = Place::sqlite();
    let empty = Migrations { sqlite: EmbeddedMigrations::new(&[]), postgres: EmbeddedMigrations::new(&[]) };
    let database = Database::open(&place.url, &empty, &Options::default()).unwrap();
    database
        .write(|connection| -> Result<(), DatabaseError> { Ok(connection.batch_execute("CREATE TABLE counters (x)")?) })
        .unwrap();
    drop(database);
    let message = refusal(&place.url);
    assert!(message.contains("table counters already exists") && message.contains("nothing was changed"), "{message}");
    assert_eq!(pending(&place.url, &MIGRATIONS).unwrap(), ["0001_counters"]);
}
