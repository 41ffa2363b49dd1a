//! Who may come in: a local server without configured access, or callers with static tokens.

mod host;
mod own_origin;
mod scope;
mod tokens;

pub use own_origin::OwnOrigin;
pub use scope::Authorised;
pub use tokens::{Token, TokenError, token_digest};

pub(crate) use scope::authorise;

use crate::Refusal;
use actix_web::dev::RequestHead;
use std::net::SocketAddr;
use std::sync::Arc;
use tokens::Tokens;
use worker_types::Caller;

/// How callers are told apart.
#[derive(Clone, Debug)]
pub enum AccessPolicy {
    /// Nothing is configured: whoever can reach the loopback interface may do everything. Requests whose `Host` or
    /// `Origin` is another's are refused, so that web pages of others cannot use the server through a browser.
    Local,
    /// Callers are known by their tokens; those without one have the anonymous scopes.
    Tokens(Arc<Tokens>),
}

impl AccessPolicy {
    /// Tokens, and what callers without one may do.
    pub fn tokens(tokens: Vec<Token>, anonymous_scopes: Vec<String>) -> Self {
        Self::Tokens(Arc::new(Tokens::new(tokens, anonymous_scopes)))
    }

    /// Whether nothing is configured.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Local)
    }

    /// Whether a server with this policy may listen at `address`.
    pub(crate) fn may_listen(&self, address: SocketAddr) -> bool {
        !self.is_local() || address.ip().is_loopback()
    }

    /// Whether a request may pass to whoever answers it in our place: through a local server only from this machine and
    /// its own pages.
    pub(crate) fn admit_forwarded(&self, head: &RequestHead) -> Result<Caller, Refusal> {
        if self.is_local() {
            host::check(head)?;
        }
        Ok(Caller::new("forwarded", []))
    }

    /// Who sent the request.
    pub(crate) fn admit(&self, head: &RequestHead) -> Result<Caller, Refusal> {
        match self {
            Self::Local => {
                host::check(head)?;
                Ok(tokens::local())
            }
            Self::Tokens(tokens) => tokens.caller(head),
        }
    }
}
