//! Execution units: pipes that accept instructions and are busy while an instruction enters. All
//! schedulers of the SM share a unit, or each scheduler has a private one.
//!
//! An instruction can issue to a unit that becomes free within the issue cycle; it enters the unit
//! when the unit is free. A unit that is busy for 6 shader cycles with each instruction therefore
//! accepts two instructions in 12 shader cycles, independent of the issue period.
//!
//! The units also count, exactly and in constant time, the issue cycles in which they were busy.
//! The warp state breakdown uses this count for *pipe busy*.
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
use crate::state::{CloneFrom, Part, Value};
use crate::time::NEVER;
use crate::time::period::Period;

/// One pipe. Several units of one kind share one `Pipe`, which is free when the first of them is
/// free.
#[derive(Clone, Debug, Default, PartialEq, Eq, Value)]
struct Pipe {
    /// Shader cycle from which it accepts another instruction.
    free: u64,
    /// The same cycle for each of the other units of its kind, if there are several.
    others: Vec<u64>,
    /// Number of busy issue cycles before `to`.
    busy: u64,
    /// The last instruction that kept the pipe busy beyond its own issue cycle did so in issue
    /// cycles `from..to`.
    from: u64,
    to: u64,
    /// Number of issue cycles in which the load/store queue was full while the unit was free.
    queue_full: u64,
}

impl Pipe {
    /// Returns the number of issue cycles before `issue_cycle` at whose start the pipe was busy.
    #[inline]
    fn busy_cycles(&self, issue_cycle: u64) -> u64 {
        self.busy - self.to.saturating_sub(issue_cycle.max(self.from))
    }
}

/// Units and queue to which a scheduler cannot issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Bit mask of busy units.
    pub units: u32,
    /// Whether the load/store queue is full.
    pub queue_full: bool,
}

impl Blocked {
    /// Nothing is blocked.
    pub const NOTHING: Self = Self { units: 0, queue_full: false };
}

/// Correction of a unit's counts for one scheduler: cycles in which an earlier scheduler occupied
/// the unit first. Modulo 2^64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
struct Overtaken {
    busy: u64,
    queue_full: u64,
}

/// The units of one scheduler. Shared units are stored in the port of scheduler 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Value)]
struct Port {
    pipes: [Pipe; MAX_UNITS],
    /// Bit mask of the units that are busy throughout the current issue cycle.
    busy: u32,
    overtaken: [Overtaken; MAX_UNITS],
}

/// Index of a unit within a scheduler's units. The number is always below [`MAX_UNITS`]; the
/// remainder avoids the bounds check.
#[inline]
pub(in crate::sm) fn place(unit: u8) -> usize {
    unit as usize % MAX_UNITS
}

