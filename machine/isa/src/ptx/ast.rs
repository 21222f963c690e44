//! The syntax tree of a PTX module. Names are slices of the text, and every node has a span.

use crate::sem::video::Selector;
use crate::span::Span;
use crate::types::{ScalarType, StateSpace};
use crate::uop::{Pointee, Sampler};

/// A name or word with its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ident<'t> {
    /// The text, including a leading `%` or `$`.
    pub name: &'t str,
    /// Source range.
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
    /// `.address_size 32|64`, if given.
    pub address_size: Option<(u32, Span)>,
    /// Whether the module is lowered from a newer target to that of a chip.
    pub lowered: bool,
    /// Directives and words of declarations that exist only from some PTX version on, without their
    /// dots, at any position in the module.
    pub versioned: Vec<Ident<'t>>,
    /// Module-scope variables in order.
    pub variables: Vec<Variable<'t>>,
    /// `.entry` and `.func` in order.
    pub functions: Vec<Function<'t>>,
}

/// Visibility of a declaration of a module in the modules that it is linked with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linkage {
    /// No directive: visible in its module only. Entries are visible to the host in any case.
    #[default]
    Local,
    /// `.visible`: a definition for all modules.
    Visible,
    /// `.weak`: a definition that another definition of the same name replaces.
    Weak,
    /// `.common`: a variable of which several modules may have definitions; the largest remains.
    Common,
    /// `.extern`: declares a definition of another module.
    Extern,
}

impl Linkage {
    /// The directives.
    pub const ALL: [(&str, Self); 4] = [
        ("extern", Self::Extern),
        ("visible", Self::Visible),
        ("weak", Self::Weak),
        ("common", Self::Common),
    ];

    /// Returns the linkage of a directive, without its dot.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(name, _)| *name == word).map(|(_, linkage)| *linkage)
    }
}

/// A declared variable of any state space, at module or function scope, or a parameter.
#[derive(Clone, Debug)]
pub struct Variable<'t> {
    /// `.global`, `.const`, `.shared`, `.local`, `.param`, `.reg`; `.tex` also for `.global
    /// .texref`, `.surf` for `.global .surfref`, `.sampler` for `.global .samplerref`.
    pub space: StateSpace,
    /// `.tex`, `.surf` or `.sampler` for a parameter that selects a texture, surface or sampler.
    pub opaque: Option<StateSpace>,
    /// `.ptr`: the memory to which a parameter points.
    pub pointee: Option<Pointee>,
    /// `= {member = value, …}` of a `.samplerref`.
    pub sampler: Sampler,
    /// Linkage directive.
    pub linkage: Linkage,
    /// Number of the module that declares the variable.
    pub module: u32,
    /// Name in reports if several modules have a variable of this name.
    pub title: Option<String>,
    /// `.align n` in bytes, if given.
    pub align: Option<(u32, Span)>,
    /// Element type.
    pub ty: ScalarType,
    /// 2 for `.v2`, 4 for `.v4`, otherwise 1.
    pub vector: u32,
    /// Name.
    pub name: Ident<'t>,
    /// Number of registers: `%r<57>` declares `%r0` to `%r56`.
    pub range: Option<u32>,
    /// Array dimensions, outermost first; `None` for the empty `[]`.
    pub dims: Vec<Option<u64>>,
    /// `= {…}` or `= value`, flattened in row-major order.
    pub init: Option<Vec<Init<'t>>>,
    /// Source range of the whole declaration.
    pub span: Span,
}

/// One element of an initializer.
#[derive(Clone, Debug)]
pub enum Init<'t> {
    /// A number.
    Value(Literal, Span),
    /// The address of a symbol plus a byte offset.
    Address(Ident<'t>, i64),
    /// The generic address of a symbol plus a byte offset.
    Generic(Ident<'t>, i64),
}

/// A literal as written; it is converted to bits when its type is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// An integer, wrapped to 64 bits.
    Int {
        /// Two's complement value.
        value: u64,
        /// Whether it has a minus sign.
        negative: bool,
    },
    /// `0fXXXXXXXX`: the bits of an f32.
    F32(u32),
    /// `0dXXXXXXXXXXXXXXXX` or a decimal literal: the bits of an f64.
    F64(u64),
}

impl Variable<'_> {
    /// Returns the name for reports.
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(self.name.name)
    }
}

/// `.entry` or `.func`.
#[derive(Clone, Debug)]
pub struct Function<'t> {
    /// True for `.entry`, false for `.func`.
    pub entry: bool,
    /// Linkage directive.
    pub linkage: Linkage,
    /// Number of the module that declares the function.
    pub module: u32,
    /// Name in reports if several modules have a function of this name.
    pub title: Option<String>,
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
    /// Source range of the head, from `.entry` or `.func` to the closing parenthesis.
    pub span: Span,
}

impl<'t> Function<'t> {
    /// Returns all instructions of the body, also those in blocks, in the order of the text.
    pub fn instructions(&self) -> Vec<&Instruction<'t>> {
        let mut found = Vec::new();
        collect(self.body.as_deref().unwrap_or_default(), &mut found);
        found
    }

    /// Returns the name for reports.
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(self.name.name)
    }
}

/// Adds all instructions, in the order of the text.
fn collect<'a, 't>(statements: &'a [Statement<'t>], found: &mut Vec<&'a Instruction<'t>>) {
    for statement in statements {
        match statement {
            Statement::Instruction(inst) => found.push(inst),
            Statement::Block(inner) => collect(inner, found),
            _ => {}
        }
    }
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
    /// `name: .callprototype …;`, `name: .calltargets …;` or `name: .branchtargets …;`
    CallTable(Box<CallTable<'t>>),
    /// `.loc file line column`: the line in the compiler's source file.
    Loc {
        /// File index.
        file: u32,
        /// Line in that file.
        line: u32,
    },
}

/// The possible targets of an indirect call or branch.
#[derive(Clone, Debug)]
pub struct CallTable<'t> {
    /// Label.
    pub name: Ident<'t>,
    /// Functions that the call can reach, or labels that the branch can reach.
    pub targets: CallTargets<'t>,
    /// Source range from the label to the semicolon.
    pub span: Span,
}

/// The possible targets of an indirect call.
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
    /// `.branchtargets a, b`: these labels.
    Labels(Vec<Ident<'t>>),
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
    /// Source range from guard to semicolon.
    pub span: Span,
}

/// An operand with its position.
#[derive(Clone, Debug)]
pub struct Operand<'t> {
    /// Register, number, address or another form.
    pub kind: OperandKind<'t>,
    /// Source range.
    pub span: Span,
}

/// Kind of an operand.
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
    /// `%r.b0`, `-%r` or `-%r.h1`: an operand of a video instruction.
    Part {
        /// Register.
        name: &'t str,
        /// Whether it has a minus sign.
        negated: bool,
        /// The named part; the whole word without one.
        selector: Selector,
    },
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
