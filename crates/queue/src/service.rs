//! The queue as a service of the server that carries it.

use crate::health::Pulse;
use crate::queue::Queue;
use crate::{metrics, openapi, operations, routes};
use ::service::{Api, Check, HttpService, Operation};
use actix_web::web::{Data, ServiceConfig};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use utoipa::openapi::OpenApi;

/// `/api/queue/v1`.
pub struct QueueService {
    queue: Queue,
    pulse: Arc<Pulse>,
}

impl QueueService {
    /// Serves `queue`.
    pub fn new(queue: Queue) -> Self {
        metrics::describe();
        Self { queue, pulse: Arc::default() }
    }
}

impl HttpService for QueueService {
    fn name(&self) -> &'static str {
        "queue"
    }

    fn operations(&self) -> Vec<&'static Operation> {
        operations::ALL.to_vec()
    }

    fn routes(&self, api: Api) -> Api {
        routes::bind(api)
    }

    fn state(&self, config: &mut ServiceConfig) {
        config.app_data(Data::new(self.queue.clone()));
    }

    fn limits(&self) -> BTreeMap<&'static str, usize> {
        BTreeMap::from([(operations::BODY.setting, self.queue.settings().body_limit)])
    }

    fn checks(&self) -> Vec<Check> {
        vec![self.pulse.check(), self.queue.gate_check()]
    }

    fn background(&self) -> Vec<Pin<Box<dyn Future<Output = ()> + Send>>> {
        let (queue, pulse) = (self.queue.clone(), Arc::clone(&self.pulse));
        vec![
            Box::pin(self.queue.clone().keep_house()),
            Box::pin(metrics::keep(self.queue.clone())),
            Box::pin(async move { pulse.watch(queue).await }),
        ]
    }

    fn openapi(&self) -> Option<OpenApi> {
        Some(openapi::document(self.prefix()))
    }
}
