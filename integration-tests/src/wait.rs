//! Waiting for a condition, never for a time.

use std::time::{Duration, Instant};

/// How long a condition may take before the test is hung.
const HANG: Duration = Duration::from_secs(60);

/// Asks until `condition` answers something.
///
/// # Panics
/// It does not within a minute.
pub fn wait_for<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = condition() {
            return found;
        }
        assert!(start.elapsed() < HANG, "waited a minute for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Asks until `condition` holds.
///
/// # Panics
/// It does not within a minute.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    wait_for(what, || condition().then_some(()));
}
