//! Operations: what an instruction computes from its operands.

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
        use Binary::*;
        matches!(
            self,
            Add | Mul | MulHiS | MulHiU | MulWideS | MulWideU | Mul24S | Mul24U | And | Or | Xor | MinS
                | MinU | MaxS | MaxU | FMin | FMax
        )
    }
}

/// Operations with three operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ternary {
    /// a × b + c: integers modulo the width; floating point as the contraction of the target
    /// (`mad.f32` below sm_20, else `fma.rn`).
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

/// A special register that has one value during a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Special {
    /// Index of the thread in its block; 0 is x.
    Tid(u8),
    /// Threads of a block.
    Ntid(u8),
    /// Index of the block in the grid.
    Ctaid(u8),
    /// Blocks of the grid.
    Nctaid(u8),
    /// Lane of the thread.
    Lane,
    /// Threads of a warp: 32.
    WarpSize,
}

impl Special {
    /// The register in PTX.
    pub fn ptx(self) -> &'static str {
        const NAMES: [[&str; 3]; 4] = [
            ["%tid.x", "%tid.y", "%tid.z"],
            ["%ntid.x", "%ntid.y", "%ntid.z"],
            ["%ctaid.x", "%ctaid.y", "%ctaid.z"],
            ["%nctaid.x", "%nctaid.y", "%nctaid.z"],
        ];
        let (row, axis) = match self {
            Special::Tid(axis) => (0, axis),
            Special::Ntid(axis) => (1, axis),
            Special::Ctaid(axis) => (2, axis),
            Special::Nctaid(axis) => (3, axis),
            Special::Lane => return "%laneid",
            Special::WarpSize => return "WARP_SZ",
        };
        NAMES[row][usize::from(axis.min(2))]
    }
}

/// Operation of an atomic access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the operations of PTX by their names")]
pub enum Atomic {
    Add,
    MinS,
    MinU,
    MaxS,
    MaxU,
    Inc,
    Dec,
    And,
    Or,
    Xor,
    Exch,
    Cas,
}

/// Reach of a memory fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fence {
    /// The block.
    Block,
    /// The device.
    Device,
    /// The device and the host.
    System,
}

/// A vote of a warp, or a barrier that combines a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Vote {
    /// Whether the predicate holds in all lanes.
    All,
    /// Whether the predicate holds in any lane.
    Any,
    /// The predicates as a mask of lanes.
    Ballot,
    /// Barrier: whether the predicate holds in all threads.
    BarrierAnd,
    /// Barrier: whether the predicate holds in any thread.
    BarrierOr,
    /// Barrier: number of threads in which the predicate holds.
    BarrierCount,
}

/// A texture fetch: four results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tex {
    /// The texture reference.
    pub texture: SymId,
    /// Geometry in PTX: `1d`, `2d`, `3d`, `a1d`, `a2d`, `cube`, `acube`.
    pub geometry: &'static str,
    /// Type of the texel in PTX: `f32`, `s32`, `u32`.
    pub texel: Num,
    /// Whether the coordinates are floating-point numbers.
    pub float: bool,
    /// Coordinates.
    pub coords: SmallVec<[Value; 4]>,
}

/// Inline PTX.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Asm {
    /// Pieces of text, each followed by an operand: outputs have the first numbers.
    pub pieces: Vec<(String, Option<u32>)>,
    /// Kinds of the outputs, and the input whose value an output has at the start.
    pub outputs: Vec<(AsmKind, Option<u32>)>,
    /// Kinds of the inputs.
    pub kinds: Vec<AsmKind>,
    /// The inputs.
    pub inputs: Vec<Value>,
    /// Whether the text has effects besides its outputs.
    pub volatile: bool,
}

/// The register of an operand of inline PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsmKind {
    /// 16 bits.
    Half,
    /// 32 bits.
    Word,
    /// 64 bits.
    Long,
    /// A float.
    Float,
    /// A double.
    Double,
    /// A constant instead of a register.
    Immediate,
}

/// A surface access (sm_20).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Surface {
    /// The surface reference.
    pub surface: SymId,
    /// Geometry in PTX: `1d`, `2d`, `3d`.
    pub geometry: &'static str,
    /// Type of an element.
    pub mem: Mem,
    /// Coordinates.
    pub coords: SmallVec<[Value; 4]>,
    /// The stored values; none for a load.
    pub values: SmallVec<[Value; 4]>,
    /// Number of elements.
    pub lanes: u8,
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
    /// An instruction of PTX of the table of [`Intrin`].
    Intrin(Intrin, SmallVec<[Value; 4]>),
    Special(Special),
    /// A clock or counter: `%clock`, `%clock64`. Not moved.
    Clock(&'static str),
    /// The parameter of the kernel at a byte offset. `pointer`: the value is a pointer.
    KernelParam { offset: u32, mem: Mem, pointer: bool },
    /// A parameter of a device function.
    FuncParam(u32),
    /// Address of a variable, in its own state space.
    Address(SymId),
    /// Address of a local variable (an index into the function's slots), in local space.
    Slot(u32),
    /// Address of a function.
    FuncAddress(FuncId),
    /// The generic address of an address in a space.
    ToGeneric(Space, Value),
    /// One part of an instruction with several results.
    Extract(Value, u32),
    /// `lanes` elements from memory; more than one make a `Multi`. `pointer`: a pointer is loaded.
    Load { space: Space, mem: Mem, lanes: u8, addr: Value, offset: i64, volatile: bool, pointer: bool },
    Store { space: Space, mem: Mem, addr: Value, offset: i64, volatile: bool, values: SmallVec<[Value; 4]> },
    Atomic { op: Atomic, space: Space, mem: Mem, addr: Value, offset: i64, b: Value, c: Option<Value> },
    Call { func: FuncId, args: Vec<Value> },
    CallIndirect { target: Value, args: Vec<Value>, proto: u32 },
    Barrier,
    Fence(Fence),
    Vote(Vote, Value),
    Tex(Tex),
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
            | Op::ToGeneric(_, a)
            | Op::Extract(a, _)
            | Op::Vote(_, a)
            | Op::Load { addr: a, .. } => f(a),
            Op::Binary(_, a, b) | Op::Cmp(_, a, b) => [a, b].into_iter().for_each(f),
            Op::Ternary(_, a, b, c) | Op::Select(a, b, c) => [a, b, c].into_iter().for_each(f),
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
            Op::Param | Op::Tex(_) | Op::Clock(_) | Op::Vote(Vote::All | Vote::Any | Vote::Ballot, _) => true,
            Op::Asm(asm) => !asm.volatile,
            op => op.is_pure(),
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
