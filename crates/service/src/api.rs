//! Binds handlers to the rows of a service's table.

use crate::endpoint::{Endpoint, route};
use crate::metrics::Meter;
use crate::{Operation, Refusal};
use actix_web::http::header;
use actix_web::web::ServiceConfig;
use actix_web::{FromRequest, Handler, Responder, Route, web};
use std::collections::BTreeMap;
use std::rc::Rc;
use worker_types::Problem;

/// The routes of one service, as they are put together in one worker.
pub struct Api {
    service: &'static str,
    prefix: String,
    limits: Rc<BTreeMap<&'static str, usize>>,
    routes: Vec<(&'static Operation, Route)>,
}

impl Api {
    pub(crate) fn new(service: &'static str, prefix: String, limits: BTreeMap<&'static str, usize>) -> Self {
        Self { service, prefix, limits: Rc::new(limits), routes: Vec::new() }
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
        });
        self.routes.push((operation, route(endpoint, handler)));
        self
    }

    /// The operations that are bound.
    pub fn operations(&self) -> impl Iterator<Item = &'static Operation> + '_ {
        self.routes.iter().map(|(operation, _)| *operation)
    }

    pub(crate) fn register(self, config: &mut ServiceConfig) {
        let mut resources: Vec<(&'static str, Vec<&'static str>, actix_web::Resource)> = Vec::new();
        for (operation, route) in self.routes {
            let place = resources.iter().position(|(path, ..)| *path == operation.path).unwrap_or_else(|| {
                resources.push((operation.path, Vec::new(), web::resource(operation.path)));
                resources.len() - 1
            });
            let (path, methods, resource) = resources.swap_remove(place);
            let mut methods = methods;
            methods.push(operation.method.as_str());
            resources.push((path, methods, resource.route(route)));
            let last = resources.len() - 1;
            resources.swap(place, last);
        }
        let finished = resources.into_iter().map(|(_, methods, resource)| {
            let allow = allow(&methods);
            resource.default_service(web::to(move || refuse_method(allow.clone())))
        });
        if self.prefix.is_empty() {
            finished.for_each(|resource| {
                config.service(resource);
            });
        } else {
            config.service(finished.fold(web::scope(&self.prefix), actix_web::Scope::service));
        }
    }
}

/// The value of `Allow` (RFC 9110 §10.2.1).
fn allow(methods: &[&str]) -> String {
    let mut names: Vec<&str> = methods.to_vec();
    if names.contains(&"GET") {
        names.insert(1, "HEAD");
    }
    names.join(", ")
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
