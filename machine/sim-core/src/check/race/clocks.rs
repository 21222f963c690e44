//! The order that barriers give to the accesses of a block's warps.
//!
//! A barrier at which all warps wait that have not exited orders everything: such barriers are
//! counted. All other barriers order some warps only: barriers with a thread count for a part of
//! the block, and barriers with a `bar.arrive`. For these each warp has a vector clock. Its
//! arrivals divide the execution of a warp into *phases*; the clock has, for each warp of the
//! block, the number of phases whose accesses precede. A warp that waits at a barrier knows
//! afterwards what all arriving warps knew when they arrived.

use crate::exec::barrier::Arrival;
use crate::sm::barrier::Barriers;

/// The clocks of the warps of a block since the last barrier of the whole block. Without other
/// barriers there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    warps: usize,
    /// For each warp, its clock. Its entry for itself is the number of its completed phases.
    seen: Vec<u32>,
    /// For each warp, the phase that began when the warp last waited.
    waited: Vec<u32>,
}

impl Clocks {
    /// Returns the present phase of a warp.
    #[inline]
    pub fn phase(&self, warp: u32) -> u32 {
        self.seen.get(warp as usize * self.warps + warp as usize).copied().unwrap_or(0)
    }

    /// Whether a barrier orders the accesses of phase `phase` of warp `first` before the present
    /// accesses of warp `second`, for other lanes if they are one warp.
    #[inline]
    pub fn orders(&self, first: u32, phase: u32, second: u32) -> bool {
        if self.seen.is_empty() {
            return false;
        }
        if first == second {
            return phase < self.waited[first as usize];
        }
        phase < self.seen[second as usize * self.warps + first as usize]
    }

    /// Begins to keep clocks for `warps` warps.
    fn keep(&mut self, warps: u32) {
        if self.seen.is_empty() {
            self.warps = warps as usize;
            self.seen.resize(self.warps * self.warps, 0);
            self.waited.resize(self.warps, 0);
        }
    }

    /// Returns the clock of `warp` at the end of its phase.
    fn at_end_of_phase(&self, warp: u32) -> Vec<u32> {
        let from = warp as usize * self.warps;
        let mut clock = self.seen[from..from + self.warps].to_vec();
        clock[warp as usize] += 1;
        clock
    }

    fn clear(&mut self) {
        self.seen.clear();
        self.waited.clear();
    }
}

/// An arrival that does not wait, at a barrier that is not complete.
#[derive(Clone, Debug)]
struct Signal {
    barrier: u32,
    clock: Vec<u32>,
}

/// The barriers of the running block.
#[derive(Clone, Debug, Default)]
pub struct BarrierOrder {
    barriers: Barriers,
    warps: u32,
    exited: u64,
    clocks: Clocks,
    signals: Vec<Signal>,
    /// Warps that arrived or exited, and warps that waited, at the latest complete barrier.
    released: (u64, u64),
}

impl BarrierOrder {
    /// Begins a block of `warps` warps.
    pub fn begin(&mut self, warps: u32) {
        *self = Self { warps, ..Self::default() };
    }

    /// The clocks of the warps.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// Returns, once, the warps that arrived or exited and the warps that waited at the barrier
    /// that the latest arrival or exit has completed.
    pub fn released(&mut self) -> (u64, u64) {
        std::mem::take(&mut self.released)
    }

    /// Follows the arrival of a warp. Returns whether it completes a barrier of the whole block.
    pub fn arrive(&mut self, warp: u32, arrival: &Arrival) -> bool {
        if !arrival.waits {
            self.clocks.keep(self.warps);
            let clock = self.clocks.at_end_of_phase(warp);
            let own = warp as usize * self.warps as usize + warp as usize;
            self.clocks.seen[own] += 1;
            self.signals.push(Signal { barrier: arrival.id, clock });
        }
        let earlier = self.barriers.gathering().find(|(barrier, _)| *barrier == arrival.id);
        let counted = arrival.warps != 0 && earlier.is_none_or(|(_, gathering)| gathering.wanted != 0);
        // A barrier with another count traps.
        let Ok(release) = self.barriers.arrive(arrival, warp, self.live(), self.warps) else { return false };
        let waits = self.barriers.gathering().any(|(barrier, _)| barrier == arrival.id);
        !waits && self.complete(arrival.id, release.warps, counted)
    }

    /// Follows the exit of a warp. Returns whether it completes a barrier of the whole block.
    pub fn exit(&mut self, warp: u32) -> bool {
        self.exited |= 1 << warp;
        let before: Vec<u32> = self.barriers.gathering().map(|(barrier, _)| barrier).collect();
        let mut whole = false;
        for barrier in before {
            let release = self.barriers.complete(barrier as usize, self.live());
            if self.barriers.gathering().all(|(other, _)| other != barrier) {
                whole |= self.complete(barrier, release.warps, false);
            }
        }
        whole
    }

