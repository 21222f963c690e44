//! Report of a launch that did not end: its class, the waiting warps, and the barriers with arrived
//! and missing warps.

use isa::types::{Dim3, StateSpace};
use serde::Serialize;

/// Reason why a launch did not end. All classes except [`StuckClass::Limit`] and
/// [`StuckClass::Interrupted`] are proved from the machine's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StuckClass {
    /// All live warps wait at barriers, and no barrier can complete.
    Barrier,
    /// Lanes repeat a loop forever, and other lanes of the same warp cannot run before they leave
    /// it.
    DivergedSibling,
    /// Warps repeat a loop forever that reads global memory. Blocks that could change it never
    /// start, because the blocks of these warps occupy all slots: for example, a grid-wide barrier
    /// of a grid that does not fit.
    NotStarted,
    /// Warps repeat a loop forever: all values that determine its path are the same in every
    /// iteration.
    EndlessLoop,
    /// A warp waits for a reply that is not under way: a bug of the simulator.
    LostReply,
    /// The limit was reached; whether the launch would have ended is unknown.
    Limit,
    /// The launch was interrupted; whether it would have ended is unknown.
    Interrupted,
}

impl StuckClass {
    /// Returns the meaning of the class in one line.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Barrier => "a barrier can never complete",
            Self::DivergedSibling => "lanes wait for diverged lanes of the same warp",
            Self::NotStarted => "blocks wait for blocks that cannot start",
            Self::EndlessLoop => "a loop never ends",
            Self::LostReply => "a memory reply is lost",
            Self::Limit => "limit reached",
            Self::Interrupted => "interrupted",
        }
    }

    /// Returns the advice for the user.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Barrier => {
                "give all warps of the block the same barriers in the same order: a barrier completes when every \
                 warp that has not exited reaches it, or the number of warps of its thread count"
            }
            Self::DivergedSibling => {
                "do the work that the loop waits for inside the loop, or let one lane of each warp do both: after a \
                 divergent branch one side runs until it reaches the reconvergence point, and the other side runs \
                 only then"
            }
            Self::NotStarted => {
                "launch at most as many blocks as can be resident at the same time, or end the kernel where the \
                 blocks wait and launch another kernel for the rest: a block keeps its slot until it ends"
            }
            Self::EndlessLoop => {
                "check the condition of the loop: its operands and the values that it reads are the same in every \
                 iteration, and no other thread can change them"
            }
            Self::LostReply => {
                "report this bug of the simulator with the PTX file, the launch and the chip; the kernel is not the \
                 cause"
            }
            Self::Limit => "the kernel has an infinite loop or needs more time than the limit allows",
            Self::Interrupted => {
                "run the kernel again to its end; the interruption is no evidence of an error in the kernel"
            }
        }
    }
}

/// Report of a launch that did not end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StuckReport {
    /// Reason why it did not end.
    pub class: StuckClass,
    /// Remedy.
    pub hint: String,
    /// Every resident warp that has not exited (with `lost_reply` also the exited warps).
    pub warps: Vec<WarpStuck>,
    /// Every barrier that some warps of a block had reached and others had not.
    pub barriers: Vec<BarrierStuck>,
    /// Entries with the owner `who` and the contents `what`: the progress of the dispatcher and, if
    /// no event is due, the queues that are not empty.
    pub queues: Vec<QueueStuck>,
    /// Blocks that cannot start before a resident block ends: index of the `first` (the others
    /// follow it), number of `blocks`, and the `holders` of all slots, which are the resident
    /// blocks (functional machine: the running block); otherwise `null`. For concurrent kernels the
    /// `holders` are the blocks of this kernel, and `kernel` is the name of the blocks' kernel if
    /// it is another one.
    pub not_started: Option<NotStarted>,
}

/// Blocks that had not started for lack of resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotStarted {
    /// Kernel of the blocks, if they belong to another of several concurrent kernels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// Index of the first of these blocks; the others follow it in linear order.
    pub first: Dim3,
    /// Number of them.
    pub blocks: u64,
    /// Resident blocks of this launch, which occupy all block slots (functional machine: the
    /// running block). Blocks of concurrent kernels may occupy slots, too.
    pub holders: Vec<Dim3>,
}

