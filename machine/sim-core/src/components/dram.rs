//! Schedulers of DRAM channels, written by the user: the trait, and what a scheduler knows of a
//! request.

use super::registered::kind;
use super::{Registered, Seated};
use dyn_clone::DynClone;

/// A user's scheduler of a DRAM channel: which queued request is served first, and when a row is
/// closed.
///
/// A program registers it under a word of chip files
/// ([`Registry::dram_scheduler`](crate::registry::Registry::dram_scheduler)). Each channel of the
/// chip has a separate object, which is created with the idle channel.
///
/// Each bank serves its request with the smallest [`value`](DramPolicy::value) first: its next
/// command is the column command of this request, if its row is open, else the activate or the
/// precharge for it. Of the next commands of all banks the channel issues the one that the DRAM
/// timing allows first; among those of the same cycle, the one for the smallest value; among equals
/// the one for the oldest request. Refreshes and the starvation bound of the chip
/// (`partition.dram.starvation`) go first, so that no value is an invalid answer and every request
/// is served.
///
/// The values should depend only on the calls so far. Then the same launch gives the same report,
/// byte for byte, on any number of host threads.
pub trait DramPolicy: DynClone + Send + 'static {
    /// Returns the value of a queued request; the smallest is served first. Called for each queued
    /// request, in ascending order of the banks and from the oldest one, after each new request and
    /// each command.
    fn value(&mut self, request: &DramRequest) -> u64;

    /// The first data of `request` is transferred. Called once for each request.
    fn served(&mut self, request: &DramRequest) {
        let _ = request;
    }

    /// Whether the bank closes its row after `request`: no other request for the row is queued.
    /// The chip may have it closed in any case (`partition.dram.page`).
    fn closes(&mut self, request: &DramRequest) -> bool {
        let _ = request;
        false
    }
}

/// A request in the queue of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DramRequest {
    /// Command cycle of the call, counted from the start of the launch.
    pub now: u64,
    /// Command cycle in which the request was queued.
    pub arrival: u64,
    /// Number of the bank.
    pub bank: u32,
    /// Number of the row in the bank.
    pub row: u32,
    /// Whether the row is open.
    pub hit: bool,
    /// Whether the request writes.
    pub write: bool,
    /// Number of bursts.
    pub bursts: u32,
}

kind! {
    /// The kind of schedulers of DRAM channels.
    pub enum DramPolicies = "DRAM scheduler" in dram_schedulers:
        dyn Fn(&[u64], u32) -> Box<dyn DramPolicy> + Send + Sync
}

impl Registered<DramPolicies> {
    /// Creates the scheduler of the channel of partition number `partition`.
    pub fn seat(self, partition: u32) -> Seated<dyn DramPolicy> {
        Seated::new(self.make()(self.values(), partition))
    }
}
