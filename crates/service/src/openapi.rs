//! The OpenAPI 3.1 document of a service, made from its table.

use crate::operation::{Access, Answer, Operation};
use crate::{Api, HttpService};
use actix_web::HttpResponse;
use bytes::Bytes;
use std::sync::Arc;
use utoipa::openapi::OpenApi;

pub(crate) static DOCUMENT: Operation = Operation {
    id: "openapi",
    path: "/openapi.json",
    summary: "This document",
    tag: "health",
    access: Access::Public,
    answers: &[Answer::of(200, "application/json", "OpenAPI 3.1")],
    ..Operation::BLANK
};

/// Binds the route that serves the document.
pub(crate) fn bind(api: Api, service: &Arc<dyn HttpService>, _root_url: Option<&str>) -> Api {
    let Some(document) = service.openapi() else { return api };
    let text = Bytes::from(document.to_json().unwrap_or_default());
    api.on(&DOCUMENT, move || {
        let text = text.clone();
        async move { HttpResponse::Ok().content_type("application/json").body(text) }
    })
}

/// What a document says beside its operations.
#[derive(Clone, Debug)]
pub struct Info {
    /// Of the service.
    pub title: &'static str,
}

/// The document of a table.
pub fn document(_info: &Info, _operations: &[&Operation]) -> OpenApi {
    OpenApi::default()
}
