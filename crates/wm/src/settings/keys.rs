//! Which settings there are: the arguments that have a variable.

use clap::{Arg, Command};

/// A setting of a subcommand.
#[derive(Debug)]
pub struct Setting<'a> {
    /// Its key in wm.toml, which is its flag without the dashes.
    pub key: &'a str,
    /// The argument.
    pub arg: &'a Arg,
}

/// The settings that `command` takes from a file, in the order of its help.
pub fn settings_of(command: &Command) -> impl Iterator<Item = Setting<'_>> {
    command.get_arguments().filter(|arg| is_setting(arg)).filter_map(|arg| Some(Setting { key: arg.get_long()?, arg }))
}

/// Secrets, and the file's own name, do not stand in the file.
pub(super) fn is_setting(arg: &Arg) -> bool {
    arg.get_env().is_some() && !arg.is_hide_set() && arg.get_id() != "config"
}
