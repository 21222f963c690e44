//! Operations: what an instruction computes from its operands.

use super::device::{Asm, Atomic, Fence, Query, Shuffle, Special, Surface, Tex, Vote};
use super::func::{FuncId, SymId, Value};
use super::intrin::Intrin;
use super::types::{Cmp, Mem, Num, Space};
use smallvec::SmallVec;

/// Operations with one operand; the result has the operand's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unary {
    /// Negation of an integer or a floating-point number.
    Neg,
    /// Bitwise complement, or negation of a predicate.
    Not,
    /// Absolute value of a signed integer or a floating-point number.
    Abs,
}

/// Operations with two operands; the result has their type except where noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "arithmetic by its usual names")]
pub enum Binary {
    Add,
    Sub,
    /// A difference of pointers, without a state space; afterwards a `Sub`.
    Diff,
    Mul,
    MulHiS,
    MulHiU,
    /// Product of 64 bits of signed operands of 32 bits.
    MulWideS,
    /// Product of 64 bits of unsigned operands of 32 bits.
    MulWideU,
    /// Product of the lower 24 bits, sign-extended.
    Mul24S,
    /// Product of the lower 24 bits.
    Mul24U,
    /// Division of floating-point numbers.
    FDiv,
    DivS,
    DivU,
    RemS,
    RemU,
    And,
    Or,
    Xor,
    /// Shifts have a second operand of 32 bits; shifts by the width or more clamp as in PTX.
    Shl,
    ShrS,
    ShrU,
    MinS,
    MinU,
    MaxS,
    MaxU,
    FMin,
    FMax,
}

impl Binary {
    /// Whether the operands can be exchanged.
    pub fn commutes(self) -> bool {
        use Binary::{
            Add, And, FMax, FMin, MaxS, MaxU, MinS, MinU, Mul, Mul24S, Mul24U, MulHiS, MulHiU, MulWideS,
            MulWideU, Or, Xor,
        };
        matches!(
            self,
            Add | Mul
                | MulHiS
                | MulHiU
                | MulWideS
                | MulWideU
                | Mul24S
                | Mul24U
                | And
                | Or
                | Xor
                | MinS
                | MinU
                | MaxS
                | MaxU
                | FMin
                | FMax
        )
    }
}

/// Operations with three operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ternary {
    /// a × b + c: integers modulo the width; floating point as the contraction of the target
    /// (`mad.f32` below `sm_20`, else `fma.rn`).
    Mad,
    /// a × b + c, rounded once.
    Fma,
    /// Signed product of 64 bits plus c.
    MadWideS,
    /// Unsigned product of 64 bits plus c.
    MadWideU,
    /// Signed product of the lower 24 bits plus c.
    Mad24S,
    /// Unsigned product of the lower 24 bits plus c.
    Mad24U,
}

/// Rounding of a conversion or an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rounding {
    /// To nearest even.
    Near,
    /// Toward zero.
    Zero,
    /// Toward minus infinity.
    Down,
    /// Toward plus infinity.
    Up,
}

/// A conversion between number types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Convert {
    /// Type of the operand.
    pub from: Num,
    /// Type of the result.
    pub to: Num,
    /// Rounding, where the result can be inexact.
    pub rounding: Rounding,
    /// Whether a floating-point result is an integer (`rint`, `trunc`, `floor`, `ceil`).
    pub integral: bool,
}

impl Convert {
    /// A conversion with C's rounding: toward zero to integers, else to nearest even.
    pub fn c(from: Num, to: Num) -> Convert {
        let truncates = from.is_float() && !to.is_float();
        let rounding = if truncates { Rounding::Zero } else { Rounding::Near };
        Convert { from, to, rounding, integral: false }
    }
}

