//! From arguments to a command, and from its result to an exit status.

use crate::cli::Cli;
use crate::commands;
use crate::settings::{self, SettingsError, SettingsFile};
use crate::{Exit, Failure, Terminal};
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;

/// Runs `wm` with `arguments`, the program's name first.
pub fn run(arguments: Vec<OsString>, terminal: &mut Terminal) -> Exit {
    let ended = match parse(&arguments) {
        Ok((cli, file)) => {
            terminal.set_output(cli.output);
            commands::run(cli, file.as_ref(), terminal)
        }
        Err(Unparsed::Arguments(error)) => return show(&error, terminal),
        Err(Unparsed::Settings(error)) => Err(Failure::Usage(error.to_string())),
    };
    let ended = ended.and_then(|exit| terminal.flush().map(|()| exit));
    match ended {
        Ok(exit) => exit,
        // Whoever read the output has seen enough.
        Err(failure) if failure.is_broken_pipe() => Exit::Success,
        Err(failure) => {
            terminal.error(failure.to_string());
            failure.exit()
        }
    }
}

/// Why there is no command to run.
enum Unparsed {
    Arguments(clap::Error),
    Settings(SettingsError),
}

fn parse(arguments: &[OsString]) -> Result<(Cli, Option<SettingsFile>), Unparsed> {
    let file = settings::find(arguments).map_err(Unparsed::Settings)?;
    let mut command = Cli::command();
    if let Some(file) = &file {
        command = file.defaults_for(command).map_err(Unparsed::Settings)?;
    }
    // A flag counts before a variable, also where they are two ways to the same: the file of a token and the token.
    if arguments.iter().any(|argument| argument.to_string_lossy().starts_with("--token-file")) {
        command = command.mut_subcommands(|command| {
            command.mut_args(without_token_variable).mut_subcommands(|below| below.mut_args(without_token_variable))
        });
    }
    let matches = command.try_get_matches_from(arguments).map_err(Unparsed::Arguments)?;
    let cli = Cli::from_arg_matches(&matches).map_err(Unparsed::Arguments)?;
    Ok((cli, file))
}

fn without_token_variable(arg: clap::Arg) -> clap::Arg {
    if arg.get_id() == "token" { arg.env(None::<&str>) } else { arg }
}

/// Help and version are results; anything else is wrong usage.
fn show(error: &clap::Error, terminal: &mut Terminal) -> Exit {
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        terminal.say(text.trim_end());
        return Exit::Usage;
    }
    match terminal.line(text.trim_end()).and_then(|()| terminal.flush()) {
        Err(failure) if !failure.is_broken_pipe() => failure.exit(),
        _ => Exit::Success,
    }
}
