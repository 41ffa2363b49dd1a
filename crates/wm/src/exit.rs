//! What a command says by its exit status. Scripts rely on it: a number never changes its meaning.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done; valid; the same; nothing pending.
    Success,
    /// No: invalid, refused, not there, pending.
    Negative,
    /// The command was not understood, or a file or a setting cannot be used.
    Usage,
    /// `wm diff`: not the same.
    Different,
    /// Nothing was decided: unchecked.
    Unknown,
    /// `wm apply`: somebody else changed it first.
    LostRace,
    /// No answer: what the command needs is away, or does not let it in.
    Unavailable,
}

impl Exit {
    /// The status, and what it means.
    pub const MEANINGS: [(u8, &'static str); 6] = [
        (0, "done: valid, the same, published, nothing pending"),
        (1, "no: invalid, refused by the server, not there, migrations pending"),
        (2, "wrong usage, or a file or a setting that cannot be used; `wm diff`: different"),
        (3, "nothing was decided: unchecked"),
        (4, "`wm apply`: somebody else changed a worker type first"),
        (5, "no answer: the server or the database cannot be reached, failed, or does not let the caller in"),
    ];

    /// The exit status.
    pub fn status(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Negative => 1,
            Self::Usage | Self::Different => 2,
            Self::Unknown => 3,
            Self::LostRace => 4,
            Self::Unavailable => 5,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}
