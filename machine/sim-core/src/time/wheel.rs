//! A timing wheel for the warps of one SM: the warps to check again, by issue cycle.
//!
//! 64 buckets of one issue cycle each hold warp masks. A wake-up beyond the range of the wheel is
//! put into its last bucket. The warp is then checked early, is still waiting, and is inserted
//! again; an early check changes no state.

use crate::state::Value;
use crate::time::NEVER;

/// Range of the wheel in issue cycles.
const BUCKETS: u64 = 64;

/// The wheel. Times are issue cycles.
#[derive(Clone, Debug, PartialEq, Eq, Value)]
pub struct Wheel {
    buckets: [u64; BUCKETS as usize],
    /// Bit b: whether bucket b is not empty.
    occupied: u64,
    /// Current issue cycle; all wake-ups are at or after it.
    now: u64,
    /// The earliest wake-up; [`NEVER`] if there is none.
    next: u64,
}

impl Default for Wheel {
    fn default() -> Self {
        Self { buckets: [0; BUCKETS as usize], occupied: 0, now: 0, next: NEVER }
    }
}

impl Wheel {
    /// Wakes warp `warp` in issue cycle `at`, or immediately if that cycle has already started.
    #[inline]
    pub fn insert(&mut self, warp: u32, at: u64) {
        let at = at.min(self.now + BUCKETS - 1).max(self.now);
        self.next = self.next.min(at);
        let bucket = (at % BUCKETS) as usize;
        self.buckets[bucket] |= 1 << warp;
        self.occupied |= 1 << bucket;
    }

    /// Advances to issue cycle `now` and returns all warps due by then.
    #[inline]
    pub fn take(&mut self, now: u64) -> u64 {
        let mut due = 0;
        while self.next <= now {
            let bucket = (self.next % BUCKETS) as usize;
            due |= std::mem::take(&mut self.buckets[bucket]);
            self.occupied &= !(1 << bucket);
            self.now = self.next;
            let ahead = self.occupied.rotate_right(bucket as u32).trailing_zeros();
            self.next = if self.occupied == 0 { NEVER } else { self.now + u64::from(ahead) };
        }
        self.now = self.now.max(now);
        due
    }

    /// The issue cycle of the earliest wake-up, or [`NEVER`].
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warp_wakes_at_its_cycle_and_not_before() {
        let mut wheel = Wheel::default();
        wheel.insert(3, 10);
        wheel.insert(5, 10);
        assert_eq!(wheel.next(), 10);
        assert_eq!(wheel.take(9), 0);
        assert_eq!(wheel.take(10), 1 << 3 | 1 << 5);
        assert_eq!(wheel.take(10), 0);
        assert_eq!(wheel.next(), NEVER);
    }

    #[test]
    fn order_is_kept_when_the_buckets_wrap_around() {
        let mut wheel = Wheel::default();
        assert_eq!(wheel.take(60), 0);
        wheel.insert(1, 70);
        wheel.insert(2, 61);
        wheel.insert(0, 123);
        assert_eq!(wheel.next(), 61);
        assert_eq!(wheel.take(69), 1 << 2);
        assert_eq!(wheel.take(70), 1 << 1);
        assert_eq!(wheel.next(), 123);
        assert_eq!(wheel.take(123), 1);
    }

    /// Tests: `wakes-are-not-late`.
    #[test]
    fn a_wake_beyond_the_range_is_early_and_never_late() {
        let mut wheel = Wheel::default();
        wheel.insert(7, 1_000);
        assert_eq!(wheel.next(), 63);
        assert_eq!(wheel.take(63), 1 << 7);
    }

    #[test]
    fn a_wake_in_the_past_is_due_immediately() {
        let mut wheel = Wheel::default();
        assert_eq!(wheel.take(100), 0);
        wheel.insert(4, 7);
        assert_eq!(wheel.take(100), 1 << 4);
    }
}
