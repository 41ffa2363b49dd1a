//! Sorts diesel's errors by what the caller can do about them.

use crate::DatabaseError;
use diesel::result::{DatabaseErrorKind as Kind, Error};

/// What the databases say when they refuse for now, in lower case. SQLite's are fixed texts; PostgreSQL's follow its
/// `lc_messages`, which is why the error kinds are asked first.
const FOR_NOW: &[&str] = &[
    "database is locked",
    "database table is locked",
    "database or disk is full",
    "disk i/o error",
    "unable to open database file",
    "readonly database",
    "lock timeout",
    "statement timeout",
    "no space left on device",
    "terminating connection",
    "the database system is",
    "too many connections",
    "remaining connection slots",
    "read-only transaction",
    "server closed the connection",
    "could not receive data",
    "could not send data",
    "ssl syscall error",
    "no connection to the server",
];

impl From<Error> for DatabaseError {
    fn from(error: Error) -> Self {
        match error {
            Error::DatabaseError(kind, information) => {
                let message = one_line(information.message());
                let constraint = information.constraint_name().map(str::to_owned);
                match kind {
                    Kind::ClosedConnection | Kind::UnableToSendCommand | Kind::ReadOnlyTransaction => {
                        Self::Unavailable { message }
                    }
                    Kind::SerializationFailure => Self::Contended { message },
                    Kind::UniqueViolation
                    | Kind::ForeignKeyViolation
                    | Kind::NotNullViolation
                    | Kind::CheckViolation
                    | Kind::RestrictViolation
                    | Kind::ExclusionViolation => Self::Conflict { constraint, message },
                    _ if message.contains("deadlock detected") => Self::Contended { message },
                    _ if says_for_now(&message) => Self::Unavailable { message },
                    _ => Self::Query(Error::DatabaseError(kind, information)),
                }
            }
            // The transaction manager gave the connection up.
            Error::BrokenTransactionManager => Self::Unavailable { message: "the connection was lost".to_owned() },
            other => Self::Query(other),
        }
    }
}

fn says_for_now(message: &str) -> bool {
    let message = message.to_lowercase();
    FOR_NOW.iter().any(|words| message.contains(words))
}

/// What a failed `COMMIT` means. Answers of the database itself say that nothing was written; silence says nothing.
pub(crate) fn of_commit(error: Error) -> DatabaseError {
    let error = match error {
        Error::RollbackErrorOnCommit { commit_error, .. } => *commit_error,
        other => other,
    };
    let silence = matches!(
        &error,
        Error::DatabaseError(Kind::ClosedConnection | Kind::UnableToSendCommand, _) | Error::BrokenTransactionManager
    );
    let classified = DatabaseError::from(error);
    match classified {
        DatabaseError::Unavailable { message } if silence || message.contains("disk I/O error") => {
            DatabaseError::OutcomeUnknown { message }
        }
        other => other,
    }
}

/// The driver's words without line breaks: libpq writes a line for each address that it tried.
pub(crate) fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::of_commit;
    use crate::DatabaseError;
    use diesel::result::{DatabaseErrorKind as Kind, Error};

    fn error(kind: Kind, message: &str) -> Error {
        Error::DatabaseError(kind, Box::new(message.to_owned()))
    }

    #[test]
    fn a_refusal_for_now_is_unavailable() {
        for message in ["database is locked", "canceling statement due to lock timeout", "database or disk is full"] {
            let found = DatabaseError::from(error(Kind::Unknown, message));
            assert!(matches!(found, DatabaseError::Unavailable { .. }) && found.is_transient(), "{message}");
        }
    }

    #[test]
    fn a_lost_connection_is_unknown_only_during_a_commit() {
        let lost = || error(Kind::ClosedConnection, "server closed the connection\nunexpectedly");
        assert!(matches!(DatabaseError::from(lost()), DatabaseError::Unavailable { .. }));
        assert!(matches!(of_commit(lost()), DatabaseError::OutcomeUnknown { message } if !message.contains('\n')));
        let answered = of_commit(error(Kind::Unknown, "database or disk is full"));
        assert!(matches!(answered, DatabaseError::Unavailable { .. }));
    }

    #[test]
    fn a_deadlock_may_be_tried_again_and_a_taken_key_may_not() {
        assert!(matches!(
            DatabaseError::from(error(Kind::Unknown, "deadlock detected")),
            DatabaseError::Contended { .. }
        ));
        assert!(!DatabaseError::from(error(Kind::UniqueViolation, "duplicate key")).is_transient());
    }
}
