//! Findings of the checkers as plain data, and the table in which a checker collects them.

use super::advice::Advice;
use super::kind::{Check, HazardKind, Kind, MissingOrder, Severity};
use crate::exec::Kernel;
use crate::exec::allocations::Allocation;
use crate::exec::trap::Trap;
use isa::types::{Dim3, StateSpace};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// A thread, the source line at which it is, and its part in the finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Thread {
    /// Source line number.
    pub line: u32,
    /// Source line text.
    pub source: String,
    /// Characters of the line that the instruction has, from 1; absent if it is the only
    /// instruction of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Range<u32>>,
    /// Block index.
    pub block: Dim3,
    /// Thread index in the block.
    pub thread: Dim3,
    /// Warp number in the block.
    pub warp: u32,
    /// Its action there, such as `reads` or `waits`.
    pub does: String,
}

impl Thread {
    /// Returns lane `lane` of warp `warp` of block number `block` at instruction `pc`.
    pub fn at(kernel: &Kernel, pc: u32, block: u64, warp: u32, lane: u32, does: impl Into<String>) -> Self {
        let line = line_of(kernel, pc);
        Self {
            line,
            source: kernel.program.source.line(line).to_owned(),
            columns: kernel.program.columns(pc),
            block: kernel.grid.index_of(block),
            thread: kernel.block.index_of(u64::from(32 * warp + lane)),
            warp,
            does: does.into(),
        }
    }

    /// Returns the thread of a trap.
    pub fn of_trap(trap: &Trap, kernel: &Kernel, does: impl Into<String>) -> Self {
        Self {
            line: trap.line,
            source: kernel.program.source.line(trap.line).to_owned(),
            columns: kernel.program.columns(trap.pc),
            block: trap.block,
            thread: trap.thread,
            warp: trap.warp,
            does: does.into(),
        }
    }
}

/// A variable or an allocation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Object {
    /// Name in CUDA C or in PTX, or name that the host gave; `None` for an allocation without name.
    pub name: Option<String>,
    /// First address in its state space.
    pub start: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// Bytes in memory that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bytes {
    /// State space.
    pub space: StateSpace,
    /// First byte.
    pub address: u64,
    /// Number of bytes.
    pub bytes: u32,
    /// The variable or allocation that contains the first byte.
    pub object: Option<Object>,
}

impl Bytes {
    /// Returns the name of the object, if it has one, and the position of the first byte in it.
    pub fn offset(&self) -> Option<(&str, u64)> {
        let object = self.object.as_ref()?;
        Some((object.name.as_deref()?, self.address - object.start))
    }
}

/// A mistake that a checker found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Checker that found it.
    pub check: Check,
    /// Kind of the mistake.
    pub kind: Kind,
    /// Error, warning or info.
    pub severity: Severity,
    /// Source line number; 0 for a mistake of the host program.
    pub line: u32,
    /// Source line text.
    pub source: String,
    /// Index of the instruction.
    pub pc: u32,
    /// Threads of the first example. The last one is at `line`. Earlier ones are at the other
    /// lines that a reader needs, such as the first access of a race.
    pub threads: Vec<Thread>,
    /// Bytes in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes>,
    /// The mistake in one sentence, without the line.
    pub message: String,
    /// Facts about the first example, one sentence each.
    pub notes: Vec<String>,
    /// The remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The same as data: what to change, and where; absent for other findings than races, and for
    /// races that are no mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<Advice>,
    /// How often it occurred: number of threads that made the mistake, of barriers, or of accesses
    /// that met an earlier one, counted for each word.
    pub times: u64,
    /// The pairs of lines of a race; absent for other findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub race: Option<Race>,
}

/// All pairs of lines that have one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Race {
    /// The pairs of lines, the pair that the finding shows first.
    pub pairs: Vec<Pair>,
}

/// Two accesses of different threads to common bytes, at least one of them a write, without an
/// order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// `RAW`, `WAR` or `WAW`, by the order of the two accesses, or the order they would have
    /// if all warps ran in lockstep.
    pub hazard: HazardKind,
    /// Severity of this pair; the finding has the severity of its most severe pair.
    pub severity: Severity,
    /// `blocks`, `warps`, two `paths` of a branch, `lanes` of a warp, or lanes of one
    /// `instruction`.
    pub between: MissingOrder,
    /// Number of barriers that the warp of the second access had passed.
    pub barriers: u32,
    /// The first access.
    pub first: Thread,
    /// The second access.
    pub second: Thread,
    /// The common bytes.
    pub memory: Bytes,
    /// Number of accesses that met an earlier one like this, counted for each word.
    pub times: u64,
}

impl Finding {
    /// A finding at instruction `pc` that occurred once, without threads, memory, notes and remedy.
    pub fn new(kernel: &Kernel, kind: Kind, pc: u32, message: impl Into<String>) -> Self {
        let line = line_of(kernel, pc);
        Self {
            check: kind.check(),
            kind,
            severity: kind.severity(),
            line,
            source: kernel.program.source.line(line).to_owned(),
            pc,
            threads: Vec::new(),
            memory: None,
            message: message.into(),
            notes: Vec::new(),
            help: None,
            advice: None,
            times: 1,
            race: None,
        }
    }

    /// The finding of an allocation that the host program has not freed.
    pub fn leak(range: &Allocation) -> Self {
        let name = range.name.as_ref().map_or_else(String::new, |name| format!(" `{name}`"));
        let object =
            Object { name: range.name.clone(), start: range.start.into(), bytes: range.bytes.into() };
        Self {
            check: Kind::Leak.check(),
            kind: Kind::Leak,
            severity: Kind::Leak.severity(),
            line: 0,
            source: String::new(),
            pc: 0,
            threads: Vec::new(),
            memory: Some(Bytes {
                space: StateSpace::Global,
                address: range.start.into(),
                bytes: range.bytes,
                object: Some(object),
            }),
            message: format!("the allocation{name} of {} bytes is never freed", range.bytes),
            notes: Vec::new(),
            help: Some("free it after its last use".to_owned()),
            advice: None,
            times: 1,
            race: None,
        }
    }

    /// Adds the occurrences of the same mistake in another launch.
    pub fn add(&mut self, other: &Self) {
        self.times += other.times;
        if let (Some(race), Some(other)) = (&mut self.race, &other.race) {
            race.pairs.extend(other.pairs.iter().cloned());
        }
    }

    /// Adds a thread.
    #[must_use]
    pub fn thread(mut self, thread: Thread) -> Self {
        self.threads.push(thread);
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the bytes.
    #[must_use]
    pub fn memory(mut self, memory: Bytes) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Sets the remedy.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Returns the source line of an instruction; 0 if it has none.
pub fn line_of(kernel: &Kernel, pc: u32) -> u32 {
    kernel.program.lines.get(pc as usize).copied().unwrap_or(0)
}

/// Findings, one for each kind and source line: the first example and the number of times.
#[derive(Debug, Default)]
pub struct Findings {
    table: BTreeMap<(Kind, u32), Finding>,
}

impl Findings {
    /// Adds `times` occurrences of a mistake. `make` makes the finding if it is the first
    /// occurrence at this line.
    pub fn add(&mut self, kind: Kind, line: u32, times: u64, make: impl FnOnce() -> Finding) {
        if let Some(known) = self.table.get_mut(&(kind, line)) {
            known.times += times;
        } else {
            self.table.insert((kind, line), Finding { times, ..make() });
        }
    }

    /// Returns all findings, ordered by kind and line.
    pub fn into_vec(self) -> Vec<Finding> {
        self.table.into_values().collect()
    }
}
