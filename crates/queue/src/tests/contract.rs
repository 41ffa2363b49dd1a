//! The schemas that Taskcluster publishes for its queue, read in place.

use payload_schema::{Limits, Schema};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A schema of `queue/v1` with every reference replaced by its target; none, said visibly, where they are missing.
pub(crate) fn schema(name: &str) -> Option<Schema> {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/taskcluster/api-schemas/schemas/queue/v1");
    if !folder.is_dir() {
        println!("skipped: Taskcluster's API schemas are not beside the project");
        return None;
    }
    let mut schema = read(&folder, &format!("{name}.json"));
    inline(&mut schema, &folder);
    Some(Schema::compile(&schema, None, &Limits::default()).unwrap_or_else(|faults| panic!("{name}: {faults:?}")))
}

fn read(folder: &Path, file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap()
}

fn inline(schema: &mut Value, folder: &Path) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                let (file, pointer) = reference.split_once('#').unwrap();
                let mut target = read(folder, file).pointer(pointer).unwrap().clone();
                if let Value::Object(target) = &mut target {
                    target.remove("$id");
                    target.remove("$schema");
                }
                *schema = target;
                inline(schema, folder);
            } else {
                members.values_mut().for_each(|member| inline(member, folder));
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(|entry| inline(entry, folder)),
        _ => {}
    }
}
