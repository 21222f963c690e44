//! Every bad end of a kernel: what happened, to which lanes, at which instruction and cycle.

use crate::exec::simt::Waiting;
use crate::exec::{Kernel, Warp};
use isa::types::{Dim3, StateSpace};

/// What an instruction did wrong, as `exec` sees it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// A lane's address lies outside every allocation, block's shared memory, parameter block or
    /// constant bank.
    #[error("{} of {bytes} bytes at {space} address {address:#x} is out of bounds: {hint}", if *store { "write" } else { "read" })]
    OutOfBounds {
        /// State space.
        space: StateSpace,
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// A write.
        store: bool,
        /// Nearest allocation or size of the space, in words.
        hint: String,
    },
    /// A lane's address is not a multiple of the access size.
    #[error("{} of {bytes} bytes at {space} address {address:#x} is misaligned", if *store { "write" } else { "read" })]
    Misaligned {
        /// State space.
        space: StateSpace,
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// A write.
        store: bool,
    },
    /// A lane's generic address lies in a space on which the instruction cannot be done.
    #[error("{} through a generic address at {space} address {address:#x}: {}", if *atomic { "atomic" } else { "write" }, if *atomic { "atomics access only global and shared memory" } else { "constant memory is read-only" })]
    WrongSpace {
        /// State space.
        space: StateSpace,
        /// First byte in it.
        address: u64,
        /// An atomic, else a store.
        atomic: bool,
    },
    /// Some, not all, live lanes of a warp reached a barrier.
    #[error(
        "divergent barrier: {name} {barrier} reached by lanes {active:#010x}, but the live lanes of the warp are {live:#010x}"
    )]
    DivergentBarrier {
        /// The instruction.
        name: &'static str,
        /// Barrier number.
        barrier: u32,
        /// Lanes at the barrier.
        active: u32,
        /// Lanes alive.
        live: u32,
    },
    /// The number of a barrier, from a register, is none.
    #[error("barrier number {barrier} is out of range: a block has barriers 0 to 15")]
    NoSuchBarrier {
        /// The number.
        barrier: u32,
    },
    /// The threads of a barrier are no whole warps, or none where there must be some.
    #[error("invalid thread count {threads} of barrier {barrier}: expected a positive multiple of 32")]
    BarrierCount {
        /// Barrier number.
        barrier: u32,
        /// Threads.
        threads: u32,
    },
    /// The warps that come to a barrier do not agree on how many threads it is for.
    #[error(
        "conflicting thread counts of barrier {barrier}: this warp gives {threads}, but the waiting warps gave {first}"
    )]
    OtherBarrierCount {
        /// Barrier number.
        barrier: u32,
        /// Threads that this warp names.
        threads: u32,
        /// Threads that the others named.
        first: u32,
    },
    /// The lanes of a warp name different barriers or counts.
    #[error("the lanes of a warp give different barrier numbers or thread counts")]
    MixedBarrier,
    /// A call through a register that holds no function's address, or that of a function with other
    /// parameters.
    #[error("indirect call of address {address:#x}: {}", match function {
        Some(name) => format!("the signature of function `{name}` differs from that of the call"),
        None => "not the address of a function that this kernel can call".to_owned(),
    })]
    BadCall {
        /// The address.
        address: u64,
        /// The function's name, if there is one.
        function: Option<String>,
    },
    /// Calls are nested too deeply.
    #[error("call stack overflow at a depth of {calls} calls")]
    CallStackFull {
        /// Calls that the lanes are inside of.
        calls: u32,
    },
    /// The `trap` instruction.
    #[error("the kernel executed a trap instruction")]
    TrapInstruction,
    /// The `brkpt` instruction.
    #[error("the kernel executed a breakpoint instruction (brkpt), and no debugger is attached")]
    Breakpoint,
}

impl FaultKind {
    /// What to do about it, where that is known.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::OutOfBounds { .. } => {
                Some("compare the index with the number of elements before the access".to_owned())
            }
            Self::Misaligned { bytes, .. } => Some(format!(
                "the address must be a multiple of {bytes}: check the base address and the offset"
            )),
            Self::WrongSpace { .. } => Some("use an address of global or shared memory".to_owned()),
            Self::NoSuchBarrier { .. } | Self::BarrierCount { .. } => {
                Some("check the register that holds the number".to_owned())
            }
            Self::OtherBarrierCount { .. } | Self::MixedBarrier => {
                Some("give the same barrier number and thread count in all threads".to_owned())
            }
            Self::BadCall { .. } => Some("check the register that holds the function address".to_owned()),
            Self::CallStackFull { .. } => Some("reduce the depth of the recursion".to_owned()),
            Self::Breakpoint => Some("remove `brkpt` from the kernel".to_owned()),
            // The renderer explains it with the lanes; a `trap` is what the kernel asks for.
            Self::DivergentBarrier { .. } | Self::TrapInstruction => None,
        }
    }
}

/// A fault with the lanes it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened, to the first lane it happened to.
    pub kind: FaultKind,
    /// All lanes it happened to.
    pub lanes: u32,
}

/// Whether an access can be done. A fault is boxed, so that the answer is one register.
pub type Checked = Result<(), Box<Fault>>;

/// A fault with its place in the machine and in time: what is reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// What happened.
    pub fault: Fault,
    /// Kernel name.
    pub kernel: String,
    /// Block index in the grid.
    pub block: Dim3,
    /// Thread index in the block of the first faulting lane.
    pub thread: Dim3,
    /// Warp number within the block.
    pub warp: u32,
    /// SM number; `None` on the functional machine.
    pub sm: Option<u32>,
    /// Instruction index.
    pub pc: u32,
    /// One-based line of the PTX source.
    pub line: u32,
    /// Hot cycle; on the functional machine the number of warp instructions executed before.
    pub cycle: u64,
    /// Lanes on the running side of the warp.
    pub side: u32,
    /// Where that side ends.
    pub until: u32,
    /// The warp's other live lanes, the next to run first; collected for a divergent barrier only.
    pub waiting: Vec<Waiting>,
}

impl Trap {
    /// Places `fault`, which the next instruction of `warp` caused; `sm` and `cycle` as in the
    /// fields.
    pub fn new(kernel: &Kernel, warp: &Warp, fault: Fault, sm: Option<u32>, cycle: u64) -> Self {
        Self::at(warp.simt.pc(), kernel, warp, fault, sm, cycle)
    }

    /// As [`Trap::new`], for a fault that the instruction at `pc` caused, from which the warp has
    /// moved on.
    pub fn at(pc: u32, kernel: &Kernel, warp: &Warp, fault: Fault, sm: Option<u32>, cycle: u64) -> Self {
        let lane = fault.lanes.trailing_zeros().min(31);
        Self {
            kernel: kernel.program.name.clone(),
            block: warp.id.ctaid,
            thread: kernel.block.index_of(u64::from(32 * warp.id.index + lane)),
            warp: warp.id.index,
            sm,
            pc,
            line: kernel.program.lines.get(pc as usize).copied().unwrap_or(0),
            cycle,
            side: warp.simt.mask(),
            until: warp.simt.reconv(),
            waiting: match fault.kind {
                FaultKind::DivergentBarrier { .. } => warp.simt.waiting().collect(),
                _ => Vec::new(),
            },
            fault,
        }
    }
}
