//! Whether a registry's history is whole: each revision has its event, each event its audit row, and nothing else is there.

use diesel::sql_types::{BigInt, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};
use std::collections::BTreeSet;

/// A row of two numbers and a name, whatever they are.
#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    subject: String,
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// What was written, read straight from the tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// `(worker type, revision)`.
    pub revisions: Vec<(String, i64)>,
    /// `(worker type, revision that became live)`, in the order of their sequence.
    pub published: Vec<(String, i64)>,
    /// `(subject, sequence)` of each event.
    pub events: Vec<(String, i64)>,
    /// `(subject, sequence)` of each audit row.
    pub audit: Vec<(String, i64)>,
}

const REVISIONS: &str = "SELECT worker_type_id AS subject, number FROM revisions ORDER BY worker_type_id, number";
const PUBLISHED: &str = "SELECT worker_type_id AS subject, revision AS number FROM events \
     WHERE kind IN ('worker-type-published', 'worker-type-rolled-back', 'rollout-started') ORDER BY sequence";
const EVENTS: &str =
    "SELECT COALESCE(worker_type_id, release_id) AS subject, sequence AS number FROM events ORDER BY sequence";
const AUDIT: &str = "SELECT subject, sequence AS number FROM audit ORDER BY sequence";

impl History {
    /// Reads it from the database with this URL.
    ///
    /// # Panics
    /// It cannot be read.
    pub fn read(url: &str) -> Self {
        let query = |sql: &str| -> Vec<(String, i64)> {
            let rows: Vec<Row> = match url.strip_prefix("sqlite://") {
                Some(file) => {
                    let mut connection =
                        SqliteConnection::establish(file).unwrap_or_else(|error| panic!("{file}: {error}"));
                    diesel::sql_query(sql).load(&mut connection).unwrap_or_else(|error| panic!("{sql}: {error}"))
                }
                None => {
                    let mut connection = PgConnection::establish(url).unwrap_or_else(|error| panic!("{url}: {error}"));
                    diesel::sql_query(sql).load(&mut connection).unwrap_or_else(|error| panic!("{sql}: {error}"))
                }
            };
            rows.into_iter().map(|row| (row.subject, row.number)).collect()
        };
        Self { revisions: query(REVISIONS), published: query(PUBLISHED), events: query(EVENTS), audit: query(AUDIT) }
    }

    /// Everything that does not match one to one.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let published: BTreeSet<_> = self.published.iter().cloned().collect();
        let revisions: BTreeSet<_> = self.revisions.iter().cloned().collect();
        if published.len() != self.published.len() {
            faults.push("a revision was published twice".to_owned());
        }
        faults.extend(
            revisions.difference(&published).map(|(id, number)| format!("revision {number} of {id} has no event")),
        );
        faults.extend(
            published
                .difference(&revisions)
                .map(|(id, number)| format!("an event names revision {number} of {id}, which is not there")),
        );
        if self.events != self.audit {
            faults.push(format!("{} events and {} audit rows do not match", self.events.len(), self.audit.len()));
        }
        let dense = self.events.iter().zip(1..).all(|((_, sequence), expected)| *sequence == expected);
        if !dense {
            faults.push("the sequence of events has a gap".to_owned());
        }
        for id in revisions.iter().map(|(id, _)| id).collect::<BTreeSet<_>>() {
            let numbers = self.revisions.iter().filter(|(of, _)| of == id).map(|(_, number)| *number);
            let in_order = self.published.iter().filter(|(of, _)| of == id).map(|(_, number)| *number);
            if !numbers.eq(in_order) {
                faults.push(format!("the events of {id} are not in the order of its revisions"));
            }
        }
        faults
    }
}
