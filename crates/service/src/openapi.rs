//! The OpenAPI 3.1 document of a service, made from its table: a row that is served is a row that is documented.

mod components;
mod operation;

pub use components::Components;

use crate::operation::{Access, Answer, Operation};
use crate::{Api, COMMON, HttpService};
use actix_web::HttpResponse;
use bytes::Bytes;
use std::sync::Arc;
use utoipa::openapi::path::{HttpMethod, PathItem, Paths};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{InfoBuilder, OpenApi, OpenApiBuilder, ServerBuilder};

/// The name of the security scheme.
const TOKEN: &str = "token";

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
pub(crate) fn bind(api: Api, service: &Arc<dyn HttpService>) -> Api {
    let Some(document) = service.openapi() else { return api };
    let text = Bytes::from(text(&document));
    api.on(&DOCUMENT, move || {
        let text = text.clone();
        async move { HttpResponse::Ok().content_type("application/json").body(text) }
    })
}

/// The document as it is served and kept: indented, with a line end.
pub fn text(document: &OpenApi) -> String {
    // A document is made of strings and maps of strings: it can be written.
    document.to_pretty_json().unwrap_or_default() + "\n"
}

/// What a document says beside its operations.
#[derive(Clone, Debug)]
pub struct Info {
    /// Of the service.
    pub title: &'static str,
    /// What it is for, in Markdown.
    pub description: &'static str,
    /// Of the service.
    pub version: &'static str,
    /// Where its routes stand.
    pub prefix: String,
}

/// The document of a table, with the rows that every service has. `components` describes the bodies that the rows name.
pub fn document(info: &Info, operations: &[&'static Operation], components: Components) -> OpenApi {
    let mut paths = Paths::new();
    for row in operations.iter().chain(COMMON) {
        let method = match row.method {
            crate::Verb::Get => HttpMethod::Get,
            crate::Verb::Put => HttpMethod::Put,
            crate::Verb::Post => HttpMethod::Post,
            crate::Verb::Delete => HttpMethod::Delete,
        };
        let item = PathItem::new(method, operation::describe(row));
        match paths.paths.get_mut(row.path) {
            Some(there) => there.merge_operations(item),
            None => {
                paths.paths.insert(row.path.to_owned(), item);
            }
        }
    }
    let mut components = components.finish();
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A static token. Its scopes are Taskcluster's: a trailing * stands for every ending."))
        .build();
    components.add_security_scheme(TOKEN, SecurityScheme::Http(scheme));
    let info_object =
        InfoBuilder::new().title(info.title).description(Some(info.description)).version(info.version).build();
    OpenApiBuilder::new()
        .info(info_object)
        .servers(Some([ServerBuilder::new().url(info.prefix.clone()).build()]))
        .paths(paths)
        .components(Some(components))
        .build()
}
