//! A registry in memory, on which definitions are held against releases that are not published yet: by the same rules
//! as on the server, before anything is changed there.

use crate::Failure;
use database::Options;
use registry::{Check, Precondition, Registry, Settings, Standing, WriteContext, WriteError};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::SqlStore;
use worker_manager_client::{Client, ClientError};
use worker_types::{Caller, CompatibilityPolicy, Item, Problem, ReleaseId, RevisionNumber, Task, WorkerTypeId};

/// The registry, and which releases are on it.
pub struct Workbench {
    registry: Arc<Registry>,
    known: BTreeSet<ReleaseId>,
}

impl Workbench {
    /// An empty one.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn new() -> Result<Self, Failure> {
        let failed = |words: String| Failure::Start(format!("definitions cannot be checked here: {words}"));
        let store =
            SqlStore::open("sqlite::memory:", &Options::default()).map_err(|error| failed(error.to_string()))?;
        let registry =
            Registry::open(Arc::new(store), Settings::default()).map_err(|error| failed(error.to_string()))?;
        Ok(Self { registry: Arc::new(registry), known: BTreeSet::new() })
    }

    /// Puts a release on it.
    ///
    /// # Errors
    /// What the gate says against it.
    pub async fn add(&mut self, id: &ReleaseId, content: Value) -> Result<Vec<Item>, Vec<Item>> {
        let context = WriteContext {
            caller: Caller::unrestricted("wm"),
            precondition: Some(Precondition::Any),
            message: None,
            request_id: None,
        };
        let added = self.registry.publish_release(id.clone(), content, false, context).await;
        match added {
            Ok((release, _)) => {
                self.known.insert(id.clone());
                Ok(serde_json::from_str(&release.record.warnings).unwrap_or_default())
            }
            Err(WriteError::InvalidRelease(report)) => Err(report.errors),
            Err(error) => Err(vec![Item::new("internal", "", error.to_string())]),
        }
    }

    /// Holds a definition against the gate and against what is live on `client`'s server, and tasks against the definition.
    /// Releases that it names and that are not on the workbench come from there too.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn check(
        &mut self,
        id: &WorkerTypeId,
        definition: &Value,
        tasks: Vec<Task>,
        client: &Client,
    ) -> Result<Check, ClientError> {
        for release in releases_of(definition) {
            if self.known.contains(&release) {
                continue;
            }
            match client.release(&release).await {
                // What a server has published passes its gate; should it not pass this one, the check says so.
                Ok(there) => drop(self.add(&release, there.content).await),
                Err(error) if is_unknown(&error) => {}
                Err(error) => return Err(error),
            }
        }
        let standing = standing(id, client).await?;
        Ok(self.registry.check_against(standing, id.clone(), definition.clone(), tasks).await)
    }
}

/// What is live on the server; its policy is public, also where its pool is not.
async fn standing(id: &WorkerTypeId, client: &Client) -> Result<Option<Standing>, ClientError> {
    let is_gone = |error: &ClientError| matches!(error.problem(), Some(Problem::UnknownWorkerType | Problem::Deleted));
    let bundle = match client.validation(id, None).await {
        Ok(answer) => answer.fresh(),
        Err(error) if is_gone(&error) => None,
        Err(error) => return Err(error),
    };
    let Some(bundle) = bundle else { return Ok(None) };
    let policy = match client.worker_type(id).await {
        Ok(live) => live.definition.get("compatibility").and_then(|word| word.as_str()?.parse().ok()),
        Err(error) if is_gone(&error) => None,
        Err(error) => return Err(error),
    };
    let policy = policy.unwrap_or(CompatibilityPolicy::Warn);
    let last_revision = bundle.revisions.last().map_or(RevisionNumber(0), |revision| revision.revision);
    Ok(Some(Standing { bundle: Arc::new(bundle), policy, last_revision }))
}

/// The releases that a definition names.
pub fn releases_of(definition: &Value) -> BTreeSet<ReleaseId> {
    let variants = definition.get("variants").and_then(Value::as_array);
    let named = variants.into_iter().flatten().filter_map(|variant| variant.get("release")?.as_str()?.parse().ok());
    named.collect()
}

fn is_unknown(error: &ClientError) -> bool {
    matches!(error.problem(), Some(Problem::UnknownRelease | Problem::UnknownImplementation))
}
