//! `wm token`: a random token, shown once, and the entry by which a server knows it.

use crate::cli::TokenArgs;
use crate::{Exit, Failure, Terminal};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rand::TryRngCore;
use rand::rngs::OsRng;
use serde_json::json;

/// A new token of 256 random bits.
///
/// # Errors
/// The operating system gives no random numbers.
pub fn random() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    OsRng.try_fill_bytes(&mut bytes).map_err(|error| Failure::Start(format!("no random numbers: {error}")))?;
    Ok(format!("wm_{}", BASE64_URL_SAFE_NO_PAD.encode(bytes)))
}

pub fn run(args: &TokenArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    if args.name.trim().is_empty() || args.name.len() > 100 || args.name.chars().any(char::is_control) {
        return Err(Failure::Usage("--name must have 1 to 100 printable characters".to_owned()));
    }
    let token = random()?;
    let sha256 = service::token_digest(&token);
    if terminal.is_json() {
        terminal.json(&json!({"token": token, "name": args.name, "sha256": sha256, "scopes": args.scopes}))?;
        return Ok(Exit::Success);
    }
    terminal.say("The token. It is not shown again; whoever has it may do what its scopes say:");
    terminal.line(&token)?;
    let scopes: Vec<String> = args.scopes.iter().map(|scope| quoted(scope)).collect();
    terminal.say("The entry of the server's wm.toml that lets it in:");
    terminal.line(format!(
        "\n[[access.tokens]]\nname = {}\nsha256 = \"{sha256}\"\nscopes = [{}]",
        quoted(&args.name),
        scopes.join(", ")
    ))?;
    Ok(Exit::Success)
}

/// As a TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