impl StuckReport {
    /// Marks the report of a launch that was interrupted, so that no limit was reached. Proved
    /// classes remain.
    #[must_use]
    pub fn interrupted(mut self) -> Self {
        if self.class == StuckClass::Limit {
            self.class = StuckClass::Interrupted;
            self.class.hint().clone_into(&mut self.hint);
        }
        self
    }
}

/// Activity of a resident warp.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Doing {
    /// It waits at a barrier.
    Barrier {
        /// Barrier number.
        barrier: u32,
    },
    /// It waits for the reply to a fence.
    Fence,
    /// It waits for values from global memory.
    Memory {
        /// Lines of the pending loads.
        lines: Vec<u32>,
    },
    /// It repeats a loop, with exactly the same state in every iteration: only a store of another
    /// thread could end it.
    Repeats(RoundReport),
    /// It could continue.
    Runs {
        /// First and last line of the loop that contains its next instruction, if any.
        within: Option<(u32, u32)>,
    },
    /// It has exited.
    Exited,
}

/// A loop that was proved to repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundReport {
    /// First line of the loop.
    pub first_line: u32,
    /// Last line of the loop.
    pub last_line: u32,
    /// Warp instructions per iteration.
    pub instructions: u64,
    /// Words of shared or global memory that it reads: (space, byte address), ascending, the first
    /// [`MOST_READS`].
    pub reads: Vec<(StateSpace, u32)>,
}

/// Most addresses in a [`RoundReport`].
pub const MOST_READS: usize = 4;

/// A resident warp.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WarpStuck {
    /// SM; `None` on the functional machine.
    pub sm: Option<u32>,
    /// Warp slot of the SM; `None` on the functional machine.
    pub slot: Option<u32>,
    /// Index of its block.
    pub block: Dim3,
    /// Index of the warp in the block.
    pub warp: u32,
    /// Lanes that run, or that have reached the point at which the warp waits; bit = lane.
    pub lanes: u32,
    /// Lanes that exist and have not exited.
    pub live: u32,
    /// Line of the barrier or fence at which it waits, otherwise of its next instruction.
    pub line: u32,
    /// Shader cycle (functional machine: warp instruction) since which it has run with exactly the
    /// lanes of its top entry.
    pub since: u64,
    /// Activity of the warp.
    pub doing: Doing,
    /// Its other live lanes, the next to run first: `lanes`, the `line` at which they will
    /// continue, and `arrived`: `true` if they wait there for the running lanes, `false` if they
    /// wait for their turn.
    pub others: Vec<LanesWait>,
}

/// Lanes of a warp that do not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LanesWait {
    /// The lanes; bit = lane.
    pub lanes: u32,
    /// Line at which they will continue; 0 for the end of the kernel.
    pub line: u32,
    /// Whether they have reached the reconvergence point and wait for the other path there.
    /// Otherwise they wait for their turn to run.
    pub arrived: bool,
}

/// A barrier of a block that some warps have reached and others have not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BarrierStuck {
    /// Index of the block.
    pub block: Dim3,
    /// Barrier number.
    pub barrier: u32,
    /// For a barrier with a thread count: how many warps must arrive and how many arrivals there
    /// were; otherwise `null`. With a thread count no single warp is missing, and the exited warps
    /// may be the missing ones.
    pub counted: Option<(u32, u32)>,
    /// The warps that arrived: `warp`, the `lanes` that executed the barrier, and its `line`.
    pub arrived: Vec<Arrived>,
    /// Warps that have not arrived.
    pub missing: Vec<Missing>,
    /// Warps that have exited and are not required.
    pub exited: Vec<u32>,
}

/// A warp that has reached a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Arrived {
    /// Index in the block.
    pub warp: u32,
    /// Lanes that executed the barrier.
    pub lanes: u32,
    /// Line of the barrier.
    pub line: u32,
}

/// A warp that a barrier waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// Index in the block.
    pub warp: u32,
    /// Line of its next instruction, or of the point at which it waits.
    pub line: u32,
    /// Its activity.
    pub doing: Doing,
}

/// A queue that was not empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QueueStuck {
    /// Name of the queue.
    pub who: String,
    /// Contents of the queue.
    pub what: String,
}
