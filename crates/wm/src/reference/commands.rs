//! `docs/reference/cli.md`.

use super::{choices, defaults, words};
use crate::Exit;
use crate::cli::Cli;
use clap::{Arg, Command, CommandFactory};
use std::fmt::Write;

const HEAD: &str = "# Command line

<!-- Generated from crates/wm/src/cli.rs: UPDATE_GOLDEN=1 cargo test -p wm -->

One binary, `wm`. Results go to standard output; words about the work, warnings and errors go to standard error. Colours and progress are for
terminals only, and `NO_COLOR` is heeded. Faults in files are shown as `file:line:column: message`, at the token that is wrong.

Arguments with a `WM_…` variable are settings: see [configuration](configuration.md).
";

/// The page.
pub fn page() -> String {
    let mut command = Cli::command();
    command.build();
    let mut page = HEAD.to_owned();
    page.push_str("\n## Exit status\n\n| status | meaning |\n|---|---|\n");
    for (status, meaning) in Exit::MEANINGS {
        let _ = writeln!(page, "| {status} | {meaning} |");
    }
    let everywhere: Vec<&Arg> = command.get_arguments().filter(|arg| arg.is_global_set()).collect();
    let _ = write!(page, "\n## Everywhere\n\n{}", table(&everywhere));
    for below in command.get_subcommands() {
        one(&mut page, below, "wm");
    }
    page
}

fn one(page: &mut String, command: &Command, parent: &str) {
    let name = format!("{parent} {}", command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let about = if about.ends_with(['.', '?', '!']) { about } else { format!("{about}.") };
    let _ = write!(page, "\n## {name}\n\n{about}\n");
    if command.has_subcommands() {
        for below in command.get_subcommands() {
            one(page, below, &name);
        }
        return;
    }
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").split_whitespace().collect::<Vec<_>>().join(" ");
    let _ = write!(page, "\n```\n{usage}\n```\n");
    let shown =
        |arg: &&Arg| !arg.is_hide_set() && !arg.is_global_set() && !matches!(arg.get_id().as_str(), "help" | "version");
    let arguments: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    if !arguments.is_empty() {
        let _ = write!(page, "\n{}", table(&arguments));
    }
}

fn table(arguments: &[&Arg]) -> String {
    let mut table = "| argument | what | default | variable |\n|---|---|---|---|\n".to_owned();
    for arg in arguments {
        let choices = choices(arg).map(|choices| format!(" One of {choices}.")).unwrap_or_default();
        let what = words(arg.get_help());
        let variable = arg.get_env().map(|name| format!("`{}`", name.to_string_lossy())).unwrap_or_default();
        let stop = if what.ends_with(['.', '?']) { "" } else { "." };
        let _ = writeln!(table, "| `{}` | {what}{stop}{choices} | {} | {variable} |", written(arg), defaults(arg));
    }
    table
}

/// An argument as one writes it.
fn written(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    let value = names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let value = value.replace('|', "\\|");
    let short = arg.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    match arg.get_long() {
        Some(long) if arg.get_action().takes_values() => format!("{short}--{long} {value}"),
        Some(long) => format!("{short}--{long}"),
        None => value,
    }
}
