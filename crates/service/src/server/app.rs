//! The application of one worker.

use crate::api::{Api, refuse_route};
use crate::edge::{Edge, handle};
use crate::forward;
use crate::health::Health;
use crate::metrics::Meter;
use crate::{HttpService, OwnOrigin, Settings, Shutdown, openapi, problems};
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::{App, Error, web};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// What every worker makes its application from.
#[derive(Clone)]
pub(super) struct AppParts {
    pub(super) settings: Settings,
    pub(super) services: Vec<Arc<dyn HttpService>>,
    pub(super) shutdown: Shutdown,
    pub(super) started: Instant,
}

impl AppParts {
    pub(super) fn app(
        &self,
    ) -> App<
        impl ServiceFactory<ServiceRequest, Config = (), Response = ServiceResponse<BoxBody>, Error = Error, InitError = ()>
        + use<>,
    > {
        let edge = Rc::new(Edge {
            access: self.settings.access.clone(),
            log: self.settings.access_log.clone(),
            root_url: self.settings.root_url.clone(),
            services: self.services.clone(),
            forwards: self.settings.forwards.clone(),
            unrouted: Meter::new("none", "none"),
            forwarded: Meter::new("forward", "forward"),
        });
        App::new()
            .app_data(self.shutdown.clone())
            .app_data(OwnOrigin::new(self.settings.root_url.as_deref()))
            .configure(|config| self.settings.forwards.iter().for_each(|one| forward::mount(one, config)))
            .configure(|config| self.services.iter().for_each(|service| self.mount(service, config)))
            .configure(|config| self.root(config))
            .default_service(web::to(refuse_route))
            .wrap_fn(move |request, service| handle(edge.clone(), request, service))
    }

    fn mount(&self, service: &Arc<dyn HttpService>, config: &mut web::ServiceConfig) {
        service.state(config);
        let api = service.routes(Api::new(service.name(), service.prefix(), service.limits()));
        if service.prefix().is_empty() {
            return api.register(config);
        }
        let api = self.health(vec![service.clone()]).bind(api);
        openapi::bind(api, service).register(config);
    }

    /// What stands at the root, for all services.
    fn root(&self, config: &mut web::ServiceConfig) {
        let api = Api::new("server", String::new(), BTreeMap::new());
        problems::bind(self.health(self.services.clone()).bind(api)).register(config);
    }

    fn health(&self, services: Vec<Arc<dyn HttpService>>) -> Health {
        let build = Arc::new(self.settings.build.clone());
        Health { services, build, started: self.started, shutdown: self.shutdown.clone() }
    }
}
