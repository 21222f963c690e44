//! Counts, bit fields, byte permutations and funnel shifts: one micro-op each.

use super::super::resolve::Inst;
use super::{Selected, Selector};
use crate::ptx::forms::{Opcode, Permute};
use crate::types::{ScalarType, TypeKind};
use crate::uop::Op;

impl Selector<'_, '_> {
    /// `popc`, `clz`, `brev`, `bfind`: one operand. All but `brev` give 32 bits of any operand.
    pub(super) fn counted(&mut self, inst: &Inst) -> Selected {
        let ty = self.ty(inst)?;
        let signed = ty.kind() == TypeKind::Signed;
        let pick = |word, double| if ty.bytes() == 8 { double } else { word };
        let (op, result) = match (inst.form.opcode, signed, inst.form.shiftamt) {
            (Opcode::Popc, ..) => (pick(Op::PopcB32, Op::PopcB64), ScalarType::U32),
            (Opcode::Clz, ..) => (pick(Op::ClzB32, Op::ClzB64), ScalarType::U32),
            (Opcode::Brev, ..) => (pick(Op::BrevB32, Op::BrevB64), ty),
            (_, false, false) => (pick(Op::BfindU32, Op::BfindU64), ScalarType::U32),
            (_, true, false) => (pick(Op::BfindS32, Op::BfindS64), ScalarType::U32),
            (_, false, true) => (pick(Op::BfindShiftU32, Op::BfindShiftU64), ScalarType::U32),
            (_, true, true) => (pick(Op::BfindShiftS32, Op::BfindShiftS64), ScalarType::U32),
        };
        let sources = self.sources(inst, ty, 1)?;
        self.write(inst, result, op, &sources)
    }

    /// `bfe`, `bfi`, `prmt`, `shf`: values first, then 32-bit words that say how.
    pub(super) fn field(&mut self, inst: &Inst) -> Selected {
        let (form, ty) = (&inst.form, self.ty(inst)?);
        let (op, values) = match form.opcode {
            Opcode::Bfe => match ty {
                ScalarType::U32 => (Op::BfeU32, 1),
                ScalarType::S32 => (Op::BfeS32, 1),
                ScalarType::U64 => (Op::BfeU64, 1),
                _ => (Op::BfeS64, 1),
            },
            Opcode::Bfi => (if ty.bytes() == 8 { Op::BfiB64 } else { Op::BfiB32 }, 2),
            Opcode::Prmt => {
                let op = match form.permute {
                    None => Op::PrmtB32,
                    Some(Permute::F4e) => Op::PrmtF4e,
                    Some(Permute::B4e) => Op::PrmtB4e,
                    Some(Permute::Rc8) => Op::PrmtRc8,
                    Some(Permute::Ecl) => Op::PrmtEcl,
                    Some(Permute::Ecr) => Op::PrmtEcr,
                    Some(Permute::Rc16) => Op::PrmtRc16,
                };
                (op, 2)
            }
            _ => {
                let op = match (form.left, form.clamp) {
                    (true, false) => Op::ShfLWrap,
                    (true, true) => Op::ShfLClamp,
                    (false, false) => Op::ShfRWrap,
                    (false, true) => Op::ShfRClamp,
                };
                (op, 2)
            }
        };
        let mut sources = self.sources(inst, ty, values)?;
        for i in values + 1..=op.shape().srcs().len() {
            sources.push(self.read(inst, self.operand(inst, i)?, ScalarType::U32)?);
        }
        self.write(inst, ty, op, &sources)
    }
}
