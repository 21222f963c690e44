//! A timing wheel for the warps of one SM: which of them to look at again, and in which issue
//! cycle.
//!
//! 64 buckets of one issue cycle each hold warp masks. A wake further ahead than the wheel reaches
//! is put into its last bucket; the warp is then looked at early, found still waiting, and put
//! back: looking early changes nothing.

use crate::time::NEVER;

/// Issue cycles that the wheel reaches ahead.
const BUCKETS: u64 = 64;

/// The wheel. Times are issue cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wheel {
    buckets: [u64; BUCKETS as usize],
    /// Bit b: bucket b is not empty.
    occupied: u64,
    /// All wakes lie at or after this issue cycle.
    now: u64,
    /// The earliest wake; [`NEVER`] without one.
    next: u64,
}

impl Default for Wheel {
    fn default() -> Self {
        Self { buckets: [0; BUCKETS as usize], occupied: 0, now: 0, next: NEVER }
    }
}

impl Wheel {
    /// Wakes warp `warp` in issue cycle `at`, or at once if that has begun.
    #[inline]
    pub fn insert(&mut self, warp: u32, at: u64) {
        let at = at.min(self.now + BUCKETS - 1).max(self.now);
        self.next = self.next.min(at);
        let bucket = (at % BUCKETS) as usize;
        self.buckets[bucket] |= 1 << warp;
        self.occupied |= 1 << bucket;
    }

    /// Moves on to issue cycle `now` and takes all warps due by then.
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

    /// The issue cycle of the earliest wake, or [`NEVER`].
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wakes_at_its_cycle_and_not_before() {
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
    fn keeps_order_across_the_wrap() {
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
    fn far_wakes_come_early_never_late() {
        let mut wheel = Wheel::default();
        wheel.insert(7, 1_000);
        assert_eq!(wheel.next(), 63);
        assert_eq!(wheel.take(63), 1 << 7);
    }

    #[test]
    fn a_wake_in_the_past_is_due_now() {
        let mut wheel = Wheel::default();
        assert_eq!(wheel.take(100), 0);
        wheel.insert(4, 7);
        assert_eq!(wheel.take(100), 1 << 4);
    }
}
