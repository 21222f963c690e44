//! Faults of a kernel: the cause, the lanes, the instruction and the cycle.

use crate::exec::barrier::barrier_name;
use crate::exec::simt::Waiting;
use crate::exec::{Kernel, Warp};
use crate::state::Value;
use isa::library::{ASSERTION_FAILED, INVALID_FREE};
use isa::types::{Dim3, StateSpace};
use isa::uop::Op;

/// Cause of a fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Value)]
pub enum FaultKind {
    /// A lane's address is outside every allocation, the block's shared memory, the parameter block
    /// or the constant bank.
    #[error("{} of {bytes} bytes at {space} address {address:#x} is out of bounds: {hint}", if *store { "write" } else { "read" })]
    OutOfBounds {
        /// State space.
        space: StateSpace,
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// Whether the access is a write.
        store: bool,
        /// Text with the nearest allocation or the size of the space.
        hint: String,
        /// Probable cause.
        cause: OutsideCause,
    },
    /// A lane's address is a pointer to host memory, or is computed from one.
    #[error("{} of {bytes} bytes at address {address:#x}, {}; a kernel accesses only device memory", if *store { "write" } else { "read" }, match param {
        Some(name) => format!("in host memory: parameter `{name}` is a pointer to host memory"),
        None => "which is far above device memory, as a pointer to host memory is".to_owned(),
    })]
    HostPointer {
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// Whether the access is a write.
        store: bool,
        /// Parameter that holds the pointer, if one does.
        param: Option<String>,
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
        /// Whether the access is a write.
        store: bool,
    },
    /// A lane's generic address is in a space that the instruction cannot access.
    #[error("{} through a generic address at {space} address {address:#x}: {}", if *atomic { "atomic" } else { "write" }, if *atomic { "atomics access only global and shared memory" } else { "constant memory is read-only" })]
    WrongSpace {
        /// State space.
        space: StateSpace,
        /// First byte in it.
        address: u64,
        /// Whether the access is an atomic; otherwise it is a store.
        atomic: bool,
    },
    /// Only some of the live lanes of a warp reached a barrier.
    #[error(
        "divergent barrier: {} {barrier} reached by lanes {active:#010x}, but the live lanes of the warp are {live:#010x}",
        barrier_name(*op)
    )]
    DivergentBarrier {
        /// The instruction.
        op: Op,
        /// Barrier number.
        barrier: u32,
        /// Lanes at the barrier.
        active: u32,
        /// Live lanes.
        live: u32,
    },
    /// The barrier number in a register is out of range.
    #[error("barrier number {barrier} is out of range: a block has barriers 0 to 15")]
    NoSuchBarrier {
        /// The number.
        barrier: u32,
    },
    /// The thread count of a barrier is not a multiple of 32, or is 0 where it must be positive.
    #[error("invalid thread count {threads} of barrier {barrier}: expected a positive multiple of 32")]
    BarrierCount {
        /// Barrier number.
        barrier: u32,
        /// Number of threads that the barrier waits for.
        threads: u32,
    },
    /// The warps that arrive at a barrier give different thread counts.
    #[error(
        "conflicting thread counts of barrier {barrier}: this warp gives {threads}, but the waiting warps gave {first}"
    )]
    OtherBarrierCount {
        /// Barrier number.
        barrier: u32,
        /// Thread count of this warp.
        threads: u32,
        /// Thread count of the earlier warps.
        first: u32,
    },
    /// The lanes of a warp give different barrier numbers or thread counts.
    #[error("the lanes of a warp give different barrier numbers or thread counts")]
    MixedBarrier,
    /// A call through a register that does not hold an address of a function that the module takes,
    /// or holds the address of a function with different parameters.
    #[error("indirect call of address {address:#x}: {}", match function {
        Some(name) => format!("the signature of function `{name}` differs from that of the call"),
        None => "not the address of a function that this kernel can call through a pointer".to_owned(),
    })]
    BadCall {
        /// Address of the access.
        address: u64,
        /// Name of the function, if the address is that of a function.
        function: Option<String>,
    },
    /// An access to a texture or surface that does not exist, has no memory or has another
    /// geometry.
    #[error("access to {object}: {problem}")]
    BadObject {
        /// The texture or surface: its name, or its handle.
        object: String,
        /// Description of the problem.
        problem: String,
    },
    /// Calls are nested too deeply.
    #[error("call stack overflow at a depth of {calls} calls")]
    CallStackFull {
        /// Number of calls in progress.
        calls: u32,
    },
    /// The `trap` instruction.
    #[error("the kernel executed a trap instruction")]
    TrapInstruction,
    /// A device-side assertion failed.
    #[error("a device-side assertion failed")]
    AssertionFailed,
    /// `free` in a kernel, of an address that `malloc` did not return or that is free already.
    #[error("free of an address that is not allocated on the device heap")]
    InvalidFree,
    /// The `brkpt` instruction.
    #[error("the kernel executed a breakpoint instruction (brkpt), and no debugger is attached")]
    Breakpoint,
}

/// Probable cause of an access out of bounds.
#[derive(Clone, Debug, PartialEq, Eq, Value)]
pub enum OutsideCause {
    /// The index.
    Index,
    /// The pointer is null: the parameters from which the address is computed.
    Null {
        /// Their names, at least one.
        params: String,
    },
    /// The host has freed the allocation.
    Freed,
    /// The kernel has dynamic shared memory, and the launch gives this number of bytes.
    DynamicShared {
        /// Size of the access in bytes.
        bytes: u32,
    },
}

