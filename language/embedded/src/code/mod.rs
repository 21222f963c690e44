//! The portable code of host functions: instructions on registers of 64 bits.
//!
//! A register holds an integer extended to 64 bits by its type, the bits of a `float` or `double`,
//! or an address. Operands are numbers of registers of the function. The arguments of a call are
//! the first registers of the called function, and its result is the first of them.

#![expect(clippy::inline_always, reason = "every instruction is one arm of the interpreter's loop")]

pub(crate) mod operations;

use crate::exceptions::Keep;
use crate::memory::FIRST;
use cuda::source::Span;
use operations::{int, operations};
use std::sync::Arc;

/// First address of functions, below all memory of the host.
pub const FUNCTIONS: u64 = FIRST / 2;
/// First address that stands for a kernel.
pub const KERNELS: u64 = FIRST / 2 + FIRST / 4;

/// The address of variable `number` of the program: variables get the first blocks of memory.
pub fn global_address(number: u32) -> u64 {
    (u64::from(number) + 1) * FIRST
}

/// Number of a register of a function.
pub type Reg = u16;

/// Defines the instructions that compute a value of two registers, one variant each, so that one
/// `match` selects an instruction and its operation.
macro_rules! instructions {
    (binary { $($name:ident |$a:ident, $b:ident| $value:expr;)* } $($more:tt)*) => {
        /// An instruction.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub enum Instr {
            $(
                #[doc = concat!("`", stringify!($value), "`")]
                $name {
                    /// Result.
                    to: Reg,
                    /// First operand.
                    a: Reg,
                    /// Second operand.
                    b: Reg,
                },
            )*
            /// A constant.
            Const {
                /// Result.
                to: Reg,
                /// Its bits.
                value: u64,
            },
            /// Copies a register.
            Move {
                /// Result.
                to: Reg,
                /// Operand.
                from: Reg,
            },
            /// A register plus a constant, as `int`.
            AddImm32 {
                /// Result.
                to: Reg,
                /// Operand.
                a: Reg,
                /// The constant.
                value: i32,
            },
            /// A register plus a constant.
            AddImm64 {
                /// Result.
                to: Reg,
                /// Operand.
                a: Reg,
                /// The constant.
                value: i32,
            },
            /// `base + index * scale`: an address.
            Scaled {
                /// Result.
                to: Reg,
                /// An address.
                base: Reg,
                /// Number of elements.
                index: Reg,
                /// Bytes of an element.
                scale: u32,
            },
            /// A conversion, or an operation with one operand.
            Unary {
                /// What is computed.
                op: Unary,
                /// Result.
                to: Reg,
                /// Operand.
                a: Reg,
            },
            /// A division of integers, which fails if the divisor is zero.
            Divide {
                /// Which division.
                op: Divide,
                /// Result.
                to: Reg,
                /// Dividend.
                a: Reg,
                /// Divisor.
                b: Reg,
            },
            /// Loads from memory.
            Load {
                /// What is loaded.
                access: Access,
                /// Result.
                to: Reg,
                /// An address.
                base: Reg,
                /// Bytes added to the address.
                offset: i32,
            },
            /// Stores to memory.
            Store {
                /// What is stored.
                access: Access,
                /// The value.
                from: Reg,
                /// An address.
                base: Reg,
                /// Bytes added to the address.
                offset: i32,
            },
            /// Loads an element of an array.
            LoadAt {
                /// What is loaded.
                access: Access,
                /// Result.
                to: Reg,
                /// An address.
                base: Reg,
                /// Number of elements.
                index: Reg,
                /// Bytes of an element.
                scale: u16,
                /// Bytes added to the address.
                offset: i32,
            },
            /// Stores an element of an array.
            StoreAt {
                /// What is stored.
                access: Access,
                /// The value.
                from: Reg,
                /// An address.
                base: Reg,
                /// Number of elements.
                index: Reg,
                /// Bytes of an element.
                scale: u16,
                /// Bytes added to the address.
                offset: i32,
            },
            /// Stores some bits of an integer in memory.
            StoreBits {
                /// The bits.
                from: Reg,
                /// An address.
                base: Reg,
                /// Bytes added to the address.
                offset: i32,
                /// Bytes of the integer.
                bytes: u8,
                /// The lowest bit.
                low: u8,
                /// Number of bits.
                width: u8,
            },
            /// Copies an object.
            Copy {
                /// Its new address.
                to: Reg,
                /// Its address.
                from: Reg,
                /// Its bytes.
                size: u32,
            },
            /// Sets the bytes of an object to 0.
            Zero {
                /// Its address.
                to: Reg,
                /// Its bytes.
                size: u32,
            },
            /// Memory of a variable until the function returns.
            Variable {
                /// Its address.
                to: Reg,
                /// Number of the variable in [`Function::variables`].
                variable: u32,
            },
            /// Continues elsewhere.
            Jump {
                /// Number of the instruction.
                target: u32,
            },
            /// Continues elsewhere if a `bool` has a value.
            JumpIf {
                /// The `bool`.
                a: Reg,
                /// The value.
                value: bool,
                /// Number of the instruction.
                target: u32,
            },
            /// Continues elsewhere if a comparison of two integers has a value.
            JumpCompare {
                /// The comparison.
                compare: Compare,
                /// First operand.
                a: Reg,
                /// Second operand.
                b: Reg,
                /// The value.
                value: bool,
                /// Number of the instruction.
                target: u32,
            },
            /// Continues elsewhere if a comparison of an integer with a constant has a value.
            JumpCompareImm {
                /// The comparison.
                compare: Compare,
                /// First operand.
                a: Reg,
                /// Second operand.
                b: i32,
                /// The value.
                value: bool,
                /// Number of the instruction.
                target: u32,
            },
            /// Calls a function.
            Call {
                /// Number of the function.
                function: u32,
                /// Register of the first argument, and of the result.
                base: Reg,
                /// Number of arguments, the address of the result included.
                count: u16,
            },
            /// Calls a function by its address.
            CallIndirect {
                /// The address.
                address: Reg,
                /// Register of the first argument, and of the result.
                base: Reg,
                /// Number of arguments, the address of the result included.
                count: u16,
            },
            /// An operation on an exception that pointers keep.
            Keep {
                /// The operation.
                op: Keep,
                /// Address of the object of the exception.
                object: Reg,
                /// First free register, and that of the result.
                base: Reg,
            },
            /// Calls a function of the library.
            Library {
                /// Number of the function in [`Program::library`].
                function: u32,
                /// Register of the first argument, and of the result.
                base: Reg,
                /// Number of arguments.
                count: u16,
            },
            /// Launches a kernel.
            Launch {
                /// Number of the launch in [`Program::launches`].
                launch: u32,
                /// Registers of the kernel's address, grid x, y, z, block x, y, z, bytes of shared
                /// memory, stream, arguments.
                base: Reg,
            },
            /// The number of objects that are registered for destruction.
            Mark {
                /// Result.
                to: Reg,
            },
            /// Registers an object for destruction.
            Defer {
                /// Its address.
                object: Reg,
                /// Address of the destructor.
                destructor: Reg,
                /// When it ends.
                end: End,
            },
            /// An object that was registered is not destroyed.
            Forget {
                /// Its address.
                object: Reg,
            },
            /// Destroys the objects that were registered since a mark, the last one first, and ends
            /// handlers of exceptions.
            Unwind {
                /// The mark.
                mark: Reg,
                /// First free register.
                base: Reg,
            },
            /// Exceptions continue at handlers, until the next `Unwind`.
            Try {
                /// Number of the types in [`Program::handlers`].
                handlers: u32,
                /// Number of the instruction.
                target: u32,
            },
            /// Begins an exception, which the next instruction propagates.
            Throw {
                /// Address of the object.
                object: Reg,
                /// Address of its destructor, or 0.
                destructor: Reg,
                /// Address of the function that ends the program if no handler takes it, or 0.
                uncaught: Reg,
                /// Number of its type in [`Program::thrown`].
                ty: u32,
            },
            /// Begins the exception again that is handled.
            Rethrow,
            /// Destroys objects up to the handler of the exception, and continues there.
            Propagate {
                /// First free register.
                base: Reg,
            },
            /// Whether the handled exception has a type.
            Catches {
                /// Result.
                to: Reg,
                /// Number of the type.
                ty: u32,
            },
            /// The address of the part with a type of the object of the handled exception.
            Caught {
                /// Result.
                to: Reg,
                /// Number of the type.
                ty: u32,
            },
            /// Leaves the function; its result is in register 0.
            Return,
            /// The end of a function that must return a value.
            NoResult,
        }

        impl Instr {
            /// The registers of an instruction of two operands.
            fn binary_mut(&mut self) -> Option<[&mut Reg; 3]> {
                match self {
                    $(Self::$name { to, a, b } => Some([to, a, b]),)*
                    _ => None,
                }
            }

            /// The parts of an instruction of two operands: its name, result and operands.
            pub fn binary(self) -> Option<(Binary, Reg, Reg, Reg)> {
                match self {
                    $(Self::$name { to, a, b } => Some((Binary::$name, to, a, b)),)*
                    _ => None,
                }
            }
        }

        /// Name of an instruction of two operands.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "the instructions of these names are documented")]
        pub enum Binary { $($name),* }

        impl Binary {
            /// The instruction with its operands.
            pub fn with(self, to: Reg, a: Reg, b: Reg) -> Instr {
                match self {
                    $(Self::$name => Instr::$name { to, a, b }),*
                }
            }
        }
    };
}

