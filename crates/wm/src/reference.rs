//! The reference pages that are made from the arguments themselves, so that they cannot say anything else.

mod commands;
mod configuration;

pub use commands::page as cli_page;
pub use configuration::page as configuration_page;

use clap::Arg;
use clap::builder::StyledStr;

/// Help as one line of a table, with what looks like a tag kept as text.
fn words(help: Option<&StyledStr>) -> String {
    let text = help.map(ToString::to_string).unwrap_or_default();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "\\|").replace('<', "&lt;")
}

/// The values that an argument has when nobody says anything.
fn defaults(arg: &Arg) -> String {
    let values: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let is_flag = !arg.get_action().takes_values();
    if values.is_empty() || is_flag { String::new() } else { format!("`{}`", values.join(", ")) }
}

/// The words that an argument takes, where they are listed.
fn choices(arg: &Arg) -> Option<String> {
    let choices = arg.get_possible_values();
    let shown: Vec<String> =
        choices.iter().filter(|value| !value.is_hide_set()).map(|value| format!("`{}`", value.get_name())).collect();
    (!shown.is_empty() && arg.get_action().takes_values()).then(|| shown.join(", "))
}
