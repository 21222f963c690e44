//! Execution units: pipes that take in an instruction and are busy until it has gone in.
//!
//! Beside the hot cycle at which each unit is free again they keep, exactly and in constant time, how many issue
//! cycles they were found busy: the ledger's *pipe busy*.

/// The most units that a chip may have.
pub const MAX_UNITS: usize = 8;

/// One unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Unit {
    /// Hot cycle from which it takes in another instruction.
    free: u64,
    /// Busy issue cycles of all earlier instructions.
    busy_before: u64,
    /// The present instruction keeps it busy in issue cycles `from..to`.
    from: u64,
    to: u64,
    /// Issue cycles in which the load/store queue was full while the unit was free.
    queue_full: u64,
}

/// What a scheduler cannot issue to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Bit mask of busy units.
    pub units: u32,
    /// The load/store queue has no room.
    pub queue_full: bool,
}

/// What one scheduler found of one unit that others do not: correction of the unit's counts, modulo 2^64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Overtaken {
    busy: u64,
    queue_full: u64,
}

/// All units of an SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Units {
    units: [Unit; MAX_UNITS],
    overtaken: Vec<[Overtaken; MAX_UNITS]>,
    count: usize,
    period: u64,
}

impl Units {
    /// `count` units of an SM with `schedulers` schedulers, whose issue cycles are `period` hot cycles long.
    pub fn new(count: usize, schedulers: usize, period: u64) -> Self {
        assert!(count <= MAX_UNITS, "config check bounds the number of units");
        let overtaken = vec![[Overtaken::default(); MAX_UNITS]; schedulers];
        Self { units: [Unit::default(); MAX_UNITS], overtaken, count, period }
    }

    /// Bit mask of the units that are busy at hot cycle `now`.
    pub fn busy(&self, now: u64) -> u32 {
        self.units[..self.count]
            .iter()
            .enumerate()
            .fold(0, |mask, (i, u)| mask | u32::from(u.free > now) << i)
    }

    /// Hot cycle from which `unit` takes in another instruction.
    pub fn free_at(&self, unit: u8) -> u64 {
        self.units[unit as usize].free
    }

    /// Hot cycle at which the next busy unit of `mask` becomes free.
    pub fn next_free(&self, mask: u32, now: u64) -> Option<u64> {
        let of_mask = self.units[..self.count].iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
        of_mask.map(|(_, u)| u.free).filter(|f| *f > now).min()
    }

    /// An instruction issues to `unit` at hot cycle `now` and occupies it for `cycles`.
    pub fn occupy(&mut self, unit: u8, now: u64, cycles: u64) {
        let u = &mut self.units[unit as usize];
        debug_assert!(u.free <= now, "issue to a busy unit");
        u.busy_before += u.to - u.from;
        u.free = now + cycles;
        u.from = now / self.period + 1;
        u.to = u.free.div_ceil(self.period).max(u.from);
    }

    /// In this issue cycle, at whose beginning `start` was blocked, `scheduler` finds `found` blocked: schedulers
    /// before it were faster. For its warps that is what the cycle was.
    pub fn overtaken(&mut self, scheduler: usize, start: Blocked, found: Blocked) {
        if start == found {
            return;
        }
        for (unit, count) in self.overtaken[scheduler][..self.count].iter_mut().enumerate() {
            let busy_before = start.units >> unit & 1 == 1;
            let busy = found.units >> unit & 1 == 1;
            let full = |queue_full: bool, busy: bool| u64::from(queue_full && !busy);
            count.busy += u64::from(busy && !busy_before);
            count.queue_full = count
                .queue_full
                .wrapping_add(full(found.queue_full, busy))
                .wrapping_sub(full(start.queue_full, busy_before));
        }
    }

    /// In how many issue cycles before `issue_cycle` warps of `scheduler` found the unit busy.
    pub fn busy_seen(&self, unit: u8, scheduler: u8, issue_cycle: u64) -> u64 {
        self.busy_cycles(unit, issue_cycle) + self.overtaken[scheduler as usize][unit as usize].busy
    }

    /// In how many booked issue cycles warps of `scheduler` found the unit free and the queue full, modulo 2^64.
    pub fn queue_full_seen(&self, unit: u8, scheduler: u8) -> u64 {
        let own = self.overtaken[scheduler as usize][unit as usize].queue_full;
        self.queue_full_cycles(unit).wrapping_add(own)
    }

    /// In how many issue cycles before `issue_cycle` the unit was busy when the cycle began.
    pub fn busy_cycles(&self, unit: u8, issue_cycle: u64) -> u64 {
        let u = &self.units[unit as usize];
        u.busy_before + issue_cycle.clamp(u.from, u.to) - u.from
    }

    /// The load/store queue was full in issue cycles `from..to`: books those in which each unit was free.
    pub fn book_queue_full(&mut self, from: u64, to: u64) {
        for i in 0..self.count {
            let busy = self.busy_cycles(i as u8, to) - self.busy_cycles(i as u8, from);
            self.units[i].queue_full += (to - from) - busy;
        }
    }

    /// In how many booked issue cycles the queue was full and the unit free.
    pub fn queue_full_cycles(&self, unit: u8) -> u64 {
        self.units[unit as usize].queue_full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_a_cycle_before_free_at_it() {
        let mut units = Units::new(2, 1, 4);
        units.occupy(1, 8, 16);
        assert_eq!(units.busy(23), 0b10);
        assert_eq!(units.busy(24), 0);
        assert_eq!(units.next_free(0b10, 8), Some(24));
        assert_eq!(units.next_free(0b01, 8), None);
    }

    #[test]
    fn counts_the_issue_cycles_that_found_it_busy() {
        let mut units = Units::new(1, 1, 4);
        units.occupy(0, 8, 16); // busy at 12, 16, 20: issue cycles 3, 4, 5
        assert_eq!(units.busy_cycles(0, 3), 0);
        assert_eq!(units.busy_cycles(0, 5), 2);
        assert_eq!(units.busy_cycles(0, 100), 3);
        units.occupy(0, 24, 4); // an issue period: never found busy
        assert_eq!(units.busy_cycles(0, 100), 3);
        units.occupy(0, 40, 5); // busy at 44: issue cycle 11
        assert_eq!(units.busy_cycles(0, 11), 3);
        assert_eq!(units.busy_cycles(0, 12), 4);
    }

    #[test]
    fn a_full_queue_counts_only_while_the_unit_is_free() {
        let mut units = Units::new(1, 1, 4);
        units.occupy(0, 8, 16);
        units.book_queue_full(2, 8); // six cycles, of which 3, 4, 5 are the pipe's
        assert_eq!(units.queue_full_cycles(0), 3);
    }
}
