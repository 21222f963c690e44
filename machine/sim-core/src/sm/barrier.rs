//! Barriers of a block: counters of warps, as in the hardware.
//!
//! A barrier waits for all warps of the block that have not exited, or for the number of warps
//! given by its thread count. The last arrival releases the waiting warps. An arriving warp either
//! waits itself (`bar.sync`, `bar.red`) or only signals its arrival (`bar.arrive`). After the
//! release the barrier is immediately ready for reuse.
//!
//! Invariant `barriers-count-warps`: Barriers count warps, and a warp that exits lowers the count.

use crate::exec::barrier::{Arrival, Reduction};
use crate::state::Value;

/// Number of named barriers of a block (PTX ISA, `bar`).
pub const BARRIERS: usize = 16;

/// State of one barrier, from its first arrival to its completion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
pub struct Gathering {
    /// Mask of the warp slots that have arrived.
    pub arrived: u64,
    /// Mask of the arrived warps that wait.
    pub waiting: u64,
    /// Number of arrivals. A warp that does not wait may arrive again.
    pub count: u32,
    /// Number of required arrivals; 0: one arrival of each warp that has not exited.
    pub wanted: u32,
    /// Reduction of the predicates of the warps that executed `bar.red`.
    asked: Reduction,
}

impl Gathering {
    /// For a barrier with a thread count: number of required arrivals, and number of arrivals so
    /// far.
    pub fn counted(&self) -> Option<(u32, u32)> {
        (self.wanted != 0).then_some((self.wanted, self.count))
    }
}

/// Warps that a barrier releases, and the reduction result for those that executed `bar.red`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Release {
    /// Mask of warp slots; 0 while the barrier waits.
    pub warps: u64,
    /// Reduction result of the `bar.red` instructions.
    pub found: Reduction,
}

/// Error: a warp arrived at a barrier with a thread count that differs from the count of the
/// earlier arrivals, which is the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherCount(pub u32);

/// The barriers of one block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Value)]
pub struct Barriers {
    barriers: [Gathering; BARRIERS],
}

impl Barriers {
    /// Warp slot `warp` arrives at a barrier. The block has `all` warps; the warps in slots `live`
    /// have not exited.
    pub fn arrive(
        &mut self,
        arrival: &Arrival,
        warp: u32,
        live: u64,
        all: u32,
    ) -> Result<Release, OtherCount> {
        let barrier = &mut self.barriers[arrival.id as usize];
        if barrier.count == 0 {
            barrier.wanted = arrival.warps;
        } else if barrier.wanted != arrival.warps {
            // A count of the whole block is equivalent to no count.
            let or_all = |warps: u32| if warps == 0 { all } else { warps };
            if or_all(barrier.wanted) != or_all(arrival.warps) {
                return Err(OtherCount(32 * or_all(barrier.wanted)));
            }
            barrier.wanted = 0;
        }
        barrier.arrived |= 1 << warp;
        barrier.waiting |= u64::from(arrival.waits) << warp;
        barrier.count += 1;
        barrier.asked.lanes += arrival.asked.0.count_ones();
        barrier.asked.trues += arrival.asked.1.count_ones();
        Ok(self.complete(arrival.id as usize, live))
    }

    /// Processes the exit of a warp; the warps in slots `live` remain. Barriers without a thread
    /// count now wait for fewer warps. Returns the release of each completed barrier.
    pub fn exit(&mut self, live: u64) -> impl Iterator<Item = Release> {
        (0..BARRIERS).map(move |id| self.complete(id, live)).filter(|release| release.warps != 0)
    }

    /// Resets the barrier if all warps have arrived.
    pub fn complete(&mut self, id: usize, live: u64) -> Release {
        let barrier = &mut self.barriers[id];
        let done = match barrier.wanted {
            0 => barrier.count != 0 && barrier.arrived & live == live,
            wanted => barrier.count >= wanted,
        };
        if !done {
            return Release::default();
        }
        let Gathering { waiting, asked, .. } = std::mem::take(barrier);
        Release { warps: waiting, found: asked }
    }

