//! `wm completions`.

use crate::cli::{Cli, CompletionsArgs};
use crate::{Exit, Failure, Terminal};
use clap::CommandFactory;

pub fn run(args: &CompletionsArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "wm", &mut script);
    terminal.raw(&script)?;
    Ok(Exit::Success)
}
