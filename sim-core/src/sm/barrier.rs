//! Barriers of a block: counters of warps, as the hardware has them.
//!
//! A barrier is for all warps of the block that have not exited, or for as many as its thread count
//! says. The warps that wait are let go when the last has come, whether it waits itself
//! (`bar.sync`, `bar.red`) or only tells that it came by (`bar.arrive`); then the barrier starts
//! anew at once.
//!
//! Invariant `barriers-count-warps`: Barriers count warps, and a warp that exits lowers the count.

use crate::exec::barrier::{Arrival, Reduction};

/// Named barriers of a block (PTX ISA, `bar`).
pub const BARRIERS: usize = 16;

/// One barrier, from its first arrival to its completion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gathering {
    /// Warp slots that have come.
    pub arrived: u64,
    /// Those of them that wait.
    pub waiting: u64,
    /// Times that a warp has come: one that does not wait may come again.
    pub count: u32,
    /// How often warps must come; 0: once each warp that has not exited.
    pub wanted: u32,
    /// What those who came by `bar.red` said.
    asked: Reduction,
}

impl Gathering {
    /// Of a barrier for a number of threads: how many warps must come, and how many times one has.
    pub fn counted(&self) -> Option<(u32, u32)> {
        (self.wanted != 0).then_some((self.wanted, self.count))
    }
}

/// Warps that a barrier lets go, and what those who asked are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Release {
    /// Warp slots; 0 while the barrier waits.
    pub warps: u64,
    /// What the `bar.red` among them have found.
    pub found: Reduction,
}

/// A warp came to a barrier with another count than the warps before it: the threads that the
/// barrier is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherCount(pub u32);

/// The barriers of one block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Barriers {
    barriers: [Gathering; BARRIERS],
}

impl Barriers {
    /// Warp slot `warp` comes to a barrier of a block of `all` warps, of which those in slots
    /// `live` have not exited.
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
            // A count of the whole block is as good as none.
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

    /// A warp has exited and those in slots `live` are left: barriers for all wait for fewer now.
    /// What each lets go.
    pub fn exit(&mut self, live: u64) -> impl Iterator<Item = Release> {
        (0..BARRIERS).map(move |id| self.complete(id, live)).filter(|release| release.warps != 0)
    }

    /// Starts the barrier anew if all have come.
    fn complete(&mut self, id: usize, live: u64) -> Release {
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

    /// The barrier at which warp slot `warp` waits, and its number.
    pub fn of(&self, warp: u32) -> Option<(u32, &Gathering)> {
        (0..).zip(&self.barriers).find(|(_, barrier)| barrier.waiting >> warp & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYNC: Arrival = Arrival { id: 0, warps: 0, waits: true, asked: (0, 0) };

    /// The slots let go when `warp` of a block of three comes.
    fn free(b: &mut Barriers, arrival: Arrival, warp: u32, live: u64) -> u64 {
        b.arrive(&arrival, warp, live, 3).map_or(u64::MAX, |release| release.warps)
    }

    /// Tests: `barriers-count-warps`.
    #[test]
    fn holds_until_the_last_warp_and_starts_anew() {
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
    fn barriers_are_apart() {
        let mut b = Barriers::default();
        assert_eq!(free(&mut b, SYNC, 0, 0b11), 0);
        assert_eq!(free(&mut b, Arrival { id: 1, ..SYNC }, 1, 0b11), 0);
        assert_eq!((b.of(0).map(|b| b.0), b.of(1).map(|b| b.0), b.of(2)), (Some(0), Some(1), None));
    }

    #[test]
    fn a_count_is_of_warps_that_come_whether_they_wait_or_not() {
        let mut b = Barriers::default();
        let (wait, pass) = (Arrival { warps: 2, ..SYNC }, Arrival { warps: 2, waits: false, ..SYNC });
        assert_eq!(free(&mut b, pass, 0, 0b111), 0);
        assert_eq!(b.of(0), None);
        assert_eq!(free(&mut b, wait, 2, 0b111), 0b100);
        // A warp that only comes by can come twice, and an exit completes nothing.
        assert_eq!(free(&mut b, wait, 1, 0b111), 0);
        assert_eq!(b.exit(0b010).count(), 0);
        assert_eq!(free(&mut b, pass, 0, 0b011), 0b010);
        assert_eq!((free(&mut b, pass, 0, 0b011), free(&mut b, pass, 0, 0b011)), (0, 0));
    }

    #[test]
    fn all_who_come_must_mean_the_same_count() {
        let mut b = Barriers::default();
        assert_eq!(free(&mut b, Arrival { warps: 2, ..SYNC }, 0, 0b111), 0);
        assert_eq!(b.arrive(&SYNC, 1, 0b111, 3), Err(OtherCount(64)));
        let mut b = Barriers::default();
        assert_eq!(free(&mut b, Arrival { warps: 3, waits: false, ..SYNC }, 0, 0b111), 0);
        assert_eq!(free(&mut b, SYNC, 1, 0b111), 0);
        assert_eq!(free(&mut b, SYNC, 2, 0b111), 0b110);
    }

    #[test]
    fn reductions_are_over_all_who_asked() {
        let mut b = Barriers::default();
        let ask = |trues| Arrival { asked: (0xffff, trues), ..SYNC };
        assert_eq!(free(&mut b, ask(0x3), 0, 0b11), 0);
        let release = b.arrive(&ask(0xffff), 1, 0b11, 2);
        assert_eq!(release, Ok(Release { warps: 0b11, found: Reduction { lanes: 32, trues: 18 } }));
    }
}
