//! Binds handlers to the rows of a service's table.

use crate::endpoint::{Endpoint, route};
use crate::metrics::Meter;
use crate::{Operation, Refusal};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::web::ServiceConfig;
use actix_web::{FromRequest, Handler, Resource, Responder, Route, web};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use worker_types::Problem;

/// Waits for what the value of a header asks for, or refuses. Only where a row says so, and a request has the header.
pub type Condition = Rc<dyn Fn(&HeaderValue) -> Pin<Box<dyn Future<Output = Result<(), Refusal>>>>>;

/// What is said, in headers, of an answer that was made from what the service holds in memory.
pub type Remark = Rc<dyn Fn(&mut HeaderMap)>;

/// The routes of one service, as they are put together in one worker.
pub struct Api {
    service: &'static str,
    prefix: String,
    limits: Rc<BTreeMap<&'static str, usize>>,
    condition: Option<Condition>,
    remark: Option<Remark>,
    routes: Vec<(&'static Operation, Route)>,
}

impl Api {
    pub(crate) fn new(service: &'static str, prefix: String, limits: BTreeMap<&'static str, usize>) -> Self {
        Self { service, prefix, limits: Rc::new(limits), condition: None, remark: None, routes: Vec::new() }
    }

    /// How the rows wait that are bound from here on.
    #[must_use]
    pub fn waiting(mut self, condition: Condition) -> Self {
        self.condition = Some(condition);
        self
    }

    /// What is said of the answers of rows that may wait, of those that are bound from here on.
    #[must_use]
    pub fn remarking(mut self, remark: Remark) -> Self {
        self.remark = Some(remark);
        self
    }

    /// Serves `operation` by `handler`. Routes are tried in the order in which their paths are bound.
    #[must_use]
    pub fn on<H, A>(mut self, operation: &'static Operation, handler: H) -> Self
    where
        H: Handler<A>,
        A: FromRequest + 'static,
        H::Output: Responder + 'static,
    {
        let endpoint = Rc::new(Endpoint {
            operation,
            service: self.service,
            meter: Meter::new(self.service, operation.id),
            limits: self.limits.clone(),
            condition: self.condition.clone().and_then(|condition| {
                let name = HeaderName::from_bytes(operation.waits?.header.name.as_bytes()).ok()?;
                Some((name, condition))
            }),
            remark: self.remark.clone().filter(|_| operation.waits.is_some()),
        });
        self.routes.push((operation, route(endpoint, handler)));
        self
    }

    /// The operations that are bound.
    pub fn operations(&self) -> impl Iterator<Item = &'static Operation> + '_ {
        self.routes.iter().map(|(operation, _)| *operation)
    }

    pub(crate) fn register(self, config: &mut ServiceConfig) {
        let mut resources: Vec<PathRoutes> = Vec::new();
        for (operation, route) in self.routes {
            match resources.iter_mut().find(|resource| resource.path == operation.path) {
                Some(resource) => resource.add(operation, route),
                None => resources.push(PathRoutes::new(operation, route)),
            }
        }
        let resources = resources.into_iter().map(PathRoutes::finish);
        if self.prefix.is_empty() {
            resources.for_each(|resource| {
                config.service(resource);
            });
        } else {
            config.service(resources.fold(web::scope(&self.prefix), actix_web::Scope::service));
        }
    }
}

/// The routes of one path.
struct PathRoutes {
    path: &'static str,
    methods: Vec<&'static str>,
    routes: Vec<Route>,
}

impl PathRoutes {
    fn new(operation: &'static Operation, route: Route) -> Self {
        Self { path: operation.path, methods: vec![operation.method.as_str()], routes: vec![route] }
    }

    fn add(&mut self, operation: &'static Operation, route: Route) {
        self.methods.push(operation.method.as_str());
        self.routes.push(route);
    }

    fn finish(self) -> Resource {
        let allow = allow(&self.methods);
        let resource = self.routes.into_iter().fold(web::resource(self.path), Resource::route);
        resource.default_service(web::to(move || refuse_method(allow.clone())))
    }
}

/// The value of `Allow` (RFC 9110 §10.2.1).
fn allow(methods: &[&str]) -> String {
    let with_head = |method: &&str| if *method == "GET" { "GET, HEAD".to_owned() } else { (*method).to_owned() };
    methods.iter().map(with_head).collect::<Vec<_>>().join(", ")
}

async fn refuse_method(allow: String) -> Result<String, Refusal> {
    let detail = format!("the route has the methods {allow}");
    Err(Refusal::new(Problem::MethodNotAllowed, detail).header(header::ALLOW, allow))
}

/// What answers where no route does.
pub(crate) async fn refuse_route() -> Result<String, Refusal> {
    let detail = "there is no such route; /api/<service>/v1/openapi.json lists those of a service";
    Err(Refusal::new(Problem::UnknownRoute, detail))
}
