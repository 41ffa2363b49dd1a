//! Why a command could not do its work, in words, and which exit status that is.

use crate::Exit;
use crate::documents::{DocumentError, ReadError};
use std::io;
use thiserror::Error;
use worker_manager_client::{ClientError, SetupError};

/// A command that ended before its result.
#[derive(Debug, Error)]
pub enum Failure {
    /// Arguments or settings that do not go together.
    #[error("{0}")]
    Usage(String),
    /// Files with faults.
    #[error("{}", lines(.0))]
    Documents(Vec<DocumentError>),
    /// A file that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file that cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// Which.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The root URL or the token.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The server refused, failed, or is away.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The server said no, in more words than its problem has.
    #[error("{0}")]
    Refused(String),
    /// A role cannot start here and now.
    #[error("{0}")]
    Start(String),
    /// Standard output is closed, or full.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// How a command ends with it.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) | Self::Documents(_) | Self::Read(_) | Self::Write { .. } | Self::Setup(_) => Exit::Usage,
            Self::Refused(_) => Exit::Negative,
            Self::Client(error) => of_client(error),
            Self::Start(_) | Self::Output(_) => Exit::Unavailable,
        }
    }

    /// Whether the reader of the output has gone, as `head` does.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// A refusal of what was asked is an answer; being turned away or hearing nothing is none.
fn of_client(error: &ClientError) -> Exit {
    match error {
        ClientError::Problem(answer) if matches!(answer.status, 401 | 403 | 429 | 500..) => Exit::Unavailable,
        ClientError::Problem(answer) if answer.status == 412 => Exit::LostRace,
        ClientError::Problem(_) => Exit::Negative,
        _ => Exit::Unavailable,
    }
}

fn lines(faults: &[DocumentError]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
