//! Continuation tokens of lists that the registry pages by a number: opaque, and bound to what is listed.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use service::Refusal;
use worker_types::{Problem, RevisionNumber, WorkerTypeId};

/// The token that goes on below `before`.
pub(crate) fn encode(id: &WorkerTypeId, before: RevisionNumber) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{id}:{before}"))
}

/// Where a token goes on.
///
/// # Errors
/// It is not one of this worker type's history.
pub(crate) fn decode(token: &str, id: &WorkerTypeId) -> Result<RevisionNumber, Refusal> {
    let text = BASE64_URL_SAFE_NO_PAD.decode(token).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let before = text.as_deref().and_then(|text| text.rsplit_once(':')).filter(|(of, _)| *of == id.as_str());
    before.and_then(|(_, before)| before.parse().ok()).ok_or_else(|| {
        Refusal::new(Problem::InvalidContinuation, "the continuation token does not belong to this query")
    })
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};
    use worker_types::RevisionNumber;

    #[test]
    fn a_token_belongs_to_its_worker_type() {
        let (one, other) = ("p/w".parse().unwrap(), "p/v".parse().unwrap());
        let token = encode(&one, RevisionNumber(7));
        assert_eq!(decode(&token, &one).unwrap(), RevisionNumber(7));
        for bad in [token.as_str(), "", "???", "cC93"] {
            assert!(decode(bad, &other).is_err(), "{bad}");
        }
    }
}
