//! What ends a transaction of the store early, and what the registry is told of it.

use database::{DatabaseError, Failure as Ends};
use registry::StoreError;

/// Inside a transaction.
#[derive(Debug)]
pub(crate) enum Failure {
    Database(DatabaseError),
    Refused(StoreError),
}

impl Failure {
    /// A row that was written by something else, or by a newer version.
    pub fn corrupt(what: String, error: &dyn std::fmt::Display) -> Self {
        Self::Refused(StoreError::Corrupt { what, message: error.to_string() })
    }
}

impl Ends for Failure {
    fn database(&self) -> Option<&DatabaseError> {
        match self {
            Self::Database(error) => Some(error),
            Self::Refused(_) => None,
        }
    }
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}

impl From<diesel::result::Error> for Failure {
    fn from(error: diesel::result::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Refused(error)
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(error) => error,
            Failure::Database(error) => {
                let message = error.to_string();
                match error {
                    DatabaseError::OutcomeUnknown { message } => Self::OutcomeUnknown { message },
                    error if error.is_transient() => Self::Unavailable { message },
                    _ => Self::Failed { message },
                }
            }
        }
    }
}
