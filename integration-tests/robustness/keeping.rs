//! Keeps what a failed run saw in `target/robustness/`, where a person can look at it.

use serde::Serialize;
use std::path::PathBuf;

/// Keeps the record of a run beside those of other runs with this seed; says where it is.
pub fn keep(name: &str, seed: u64, record: &impl Serialize) -> String {
    let folder = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    let folder = folder.join("robustness");
    let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S");
    let file = folder.join(format!("{name}-{seed}-{now}.json"));
    let written = serde_json::to_vec_pretty(record)
        .map_err(std::io::Error::other)
        .and_then(|json| std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, json)));
    let place = written.map_or_else(|error| format!("not kept: {error}"), |()| file.display().to_string());
    format!("the whole record: {place}")
}
