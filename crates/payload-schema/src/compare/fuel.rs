//! The work that one comparison may still do. Everything that loops takes from it; when it is used up, nothing more is
//! proved or found, and the answer says so. Units are about a tenth of a microsecond.

use std::cell::Cell;

#[derive(Debug)]
pub(super) struct Fuel(Cell<u64>);

impl Fuel {
    pub(super) fn new(units: u64) -> Self {
        Self(Cell::new(units))
    }

    /// Takes `units`; false when there are none left.
    pub(super) fn take(&self, units: usize) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(units as u64));
        left > 0
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.0.get() == 0
    }
}
