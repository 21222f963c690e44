//! The tree of a random kernel.
//!
//! There are three kinds of statements. *Leaves* and *branching* ones may run with some lanes only.
//! *Uniform* ones contain barriers; all live threads of a block execute them together.

use super::ops::List;

/// 32-bit registers of a kernel.
pub const WORDS: u8 = 6;
/// Single-precision registers.
pub const FLOATS: u8 = 3;
/// 64-bit registers.
pub const WIDES: u8 = 2;
/// Double-precision registers, for targets that have them.
pub const DOUBLES: u8 = 3;

/// A sequence of statements.
pub type Block = Vec<Stmt>;

/// Access size of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after PTX's types")]
pub enum Width {
    U8,
    S8,
    U16,
    S16,
    B32,
    B64,
}

impl Width {
    /// Bytes per lane.
    pub fn bytes(self) -> u32 {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 => 2,
            Self::B32 => 4,
            Self::B64 => 8,
        }
    }
}

/// A condition that differs between lanes.
#[derive(Clone, Copy, Debug)]
pub enum Cond {
    /// Whether the bit `bit` of a register is set.
    Bit {
        /// Register.
        reg: u8,
        /// Number of the tested bit.
        bit: u8,
    },
    /// Whether the lane index is below `lane`.
    LaneBelow {
        /// First lane for which the condition is false.
        lane: u8,
    },
    /// Whether one register is less than another, unsigned.
    Less {
        /// Register.
        a: u8,
        /// Register.
        b: u8,
    },
    /// Whether one float is less than another; false for NaN.
    FloatLess {
        /// Register.
        a: u8,
        /// Register.
        b: u8,
    },
}

/// A private cell of a thread, by its distance from the cells of adjacent threads.
#[derive(Clone, Copy, Debug)]
pub enum Cell {
    /// Contiguous words: coalesces.
    Dense,
    /// Contiguous groups of eight bytes.
    Double,
    /// Separated by 36 bytes: never coalesces.
    Scattered,
}

/// Communication between the threads of a block: each stores into its cell, all wait at a barrier,
/// each loads the cell of another thread.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// Whether the cells are in shared instead of global memory.
    pub shared: bool,
    /// Size of the stored value.
    pub width: Width,
    /// Cells are `width << spread` bytes apart.
    pub spread: u8,
    /// Thread t has cell (t · (2 · stir + 1)) modulo the number of cells.
    pub stir: u8,
    /// Register to store, of the kind that `width` requires.
    pub src: u8,
    /// Register to load.
    pub dst: u8,
    /// Thread t reads the cell of thread t + shift, with wraparound.
    pub shift: u8,
    /// Fence between store and barrier: 1 is `membar.cta`, 2 is `membar.gl`, others none.
    pub fence: u8,
    /// Number of the barrier.
    pub barrier: u8,
    /// Condition of the lanes that store.
    pub guard: Option<Cond>,
}

/// An operation on registers, and perhaps on private memory of the thread. Register numbers are
/// taken modulo the number of registers of their kind.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// List of the operation.
    pub list: List,
    /// Index into the list, modulo the number of operations for the target.
    pub op: u8,
    /// Destination.
    pub dst: u8,
    /// First source.
    pub a: u8,
    /// Second source.
    pub b: u8,
    /// Third source.
    pub c: u8,
    /// A number instead of the second source, if the list is of 32-bit integers.
    pub imm: Option<u32>,
}

