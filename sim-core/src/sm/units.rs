//! Execution units: pipes that take in an instruction and are busy until it has gone in. A unit is
//! shared by all schedulers of the SM, or each of them has one of its own.
//!
//! An instruction issues to a unit that becomes free within the issue cycle, and then enters it
//! when it is free: a unit that is busy for 6 shader cycles with each instruction takes two of them
//! in 12, whatever the issue period is.
//!
//! Beside the shader cycle at which each unit is free again they keep, exactly and in constant
//! time, how many issue cycles they were found busy: the ledger's *pipe busy*.
//!
//! Invariant `special-function-times`: Division and special functions have the published latency
//! and throughput, and the cores work at the same time as the special function unit.
//!
//! Invariant `double-precision-times`: A double-precision instruction has the latency, and occupies
//! its unit for the time, that the chip file states.
//!
//! Invariant `unit-free-cycle`: A unit accepts the next instruction in the issue cycle in which it
//! becomes free and not before, so that rates are exact.
//!
//! Invariant `free-unit-first`: Of several units of a kind, an instruction enters the unit that is
//! free first.

use super::scheduler::bits;
use crate::config::{MAX_SCHEDULERS, MAX_UNITS, UnitConfig};
use crate::time::NEVER;
use crate::time::period::Period;

/// One pipe; where there are several of a unit they are one pipe here, which is free when the first
/// of them is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Pipe {
    /// Shader cycle from which it takes another instruction.
    free: u64,
    /// The same of the other units of its kind, if there are several.
    others: Vec<u64>,
    /// Busy issue cycles before `from`.
    busy_before: u64,
    /// The last instruction that kept it busy at all did so in issue cycles `from..to`.
    from: u64,
    to: u64,
    /// Issue cycles in which the load/store queue was full while the unit was free.
    queue_full: u64,
}

impl Pipe {
    /// In how many issue cycles before `issue_cycle` it was busy when the cycle began.
    #[inline]
    fn busy_cycles(&self, issue_cycle: u64) -> u64 {
        self.busy_before + issue_cycle.min(self.to).saturating_sub(self.from)
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

/// What one scheduler found of one unit that others do not: correction of the unit's counts, modulo
/// 2^64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Overtaken {
    busy: u64,
    queue_full: u64,
}

/// The units of one scheduler. Those that all schedulers share are the first one's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Port {
    pipes: [Pipe; MAX_UNITS],
    /// Bit mask of its units that are busy throughout the issue cycle that has begun.
    busy: u32,
    overtaken: [Overtaken; MAX_UNITS],
}

/// The place of a unit among the units of a scheduler. Its number is below [`MAX_UNITS`]: the
/// remainder spares the check.
#[inline]
pub(in crate::sm) fn place(unit: u8) -> usize {
    unit as usize % MAX_UNITS
}

/// All units of an SM. A unit's number is its place in the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Units {
    /// By scheduler.
    ports: [Port; MAX_SCHEDULERS],
    schedulers: usize,
    /// Bit mask of the units that all schedulers share.
    shared: u32,
    /// Bit mask of the units to which only one scheduler issues at a time, while no other one
    /// issues at all.
    alone: u32,
    count: usize,
    period: Period,
}

impl Units {
    /// The units of an SM with `schedulers` schedulers, whose issue cycles are `period` shader
    /// cycles long.
    pub fn new(config: &[UnitConfig], schedulers: usize, period: Period) -> Self {
        assert!(config.len() <= MAX_UNITS, "config check bounds the number of units");
        assert!(schedulers <= MAX_SCHEDULERS, "config check bounds the number of schedulers");
        let mut port = Port::default();
        for (pipe, unit) in port.pipes.iter_mut().zip(config) {
            pipe.others = vec![0; unit.count as usize - 1];
        }
        let mask = |is: fn(&UnitConfig) -> bool| {
            config.iter().enumerate().fold(0, |mask, (i, unit)| mask | u32::from(is(unit)) << i)
        };
        let (shared, alone) = (mask(|unit| !unit.per_scheduler), mask(|unit| unit.blocks_others));
        let ports = std::array::from_fn(|_| port.clone());
        Self { ports, schedulers, shared, alone, count: config.len(), period }
    }

    /// Bit mask of the units that take nothing in an issue cycle in which another scheduler has
    /// issued.
    #[inline]
    pub fn alone(&self) -> u32 {
        self.alone
    }

    /// The scheduler whose port has the `unit` of `scheduler`.
    #[inline]
    fn owner(&self, unit: u8, scheduler: usize) -> usize {
        if self.shared >> unit & 1 == 1 { 0 } else { scheduler }
    }

    #[inline]
    fn pipe(&self, unit: u8, scheduler: usize) -> &Pipe {
        &self.port(self.owner(unit, scheduler)).pipes[place(unit)]
    }

