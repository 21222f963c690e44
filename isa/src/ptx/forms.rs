//! Instruction forms: which modifiers and operands an opcode takes, and an instruction resolved to one of them.

use crate::diag::Diagnostic;
use crate::ptx::ast::Instruction;
use crate::types::{ScalarType, StateSpace};

/// The instructions that this simulator executes, by the first word of their name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own mnemonics")]
pub enum Opcode {
    Mov,
    Selp,
    Add,
    Sub,
    Neg,
    Abs,
    Min,
    Max,
    Sad,
    Mul,
    Mad,
    Mul24,
    Mad24,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Not,
    Shl,
    Shr,
    Cvt,
    Setp,
    Ld,
    St,
    Bra,
    BarSync,
    Membar,
    Ret,
    Exit,
    Trap,
}

/// A comparison of `setp`. `lo ls hi hs` are the unsigned spellings of `lt le gt ge` and are resolved to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names of its comparisons")]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Floating point, true if either operand is NaN; likewise the next five.
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    /// Neither operand is NaN.
    Num,
    /// Either operand is NaN.
    Nan,
}

/// How `setp` combines its comparison with the predicate operand `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum Combine {
    And,
    Or,
    Xor,
}

/// Which part of a product is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// `.lo`: the lower half, as wide as the operands.
    Lo,
    /// `.hi`: the upper half.
    Hi,
    /// `.wide`: all of it, twice as wide as the operands.
    Wide,
}

/// A rounding mode as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "the variants are PTX's own names; those with `i` round to an integral value"
)]
pub enum Rounding {
    Rn,
    Rz,
    Rm,
    Rp,
    Rni,
    Rzi,
    Rmi,
    Rpi,
}

/// A cache operator of `ld` or `st` (sm_20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names of its cache operators")]
pub enum Cache {
    Ca,
    Cg,
    Cs,
    Lu,
    Cv,
    Wb,
    Wt,
}

/// Whose accesses `membar` orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names of its levels")]
pub enum Level {
    Cta,
    Gl,
    Sys,
}

/// An instruction's name, resolved: all that its modifiers say. Operands have been checked in number and kind
/// (register or literal, memory, vector, label), not in type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// What is done.
    pub opcode: Opcode,
    /// The type; the result's for `cvt`, the compared one for `setp`, the one in memory for `ld` and `st`.
    pub ty: Option<ScalarType>,
    /// `cvt`: the source's type.
    pub source: Option<ScalarType>,
    /// `setp`: the comparison.
    pub compare: Option<Compare>,
    /// `setp`: how the comparison is combined with the fourth operand.
    pub combine: Option<Combine>,
    /// `mul`, `mad`, `mul24`, `mad24` of integers: which part of the product.
    pub part: Option<Part>,
    /// Rounding as written; `None` leaves it to the instruction's default.
    pub rounding: Option<Rounding>,
    /// `.ftz`
    pub ftz: bool,
    /// `.sat`
    pub sat: bool,
    /// `.approx`
    pub approx: bool,
    /// `.full`
    pub full: bool,
    /// `ld`, `st`: the space; `None` is a generic address (sm_20).
    pub space: Option<StateSpace>,
    /// `ld`, `st`: `.volatile`
    pub volatile: bool,
    /// `ld`, `st`: the cache operator.
    pub cache: Option<Cache>,
    /// `ld`, `st`: elements of the vector, 1, 2 or 4.
    pub vector: u32,
    /// `bra.uni`: all active threads of the warp are said to go the same way.
    pub uni: bool,
    /// `membar`: its level.
    pub level: Option<Level>,
    /// The least compute capability that has this form: 10, 11, 12, 13 or 20 (`sm_20`).
    pub sm: u32,
}

/// The form of an instruction, or everything that is wrong with its name and operands.
pub fn form(inst: &Instruction) -> Result<Form, Vec<Diagnostic>> {
    let _ = inst;
    Err(Vec::new())
}

/// x
pub fn is_opcode(name: &str) -> bool {
    matches!(name, "ret" | "exit" | "trap")
}
