//! Selection of branches, fences and ends.

use super::super::code::OperandRow;
use super::super::resolve::{ArgKind, Inst};
use super::{Selected, Selector};
use crate::ptx::forms::{Level, Opcode};
use crate::types::ScalarType;
use crate::uop::Op;

impl Selector<'_, '_> {
    pub(super) fn control(&mut self, inst: &Inst) -> Selected {
        let (op, imm) = match inst.form.opcode {
            Opcode::Bra => {
                let arg = self.operand(inst, 0)?;
                let ArgKind::Label(label) = arg.kind else {
                    return Err(self.wrong_operand(inst, arg.span, "a label"));
                };
                (Op::Bra, label)
            }
            Opcode::Membar => match inst.form.level {
                Some(Level::Cta) => (Op::MembarCta, 0),
                // Accesses of the host see what the point of order has accepted, as all blocks do.
                Some(Level::Gl | Level::Sys) => (Op::MembarGl, 0),
                None => return Err(self.missing(inst)),
            },
            Opcode::Ret if let Some(own) = self.context.own => {
                self.return_from(own);
                return Ok(());
            }
            // `ret` in a kernel is an exit.
            Opcode::Ret | Opcode::Exit => (Op::Exit, 0),
            Opcode::Trap => (Op::Trap, 0),
            Opcode::Brkpt => (Op::Brkpt, 0),
            Opcode::Pmevent => (Op::Pmevent, 0),
            // The mask has no effect: the lanes of a warp execute in lockstep.
            Opcode::BarWarp => {
                self.read(inst, self.operand(inst, 0)?, ScalarType::B32)?;
                (Op::BarWarpSync, 0)
            }
            _ => return Err(self.missing(inst)),
        };
        self.emit(op, OperandRow::None, &[]).imm = imm;
        Ok(())
    }
}
