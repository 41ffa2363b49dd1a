//! What several subcommands ask for in the same way.

use clap::Args;
use secrecy::SecretString;
use std::path::PathBuf;

/// Which server, and with which credentials.
#[derive(Clone, Debug, Args)]
pub struct ServerUrl {
    /// The server's root URL, such as https://ci.example.com.
    #[arg(long, value_name = "URL", env = "WM_URL", default_value = "http://127.0.0.1:8080", help_heading = "Server")]
    pub url: String,
    /// What goes with each request.
    #[command(flatten)]
    pub credentials: Credentials,
}

/// The token that goes with each request.
#[derive(Clone, Debug, Default, Args)]
pub struct Credentials {
    /// A file that holds the token to send. The variable WM_TOKEN may hold the token itself.
    #[arg(long, value_name = "FILE", env = "WM_TOKEN_FILE", help_heading = "Server")]
    pub token_file: Option<PathBuf>,
    // Hidden: as a flag it would be shown to everyone on the machine.
    /// The token itself.
    #[arg(long, hide = true, value_name = "TOKEN", env = "WM_TOKEN", hide_env_values = true)]
    pub token: Option<SecretString>,
}
