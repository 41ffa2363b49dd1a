//! `wm.toml`: settings that flags and variables have not given. Its values become the defaults of the arguments, so that
//! precedence is clap's own: flag, then variable, then file, then default.

mod access;
mod defaults;
mod file;
mod keys;
#[cfg(test)]
mod tests;

pub use file::SettingsFile;
pub use keys::settings_of;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The file that is read when none is named.
const DEFAULT_FILE: &str = "wm.toml";

/// A settings file that cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// It cannot be read.
    #[error("cannot read the settings {path}: {source}; see --config and WM_CONFIG", path = .path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Something in it is wrong.
    #[error("{0}")]
    Wrong(crate::documents::DocumentError),
}

/// The settings file that `arguments` or the environment name, or ./wm.toml.
///
/// # Errors
/// It is named and cannot be read, or is not a settings file.
pub fn find(arguments: &[OsString]) -> Result<Option<SettingsFile>, SettingsError> {
    let named = named_by(arguments).or_else(|| std::env::var_os("WM_CONFIG").filter(|value| !value.is_empty()));
    let path = named.as_deref().map_or(Path::new(DEFAULT_FILE), Path::new);
    match std::fs::read(path) {
        Ok(bytes) => SettingsFile::parse(&path.display().to_string(), &bytes).map(Some),
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(SettingsError::Read { path: path.to_owned(), source }),
    }
}

/// The value of `--config`, which is needed before the arguments can be read.
fn named_by(arguments: &[OsString]) -> Option<OsString> {
    let mut arguments = arguments.iter().skip(1).take_while(|argument| *argument != "--");
    while let Some(argument) = arguments.next() {
        if argument == "--config" {
            return arguments.next().cloned();
        }
        if let Some(value) = argument.to_str().and_then(|text| text.strip_prefix("--config=")) {
            return Some(value.into());
        }
    }
    None
}
