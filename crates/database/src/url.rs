//! Database URLs: which backend one means, and how it is shown without its password.

use crate::DatabaseError;
use std::path::{Path, PathBuf};
use std::{fmt, str::FromStr};

const SCHEMES: &str = "write sqlite://FILE (as in sqlite://data/registry.sqlite, or sqlite:///var/lib/…), sqlite::memory:, \
     or postgres://USER:PASSWORD@HOST/DATABASE";

/// A URL that names a database. Its `Display` and `Debug` hide passwords.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl {
    target: Target,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A SQLite file.
    File(PathBuf),
    /// A SQLite database that ends with its connection.
    Memory,
    /// The URL for libpq, passwords and all.
    Postgresql(String),
}

impl DatabaseUrl {
    pub(crate) fn target(&self) -> &Target {
        &self.target
    }
}

impl FromStr for DatabaseUrl {
    type Err = DatabaseError;

    fn from_str(text: &str) -> Result<Self, DatabaseError> {
        let target = if text.contains('\0') {
            return Err(DatabaseError::Url("the database URL contains the character U+0000".to_owned()));
        } else if matches!(text, "sqlite::memory:" | "sqlite://:memory:") {
            Target::Memory
        } else if let Some(file) = text.strip_prefix("sqlite://") {
            Target::File(sqlite_file(file)?)
        } else if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Target::Postgresql(postgres_url(text)?)
        } else {
            return Err(unknown(text));
        };
        Ok(Self { target })
    }
}

fn unknown(text: &str) -> DatabaseError {
    // Only a scheme is repeated: the rest may hold a password.
    DatabaseError::Url(match text.split_once(':') {
        _ if text.is_empty() => format!("the database URL is empty: {SCHEMES}"),
        Some((scheme, _)) if scheme.len() <= 20 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            format!("no database is reached by {scheme}: URLs: {SCHEMES}")
        }
        _ => format!("the database URL does not start with a scheme: {SCHEMES}"),
    })
}

fn sqlite_file(file: &str) -> Result<PathBuf, DatabaseError> {
    if file.is_empty() || file.ends_with('/') {
        return Err(DatabaseError::Url(format!("sqlite://{file} names no file: {SCHEMES}")));
    }
    if file.contains('?') {
        return Err(DatabaseError::Url(format!(
            "sqlite://{file}: SQLite URLs take no parameters after a question mark"
        )));
    }
    Ok(PathBuf::from(file))
}

fn postgres_url(text: &str) -> Result<String, DatabaseError> {
    let rest = text.split_once("://").map_or("", |(_, rest)| rest);
    let (before_query, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = before_query.split('/').next().unwrap_or_default();
    let signs = |part: &str| part.matches('@').count();
    // libpq would take a part of the password for a port or a parameter, and print it.
    if signs(authority) > 1 || signs(before_query) != signs(authority) || (signs(authority) == 0 && signs(query) > 0) {
        return Err(DatabaseError::Url(
            "the user or the password in the PostgreSQL URL holds a character that has to be percent-encoded: \
             write @ as %40, / as %2F, ? as %3F, # as %23, % as %25"
                .to_owned(),
        ));
    }
    Ok(text.to_owned())
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.target {
            Target::File(path) => write!(f, "sqlite://{}", Path::display(path)),
            Target::Memory => f.write_str("sqlite::memory:"),
            Target::Postgresql(url) => f.write_str(&without_passwords(url)),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn without_passwords(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or((url, ""));
    let (before_query, query) = rest.split_once('?').unwrap_or((rest, ""));
    let shown = match before_query.split_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
        None => before_query.to_owned(),
    };
    let kept: Vec<_> = query.split('&').filter(|part| !part.is_empty() && !names_a_secret(part)).collect();
    let mark = if kept.is_empty() { "" } else { "?" };
    format!("{scheme}://{shown}{mark}{}", kept.join("&"))
}

/// The passwords that a PostgreSQL URL holds, as they are spelled in it.
pub(crate) fn secrets(url: &str) -> impl Iterator<Item = &str> {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let (before_query, query) = rest.split_once('?').unwrap_or((rest, ""));
    let user = before_query.split_once('@').map_or("", |(user, _)| user);
    let password = user.split_once(':').map(|(_, password)| password);
    let parameters = query.split('&').filter(|part| names_a_secret(part)).flat_map(|part| {
        let value = part.split_once('=').map(|(_, value)| value);
        [Some(part), value].into_iter().flatten()
    });
    password.into_iter().chain(parameters).filter(|secret| !secret.is_empty())
}

fn names_a_secret(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default().to_ascii_lowercase();
    name.contains("password") || name.contains("secret") || name.contains('%')
}

#[cfg(test)]
mod tests {
    use super::{DatabaseUrl, Target};
    use std::path::PathBuf;

    fn parse(text: &str) -> DatabaseUrl {
        text.parse().unwrap()
    }

    fn refusal(text: &str) -> String {
        text.parse::<DatabaseUrl>().unwrap_err().to_string()
    }

    #[test]
    fn the_scheme_chooses_the_backend() {
        assert!(*parse("sqlite://data/x y.sqlite").target() == Target::File(PathBuf::from("data/x y.sqlite")));
        assert!(*parse("sqlite:///var/x%20y").target() == Target::File(PathBuf::from("/var/x%20y")));
        assert!(*parse("sqlite::memory:").target() == Target::Memory);
        for url in ["postgres://h/d", "postgresql:///d?host=/run/postgresql", "postgres://h1:1,h2:2/d"] {
            assert!(*parse(url).target() == Target::Postgresql(url.to_owned()));
        }
    }

    #[test]
    fn other_urls_are_told_which_there_are() {
        for url in ["", "mysql://u:hunter2@h/d", "/var/lib/x.sqlite", "u:hunter2@h", "sqlite://", "sqlite:///var/"] {
            let message = refusal(url);
            assert!(message.contains("sqlite://FILE") && message.contains("postgres://"), "{message}");
            assert!(!message.contains("hunter2"), "{message}");
        }
        assert!(refusal("mysql://h").contains("mysql:"));
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = |url| parse(url).to_string();
        assert_eq!(shown("postgres://wm:hunter2@h:5432/d?sslmode=require"), "postgres://wm@h:5432/d?sslmode=require");
        assert_eq!(shown("postgres://h/d?user=wm&password=hunter2"), "postgres://h/d?user=wm");
        assert_eq!(shown("postgres://h/d?sslpassword=hunter2"), "postgres://h/d");
        assert_eq!(format!("{:?}", parse("postgres://wm:hunter2@h/d")), "postgres://wm@h/d");
    }

    #[test]
    fn a_password_that_libpq_would_misread_is_refused_unseen() {
        for url in ["postgres://wm:hunter/2@h/d", "postgres://wm:hun@ter2@h/d", "postgres://wm:hunter?2@h/d"] {
            let message = refusal(url);
            assert!(message.contains("%2F") && !message.contains("hun"), "{message}");
        }
        parse("postgres://h/d?user=a%40b");
    }
}
