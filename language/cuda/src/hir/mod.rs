//! The typed program: what the front end hands to the back end.
//!
//! It contains only functions that kernels reach, with templates instantiated. References are
//! pointers, methods are functions whose first parameter is `this`, and operators apply to built-in
//! types only. Constructors and destructors are functions too. In host code objects are registered
//! for destruction where they are made; device code has no destructors with an effect.
//!
//! Invariants that lowering may rely on:
//! - every implicit conversion is an [`ExprKind::Cast`]; operands have the types that their
//!   operator takes; conditions are `bool`;
//! - an index of a local, global, function or label is valid;
//! - `break` and `continue` occur only inside a loop (or `switch`);
//! - a function of non-void type may end without `return`; the value is then undefined.

mod align;
mod expr;
mod intrinsic;
pub mod references;
mod types;
pub mod visit;

pub use align::part_align;
pub use expr::{
    AsmClass, AsmInput, AsmOutput, AsmPiece, BinaryOp, Expr, ExprKind, InlineAsm, Launch, Place, PlaceKind,
    UnaryOp, Yields,
};
pub use intrinsic::{
    AtomicOp, Axis, BarrierReduction, Boundary, Intrinsic, Special, SurfaceAccess, TextureShape, VoteOp,
};
pub use types::{Field, IntType, Signature, SignatureId, Struct, StructId, Type, TypeId, Types};

use crate::arena::Arena;
use crate::source::Span;
use crate::target::Target;

crate::arena::ids! {
    /// A function in [`Program::functions`].
    FunctionId
    /// A variable in [`Program::globals`].
    GlobalId
    /// A variable in [`Function::locals`].
    LocalId
    /// A jump target inside one function; ids are dense from 0 to [`Function::labels`].
    LabelId
}

/// The program of one source file.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it is compiled for.
    pub target: Target,
    /// All types.
    pub types: Types,
    /// Variables of the program, also those of blocks and string literals.
    pub globals: Arena<GlobalId, Global>,
    /// Kernels and the device functions that they reach, in order of definition.
    pub functions: Arena<FunctionId, Function>,
    /// Types of exceptions (host).
    pub thrown: Vec<Thrown>,
}

/// Name of the function that initializes variables of the host before `main`.
pub const START: &str = "<start>";

/// A type of exceptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thrown {
    /// Name as the C++ runtime library prints it.
    pub name: String,
    /// The types of the list that take it, itself and its base classes, each with the offset of its
    /// part: of the object, or of the object to which a pointer points.
    pub bases: Vec<(u32, u64)>,
    /// Whether it is a pointer.
    pub is_pointer: bool,
    /// Whether no other file can name it.
    pub is_local: bool,
}

impl Thrown {
    /// The offset of the part that a handler of a type of the list takes, if it does.
    pub fn taken_by(&self, ty: u32) -> Option<u64> {
        self.bases.iter().find(|(base, _)| *base == ty).map(|(_, offset)| *offset)
    }
}

/// Memory of a variable of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// `__device__`, a static variable of a function, or a string literal: `.global`.
    Device,
    /// `__constant__`: `.const`.
    Constant,
    /// `__shared__` with a size: `.shared`.
    Shared,
    /// `extern __shared__ T name[]`: all such arrays have the same address.
    SharedDynamic,
    /// A texture reference: `.tex` or `.texref`; the type is void.
    Texture,
    /// A surface reference (`sm_20`): `.surfref`; the type is void.
    Surface,
    /// A variable of the host.
    Host,
}

/// Which other files of the program a name reaches (`[basic.link]`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// None: `static`, an anonymous namespace, a local class, or what each file may define.
    Internal,
    /// All; one file defines it.
    External,
    /// All, and each file may have the same definition: inline variables, static members of class
    /// templates.
    Weak,
    /// All, and the files share its memory: a variable of C without initial value.
    Common,
    /// Another file defines it.
    Undefined,
    /// Another file defines it, or the library has it: its body calls that one.
    Library,
}

