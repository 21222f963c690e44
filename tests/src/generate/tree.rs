//! The tree of a random kernel.
//!
//! Statements come in three circles. *Leaves* and *branching* ones may run with some lanes only.
//! *Uniform* ones contain barriers and stand where all live threads of a block pass together.

use super::ops::List;

/// 32-bit registers of a kernel.
pub const WORDS: u8 = 6;
/// Single-precision registers.
pub const FLOATS: u8 = 3;
/// 64-bit registers.
pub const WIDES: u8 = 2;
/// Double-precision registers, of targets that have them.
pub const DOUBLES: u8 = 3;

/// A sequence of statements.
pub type Block = Vec<Stmt>;

/// What a lane of an access moves.
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
    /// The bit `bit` of a register is set.
    Bit {
        /// Register.
        reg: u8,
        /// Bit.
        bit: u8,
    },
    /// The lane's number is below `lane`.
    LaneBelow {
        /// Lane.
        lane: u8,
    },
    /// One register is less than another, unsigned.
    Less {
        /// Register.
        a: u8,
        /// Register.
        b: u8,
    },
    /// One float is less than another; false for NaN.
    FloatLess {
        /// Register.
        a: u8,
        /// Register.
        b: u8,
    },
}

/// Which private cell of a thread is meant: its distance from its neighbours' cells, in bytes.
#[derive(Clone, Copy, Debug)]
pub enum Cell {
    /// Words side by side: coalesces.
    Dense,
    /// Eight bytes side by side.
    Double,
    /// 36 bytes apart: never coalesces.
    Scattered,
}

/// Threads of a block tell each other something: each stores into its cell, all wait at a barrier,
/// each loads the cell of another.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// Through shared instead of global memory.
    pub shared: bool,
    /// What is stored.
    pub width: Width,
    /// Cells are `width << spread` bytes apart.
    pub spread: u8,
    /// Thread t has cell (t · (2 · stir + 1)) modulo the number of cells.
    pub stir: u8,
    /// Register stored; of the kind that `width` asks for.
    pub src: u8,
    /// Register loaded.
    pub dst: u8,
    /// Thread t reads the cell of thread t + shift, going round.
    pub shift: u8,
    /// Fence between store and barrier: 1 is `membar.cta`, 2 is `membar.gl`, others none.
    pub fence: u8,
    /// Number of the barrier.
    pub barrier: u8,
    /// Only lanes with this condition store.
    pub guard: Option<Cond>,
}

/// An operation on registers, and perhaps on memory of the thread's own. A register's number is
/// taken modulo those of its kind.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// Its list.
    pub list: List,
    /// Index into the list, modulo what the target has of it.
    pub op: u8,
    /// Destination.
    pub dst: u8,
    /// First source.
    pub a: u8,
    /// Second source.
    pub b: u8,
    /// Third source.
    pub c: u8,
    /// A number in the place of the second source, if the list is of 32-bit integers.
    pub imm: Option<u32>,
}

