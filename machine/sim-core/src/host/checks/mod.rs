//! The checkers on a [`Gpu`]: which ones are on, what they know of the host's calls, and leaks.

use super::gpu::Gpu;
use super::memory::{DevicePtr, Row};
use super::start::Ready;
use crate::check::{Check, Checkers, Checks, Finding, Kind, Launched, Written};
use crate::gpu::functional::{self, Ending, Executed, FunctionalEnd, Hooks, Tell};
use crate::stats::report::CheckReport;
use std::collections::BTreeSet;
use std::ops::Range;

/// Record of the host's calls for the checkers.
#[derive(Debug, Default)]
pub struct Checking {
    /// Checkers that are on.
    pub(super) on: Checks,
    /// Bytes of global memory that were written; only while [`Check::Init`] is on.
    written: Written,
    /// Bytes that the host has copied from the device before anything wrote them; only while
    /// [`Check::Init`] is on.
    read_early: Written,
    /// Addresses of module variables, which the host program does not free.
    variables: BTreeSet<u32>,
}

impl Checking {
    /// Follows an allocation.
    pub fn allocated(&mut self, address: u32, bytes: u64) {
        if self.on.has(Check::Init) {
            self.written.remove(address, bytes);
            self.read_early.remove(address, bytes);
        }
    }

    /// Follows a write by the host.
    pub fn wrote(&mut self, address: u32, bytes: u64) {
        if self.on.has(Check::Init) {
            self.written.add(address, bytes);
            self.read_early.remove(address, bytes);
        }
    }

    /// Follows a copy to the host.
    pub fn read(&mut self, address: u32, bytes: u64) {
        if self.on.has(Check::Init) && !self.written.touches(address, bytes) {
            self.read_early.add(address, bytes);
        }
    }

    /// Returns the bytes of rows that nothing has written, as ranges in the sequence of all their
    /// bytes.
    pub fn missing(&self, rows: &[Row]) -> Vec<Range<u64>> {
        let mut missing = Vec::new();
        if self.on.has(Check::Init) {
            let mut before = 0;
            for row in rows {
                let start = u64::from(row.ptr.address());
                let own = self.written.unwritten(row.ptr.address(), row.bytes);
                missing.extend(own.into_iter().map(|at| before + at.start - start..before + at.end - start));
                before += row.bytes;
            }
        }
        missing
    }

    /// Follows a copy to rows. Nothing has written the ranges `missing` of the copied bytes: the
    /// copies are as undefined as their sources.
    pub fn copied(&mut self, rows: &[Row], missing: &[Range<u64>]) {
        if missing.is_empty() || !self.on.has(Check::Init) {
            return;
        }
        let mut before = 0;
        for row in rows {
            let end = before + row.bytes;
            for range in missing.iter().filter(|range| range.start < end && before < range.end) {
                let start = range.start.max(before);
                let at = row.ptr.offset((start - before) as u32);
                self.written.remove(at.address(), range.end.min(end) - start);
            }
            before = end;
        }
    }

    /// Names a wrong direction of a copy as the cause of the finding of a value that nothing wrote.
    fn name_direction(&self, finding: &mut Finding) {
        let Some(memory) = finding.memory.as_ref().filter(|_| finding.kind == Kind::Global) else { return };
        if u32::try_from(memory.address).is_ok_and(|at| self.read_early.covers(at, memory.bytes.max(1))) {
            finding.kind = Kind::CopyDirection;
            finding.notes.push(
                "the host has copied these bytes from the device before anything wrote them: the direction of \
                 that copy is probably wrong"
                    .to_owned(),
            );
            finding.help =
                Some("copy the data to the device before the launch (cudaMemcpyHostToDevice)".to_owned());
        }
    }

    /// Notes the addresses of module variables.
    pub fn owns(&mut self, variables: impl Iterator<Item = u32>) {
        self.variables.extend(variables);
    }

    /// Forgets the address of a module variable.
    pub fn disowns(&mut self, variable: u32) {
        self.variables.remove(&variable);
    }
}

/// Results of a launch on the functional machine.
pub(super) struct Checked {
    /// End of the run.
    pub end: FunctionalEnd,
    /// Findings; `None` if no checker is on.
    pub checks: Option<CheckReport>,
}

impl Gpu {
    /// Turns checkers of later launches on the functional machine on or off (see [`crate::check`]).
    /// Reports of checked launches have [`Report::checks`](crate::stats::Report::checks). Memory
    /// that is allocated already counts as written. With [`Check::Race`], a launch whose accesses
    /// can be without order is executed twice, from the same memory, and then the monitor counts it
    /// twice.
    pub fn check(&mut self, checks: Checks) {
        let before = std::mem::replace(&mut self.checking.on, checks);
        if checks.has(Check::Init) && !before.has(Check::Init) {
            self.all_written();
        }
    }

