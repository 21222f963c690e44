//! An entry or function whose names are resolved: what [`super::resolve`] makes and the later
//! passes read.

use super::scope::{Register, VarRef};
use crate::ptx::ast::{Literal, Variable};
use crate::ptx::forms::Form;
use crate::span::Span;
use crate::sreg::SReg;
use std::collections::BTreeSet;

/// An entry or function with all names resolved.
#[derive(Debug, Default)]
pub struct Resolved<'a> {
    /// The registers that the code mentions.
    pub registers: Vec<Register<'a>>,
    /// Variables declared in the body, registers aside.
    pub variables: Vec<&'a Variable<'a>>,
    /// Names of the labels.
    pub labels: Vec<&'a str>,
    /// Labels and instructions in order.
    pub items: Vec<Item>,
    /// Module variables that the code mentions.
    pub used: BTreeSet<u32>,
    /// For each parameter its register, where it is one (`.reg`).
    pub params: Vec<Option<u32>>,
    /// For each return parameter its register, where it is one.
    pub returns: Vec<Option<u32>>,
    /// What indirect calls are told of their targets.
    pub call_tables: Vec<Targets<'a>>,
}

/// The targets of an indirect call.
#[derive(Debug)]
pub enum Targets<'a> {
    /// Functions with these results and parameters.
    Prototype(&'a [Variable<'a>], &'a [Variable<'a>]),
    /// These functions, by number.
    Functions(Vec<u32>),
}

/// A label's place or an instruction.
#[derive(Debug)]
pub enum Item {
    /// The label of this number stands here.
    Label(u32),
    /// An instruction.
    Inst(Box<Inst>),
}

/// A resolved instruction.
#[derive(Debug)]
pub struct Inst {
    /// What its name says.
    pub form: Form,
    /// Guard register, whether it is negated, and its place.
    pub guard: Option<(u32, bool, Span)>,
    /// Operands, destination first.
    pub operands: Vec<Arg>,
    /// From guard to semicolon.
    pub span: Span,
    /// The opcode with its modifiers.
    pub name_span: Span,
}

/// A resolved operand and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// What it is.
    pub kind: ArgKind,
    /// Its place.
    pub span: Span,
}

/// What an operand stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgKind {
    /// A register.
    Register(u32),
    /// `!%p`
    Not(u32),
    /// `%p|%q`; `None` for `_`.
    Pair(Option<u32>, Option<u32>),
    /// A special register.
    Special(SReg),
    /// A number.
    Literal(Literal),
    /// The address of a variable plus a byte offset.
    Address(VarRef, i64),
    /// A label.
    Label(u32),
    /// A function, by number.
    Function(u32),
    /// What an indirect call is told of its targets: an index into [`Resolved::call_tables`].
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

/// What an address is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Nothing: the offset is the address.
    Zero,
    /// A register.
    Register(u32),
    /// A variable.
    Variable(VarRef),
}