impl Instr {
    /// Gives the registers that an instruction reads and that could be others: not the arguments of
    /// calls, which have their places.
    pub fn operands_mut(&mut self, mut give: impl FnMut(&mut Reg)) {
        match self {
            Self::Move { from: a, .. }
            | Self::AddImm32 { a, .. }
            | Self::AddImm64 { a, .. }
            | Self::Unary { a, .. }
            | Self::Load { base: a, .. }
            | Self::Zero { to: a, .. }
            | Self::JumpIf { a, .. }
            | Self::JumpCompareImm { a, .. }
            | Self::CallIndirect { address: a, .. }
            | Self::Keep { object: a, .. }
            | Self::Forget { object: a }
            | Self::Unwind { mark: a, .. } => give(a),
            Self::Scaled { base: a, index: b, .. }
            | Self::Divide { a, b, .. }
            | Self::LoadAt { base: a, index: b, .. }
            | Self::Store { from: a, base: b, .. }
            | Self::StoreBits { from: a, base: b, .. }
            | Self::Copy { to: a, from: b, .. }
            | Self::JumpCompare { a, b, .. }
            | Self::Defer { object: a, destructor: b, .. } => [a, b].into_iter().for_each(give),
            Self::StoreAt { from: a, base: b, index: c, .. }
            | Self::Throw { object: a, destructor: b, uncaught: c, .. } => {
                [a, b, c].into_iter().for_each(give);
            }
            _ => {
                if let Some([_, a, b]) = self.binary_mut() {
                    [a, b].into_iter().for_each(give);
                }
            }
        }
    }

