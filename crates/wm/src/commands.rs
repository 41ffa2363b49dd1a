//! One file for each subcommand: from its arguments to its output and its exit.

mod completions;
mod docs;
mod list;
mod release;
mod show;
mod token;
mod transfer;

use crate::cli::{Cli, Command, ReleaseCommand};
use crate::settings::SettingsFile;
use crate::{Exit, Failure, Terminal};
use std::future::Future;

/// Runs the command of `cli`.
pub fn run(cli: Cli, _file: Option<&SettingsFile>, terminal: &mut Terminal) -> Result<Exit, Failure> {
    match cli.command {
        Command::List(args) => wait(list::run(&args, terminal)),
        Command::Show(args) => wait(show::run(&args, terminal)),
        Command::Docs(args) => wait(docs::run(&args, terminal)),
        Command::Release(args) => match args.command {
            ReleaseCommand::Publish(args) => wait(release::publish(&args, terminal)),
            ReleaseCommand::List(args) => wait(release::list(&args, terminal)),
        },
        Command::Export(args) => wait(transfer::export(&args, terminal)),
        Command::Import(args) => wait(transfer::import(&args, terminal)),
        Command::Token(args) => token::run(&args, terminal),
        Command::Completions(args) => completions::run(&args, terminal),
        _ => Ok(Exit::Success),
    }
}

/// Runs `work` to its end on a runtime of its own.
fn wait(work: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(work)
}
