//! What every HTTP service of ours serves alike: admission, one table of operations per service, problem documents,
//! health, metrics, the access log, and the server that carries it.
//!
//! A service says which [`Operation`]s it has and binds a handler to each ([`Api::on`]); nothing can be served that is
//! not in its table. [`start`] runs a list of services on one port. What the services do is not known here.

mod access;
mod access_log;
mod api;
mod body;
mod conditional;
mod context;
mod edge;
mod endpoint;
mod foreign;
mod forward;
mod health;
mod ids;
mod logging;
mod metrics;
mod negotiate;
mod openapi;
mod operation;
mod page;
mod problem_body;
mod problems;
mod query;
mod refusal;
mod server;
mod service;

pub use access::{AccessPolicy, Authorised, OwnOrigin, Token, TokenError, token_digest};
pub use access_log::AccessLog;
pub use api::{Api, Condition, Remark};
pub use body::{JsonBody, Line, Lines, NdjsonBody, announced_length, read_limited};
pub use conditional::{Encoding, EntityTags, encoding, if_none_match};
pub use context::RequestId;
pub use forward::{Forward, Forwarding};
pub use health::{BuildInfo, COMMON, Check, CheckState};
pub use ids::{Id, PathId};
pub use logging::{LogFormat, init as init_logging};
pub use negotiate::{accepts, best};
pub use openapi::{Components, Info, document as openapi_document, text as openapi_text};
pub use operation::{Access, Answer, Body, BodyLimit, Kind, Operation, Parameter, Verb, Waits};
pub use page::{headers as html_headers, html as html_page};
pub use query::{Query, QueryFields, QueryValues};
pub use refusal::Refusal;
pub use server::{Bound, Running, Settings, Shutdown, StartError, bind, start, stop_signal};
pub use service::{ErrorPage, HttpService, Refused};
