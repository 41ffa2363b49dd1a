//! Implementations and their releases.

use super::{JSON, JsonText, PublishOptions};
use crate::answers::{ImplementationList, ReleaseList, UsedByList};
use crate::{Client, ClientError, ImplementationSummary, Release, ReleaseSummary, UsedBy, Written};
use reqwest::{Method, StatusCode};
use worker_types::ReleaseId;

fn path<'a>(id: &'a ReleaseId, below: &[&'a str]) -> Vec<&'a str> {
    let mut path = vec!["implementations", id.implementation(), "releases", id.version()];
    path.extend(below);
    path
}

impl Client {
    /// `GET /implementations`: those that have a release or that a live worker type names.
    ///
    /// # Errors
    /// Those of every call.
    pub async fn implementations(&self) -> Result<Vec<ImplementationSummary>, ClientError> {
        let list: ImplementationList = self.get(&["implementations"]).json().await?;
        Ok(list.implementations)
    }

    /// `GET /implementations/{name}/releases`.
    ///
    /// # Errors
    /// `unknown-implementation`, and those of every call.
    pub async fn releases(&self, implementation: &str) -> Result<Vec<ReleaseSummary>, ClientError> {
        let list: ReleaseList = self.get(&["implementations", implementation, "releases"]).json().await?;
        Ok(list.releases)
    }

    /// `GET /implementations/{name}/releases/{version}`.
    ///
    /// # Errors
    /// `unknown-release`, `unknown-implementation`, and those of every call.
    pub async fn release(&self, id: &ReleaseId) -> Result<Release, ClientError> {
        self.get(&path(id, &[])).json().await
    }

    /// `PUT /implementations/{name}/releases/{version}`: publishes a release. The same content again is answered with
    /// what is there.
    ///
    /// # Errors
    /// `release-exists` when the version has another content, `invalid-release` with every fault, and those of every
    /// call.
    pub async fn put_release(
        &self,
        id: &ReleaseId,
        release: impl Into<JsonText>,
        options: &PublishOptions,
    ) -> Result<Written<Release>, ClientError> {
        let call = self.call(Method::PUT, &path(id, &[])).body(JSON, release.into().0);
        let answer = options.apply_to_release(call).send().await?;
        Ok(Written { created: answer.status() == StatusCode::CREATED, value: answer.json().await? })
    }

    /// `GET /implementations/{name}/releases/{version}/used-by`: the worker types that refer to it.
    ///
    /// # Errors
    /// `unknown-release`, and those of every call.
    pub async fn release_used_by(&self, id: &ReleaseId) -> Result<Vec<UsedBy>, ClientError> {
        let list: UsedByList = self.get(&path(id, &["used-by"])).json().await?;
        Ok(list.worker_types)
    }
}
