//! Static tokens: kept as hashes, compared in constant time.

use crate::Refusal;
use actix_web::dev::RequestHead;
use actix_web::http::header;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;
use subtle::ConstantTimeEq;
use thiserror::Error;
use worker_types::{Caller, Problem};

/// One token that the server knows.
#[derive(Clone, Debug)]
pub struct Token {
    name: String,
    digest: [u8; 32],
    scopes: Vec<String>,
}

/// Why a token cannot be configured.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TokenError {
    /// Not a SHA-256.
    #[error("the sha256 of the token {name:?} must be 64 hex digits")]
    Digest {
        /// Whose.
        name: String,
    },
    /// A name that the audit trail cannot show.
    #[error("a token's name must have 1 to 100 printable characters")]
    Name,
}

impl Token {
    /// A token by its name, the SHA-256 of its text as hex digits, and what its bearer may do.
    ///
    /// # Errors
    /// A digest that is none, a name that is empty or cannot be printed.
    pub fn new(name: impl Into<String>, sha256: &str, scopes: Vec<String>) -> Result<Self, TokenError> {
        let name = name.into();
        if !(1..=100).contains(&name.chars().count()) || name.chars().any(char::is_control) {
            return Err(TokenError::Name);
        }
        let mut digest = [0; 32];
        if hex::decode_to_slice(sha256, &mut digest).is_err() {
            return Err(TokenError::Digest { name });
        }
        Ok(Self { name, digest, scopes })
    }
}

/// The SHA-256 of a token's text, as hex digits: what a configuration holds.
pub fn token_digest(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}

/// Every token, and the caller who has none.
#[derive(Debug)]
pub struct Tokens {
    known: Vec<([u8; 32], Caller)>,
    anonymous: Caller,
}

impl Tokens {
    pub(super) fn new(tokens: Vec<Token>, anonymous_scopes: Vec<String>) -> Self {
        // A token adds to what everybody may do; it never takes away.
        let caller = |token: Token| {
            let scopes = token.scopes.into_iter().chain(anonymous_scopes.iter().cloned());
            (token.digest, Caller::new(token.name, scopes))
        };
        let known = tokens.into_iter().map(caller).collect();
        Self { known, anonymous: Caller::new("anonymous", anonymous_scopes) }
    }

    pub(super) fn caller(&self, head: &RequestHead) -> Result<Caller, Refusal> {
        let Some(given) = head.headers.get(header::AUTHORIZATION) else { return Ok(self.anonymous.clone()) };
        let token = bearer(given.as_bytes())
            .ok_or_else(|| unauthenticated("the header Authorization has another form than \"Bearer <token>\""))?;
        let digest = Sha256::digest(token);
        // Every token is looked at, whichever fits: the time tells nothing.
        let mut found = None;
        for (known, caller) in &self.known {
            if bool::from(known.ct_eq(digest.as_slice())) {
                found = Some(caller);
            }
        }
        found.cloned().ok_or_else(|| unauthenticated("this server does not know the token that the request brings"))
    }
}

/// The token of `Bearer <token>`; the scheme in any case (RFC 9110 §11.1).
fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = value.split_at_checked(7)?;
    let token = token.trim_ascii();
    (scheme.eq_ignore_ascii_case(b"bearer ") && !token.is_empty()).then_some(token)
}

fn unauthenticated(detail: &str) -> Refusal {
    Refusal::new(Problem::Unauthenticated, detail).header(header::WWW_AUTHENTICATE, "Bearer")
}

/// The one caller of a server without configured access.
pub(super) fn local() -> Caller {
    static LOCAL: LazyLock<Caller> = LazyLock::new(|| Caller::unrestricted("local"));
    LOCAL.clone()
}

#[cfg(test)]
mod tests {
    use super::{Token, TokenError, Tokens, token_digest};
    use actix_web::test::TestRequest;
    use worker_types::Problem;

    fn caller(authorization: Option<&str>) -> Result<String, Problem> {
        let token = Token::new("ci", &token_digest("s3cret"), vec!["a:*".to_owned()]).unwrap();
        let tokens = Tokens::new(vec![token], vec!["read".to_owned()]);
        let request = TestRequest::default();
        let request =
            authorization.into_iter().fold(request, |request, value| request.insert_header(("authorization", value)));
        let found = tokens.caller(request.to_http_request().head());
        found.map(|caller| caller.name().to_owned()).map_err(|refusal| refusal.problem())
    }

    #[test]
    fn a_known_token_names_its_caller_and_none_is_anonymous() {
        assert_eq!(caller(Some("Bearer s3cret")), Ok("ci".to_owned()));
        assert_eq!(caller(Some("bearer  s3cret")), Ok("ci".to_owned()));
        assert_eq!(caller(None), Ok("anonymous".to_owned()));
    }

    #[test]
    fn anything_else_is_refused_and_never_taken_as_anonymous() {
        for value in ["Bearer other", "Bearer ", "Bearer", "Basic czNjcmV0", "s3cret", "", "Bearer s3cret x"] {
            assert_eq!(caller(Some(value)), Err(Problem::Unauthenticated), "{value:?}");
        }
    }

    #[test]
    fn a_token_that_cannot_be_configured_is_named() {
        assert_eq!(Token::new("ci", "abc", vec![]).unwrap_err(), TokenError::Digest { name: "ci".to_owned() });
        assert_eq!(Token::new("", &token_digest("x"), vec![]).unwrap_err(), TokenError::Name);
    }
}
