//! Worker types: listing, reading, publishing, deleting.

use super::{JSON, JsonText, Precondition, PublishOptions};
use crate::answers::WorkerTypeList;
use crate::pages::Page;
use crate::{Client, ClientError, Pages, Tombstone, WorkerType, WorkerTypeSummary, Written};
use reqwest::{Method, StatusCode};
use worker_types::{LifecycleState, ReleaseId, WorkerTypeId};

/// Which worker types to list; the default is all that are live.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// Words to search for.
    pub query: Option<String>,
    /// Of one provisioner.
    pub provisioner_id: Option<String>,
    /// That run one implementation.
    pub implementation: Option<String>,
    /// That refer to one release.
    pub release: Option<ReleaseId>,
    /// In one state of life.
    pub lifecycle: Option<LifecycleState>,
    /// With one tag.
    pub tag: Option<String>,
    /// Entries on a page, 1 to 1000; the server's default otherwise.
    pub limit: Option<u32>,
}

/// The path of a worker type's resource.
pub(crate) fn path<'a>(id: &'a WorkerTypeId, below: &[&'a str]) -> Vec<&'a str> {
    let mut path = vec!["worker-types", id.provisioner_id(), id.worker_type()];
    path.extend(below);
    path
}

impl Client {
    /// `GET /worker-types`: the worker types that the caller may see.
    pub fn worker_types(&self, query: &ListQuery) -> Pages<WorkerTypeSummary> {
        let (client, query) = (self.clone(), query.clone());
        Pages::new(move |token| {
            let (client, query) = (client.clone(), query.clone());
            Box::pin(async move { client.worker_types_page(&query, token).await })
        })
    }

    async fn worker_types_page(
        &self,
        query: &ListQuery,
        continuation_token: Option<String>,
    ) -> Result<Page<WorkerTypeSummary>, ClientError> {
        let list: WorkerTypeList = self
            .get(&["worker-types"])
            .query("query", query.query.as_deref())
            .query("provisionerId", query.provisioner_id.as_deref())
            .query("implementation", query.implementation.as_deref())
            .query("release", query.release.as_ref().map(ToString::to_string))
            .query("lifecycle", query.lifecycle.map(LifecycleState::as_str))
            .query("tag", query.tag.as_deref())
            .query("limit", query.limit.map(|limit| limit.to_string()))
            .query("continuationToken", continuation_token)
            .json()
            .await?;
        Ok(Page { entries: list.worker_types, continuation_token: list.continuation_token, cursor: list.cursor })
    }

    /// `GET /worker-types/{id}`: the live definition.
    ///
    /// # Errors
    /// `unknown-worker-type`, `deleted`, and those of every call.
    pub async fn worker_type(&self, id: &WorkerTypeId) -> Result<WorkerType, ClientError> {
        self.get(&path(id, &[])).json().await
    }

    /// `PUT /worker-types/{id}`: publishes a definition. The same content again is answered with the revision that is
    /// live, so a call whose outcome is not known can be repeated. Only a dry run may go without a precondition.
    ///
    /// # Errors
    /// `precondition-failed` when somebody else was first, `invalid-definition` with every fault, `rollout-open`, and
    /// those of every call.
    pub async fn put_worker_type(
        &self,
        id: &WorkerTypeId,
        definition: impl Into<JsonText>,
        precondition: impl Into<Option<Precondition>>,
        options: &PublishOptions,
    ) -> Result<Written<WorkerType>, ClientError> {
        let call = self.call(Method::PUT, &path(id, &[])).body(JSON, definition.into().0);
        let call = match precondition.into() {
            Some(precondition) => precondition.apply(call),
            None => call,
        };
        let answer = options.apply(call).send().await?;
        Ok(Written { created: answer.status() == StatusCode::CREATED, value: answer.json().await? })
    }

    /// `DELETE /worker-types/{id}`: leaves a tombstone; the history stays.
    ///
    /// # Errors
    /// `precondition-failed`, `unknown-worker-type`, and those of every call.
    pub async fn delete_worker_type(
        &self,
        id: &WorkerTypeId,
        precondition: Precondition,
        message: Option<&str>,
    ) -> Result<Tombstone, ClientError> {
        let call = self.call(Method::DELETE, &path(id, &[])).query("message", message);
        precondition.apply(call).json().await
    }
}
