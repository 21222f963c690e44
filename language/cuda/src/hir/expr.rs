//! Expressions and places.
//!
//! Every conversion is an explicit [`ExprKind::Cast`]. Operands of an operator have equal types
//! after the usual conversions, so lowering decides nothing about types.

use super::{FunctionId, GlobalId, Intrinsic, LocalId, TypeId, Types};
use crate::source::Span;

/// A value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What is computed.
    pub kind: ExprKind,
    /// Type of the value.
    pub ty: TypeId,
    /// Where the source says so.
    pub span: Span,
}

impl Expr {
    /// An `int` constant.
    pub fn int(value: i128, span: Span) -> Self {
        Self { kind: ExprKind::Int(value), ty: Types::I32, span }
    }
}

/// An object in memory or in a register (an lvalue).
#[derive(Clone, Debug)]
pub struct Place {
    /// The object.
    pub kind: PlaceKind,
    /// Type of the object.
    pub ty: TypeId,
    /// Whether accesses must be kept as they are, in number and order.
    pub volatile: bool,
    /// Where the source says so.
    pub span: Span,
}

impl Place {
    /// The variable or parameter of the function that the object is, or is a part of.
    pub fn local(&self) -> Option<LocalId> {
        match &self.kind {
            PlaceKind::Local(local) => Some(*local),
            PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) | PlaceKind::Bits(inner, ..) => {
                inner.local()
            }
            PlaceKind::Global(_) | PlaceKind::Deref(_) => None,
        }
    }
}

/// The object of a [`Place`].
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// A variable or parameter of the function.
    Local(LocalId),
    /// A variable of the program.
    Global(GlobalId),
    /// The object that a pointer points to.
    Deref(Box<Expr>),
    /// Member number `.1` of a structure or union.
    Field(Box<Place>, u32),
    /// Element of an array; the index has any integer type.
    Index(Box<Place>, Box<Expr>),
    /// Bits of an integer: the integer, the lowest bit and the number of bits. It has no address.
    Bits(Box<Place>, u8, u8),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-x` of an integer or floating-point value.
    Negate,
    /// `~x` of an integer.
    Complement,
    /// `!x` of a `bool`.
    Not,
}

/// Operators with two operands of one type; the result has that type, and `bool` for comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`; integers truncate.
    Div,
    /// `%` of integers.
    Rem,
    /// `&` of integers.
    And,
    /// `|` of integers.
    Or,
    /// `^` of integers.
    Xor,
    /// `<<`; the count (right operand) is `u32`.
    Shl,
    /// `>>`, arithmetic on signed integers; the count (right operand) is `u32`.
    Shr,
    /// `==` of numbers, `bool` or pointers.
    Eq,
    /// `!=`; true when floating-point operands are unordered.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

impl BinaryOp {
    /// Whether the result is `bool`.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }
}

/// Which value an [`ExprKind::Update`] has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Yields {
    /// The value before (`i++`).
    Old,
    /// The value after (`++i`, `i += 2`).
    New,
}

