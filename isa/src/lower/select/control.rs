//! Branches, barriers, fences, ends.

use super::super::code::Row;
use super::super::literal;
use super::super::resolve::{ArgKind, Inst};
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::ptx::forms::{Level, Opcode};
use crate::types::ScalarType;
use crate::uop::Op;
use crate::uop::verify::BARRIERS;

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
            Opcode::BarSync => (Op::BarSync, self.barrier(inst)?),
            Opcode::Membar => match inst.form.level {
                Some(Level::Cta) => (Op::MembarCta, 0),
                Some(Level::Gl) => (Op::MembarGl, 0),
                _ => return Err(self.missing(inst)),
            },
            Opcode::Ret if let Some(own) = self.context.own => {
                self.return_from(own);
                return Ok(());
            }
            // A kernel that returns exits.
            Opcode::Ret | Opcode::Exit => (Op::Exit, 0),
            Opcode::Trap => (Op::Trap, 0),
            _ => return Err(self.missing(inst)),
        };
        self.emit(op, Row::None, &[]).imm = imm;
        Ok(())
    }

    /// The number of a barrier for all threads of the block.
    fn barrier(&mut self, inst: &Inst) -> Selected<u32> {
        let arg = self.operand(inst, 0)?;
        let ArgKind::Literal(value) = arg.kind else {
            return Err(self
                .missing(inst)
                .note("a barrier number in a register needs compute capability 2.0"));
        };
        if inst.operands.len() > 1 {
            return Err(self.missing(inst).note("a barrier for some threads needs compute capability 2.0"));
        }
        let number =
            literal::bits(value, ScalarType::U32).map_err(|p| p.diagnostic(arg.span, ScalarType::U32))?;
        if number.cut || number.bits >= BARRIERS as u64 {
            let message = format!("a block has {BARRIERS} barriers, numbered from 0");
            return Err(Diagnostic::error("E0308", message, arg.span, "no such barrier"));
        }
        Ok(number.bits as u32)
    }
}
