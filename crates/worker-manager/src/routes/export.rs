//! The whole registry, out.

use crate::state::State;
use actix_web::HttpResponse;
use actix_web::web::Data;
use bytes::Bytes;
use futures_util::{Stream, stream};
use registry::{ExportStep, Registry, StoreError};
use service::{Access, Answer, Authorised, Operation};
use std::collections::VecDeque;
use std::sync::Arc;

pub(super) static ROW: Operation = Operation {
    id: "export",
    path: "/export",
    summary: "Every worker type with its history and every release, as NDJSON that import takes",
    tag: "moving",
    access: Access::Scope("worker-manager:export"),
    waits: super::AFTER_A_WRITE,
    answers: &[Answer::of(
        200,
        "application/x-ndjson",
        "A header, then one record for each line; broken off if the database goes away",
    )],
    ..Operation::BLANK
};

pub(super) async fn get(_: Authorised, state: Data<State>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .insert_header(("cache-control", "no-store"))
        .streaming(Box::pin(lines(state.registry.clone())))
}

/// What is still to be written.
struct Export {
    registry: Arc<Registry>,
    header: bool,
    steps: VecDeque<ExportStep>,
    releases_planned: bool,
}

/// The text, one record after the other.
fn lines(registry: Arc<Registry>) -> impl Stream<Item = Result<Bytes, StoreError>> {
    let steps = registry.export_plan().into();
    let export = Export { registry, header: true, steps, releases_planned: false };
    stream::try_unfold(export, |mut export| async move {
        let text = export.next().await?;
        Ok(text.map(|text| (Bytes::from(text), export)))
    })
}

impl Export {
    async fn next(&mut self) -> Result<Option<String>, StoreError> {
        if std::mem::take(&mut self.header) {
            return Ok(Some(self.registry.export_header()));
        }
        if self.steps.is_empty() && !self.releases_planned {
            self.releases_planned = true;
            self.steps = self.registry.export_releases().into();
        }
        match self.steps.pop_front() {
            Some(step) => self.registry.export_lines(step).await.map(Some),
            None => Ok(None),
        }
    }
}