    #[inline]
    fn port(&self, scheduler: usize) -> &Port {
        &self.ports[scheduler % MAX_SCHEDULERS]
    }

    /// Shader cycle at which the issue cycle begins in which the busy `unit` of `scheduler` takes
    /// another instruction.
    pub fn takes_at(&self, unit: u8, scheduler: usize) -> u64 {
        self.period.cycle(self.pipe(unit, scheduler).free) * self.period
    }

    /// Shader cycle at which an instruction that issues from `scheduler` to `unit` at shader cycle
    /// `now` enters it.
    #[inline]
    pub fn enters(&self, unit: u8, scheduler: usize, now: u64) -> u64 {
        self.pipe(unit, scheduler).free.max(now)
    }

    /// Number of the pipe that the `unit` of `scheduler` is; there are at most [`MAX_UNITS`] for
    /// each scheduler.
    pub fn pipe_number(&self, unit: u8, scheduler: usize) -> usize {
        self.owner(unit, scheduler) * MAX_UNITS + unit as usize
    }

    /// Begins the issue cycle at shader cycle `now` for the units of `scheduler`. When it has begun
    /// for all schedulers, [`Self::busy`] answers for it.
    #[inline]
    pub fn begin(&mut self, scheduler: usize, now: u64) {
        let end = now + self.period;
        let port = &mut self.ports[scheduler % MAX_SCHEDULERS];
        let mut left = port.busy;
        while left != 0 {
            let unit = left.trailing_zeros();
            left &= left - 1;
            port.busy &= !(u32::from(port.pipes[unit as usize % MAX_UNITS].free < end) << unit);
        }
    }

    /// Bit mask of the units that are busy for `scheduler` throughout the issue cycle that has
    /// begun.
    #[inline]
    pub fn busy(&self, scheduler: usize) -> u32 {
        self.ports[0].busy & self.shared | self.port(scheduler).busy & !self.shared
    }

    /// As [`Self::busy`], for any issue cycle up to the next issue: the one that begins at shader
    /// cycle `now`.
    pub fn busy_at(&self, scheduler: usize, now: u64) -> u32 {
        let busy = |unit: &usize| self.pipe(*unit as u8, scheduler).free >= now + self.period;
        (0..self.count).filter(busy).fold(0, |mask, unit| mask | 1 << unit)
    }

    /// Shader cycle at which the issue cycle begins in which the first of the busy units that
    /// `needs` accepts takes an instruction of `scheduler`; [`NEVER`] if there is none.
    #[inline]
    pub fn next_free(&self, scheduler: usize, needs: impl Fn(usize) -> bool) -> u64 {
        let needed = bits(self.busy(scheduler).into()).filter(|unit| needs(*unit as usize));
        needed.map(|unit| self.takes_at(unit as u8, scheduler)).min().unwrap_or(NEVER)
    }

    /// An instruction issues from `scheduler` to `unit` at shader cycle `now`; the unit takes the
    /// next one `cycles` cycles after this one has entered it.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in two pipelines")]
    pub fn occupy(&mut self, unit: u8, scheduler: usize, now: u64, cycles: u64) {
        let (end, owner) = (now + self.period, self.owner(unit, scheduler));
        let port = &mut self.ports[owner % MAX_SCHEDULERS];
        let pipe = &mut port.pipes[place(unit)];
        let enters = pipe.free.max(now);
        debug_assert!(enters < end, "issue to a busy unit");
        let mut free = enters + cycles;
        for other in &mut pipe.others {
            if *other < free {
                std::mem::swap(other, &mut free);
            }
        }
        pipe.free = free;
        port.busy = port.busy & !(1 << unit) | u32::from(free >= end) << unit;
        let (from, to) = (self.period.cycle(end), self.period.cycle(free));
        // An instruction that lets the unit go within its own issue cycle counts nothing.
        if to > from {
            pipe.busy_before += pipe.to - pipe.from;
            (pipe.from, pipe.to) = (from, to);
        }
    }

    /// What was blocked for a scheduler at the beginning of an issue cycle, if then it was `start`
    /// for some scheduler and now it is `found` for this one: nobody but itself can have taken what
    /// is its own.
    pub fn at_start(&self, start: Blocked, found: Blocked) -> Blocked {
        Blocked { units: start.units & self.shared | found.units & !self.shared, ..start }
    }