    /// The register that an instruction writes, if it could be another one.
    pub fn result_mut(&mut self) -> Option<&mut Reg> {
        match self {
            Self::Const { to, .. }
            | Self::Move { to, .. }
            | Self::AddImm32 { to, .. }
            | Self::AddImm64 { to, .. }
            | Self::Scaled { to, .. }
            | Self::Unary { to, .. }
            | Self::Divide { to, .. }
            | Self::Load { to, .. }
            | Self::LoadAt { to, .. }
            | Self::Variable { to, .. }
            | Self::Mark { to }
            | Self::Catches { to, .. }
            | Self::Caught { to, .. } => Some(to),
            _ => self.binary_mut().map(|[to, ..]| to),
        }
    }

    /// The number of the instruction that is executed next, or in the case of an exception.
    pub fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Self::Jump { target }
            | Self::Try { target, .. }
            | Self::JumpIf { target, .. }
            | Self::JumpCompare { target, .. }
            | Self::JumpCompareImm { target, .. } => Some(target),
            _ => None,
        }
    }

    /// Whether an instruction has no effect but its result. Loads and divisions may fail.
    pub fn is_pure(&self) -> bool {
        matches!(
            self,
            Self::Const { .. }
                | Self::Move { .. }
                | Self::AddImm32 { .. }
                | Self::AddImm64 { .. }
                | Self::Scaled { .. }
                | Self::Unary { .. }
        ) || self.binary().is_some()
    }
}

operations!(instructions);

macro_rules! unary_operations {
    (binary { $($binary:tt)* } unary { $($name:ident |$a:ident| $value:expr;)* } $($more:tt)*) => {
        /// Operations with one operand. Conversions to integers do what x86-64 does with values out
        /// of range.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "each variant is the operation of its name")]
        pub enum Unary { $($name),* }
    };
}

operations!(unary_operations);

/// Divisions of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each variant is the operation of its name")]
pub enum Divide {
    DivI32,
    DivU32,
    DivI64,
    DivU64,
    RemI32,
    RemU32,
    RemI64,
    RemU64,
}

