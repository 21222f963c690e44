//! Is a run *ordered*? A happens-before checker for launches on the functional machine: every
//! access to shared and global memory goes in, the pairs that nothing orders come out, each pair of
//! source lines once.
//!
//! Two accesses to a common byte by different threads, one of them no read, must be ordered by the
//! closure of
//!
//! 1. the program order of a thread,
//! 2. the instruction order within a warp, and within one instruction its lanes, ascending,
//! 3. completed barriers of the block,
//! 4. the boundaries of kernels.
//!
//! **Why counting barriers is enough.** A `bar.sync` lets go when every warp of the block has
//! arrived or exited. So all warps that go on have passed the same number of barriers, and an
//! access after the n-th one is ordered behind every access of the block before it, those of exited
//! warps included: the barrier has waited for their exit. Two accesses of one block are ordered if
//! the barriers that their warps had passed differ in number, or if they are of one warp; two of
//! different blocks only by the boundary of a launch. The closure has nothing to add.
//!
//! **Barriers that are left out.** Barriers for a part of the block and `bar.arrive`, which come
//! with compute capability 2.0, would need a clock for each warp instead of a count. Those for a
//! part count for nothing. A `bar.arrive` for all of the block lets its warp run ahead of the
//! barrier, so that warps under way together would differ in their counts: from the first one on no
//! barrier of the block counts. So pairs that only these order are told as unordered, never the
//! reverse, and [`Follower::partial_barriers`] says that there were such barriers.
//!
//! **What is kept.** Blocks run one after the other, and of a block all warps have passed as many
//! barriers at any time. So shared memory is checked against what was done to the word since the
//! block's last barrier, and that is forgotten at the next one; of a word of global memory the
//! accesses since the last barrier of the running block are known, and of earlier blocks one access
//! for each line. Memory grows with the words that are touched.
//!
//! **Which of the two is first?** Between warps and blocks nothing says it: that is the hazard. It
//! is named by the order that the two would have if all warps went in step: by the trips of loops
//! since the barrier, then by place in the code ([`Access::trips`]). So a missing barrier between a
//! store and the load behind it is a read after write, whichever warp the machine ran first; one
//! missing at the end of a loop's body, a write after read. Within a warp the order is known, and
//! the hazard is told with the last write of a common byte, and the reads since then, only.
//!
//! **Diverged paths.** Two lanes of a warp on different sides of a branch are ordered as the warp
//! executes them: which side is first is part of what a program means here (`first_path`).
//!
//! **Atomics** order nothing: that one thread's atomic on a word comes after another's tells
//! neither of them anything of other words. They do not race with each other either, but plain
//! accesses to the same bytes race with them. Two atomics that nothing orders are found, too, as
//! pairs that are no race ([`Severity::AtomicOrder`]): the order in which they took place may show
//! in what they give or leave. Only where it cannot are they exempt: reductions of one size by one
//! commutative operation on integers, and `min` and `max` of one signedness ([`Kind::Reduction`]).
//!
//! **Lost updates.** A thread *updates* a word if it loads it and stores a value there that is
//! computed from the loaded value (see `flow`); for a word of shared memory, without a barrier
//! between the two. If another thread writes the word after the load and before the store, that
//! write is lost. Between warps and blocks it may come there. Within a warp the order is known: it
//! does if the load is no later than the write, as in `a[0] = a[0] + 1` by several lanes in step,
//! where all but one of the updates are lost. Such a pair is a race also where both write the same
//! value and where the warp's lockstep orders them, and a barrier does not help.
//!
//! Invariant `races-are-found`: A race is reported as a pair of source lines, the same pair for
//! every order of the warps. Accesses that the lockstep of a warp orders, and equal values, are no
//! race. The report has a bounded size. The program shows the lines and exits with code 1.

mod check;
mod flow;
mod follow;
mod hazard;
mod record;
mod shadow;
#[cfg(test)]
mod tests;

pub use check::Racecheck;
pub use follow::Follower;
pub use hazard::{Found, Hazard, HazardKind, MissingOrder, Party, Severity};

use serde::Serialize;

/// Which memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
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
    /// It does so without a result, by an operation that commutes with its like: the operation's
    /// number.
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
    /// Trips round loops that its warp had made: since its last barrier, and in all.
    pub trips: [u32; 2],
    /// Index of the instruction.
    pub pc: u32,
    /// Line of the source.
    pub line: u32,
    /// Which memory.
    pub space: Space,
    /// First byte.
    pub address: u32,
    /// Bytes, at least 1; their end is at most 2^32.
    pub bytes: u32,
    /// What it does to them.
    pub kind: Kind,
    /// What a write puts there, the first byte lowest, where that is known.
    pub value: Option<u128>,
}

impl Access {
    /// The thread's number in its block.
    pub fn thread(&self) -> u32 {
        32 * self.warp + self.lane
    }
}
