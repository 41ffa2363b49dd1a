//! The pages: what authors and operators do with worker types in a browser.
//!
//! Every page is HTML made here from the registry's own types, and reads without script. What needs state in the browser
//! (the editor, live updates) is a TypeScript island from `client/`, embedded as it was built. Pages ask the registry as
//! the API does, for the same callers; the islands ask the API itself.

mod assets;
mod comparison;
mod definition_schema;
mod error_page;
mod examples;
mod frame;
mod json_text;
mod new_task;
mod pages;
mod reference;
mod schema_vocabulary;
mod web_ui;

pub use pages::OPERATIONS;
pub use web_ui::{Options, WebUi};
