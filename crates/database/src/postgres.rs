//! Connects to PostgreSQL: parameters that bound every wait, and libpq's own words with advice when it fails.

mod advice;
mod listener;
mod outage;
mod tls;

pub(crate) use listener::Listener;

use crate::error::advised;
use crate::{DatabaseError, DatabaseUrl, Options, classify, url};
use diesel::connection::SimpleConnection;
use diesel::sql_types::Text;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query};

/// How to reach one database.
#[derive(Clone)]
pub(crate) struct Server {
    /// For libpq: with passwords.
    url: String,
    /// For people.
    shown: String,
    settings: String,
}

impl Server {
    pub fn new(database: &DatabaseUrl, url: &str, options: &Options) -> Self {
        let settings = format!(
            "SET statement_timeout = {}; SET lock_timeout = {}; SET idle_in_transaction_session_timeout = 60000",
            options.statement_timeout.as_millis(),
            options.lock_timeout.as_millis(),
        );
        Self { url: with_defaults(&tls::with_system_roots(url), options), shown: database.to_string(), settings }
    }

    /// A connection as the pool hands it out. A failure is `Unavailable`.
    pub fn connect(&self) -> Result<PgConnection, DatabaseError> {
        self.establish().map_err(|message| DatabaseError::Unavailable { message })
    }

    /// The first connection: a failure says how to mend it, unless the server is only away.
    pub fn open(&self) -> Result<PgConnection, DatabaseError> {
        let mut connection = self.establish().map_err(|message| match advice::on(&message) {
            advice::Advice::Wait(advice) => DatabaseError::Unavailable {
                message: format!("cannot open {}: {}", self.shown, advised(&message, Some(*advice))),
            },
            advice::Advice::Mend(advice) => self.refused(message, *advice),
        })?;
        let encoding: ServerEncoding = sql_query("SELECT current_setting('server_encoding') AS encoding")
            .get_result(&mut connection)
            .map_err(DatabaseError::from)?;
        if encoding.encoding != "UTF8" {
            let message = format!("its encoding is {}, which cannot hold every text", encoding.encoding);
            return Err(self.refused(message, Some("Make one with `createdb --encoding=UTF8 --template=template0`")));
        }
        Ok(connection)
    }

    fn refused(&self, message: String, advice: Option<&str>) -> DatabaseError {
        DatabaseError::Open { database: self.shown.clone(), message, advice: advice.map(str::to_owned) }
    }

    fn establish(&self) -> Result<PgConnection, String> {
        let words = |message: String| self.scrub(&classify::one_line(&message));
        let mut connection = PgConnection::establish(&self.url).map_err(|error| words(error.to_string()))?;
        connection.batch_execute(&self.settings).map_err(|error| words(error.to_string()))?;
        Ok(connection)
    }
}

impl Server {
    /// libpq quotes the part of a URL that it cannot read, whatever it is.
    fn scrub(&self, message: &str) -> String {
        let message = message.replace(&self.url, &self.shown);
        url::secrets(&self.url).fold(message, |message, secret| message.replace(&format!("\"{secret}\""), "\"…\""))
    }
}

/// Adds what the URL leaves open: no wait for a server that has gone is without end.
fn with_defaults(url: &str, options: &Options) -> String {
    let mut url = url.to_owned();
    let connect_timeout = options.connect_timeout.as_secs().max(1).to_string();
    let application_name = options.application_name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "-");
    for (name, value) in [
        ("connect_timeout", connect_timeout.as_str()),
        ("application_name", &application_name),
        ("tcp_user_timeout", "15000"),
        ("keepalives_idle", "10"),
        ("keepalives_interval", "5"),
        ("keepalives_count", "3"),
    ] {
        if !has_parameter(&url, name) {
            url.push(if url.contains('?') { '&' } else { '?' });
            url.push_str(name);
            url.push('=');
            url.push_str(value);
        }
    }
    url
}

fn has_parameter(url: &str, name: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|part| part.split('=').next() == Some(name))
}

#[derive(QueryableByName)]
struct ServerEncoding {
    #[diesel(sql_type = Text)]
    encoding: String,
}

#[cfg(test)]
mod tests {
    use super::{Server, with_defaults};
    use crate::{DatabaseUrl, Options};

    #[test]
    fn no_message_of_libpq_lets_a_password_out() {
        for url in [
            "postgres://wm:hunter2%zz@h/d",
            "postgres://wm:hunter2@[::1/d",
            "postgres://wm:hunter2@[::1]x/d",
            "postgres://wm:hunter2@h:port/d",
            "postgres://wm:hunter2@h/d?nonsense",
            "postgres://wm:hunter2@h/d?nonsense=1",
            "postgres://h/d?password=hunter2%zz",
            "postgres://h/d?password=hunter2=x",
        ] {
            let database: DatabaseUrl = url.parse().unwrap();
            let message = Server::new(&database, url, &Options::default()).open().err().unwrap().to_string();
            assert!(!message.contains("hunter2"), "{message}");
            assert!(message.contains("Check the parameters of the URL"), "{message}");
        }
    }

    #[test]
    fn what_the_url_says_goes_before_our_defaults() {
        let url = with_defaults("postgres://h/d?connect_timeout=60", &Options::default());
        assert!(url.starts_with("postgres://h/d?connect_timeout=60&application_name=worker-manager&"), "{url}");
        assert_eq!(url.matches("connect_timeout").count(), 1);
        assert!(with_defaults("postgres://h/d", &Options::default()).starts_with("postgres://h/d?connect_timeout=5&"));
    }
}
