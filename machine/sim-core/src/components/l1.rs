//! Prefetchers of the L1, written by the user; and what they and scheduling policies know of an
//! access to the L1.

use super::registered::kind;
use super::{Registered, Seated};
use dyn_clone::DynClone;

/// The access of a warp to a line of global memory in the L1: a load that the L1 caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct L1Access {
    /// Number of the issue cycle since the launch in which the L1 looks the line up.
    pub cycle: u64,
    /// Slot of the warp.
    pub warp: u32,
    /// Launch number of the warp, unique within a launch. The slot may be another warp's by now.
    pub age: u64,
    /// Index of the instruction in the kernel.
    pub pc: u32,
    /// Address of the first byte of the line, a multiple of 128.
    pub address: u32,
    /// Whether the line is in the L1. If not, it has been requested, by this access or an earlier
    /// one.
    pub hit: bool,
}

/// A user's prefetcher of an L1: which lines are requested before a load needs them.
///
/// A program registers it under a word of chip files
/// ([`Registry::prefetcher`](crate::registry::Registry::prefetcher)). Each L1 of the chip has a
/// separate object, which is created with the empty cache.
///
/// The L1 requests a wanted line unless it is in the cache or has been requested. It drops the line
/// if it would take the last free MSHR, or if too many messages of the L1 wait for the port: loads
/// go first, so that no line is an invalid answer. A prefetched line is like any other line of the
/// L1: it holds the values of memory at the time when the partition answers.
///
/// The lines should depend only on the calls so far. Then the same launch gives the same report,
/// byte for byte, on any number of host threads.
pub trait Prefetcher: DynClone + Send + 'static {
    /// Adds the addresses of wanted lines to `wanted`, which is empty. Called for each access, in
    /// the order of the look-ups.
    fn access(&mut self, access: &L1Access, wanted: &mut Vec<u32>);
}

kind! {
    /// The kind of prefetchers.
    pub enum Prefetchers = "prefetcher" in prefetchers:
        dyn Fn(&[u64], u32) -> Box<dyn Prefetcher> + Send + Sync
}

impl Registered<Prefetchers> {
    /// Creates the prefetcher of SM number `sm`.
    pub fn seat(self, sm: u32) -> Seated<dyn Prefetcher> {
        Seated::new(self.make()(self.values(), sm))
    }
}
