//! Logs of the process: events at boundaries, as JSON lines or as text for a terminal, on standard error.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// One JSON object for each line.
    Json,
    /// For people.
    Text,
}

/// Sends the process' log to standard error. `filter` is as `info,registry=debug`.
///
/// # Errors
/// A filter that cannot be read, in words; a process that logs already.
pub fn init(format: LogFormat, filter: &str) -> Result<(), String> {
    let filter = EnvFilter::try_new(filter).map_err(|error| format!("the log filter {filter:?} is none: {error}"))?;
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let done = match format {
        LogFormat::Json => builder.json().flatten_event(true).finish().try_init(),
        LogFormat::Text => builder.finish().try_init(),
    };
    done.map_err(|error| error.to_string())
}