/// A variable of the program.
#[derive(Clone, Debug)]
pub struct Global {
    /// Name in the source.
    pub name: String,
    /// Name in PTX: the C name at file scope, a mangled name inside functions and namespaces.
    pub symbol: String,
    /// Type of the variable.
    pub ty: TypeId,
    /// Type as C writes it, such as `float [16][17]`.
    pub c_type: String,
    /// Memory.
    pub storage: Storage,
    /// Which other files name it.
    pub linkage: Linkage,
    /// Whether code gives it its value before `main` (host).
    pub is_dynamic: bool,
    /// Alignment in bytes: that of the type or a larger one that the source asks for.
    pub align: u64,
    /// Bytes at the start of the program; all 0 without.
    pub init: Option<Initializer>,
    /// Whether the variable is visible to the host and must be kept although no kernel uses it.
    pub visible: bool,
    /// Whether every access must be kept as it is.
    pub volatile: bool,
    /// What the variable of the host stands for, if it is a texture or surface reference.
    pub reference: Option<Reference>,
    /// Declaration.
    pub span: Span,
}

/// A texture or surface reference as the host has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reference {
    /// A texture; whether its integers are read as normalized numbers.
    Texture(bool),
    /// A surface.
    Surface,
}

/// Bytes of a variable at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Initializer {
    /// As many bytes as the type has.
    pub bytes: Vec<u8>,
    /// Addresses inside `bytes`: offset, variable, and number of bytes to add to its address.
    pub addresses: Vec<(u64, GlobalId, i64)>,
    /// Addresses of functions inside `bytes`: offset and function.
    pub code: Vec<(u64, FunctionId)>,
}

impl Initializer {
    /// Sets a word of 8 bytes.
    pub(crate) fn word(&mut self, at: u64, value: i64) {
        let at = 8 * at as usize;
        self.bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }
}

/// What a function is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionKind {
    /// `__global__`: `.entry`.
    Kernel,
    /// `__device__`: `.func`.
    Device,
    /// A function of the host.
    Host,
}

/// What the source says about inlining.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Inlining {
    /// Nothing.
    Auto,
    /// `__forceinline__`.
    Always,
    /// `__noinline__`.
    Never,
}

/// `__launch_bounds__`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LaunchBounds {
    /// Largest number of threads of a block.
    pub max_threads: u32,
    /// Smallest number of resident blocks for each SM.
    pub min_blocks: Option<u32>,
}

/// A kernel or device function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name in the source with its template arguments, such as `scan<int, 256>`.
    pub name: String,
    /// Name in PTX, mangled as NVIDIA's compiler does.
    pub symbol: String,
    /// Kernel or device function.
    pub kind: FunctionKind,
    /// Which other files name it.
    pub linkage: Linkage,
    /// Type of the result.
    pub result: TypeId,
    /// Parameters in order; each is a local with storage [`LocalKind::Parameter`].
    pub parameters: Vec<LocalId>,
    /// Parameters, variables and temporaries.
    pub locals: Arena<LocalId, Local>,
    /// Number of labels.
    pub labels: u32,
    /// The statements.
    pub body: Vec<Stmt>,
    /// What the source says about inlining.
    pub inlining: Inlining,
    /// `__launch_bounds__`.
    pub launch_bounds: Option<LaunchBounds>,
    /// The attributes that the host can query (OpenCL C).
    pub attributes: String,
    /// `reqd_work_group_size` (OpenCL C).
    pub work_group: Option<[u32; 3]>,
    /// Whether it is part of a header of the compiler.
    pub is_builtin: bool,
    /// The name in its definition.
    pub span: Span,
    /// The use outside of the compiler's headers that first needs it.
    pub origin: Span,
    /// The closing brace: line of the implicit return.
    pub end: Span,
}

