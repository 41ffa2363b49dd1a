//! Counters and durations of requests, in Prometheus' format. Handles are resolved once for each operation and status.

use actix_web::http::StatusCode;
use metrics::{Counter, Histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::cell::OnceCell;
use std::sync::OnceLock;
use std::time::Duration;

/// Statuses that have a counter of their own; the last stands for all others.
const STATUSES: [u16; 26] = [
    101, 200, 201, 204, 206, 304, 400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 424, 428, 429, 500, 502,
    503, 504, 0,
];

/// Upper bounds of the buckets, in seconds: from a read out of memory to a slow publish.
const SECONDS: [f64; 12] = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0];

/// The measures of one operation in one worker.
pub(crate) struct Meter {
    service: &'static str,
    operation: &'static str,
    requests: [OnceCell<Counter>; STATUSES.len()],
    seconds: Histogram,
}

impl Meter {
    pub(crate) fn new(service: &'static str, operation: &'static str) -> Self {
        install();
        let seconds = metrics::histogram!("http_request_seconds", "service" => service, "operation" => operation);
        Self { service, operation, requests: std::array::from_fn(|_| OnceCell::new()), seconds }
    }

    pub(crate) fn record(&self, status: StatusCode, elapsed: Duration) {
        let status = status.as_u16();
        let place = STATUSES.iter().position(|known| *known == status).unwrap_or(STATUSES.len() - 1);
        self.requests[place].get_or_init(|| self.counter(STATUSES[place])).increment(1);
        self.seconds.record(elapsed.as_secs_f64());
    }

    fn counter(&self, status: u16) -> Counter {
        let status = if status == 0 { "other".to_owned() } else { status.to_string() };
        let (service, operation) = (self.service, self.operation);
        metrics::counter!("http_requests_total", "service" => service, "operation" => operation, "status" => status)
    }
}

static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Makes the recorder that everything in the process writes to, unless the process has one already.
fn install() -> Option<&'static PrometheusHandle> {
    let make = || {
        let builder = PrometheusBuilder::new().set_buckets(&SECONDS).ok()?;
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder).ok()?;
        metrics::describe_counter!("http_requests_total", "Requests that were answered");
        metrics::describe_histogram!(
            "http_request_seconds",
            metrics::Unit::Seconds,
            "From the head of a request to the head of its answer"
        );
        Some(handle)
    };
    HANDLE.get_or_init(make).as_ref()
}

/// Everything that was measured, as text.
pub(crate) fn render() -> String {
    install().map(PrometheusHandle::render).unwrap_or_default()
}

/// Folds what was recorded since the last time; without it memory grows between two scrapes.
pub(crate) fn upkeep() {
    if let Some(handle) = install() {
        handle.run_upkeep();
    }
}
