//! The index of schemas, and the catalogue for editors.

use registry::SchemaIndex;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;
use worker_types::Bundle;

/// The schemas of what is live.
#[derive(Serialize, ToSchema)]
pub(crate) struct SchemaList {
    /// By name: `proj/linux/payload` is what a payload must be, `proj/linux/task` what a whole task must be.
    schemas: BTreeMap<String, SchemaAddress>,
}

/// Where one schema stands.
#[derive(Serialize, ToSchema)]
struct SchemaAddress {
    /// Relative to the server's root. What stands there never changes; a new schema gets a new address.
    url: String,
    /// The hash in it: over everything that the schema is derived from.
    hash: String,
}

impl SchemaList {
    pub(crate) fn of(index: &SchemaIndex, prefix: &str) -> Self {
        let address = |hash: &worker_types::ContentHash| SchemaAddress {
            url: format!("{prefix}/schemas/{hash}"),
            hash: hash.to_string(),
        };
        Self { schemas: index.names.iter().map(|(name, hash)| (name.clone(), address(hash))).collect() }
    }
}

/// A catalogue in SchemaStore's format (<https://json.schemastore.org/schema-catalog.json>).
#[derive(Serialize, ToSchema)]
pub(crate) struct SchemaCatalog {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: u8,
    schemas: Vec<CatalogEntry>,
}

/// A schema that editors offer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CatalogEntry {
    name: String,
    description: String,
    /// The files that it is for, without being chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    file_match: Vec<String>,
    url: String,
}

/// Files that hold one task definition each.
const TASK_FILES: [&str; 3] = ["*.task.json", "*.task.yml", "*.task.yaml"];

impl SchemaCatalog {
    pub(crate) fn of(bundles: &[Arc<Bundle>], base: &str) -> Self {
        let tasks = CatalogEntry {
            name: "Taskcluster task".to_owned(),
            description: "A task definition for any worker type of this deployment".to_owned(),
            file_match: TASK_FILES.map(str::to_owned).to_vec(),
            url: format!("{base}/task-schema"),
        };
        let of_each = bundles.iter().flat_map(|bundle| {
            let id = &bundle.worker_type_id;
            let task = CatalogEntry {
                name: format!("Taskcluster task for {id}"),
                description: format!("A task definition that runs on {id}"),
                file_match: Vec::new(),
                url: format!("{base}/task-schema?workerType={id}"),
            };
            let payload = CatalogEntry {
                name: format!("Taskcluster payload for {id}"),
                description: format!("The payload of a task that runs on {id}"),
                file_match: Vec::new(),
                url: format!("{base}/worker-types/{id}/payload-schema?dialect=2020-12"),
            };
            [task, payload]
        });
        Self {
            schema: "https://json.schemastore.org/schema-catalog.json",
            version: 1,
            schemas: std::iter::once(tasks).chain(of_each).collect(),
        }
    }
}