/// All units of an SM. A unit's number is its index in the configuration.
#[derive(CloneFrom, Debug, PartialEq, Eq, Part)]
pub struct Units {
    /// Ports, indexed by scheduler.
    ports: [Port; MAX_SCHEDULERS],
    #[state(fixed)]
    schedulers: usize,
    /// Bit mask of the units that all schedulers share.
    #[state(fixed)]
    shared: u32,
    /// Bit mask of the units that block the other schedulers: while one scheduler issues to such a
    /// unit, no other scheduler issues.
    #[state(fixed)]
    exclusive: u32,
    #[state(fixed)]
    count: usize,
    #[state(fixed)]
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
        let (shared, exclusive) = (mask(|unit| !unit.per_scheduler), mask(|unit| unit.blocks_others));
        let ports = std::array::from_fn(|_| port.clone());
        Self { ports, schedulers, shared, exclusive, count: config.len(), period }
    }

    /// Bit mask of the units that accept no instruction in an issue cycle in which another
    /// scheduler has issued.
    #[inline]
    pub fn exclusive(&self) -> u32 {
        self.exclusive
    }

    /// Returns the scheduler whose port stores the `unit` of `scheduler`.
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

    /// Start of the issue cycle, in shader cycles, in which the busy `unit` of `scheduler` accepts
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

    /// Whether `unit` of the only scheduler accepts an instruction in the issue cycle that starts
    /// at shader cycle `now`.
    #[inline]
    pub fn accepts(&self, unit: u8, now: u64) -> bool {
        self.pipe(unit, 0).free < now + self.period
    }

    /// Number of the pipe that serves `unit` of `scheduler`. Each scheduler has at most
    /// [`MAX_UNITS`] pipes.
    pub fn pipe_number(&self, unit: u8, scheduler: usize) -> usize {
        self.owner(unit, scheduler) * MAX_UNITS + unit as usize
    }

    /// Starts the issue cycle at shader cycle `now` for the units of `scheduler`. [`Self::busy`] is
    /// valid after this call has been made for all schedulers. Later calls for the same cycle
    /// change nothing.
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

    /// Bit mask of the units that are busy for `scheduler` throughout the current issue cycle.
    #[inline]
    pub fn busy(&self, scheduler: usize) -> u32 {
        self.ports[0].busy & self.shared | self.port(scheduler).busy & !self.shared
    }

    /// Same as [`Self::busy`], for the issue cycle that starts at shader cycle `now`. That cycle
    /// must not be later than the next issue.
    pub fn busy_at(&self, scheduler: usize, now: u64) -> u32 {
        let busy = |unit: &usize| self.pipe(*unit as u8, scheduler).free >= now + self.period;
        (0..self.count).filter(busy).fold(0, |mask, unit| mask | 1 << unit)
    }

    /// Start of the issue cycle, in shader cycles, in which the first busy unit selected by `needs`
    /// accepts an instruction of `scheduler`. [`NEVER`] if there is no such unit.
    #[inline]
    pub fn next_free(&self, scheduler: usize, needs: impl Fn(usize) -> bool) -> u64 {
        let needed = bits(self.busy(scheduler).into()).filter(|unit| needs(*unit as usize));
        needed.map(|unit| self.takes_at(unit as u8, scheduler)).min().unwrap_or(NEVER)
    }

    /// Issues an instruction from `scheduler` to `unit` at shader cycle `now`. The unit accepts the
    /// next instruction `cycles` shader cycles after this one has entered.
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
        if free < end {
            // It frees the unit within its own issue cycle.
            port.busy &= !(1 << unit);
            return;
        }
        port.busy |= 1 << unit;
        let (from, to) = (self.period.cycle(end), self.period.cycle(free));
        if to > from {
            pipe.busy += to - from;
            (pipe.from, pipe.to) = (from, to);
        }
    }

    /// Units that this scheduler saw busy at the start of the cycle: shared units from `start` (as
    /// seen by another scheduler), private units from `found`, because no other scheduler can
    /// occupy those.
    pub fn at_start(&self, start: Blocked, found: Blocked) -> Blocked {
        Blocked { units: start.units & self.shared | found.units & !self.shared, ..start }
    }

    /// Corrects the counts of `scheduler` for this issue cycle. At its start `start` was blocked;
    /// now it finds `found` blocked, because schedulers that issued earlier in the cycle occupied
    /// units. Its warps are charged for `found`.
    pub fn overtaken(&mut self, scheduler: usize, start: Blocked, found: Blocked) {
        // While the queue stays as it was, only the counts of occupied units change.
        let all = if start.queue_full == found.queue_full { 0 } else { (1 << self.count) - 1 };
        for unit in bits(u64::from(start.units ^ found.units | all)) {
            let count = &mut self.ports[scheduler % MAX_SCHEDULERS].overtaken[place(unit as u8)];
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

    /// Number of issue cycles before `issue_cycle` in which warps of `scheduler` found the unit
    /// busy.
    #[inline]
    pub fn busy_seen(&self, unit: u8, scheduler: usize, issue_cycle: u64) -> u64 {
        self.busy_cycles(unit, scheduler, issue_cycle) + self.port(scheduler).overtaken[place(unit)].busy
    }

    /// Number of issue cycles before `issue_cycle` at whose start the unit was busy.
    #[inline]
    pub fn busy_cycles(&self, unit: u8, scheduler: usize, issue_cycle: u64) -> u64 {
        self.pipe(unit, scheduler).busy_cycles(issue_cycle)
    }

    /// Same as [`Self::busy_cycles`], for an issue cycle in which the unit accepts an instruction:
    /// all its busy cycles are in the past.
    #[inline]
    pub fn busy_so_far(&self, unit: u8, scheduler: usize) -> u64 {
        self.pipe(unit, scheduler).busy
    }

    /// Number of counted issue cycles in which warps of `scheduler` found the unit free and the
    /// queue full, modulo 2^64.
    #[inline]
    pub fn queue_full_seen(&self, unit: u8, scheduler: usize) -> u64 {
        let overtaken = self.port(scheduler).overtaken[place(unit)].queue_full;
        self.pipe(unit, scheduler).queue_full.wrapping_add(overtaken)
    }

    /// Counts the issue cycles `from..to`, in which the load/store queue was full, for each unit
    /// that was free.
    // Not inlined: it is rarely called, and its callers are on the path of every instruction.
    #[inline(never)]
    pub fn count_queue_full(&mut self, from: u64, to: u64) {
        for pipe in self.ports[..self.schedulers].iter_mut().flat_map(|port| &mut port.pipes[..self.count]) {
            let busy = pipe.busy_cycles(to) - pipe.busy_cycles(from);
            pipe.queue_full += (to - from) - busy;
        }
    }
}

#[cfg(test)]
mod tests;