/// Kind of a warp vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "PTX's words")]
pub enum Vote {
    All,
    Any,
    Uni,
    Ballot,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// An operation on registers.
    Op(Op),
    /// Loads from the read-only input at an index from a register.
    Input {
        /// Access size.
        width: Width,
        /// Destination.
        dst: u8,
        /// Register with the index; its low bits count.
        index: u8,
    },
    /// Loads from or stores into a private cell of the thread, in global memory.
    Private {
        /// Whether it is a store.
        store: bool,
        /// Cell that is read or written.
        cell: Cell,
        /// Access size.
        width: Width,
        /// Register loaded or stored.
        reg: u8,
        /// Position in the cell, in units of `width`.
        part: u8,
    },
    /// Loads from or stores into the 32 bytes that belong to the warp, at an index from a register.
    /// The warp's instructions order the accesses and, within one instruction, its lanes.
    WarpCell {
        /// Whether it is a store.
        store: bool,
        /// Access size.
        width: Width,
        /// Register loaded or stored.
        reg: u8,
        /// Register with the index.
        index: u8,
    },
    /// Loads or stores a vector in the 32 aligned private bytes of the thread.
    Vector {
        /// Whether it is a store.
        store: bool,
        /// The vector type.
        form: u8,
        /// Register of the first element, of the kind that the vector requires.
        reg: u8,
        /// Position, in units of the vector.
        part: u8,
    },
    /// Loads from or stores into the thread's local memory, at an index from a register.
    Slot {
        /// Whether it is a store.
        store: bool,
        /// Access size.
        width: Width,
        /// Register loaded or stored.
        reg: u8,
        /// Register with the index; its low bits count.
        index: u8,
    },
    /// Calls a function.
    Call {
        /// The function; called through a pointer if the second bit is set and the target supports
        /// it.
        callee: u8,
        /// Register for the result.
        dst: u8,
        /// Argument.
        a: u8,
        /// Argument.
        b: u8,
    },
    /// Applies a reduction to a tally that all threads share; nothing if the target has no atomics.
    Tally {
        /// Index into [`super::ops::TALLIES`], modulo the number of reductions for the target.
        op: u8,
        /// Register with the operand.
        src: u8,
        /// Register with the index of the cell; its low bits count.
        index: u8,
    },
    /// `membar`.
    Fence {
        /// `membar.gl` instead of `membar.cta`.
        global: bool,
    },
    /// A leaf with a guard.
    Guarded {
        /// The guard.
        cond: Cond,
        /// Whether the guard is negated.
        negated: bool,
        /// A leaf.
        stmt: Box<Stmt>,
    },
    /// Branch with two sides, by lane.
    If {
        /// Condition.
        cond: Cond,
        /// Statements if it holds.
        then: Block,
        /// Statements otherwise.
        otherwise: Block,
    },
    /// A loop with a trip count by lane: `base` plus the low bit of a register.
    Loop {
        /// Trips of all lanes.
        base: u8,
        /// Register.
        reg: u8,
        /// Statements of the loop.
        body: Block,
    },
    /// Uniform only: an exchange between the threads of a block.
    Exchange(Exchange),
    /// Uniform only: the lanes of each warp vote; a selection if the target has no votes.
    Vote {
        /// Kind of vote.
        mode: Vote,
        /// Predicate of a lane.
        cond: Cond,
        /// Register to which the result is added.
        dst: u8,
        /// Lanes that vote; `None` means all.
        guard: Option<Cond>,
    },
    /// Uniform only: a barrier that reduces a predicate of all threads; only a barrier if the
    /// target has no such instruction.
    Reduce {
        /// Kind of reduction.
        mode: Vote,
        /// The predicate.
        cond: Cond,
        /// Register to which the result is added.
        dst: u8,
        /// Number of the barrier.
        barrier: u8,
    },
    /// Uniform only: statements for blocks whose index has this bit clear.
    BlocksIf {
        /// Bit of the block index.
        bit: u8,
        /// Body.
        then: Block,
    },
    /// Uniform only: a loop with the same trip count for all threads.
    Repeat {
        /// Number of iterations.
        trips: u8,
        /// Statements of the loop.
        body: Block,
    },
    /// Outermost level only: some lanes store their results and exit, the others continue.
    Leave {
        /// Lanes that exit.
        cond: Cond,
    },
}

impl Stmt {
    /// Replaces accesses to the warp's cells by accesses to private cells, and approximate
    /// operations, whose bits depend on the implementation, by exact ones.
    pub(super) fn replace_warp_cells(&mut self) {
        match self {
            Self::Op(op) if op.list == List::Approximate => op.list = List::Float,
            Self::WarpCell { store, width, reg, index } => {
                let (store, width, reg, part) = (*store, *width, *reg, *index);
                *self = Self::Private { store, cell: Cell::Scattered, width, reg, part };
            }
            Self::Guarded { stmt, .. } => stmt.replace_warp_cells(),
            Self::If { then, otherwise, .. } => {
                then.iter_mut().chain(otherwise).for_each(Self::replace_warp_cells);
            }
            Self::Loop { body, .. } | Self::BlocksIf { then: body, .. } | Self::Repeat { body, .. } => {
                body.iter_mut().for_each(Self::replace_warp_cells);
            }
            Self::Op(_)
            | Self::Input { .. }
            | Self::Vector { .. }
            | Self::Slot { .. }
            | Self::Call { .. }
            | Self::Tally { .. }
            | Self::Vote { .. }
            | Self::Reduce { .. }
            | Self::Private { .. }
            | Self::Fence { .. }
            | Self::Exchange(_)
            | Self::Leave { .. } => {}
        }
    }
}
