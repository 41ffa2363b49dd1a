//! The binary `wm`.

fn main() {}
