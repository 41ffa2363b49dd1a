//! What the name of a file says about its content.

use super::{DEFAULTS, Listed};
use std::collections::BTreeSet;
use worker_types::{ReleaseId, WorkerTypeId, closest};

/// What stands in a file.
pub(super) enum Named {
    WorkerType(WorkerTypeId),
    Release(ReleaseId),
    /// It ought to be one of them, and its name does not fit.
    Wrong(String),
    Other,
}

/// The content of the file at `path`.
pub(super) fn of(path: &str) -> Named {
    let Some(stem) = stem(path) else { return Named::Other };
    let parts: Vec<&str> = stem.split('/').collect();
    match parts.as_slice() {
        ["worker-types", provisioner_id, worker_type] => WorkerTypeId::new(provisioner_id, worker_type)
            .map_or_else(|error| Named::Wrong(error.to_string()), Named::WorkerType),
        ["releases", name, version] => {
            ReleaseId::new(name, version).map_or_else(|error| Named::Wrong(error.to_string()), Named::Release)
        }
        ["worker-types", ..] => {
            Named::Wrong("a definition stands in worker-types/<provisionerId>/<workerType>.yml".to_owned())
        }
        ["releases", ..] => Named::Wrong("a release stands in releases/<name>/<version>.yml".to_owned()),
        _ => Named::Other,
    }
}

/// The path without the extension of a definition; none for other files.
pub(super) fn stem(path: &str) -> Option<&str> {
    [".yml", ".yaml", ".json"].into_iter().find_map(|extension| path.strip_suffix(extension))
}

/// Whether the file stands among definitions, and none of them is it or names it.
pub(super) fn is_stray(path: &str, read: &BTreeSet<String>) -> bool {
    let among = path.starts_with("worker-types/") || path.starts_with("releases/");
    among && stem(path).is_none() && !read.contains(path)
}

/// Names in the folder itself that are close to one that is read.
pub(super) fn almost(listed: &Listed) -> impl Iterator<Item = (&str, &'static str)> {
    let folders = ["worker-types", "releases"];
    let close = |name: &String, known: &[&'static str]| {
        let found = if known.contains(&name.as_str()) { None } else { closest(name, known.iter().copied()) };
        known.iter().find(|one| Some(**one) == found).copied()
    };
    let of_folders = listed.folders.iter().filter_map(move |name| Some((name.as_str(), close(name, &folders)?)));
    let top = listed.files.iter().filter(|path| !path.contains('/'));
    of_folders.chain(top.filter_map(move |name| Some((name.as_str(), close(name, &DEFAULTS)?))))
}
