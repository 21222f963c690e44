//! Which micro-ops only write their results.

use crate::for_each_uop;
use crate::sreg::SReg;
use crate::uop::{Inst, MemoryKind, Op};

macro_rules! define_pure {
    (alu { $($ac:ident $shape:ident $af:literal {
        $($a:ident $at:literal $module:ident :: $meaning:ident $($word:ident)* $(=> $bound:ident)?;)*
     })* }
     memory { $($memory:tt)* } machine { $($rest:tt)* }) => {
        /// Whether the micro-op computes its results from its operands and does nothing else. This
        /// holds for all rows of the `alu` table.
        pub fn is_pure(op: Op) -> bool {
            matches!(op, $($(Op::$a)|*)|*)
        }
    };
}
for_each_uop!(define_pure);

/// Whether a micro-op with these properties only writes its results.
pub fn only_writes_results(op: Op, imm: u32, aux: u32) -> bool {
    match op {
        Op::MovSreg => SReg::from_code(imm).is_some_and(|register| !depends_on_time(register)),
        op if is_pure(op) || op.is_fetch() => true,
        Op::Txq | Op::TxqHandle => true,
        op => {
            let loads = op.memory().is_some_and(|memory| memory.kind == MemoryKind::Load);
            loads && aux & Inst::VOLATILE == 0
        }
    }
}

/// Whether a read of a special register must be kept because its value depends on time: clocks and
/// performance counters.
pub fn depends_on_time(register: SReg) -> bool {
    register.is_clock() || matches!(register, SReg::Pm0 | SReg::Pm1 | SReg::Pm2 | SReg::Pm3)
}
