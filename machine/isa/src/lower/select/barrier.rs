//! Barriers. A barrier with a literal number for the whole block has the number in `imm`; other
//! barriers have number and thread count in rows.

use super::super::code::OperandRow;
use super::super::literal;
use super::super::resolve::{Arg, ArgKind, Inst};
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::ptx::forms::{Combine, Opcode};
use crate::types::ScalarType;
use crate::uop::verify::BARRIERS;
use crate::uop::{ConstValue, Op};

impl Selector<'_, '_> {
    pub(super) fn barrier(&mut self, inst: &Inst) -> Selected {
        // `bar.red` has a result before the barrier's number, and a predicate as the last operand.
        let (red, last) = (inst.form.opcode == Opcode::BarRed, inst.operands.len());
        let (first, end) = if red { (1, last.saturating_sub(1)) } else { (0, last) };
        let number = self.operand(inst, first)?;
        if let (false, ArgKind::Literal(_)) = (red || end > first + 1, &number.kind) {
            let imm = number_of(number)?;
            self.emit(Op::BarSync, OperandRow::None, &[]).imm = imm;
            return Ok(());
        }
        if let ArgKind::Literal(_) = number.kind {
            number_of(number)?;
        }
        let mut sources = vec![self.read(inst, number, ScalarType::U32)?];
        sources.push(if end > first + 1 {
            let threads = self.operand(inst, first + 1)?;
            self.read(inst, threads, ScalarType::U32)?
        } else {
            self.code.constant(super::super::code::File::W, ConstValue::Bits(0))
        });
        if !red {
            let op = if inst.form.opcode == Opcode::BarArrive { Op::BarArrive } else { Op::BarSyncN };
            self.emit(op, OperandRow::None, &sources);
            return Ok(());
        }
        let (op, ty) = match inst.form.combine {
            Some(Combine::And) => (Op::BarRedAnd, ScalarType::Pred),
            Some(Combine::Or) => (Op::BarRedOr, ScalarType::Pred),
            _ => (Op::BarRedPopc, ScalarType::U32),
        };
        let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
        sources.push(self.read(inst, self.operand(inst, end)?, ScalarType::Pred)?);
        self.emit(op, dst, &sources);
        Ok(())
    }
}

/// Returns the number of a barrier that is written as a literal.
fn number_of(arg: &Arg) -> Selected<u32> {
    let ArgKind::Literal(value) = arg.kind else { unreachable!("called for numbers only") };
    let number =
        literal::bits(value, ScalarType::U32).map_err(|p| p.diagnostic(arg.span, ScalarType::U32))?;
    if number.cut || number.bits >= u64::from(BARRIERS) {
        let message = format!("barrier number {} is out of range", number.bits);
        return Err(
            Diagnostic::error("E0308", arg.span, message).label(format!("expected 0 to {}", BARRIERS - 1))
        );
    }
    Ok(number.bits as u32)
}