    /// The barriers at which a warp has arrived, each with its number.
    pub fn gathering(&self) -> impl Iterator<Item = (u32, &Gathering)> {
        (0..).zip(&self.barriers).filter(|(_, barrier)| barrier.count != 0)
    }

    /// The barrier at which warp slot `warp` waits, with its number.
    pub fn of(&self, warp: u32) -> Option<(u32, &Gathering)> {
        (0..).zip(&self.barriers).find(|(_, barrier)| barrier.waiting >> warp & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYNC: Arrival = Arrival { id: 0, warps: 0, waits: true, asked: (0, 0) };

    /// Returns the slots released when `warp` of a block of three arrives.
    fn free(b: &mut Barriers, arrival: Arrival, warp: u32, live: u64) -> u64 {
        b.arrive(&arrival, warp, live, 3).map_or(u64::MAX, |release| release.warps)
    }

    /// Tests: `barriers-count-warps`.
    #[test]
    fn waits_for_the_last_warp_and_can_be_reused() {
        let mut b = Barriers::default();
        assert_eq!(free(&mut b, SYNC, 1, 0b1110), 0);
        assert_eq!(free(&mut b, SYNC, 3, 0b1110), 0);
        assert_eq!(free(&mut b, SYNC, 2, 0b1110), 0b1110);
        assert_eq!(free(&mut b, SYNC, 1, 0b1110), 0);
    }

    /// Tests: `barriers-count-warps`.
    #[test]
    fn an_exit_lowers_the_expected_count() {
        let mut b = Barriers::default();
        assert_eq!(free(&mut b, SYNC, 0, 0b11), 0);
        assert_eq!(b.exit(0b01).map(|release| release.warps).collect::<Vec<_>>(), [0b01]);
        assert_eq!(b.exit(0).count(), 0);
    }

    #[test]
    fn barriers_are_independent() {
        let mut b = Barriers::default();
        assert_eq!(free(&mut b, SYNC, 0, 0b11), 0);
        assert_eq!(free(&mut b, Arrival { id: 1, ..SYNC }, 1, 0b11), 0);
        assert_eq!((b.of(0).map(|b| b.0), b.of(1).map(|b| b.0), b.of(2)), (Some(0), Some(1), None));
    }

    #[test]
    fn a_count_includes_arrivals_that_do_not_wait() {
        let mut b = Barriers::default();
        let (wait, pass) = (Arrival { warps: 2, ..SYNC }, Arrival { warps: 2, waits: false, ..SYNC });
        assert_eq!(free(&mut b, pass, 0, 0b111), 0);
        assert_eq!(b.of(0), None);
        assert_eq!(free(&mut b, wait, 2, 0b111), 0b100);
        // A warp that only signals can arrive twice, and an exit completes no counted barrier.
        assert_eq!(free(&mut b, wait, 1, 0b111), 0);
        assert_eq!(b.exit(0b010).count(), 0);
        assert_eq!(free(&mut b, pass, 0, 0b011), 0b010);
        assert_eq!((free(&mut b, pass, 0, 0b011), free(&mut b, pass, 0, 0b011)), (0, 0));
    }

    #[test]
    fn all_arrivals_must_have_the_same_count() {
        let mut b = Barriers::default();
        assert_eq!(free(&mut b, Arrival { warps: 2, ..SYNC }, 0, 0b111), 0);
        assert_eq!(b.arrive(&SYNC, 1, 0b111, 3), Err(OtherCount(64)));
        let mut b = Barriers::default();
        assert_eq!(free(&mut b, Arrival { warps: 3, waits: false, ..SYNC }, 0, 0b111), 0);
        assert_eq!(free(&mut b, SYNC, 1, 0b111), 0);
        assert_eq!(free(&mut b, SYNC, 2, 0b111), 0b110);
    }

    #[test]
    fn a_reduction_includes_all_arrivals() {
        let mut b = Barriers::default();
        let ask = |trues| Arrival { asked: (0xffff, trues), ..SYNC };
        assert_eq!(free(&mut b, ask(0x3), 0, 0b11), 0);
        let release = b.arrive(&ask(0xffff), 1, 0b11, 2);
        assert_eq!(release, Ok(Release { warps: 0b11, found: Reduction { lanes: 32, trues: 18 } }));
    }
}
