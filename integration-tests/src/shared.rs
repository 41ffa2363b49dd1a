//! Data that is kept beside the project and read in place: real schemas and payloads, reported faults.

use serde_json::Value;
use std::path::PathBuf;

/// The folder `name` of the shared data, or none, said visibly, where it is missing.
pub fn folder(name: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: the shared folder {name} is not beside the project");
    None
}

/// Reads a JSON file.
///
/// # Panics
/// It cannot be read.
pub fn json(path: &std::path::Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The entries of the corpus index of one kind, with the corpus folder.
pub fn corpus(kind: &str) -> Option<(PathBuf, Vec<Value>)> {
    let folder = folder("data/taskcluster")?;
    let index = json(&folder.join("INDEX.json"));
    let files = index["files"].as_array().cloned().unwrap_or_default();
    Some((folder, files.into_iter().filter(|file| file["kind"] == kind).collect()))
}

/// The reported faults of one kind.
pub fn cases(kind: &str) -> Option<Vec<Value>> {
    let all = json(&folder("cases")?.join("cases.json"));
    Some(all.as_array().cloned().unwrap_or_default().into_iter().filter(|case| case["kind"] == kind).collect())
}
