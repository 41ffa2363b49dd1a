//! The command line of worker-manager: its roles as servers, and what operators and authors of tasks do with them.

mod cli;
mod commands;
mod comparison;
mod connection;
mod documents;
mod exit;
mod failure;
mod folder;
mod judge;
mod plan;
pub mod reference;
mod report;
mod roles;
mod settings;
mod start;
mod tasks;
mod terminal;

pub use exit::Exit;
pub use failure::Failure;
pub use start::run;
pub use terminal::{Output, Terminal};
