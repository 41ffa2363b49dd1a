//! Tasks that a queue takes.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};

/// A new slug id: a version 4 UUID in base64url.
pub fn task_id() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(uuid::Uuid::new_v4())
}

/// A time some minutes from now, as Taskcluster writes it.
///
/// # Panics
/// Not within the range of times.
pub fn from_now(minutes: i64) -> String {
    let at = Timestamp::now().checked_add(minutes.minutes()).unwrap_or_else(|error| panic!("{error}"));
    format!("{at:.3}")
}

/// A well-formed task with this payload.
pub fn task(task_queue_id: &str, payload: &Value) -> Value {
    json!({
        "taskQueueId": task_queue_id, "created": from_now(0), "deadline": from_now(60), "payload": payload,
        "metadata": {"name": "a test", "description": "made for a test", "owner": "tests@example.com", "source": "https://example.com/tests"},
    })
}
