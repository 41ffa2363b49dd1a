//! Builders: a registry with worker types in it.

use registry::{Precondition, Publish, Published, Registry, Settings, WriteContext, WriteError};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use store::SqlStore;
use tempfile::TempDir;
use worker_types::{Caller, Generation, ReleaseId, WorkerTypeId};

/// A registry and the folder of its database.
pub struct Given {
    pub registry: Arc<Registry>,
    store: Arc<SqlStore>,
    _folder: TempDir,
}

/// An empty registry.
pub fn a_registry() -> Given {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("registry.sqlite").display());
    let store = Arc::new(SqlStore::open(&url, &database::Options::default()).unwrap());
    Given { registry: Arc::new(Registry::open(store.clone(), settings()).unwrap()), store, _folder: folder }
}

/// Nothing wakes a replica on SQLite: it looks often.
fn settings() -> Settings {
    Settings { poll: Duration::from_millis(20), ..Settings::default() }
}

pub fn id(text: &str) -> WorkerTypeId {
    text.parse().unwrap()
}

pub fn context(precondition: Option<Precondition>) -> WriteContext {
    WriteContext {
        caller: operator(),
        precondition,
        message: Some("because".to_owned()),
        request_id: Some("r-1".to_owned()),
    }
}

pub fn operator() -> Caller {
    Caller::unrestricted("operator")
}

pub fn seen(generation: u64) -> Option<Precondition> {
    Some(Precondition::Generation(Generation(generation)))
}

pub const ANY: Option<Precondition> = Some(Precondition::Any);
pub const ABSENT: Option<Precondition> = Some(Precondition::Absent);

/// A definition whose payload must have `property`.
pub fn requiring(property: &str) -> Value {
    json!({"description": format!("needs {property}"), "validation": "enforce",
        "variants": [{"name": "default", "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "required": [property]}}]})
}

impl Given {
    /// Another replica on the same database, as it starts now. It learns of later changes only when it asks.
    pub fn replica(&self) -> Arc<Registry> {
        self.replica_with(settings())
    }

    pub fn replica_with(&self, settings: Settings) -> Arc<Registry> {
        Arc::new(Registry::open(self.store.clone(), settings).unwrap())
    }

    pub async fn publish(
        &self,
        name: &str,
        definition: &Value,
        precondition: Option<Precondition>,
    ) -> Result<Published, WriteError> {
        let request = Publish { definition: definition.clone(), ..Publish::default() };
        self.registry.publish(id(name), request, context(precondition)).await
    }

    pub async fn published(&self, name: &str, definition: &Value) -> Published {
        self.publish(name, definition, ANY).await.unwrap()
    }

    pub async fn release(&self, name: &str, content: &Value) {
        let release: ReleaseId = name.parse().unwrap();
        self.registry.publish_release(release, content.clone(), false, context(None)).await.unwrap();
    }

    /// `(problem, pointer)` of each error of the gate.
    pub async fn refusals(&self, definition: &Value) -> Vec<(String, String)> {
        match self.publish("p/refused", definition, ANY).await {
            Err(WriteError::InvalidDefinition(report)) => {
                report.errors.into_iter().map(|item| (item.problem, item.pointer)).collect()
            }
            other => panic!("the gate must refuse, not answer {other:?}"),
        }
    }
}

pub fn body(published: &Published) -> Value {
    serde_json::from_slice(&published.body).unwrap()
}
