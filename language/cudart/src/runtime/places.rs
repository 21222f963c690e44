//! Lines of the host program: of the current call, and of the calls that allocated memory.

use super::Runtime;
use super::unwritten::Passed;
use report::program::Leak;
use std::collections::BTreeMap;

/// Lines of the host program. Without lines, as of native programs, it stays empty.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The last place, with its line.
    last: Option<(u64, Option<String>)>,
    /// Line and variable of each allocation, by device and address; host memory has no device.
    made: BTreeMap<(Option<usize>, u64), Made>,
    /// The last launch that got each buffer, by device and address.
    pub(super) passed: BTreeMap<(usize, u32), Passed>,
}

/// Where memory was allocated.
#[derive(Clone, Debug)]
struct Made {
    line: String,
    variable: Option<String>,
}

impl Runtime {
    /// Returns the line of the host program that makes the current call.
    pub fn line(&mut self) -> Option<String> {
        let place = self.notes.place;
        if self.places.last.as_ref().is_none_or(|(known, _)| *known != place) {
            self.places.last = Some((place, self.process.line(place)));
        }
        self.places.last.as_ref().and_then(|(_, line)| line.clone())
    }

    /// Notes the line of an allocation, whose pointer is stored at `out`.
    pub(super) fn note_made(&mut self, device: Option<usize>, address: u64, out: u64) {
        if let Some(line) = self.line() {
            let made = Made { line, variable: self.process.variable(out) };
            self.places.made.insert((device, address), made);
        }
    }

    /// Returns the variable that got the pointer to host memory of the runtime.
    pub(super) fn variable_of_block(&self, address: u64) -> Option<String> {
        self.places.made.get(&(None, address))?.variable.clone()
    }

    /// Returns the variable that got the pointer to an allocation of a device.
    pub(super) fn variable_of_allocation(&self, device: usize, address: u64) -> Option<String> {
        self.places.made.get(&(Some(device), address))?.variable.clone()
    }

    /// Forgets what was known about the memory of a new allocation.
    pub(super) fn forget_allocation(&mut self, device: usize, address: u32) {
        self.places.passed.remove(&(device, address));
        self.places.made.remove(&(Some(device), address.into()));
    }

    /// Forgets the line of memory that is freed.
    pub(super) fn forget_made(&mut self, device: Option<usize>, address: u64) {
        self.places.made.remove(&(device, address));
    }

    /// Adds memory that was never freed to the record.
    pub(super) fn leak(&mut self, (device, address): (Option<usize>, u64), bytes: u64, is_pinned: bool) {
        let leaks = if is_pinned { &mut self.program.pinned_leaks } else { &mut self.program.leaks };
        leaks.push(bytes);
        if let Some(Made { line, variable }) = self.places.made.remove(&(device, address)) {
            self.program.leaked_at.push(Leak { place: line, variable, bytes, is_pinned });
        }
    }
}
