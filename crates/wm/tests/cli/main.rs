//! The binary `wm`, as people and scripts use it.

mod fake;
mod given;
mod reference;

mod apply;
mod authors;
mod compare;
mod exits;
mod folders;
mod rollouts;
mod settings;
mod starting;
mod tokens;
mod validate;
