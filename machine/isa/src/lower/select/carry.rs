//! Carry chains: sums that write the condition code, and sums that read it.
//!
//! The condition code is a separate predicate, allocated at the first instruction that uses it. PTX
//! has no name for it, so no other instruction can read or write it. Inactive lanes keep their
//! value. A thread that reads it before any write reads 0. It is the carry of the last sum, and a
//! subtraction is a sum: `a - b` is `a + !b + 1`, so afterwards it is 1 if there is no borrow, and
//! `subc` subtracts 1 less if it is 1. Silicon does this; the PTX ISA says that it holds the
//! borrow.

use super::super::code::{File, OperandRow};
use super::super::resolve::Inst;
use super::{Selected, Selector};
use crate::ptx::forms::{Opcode, Part};
use crate::types::{ScalarType, TypeKind};
use crate::uop::Op;

impl Selector<'_, '_> {
    /// `add.cc`, `addc{.cc}`, `sub.cc`, `subc{.cc}`, `mad.cc`, `madc{.cc}`.
    pub(super) fn carry(&mut self, inst: &Inst) -> Selected {
        let (form, ty) = (&inst.form, self.ty(inst)?);
        if ty.bytes() != 4 {
            return self.carry_in(inst, ty);
        }
        let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
        let mut sources = if matches!(form.opcode, Opcode::Mad | Opcode::Madc) {
            let sources = self.sources(inst, ty, 3)?;
            let op = match (form.part, ty.kind()) {
                (Some(Part::Lo), _) => Op::MulLoB32,
                (_, TypeKind::Signed) => Op::MulHiS32,
                _ => Op::MulHiU32,
            };
            vec![self.temp(op, &sources[..2]), sources[2]]
        } else {
            self.sources(inst, ty, 2)?
        };
        let reads = matches!(form.opcode, Opcode::Addc | Opcode::Subc | Opcode::Madc);
        let subtracts = matches!(form.opcode, Opcode::Sub | Opcode::Subc);
        let op = match (subtracts, reads, form.cc) {
            (false, false, _) => Op::AddCcB32,
            (false, true, false) => Op::AddcB32,
            (false, true, true) => Op::AddcCcB32,
            (true, false, _) => Op::SubCcB32,
            (true, true, false) => Op::SubcB32,
            (true, true, true) => Op::SubcCcB32,
        };
        let condition = self.condition();
        sources.extend(reads.then_some(condition));
        let sum = self.emit(op, dst, &sources);
        if form.cc {
            sum.dst2 = condition;
        }
        Ok(())
    }

    /// `addc` and `subc` of 16 or 64 bits, which only NVIDIA's assembler accepts: they read the
    /// condition code, which instructions of 32 bits write.
    fn carry_in(&mut self, inst: &Inst, ty: ScalarType) -> Selected {
        let mut sources = self.sources(inst, ty, 2)?;
        let condition = self.condition();
        let subtracts = inst.form.opcode == Opcode::Subc;
        if ty.bytes() < 4 {
            sources.push(condition);
            let op = if subtracts { Op::SubcB32 } else { Op::AddcB32 };
            return self.write(inst, ty, op, &sources);
        }
        if subtracts {
            sources[1] = self.temp(Op::NotB64, &[sources[1]]);
        }
        let [one, zero] = [1, 0].map(|bits| self.bits(File::D, bits));
        let carry = self.temp(Op::SelpB64, &[one, zero, condition]);
        let sum = self.temp(Op::AddB64, &sources);
        self.write(inst, ty, Op::AddB64, &[sum, carry])
    }

    /// Returns the predicate of the condition code.
    fn condition(&mut self) -> OperandRow {
        let condition = self.condition.unwrap_or_else(|| self.code.register(File::P));
        self.condition = Some(condition);
        condition
    }
}
