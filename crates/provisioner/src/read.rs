//! Reads every pool configuration once.

use crate::{PoolConfig, PoolError};
use futures_util::{StreamExt, stream};
use worker_manager_client::{Client, ClientError, ListQuery};
use worker_types::{Generation, Problem, WorkerTypeId};

/// Definitions that are asked for at the same time.
const AT_ONCE: usize = 8;

/// The pools that the caller may see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoolList {
    /// In the order of their ids.
    pub pools: Vec<PoolConfig>,
    /// Those that cannot be used.
    pub faulty: Vec<PoolError>,
}

/// Reads the pools of all worker types. Takes the scope `worker-manager:get-pool:…`: without it worker types seem to have
/// no pool.
///
/// # Errors
/// worker-manager does not answer, or not as it should.
pub async fn read_pools(client: &Client) -> Result<PoolList, ClientError> {
    let summaries = client.worker_types(&ListQuery { limit: Some(1000), ..ListQuery::default() }).all().await?;
    read_each(client, summaries.into_iter().map(|summary| summary.worker_type_id).collect()).await
}

/// Reads the pools of these worker types.
pub(crate) async fn read_each(client: &Client, ids: Vec<WorkerTypeId>) -> Result<PoolList, ClientError> {
    let mut list = PoolList::default();
    let mut answers = stream::iter(ids).map(|id| async move { read_one(client, &id).await }).buffered(AT_ONCE);
    while let Some(answer) = answers.next().await {
        match answer?.pool {
            Ok(pool) => list.pools.extend(pool),
            Err(error) => list.faulty.push(error),
        }
    }
    Ok(list)
}

/// What was read of one worker type.
pub(crate) struct Read {
    /// None if it has none, or is gone by now.
    pub(crate) pool: Result<Option<PoolConfig>, PoolError>,
    /// Of what was read, or of the tombstone; none where the server knows of no such worker type.
    pub(crate) generation: Option<Generation>,
}

pub(crate) async fn read_one(client: &Client, id: &WorkerTypeId) -> Result<Read, ClientError> {
    match client.worker_type(id).await {
        Ok(worker_type) => Ok(Read { generation: Some(worker_type.generation), pool: PoolConfig::read(&worker_type) }),
        Err(error) if matches!(error.problem(), Some(Problem::Deleted | Problem::UnknownWorkerType)) => {
            let ClientError::Problem(answer) = error else { return Err(error) };
            Ok(Read { generation: answer.generation, pool: Ok(None) })
        }
        Err(error) => Err(error),
    }
}
