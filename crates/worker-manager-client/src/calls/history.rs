//! The history of a worker type, and going back in it.

use super::worker_types::path;
use super::{JSON, Precondition};
use crate::answers::RevisionList;
use crate::pages::Page;
use crate::{Client, ClientError, Diff, Pages, Revision, RevisionSummary, RolloutRef, WorkerType};
use reqwest::Method;
use serde_json::json;
use worker_types::{RevisionNumber, RolloutEnd, WorkerTypeId};

impl Client {
    /// `GET …/revisions`: the history, newest first, also of a deleted worker type.
    pub fn revisions(&self, id: &WorkerTypeId) -> Pages<RevisionSummary> {
        let (client, id) = (self.clone(), id.clone());
        Pages::new(move |token| {
            let (client, id) = (client.clone(), id.clone());
            Box::pin(async move {
                let call = client.get(&path(&id, &["revisions"])).query("continuationToken", token);
                let list: RevisionList = call.json().await?;
                Ok(Page { entries: list.revisions, continuation_token: list.continuation_token, cursor: None })
            })
        })
    }

    /// `GET …/revisions/{n}`: one revision, which never changes.
    ///
    /// # Errors
    /// `unknown-revision`, `unknown-worker-type`, and those of every call.
    pub async fn revision(&self, id: &WorkerTypeId, revision: RevisionNumber) -> Result<Revision, ClientError> {
        self.get(&path(id, &["revisions", &revision.to_string()])).json().await
    }

    /// `GET …/diff?from=&to=`: how two revisions differ.
    ///
    /// # Errors
    /// `unknown-revision`, `unknown-worker-type`, and those of every call.
    pub async fn diff(&self, id: &WorkerTypeId, from: RevisionNumber, to: RevisionNumber) -> Result<Diff, ClientError> {
        let call = self.get(&path(id, &["diff"]));
        call.query("from", Some(from.to_string())).query("to", Some(to.to_string())).json().await
    }

    /// `POST …/rollback`: makes the content of an earlier revision live again, as a new revision.
    ///
    /// # Errors
    /// `unknown-revision`, `precondition-failed`, `invalid-definition` when the content no longer passes the gate, and
    /// those of every call.
    pub async fn rollback(
        &self,
        id: &WorkerTypeId,
        revision: RevisionNumber,
        precondition: Precondition,
        message: Option<&str>,
    ) -> Result<WorkerType, ClientError> {
        let mut body = json!({"revision": revision});
        if let Some(message) = message {
            body["message"] = message.into();
        }
        let call = self.call(Method::POST, &path(id, &["rollback"])).body(JSON, body.to_string());
        precondition.apply(call).json().await
    }

    /// `GET …/rollout`: the rollout that is open.
    ///
    /// # Errors
    /// `no-rollout`, `unknown-worker-type`, `deleted`, and those of every call.
    pub async fn rollout(&self, id: &WorkerTypeId) -> Result<RolloutRef, ClientError> {
        self.get(&path(id, &["rollout"])).json().await
    }

    /// `POST …/rollout/complete` or `…/rollout/abort`: one of the two live revisions is live alone.
    ///
    /// # Errors
    /// `no-rollout`, `precondition-failed`, `incompatible`, `unknown-worker-type`, `deleted`, and those of every call.
    pub async fn end_rollout(
        &self,
        id: &WorkerTypeId,
        end: RolloutEnd,
        precondition: Precondition,
        message: Option<&str>,
        allow_breaking: bool,
    ) -> Result<WorkerType, ClientError> {
        let call = self.call(Method::POST, &path(id, &["rollout", end.verb()]));
        let call = call.query("message", message).query("allowBreaking", allow_breaking.then_some("true"));
        precondition.apply(call).json().await
    }
}
