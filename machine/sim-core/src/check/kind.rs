//! Kinds in the results of checkers: checkers, severities, kinds of findings and of hazards.

use crate::words::words;
use serde::Serialize;
use std::fmt;

words! {
    /// Checkers of `--check`.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum Check {
        /// Accesses outside of variables and allocations, misaligned accesses, leaks.
        Memory = "memory",
        /// Accesses to the same bytes without an order.
        Race = "race",
        /// Values that nothing wrote, and results of divisions by zero.
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
        Warning = "warning",
        /// The program is right on all hardware.
        Info = "info",
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
        /// Accesses that only the lockstep of a warp orders.
        WarpSynchronous = "warp_synchronous",
        /// Stores of two threads without an order, always of the same value.
        SameValue = "same_value",
        /// Atomics, or accesses that synchronize, whose order can be visible in their results or in
        /// memory.
        AtomicOrder = "atomic_order",
        /// A read of host memory that a copy or a kernel may not have written: the host has not
        /// waited for it.
        HostRead = "host_read",
        /// A write to host memory that a copy or a kernel may still access: the host has not waited
        /// for it.
        HostWrite = "host_write",
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
        /// Bytes of device memory that nothing wrote and that the host copies from the device.
        UnwrittenCopy = "unwritten_copy",
        /// The result of an integer division by zero, which matters.
        DivisionByZero = "division_by_zero",
        /// A barrier that only some threads of a warp reach.
        DivergentBarrier = "divergent_barrier",
        /// A barrier that some warps of the block do not execute.
        SkippedBarrier = "skipped_barrier",
        /// An invalid thread count or number of a barrier, or one that does not match.
        BarrierCount = "barrier_count",
        /// A barrier that orders no accesses.
        UnneededBarrier = "unneeded_barrier",
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
            | Self::LostUpdate
            | Self::WarpSynchronous
            | Self::SameValue
            | Self::AtomicOrder
            | Self::HostRead
            | Self::HostWrite => Check::Race,
            Self::Register
            | Self::Shared
            | Self::Local
            | Self::Global
            | Self::CopyDirection
            | Self::UnwrittenCopy
            | Self::DivisionByZero => Check::Init,
            Self::DivergentBarrier | Self::SkippedBarrier | Self::BarrierCount | Self::UnneededBarrier => {
                Check::Sync
            }
        }
    }

    /// The usual severity.
    pub const fn severity(self) -> Severity {
        match self {
            Self::UnneededBarrier | Self::WarpSynchronous => Severity::Warning,
            Self::SameValue | Self::AtomicOrder => Severity::Info,
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
            | Self::HostRead
            | Self::HostWrite
            | Self::Register
            | Self::Shared
            | Self::Local
            | Self::Global
            | Self::CopyDirection
            | Self::UnwrittenCopy
            | Self::DivisionByZero
            | Self::DivergentBarrier
            | Self::SkippedBarrier
            | Self::BarrierCount => Severity::Error,
        }
    }
}

/// Reason for which two accesses of different threads are not ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingOrder {
    /// The accesses are of different blocks, which only release and acquire can order.
    Blocks,
    /// The accesses are of different warps of one block, which have passed the same number of
    /// barriers.
    Warps,
    /// The accesses are of one warp, on two paths of a branch: the machine selects the path that
    /// runs first.
    Paths,
    /// The accesses are of one warp, without a barrier between them. Its instructions are ordered
    /// only on hardware whose warps run in lockstep.
    Lanes,
    /// The accesses are of one instruction of a warp: the highest lane wins.
    Instruction,
}

/// Kind of a hazard, by its two accesses in the order that they have, or would have if all warps
/// ran in step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum HazardKind {
    /// Read after write.
    #[serde(rename = "RAW")]
    Raw,
    /// Write after read.
    #[serde(rename = "WAR")]
    War,
    /// Write after write.
    #[serde(rename = "WAW")]
    Waw,
}

impl fmt::Display for HazardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Raw => "RAW",
            Self::War => "WAR",
            Self::Waw => "WAW",
        })
    }
}
