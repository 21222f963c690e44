//! A DRAM scheduler: row hits first, but only among requests of about the same age.

use warpsim::dram::{DramPolicy, DramRequest};

/// Serves the requests of one slice of time before those of the next; within a slice, requests for
/// an open row first, then the oldest one. A stream of row hits delays other requests for at most a
/// slice.
#[derive(Clone, Debug)]
pub struct Slices {
    /// Command cycles of a slice.
    cycles: u64,
}

impl Slices {
    /// Returns the scheduler of a channel with slices of `cycles` command cycles, at least 1.
    pub fn new(cycles: u64) -> Self {
        Self { cycles: cycles.max(1) }
    }
}

impl DramPolicy for Slices {
    fn value(&mut self, request: &DramRequest) -> u64 {
        let slice = request.arrival / self.cycles;
        2 * slice + u64::from(!request.hit)
    }
}
