//! Who may do what on a server: its settings, and a token of the process's own for the roles that run in it.

use crate::Failure;
use crate::settings::SettingsFile;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rand::RngCore;
use secrecy::SecretString;
use service::{AccessPolicy, Token, token_digest};

/// What is public of a queue: its tasks, and what it asks of their payloads. Creating tasks is not; nor is a recording,
/// which outlives the tasks.
const PUBLIC_OF_QUEUE: &[&str] =
    &["queue:get-task:*", "queue:status:*", "queue:get-task-queue:*", "queue:pending-list:*"];

/// What callers without a token may do unless the settings say otherwise: what each service holds to be public.
fn anonymous_scopes() -> Vec<String> {
    let public = worker_manager::ANONYMOUS_SCOPES.iter().chain(PUBLIC_OF_QUEUE);
    public.map(|scope| (*scope).to_owned()).collect()
}

/// The access that the settings ask for, and the token that roles in this process use; none where access is open.
///
/// # Errors
/// A token that cannot be used.
pub(super) fn policy(file: Option<&SettingsFile>) -> Result<(AccessPolicy, Option<SecretString>), Failure> {
    let Some(access) = file.and_then(SettingsFile::access) else {
        return Ok((AccessPolicy::Local, None));
    };
    let own = random_token();
    let known = access.tokens.iter().map(|token| (token.name.as_str(), token.sha256.clone(), token.scopes.clone()));
    let in_process = ("in-process", token_digest(&own), vec!["worker-manager:*".to_owned()]);
    let tokens = known.chain([in_process]).map(|(name, sha256, scopes)| Token::new(name, &sha256, scopes));
    let tokens =
        tokens.collect::<Result<_, _>>().map_err(|error| Failure::Usage(format!("[access] tokens: {error}")))?;
    let anonymous = access.anonymous_scopes.clone().unwrap_or_else(anonymous_scopes);
    Ok((AccessPolicy::tokens(tokens, anonymous), Some(own.into())))
}

/// 256 bits that nobody can guess.
fn random_token() -> String {
    let mut bytes = [0_u8; 32];
    rand::rng().fill_bytes(&mut bytes);
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
