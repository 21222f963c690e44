//! Race checker: a happens-before check of launches on the functional machine. It receives every
//! access to shared and global memory and returns the pairs of accesses that are not ordered, one
//! for each pair of source lines.
//!
//! Two accesses to a common byte by different threads, at least one of them a write, must be
//! ordered by the closure of
//!
//! 1. the program order of a thread,
//! 2. the instruction order within a warp, and within one instruction its lanes, ascending,
//! 3. completed barriers: what a warp executes before its arrival is before what a warp executes
//!    that has waited there,
//! 4. release and acquire: locks, flags and counters with fences (`sync`),
//! 5. the boundaries of kernels.
//!
//! **Barriers are counted.** A `bar.sync` completes when every warp of the block has arrived or
//! exited. So all warps that continue have passed the same number of barriers. An access after the
//! n-th barrier is ordered after every earlier access of the block, including those of exited
//! warps, because the barrier has waited for their exit. Two accesses of different blocks are
//! ordered only by release and acquire, and by the boundary of a launch.
//!
//! **Other barriers have clocks.** A barrier for a part of the block, or one with a `bar.arrive`,
//! orders some warps only, and perhaps in one direction. From the first such barrier to the next
//! barrier of the whole block, each warp has a vector clock (`clocks`).
//!
//! **Two passes.** The records of the checker are exact, but cost more time than the launch. So a
//! launch first runs with a [`Screen`], which only finds out whether two accesses can be without
//! order, by one entry for each word. A launch without such accesses has no hazards. Otherwise the
//! launch is repeated from the same memory, with the records. It executes the same instructions.
//!
//! **What is recorded.** Blocks run one after the other, and all warps of a block have passed the
//! same number of barriers of the whole block at any time. So accesses to shared memory are checked
//! against the accesses to the word since the block's last barrier, and the records are cleared at
//! the next barrier. For a word of global memory, all accesses since the last barrier of the
//! running block are recorded, and one access per line for earlier accesses. The memory used grows
//! with the number of words accessed. In a program with `membar.gl`, whose blocks can be ordered,
//! one access per line and block is recorded.
//!
//! **Which access is first?** The order of accesses of different warps and blocks is undefined:
//! that is the hazard. The hazard is named by the order that the two would have if all warps ran in
//! step: by the loop trips since the barrier, then by position in the code ([`Access::trips`]). So
//! a missing barrier between a store and the following load is a read after write, whichever warp
//! the machine ran first; a missing barrier at the end of a loop's body is a write after read.
//! Within a warp the order is known, and a hazard is reported only with the last write of a common
//! byte and the reads since then.
//!
//! **Diverged paths.** Two lanes of a warp on different paths of a branch have no order: the
//! machine selects the path that runs first (`sm.first_path`). A conflict of such accesses is a
//! race ([`MissingOrder::Paths`](super::MissingOrder::Paths), `paths`).
//!
//! **Atomics** do not race with each other, but they race with plain accesses to the same bytes.
//! Without fences they order nothing: the order of two atomics on one word does not order accesses
//! to other words. Exempt from races are accesses that synchronize: a volatile store and the
//! volatile load or the atomic that waits for it, if the value only decides branches; and a load
//! whose value an `atom.cas` compares, if the program looks at the result of the `atom.cas`: a
//! stale value makes it fail. They count as pairs of atomics. Two unordered atomics are also
//! reported, as pairs that are not a race (`AtomicOrder`): their order can change what
//! they return or the final value. Exempt are only atomics whose order has no effect: reductions of
//! one size by one commutative operation on integers, and `min` and `max` of one signedness
//! ([`Kind::Reduction`]).
//!
//! **Lost updates.** A thread *updates* a word if it loads the word and stores a value there that
//! is computed from the loaded value (see `flow`); for a word of shared memory, without a barrier
//! between the two. If another thread writes the word after the load and before the store, that
//! write is lost. Between warps and blocks this is always possible. Within a warp the order is
//! known: the write is lost if the load is no later than the write, as in `a[0] = a[0] + 1` by
//! several lanes in lockstep, where all updates but one are lost. Such a pair is a race even if
//! both write the same value or the warp's lockstep orders them, and a barrier does not help.
//!
//! **Groups.** Hazards that one barrier would order are one finding, with the place for the barrier
//! (`group`): a line that is between the accesses and that all threads of the block reach
//! (`place`). Where there is none, the advice says how to make one.
//!
//! Invariant `races-are-found`: A race is reported as a pair of source lines, the same pair for
//! every order of the warps. Accesses that the lockstep of a warp orders, and equal values, are no
//! race. The report has a bounded size. The program shows the lines and exits with code 1.

mod checker;
mod clocks;
mod detector;
mod findings;
mod flow;
mod follow;
mod group;
mod hazard;
mod order;
mod paths;
mod place;
mod record;
mod remedy;
mod screen;
mod shadow;
mod sync;
#[cfg(test)]
mod tests;

pub use checker::{Coverage, Racecheck};
pub use detector::Detector;
pub use follow::Follower;
pub use hazard::{Found, Hazard, Party};
pub use order::Order;
pub use screen::{Screen, WarpAccess};

use isa::types::StateSpace;
use serde::Serialize;

/// Memory of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// Global memory.
    Global,
    /// Shared memory of the block.
    Shared,
}

impl From<Space> for StateSpace {
    fn from(space: Space) -> Self {
        match space {
            Space::Global => Self::Global,
            Space::Shared => Self::Shared,
        }
    }
}

/// Kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// It reads them.
    Read,
    /// It writes them.
    Write,
    /// It reads and writes them as one operation.
    Atomic,
    /// An atomic without a result whose operation commutes with itself: the operation's number.
    Reduction(u8),
}

impl Kind {
    /// Whether the access is atomic.
    pub fn is_atomic(self) -> bool {
        matches!(self, Self::Atomic | Self::Reduction(_))
    }

    /// Whether two accesses to the same bytes must be ordered.
    pub fn conflicts_with(self, other: Self) -> bool {
        match (self, other) {
            (Self::Read, Self::Read) => false,
            (Self::Reduction(a), Self::Reduction(b)) => a != b,
            _ => true,
        }
    }
}

/// Access of one thread to contiguous bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Number of the block in its grid.
    pub block: u32,
    /// Number of the warp in its block.
    pub warp: u32,
    /// Lane in its warp.
    pub lane: u32,
    /// Index of the instruction among those that the warp executed.
    pub instruction: u64,
    /// Number of barriers of the whole block that were complete.
    pub barriers: u32,
    /// Phase of the warp since then, see `Clocks::phase`.
    pub phase: u32,
    /// Number of fences that the warp has executed.
    pub epoch: u32,
    /// Loop trips of the warp: since its last barrier, and in total.
    pub trips: [u32; 2],
    /// Index of the instruction in the program.
    pub pc: u32,
    /// Line of the source.
    pub line: u32,
    /// Memory of the access.
    pub space: Space,
    /// First byte.
    pub address: u32,
    /// Number of bytes, at least 1; the end is at most 2^32.
    pub bytes: u32,
    /// Kind of the access.
    pub kind: Kind,
    /// Value written, first byte lowest, if known.
    pub value: Option<u128>,
}

impl Access {
    /// Returns the thread's number in its block.
    pub fn thread(&self) -> u32 {
        32 * self.warp + self.lane
    }
}
