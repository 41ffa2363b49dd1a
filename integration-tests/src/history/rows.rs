//! The rows of a registry's tables, all read in one transaction that sees one moment.

use super::History;
use crate::state::State;
use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};

/// A row of `revisions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Whose.
    pub worker_type: String,
    /// From 1.
    pub number: u64,
}

/// What an event and its audit row both say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the feed.
    pub sequence: u64,
    /// What happened.
    pub kind: String,
    /// To which worker type or release.
    pub subject: String,
}

/// A row of `events`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What its audit row says too.
    pub entry: Entry,
    /// Of a worker type.
    pub generation: Option<u64>,
    /// Of a worker type.
    pub revision: Option<u64>,
}

/// A row of `audit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audited {
    /// What its event says too.
    pub entry: Entry,
    /// Who did it.
    pub caller: String,
}

/// A row of `worker_types`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Which.
    pub worker_type: String,
    /// As the row has it.
    pub state: State,
}

/// Any of these rows: names and numbers, whatever they mean.
#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    subject: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    caller: String,
    #[diesel(sql_type = BigInt)]
    number: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    second: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    third: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    fourth: Option<i64>,
}

const EPOCH: &str = "SELECT epoch AS subject, '' AS name, '' AS caller, newest AS number, CAST(NULL AS BIGINT) AS second, \
     CAST(NULL AS BIGINT) AS third, CAST(NULL AS BIGINT) AS fourth FROM feed";
const REVISIONS: &str = "SELECT worker_type_id AS subject, '' AS name, '' AS caller, number, CAST(NULL AS BIGINT) AS second, \
     CAST(NULL AS BIGINT) AS third, CAST(NULL AS BIGINT) AS fourth FROM revisions ORDER BY worker_type_id, number";
const EVENTS: &str = "SELECT COALESCE(worker_type_id, release_id) AS subject, kind AS name, '' AS caller, sequence AS number, \
     generation AS second, revision AS third, CAST(NULL AS BIGINT) AS fourth FROM events ORDER BY sequence";
const AUDIT: &str = "SELECT subject, kind AS name, caller, sequence AS number, CAST(NULL AS BIGINT) AS second, \
     CAST(NULL AS BIGINT) AS third, CAST(NULL AS BIGINT) AS fourth FROM audit ORDER BY sequence";
const STANDING: &str = "SELECT id AS subject, '' AS name, '' AS caller, generation AS number, last_revision AS second, \
     live_revision AS third, older_revision AS fourth FROM worker_types ORDER BY id";

pub(super) fn read(url: &str) -> History {
    let failed = |error: &dyn std::fmt::Display| -> ! { panic!("{url}: {error}") };
    match url.strip_prefix("sqlite://") {
        Some(file) => {
            let mut connection = SqliteConnection::establish(file).unwrap_or_else(|error| failed(&error));
            let begin = "PRAGMA busy_timeout=20000; BEGIN";
            connection.batch_execute(begin).unwrap_or_else(|error| failed(&error));
            all(|sql| sql_query(sql).load(&mut connection).unwrap_or_else(|error| failed(&format!("{sql}: {error}"))))
        }
        None => {
            let mut connection = PgConnection::establish(url).unwrap_or_else(|error| failed(&error));
            let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
            connection.batch_execute(begin).unwrap_or_else(|error| failed(&error));
            all(|sql| sql_query(sql).load(&mut connection).unwrap_or_else(|error| failed(&format!("{sql}: {error}"))))
        }
    }
}

fn all(mut query: impl FnMut(&str) -> Vec<Row>) -> History {
    History {
        epoch: query(EPOCH).into_iter().map(|row| row.subject).collect(),
        revisions: query(REVISIONS).into_iter().map(Row::revision).collect(),
        events: query(EVENTS).into_iter().map(Row::change).collect(),
        audit: query(AUDIT).into_iter().map(Row::audited).collect(),
        standing: query(STANDING).into_iter().map(Row::standing).collect(),
    }
}

impl Row {
    fn revision(self) -> Revision {
        Revision { worker_type: self.subject, number: unsigned(self.number) }
    }

    fn change(self) -> Change {
        let (generation, revision) = (self.second.map(unsigned), self.third.map(unsigned));
        Change { generation, revision, entry: self.entry().0 }
    }

    fn audited(self) -> Audited {
        let (entry, caller) = self.entry();
        Audited { entry, caller }
    }

    fn entry(self) -> (Entry, String) {
        (Entry { sequence: unsigned(self.number), kind: self.name, subject: self.subject }, self.caller)
    }

    fn standing(self) -> Standing {
        let state = State {
            generation: unsigned(self.number),
            last_revision: self.second.map(unsigned).unwrap_or_default(),
            live: self.third.map(unsigned),
            older: self.fourth.map(unsigned),
        };
        Standing { worker_type: self.subject, state }
    }
}

/// The tables' own checks keep these above zero.
fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_else(|_| panic!("{number} is below zero"))
}