/// The operation of an [`Expr`].
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant of an integer type or `bool`, in the range of the type. Null pointers are
    /// constants 0 of their pointer type.
    Int(i128),
    /// A constant of type `float` or `double`; that of a `float` is exactly a `float`.
    Float(f64),
    /// The zero value of a structure or array: all bytes 0.
    Zero,
    /// A structure (never a union) or array from the values of all its members.
    Aggregate(Vec<Expr>),
    /// The value of an object; also of a structure.
    Load(Box<Place>),
    /// The address of an object.
    AddressOf(Box<Place>),
    /// The address of a function (`sm_20`).
    FunctionAddress(FunctionId),
    /// Member of a structure value that is not an object.
    Extract(Box<Expr>, u32),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands, both always evaluated.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `&&` of two `bool`; the second is evaluated only if the first is true.
    LogicalAnd(Box<Expr>, Box<Expr>),
    /// `||` of two `bool`; the second is evaluated only if the first is false.
    LogicalOr(Box<Expr>, Box<Expr>),
    /// Pointer plus a number of elements; the number has a signed or unsigned integer type of 32
    /// bits or the size of pointers.
    PointerAdd(Box<Expr>, Box<Expr>),
    /// Number of elements from the second pointer to the first; the type is `ptrdiff_t`.
    PointerDiff(Box<Expr>, Box<Expr>),
    /// `c ? a : b`; the condition is `bool`, and only one of the values is evaluated. May be void.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Conversion to `ty` between integers, `bool` (false when zero), floating point (C's rules:
    /// toward zero to integers), pointers and integers; any type to void.
    Cast(Box<Expr>),
    /// Stores the value; the value of the expression is the stored value, or void if `ty` is void.
    /// In host code the value of a structure reads the object only if it is a [`Self::Cast`]; other
    /// values initialize the object.
    Assign(Box<Place>, Box<Expr>),
    /// Evaluates the address of the place once, loads it into the variable `old`, which no other
    /// expression uses, then stores `value`, which reads `old`.
    Update {
        /// The object.
        place: Box<Place>,
        /// A variable of the place's type for the value before.
        old: LocalId,
        /// The value after.
        value: Box<Expr>,
        /// The value of the whole expression.
        yields: Yields,
    },
    /// Evaluates the first, then the second, and has the value of the second.
    Comma(Box<Expr>, Box<Expr>),
    /// A full expression (host): evaluates it, then destroys the objects that it has registered
    /// with [`Intrinsic::Defer`].
    Scoped(Box<Expr>),
    /// Calls a function; structures are passed and returned by value.
    Call(FunctionId, Vec<Expr>),
    /// Calls through a function pointer (`sm_20`).
    CallIndirect(Box<Expr>, Vec<Expr>),
    /// The address that stands for a kernel in calls of the runtime: its name in PTX (host).
    KernelAddress(String),
    /// Launches a kernel; the type is void (host).
    Launch(Box<Launch>),
    /// An operation of the hardware, or (host) of the library.
    Intrinsic(Intrinsic, Vec<Expr>),
    /// Inline PTX; the type is void.
    Asm(Box<InlineAsm>),
}

/// `kernel<<<grid, block, shared, stream>>>(arguments)`.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The address of the kernel.
    pub kernel: Expr,
    /// Number of blocks: a `dim3`.
    pub grid: Expr,
    /// Threads of a block: a `dim3`.
    pub block: Expr,
    /// Bytes of dynamic shared memory: a `size_t`.
    pub shared: Expr,
    /// The stream: a pointer.
    pub stream: Expr,
    /// The arguments, converted to the types of the parameters.
    pub arguments: Vec<Expr>,
}

/// `asm("..." : outputs : inputs : clobbers)`.
#[derive(Clone, Debug)]
pub struct InlineAsm {
    /// The text between operands.
    pub template: Vec<AsmPiece>,
    /// Objects that are written; operands 0 and up.
    pub outputs: Vec<AsmOutput>,
    /// Values that are read; their numbers follow those of the outputs.
    pub inputs: Vec<AsmInput>,
    /// Whether the instruction must be kept, also when its results are unused.
    pub volatile: bool,
    /// Whether it reads or writes memory in ways that the operands do not show.
    pub memory: bool,
}

/// A part of the text of inline PTX.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AsmPiece {
    /// Text as it is.
    Text(String),
    /// The register or constant of an operand.
    Operand(usize),
}

/// A written operand.
#[derive(Clone, Debug)]
pub struct AsmOutput {
    /// Kind of register.
    pub class: AsmClass,
    /// Where the result goes; a scalar.
    pub place: Place,
    /// Whether the operand is read too (`"+r"`).
    pub read: bool,
}

/// A read operand.
#[derive(Clone, Debug)]
pub struct AsmInput {
    /// Kind of register.
    pub class: AsmClass,
    /// The value; its type has the size of the class.
    pub value: Expr,
}

/// Constraint letter of an operand of inline PTX.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AsmClass {
    /// `h`: 16-bit integer.
    Half,
    /// `r`: 32-bit integer.
    Word,
    /// `l`: 64-bit integer.
    Long,
    /// `f`: `.f32`.
    Float,
    /// `d`: `.f64`.
    Double,
    /// `n`: integer constant.
    Immediate,
}
