//! What the interpreter executes: the instructions with one name for each operation, type and
//! comparison, so that one jump selects the work, and common pairs of instructions.
//!
//! Each instruction has its operation at its number. A pair stands at its first instruction and
//! continues behind the second, whose own operation stays for jumps to it.

use crate::code::operations::operations;
use crate::code::{Access, Compare, Divide, Instr, Reg};

macro_rules! define {
    (binary { $($binary:ident |$x:ident, $y:ident| $two:expr;)* }
     unary { $($unary:ident |$z:ident| $one:expr;)* }
     load { $($read:ident $load:ident $load_at:ident |$bytes:ident| $loaded:expr;)* }
     store { $(($access:pat) $store:ident $store_at:ident $int:ident;)* }
     compare { $($compare:ident $jump:ident $imm:ident $step:ident $step_imm:ident
        |$p:ident, $q:ident| $holds:expr;)* }
    ) => {
        /// An operation.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub enum Op {
            $($binary { to: Reg, a: Reg, b: Reg },)*
            $($unary { to: Reg, a: Reg },)*
            $($load { to: Reg, base: Reg, offset: i32 },)*
            $($load_at { to: Reg, base: Reg, index: Reg, scale: u16, offset: i32 },)*
            $($store { from: Reg, base: Reg, offset: i32 },)*
            $($store_at { from: Reg, base: Reg, index: Reg, scale: u16, offset: i32 },)*
            $($jump { a: Reg, b: Reg, value: bool, target: u32 },)*
            $($imm { a: Reg, b: i32, value: bool, target: u32 },)*
            /// `AddImm32` of a register to itself, and a jump if the comparison is true.
            $($step { a: Reg, b: Reg, value: i8, target: u32 },)*
            $($step_imm { a: Reg, b: i32, value: i8, target: u32 },)*
            Const { to: Reg, value: u64 },
            Move { to: Reg, from: Reg },
            AddImm32 { to: Reg, a: Reg, value: i32 },
            AddImm64 { to: Reg, a: Reg, value: i32 },
            Scaled { to: Reg, base: Reg, index: Reg, scale: u32 },
            Jump { target: u32 },
            JumpIf { a: Reg, value: bool, target: u32 },
            /// A product, and its sum with another operand.
            MulAddI32 { product: Reg, a: Reg, b: Reg, to: Reg, c: Reg },
            MulAddF32 { product: Reg, a: Reg, b: Reg, to: Reg, c: Reg },
            MulAddF64 { product: Reg, a: Reg, b: Reg, to: Reg, c: Reg },
            /// The operand in front of the product: of two NaNs the first is the result.
            AddMulF32 { product: Reg, a: Reg, b: Reg, to: Reg, c: Reg },
            AddMulF64 { product: Reg, a: Reg, b: Reg, to: Reg, c: Reg },
            Divide { op: Divide, to: Reg, a: Reg, b: Reg },
            Variable { to: Reg, variable: u32 },
            Call { function: u32, base: Reg },
            Library { function: u32, base: Reg, count: u16 },
            Return,
            /// The others are executed as instructions.
            Other,
        }

        impl Op {
            /// The operation of an instruction.
            pub fn new(instr: Instr) -> Self {
                match instr {
                    $(Instr::$binary { to, a, b } => Self::$binary { to, a, b },)*
                    Instr::Unary { op, to, a } => match op {
                        $(crate::code::Unary::$unary => Self::$unary { to, a },)*
                    },
                    Instr::Load { access, to, base, offset } => match access {
                        $(Access::$read => Self::$load { to, base, offset },)*
                    },
                    Instr::LoadAt { access, to, base, index, scale, offset } => match access {
                        $(Access::$read => Self::$load_at { to, base, index, scale, offset },)*
                    },
                    Instr::Store { access, from, base, offset } => match access {
                        $($access => Self::$store { from, base, offset },)*
                    },
                    Instr::StoreAt { access, from, base, index, scale, offset } => match access {
                        $($access => Self::$store_at { from, base, index, scale, offset },)*
                    },
                    Instr::JumpCompare { compare, a, b, value, target } => match compare {
                        $(Compare::$compare => Self::$jump { a, b, value, target },)*
                    },
                    Instr::JumpCompareImm { compare, a, b, value, target } => match compare {
                        $(Compare::$compare => Self::$imm { a, b, value, target },)*
                    },
                    Instr::Const { to, value } => Self::Const { to, value },
                    Instr::Move { to, from } => Self::Move { to, from },
                    Instr::AddImm32 { to, a, value } => Self::AddImm32 { to, a, value },
                    Instr::AddImm64 { to, a, value } => Self::AddImm64 { to, a, value },
                    Instr::Scaled { to, base, index, scale } => Self::Scaled { to, base, index, scale },
                    Instr::Jump { target } => Self::Jump { target },
                    Instr::JumpIf { a, value, target } => Self::JumpIf { a, value, target },
                    Instr::Divide { op, to, a, b } => Self::Divide { op, to, a, b },
                    Instr::Variable { to, variable } => Self::Variable { to, variable },
                    Instr::Call { function, base, .. } => Self::Call { function, base },
                    Instr::Library { function, base, count } => Self::Library { function, base, count },
                    Instr::Return => Self::Return,
                    Instr::StoreBits { .. }
                    | Instr::Copy { .. }
                    | Instr::Zero { .. }
                    | Instr::CallIndirect { .. }
                    | Instr::Keep { .. }
                    | Instr::Launch { .. }
                    | Instr::Mark { .. }
                    | Instr::Defer { .. }
                    | Instr::Forget { .. }
                    | Instr::Unwind { .. }
                    | Instr::Try { .. }
                    | Instr::Throw { .. }
                    | Instr::Rethrow
                    | Instr::Propagate { .. }
                    | Instr::Catches { .. }
                    | Instr::Caught { .. }
                    | Instr::NoResult => Self::Other,
                }
            }

            /// Two instructions as one operation, if there is one.
            fn pair(first: Instr, second: Instr) -> Option<Self> {
                match (first, second) {
                    (
                        Instr::AddImm32 { to, a, value },
                        Instr::JumpCompare { compare, a: left, b, value: true, target },
                    ) if to == a && left == a && b != a => {
                        let value = i8::try_from(value).ok()?;
                        Some(match compare {
                            $(Compare::$compare => Self::$step { a, b, value, target },)*
                        })
                    }
                    (
                        Instr::AddImm32 { to, a, value },
                        Instr::JumpCompareImm { compare, a: left, b, value: true, target },
                    ) if to == a && left == a => {
                        let value = i8::try_from(value).ok()?;
                        Some(match compare {
                            $(Compare::$compare => Self::$step_imm { a, b, value, target },)*
                        })
                    }
                    (Instr::MulI32 { to: product, a, b }, Instr::AddI32 { to, a: x, b: y }) => {
                        let c = other(product, x, y)?;
                        Some(Self::MulAddI32 { product, a, b, to, c })
                    }
                    (Instr::MulF32 { to: product, a, b }, Instr::AddF32 { to, a: x, b: y }) => {
                        let c = other(product, x, y)?;
                        Some(if c == y {
                            Self::MulAddF32 { product, a, b, to, c }
                        } else {
                            Self::AddMulF32 { product, a, b, to, c }
                        })
                    }
                    (Instr::MulF64 { to: product, a, b }, Instr::AddF64 { to, a: x, b: y }) => {
                        let c = other(product, x, y)?;
                        Some(if c == y {
                            Self::MulAddF64 { product, a, b, to, c }
                        } else {
                            Self::AddMulF64 { product, a, b, to, c }
                        })
                    }
                    _ => None,
                }
            }
        }
    };
}

operations!(define);

/// The operand of a sum beside a product.
fn other(product: Reg, x: Reg, y: Reg) -> Option<Reg> {
    match (x == product, y == product) {
        (true, false) => Some(y),
        (false, true) => Some(x),
        _ => None,
    }
}

/// The operations of some code.
pub fn operations(code: &[Instr]) -> Vec<Op> {
    let pair = |at: usize| Op::pair(code[at], *code.get(at + 1)?);
    (0..code.len()).map(|at| pair(at).unwrap_or_else(|| Op::new(code[at]))).collect()
}
