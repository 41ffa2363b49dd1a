//! The published schemas in the hands of others: what VS Code offers and marks by them, and what another engine says.

mod ajv;
mod node;
mod vscode;
mod witnesses;
