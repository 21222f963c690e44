//! Throttles, written by the user: how many blocks an SM holds at the same time.

use super::registered::kind;
use super::{Registered, Seated};
use dyn_clone::DynClone;

/// Activity of an SM since the start of the launch, at the end of a block. Slots are the issue
/// slots of all its schedulers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SmActivity {
    /// Number of the issue cycle since the launch.
    pub cycle: u64,
    /// Blocks that the SM holds or waits for, without the one that ends.
    pub resident: u32,
    /// Blocks that fit.
    pub most: u32,
    /// Blocks that have ended.
    pub ended: u64,
    /// Slots in which an instruction issued.
    pub issued: u64,
    /// Empty slots in which all warps waited for memory, or for the load/store unit.
    pub memory: u64,
    /// Other empty slots.
    pub idle: u64,
    /// Lines of global loads that hit in the L1.
    pub l1_hits: u64,
    /// Lines of global loads that missed in the L1.
    pub l1_misses: u64,
}

/// A user's throttle of an SM: how many blocks it holds.
///
/// A program registers it under a word of chip files
/// ([`Registry::throttle`](crate::registry::Registry::throttle)). Each SM of the chip has a
/// separate object, which is created before the first block arrives.
///
/// A limit is at least 1 and at most the number of blocks that fit: a smaller or larger one is
/// moved there, so that no number is an invalid answer. A block that has started is never stopped:
/// an SM above its limit gets no block until enough of its blocks have ended.
///
/// The limits should depend only on the calls so far. Then the same launch gives the same report,
/// byte for byte, on any number of host threads.
pub trait ThrottlePolicy: DynClone + Send + 'static {
    /// Returns the limit at the start of the launch, if `most` blocks fit. It must be the same for
    /// each SM.
    fn start(&self, most: u32) -> u32 {
        most
    }

    /// Returns the limit from now on. Called when a block has ended.
    fn limit(&mut self, sm: &SmActivity) -> u32;
}

kind! {
    /// The kind of throttles.
    pub enum Throttles = "throttle" in throttles:
        dyn Fn(&[u64], u32) -> Box<dyn ThrottlePolicy> + Send + Sync
}

impl Registered<Throttles> {
    /// Creates the throttle of SM number `sm`.
    pub fn seat(self, sm: u32) -> Seated<dyn ThrottlePolicy> {
        Seated::new(self.make()(self.values(), sm))
    }
}
