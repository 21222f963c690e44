//! The interface between the main loop and a component: process a cycle, and return the next
//! wake-up time.

use super::dispatcher::Dispatcher;
use crate::cluster::Cluster;
use crate::mem::partition::Partition;
use crate::time::message::PartitionOutbox;

/// A component, as the main loop uses it.
pub(super) trait Component {
    /// Processes all events of shader cycle `now`.
    fn tick(&mut self, now: u64);
    /// Returns the earliest shader cycle after `now` at which a tick may have an event.
    fn next_wake(&mut self, now: u64) -> u64;
    /// Processes all events of shader cycles `now..end` and skips cycles without events. Returns
    /// the number of ticks.
    fn run(&mut self, mut now: u64, end: u64) -> u64 {
        let mut ticks = 0;
        while now < end {
            self.tick(now);
            ticks += 1;
            now = self.next_wake(now);
        }
        ticks
    }
}

impl Component for Cluster {
    fn tick(&mut self, now: u64) {
        self.tick(now);
    }
    fn next_wake(&mut self, now: u64) -> u64 {
        self.next_wake(now)
    }
    fn run(&mut self, now: u64, end: u64) -> u64 {
        self.run(now, end)
    }
}

impl Component for (Partition, PartitionOutbox) {
    fn tick(&mut self, now: u64) {
        self.0.tick(now, &mut self.1);
    }
    fn next_wake(&mut self, now: u64) -> u64 {
        self.0.next_wake(now + 1)
    }
    fn run(&mut self, now: u64, end: u64) -> u64 {
        self.0.run(now, end, &mut self.1)
    }
}

impl Component for Dispatcher {
    fn tick(&mut self, now: u64) {
        self.tick(now);
    }
    fn next_wake(&mut self, now: u64) -> u64 {
        Self::next_wake(self, now)
    }
}

/// A component with its index among the components of its kind, and the cycle of its next tick.
pub(super) struct Seat<'m, I> {
    pub number: usize,
    pub component: &'m mut I,
    /// Ticks since this count was last read.
    pub ticks: u64,
    /// Whether the component has run or received a message since its next tick was computed.
    pub changed: bool,
    wake: u64,
}

impl<'m, I: Component> Seat<'m, I> {
    pub fn new(number: usize, component: &'m mut I) -> Self {
        Self { number, component, ticks: 0, changed: true, wake: 0 }
    }

    /// Runs the component through `start..end`. Returns the number of ticks.
    #[inline]
    pub fn run(&mut self, start: u64, end: u64, skip_idle: bool) -> u64 {
        let from = self.wake.max(start);
        let ticks = if !skip_idle {
            (start..end).for_each(|now| self.component.tick(now));
            end.saturating_sub(start)
        } else if from < end {
            self.component.run(from, end)
        } else {
            return 0;
        };
        self.changed = true;
        self.ticks += ticks;
        ticks
    }

    /// Computes the next wake-up time at or after `end`, once messages have been delivered.
    #[inline]
    pub fn plan(&mut self, end: u64) -> u64 {
        if self.changed {
            self.changed = false;
            self.wake = self.component.next_wake(end - 1);
        }
        self.wake
    }
}