impl OutsideCause {
    /// Advice for the user.
    fn help(&self) -> String {
        match self {
            Self::Index => "compare the index with the number of elements before the access".to_owned(),
            Self::Null { params } => format!(
                "{params} is a null pointer: was cudaMalloc called for it before the launch, and did it succeed?"
            ),
            Self::Freed => "free the allocation after the last launch that uses it".to_owned(),
            Self::DynamicShared { bytes: 0 } => {
                "the kernel has an `extern __shared__` array, and the launch gives no dynamic shared memory: its \
                 size in bytes is the third value in `<<<blocks, threads, bytes>>>` (`dynamic_shared` in a \
                 launch file)"
                    .to_owned()
            }
            Self::DynamicShared { bytes } => format!(
                "compare the index with the number of elements, and the {bytes} bytes of dynamic shared memory of \
                 the launch, the third value in `<<<blocks, threads, bytes>>>` (`dynamic_shared` in a launch \
                 file), with the size that the kernel needs"
            ),
        }
    }
}

impl FaultKind {
    /// Advice for the user, if there is any.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::OutOfBounds { cause, .. } => Some(cause.help()),
            Self::HostPointer { .. } => Some(
                "copy the data to device memory (cudaMalloc, cudaMemcpy), and pass the pointer to it"
                    .to_owned(),
            ),
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
            Self::BadObject { .. } => Some(
                "bind memory of this geometry before the launch; pass only handles of objects that exist"
                    .to_owned(),
            ),
            Self::CallStackFull { .. } => Some("reduce the depth of the recursion".to_owned()),
            Self::InvalidFree => {
                Some("pass an address that malloc has returned in a kernel of this module, once".to_owned())
            }
            Self::Breakpoint => Some("remove `brkpt` from the kernel".to_owned()),
            // The renderer explains a divergent barrier with its lanes; a `trap` is intended by the
            // kernel.
            Self::DivergentBarrier { .. } | Self::TrapInstruction | Self::AssertionFailed => None,
        }
    }
}

/// A fault and its lanes.
#[derive(Clone, Debug, PartialEq, Eq, Value)]
pub struct Fault {
    /// Cause of the fault of the first faulting lane.
    pub kind: FaultKind,
    /// All faulting lanes.
    pub lanes: u32,
}

/// Result of the check of an access. A fault is boxed, so that the result fits into one register.
pub type Checked = Result<(), Box<Fault>>;

/// A fault with its location and time, as reported to the user.
#[derive(Clone, Debug, PartialEq, Eq, Value)]
pub struct Trap {
    /// Cause of the trap.
    pub fault: Fault,
    /// Kernel name.
    pub kernel: String,
    /// Block index in the grid.
    pub block: Dim3,
    /// Thread index in the block of the first faulting lane.
    pub thread: Dim3,
    /// Warp number within the block.
    pub warp: u32,
    /// SM number; `None` in the functional simulation.
    pub sm: Option<u32>,
    /// Instruction index.
    pub pc: u32,
    /// One-based line of the PTX source.
    pub line: u32,
    /// Shader cycle; in the functional simulation the number of warp instructions executed before.
    pub cycle: u64,
    /// Lanes of the running side of the warp.
    pub side: u32,
    /// Reconvergence point of that side.
    pub until: u32,
    /// The other live lanes of the warp, the next to run first; collected for a divergent barrier
    /// only.
    pub waiting: Vec<Waiting>,
}

/// Returns the cause of a trap of the device library, and the call in the module's own code that
/// led to it. Returns every other fault as it is.
fn of_library(pc: u32, kernel: &Kernel, warp: &Warp, fault: Fault) -> (u32, Fault) {
    let name = |pc: u32| kernel.program.function_of(pc).map(|function| &*function.name);
    let (kind, callers) = match (&fault.kind, name(pc)) {
        (FaultKind::TrapInstruction, Some(ASSERTION_FAILED)) => (FaultKind::AssertionFailed, 1),
        (FaultKind::TrapInstruction, Some(INVALID_FREE)) => (FaultKind::InvalidFree, 1),
        _ => return (pc, fault),
    };
    // The caller of the trapping function is `__assertfail` or `free`.
    let call = warp.simt.returns().iter().rev().nth(callers).map_or(pc, |after| after.saturating_sub(1));
    (call, Fault { kind, ..fault })
}

impl Trap {
    /// Creates the trap for `fault`, caused by the next instruction of `warp`. `sm` and `cycle` are
    /// as in the fields.
    pub fn new(kernel: &Kernel, warp: &Warp, fault: Fault, sm: Option<u32>, cycle: u64) -> Self {
        Self::at(warp.simt.pc(), kernel, warp, fault, sm, cycle)
    }

    /// Same as [`Trap::new`], for a fault caused by the instruction at `pc`, after which the warp
    /// has already advanced.
    pub fn at(pc: u32, kernel: &Kernel, warp: &Warp, fault: Fault, sm: Option<u32>, cycle: u64) -> Self {
        let (pc, fault) = of_library(pc, kernel, warp, fault);
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
