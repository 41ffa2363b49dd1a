//! Room for proofs that lie inside one another: their depth is bounded, and the caller's stack is smaller than that.

/// Bytes: 300 questions inside one another take about 20 KiB each without optimisation, and values are made on top.
const STACK: usize = 64 << 20;

/// Runs `work` on a stack of its own; none where no thread can be had.
pub(super) fn on_a_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("compare".to_owned()).stack_size(STACK);
        thread.spawn_scoped(scope, work).ok()?.join().ok()
    })
}
