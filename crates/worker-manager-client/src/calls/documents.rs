//! What is derived from a definition: the schema for editors, the words for people, the bundle for gates.

use super::worker_types::path;
use crate::{Client, ClientError, Conditional, PayloadSchema};
use bytes::Bytes;
use reqwest::{StatusCode, header};
use std::time::Duration;
use worker_types::{Bundle, RevisionNumber, WorkerTypeId};

impl Client {
    /// `GET …/payload-schema`: the payload schema of what is live or of one revision; of `variant` alone, or of all of them
    /// together.
    ///
    /// # Errors
    /// `invalid-query` where there is no such variant, `not-acceptable` where they cannot be put together,
    /// `unknown-worker-type`, `unknown-revision`, `deleted`, and those of every call.
    pub async fn payload_schema(
        &self,
        id: &WorkerTypeId,
        revision: Option<RevisionNumber>,
        variant: Option<&str>,
    ) -> Result<PayloadSchema, ClientError> {
        let call = self.get(&path(id, &["payload-schema"])).query("revision", revision.map(|n| n.to_string()));
        let answer = call.query("variant", variant).send().await?;
        let etag = answer.header(header::ETAG);
        Ok(PayloadSchema { schema: answer.json().await?, etag })
    }

    /// `GET …/documentation`: what authors should know, in Markdown, of what is live or of one revision.
    ///
    /// # Errors
    /// `unknown-worker-type`, `unknown-revision`, `deleted`, and those of every call.
    pub async fn documentation(
        &self,
        id: &WorkerTypeId,
        revision: Option<RevisionNumber>,
    ) -> Result<String, ClientError> {
        let call = self.get(&path(id, &["documentation"])).query("revision", revision.map(|n| n.to_string()));
        call.accept("text/markdown").send().await?.text().await
    }

    /// `GET …/validation`: the bundle that gates evaluate, unless it is the one that `etag` names.
    ///
    /// # Errors
    /// `unknown-worker-type`, `deleted`, and those of every call.
    pub async fn validation(&self, id: &WorkerTypeId, etag: Option<&str>) -> Result<Conditional<Bundle>, ClientError> {
        let answer = self.get(&path(id, &["validation"])).header(header::IF_NONE_MATCH, etag).send().await?;
        if answer.status() == StatusCode::NOT_MODIFIED {
            return Ok(Conditional::NotModified);
        }
        let etag = answer.header(header::ETAG);
        Ok(Conditional::Fresh { value: answer.json().await?, etag })
    }

    /// As [`Client::validation`], the text unread, within `patience` and `limit` bytes.
    pub(crate) async fn validation_text(
        &self,
        id: &WorkerTypeId,
        etag: Option<&str>,
        patience: Duration,
        limit: usize,
    ) -> Result<Conditional<Bytes>, ClientError> {
        let call = self.get(&path(id, &["validation"])).header(header::IF_NONE_MATCH, etag);
        let answer = call.within(patience).limit(limit).send().await?;
        match answer.status() {
            StatusCode::NOT_MODIFIED if etag.is_some() => Ok(Conditional::NotModified),
            StatusCode::OK => {
                let etag = answer.header(header::ETAG);
                Ok(Conditional::Fresh { value: answer.bytes().await?, etag })
            }
            _ => Err(answer.unexpected("a validation bundle with status 200").await),
        }
    }
}