    /// In this issue cycle, at whose beginning `start` was blocked for `scheduler`, it finds
    /// `found` blocked: schedulers asked before it were faster. For its warps that is what the
    /// cycle was.
    pub fn overtaken(&mut self, scheduler: usize, start: Blocked, found: Blocked) {
        if start == found {
            return;
        }
        for (unit, count) in self.ports[scheduler].overtaken[..self.count].iter_mut().enumerate() {
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
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in two pipelines")]
    pub fn busy_seen(&self, unit: u8, scheduler: usize, issue_cycle: u64) -> u64 {
        let overtaken = self.port(scheduler).overtaken[place(unit)].busy;
        self.pipe(unit, scheduler).busy_cycles(issue_cycle) + overtaken
    }

    /// In how many counted issue cycles warps of `scheduler` found the unit free and the queue
    /// full, modulo 2^64.
    #[inline]
    pub fn queue_full_seen(&self, unit: u8, scheduler: usize) -> u64 {
        let overtaken = self.port(scheduler).overtaken[place(unit)].queue_full;
        self.pipe(unit, scheduler).queue_full.wrapping_add(overtaken)
    }

    /// The load/store queue was full in issue cycles `from..to`: counts those in which each unit
    /// was free.
    // Rare, and its callers are on the path of every instruction.
    #[inline(never)]
    pub fn count_queue_full(&mut self, from: u64, to: u64) {
        for pipe in self.ports[..self.schedulers].iter_mut().flat_map(|port| &mut port.pipes[..self.count]) {
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

    /// Tests: `unit-free-cycle`.
    #[test]
    fn busy_a_cycle_before_free_at_it() {
        let mut units = units(&[false, false], 1);
        units.begin(0, 8);
        units.occupy(1, 0, 8, 16);
        assert_eq!(units.busy_at(0, 20), 0b10);
        assert_eq!(units.busy_at(0, 24), 0);
        assert_eq!(units.next_free(0, |unit| 0b10 >> unit & 1 == 1), 24);
        assert_eq!(units.next_free(0, |unit| 0b01 >> unit & 1 == 1), NEVER);
    }

    /// Tests: `exact-breakdowns`.
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

    /// Tests: `unit-free-cycle`.
    #[test]
    fn what_keeps_a_unit_for_six_cycles_issues_twice_in_twelve() {
        let mut units = units(&[false], 1);
        let mut issued = Vec::new();
        for now in (0..48).step_by(4) {
            units.begin(0, now);
            assert_eq!(units.busy(0), units.busy_at(0, now));
            if units.busy(0) == 0 {
                issued.push((now, units.enters(0, 0, now)));
                units.occupy(0, 0, now, 6);
            } else {
                assert_eq!(
                    (units.takes_at(0, 0), units.next_free(0, |unit| 1 >> unit & 1 == 1)),
                    (now + 4, now + 4)
                );
            }
        }
        let twelve = [0, 12, 24, 36].map(|from| [(from, from), (from + 4, from + 6)]);
        assert_eq!(issued, twelve.concat());
        assert_eq!(units.busy_seen(0, 0, 12), 4, "every third issue cycle");
    }

    /// Tests: `free-unit-first`.
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
            assert_eq!((units.busy_at(0, 8), units.busy_at(1, 8)), (busy, busy));
        }
        // They are free at 24, 16 and 20: it is found busy in issue cycle 3 alone.
        assert_eq!((units.takes_at(0, 1), units.busy_at(1, 12), units.busy_at(1, 16)), (16, 1, 0));
        units.occupy(0, 1, 16, 4);
        assert_eq!((units.takes_at(0, 0), units.busy_seen(0, 0, 100)), (20, 1));
        units.occupy(0, 1, 20, 40);
        units.occupy(0, 1, 20, 40);
        assert_eq!((units.takes_at(0, 0), units.busy_seen(0, 0, 100)), (24, 1));
    }

    /// Tests: `exact-breakdowns`.
    #[test]
    fn a_full_queue_counts_only_while_the_unit_is_free() {
        let mut units = units(&[false], 1);
        units.occupy(0, 0, 8, 16);
        units.count_queue_full(2, 8); // six cycles, of which 3, 4, 5 are the pipe's
        assert_eq!(units.queue_full_seen(0, 0), 3);
    }

    #[test]
    fn a_scheduler_of_its_own_unit_sees_nothing_of_the_others() {
        let mut units = units(&[true, false], 2);
        let idle = Blocked { units: 0, queue_full: false };
        units.occupy(0, 1, 8, 16);
        units.occupy(1, 1, 8, 16);
        assert_eq!((units.busy_at(0, 8), units.busy_at(1, 8)), (0b10, 0b11));
        let found = Blocked { units: units.busy_at(0, 8), ..idle };
        units.overtaken(0, units.at_start(idle, found), found);
        // Issue cycle 2, in which it was overtaken, and 3, 4, 5.
        assert_eq!([0, 1].map(|unit| units.busy_seen(unit, 0, 100)), [0, 4]);
        assert_eq!([0, 1].map(|unit| units.busy_seen(unit, 1, 100)), [3, 3]);
        assert_eq!(units.next_free(0, |unit| 0b01 >> unit & 1 == 1), NEVER);
        assert_eq!(units.next_free(1, |unit| 0b01 >> unit & 1 == 1), 24);
        units.count_queue_full(2, 8);
        assert_eq!((units.queue_full_seen(0, 0), units.queue_full_seen(0, 1)), (6, 3));
    }
}
