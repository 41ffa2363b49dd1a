//! Continuation tokens: opaque, and good for the query that they come from only.

use crate::error::QueueError;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use worker_types::content_hash;

/// A place in a list.
#[derive(Serialize, Deserialize)]
struct Token<T> {
    /// Of the query.
    q: String,
    /// Where the next page begins.
    p: T,
}

/// Writes the token of a place in the list that `query` asks for.
pub(crate) fn write(query: &impl Serialize, place: &impl Serialize) -> Result<String, QueueError> {
    let token = serde_json::to_vec(&Token { q: mark(query)?, p: place });
    Ok(BASE64_URL_SAFE_NO_PAD.encode(token.map_err(|error| unwritable(&error))?))
}

/// Reads a token that was written for `query`.
///
/// # Errors
/// It is none, or one of another query.
pub(crate) fn read<T: DeserializeOwned>(query: &impl Serialize, text: &str) -> Result<T, QueueError> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| QueueError::InvalidContinuation)?;
    let token: Token<T> = serde_json::from_slice(&bytes).map_err(|_| QueueError::InvalidContinuation)?;
    if token.q == mark(query)? { Ok(token.p) } else { Err(QueueError::InvalidContinuation) }
}

fn mark(query: &impl Serialize) -> Result<String, QueueError> {
    let value = serde_json::to_value(query).map_err(|error| unwritable(&error))?;
    Ok(content_hash(&value).as_str().chars().skip("sha256:".len()).take(16).collect())
}

fn unwritable(error: &serde_json::Error) -> QueueError {
    QueueError::Corrupt { what: "a continuation token".to_owned(), message: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::{read, write};

    #[test]
    fn a_token_is_good_for_its_own_query_only() {
        let token = write(&("p/w", "invalid"), &7).unwrap();
        assert_eq!(read::<u32>(&("p/w", "invalid"), &token).unwrap(), 7);
        assert!(read::<u32>(&("p/w", "valid"), &token).is_err());
        for bad in ["", "x", "!!", &token[1..], "eyJxIjoiIn0"] {
            assert!(read::<u32>(&("p/w", "invalid"), bad).is_err(), "{bad}");
        }
    }
}
