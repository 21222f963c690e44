//! Is a run *ordered*? A happens-before checker: a log of accesses in, the pairs that nothing orders out.
//!
//! Two accesses to a common byte by different threads, one of them no read, must be ordered by the closure of
//!
//! 1. the program order of a thread,
//! 2. the instruction order within a warp, and within one instruction its lanes, ascending,
//! 3. completed barriers of the block,
//! 4. the boundaries of kernels.
//!
//! **Why counting barriers is enough.** A `bar.sync` lets go when every warp of the block has arrived or exited. So
//! all warps that go on have passed the same number of barriers, and an access after the n-th one is ordered behind
//! every access of the block before it, those of exited warps included: the barrier has waited for their exit. Two
//! accesses of one block are ordered if the barriers that their warps had passed differ in number, or if they are of
//! one warp; two of different blocks only by the boundary of a launch. The closure has nothing to add. (Barriers for
//! a part of the block, which come with compute capability 2.0, would need a clock for each warp instead of a count.
//! They are left out: pairs that only they order are told as unordered, never the reverse.)
//!
//! **Diverged paths.** Two lanes of a warp on different sides of a branch are ordered as the warp executes them:
//! which side is first is part of what a program means here (`first_path`), and a warp's log is in that order.
//! [`Rule::Barriers`] does not count on warps at all: what passes it is right on any machine with barriers, and one
//! thread at a time.
//!
//! **Atomics** order nothing: that one thread's atomic on a word comes after another's tells neither of them anything of
//! other words. They do not race with each other either, but plain accesses to the same bytes race with them. Two
//! atomics that nothing orders are found, too, as pairs that are no race ([`Unordered::is_race`]): the order in which
//! they took place may show in what they give or leave. Only where it cannot are they exempt: reductions of one size
//! by one commutative operation on integers, and `min` and `max` of one signedness ([`Kind::Reduction`]).

mod pairs;
mod record;

pub use pairs::{Unordered, Why, unordered};
pub use record::{record, record_case};

use std::fmt;

/// Which memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// The device's.
    Global,
    /// The block's.
    Shared,
}

/// What an access does to its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// It reads them.
    Read,
    /// It writes them.
    Write,
    /// It reads and writes them at once.
    Atomic,
    /// It does so without a result, by an operation that commutes with its like: the operation's number.
    Reduction(u8),
}

impl Kind {
    /// Whether it is atomic.
    pub fn is_atomic(self) -> bool {
        matches!(self, Self::Atomic | Self::Reduction(_))
    }

    /// Whether two accesses to the same bytes must be ordered.
    pub fn meets(self, other: Self) -> bool {
        match (self, other) {
            (Self::Read, Self::Read) => false,
            (Self::Reduction(a), Self::Reduction(b)) => a != b,
            _ => true,
        }
    }
}

/// One thread's access to some bytes side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Number of the launch.
    pub launch: u32,
    /// Number of the block in its grid.
    pub block: u32,
    /// Number of the warp in its block.
    pub warp: u32,
    /// Lane in its warp.
    pub lane: u32,
    /// Number of the instruction among those that its warp executed.
    pub instruction: u64,
    /// Barriers that its warp had passed.
    pub barriers: u32,
    /// Which memory.
    pub space: Space,
    /// First byte.
    pub address: u32,
    /// Bytes, at least 1; their end is below 2^32.
    pub bytes: u32,
    /// What it does to them.
    pub kind: Kind,
    /// Line of the source.
    pub line: u32,
}

impl Access {
    /// The thread's number in its block.
    pub fn thread(&self) -> u32 {
        32 * self.warp + self.lane
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { block, warp, line, address, bytes, .. } = self;
        let what = match self.kind {
            Kind::Read => "reads",
            Kind::Write => "writes",
            Kind::Atomic | Kind::Reduction(_) => "changes",
        };
        let space = if self.space == Space::Shared { "shared" } else { "global" };
        let thread = self.thread();
        write!(
            f,
            "line {line} {what} {bytes} bytes at {address:#x} of {space} memory (block {block}, thread {thread}, warp {warp})"
        )
    }
}

/// What counts as an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// All four of the list above.
    Warps,
    /// All but the instruction order within a warp.
    Barriers,
}
