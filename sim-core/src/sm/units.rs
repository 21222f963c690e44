//! Execution units: pipes that take in an instruction and are busy until it has gone in. A unit is shared by all
//! schedulers of the SM, or each of them has one of its own.
//!
//! An instruction issues to a unit that becomes free within the issue cycle, and then enters it when it is free: a unit
//! that is busy for 6 hot cycles with each instruction takes two of them in 12, whatever the issue period is.
//!
//! Beside the hot cycle at which each unit is free again they keep, exactly and in constant time, how many issue
//! cycles they were found busy: the ledger's *pipe busy*.

use crate::config::UnitConfig;
use crate::time::period::Period;

/// The most kinds of unit that a chip may have.
pub const MAX_UNITS: usize = 8;

/// One pipe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Unit {
    /// Busy issue cycles of all earlier instructions.
    busy_before: u64,
    /// The present instruction keeps it busy in issue cycles `from..to`.
    from: u64,
    to: u64,
    /// Issue cycles in which the load/store queue was full while the unit was free.
    queue_full: u64,
}

impl Unit {
    /// In how many issue cycles before `issue_cycle` it was busy when the cycle began.
    fn busy_cycles(&self, issue_cycle: u64) -> u64 {
        self.busy_before + issue_cycle.clamp(self.from, self.to) - self.from
    }
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

/// All units of an SM. A unit's number is its place in the configuration; which pipe that is depends on the scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Units {
    /// For each scheduler and unit the hot cycle from which it takes in another instruction: one row to look at in
    /// every issue cycle. Places without a unit are free for ever.
    free: Vec<[u64; MAX_UNITS]>,
    /// The pipes that scheduler 0 issues to, then those of scheduler 1 that are its own, and so on. Where there are
    /// several of a unit they are one pipe here, which is free when the first of them is …
    pipes: Vec<Unit>,
    /// … and these are, for each pipe, the hot cycles from which the others are free.
    others: Vec<Vec<u64>>,
    /// For each scheduler the pipe of each unit.
    pipe_of: Vec<[u8; MAX_UNITS]>,
    overtaken: Vec<[Overtaken; MAX_UNITS]>,
    /// Bit mask of the units that all schedulers share.
    shared: u32,
    /// Bit mask of those to which only one scheduler issues at a time, while no other one issues at all.
    alone: u32,
    count: usize,
    period: Period,
}

impl Units {
    /// The units of an SM with `schedulers` schedulers, whose issue cycles are `period` hot cycles long.
    pub fn new(config: &[UnitConfig], schedulers: usize, period: Period) -> Self {
        assert!(config.len() <= MAX_UNITS, "config check bounds the number of units");
        let mut pipes = vec![Unit::default(); config.len()];
        let more = |unit: &UnitConfig| vec![0; unit.count as usize - 1];
        let mut others: Vec<Vec<u64>> = config.iter().map(more).collect();
        let mut pipe_of = vec![std::array::from_fn(|unit| unit as u8); schedulers];
        for row in &mut pipe_of[1..] {
            for (pipe, unit) in row.iter_mut().zip(config).filter(|(_, unit)| unit.per_scheduler) {
                *pipe = pipes.len() as u8;
                pipes.push(Unit::default());
                others.push(more(unit));
            }
        }
        let mask = |is: fn(&UnitConfig) -> bool| {
            config.iter().enumerate().fold(0, |mask, (i, unit)| mask | u32::from(is(unit)) << i)
        };
        let (shared, alone) = (mask(|unit| !unit.per_scheduler), mask(|unit| unit.blocks_others));
        let overtaken = vec![[Overtaken::default(); MAX_UNITS]; schedulers];
        let free = vec![[0; MAX_UNITS]; schedulers];
        Self { free, pipes, others, pipe_of, overtaken, shared, alone, count: config.len(), period }
    }

    /// Bit mask of the units that take nothing in an issue cycle in which another scheduler has issued.
    pub fn alone(&self) -> u32 {
        self.alone
    }

    fn pipe(&self, unit: u8, scheduler: usize) -> &Unit {
        &self.pipes[self.pipe_of[scheduler][unit as usize] as usize]
    }

    /// Hot cycle at which the `unit` of `scheduler` is free.
    fn free_at(&self, unit: u8, scheduler: usize) -> u64 {
        self.free[scheduler][unit as usize]
    }

    /// Hot cycle at which the issue cycle begins in which the busy `unit` of `scheduler` takes another instruction.
    pub fn takes_at(&self, unit: u8, scheduler: usize) -> u64 {
        self.period.cycle(self.free_at(unit, scheduler)) * self.period
    }

