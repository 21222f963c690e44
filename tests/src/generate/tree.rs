//! The tree of a random kernel, and the strategies that draw it.
//!
//! Statements come in three circles. *Leaves* and *branching* ones may run with some lanes only. *Uniform* ones
//! contain barriers and stand where all live threads of a block pass together.

use proptest::collection::vec;
use proptest::prelude::*;

/// 32-bit registers of a kernel.
pub const WORDS: u8 = 6;
/// Single-precision registers.
pub const FLOATS: u8 = 3;
/// 64-bit registers.
pub const WIDES: u8 = 2;

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

/// Threads of a block tell each other something: each stores into its cell, all wait at a barrier, each loads the
/// cell of another.
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

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `dst = op(a, b, c)` on 32-bit registers; `b` is a number if `imm` is there.
    Int {
        /// Index into [`super::ops::INT_OPS`].
        op: u8,
        /// Registers.
        dst: u8,
        /// Register.
        a: u8,
        /// Register.
        b: u8,
        /// Register.
        c: u8,
        /// A number in the place of `b`.
        imm: Option<u32>,
    },
    /// The same on floats.
    Float {
        /// Index into [`super::ops::FLOAT_OPS`].
        op: u8,
        /// Register.
        dst: u8,
        /// Register.
        a: u8,
        /// Register.
        b: u8,
        /// Register.
        c: u8,
    },
    /// What involves 64-bit registers or other conversions.
    Wide {
        /// Index into [`super::ops::WIDE_OPS`].
        op: u8,
        /// Register.
        dst: u8,
        /// Register.
        a: u8,
    },
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
    /// Loads from or stores into the 32 bytes that belong to the warp, at an index from a register: ordered by
    /// the warp's instructions and, within one, by its lanes.
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
    /// `membar`.
    Fence {
        /// `membar.gl` instead of `membar.cta`.
        global: bool,
    },
    /// A leaf under a guard.
    Guarded {
        /// The guard.
        cond: Cond,
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
    /// Replaces accesses to the warp's common cells by accesses to the thread's own ones.
    pub(super) fn leave_crowds(&mut self) {
        match self {
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
            Self::Int { .. }
            | Self::Float { .. }
            | Self::Wide { .. }
            | Self::Input { .. }
            | Self::Own { .. }
            | Self::Fence { .. }
            | Self::Exchange(_)
            | Self::Leave { .. } => {}
        }
    }
}

fn word() -> BoxedStrategy<u8> {
    (0..WORDS).boxed()
}

fn width() -> impl Strategy<Value = Width> {
    prop_oneof![
        4 => Just(Width::B32),
        1 => Just(Width::U8),
        1 => Just(Width::S8),
        1 => Just(Width::U16),
        1 => Just(Width::S16),
        1 => Just(Width::B64),
    ]
}

fn cond() -> impl Strategy<Value = Cond> {
    prop_oneof![
        (word(), 0u8..8).prop_map(|(reg, bit)| Cond::Bit { reg, bit }),
        (1u8..32).prop_map(|lane| Cond::LaneBelow { lane }),
        (word(), word()).prop_map(|(a, b)| Cond::Less { a, b }),
        (0..FLOATS, 0..FLOATS).prop_map(|(a, b)| Cond::FloatLess { a, b }),
    ]
}

fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![Just(Cell::Dense), Just(Cell::Double), Just(Cell::Scattered)]
}

fn leaf() -> impl Strategy<Value = Stmt> {
    let int = (any::<u8>(), word(), word(), word(), word(), proptest::option::weighted(0.3, any::<u32>()));
    let float = (any::<u8>(), 0..FLOATS, 0..FLOATS, 0..FLOATS, 0..FLOATS);
    prop_oneof![
        4 => int.prop_map(|(op, dst, a, b, c, imm)| Stmt::Int { op, dst, a, b, c, imm }),
        2 => float.prop_map(|(op, dst, a, b, c)| Stmt::Float { op, dst, a, b, c }),
        2 => (any::<u8>(), word(), word()).prop_map(|(op, dst, a)| Stmt::Wide { op, dst, a }),
        3 => (width(), word(), word()).prop_map(|(width, dst, index)| Stmt::Input { width, dst, index }),
        4 => (any::<bool>(), cell(), width(), word(), any::<u8>())
            .prop_map(|(store, cell, width, reg, part)| Stmt::Own { store, cell, width, reg, part }),
        3 => (any::<bool>(), width(), word(), word())
            .prop_map(|(store, width, reg, index)| Stmt::Crowd { store, width, reg, index }),
        1 => any::<bool>().prop_map(|global| Stmt::Fence { global }),
    ]
}

fn simple() -> impl Strategy<Value = Stmt> {
    prop_oneof![
        4 => leaf(),
        1 => (cond(), leaf()).prop_map(|(cond, stmt)| Stmt::Guarded { cond, stmt: Box::new(stmt) }),
    ]
}

fn branching() -> impl Strategy<Value = Stmt> {
    simple().prop_recursive(3, 16, 3, |inner| {
        let body = vec(inner, 0..4);
        prop_oneof![
            (cond(), body.clone(), body.clone()).prop_map(|(cond, then, otherwise)| Stmt::If {
                cond,
                then,
                otherwise
            }),
            (0u8..3, word(), body).prop_map(|(base, reg, body)| Stmt::Loop { base, reg, body }),
        ]
    })
}

fn exchange() -> impl Strategy<Value = Stmt> {
    let what = (proptest::bool::weighted(0.3), width(), 0u8..4, any::<u8>());
    let how = (word(), word(), any::<u8>(), 0u8..8, 0u8..16, proptest::option::weighted(0.2, cond()));
    (what, how).prop_map(|((shared, width, spread, stir), (src, dst, shift, fence, barrier, guard))| {
        Stmt::Exchange(Exchange { shared, width, spread, stir, src, dst, shift, fence, barrier, guard })
    })
}

fn uniform() -> impl Strategy<Value = Stmt> {
    let flat = prop_oneof![3 => branching(), 2 => exchange()].boxed();
    flat.prop_recursive(2, 12, 3, |inner| {
        let body = vec(inner, 1..4);
        prop_oneof![
            (0u8..2, body.clone()).prop_map(|(bit, then)| Stmt::BlocksIf { bit, then }),
            (1u8..4, body).prop_map(|(trips, body)| Stmt::Repeat { trips, body }),
        ]
    })
}

/// The statements of a kernel.
pub fn kernel() -> impl Strategy<Value = Block> {
    let stmt = prop_oneof![12 => uniform(), 1 => cond().prop_map(|cond| Stmt::Leave { cond })];
    vec(stmt, 1..8)
}
