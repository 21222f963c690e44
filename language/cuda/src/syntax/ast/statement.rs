//! Statements in the syntax tree.

use std::rc::Rc;

use super::{Decl, Declarator, Expr, Name, Specifiers};
use crate::source::Span;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// All of it.
    pub span: Span,
}

/// A condition, which may declare a variable.
#[derive(Clone, Debug)]
pub enum Condition {
    /// An expression.
    Expr(Expr),
    /// The constant of `if constexpr`.
    Constant(Expr),
    /// A declaration; the value of the variable is the condition.
    Decl(Box<Decl>),
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`.
    Empty,
    /// An expression.
    Expr(Expr),
    /// A declaration.
    Decl(Decl),
    /// `{ ... }`.
    Block(Vec<Stmt>),
    /// `if`.
    If(Condition, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`, with `#pragma unroll`.
    While(Condition, Box<Stmt>, Option<u32>),
    /// `do ... while`.
    DoWhile(Box<Stmt>, Expr, Option<u32>),
    /// `for`.
    For(Box<For>),
    /// `for (x : range)`.
    RangeFor(Box<RangeFor>),
    /// `switch`.
    Switch(Condition, Box<Stmt>),
    /// `case e:` or `case e ... f:`.
    Case(Expr, Option<Expr>),
    /// `default:`.
    Default,
    /// `name:`.
    Label(Name),
    /// Labels with the statement behind them.
    Labelled(Vec<Stmt>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `goto`.
    Goto(Name),
    /// `return`.
    Return(Option<Expr>),
    /// `try { ... } catch (...) { ... }`.
    Try(Vec<Stmt>, Vec<Handler>),
    /// Inline PTX.
    Asm(Box<Asm>),
    /// A construct that is parsed but never compiled, with its name.
    Unsupported(&'static str),
}

/// `catch (T x) { ... }`.
#[derive(Clone, Debug)]
pub struct Handler {
    /// The variable; none for `catch (...)`.
    pub variable: Option<(Rc<Specifiers>, Declarator)>,
    /// The statements.
    pub body: Vec<Stmt>,
    /// From `catch` to `)`.
    pub span: Span,
}

/// A `for` loop.
#[derive(Clone, Debug)]
pub struct For {
    /// Before the loop.
    pub init: Option<Stmt>,
    /// Before each iteration.
    pub condition: Option<Condition>,
    /// After each iteration.
    pub step: Option<Expr>,
    /// The body.
    pub body: Stmt,
    /// `#pragma unroll`.
    pub unroll: Option<u32>,
}

/// A `for` loop over the elements of an array.
#[derive(Clone, Debug)]
pub struct RangeFor {
    /// Specifiers of the variable.
    pub specifiers: Rc<Specifiers>,
    /// The variable.
    pub declarator: Declarator,
    /// The array.
    pub range: Expr,
    /// The body.
    pub body: Stmt,
    /// `#pragma unroll`.
    pub unroll: Option<u32>,
}

/// Inline PTX.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The text.
    pub template: Vec<u8>,
    /// Place of the text.
    pub span: Span,
    /// `volatile`.
    pub volatile: bool,
    /// Written operands.
    pub outputs: Vec<AsmOperand>,
    /// Read operands.
    pub inputs: Vec<AsmOperand>,
    /// Names behind the third colon.
    pub clobbers: Vec<Vec<u8>>,
}

/// An operand of inline PTX.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// `[name]` in front.
    pub name: Option<Name>,
    /// The constraint.
    pub constraint: Vec<u8>,
    /// The operand.
    pub value: Expr,
}
