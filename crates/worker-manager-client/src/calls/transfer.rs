//! The whole registry, out and in, as NDJSON.

use super::NDJSON;
use crate::{Client, ClientError, ImportReport};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream::BoxStream};
use reqwest::{Body, Method};
use std::convert::Infallible;

impl Client {
    /// `GET /export`: every worker type with its history, and every release. A part may end within a line.
    ///
    /// # Errors
    /// `forbidden`, and those of every call, for the head of the answer; what breaks later is an item of the stream,
    /// its last.
    pub async fn export(&self) -> Result<BoxStream<'static, Result<Bytes, ClientError>>, ClientError> {
        Ok(self.get(&["export"]).accept(NDJSON).send().await?.stream().boxed())
    }

    /// `POST /import`: an export, into this registry; all or nothing. Waits as long as the server works.
    ///
    /// # Errors
    /// `invalid-import` with the line of each fault, `forbidden`, and those of every call.
    pub async fn import(
        &self,
        records: impl Stream<Item = Bytes> + Send + 'static,
    ) -> Result<ImportReport, ClientError> {
        let body = Body::wrap_stream(records.map(Ok::<_, Infallible>));
        let call = self.call(Method::POST, &["import"]).body(NDJSON, body);
        call.within(std::time::Duration::from_secs(3600)).json().await
    }
}