    fn live(&self) -> u64 {
        let all = if self.warps >= 64 { u64::MAX } else { (1 << self.warps) - 1 };
        all & !self.exited
    }

    /// Orders the accesses of the warps that arrived at a complete barrier. `waited` are the warps
    /// that waited. A barrier that is not `counted` has also waited for the exit of the other
    /// warps. Returns whether the barrier is one of the whole block.
    fn complete(&mut self, barrier: u32, waited: u64, counted: bool) -> bool {
        self.released = (if counted { waited } else { waited | self.exited }, waited);
        let signaled = self.signals.iter().any(|signal| signal.barrier == barrier);
        let for_all = !counted || waited.count_ones() == self.warps;
        if !signaled && for_all && waited == self.live() {
            self.clocks.clear();
            self.signals.iter_mut().for_each(|signal| signal.clock.fill(0));
            return true;
        }
        self.clocks.keep(self.warps);
        let exited = if counted { 0 } else { self.exited };
        let mut known = vec![0; self.warps as usize];
        let mut learn = |clock: &[u32]| {
            known.iter_mut().zip(clock).for_each(|(known, new)| *known = (*known).max(*new));
        };
        for warp in warps(waited | exited) {
            learn(&self.clocks.at_end_of_phase(warp));
        }
        self.signals.iter().filter(|signal| signal.barrier == barrier).for_each(|s| learn(&s.clock));
        self.signals.retain(|signal| signal.barrier != barrier);
        for warp in warps(waited) {
            let from = warp as usize * self.warps as usize;
            for (seen, known) in self.clocks.seen[from..].iter_mut().zip(&known) {
                *seen = (*seen).max(*known);
            }
            self.clocks.waited[warp as usize] = self.clocks.phase(warp);
        }
        false
    }
}

/// Iterates over the warps of a mask.
fn warps(mask: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |warp| mask >> warp & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(id: u32, warps: u32, waits: bool) -> Arrival {
        Arrival { id, warps, waits, asked: (0, 0) }
    }

    #[test]
    fn a_barrier_of_two_warps_orders_these_two() {
        let mut order = BarrierOrder::default();
        order.begin(3);
        assert!(!order.arrive(0, &at(1, 2, true)) && !order.arrive(2, &at(1, 2, true)));
        let clocks = order.clocks();
        assert!(clocks.orders(0, 0, 2) && clocks.orders(2, 0, 0));
        assert!(!clocks.orders(0, 0, 1) && !clocks.orders(1, 0, 0));
        assert!(clocks.orders(0, 0, 0), "the lanes of a warp that has waited");
        assert!(!clocks.orders(0, clocks.phase(0), 2), "later accesses");
        // A barrier of all warps begins again.
        assert!(!order.arrive(0, &at(0, 0, true)) && !order.arrive(1, &at(0, 0, true)));
        assert!(order.arrive(2, &at(0, 3, true)));
        assert_eq!((order.clocks().phase(0), order.clocks().orders(0, 0, 2)), (0, false));
    }

    #[test]
    fn an_arrival_without_waiting_orders_one_direction() {
        let mut order = BarrierOrder::default();
        order.begin(2);
        assert!(!order.arrive(0, &at(1, 2, false)));
        assert_eq!(order.clocks().phase(0), 1);
        // A barrier of the whole block between the signal and the wait.
        assert!(!order.arrive(0, &at(0, 0, true)) && order.arrive(1, &at(0, 0, true)));
        assert!(!order.arrive(1, &at(1, 2, true)));
        assert!(!order.clocks().orders(0, 0, 1), "the signal is older than the accesses");
        assert!(!order.arrive(0, &at(2, 2, false)) && !order.arrive(1, &at(2, 2, true)));
        let clocks = order.clocks();
        assert!(clocks.orders(0, 0, 1) && !clocks.orders(0, 1, 1) && !clocks.orders(1, 0, 0));
        assert!(!clocks.orders(0, 0, 0), "no lane has waited for the others");
    }

    #[test]
    fn an_exit_completes_barriers_without_a_count() {
        let mut order = BarrierOrder::default();
        order.begin(2);
        assert!(!order.arrive(0, &at(0, 0, true)));
        assert!(order.exit(1));
        let mut order = BarrierOrder::default();
        order.begin(3);
        assert!(!order.arrive(0, &at(0, 3, false)) && !order.arrive(1, &at(0, 0, true)) && !order.exit(2));
        let clocks = order.clocks();
        assert!(clocks.orders(0, 0, 1) && clocks.orders(2, 0, 1) && !clocks.orders(1, 0, 0));
    }
}
