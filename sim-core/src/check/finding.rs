//! Findings of the checkers as plain data, and the table in which a checker collects them.

use crate::exec::Kernel;
use crate::exec::allocations::Allocation;
use crate::exec::trap::Trap;
use crate::words::words;
use isa::types::{Dim3, StateSpace};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

words! {
    /// A checker.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum Check {
        /// Accesses outside of variables and allocations, misaligned accesses, leaks.
        Memory = "memory",
        /// Accesses to the same bytes without an order.
        Race = "race",
        /// Values that nothing wrote.
        Init = "init",
        /// Barriers.
        Sync = "sync",
    }
}

/// A set of checkers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks(u8);

impl Checks {
    /// No checker.
    pub const NONE: Self = Self(0);
    /// All checkers.
    pub const ALL: Self = {
        let mut all = Self::NONE;
        let mut at = 0;
        while at < Check::NAMES.len() {
            all = all.and(Check::NAMES[at].1);
            at += 1;
        }
        all
    };

    /// Whether they need code that is not optimized: the optimizer replaces addresses of variables
    /// by numbers.
    pub const fn need_plain_code(self) -> bool {
        self.has(Check::Memory) || self.has(Check::Init)
    }

    /// Returns the set with one more checker.
    #[must_use]
    pub const fn and(self, check: Check) -> Self {
        Self(self.0 | 1 << check as u8)
    }

    /// Returns the set with a checker only if `on` is true.
    #[must_use]
    pub const fn set(self, check: Check, on: bool) -> Self {
        let others = self.0 & !(1 << check as u8);
        if on { Self(others).and(check) } else { Self(others) }
    }

    /// Whether a checker is in the set.
    pub const fn has(self, check: Check) -> bool {
        self.0 >> check as u8 & 1 == 1
    }

    /// Whether there is no checker in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the checkers in the set, in the order of [`Check`].
    pub fn iter(self) -> impl Iterator<Item = Check> {
        Check::NAMES.into_iter().map(|(_, check)| check).filter(move |check| self.has(*check))
    }
}

words! {
    /// Severity of a finding.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum Severity {
        /// The program has a mistake.
        Error = "error",
        /// The program is right on this hardware, but could be simpler or depends on the hardware.
        Hint = "hint",
    }
}

words! {
    /// Kind of a finding.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum Kind {
        /// An access outside of every variable and allocation.
        OutOfBounds = "out_of_bounds",
        /// An access through a pointer to host memory.
        HostPointer = "host_pointer",
        /// An access to another variable or allocation than the one that the address was computed
        /// from.
        Crossing = "crossing",
        /// An access whose address is not a multiple of its size.
        Misaligned = "misaligned",
        /// An access to an allocation that the host has freed.
        UseAfterFree = "use_after_free",
        /// An allocation that the host program never frees.
        Leak = "leak",
        /// A load after a store of another thread, without an order.
        ReadAfterWrite = "read_after_write",
        /// A store after a load of another thread, without an order.
        WriteAfterRead = "write_after_read",
        /// Stores of two threads, without an order.
        WriteAfterWrite = "write_after_write",
        /// Accesses on two paths of a branch: the path that runs first decides.
        DivergentPaths = "divergent_paths",
        /// A load, a computation and a store by several threads, of which updates are lost.
        LostUpdate = "lost_update",
        /// A register that nothing wrote.
        Register = "register",
        /// A value of shared memory that nothing wrote.
        Shared = "shared",
        /// A value of local memory that nothing wrote.
        Local = "local",
        /// A value of global memory that nothing wrote.
        Global = "global",
        /// A value of global memory that nothing wrote, although the host has copied it from the
        /// device.
        CopyDirection = "copy_direction",
        /// A barrier that only some threads of a warp reach.
        DivergentBarrier = "divergent_barrier",
        /// A barrier that some warps of the block do not execute.
        SkippedBarrier = "skipped_barrier",
        /// An invalid thread count or number of a barrier, or one that does not match.
        BarrierCount = "barrier_count",
        /// A barrier that orders no accesses.
        UnneededBarrier = "unneeded_barrier",
        /// Accesses that only the lockstep of a warp orders.
        WarpSynchronous = "warp_synchronous",
    }
}

impl Kind {
    /// The checker that reports it.
    pub const fn check(self) -> Check {
        match self {
            Self::OutOfBounds
            | Self::HostPointer
            | Self::Crossing
            | Self::Misaligned
            | Self::UseAfterFree
            | Self::Leak => Check::Memory,
            Self::ReadAfterWrite
            | Self::WriteAfterRead
            | Self::WriteAfterWrite
            | Self::DivergentPaths
            | Self::LostUpdate => Check::Race,
            Self::Register | Self::Shared | Self::Local | Self::Global | Self::CopyDirection => Check::Init,
            Self::DivergentBarrier
            | Self::SkippedBarrier
            | Self::BarrierCount
            | Self::UnneededBarrier
            | Self::WarpSynchronous => Check::Sync,
        }
    }

    /// The usual severity.
    pub const fn severity(self) -> Severity {
        match self {
            Self::UnneededBarrier | Self::WarpSynchronous => Severity::Hint,
            Self::OutOfBounds
            | Self::HostPointer
            | Self::Crossing
            | Self::Misaligned
            | Self::UseAfterFree
            | Self::Leak
            | Self::ReadAfterWrite
            | Self::WriteAfterRead
            | Self::WriteAfterWrite
            | Self::DivergentPaths
            | Self::LostUpdate
            | Self::Register
            | Self::Shared
            | Self::Local
            | Self::Global
            | Self::CopyDirection
            | Self::DivergentBarrier
            | Self::SkippedBarrier
            | Self::BarrierCount => Severity::Error,
        }
    }
}

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
    /// What it does there, such as `reads` or `waits`.
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
    /// Name in the PTX text, or name that the host gave; `None` for an allocation without name.
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

/// A mistake that a checker found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The checker.
    pub check: Check,
    /// Kind of the mistake.
    pub kind: Kind,
    /// Severity.
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
    /// How often it occurred: number of threads that made the mistake, or of barriers.
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
            times: 1,
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
            times: 1,
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
