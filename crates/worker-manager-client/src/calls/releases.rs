//! Implementations and their releases.

use super::{JSON, JsonText, PublishOptions};
use crate::answers::{ImplementationList, ReleaseList, UsedByList};
use crate::pages::Page;
use crate::{
    AdoptReport, AdoptRequest, Client, ClientError, ImplementationSummary, Pages, Release, ReleaseSummary, UsedBy,
    Written,
};
use reqwest::header::IF_MATCH;
use reqwest::{Method, StatusCode};
use serde_json::json;
use worker_types::{ReleaseId, ReleaseState};

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

    /// `PUT …/releases/{version}/mark`: deprecates or withdraws a release, or takes that back, whatever was said of it
    /// before; with `seen`, the release's ETag, only while nothing else was said.
    ///
    /// # Errors
    /// `unknown-release`, `precondition-failed`, and those of every call.
    pub async fn mark_release(
        &self,
        id: &ReleaseId,
        state: ReleaseState,
        reason: Option<&str>,
        replaced_by: Option<&ReleaseId>,
        seen: Option<&str>,
    ) -> Result<Release, ClientError> {
        let body = json!({"state": state, "reason": reason, "replacedBy": replaced_by});
        let call = self.call(Method::PUT, &path(id, &["mark"])).header(IF_MATCH, Some(seen.unwrap_or("*")));
        call.body(JSON, body.to_string()).json().await
    }

    /// `POST …/releases/{version}/adopt`: moves many worker types to a release, or plans it.
    ///
    /// # Errors
    /// `unknown-release`, `withdrawn-release`, and those of every call. What becomes of one worker type stands in the answer.
    pub async fn adopt_release(&self, id: &ReleaseId, request: &AdoptRequest) -> Result<AdoptReport, ClientError> {
        let body = json!(request).to_string();
        self.call(Method::POST, &path(id, &["adopt"])).body(JSON, body).json().await
    }

    /// `GET /implementations/{name}/releases/{version}/used-by`: the worker types that refer to it.
    ///
    /// # Errors
    /// `unknown-release`, and those of every call.
    pub async fn release_used_by(&self, id: &ReleaseId) -> Result<Vec<UsedBy>, ClientError> {
        let (client, id) = (self.clone(), id.clone());
        let mut pages = Pages::new(move |token| {
            let (client, id) = (client.clone(), id.clone());
            Box::pin(async move {
                let call = client.get(&path(&id, &["used-by"])).query("continuationToken", token.as_deref());
                let list: UsedByList = call.json().await?;
                Ok(Page { entries: list.worker_types, continuation_token: list.continuation_token, cursor: None })
            })
        });
        pages.all().await
    }
}