/// How the lanes of a warp vote.
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
        /// What is loaded.
        width: Width,
        /// Destination.
        dst: u8,
        /// Register with the index; its low bits count.
        index: u8,
    },
    /// Loads from or stores into a private cell of the thread, in global memory.
    Own {
        /// A store.
        store: bool,
        /// Which cell.
        cell: Cell,
        /// What is moved.
        width: Width,
        /// Register loaded or stored.
        reg: u8,
        /// Where in the cell, in units of `width`.
        part: u8,
    },
    /// Loads from or stores into the 32 bytes that belong to the warp, at an index from a register:
    /// ordered by the warp's instructions and, within one, by its lanes.
    Crowd {
        /// A store.
        store: bool,
        /// What is moved.
        width: Width,
        /// Register loaded or stored.
        reg: u8,
        /// Register with the index.
        index: u8,
    },
    /// Loads or stores a vector in the 32 bytes of the thread's own that are aligned to as many.
    Vector {
        /// A store.
        store: bool,
        /// Which vector.
        form: u8,
        /// Register of the first element, of the kind that the vector asks for.
        reg: u8,
        /// Where, in units of the vector.
        part: u8,
    },
    /// Loads from or stores into the thread's local memory, at an index from a register.
    Slot {
        /// A store.
        store: bool,
        /// What is moved.
        width: Width,
        /// Register loaded or stored.
        reg: u8,
        /// Register with the index; its low bits count.
        index: u8,
    },
    /// Calls a function.
    Call {
        /// Which; through a pointer if the second bit is set, and the target has that.
        callee: u8,
        /// Register for the result.
        dst: u8,
        /// Argument.
        a: u8,
        /// Argument.
        b: u8,
    },
    /// Adds to a tally that all threads add to, or the like; nothing if the target has no atomics.
    Tally {
        /// Index into [`super::ops::TALLIES`], modulo what the target has of them.
        op: u8,
        /// Register with what is added.
        src: u8,
        /// Register with the cell's number; its low bits count.
        index: u8,
    },
    /// `membar`.
    Fence {
        /// `membar.gl` instead of `membar.cta`.
        global: bool,
    },
    /// A leaf under a guard.
    Guarded {
        /// The guard.
        cond: Cond,
        /// Executed where the guard does not hold.
        negated: bool,
        /// A leaf.
        stmt: Box<Stmt>,
    },
    /// Two-sided branch by lane.
    If {
        /// Condition.
        cond: Cond,
        /// Where it holds.
        then: Block,
        /// Where not.
        otherwise: Block,
    },
    /// A loop with a trip count by lane: `base` and the low bits of a register.
    Loop {
        /// Trips of all lanes.
        base: u8,
        /// Register.
        reg: u8,
        /// Body.
        body: Block,
    },
    /// Uniform only: an exchange in a block.
    Exchange(Exchange),
    /// Uniform only: the lanes of each warp vote; a selection, if the target has no votes.
    Vote {
        /// How.
        mode: Vote,
        /// What a lane votes for.
        cond: Cond,
        /// Register that the outcome is added to.
        dst: u8,
        /// Who votes; all if nothing is said.
        guard: Option<Cond>,
    },
    /// Uniform only: a barrier that reduces a predicate of all threads; a barrier alone, if the
    /// target has no such.
    Reduce {
        /// Which reduction.
        mode: Vote,
        /// The predicate.
        cond: Cond,
        /// Register that the outcome is added to.
        dst: u8,
        /// Number of the barrier.
        barrier: u8,
    },
    /// Uniform only: blocks with this bit set in their number.
    BlocksIf {
        /// Bit of the block's number.
        bit: u8,
        /// Body.
        then: Block,
    },
    /// Uniform only: a loop of this many trips for all.
    Repeat {
        /// Trips.
        trips: u8,
        /// Body.
        body: Block,
    },
    /// Outermost level only: some lanes write their results and exit, others go on.
    Leave {
        /// Who.
        cond: Cond,
    },
}

impl Stmt {
    /// Replaces accesses to the warp's common cells by accesses to the thread's own ones, and
    /// approximations, of which another implementation may have other bits, by exact operations.
    pub(super) fn leave_crowds(&mut self) {
        match self {
            Self::Op(op) if op.list == List::Approximate => op.list = List::Float,
            Self::Crowd { store, width, reg, index } => {
                let (store, width, reg, part) = (*store, *width, *reg, *index);
                *self = Self::Own { store, cell: Cell::Scattered, width, reg, part };
            }
            Self::Guarded { stmt, .. } => stmt.leave_crowds(),
            Self::If { then, otherwise, .. } => {
                then.iter_mut().chain(otherwise).for_each(Self::leave_crowds);
            }
            Self::Loop { body, .. } | Self::BlocksIf { then: body, .. } | Self::Repeat { body, .. } => {
                body.iter_mut().for_each(Self::leave_crowds);
            }
            Self::Op(_)
            | Self::Input { .. }
            | Self::Vector { .. }
            | Self::Slot { .. }
            | Self::Call { .. }
            | Self::Tally { .. }
            | Self::Vote { .. }
            | Self::Reduce { .. }
            | Self::Own { .. }
            | Self::Fence { .. }
            | Self::Exchange(_)
            | Self::Leave { .. } => {}
        }
    }
}