    /// Hot cycle at which an instruction that issues from `scheduler` to `unit` at hot cycle `now` enters it.
    pub fn enters(&self, unit: u8, scheduler: usize, now: u64) -> u64 {
        self.free_at(unit, scheduler).max(now)
    }

    /// Which of the pipes the `unit` of `scheduler` is; there are fewer than [`MAX_UNITS`] for each scheduler.
    pub fn pipe_number(&self, unit: u8, scheduler: usize) -> usize {
        self.pipe_of[scheduler][unit as usize].into()
    }

    /// Bit mask of the units that are busy for `scheduler` throughout the issue cycle that begins at hot cycle `now`.
    pub fn busy(&self, scheduler: usize, now: u64) -> u32 {
        let (end, free) = (now + self.period, &self.free[scheduler]);
        let mut busy = 0;
        for (unit, free) in free.iter().enumerate().take(self.count) {
            busy |= u32::from(*free >= end) << unit;
        }
        busy
    }

    /// Hot cycle at which the issue cycle begins in which the next busy unit of `mask` takes an instruction of
    /// `scheduler`.
    pub fn next_free(&self, mask: u32, scheduler: usize, now: u64) -> Option<u64> {
        let (end, free) = (now + self.period, &self.free[scheduler]);
        let mut next = u64::MAX;
        for (unit, free) in free.iter().enumerate().take(self.count) {
            if mask >> unit & 1 == 1 && *free >= end {
                next = next.min(*free);
            }
        }
        (next != u64::MAX).then(|| self.period.cycle(next) * self.period)
    }

    /// An instruction issues from `scheduler` to `unit` at hot cycle `now` and occupies it for `cycles` from when it
    /// enters it.
    #[inline]
    pub fn occupy(&mut self, unit: u8, scheduler: usize, now: u64, cycles: u64) {
        let enters = self.enters(unit, scheduler, now);
        debug_assert!(enters < now + self.period, "issue to a busy unit");
        let mut free = enters + cycles;
        let pipe = self.pipe_of[scheduler][unit as usize] as usize;
        for other in &mut self.others[pipe] {
            if *other < free {
                std::mem::swap(other, &mut free);
            }
        }
        if self.shared >> unit & 1 == 1 {
            self.free.iter_mut().for_each(|row| row[unit as usize] = free);
        } else {
            self.free[scheduler][unit as usize] = free;
        }
        let u = &mut self.pipes[pipe];
        u.busy_before += u.to - u.from;
        u.from = self.period.cycle(now) + 1;
        u.to = self.period.cycle(free).max(u.from);
    }

    /// What was blocked for a scheduler at the beginning of an issue cycle, if then it was `start` for some scheduler
    /// and now it is `found` for this one: nobody but itself can have taken what is its own.
    pub fn at_start(&self, start: Blocked, found: Blocked) -> Blocked {
        Blocked { units: start.units & self.shared | found.units & !self.shared, ..start }
    }

    /// In this issue cycle, at whose beginning `start` was blocked for `scheduler`, it finds `found` blocked: schedulers
    /// asked before it were faster. For its warps that is what the cycle was.
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
    #[inline]
    pub fn busy_seen(&self, unit: u8, scheduler: u8, issue_cycle: u64) -> u64 {
        self.pipe(unit, scheduler.into()).busy_cycles(issue_cycle)
            + self.overtaken[scheduler as usize][unit as usize].busy
    }

    /// In how many booked issue cycles warps of `scheduler` found the unit free and the queue full, modulo 2^64.
    #[inline]
    pub fn queue_full_seen(&self, unit: u8, scheduler: u8) -> u64 {
        let own = self.overtaken[scheduler as usize][unit as usize].queue_full;
        self.pipe(unit, scheduler.into()).queue_full.wrapping_add(own)
    }