    /// The checkers of the launches.
    pub fn checks(&self) -> Checks {
        self.checking.on
    }

    /// Turns the race checker on or off, as [`Self::check`] does.
    pub fn check_races(&mut self, on: bool) {
        self.check(self.checking.on.set(Check::Race, on));
    }

    /// Declares the contents of `bytes` bytes at `ptr` undefined, as `cudaMalloc` leaves them: the
    /// values stay, but [`Check::Init`] reports reads of them.
    pub fn forget(&mut self, ptr: DevicePtr, bytes: u64) {
        if self.checking.on.has(Check::Init) {
            self.checking.written.remove(ptr.address(), bytes);
        }
    }

    /// Declares `bytes` bytes at `ptr` written, as mapped memory is, whose writes by the host are
    /// not known here; the opposite of [`Self::forget`].
    pub fn assume_written(&mut self, ptr: DevicePtr, bytes: u64) {
        self.checking.wrote(ptr.address(), bytes);
    }

    /// Notes that rows have bytes that were copied from other rows: the copies are as undefined as
    /// their sources.
    pub fn copy_state(&mut self, to: &[Row], from: &[Row]) {
        let missing = self.checking.missing(from);
        self.checking.copied(to, &missing);
    }

    /// Returns the ranges of addresses in a row that nothing has written since the allocation;
    /// empty without [`Check::Init`].
    pub fn unwritten(&self, row: Row) -> Vec<Range<u64>> {
        if self.checking.on.has(Check::Init) {
            self.checking.written.unwritten(row.ptr.address(), row.bytes)
        } else {
            Vec::new()
        }
    }

    /// Returns a finding for each allocation that the host program has not freed, except module
    /// variables. Called at the end of a host program, these are leaks.
    pub fn leaks(&self) -> Vec<Finding> {
        let ranges = self.allocator.table().ranges().iter();
        let leaked = ranges.filter(|range| !self.checking.variables.contains(&range.start));
        leaked.map(Finding::leak).collect()
    }

    /// Notes that the contents of all allocations are known: a launch without checkers may have
    /// written them.
    pub(super) fn all_written(&mut self) {
        if self.checking.on.has(Check::Init) {
            for range in self.allocator.table().ranges() {
                self.checking.written.add(range.start, range.bytes.into());
            }
        }
    }

    /// Runs a launch on the functional machine with the checkers that are on.
    pub(super) fn run_checked(&mut self, ready: &Ready<'_>, tell: Option<Tell<'_>>) -> Checked {
        let kernel = &*ready.kernel;
        let limit = ready.launch.options.max_cycles;
        let on = self.checking.on;
        if on.is_empty() {
            let end = if self.effects.is_recording() {
                self.run_recorded(ready, tell)
            } else {
                let speculation = self.speculations.of(ready);
                let hooks = Hooks { tell, watch: functional::UNOBSERVED, speculation };
                functional::run(kernel, &mut self.memory, limit, hooks)
            };
            return Checked { end, checks: None };
        }
        self.effects.lose();
        let launched = Launched {
            pointers: ready.launch.pointers(&kernel.program),
            written: std::mem::take(&mut self.checking.written),
        };
        // Copies share their pages until they are written.
        let before = self.memory.clone();
        let mut tell = tell;
        let mut checkers = Checkers::new(on, kernel, launched);
        let watch = |executed: Executed| checkers.executed(&executed);
        let hooks = Hooks { tell: again(&mut tell), watch: Some(watch), speculation: None };
        let mut end = functional::run(kernel, &mut self.memory, limit, hooks);
        if checkers.needs_repetition() {
            let watch = |executed: Executed| checkers.repeated(&executed);
            let (mut memory, limit) = (before, limit.min(end.counts.warp));
            let hooks = Hooks { tell, watch: Some(watch), speculation: None };
            let second = functional::run(kernel, &mut memory, limit, hooks);
            if matches!(second.ending, Ending::Stopped(..)) {
                (end, self.memory) = (second, memory);
            }
        }
        let mut checkup = checkers.end(&end.ending);
        checkup.findings.iter_mut().for_each(|finding| self.checking.name_direction(finding));
        self.checking.written = checkup.written;
        let complete = end.ending == Ending::Finished;
        let checks = CheckReport::new(on, complete, checkup.findings, checkup.coverage);
        Checked { end, checks: Some(checks) }
    }
}

/// The progress callback, for one of two runs.
fn again<'a>(tell: &'a mut Option<Tell<'_>>) -> Option<Tell<'a>> {
    tell.as_mut().map(|tell| &mut **tell as Tell<'a>)
}

#[cfg(test)]
mod tests;
