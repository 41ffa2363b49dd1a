//! `wm migrate`: the tables of a service's database, brought up to date or looked at.

use crate::cli::{MigrateArgs, Service};
use crate::{Exit, Failure, Terminal};
use database::{Database, DatabaseError, Migrations, Options};
use serde_json::json;
use store::SqlStore;

pub fn run(args: &MigrateArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    if args.restored && args.service != Service::WorkerManager {
        return Err(Failure::Usage("--restored: only worker-manager's database has a change feed".to_owned()));
    }
    let migrations = match args.service {
        Service::WorkerManager => &store::MIGRATIONS,
        Service::Queue => &queue::MIGRATIONS,
    };
    let pending = database::pending(&args.database_url, migrations).map_err(fail)?;
    if !args.check && !pending.is_empty() {
        apply(&args.database_url, migrations).map_err(fail)?;
    }
    if args.restored {
        start_feed_anew(args)?;
    }
    if terminal.is_json() {
        terminal.json(&json!({"pending": pending, "applied": !args.check, "feedStartedAnew": args.restored}))?;
    } else if pending.is_empty() {
        terminal.line("The database is up to date.")?;
    } else {
        let word = if args.check { "pending" } else { "applied" };
        for name in &pending {
            terminal.line(format!("{word}: {name}"))?;
        }
    }
    if args.restored && !terminal.is_json() {
        terminal.line("The change feed starts anew: cursors from before are refused with 410.")?;
    }
    Ok(if args.check && !pending.is_empty() { Exit::Negative } else { Exit::Success })
}

/// Cursors that were given out after the backup was made would lead to other changes.
fn start_feed_anew(args: &MigrateArgs) -> Result<(), Failure> {
    let store = SqlStore::open(&args.database_url, &Options::default()).map_err(fail)?;
    store.start_feed_anew().map_err(|error| Failure::Start(format!("--database-url (WM_DATABASE_URL): {error}")))
}

fn apply(url: &str, migrations: &Migrations) -> Result<(), DatabaseError> {
    Database::open(url, migrations, &Options::default()).map(drop)
}

#[expect(clippy::needless_pass_by_value, reason = "map_err gives it away")]
fn fail(error: DatabaseError) -> Failure {
    let words = format!("--database-url (WM_DATABASE_URL): {error}");
    if matches!(error, DatabaseError::Url(_)) { Failure::Usage(words) } else { Failure::Start(words) }
}
