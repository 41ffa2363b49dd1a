//! Places in the change feed, opaque to those who hold them: the feed's epoch and a sequence number.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A place in the feed: after the event with this sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Of the database whose feed it is.
    pub epoch: String,
    /// 0 is the place before the first event.
    pub sequence: u64,
}

/// A text that no feed gave out.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the cursor is not one that a list or an event carries")]
pub struct InvalidCursor;

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64_URL_SAFE_NO_PAD.encode(format!("{}:{}", self.epoch, self.sequence)))
    }
}

impl FromStr for Cursor {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| InvalidCursor)?;
        let plain = String::from_utf8(bytes).map_err(|_| InvalidCursor)?;
        let (epoch, sequence) = plain.rsplit_once(':').ok_or(InvalidCursor)?;
        Ok(Self { epoch: epoch.to_owned(), sequence: sequence.parse().map_err(|_| InvalidCursor)? })
    }
}

#[cfg(test)]
mod tests {
    use super::Cursor;

    #[test]
    fn a_cursor_survives_its_text_and_nothing_else_is_taken() {
        let cursor = Cursor { epoch: "e-1".to_owned(), sequence: 42 };
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
        for bad in ["", "42", "ZTox!", "ZTotMQ"] {
            assert!(bad.parse::<Cursor>().is_err(), "{bad}");
        }
    }
}
