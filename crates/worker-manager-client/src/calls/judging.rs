//! Verdicts by the service itself, and what would come of a proposed definition.

use super::worker_types::path;
use super::{JSON, NDJSON};
use crate::answers::BatchLine;
use crate::{CheckReport, Client, ClientError, UnexpectedAnswer};
use bytes::{Bytes, BytesMut};
use futures_util::{
    Stream, StreamExt,
    stream::{self, BoxStream},
};
use reqwest::{Body, Method};
use serde_json::{Value, json};
use std::convert::Infallible;
use worker_types::{Verdict, WorkerTypeId};

/// The longest line of a batch's answer, in bytes.
const LONGEST_LINE: usize = 16 << 20;

impl Client {
    /// `POST …/validate` with a payload alone.
    ///
    /// # Errors
    /// Those of every call. An unknown worker type is a verdict, not an error.
    pub async fn validate_payload(&self, id: &WorkerTypeId, payload: &Value) -> Result<Verdict, ClientError> {
        self.validate(id, &json!({"payload": payload})).await
    }

    /// `POST …/validate` with a whole task definition.
    ///
    /// # Errors
    /// `invalid-request` for a task that is none, and those of every call.
    pub async fn validate_task(&self, id: &WorkerTypeId, task: &Value) -> Result<Verdict, ClientError> {
        self.validate(id, &json!({"task": task})).await
    }

    async fn validate(&self, id: &WorkerTypeId, body: &Value) -> Result<Verdict, ClientError> {
        self.call(Method::POST, &path(id, &["validate"])).body(JSON, body.to_string()).json().await
    }

    /// `POST /tasks/validate`: one task definition for each line in, one verdict for each line out, in order, while the
    /// lines are still being sent. `lines` gives the text in parts of any size.
    ///
    /// # Errors
    /// Those of every call, for the head of the answer; what breaks later is an item of the stream, its last.
    pub async fn validate_batch(
        &self,
        lines: impl Stream<Item = Bytes> + Send + 'static,
    ) -> Result<BoxStream<'static, Result<BatchLine, ClientError>>, ClientError> {
        let body = Body::wrap_stream(lines.map(Ok::<_, Infallible>));
        let call = self.call(Method::POST, &["tasks", "validate"]).accept(NDJSON).body(NDJSON, body);
        let answer = call.send().await?;
        let url = answer.url().to_owned();
        Ok(Lines { parts: Box::pin(answer.stream()), buffer: BytesMut::new(), url, ended: false }.into_stream().boxed())
    }

    /// `POST …/check`: what the publish gate would say of `definition`, with `tasks` that were seen. Stores nothing.
    ///
    /// # Errors
    /// `invalid-request`, and those of every call. A definition that would be refused is an answer, not an error.
    pub async fn check(
        &self,
        id: &WorkerTypeId,
        definition: &Value,
        tasks: Option<&[Value]>,
    ) -> Result<CheckReport, ClientError> {
        let mut body = json!({"definition": definition});
        if let Some(tasks) = tasks {
            body["tasks"] = Value::Array(tasks.to_vec());
        }
        self.call(Method::POST, &path(id, &["check"])).body(JSON, body.to_string()).json().await
    }
}

/// Cuts an answer into lines.
struct Lines {
    parts: BoxStream<'static, Result<Bytes, ClientError>>,
    buffer: BytesMut,
    url: String,
    ended: bool,
}

impl Lines {
    fn into_stream(self) -> impl Stream<Item = Result<BatchLine, ClientError>> + Send + 'static {
        stream::unfold(self, |mut lines| async move {
            let line = lines.next().await?;
            if line.is_err() {
                lines.ended = true;
                lines.buffer.clear();
            }
            Some((line, lines))
        })
    }

    async fn next(&mut self) -> Option<Result<BatchLine, ClientError>> {
        let mut searched = 0;
        while !self.ended {
            if let Some(end) = self.buffer[searched..].iter().position(|byte| *byte == b'\n') {
                let line = self.buffer.split_to(searched + end + 1);
                searched = 0;
                if !line.trim_ascii().is_empty() {
                    return Some(self.read(&line));
                }
                continue;
            }
            searched = self.buffer.len();
            if searched > LONGEST_LINE {
                return Some(Err(ClientError::TooLarge { url: self.url.clone(), limit: LONGEST_LINE }));
            }
            match self.parts.next().await {
                Some(Ok(part)) => self.buffer.extend_from_slice(&part),
                Some(Err(error)) => return Some(Err(error)),
                None => self.ended = true,
            }
        }
        let rest = self.buffer.split();
        (!rest.trim_ascii().is_empty()).then(|| self.read(&rest))
    }

    fn read(&self, line: &[u8]) -> Result<BatchLine, ClientError> {
        BatchLine::read(line).map_err(|error| {
            ClientError::Unexpected(Box::new(UnexpectedAnswer {
                url: self.url.clone(),
                status: 200,
                content_type: Some(NDJSON.to_owned()),
                start: String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned(),
                expected: format!("a verdict on each line ({error})"),
            }))
        })
    }
}
