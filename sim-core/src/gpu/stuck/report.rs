//! What a launch that did not end was stuck in: its class, who waits for whom, what arrived and
//! what is missing.

use isa::types::{Dim3, StateSpace};
use serde::Serialize;

/// Why a launch did not end. All but [`StuckClass::Limit`] and [`StuckClass::Interrupted`] are
/// proved from the machine's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StuckClass {
    /// All that live wait at barriers, and no barrier can complete.
    Barrier,
    /// Lanes repeat a loop for ever, and others of the same warp cannot run before they leave it.
    DivergedSibling,
    /// Warps repeat a loop for ever that reads global memory, while blocks that could change it
    /// never start, because the blocks of these warps hold all slots: a barrier of a grid that does
    /// not fit.
    NotStarted,
    /// Warps repeat a loop for ever: all that decides how it goes on is the same in every round.
    EndlessLoop,
    /// Something waits for an answer that is not under way: a bug of the simulator.
    LostReply,
    /// The limit was reached, and it is not known whether the launch would have ended.
    Limit,
    /// It was interrupted, and it is not known whether the launch would have ended.
    Interrupted,
}

impl StuckClass {
    /// What it means, in a line.
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

    /// What can be done about it.
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

/// What a launch that did not end was stuck in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StuckReport {
    /// Why it did not end.
    pub class: StuckClass,
    /// What can be done about it.
    pub hint: String,
    /// Every warp that was resident and had not exited, or whose block waits for its loads.
    pub warps: Vec<WarpStuck>,
    /// Every barrier that some warps have reached and others have not.
    pub barriers: Vec<BarrierStuck>,
    /// Queues that were not empty, and how far the dispatcher was.
    pub queues: Vec<QueueStuck>,
    /// Blocks that had not started because the resident blocks left no room for them.
    pub not_started: Option<NotStarted>,
}

/// Blocks that had not started because no room was left for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotStarted {
    /// Kernel of the blocks, if they are blocks of another of several concurrent kernels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// Index of the first of them; the others follow it in linear order.
    pub first: Dim3,
    /// Number of them.
    pub blocks: u64,
    /// The resident blocks of this launch, which hold all block slots (functional: the block that
    /// runs). Blocks of concurrent kernels may hold slots, too.
    pub holders: Vec<Dim3>,
}

impl StuckReport {
    /// Of a launch that was stopped from outside: no limit was reached. What was proved remains.
    #[must_use]
    pub fn interrupted(mut self) -> Self {
        if self.class == StuckClass::Limit {
            self.class = StuckClass::Interrupted;
            self.class.hint().clone_into(&mut self.hint);
        }
        self
    }
}

/// What a resident warp was doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Doing {
    /// It waits at a barrier.
    Barrier {
        /// Which.
        barrier: u32,
    },
    /// It waits for a fence to be answered.
    Fence,
    /// It waits for values from global memory.
    Memory {
        /// Lines of the loads that are not home.
        lines: Vec<u32>,
    },
    /// It goes round a loop, each round in exactly the same state: nothing but another thread's
    /// store could end it.
    Repeats(RoundReport),
    /// It could go on.
    Runs {
        /// First and last line of the loop that its next instruction lies in, if it lies in one.
        within: Option<(u32, u32)>,
    },
    /// It has exited.
    Exited,
}

/// A loop that was proved to repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundReport {
    /// First line of it.
    pub first_line: u32,
    /// Last line of it.
    pub last_line: u32,
    /// Warp instructions of a round.
    pub instructions: u64,
    /// Where it reads shared or global memory: (space, byte address), ascending, the first
    /// [`MOST_READS`].
    pub reads: Vec<(StateSpace, u32)>,
}

/// Most addresses that a [`RoundReport`] names.
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
    /// Its number in the block.
    pub warp: u32,
    /// Lanes that run, or that have reached what the warp waits at; bit = lane.
    pub lanes: u32,
    /// Lanes that exist and have not exited.
    pub live: u32,
    /// Source line: that of the barrier or fence it waits at, else of its next instruction.
    pub line: u32,
    /// Hot cycle (functional: warp instruction) since which it has run with just the lanes of its
    /// top entry.
    pub since: u64,
    /// What it was doing.
    pub doing: Doing,
    /// Its other live lanes, the next to run first.
    pub others: Vec<LanesWait>,
}

/// Lanes of a warp that do not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LanesWait {
    /// Which; bit = lane.
    pub lanes: u32,
    /// Line at which they will go on; 0 for the end of the kernel.
    pub line: u32,
    /// They have come to the point where the sides meet, and wait for the others there; else they
    /// wait for their turn.
    pub arrived: bool,
}

/// A barrier of a block that some warps have reached and others have not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BarrierStuck {
    /// Index of the block.
    pub block: Dim3,
    /// Barrier number.
    pub barrier: u32,
    /// Of a barrier for a number of threads: how many warps must come, and how many times one has;
    /// then nobody in particular is missing, or not waited for.
    pub counted: Option<(u32, u32)>,
    /// Warps that wait there.
    pub arrived: Vec<Arrived>,
    /// Warps that have not.
    pub missing: Vec<Missing>,
    /// Warps that have exited, and are not waited for.
    pub exited: Vec<u32>,
}

/// A warp that has reached a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Arrived {
    /// Number in the block.
    pub warp: u32,
    /// Lanes that executed the barrier.
    pub lanes: u32,
    /// Line of the barrier.
    pub line: u32,
}

/// A warp that a barrier waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// Number in the block.
    pub warp: u32,
    /// Where it is.
    pub line: u32,
    /// What it does there.
    pub doing: Doing,
}

/// A queue that was not empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QueueStuck {
    /// Which.
    pub who: String,
    /// What it held.
    pub what: String,
}