impl Divide {
    /// The result; `None` if the divisor is zero, or the quotient does not fit.
    #[inline(always)]
    pub fn compute(self, a: u64, b: u64) -> Option<u64> {
        Some(match self {
            Self::DivI32 => int((a as i32).checked_div(b as i32)?),
            Self::RemI32 => int((a as i32).checked_rem(b as i32)?),
            Self::DivU32 | Self::DivU64 => a.checked_div(b)?,
            Self::RemU32 | Self::RemU64 => a.checked_rem(b)?,
            Self::DivI64 => (a as i64).checked_div(b as i64)? as u64,
            Self::RemI64 => (a as i64).checked_rem(b as i64)? as u64,
        })
    }
}

/// Values in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each variant is the type of its name")]
pub enum Access {
    I8,
    U8,
    I16,
    U16,
    I32,
    /// Also `float`.
    U32,
    /// Also `double` and pointers.
    W64,
}

/// When a registered object ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// With its scope.
    Scope,
    /// If an exception leaves its scope.
    Failure,
    /// With the program.
    Exit,
}

macro_rules! comparisons {
    (binary { $($binary:tt)* } unary { $($unary:tt)* } load { $($load:tt)* } store { $($store:tt)* }
     compare { $($name:ident $jump:ident $imm:ident $step:ident $step_imm:ident |$a:ident, $b:ident| $value:expr;)* }) => {
        /// Comparisons of integers.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "each variant is the comparison of its name")]
        pub enum Compare { $($name),* }
    };
}

operations!(comparisons);

/// A variable in memory.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Name in the source.
    pub name: Arc<str>,
    /// Bytes.
    pub size: u64,
    /// Declaration.
    pub span: Span,
}

/// A host function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name in the source.
    pub name: String,
    /// The name in its definition.
    pub span: Span,
    /// Whether it is part of a header of the compiler.
    pub is_builtin: bool,
    /// The instructions; never empty.
    pub code: Vec<Instr>,
    /// Place of each instruction in the source.
    pub spans: Vec<Span>,
    /// Place of the first instruction that was removed in front of each, or its own; none for
    /// functions of headers.
    pub firsts: Vec<Span>,
    /// Number of registers.
    pub registers: u16,
    /// Variables in memory.
    pub variables: Vec<Variable>,
    /// Parameters and variables of the source, for debuggers; none for functions of headers.
    pub locals: Vec<Local>,
}

/// Where the value of a parameter or variable of a function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// In a register.
    Register(Reg),
    /// In memory, whose address is in a register.
    Memory(Reg),
    /// In the memory of a variable of this number, which it gets when it is first used.
    Late(u32),
}

/// A parameter or variable of the source.
#[derive(Clone, Debug)]
pub struct Local {
    /// Name.
    pub name: String,
    /// Number of its type.
    pub ty: u32,
    /// Type as C writes it.
    pub c_type: String,
    /// Where its value is.
    pub home: Home,
    /// Declaration.
    pub span: Span,
    /// End of the scope, in the address space of all files.
    pub end: u32,
}

/// A parameter of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// Whether the register has the address of the value.
    pub by_address: bool,
}

/// A launch in the code.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
}

/// A variable of the program.
#[derive(Clone, Debug)]
pub struct Global {
    /// Name in the source.
    pub name: Arc<str>,
    /// Name in PTX, if the device has the variable and this is its shadow.
    pub device: Option<String>,
    /// The texture or surface that the variable stands for.
    pub reference: Option<cuda::hir::Reference>,
    /// Number of bytes.
    pub size: u64,
    /// The first bytes at the start; the others are 0.
    pub bytes: Vec<u8>,
    /// Addresses inside `bytes`: offset, variable, and number of bytes to add to its address.
    pub addresses: Vec<(u64, u32, i64)>,
    /// Declaration.
    pub span: Span,
}

/// The host half of a program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Variables.
    pub globals: Vec<Global>,
    /// Functions.
    pub functions: Vec<Function>,
    /// The function that initializes variables before `main`.
    pub start: Option<u32>,
    /// Types of exceptions.
    pub thrown: Vec<cuda::hir::Thrown>,
    /// Types that the handlers of a `try` take; `None` takes all.
    pub handlers: Vec<Vec<Option<u32>>>,
    /// Number of `main`, and of its parameters.
    pub main: (u32, usize),
    /// Functions of the library by name.
    pub library: Vec<String>,
    /// Names of kernels in PTX.
    pub kernels: Vec<String>,
    /// Launches.
    pub launches: Vec<Launch>,
}