/// What a local is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocalKind {
    /// A parameter.
    Parameter,
    /// A variable of the source.
    Variable,
    /// A value that the front end needs; debuggers hide it.
    Temporary,
}

/// A variable of a function.
#[derive(Clone, Debug)]
pub struct Local {
    /// Name in the source; empty for temporaries.
    pub name: String,
    /// Type of the variable.
    pub ty: TypeId,
    /// Type as C writes it, such as `const float *`.
    pub c_type: String,
    /// What it is.
    pub kind: LocalKind,
    /// Alignment in bytes: that of the type or a larger one that the source asks for.
    pub align: u64,
    /// What its handle is for, if it is an image or sampler (OpenCL C).
    pub object: Option<Object>,
    /// Declaration.
    pub span: Span,
}

/// The object that a handle names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    /// An image that is read.
    Texture,
    /// An image that is written.
    Surface,
    /// A sampler.
    Sampler,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What is done.
    pub kind: StmtKind,
    /// Where the source says so.
    pub span: Span,
}

/// `#pragma unroll`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unroll {
    /// No pragma.
    Auto,
    /// `#pragma unroll`: completely, if the number of iterations is known.
    Full,
    /// `#pragma unroll N`: N copies of the body; 1 forbids unrolling.
    Times(u32),
}

/// The operation of a [`Stmt`].
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Evaluates an expression and drops its value.
    Expr(Expr),
    /// The lifetime of a variable starts: its value is `init`, or undefined. Array and structure
    /// initializers are a `Zero` or no value here, followed by assignments to the elements.
    Declare {
        /// The variable.
        local: LocalId,
        /// The value.
        init: Option<Expr>,
    },
    /// Statements in their own scope.
    Block(Vec<Stmt>),
    /// Statements at whose end, however they are left, the objects are destroyed that they have
    /// registered with [`Intrinsic::Defer`] (host).
    Scope(Vec<Stmt>),
    /// `try` (host).
    Try {
        /// The statements.
        body: Vec<Stmt>,
        /// The handlers in order: the type of [`Program::thrown`] that each one takes, or all.
        /// Without handlers, an exception that leaves the statements ends the program.
        handlers: Vec<(Option<u32>, Vec<Stmt>)>,
    },
    /// `if`.
    If {
        /// A `bool`.
        condition: Expr,
        /// Statements if true.
        then: Vec<Stmt>,
        /// Statements if false.
        otherwise: Vec<Stmt>,
    },
    /// `while`.
    While {
        /// A `bool`.
        condition: Expr,
        /// The body.
        body: Vec<Stmt>,
        /// The pragma.
        unroll: Unroll,
    },
    /// `do ... while`.
    DoWhile {
        /// The body.
        body: Vec<Stmt>,
        /// A `bool`.
        condition: Expr,
        /// The pragma.
        unroll: Unroll,
    },
    /// `for`.
    For {
        /// Declarations or an expression before the loop.
        init: Vec<Stmt>,
        /// A `bool`; true when absent.
        condition: Option<Expr>,
        /// Evaluated after each iteration, also after `continue`.
        step: Option<Expr>,
        /// The body.
        body: Vec<Stmt>,
        /// The pragma.
        unroll: Unroll,
    },
    /// `switch`: jumps to the label of the equal case, to `default`, or behind the body. The labels
    /// are [`StmtKind::Label`] anywhere inside `body`.
    Switch {
        /// An integer.
        value: Expr,
        /// Values and labels; the values are different.
        cases: Vec<(i128, LabelId)>,
        /// Label of `default`.
        default: Option<LabelId>,
        /// The body.
        body: Vec<Stmt>,
    },
    /// Leaves the innermost loop or `switch`.
    Break,
    /// Continues the innermost loop.
    Continue,
    /// Jumps to a label of the function.
    Goto(LabelId),
    /// A jump target; occurs once for each label.
    Label(LabelId),
    /// Leaves the function with a value, if its result is not void.
    Return(Option<Expr>),
}
