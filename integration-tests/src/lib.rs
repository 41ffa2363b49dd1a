//! Drives the real binary over HTTP.
