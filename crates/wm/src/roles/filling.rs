//! A service that is not ready before its first content is in it.

use actix_web::web::ServiceConfig;
use service::{Api, Check, HttpService, Operation};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use utoipa::openapi::OpenApi;

/// `service`, whose readiness waits for the switch of [`Filling::new`].
pub struct Filling {
    service: Arc<dyn HttpService>,
    filled: Arc<AtomicBool>,
}

impl Filling {
    /// The service, and the switch that says that its content is in it.
    pub fn new(service: Arc<dyn HttpService>) -> (Arc<Self>, Arc<AtomicBool>) {
        let filled = Arc::new(AtomicBool::new(false));
        (Arc::new(Self { service, filled: filled.clone() }), filled)
    }
}

impl HttpService for Filling {
    fn name(&self) -> &'static str {
        self.service.name()
    }

    fn prefix(&self) -> String {
        self.service.prefix()
    }

    fn operations(&self) -> Vec<&'static Operation> {
        self.service.operations()
    }

    fn routes(&self, api: Api) -> Api {
        self.service.routes(api)
    }

    fn state(&self, config: &mut ServiceConfig) {
        self.service.state(config);
    }

    fn limits(&self) -> BTreeMap<&'static str, usize> {
        self.service.limits()
    }

    fn checks(&self) -> Vec<Check> {
        let mut checks = self.service.checks();
        if !self.filled.load(Ordering::Acquire) {
            checks.push(Check::failed("examples", "they are being published"));
        }
        checks
    }

    fn background(&self) -> Vec<Pin<Box<dyn Future<Output = ()> + Send>>> {
        self.service.background()
    }

    fn openapi(&self) -> Option<OpenApi> {
        self.service.openapi()
    }
}
