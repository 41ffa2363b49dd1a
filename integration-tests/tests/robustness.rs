//! What holds when processes die and networks lie. A slice here; `make chaos` runs more rounds.

mod durability;
mod outage;

/// Rounds of the long tests: `WM_ROUNDS`, as many as take half a minute otherwise.
pub fn rounds() -> usize {
    std::env::var("WM_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(20)
}