/// What an instruction computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "fields by their usual names; the variants are described")]
pub enum Op {
    /// Parameter of a block.
    Param,
    /// A constant; the value's type interprets the bits.
    Const(u64),
    /// A value that is never defined by the program.
    Undef,
    Unary(Unary, Value),
    Binary(Binary, Value, Value),
    Ternary(Ternary, Value, Value, Value),
    /// A comparison; an `I1`.
    Cmp(Cmp, Value, Value),
    /// The second operand if the first is true, else the third.
    Select(Value, Value, Value),
    Convert(Convert, Value),
    /// The bits of an integer as a floating-point number or the reverse, of the same width.
    Bits(Value),
    /// The same value in a separate register, for the debugger.
    Copy(Value),
    /// An instruction of PTX of the table of [`Intrin`].
    Intrin(Intrin, SmallVec<[Value; 4]>),
    Special(Special),
    /// A clock or counter: `%clock`, `%clock64`. Not moved.
    Clock(&'static str),
    /// The parameter of the kernel at a byte offset. `pointer`: the value is a pointer.
    KernelParam {
        offset: u32,
        mem: Mem,
        pointer: bool,
    },
    /// A parameter of a device function.
    FuncParam(u32),
    /// Address of a variable, in its own state space.
    Address(SymId),
    /// Address of a local variable (an index into the function's slots), in local space.
    Slot(u32),
    /// Address of a function.
    FuncAddress(FuncId),
    /// The generic address of an address in a space. With `Space::Generic`, the integer value of a
    /// pointer, whose space is not known yet.
    ToGeneric(Space, Value),
    /// One part of an instruction with several results.
    Extract(Value, u32),
    /// `lanes` elements from memory; more than one make a `Multi`. `pointer`: a pointer is loaded.
    Load {
        space: Space,
        mem: Mem,
        lanes: u8,
        addr: Value,
        offset: i64,
        volatile: bool,
        pointer: bool,
    },
    Store {
        space: Space,
        mem: Mem,
        addr: Value,
        offset: i64,
        volatile: bool,
        values: SmallVec<[Value; 4]>,
    },
    Atomic {
        op: Atomic,
        space: Space,
        mem: Mem,
        addr: Value,
        offset: i64,
        b: Value,
        c: Option<Value>,
    },
    Call {
        func: FuncId,
        args: Vec<Value>,
    },
    CallIndirect {
        target: Value,
        args: Vec<Value>,
        proto: u32,
    },
    Barrier,
    Fence(Fence),
    Vote(Vote, Value),
    /// A shuffle: the word, the lane or distance, and the bound of the segment.
    Shuffle(Shuffle, Value, Value, Value),
    Tex(Tex),
    Query(Query),
    Asm(Box<Asm>),
    Surface(Box<Surface>),
    /// An instruction without operands: `brkpt`, `pmevent 3`.
    Plain(String),
    /// A call of a function of the device library: name and arguments.
    Library(&'static str, Vec<Value>),
    /// Ends the launch with an error.
    Trap,
}

/// Calls `$f` on each operand of an operation, by reference or by mutable reference.
macro_rules! operands {
    ($op:expr, $f:expr, $iter:ident) => {{
        let mut f = $f;
        match $op {
            Op::Param
            | Op::Const(_)
            | Op::Undef
            | Op::Special(_)
            | Op::Clock(_)
            | Op::KernelParam { .. }
            | Op::FuncParam(_)
            | Op::Address(_)
            | Op::Slot(_)
            | Op::FuncAddress(_)
            | Op::Barrier
            | Op::Fence(_)
            | Op::Plain(_)
            | Op::Trap => {}
            Op::Unary(_, a)
            | Op::Convert(_, a)
            | Op::Bits(a)
            | Op::Copy(a)
            | Op::ToGeneric(_, a)
            | Op::Extract(a, _)
            | Op::Vote(_, a)
            | Op::Load { addr: a, .. } => f(a),
            Op::Binary(_, a, b) | Op::Cmp(_, a, b) => [a, b].into_iter().for_each(f),
            Op::Ternary(_, a, b, c) | Op::Select(a, b, c) | Op::Shuffle(_, a, b, c) => {
                [a, b, c].into_iter().for_each(f)
            }
            Op::Intrin(_, args) => args.$iter().for_each(f),
            Op::Store { addr, values, .. } => {
                f(addr);
                values.$iter().for_each(f);
            }
            Op::Atomic { addr, b, c, .. } => {
                f(addr);
                f(b);
                c.$iter().for_each(f);
            }
            Op::Call { args, .. } | Op::Library(_, args) => args.$iter().for_each(f),
            Op::CallIndirect { target, args, .. } => {
                f(target);
                args.$iter().for_each(f);
            }
            Op::Tex(tex) => tex.coords.$iter().for_each(f),
            Op::Query(query) => query.handle.$iter().for_each(f),
            Op::Asm(asm) => asm.inputs.$iter().for_each(f),
            Op::Surface(access) => {
                access.coords.$iter().for_each(&mut f);
                access.values.$iter().for_each(&mut f);
            }
        }
    }};
}

impl Op {
    /// Calls a function on each operand.
    pub fn each(&self, mut f: impl FnMut(Value)) {
        operands!(self, |value: &Value| f(*value), iter);
    }

    /// Calls a function on each operand, which it can replace.
    pub fn each_mut(&mut self, f: impl FnMut(&mut Value)) {
        operands!(self, f, iter_mut);
    }

    /// Whether the result depends on the operands only and the instruction has no effect: it can be
    /// merged with an equal one, moved and removed.
    pub fn is_pure(&self) -> bool {
        match self {
            Op::Const(_)
            | Op::Undef
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Ternary(..)
            | Op::Cmp(..)
            | Op::Select(..)
            | Op::Convert(..)
            | Op::Bits(_)
            | Op::Intrin(..)
            | Op::Special(_)
            | Op::KernelParam { .. }
            | Op::FuncParam(_)
            | Op::Address(_)
            | Op::Slot(_)
            | Op::FuncAddress(_)
            | Op::ToGeneric(..)
            | Op::Query(_)
            | Op::Extract(..) => true,
            Op::Load { space: Space::Const, volatile, .. } => !volatile,
            _ => false,
        }
    }

    /// Whether the instruction can be removed if its result is not used.
    pub fn is_removable(&self) -> bool {
        match self {
            Op::Load { volatile, .. } => !volatile,
            Op::Surface(access) => access.values.is_empty(),
            Op::Param
            | Op::Tex(_)
            | Op::Clock(_)
            | Op::Vote(Vote::All | Vote::Any | Vote::Ballot, _)
            | Op::Shuffle(..) => true,
            Op::Asm(asm) => !asm.volatile,
            op => op.is_pure(),
        }
    }

    /// Whether a thread may wait for other threads of its block at the instruction.
    pub fn may_wait(&self) -> bool {
        match self {
            Op::Barrier
            | Op::Call { .. }
            | Op::CallIndirect { .. }
            | Op::Vote(Vote::BarrierAnd | Vote::BarrierOr | Vote::BarrierCount, _) => true,
            Op::Asm(asm) => asm.volatile,
            _ => false,
        }
    }

    /// Whether the instruction can write memory that loads read, or orders memory accesses.
    pub fn writes_memory(&self) -> bool {
        match self {
            Op::Store { .. }
            | Op::Atomic { .. }
            | Op::Call { .. }
            | Op::CallIndirect { .. }
            | Op::Barrier
            | Op::Fence(_)
            | Op::Library(..)
            | Op::Vote(Vote::BarrierAnd | Vote::BarrierOr | Vote::BarrierCount, _) => true,
            Op::Asm(asm) => asm.volatile,
            Op::Surface(access) => !access.values.is_empty(),
            Op::Load { volatile, .. } => *volatile,
            _ => false,
        }
    }
}
