//! Is a run *ordered*? A happens-before checker: a log of accesses in, the pairs that nothing orders out.
//!
//! Two accesses to a common byte by different threads, one of them a write, must be ordered by the closure of
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
//! Atomics of one commutative operation whose results are unused are exempt among themselves; the instruction set
//! has none yet, and the log no word for them.

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
    /// A write, else a read.
    pub write: bool,
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
        let what = if self.write { "writes" } else { "reads" };
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
