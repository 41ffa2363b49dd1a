//! worker-manager as a service that a server carries.

use crate::state::State;
use crate::{Options, after_a_write, answer, gauges, openapi, routes};
use actix_web::web::{Data, ServiceConfig};
use registry::{Registry, Trouble};
use service::{Api, Check, HttpService, Operation};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use utoipa::openapi::OpenApi;

/// The service over a registry. While it runs, the registry follows its database.
pub struct WorkerManager {
    state: Data<State>,
}

impl WorkerManager {
    /// The service.
    pub fn new(registry: Arc<Registry>, options: Options) -> Self {
        Self { state: Data::new(State { registry, options }) }
    }
}

impl HttpService for WorkerManager {
    fn name(&self) -> &'static str {
        "worker-manager"
    }

    fn operations(&self) -> Vec<&'static Operation> {
        routes::OPERATIONS.to_vec()
    }

    fn routes(&self, api: Api) -> Api {
        routes::bind(api, after_a_write::condition(self.state.clone()), answer::remark(self.state.clone()))
    }

    fn state(&self, config: &mut ServiceConfig) {
        config.app_data(self.state.clone());
    }

    fn limits(&self) -> BTreeMap<&'static str, usize> {
        self.state.options.body_limits.clone()
    }

    /// Live reads go on without the database, so its absence does not send requests elsewhere.
    fn checks(&self) -> Vec<Check> {
        let health = self.state.registry.health();
        let check = match health.trouble {
            None if health.unreadable.is_empty() => Check::ok("store"),
            // Whoever may ask for the health of a server need not be told names of worker types or, by a driver, of hosts.
            None => {
                let count = health.unreadable.len();
                let words =
                    "as they were before a newer version changed them; the status names them: upgrade this server";
                Check::degraded("store", format!("it cannot read {count} of the worker types, and shows those {words}"))
            }
            Some(trouble) => {
                let age = health.age.as_secs();
                let why = match trouble {
                    Trouble::Failing => "questions to the database fail, and the log says why",
                    Trouble::Silent => "the database does not answer",
                };
                let words = "reads show what was live then, and writes may be refused";
                Check::degraded("store", format!("{why}; the last news of it is {age} s old: {words}"))
            }
        };
        let age = (health.age.as_secs_f64() * 1_000.0).round() / 1_000.0;
        vec![check.with("applied", health.applied).with("ageSeconds", age)]
    }

    fn background(&self) -> Vec<Pin<Box<dyn Future<Output = ()> + Send>>> {
        let registry = &self.state.registry;
        vec![
            Box::pin(registry.clone().follow()),
            Box::pin(registry.clone().announce()),
            Box::pin(gauges::keep(registry.clone())),
        ]
    }

    fn openapi(&self) -> Option<OpenApi> {
        Some(openapi::document())
    }
}