    /// The load/store queue was full in issue cycles `from..to`: books those in which each unit was free.
    pub fn book_queue_full(&mut self, from: u64, to: u64) {
        for pipe in &mut self.pipes {
            let busy = pipe.busy_cycles(to) - pipe.busy_cycles(from);
            pipe.queue_full += (to - from) - busy;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(per_scheduler: &[bool], schedulers: usize) -> Units {
        let unit = |own: &bool| UnitConfig {
            name: String::new(),
            lanes: 8,
            count: 1,
            per_scheduler: *own,
            blocks_others: false,
        };
        Units::new(&per_scheduler.iter().map(unit).collect::<Vec<_>>(), schedulers, Period::new(4))
    }

    #[test]
    fn busy_a_cycle_before_free_at_it() {
        let mut units = units(&[false, false], 1);
        units.occupy(1, 0, 8, 16);
        assert_eq!(units.busy(0, 20), 0b10);
        assert_eq!(units.busy(0, 24), 0);
        assert_eq!(units.next_free(0b10, 0, 8), Some(24));
        assert_eq!(units.next_free(0b01, 0, 8), None);
    }

    #[test]
    fn counts_the_issue_cycles_that_found_it_busy() {
        let mut units = units(&[false], 1);
        units.occupy(0, 0, 8, 16); // busy at 12, 16, 20: issue cycles 3, 4, 5
        assert_eq!(units.busy_seen(0, 0, 3), 0);
        assert_eq!(units.busy_seen(0, 0, 5), 2);
        assert_eq!(units.busy_seen(0, 0, 100), 3);
        units.occupy(0, 0, 24, 4); // an issue period: never found busy
        assert_eq!(units.busy_seen(0, 0, 100), 3);
        units.occupy(0, 0, 40, 7); // free at 47, within issue cycle 11
        assert_eq!(units.busy_seen(0, 0, 12), 3);
        units.occupy(0, 0, 44, 5); // from 47 to 52: busy throughout issue cycle 12
        assert_eq!(units.busy_seen(0, 0, 12), 3);
        assert_eq!(units.busy_seen(0, 0, 100), 4);
    }

    #[test]
    fn what_keeps_a_unit_for_six_cycles_issues_twice_in_twelve() {
        let mut units = units(&[false], 1);
        let mut issued = Vec::new();
        for now in (0..48).step_by(4) {
            if units.busy(0, now) == 0 {
                issued.push((now, units.enters(0, 0, now)));
                units.occupy(0, 0, now, 6);
            } else {
                assert_eq!((units.takes_at(0, 0), units.next_free(1, 0, now)), (now + 4, Some(now + 4)));
            }
        }
        let twelve = [0, 12, 24, 36].map(|from| [(from, from), (from + 4, from + 6)]);
        assert_eq!(issued, twelve.concat());
        assert_eq!(units.busy_seen(0, 0, 12), 4, "every third issue cycle");
    }

    #[test]
    fn three_of_a_unit_take_three_instructions_at_once() {
        let three = UnitConfig {
            name: String::new(),
            lanes: 8,
            count: 3,
            per_scheduler: false,
            blocks_others: false,
        };
        let mut units = Units::new(&[three], 2, Period::new(4));
        for (cycles, busy) in [(16, 0), (8, 0), (12, 1)] {
            units.occupy(0, 0, 8, cycles);
            assert_eq!((units.busy(0, 8), units.busy(1, 8)), (busy, busy));
        }
        // They are free at 24, 16 and 20: it is found busy in issue cycle 3 alone.
        assert_eq!((units.takes_at(0, 1), units.busy(1, 12), units.busy(1, 16)), (16, 1, 0));
        units.occupy(0, 1, 16, 4);
        assert_eq!((units.takes_at(0, 0), units.busy_seen(0, 0, 100)), (20, 1));
        units.occupy(0, 1, 20, 40);
        units.occupy(0, 1, 20, 40);
        assert_eq!((units.takes_at(0, 0), units.busy_seen(0, 0, 100)), (24, 1));
    }

    #[test]
    fn a_full_queue_counts_only_while_the_unit_is_free() {
        let mut units = units(&[false], 1);
        units.occupy(0, 0, 8, 16);
        units.book_queue_full(2, 8); // six cycles, of which 3, 4, 5 are the pipe's
        assert_eq!(units.queue_full_seen(0, 0), 3);
    }

    #[test]
    fn a_scheduler_of_its_own_unit_sees_nothing_of_the_others() {
        let mut units = units(&[true, false], 2);
        let idle = Blocked { units: 0, queue_full: false };
        units.occupy(0, 1, 8, 16);
        units.occupy(1, 1, 8, 16);
        assert_eq!((units.busy(0, 8), units.busy(1, 8)), (0b10, 0b11));
        let found = Blocked { units: units.busy(0, 8), ..idle };
        units.overtaken(0, units.at_start(idle, found), found);
        // Issue cycle 2, in which it was overtaken, and 3, 4, 5.
        assert_eq!([0, 1].map(|unit| units.busy_seen(unit, 0, 100)), [0, 4]);
        assert_eq!([0, 1].map(|unit| units.busy_seen(unit, 1, 100)), [3, 3]);
        assert_eq!(units.next_free(0b01, 0, 8), None);
        assert_eq!(units.next_free(0b01, 1, 8), Some(24));
        units.book_queue_full(2, 8);
        assert_eq!((units.queue_full_seen(0, 0), units.queue_full_seen(0, 1)), (6, 3));
    }
}
