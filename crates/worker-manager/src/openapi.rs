//! The OpenAPI document of the service. The copy under `schemas/` is held against it by a test.

use crate::answer::PREFIX;
use crate::routes::OPERATIONS;
use crate::shapes;
use service::Info;
use utoipa::openapi::OpenApi;

/// The document.
pub fn document() -> OpenApi {
    let info = Info {
        title: "worker-manager",
        description: "Owns the definitions of worker types: what tasks they accept, how, and since when. Ids of worker \
                      types may be sent as two path segments or as one (`proj%2Flinux`). `HEAD` works where `GET` does.",
        version: env!("CARGO_PKG_VERSION"),
        prefix: PREFIX.to_owned(),
    };
    service::openapi_document(&info, OPERATIONS, shapes::components())
}
