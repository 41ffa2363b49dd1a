//! The command line of worker-manager: its roles as servers, and what operators and authors of tasks do with them.

pub mod documents;
pub mod folder;
