//! The example worker types, carried by the program so that they are there wherever it runs.

use crate::folder::{Files, Listed};
use rust_embed::RustEmbed;
use std::collections::BTreeSet;
use std::io;

/// `examples/` of the source tree.
#[derive(RustEmbed)]
#[folder = "../../examples/"]
#[include = "defaults.yml"]
#[include = "worker-types/*"]
#[include = "releases/*"]
struct Examples;

/// The embedded examples as a folder of definitions.
pub struct Embedded;

impl Files for Embedded {
    fn name_of(&self, path: &str) -> String {
        format!("examples/{path}")
    }

    fn list(&self) -> io::Result<Listed> {
        let files: Vec<String> = Examples::iter().map(|name| name.into_owned()).collect();
        let folders: BTreeSet<String> =
            files.iter().filter_map(|name| Some(name.split_once('/')?.0.to_owned())).collect();
        Ok(Listed { files, folders: folders.into_iter().collect() })
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let file = Examples::get(path).ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such example"))?;
        Ok(file.data.into_owned())
    }
}
