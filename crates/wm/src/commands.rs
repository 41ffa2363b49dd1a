//! One file for each subcommand: from its arguments to its output and its exit.

mod apply;
mod check;
mod compare;
mod completions;
mod dev;
mod diff;
mod docs;
mod list;
mod migrate;
mod provision;
mod queue;
mod release;
mod rollout;
mod serve;
mod show;
mod token;
mod transfer;
mod validate;

use crate::cli::{Cli, Command, ReleaseCommand, RolloutCommand};
use crate::folder::{Folder, FolderOnDisk};
use crate::settings::SettingsFile;
use crate::{Exit, Failure, Terminal};
use std::future::Future;
use std::path::Path;

/// Runs the command of `cli`.
pub fn run(cli: Cli, file: Option<&SettingsFile>, terminal: &mut Terminal) -> Result<Exit, Failure> {
    match cli.command {
        Command::Dev(args) => wait(dev::run(&args, file, terminal)),
        Command::Serve(args) => wait(serve::run(&args, file, terminal)),
        Command::Queue(args) => wait(queue::run(&args, file, terminal)),
        Command::Provision(args) => wait(provision::run(&args, terminal)),
        Command::Migrate(args) => migrate::run(&args, terminal),
        Command::Apply(args) => wait(apply::run(&args, terminal)),
        Command::Check(args) => wait(check::run(&args, terminal)),
        Command::Compare(args) => compare::run(&args, terminal),
        Command::Diff(args) => wait(diff::run(&args, terminal)),
        Command::Validate(args) => wait(validate::run(&args, terminal)),
        Command::List(args) => wait(list::run(&args, terminal)),
        Command::Show(args) => wait(show::run(&args, terminal)),
        Command::Docs(args) => wait(docs::run(&args, terminal)),
        Command::Release(args) => match args.command {
            ReleaseCommand::Publish(args) => wait(release::publish(&args, terminal)),
            ReleaseCommand::Adopt(args) => wait(release::adopt(&args, terminal)),
            ReleaseCommand::Mark(args) => wait(release::mark(&args, terminal)),
            ReleaseCommand::List(args) => wait(release::list(&args, terminal)),
        },
        Command::Rollout(args) => match args.command {
            RolloutCommand::List(args) => wait(rollout::list(&args, terminal)),
            RolloutCommand::Show(args) => wait(rollout::show(&args, terminal)),
            RolloutCommand::Complete(args) => wait(rollout::complete(&args, terminal)),
            RolloutCommand::Abort(args) => wait(rollout::abort(&args, terminal)),
        },
        Command::Export(args) => wait(transfer::export(&args, terminal)),
        Command::Import(args) => wait(transfer::import(&args, terminal)),
        Command::Token(args) => token::run(&args, terminal),
        Command::Completions(args) => completions::run(&args, terminal),
    }
}

/// Runs `work` to its end on a runtime of its own.
fn wait(work: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(work)
}

/// The definitions at `path`, with a word about files that nothing reads.
fn folder_of(path: &Path, terminal: &mut Terminal) -> Result<Folder, Failure> {
    let folder = Folder::load(&FolderOnDisk::new(path)).map_err(Failure::Documents)?;
    for warning in &folder.warnings {
        terminal.warn(warning);
    }
    Ok(folder)
}
