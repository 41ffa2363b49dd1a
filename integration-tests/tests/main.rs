//! One binary for all integration tests: it starts the real `wm` and speaks HTTP.

mod cases;
mod real_data;
mod robustness;
