//! The one way in which times are written.

use jiff::Timestamp;

/// RFC 3339 in UTC with milliseconds, as Taskcluster writes times: `2027-01-02T03:04:05.678Z`.
pub fn rfc3339(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// Now, to the microsecond: what every database keeps.
pub(crate) fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
}
