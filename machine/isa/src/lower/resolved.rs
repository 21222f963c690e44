//! A resolved entry or function: the output of [`super::resolve`] and the input of the later
//! passes.

use super::scope::{Register, VarRef};
use crate::ptx::ast::{Literal, Variable};
use crate::ptx::forms::Form;
use crate::sem::video::Selector;
use crate::span::Span;
use crate::sreg::SReg;
use std::collections::BTreeSet;

/// An entry or function with all names resolved.
#[derive(Debug, Default)]
pub struct Resolved<'a> {
    /// Registers that the code uses.
    pub registers: Vec<Register<'a>>,
    /// Variables declared in the body, except registers.
    pub variables: Vec<&'a Variable<'a>>,
    /// Names of the labels.
    pub labels: Vec<&'a str>,
    /// Labels and instructions in order.
    pub items: Vec<Item>,
    /// Module variables that the code uses.
    pub used: BTreeSet<u32>,
    /// Register of each parameter; `None` for a parameter that is not a `.reg`.
    pub params: Vec<Option<u32>>,
    /// Register of each return parameter; `None` for one that is not a `.reg`.
    pub returns: Vec<Option<u32>>,
    /// Possible targets of the indirect calls.
    pub call_tables: Vec<Targets<'a>>,
    /// Parameters of the function whose address is used, by position. They have a copy in local
    /// memory.
    pub addressed: Vec<(u32, &'a Variable<'a>)>,
}

/// The targets of an indirect call.
#[derive(Debug)]
pub enum Targets<'a> {
    /// All functions with these results and parameters.
    Prototype(&'a [Variable<'a>], &'a [Variable<'a>]),
    /// These functions, by number.
    Functions(Vec<u32>),
}

/// A label or an instruction.
#[derive(Debug)]
pub enum Item {
    /// The position of the label with this number.
    Label(u32),
    /// An instruction.
    Inst(Box<Inst>),
}

/// A resolved instruction.
#[derive(Debug)]
pub struct Inst {
    /// Form of the instruction.
    pub form: Form,
    /// Guard register, whether the guard is negated, and its source range.
    pub guard: Option<(u32, bool, Span)>,
    /// Operands, destination first.
    pub operands: Vec<Arg>,
    /// Source range from guard to semicolon.
    pub span: Span,
    /// Source range of the opcode with its modifiers.
    pub name_span: Span,
}

/// A resolved operand with its source range.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// Place and value of the argument.
    pub kind: ArgKind,
    /// Source range.
    pub span: Span,
}

/// Kind of a resolved operand.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgKind {
    /// A register.
    Register(u32),
    /// `!%p`
    Not(u32),
    /// `%p|%q`; `None` for `_`.
    Pair(Option<u32>, Option<u32>),
    /// `%r.b0`, `-%r` or `-%r.h1`: an operand of a video instruction.
    Part {
        /// Virtual register.
        register: u32,
        /// Whether it has a minus sign.
        negated: bool,
        /// The named part.
        selector: Selector,
    },
    /// A special register.
    Special(SReg),
    /// A number.
    Literal(Literal),
    /// The address of a variable plus a byte offset.
    Address(VarRef, i64),
    /// Index of a label.
    Label(u32),
    /// A function, by number.
    Function(u32),
    /// Possible targets of an indirect call: an index into [`Resolved::call_tables`].
    CallTable(u32),
    /// `(…)`
    List(Vec<Arg>),
    /// `[base+offset]`
    Memory(Base, i64),
    /// `{…}`
    Vector(Vec<Arg>),
    /// `_`
    Sink,
}

/// Base of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// No base: the offset is the address.
    Zero,
    /// A register.
    Register(u32),
    /// A variable.
    Variable(VarRef),
}
