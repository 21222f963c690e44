//! The syntax tree of a PTX module. Names are parts of the text; every node knows its span.

use crate::span::Span;
use crate::types::{ScalarType, StateSpace};

/// A name or word with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ident<'t> {
    /// The text, with `%` or `$` if it had one.
    pub name: &'t str,
    /// Its place.
    pub span: Span,
}

/// A whole module.
#[derive(Clone, Debug, Default)]
pub struct Ast<'t> {
    /// `.version major.minor`.
    pub version: Option<(u32, u32, Span)>,
    /// `.target sm_10, …`: first the architecture, then options such as `debug` or
    /// `map_f64_to_f32`.
    pub target: Vec<Ident<'t>>,
    /// `.address_size 32|64`, where given.
    pub address_size: Option<(u32, Span)>,
    /// Directives and words of declarations that not every version has, without their dots,
    /// wherever they stand.
    pub dated: Vec<Ident<'t>>,
    /// Module-scope variables in order.
    pub variables: Vec<Variable<'t>>,
    /// `.entry` and `.func` in order.
    pub functions: Vec<Function<'t>>,
}

/// A declared variable of any state space, at module or function scope, or a parameter.
#[derive(Clone, Debug)]
pub struct Variable<'t> {
    /// `.global`, `.const`, `.shared`, `.local`, `.param`, `.reg`.
    pub space: StateSpace,
    /// `.extern` was given.
    pub external: bool,
    /// `.align n` in bytes, where given.
    pub align: Option<(u32, Span)>,
    /// Element type.
    pub ty: ScalarType,
    /// `.v2` or `.v4`: 2 or 4; else 1.
    pub vector: u32,
    /// Name.
    pub name: Ident<'t>,
    /// `%r<57>` declares `%r0` to `%r56`: the count.
    pub range: Option<u32>,
    /// Array dimensions, outermost first; `None` for the empty `[]`.
    pub dims: Vec<Option<u64>>,
    /// `= {…}` or `= value`, flattened in row-major order.
    pub init: Option<Vec<Init<'t>>>,
    /// The whole declaration.
    pub span: Span,
}

/// One element of an initialiser.
#[derive(Clone, Debug)]
pub enum Init<'t> {
    /// A number.
    Value(Literal, Span),
    /// The address of a symbol plus a byte offset.
    Address(Ident<'t>, i64),
}

/// A literal as written; its bits are made where its type is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// An integer, wrapped to 64 bits; `negative` tells how it was written.
    Int {
        /// Two's complement value.
        value: u64,
        /// Written with a minus sign.
        negative: bool,
    },
    /// `0fXXXXXXXX`: the bits of an f32.
    F32(u32),
    /// `0dXXXXXXXXXXXXXXXX` or a decimal literal: the bits of an f64.
    F64(u64),
}

/// `.entry` or `.func`.
#[derive(Clone, Debug)]
pub struct Function<'t> {
    /// `.entry`, not `.func`.
    pub entry: bool,
    /// Name.
    pub name: Ident<'t>,
    /// Parameters in order.
    pub params: Vec<Variable<'t>>,
    /// Return parameters of a `.func`.
    pub returns: Vec<Variable<'t>>,
    /// `.maxnreg n`, `.maxntid x,y,z`, `.reqntid …`, `.minnctapersm n`, by name.
    pub directives: Vec<(Ident<'t>, Vec<u32>)>,
    /// `None` for a declaration without a body.
    pub body: Option<Vec<Statement<'t>>>,
    /// The head, from `.entry` to the closing parenthesis.
    pub span: Span,
}

/// A statement of a body.
#[derive(Clone, Debug)]
pub enum Statement<'t> {
    /// A variable or register declaration.
    Variable(Box<Variable<'t>>),
    /// `name:`
    Label(Ident<'t>),
    /// An instruction.
    Instruction(Box<Instruction<'t>>),
    /// `{ … }`: names declared inside are local to it.
    Block(Box<[Statement<'t>]>),
    /// `name: .callprototype …;` or `name: .calltargets …;`
    CallTable(Box<CallTable<'t>>),
    /// `.loc file line column`: the compiler's own source line.
    Loc {
        /// File index.
        file: u32,
        /// Line in that file.
        line: u32,
    },
}

/// What an indirect call is told of its targets.
#[derive(Clone, Debug)]
pub struct CallTable<'t> {
    /// Its label.
    pub name: Ident<'t>,
    /// The targets.
    pub targets: CallTargets<'t>,
    /// From the label to the semicolon.
    pub span: Span,
}

/// The targets of an indirect call.
#[derive(Clone, Debug)]
pub enum CallTargets<'t> {
    /// `.callprototype (results) _ (parameters)`: functions like this one.
    Prototype {
        /// Return parameters.
        returns: Vec<Variable<'t>>,
        /// Parameters in order.
        params: Vec<Variable<'t>>,
    },
    /// `.calltargets f, g`: these functions.
    Functions(Vec<Ident<'t>>),
}

/// `@!%p opcode.mod.mod operands;`
#[derive(Clone, Debug)]
pub struct Instruction<'t> {
    /// The guard predicate and whether it is negated.
    pub guard: Option<(Ident<'t>, bool)>,
    /// First word, such as `setp`.
    pub opcode: Ident<'t>,
    /// The words after dots in order, such as `lt`, `s32`.
    pub modifiers: Box<[Ident<'t>]>,
    /// Operands, destination first.
    pub operands: Box<[Operand<'t>]>,
    /// From guard to semicolon.
    pub span: Span,
}

/// One operand.
#[derive(Clone, Debug)]
pub struct Operand<'t> {
    /// What it is.
    pub kind: OperandKind<'t>,
    /// Its place.
    pub span: Span,
}

/// What an operand is.
#[derive(Clone, Debug)]
pub enum OperandKind<'t> {
    /// A register, special register (`%tid.x`), variable, label or function.
    Name(&'t str),
    /// `sym+4` as a value.
    NameOffset(&'t str, i64),
    /// A number.
    Literal(Literal),
    /// `!%p`.
    Not(&'t str),
    /// `%p|%q`: two destinations.
    Pair(&'t str, &'t str),
    /// `[base+offset]`; no base for an absolute address.
    Memory {
        /// Register or symbol.
        base: Option<Ident<'t>>,
        /// Byte offset.
        offset: i64,
    },
    /// `{%a, %b}`.
    Vector(Box<[Operand<'t>]>),
    /// `(%a, %b)`: the argument or result list of a call.
    /// Also `[tex, {x, y}]`: the memory operand, then the coordinates.
    List(Box<[Operand<'t>]>),
    /// `_`: a discarded destination.
    Sink,
}
