//! The intermediate form between the typed program and PTX: functions of basic blocks in static
//! single assignment form.
//!
//! Every instruction is a [`Value`]; it is defined once and dominates its uses. Blocks have
//! parameters instead of phi functions, and jumps pass the arguments. Pointers are integers of the
//! target's width; the state space is a property of each access ([`Space`]). Integers have 32 or 64
//! bits: the narrow types of C are extended when they are loaded or converted.

pub mod cfg;
mod compact;
pub mod device;
pub mod func;
pub mod intrin;
pub mod loops;
pub mod null;
pub mod op;
#[cfg(test)]
mod tests;
pub mod text;
pub mod types;
pub mod verify;

pub use cfg::Cfg;
pub use device::{Asm, AsmKind, Atomic, Fence, Object, Query, Shuffle, Special, Surface, Tex, Vote};
pub use func::{
    Assigned, Assignments, Block, BlockData, FuncId, Function, Jump, KernelParam, Loc, Local, Member, Module,
    Replacements, Slot, SymId, Symbol, Terminator, Unroll, Value, ValueData, Variable,
};
pub use intrin::{Intrin, Lowering, Time};
pub use loops::{Loop, Loops};
pub use op::{Binary, Convert, Op, Rounding, Ternary, Unary};
pub use types::{Cmp, Mem, Num, Space, Ty};
