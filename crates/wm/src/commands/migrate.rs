//! `wm migrate`: the tables of a service's database, brought up to date or looked at.

use crate::cli::{MigrateArgs, Service};
use crate::{Exit, Failure, Terminal};
use database::{Database, DatabaseError, Migrations, Options};
use serde_json::json;

pub fn run(args: &MigrateArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let migrations = match args.service {
        Service::WorkerManager => &store::MIGRATIONS,
        Service::Queue => &queue::MIGRATIONS,
    };
    let pending = database::pending(&args.database_url, migrations).map_err(fail)?;
    if !args.check && !pending.is_empty() {
        apply(&args.database_url, migrations).map_err(fail)?;
    }
    if terminal.is_json() {
        terminal.json(&json!({"pending": pending, "applied": !args.check}))?;
    } else if pending.is_empty() {
        terminal.line("The database is up to date.")?;
    } else {
        let word = if args.check { "pending" } else { "applied" };
        for name in &pending {
            terminal.line(format!("{word}: {name}"))?;
        }
    }
    Ok(if args.check && !pending.is_empty() { Exit::Negative } else { Exit::Success })
}

fn apply(url: &str, migrations: &Migrations) -> Result<(), DatabaseError> {
    Database::open(url, migrations, &Options::default()).map(drop)
}

#[expect(clippy::needless_pass_by_value, reason = "map_err gives it away")]
fn fail(error: DatabaseError) -> Failure {
    let words = format!("--database-url (WM_DATABASE_URL): {error}");
    if matches!(error, DatabaseError::Url(_)) { Failure::Usage(words) } else { Failure::Start(words) }
}
