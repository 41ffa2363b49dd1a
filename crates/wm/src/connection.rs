//! The client of a command: where its server is, and the token that it sends.

use crate::Failure;
use crate::cli::{Credentials, ServerUrl};
use crate::documents::ReadError;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;
use worker_manager_client::Client;

/// Who calls, in the server's log.
const USER_AGENT: &str = concat!("wm/", env!("CARGO_PKG_VERSION"));

/// How long a whole answer may take: a large definition with many examples is checked while one waits.
const PATIENCE: Duration = Duration::from_secs(120);

/// The client of the server that `server` names.
///
/// # Errors
/// The URL or the token cannot be used, or the token's file cannot be read.
pub fn connect(server: &ServerUrl) -> Result<Client, Failure> {
    connect_to(&server.url, &server.credentials)
}

/// The client of the server at `url`.
///
/// # Errors
/// As [`connect`].
pub fn connect_to(url: &str, credentials: &Credentials) -> Result<Client, Failure> {
    let builder = Client::builder(url).user_agent(USER_AGENT).timeout(PATIENCE);
    Ok(builder.token(token(credentials)?).build()?)
}

/// The token to send: the one given, else the one in the file.
///
/// # Errors
/// The file cannot be read, or holds none.
pub fn token(credentials: &Credentials) -> Result<Option<SecretString>, Failure> {
    // A CI that withholds its secrets leaves the variable empty: that is no token.
    if let Some(token) = credentials.token.as_ref().filter(|token| !token.expose_secret().trim().is_empty()) {
        return Ok(Some(token.clone()));
    }
    let Some(path) = &credentials.token_file else { return Ok(None) };
    let text = std::fs::read_to_string(path).map_err(|source| ReadError::Io { path: path.clone(), source })?;
    match text.trim() {
        "" => Err(Failure::Usage(format!("the token file {} is empty; `wm token` makes a token", path.display()))),
        token => Ok(Some(token.to_owned().into())),
    }
}
