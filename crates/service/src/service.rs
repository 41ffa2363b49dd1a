//! What a service of ours offers to the server that carries it.

use crate::{Api, Check, Operation};
use actix_web::http::header::HeaderName;
use actix_web::web::ServiceConfig;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use utoipa::openapi::OpenApi;

/// A refused request, as a page tells of it.
#[derive(Clone, Copy, Debug)]
pub struct Refused<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The problem's name.
    pub problem: &'static str,
    /// The problem in a few words.
    pub title: &'static str,
    /// What is wrong with this request.
    pub detail: &'a str,
    /// What was probably meant.
    pub suggestion: Option<&'a str>,
    /// What was asked for.
    pub path: &'a str,
    /// As the log names the request.
    pub request_id: &'a str,
}

/// A page for a browser whose request was refused.
#[derive(Clone, Debug)]
pub struct ErrorPage {
    /// The text.
    pub html: String,
    /// What it is sent with.
    pub headers: Vec<(HeaderName, String)>,
}

/// A service: worker-manager, the queue, the pages.
pub trait HttpService: Send + Sync + 'static {
    /// As it stands in URLs and in measures.
    fn name(&self) -> &'static str;

    /// Where its routes stand.
    fn prefix(&self) -> String {
        format!("/api/{}/v1", self.name())
    }

    /// Its table.
    fn operations(&self) -> Vec<&'static Operation>;

    /// Binds a handler to each row. Called once in every worker.
    fn routes(&self, api: Api) -> Api;

    /// Puts what its handlers share into the application. Called once in every worker.
    fn state(&self, config: &mut ServiceConfig);

    /// Body limits that differ from the table's, by the name of their setting.
    fn limits(&self) -> BTreeMap<&'static str, usize> {
        BTreeMap::new()
    }

    /// How it is.
    fn checks(&self) -> Vec<Check> {
        Vec::new()
    }

    /// What runs beside its requests, from the start of the server to its end.
    fn background(&self) -> Vec<Pin<Box<dyn Future<Output = ()> + Send>>> {
        Vec::new()
    }

    /// The page that a browser gets instead of a problem document, where this service makes pages.
    fn error_page(&self, _refused: &Refused<'_>) -> Option<ErrorPage> {
        None
    }

    /// Its OpenAPI document, without what every service has.
    fn openapi(&self) -> Option<OpenApi> {
        None
    }
}
