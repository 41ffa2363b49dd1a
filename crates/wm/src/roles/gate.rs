//! The queue's gate, fed by worker-manager over HTTP, also where both run in one process.

use std::sync::Arc;
use worker_manager_client::{Client, GateSettings, PayloadGate};

pub(super) fn start(client: Client) -> Arc<dyn queue::Gate> {
    Arc::new(PayloadGate::start(client, GateSettings::default()))
}
