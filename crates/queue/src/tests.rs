//! The queue as a whole: what it answers, what it keeps, on both databases and over HTTP.

pub(crate) mod contract;
mod creating;
mod http;
mod judging;
mod keeping;
mod recording;
