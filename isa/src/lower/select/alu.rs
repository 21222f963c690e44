//! Arithmetic and logic: integers of 16, 32 and 64 bits, f32, predicates.

use super::super::code::{File, Row};
use super::super::resolve::Inst;
use super::{Selected, Selector};
use crate::ptx::forms::{Opcode, Part};
use crate::types::{ScalarType, TypeKind};
use crate::uop::Op;

/// The micro-op that does a form in 32 bits: all operands and the result have the instruction's type.
fn op32(opcode: Opcode, part: Option<Part>, signed: bool) -> Option<Op> {
    let by_sign = |unsigned, with_sign| if signed { with_sign } else { unsigned };
    Some(match (opcode, part) {
        (Opcode::Add, _) => Op::AddB32,
        (Opcode::Sub, _) => Op::SubB32,
        (Opcode::Neg, _) => Op::NegS32,
        (Opcode::Abs, _) => Op::AbsS32,
        (Opcode::Min, _) => by_sign(Op::MinU32, Op::MinS32),
        (Opcode::Max, _) => by_sign(Op::MaxU32, Op::MaxS32),
        (Opcode::Sad, _) => by_sign(Op::SadU32, Op::SadS32),
        (Opcode::Mul, Some(Part::Lo)) => Op::MulLoB32,
        (Opcode::Mul, Some(Part::Hi)) => by_sign(Op::MulHiU32, Op::MulHiS32),
        (Opcode::Mad, Some(Part::Lo)) => Op::MadLoB32,
        (Opcode::Mul24, Some(Part::Lo)) => by_sign(Op::Mul24LoU32, Op::Mul24LoS32),
        (Opcode::Mad24, Some(Part::Lo)) => by_sign(Op::Mad24LoU32, Op::Mad24LoS32),
        (Opcode::Div, _) => by_sign(Op::DivU32, Op::DivS32),
        (Opcode::Rem, _) => by_sign(Op::RemU32, Op::RemS32),
        (Opcode::And, _) => Op::AndB32,
        (Opcode::Or, _) => Op::OrB32,
        (Opcode::Xor, _) => Op::XorB32,
        (Opcode::Not, _) => Op::NotB32,
        _ => return None,
    })
}

/// As [`op32`], in 64 bits.
fn op64(opcode: Opcode, part: Option<Part>) -> Option<Op> {
    Some(match (opcode, part) {
        (Opcode::Add, _) => Op::AddB64,
        (Opcode::Sub, _) => Op::SubB64,
        (Opcode::Mul, Some(Part::Lo)) => Op::MulLoB64,
        (Opcode::Mad, Some(Part::Lo)) => Op::MadLoB64,
        (Opcode::And, _) => Op::AndB64,
        (Opcode::Or, _) => Op::OrB64,
        (Opcode::Xor, _) => Op::XorB64,
        (Opcode::Not, _) => Op::NotB64,
        _ => return None,
    })
}

/// The micro-op of f32 arithmetic rounded to nearest, that flushes subnormals or keeps them.
fn op_f32(opcode: Opcode, flushes: bool) -> Option<Op> {
    let (flushing, keeping) = match opcode {
        Opcode::Add => (Op::AddFtzF32, Op::AddF32),
        Opcode::Sub => (Op::SubFtzF32, Op::SubF32),
        Opcode::Mul => (Op::MulFtzF32, Op::MulF32),
        Opcode::Mad | Opcode::Fma => (Op::FmaFtzF32, Op::FmaF32),
        Opcode::Min => (Op::MinFtzF32, Op::MinF32),
        Opcode::Max => (Op::MaxFtzF32, Op::MaxF32),
        Opcode::Neg => (Op::NegFtzF32, Op::NegF32),
        Opcode::Abs => (Op::AbsFtzF32, Op::AbsF32),
        _ => return None,
    };
    Some(if flushes { flushing } else { keeping })
}

fn op_pred(opcode: Opcode) -> Option<Op> {
    Some(match opcode {
        Opcode::And => Op::AndPred,
        Opcode::Or => Op::OrPred,
        Opcode::Xor => Op::XorPred,
        Opcode::Not => Op::NotPred,
        _ => return None,
    })
}

impl Selector<'_, '_> {
    /// Everything whose operands are values and that neither compares nor converts.
    pub(super) fn arithmetic(&mut self, inst: &Inst) -> Selected {
        let (form, ty) = (&inst.form, self.ty(inst)?);
        let signed = ty.kind() == TypeKind::Signed;
        if !Self::is_plain(form) {
            return Err(self.missing(inst));
        }
        match (form.opcode, form.part, ty) {
            (_, _, ScalarType::F32) => self.float(inst),
            (_, _, ScalarType::F64 | ScalarType::F16) => Err(self.missing(inst)),
            (Opcode::Shl | Opcode::Shr, ..) => self.shift(inst, ty),
            (Opcode::Mul | Opcode::Mad, Some(Part::Wide), _) => self.wide(inst, ty),
            (Opcode::Mul, Some(Part::Hi), ScalarType::U16 | ScalarType::S16) => {
                let sources = self.sources(inst, ty, 2)?;
                let product = self.temp(Op::MulLoB32, &sources);
                let sixteen = self.bits(File::W, 16);
                self.write(inst, ty, if signed { Op::ShrS32 } else { Op::ShrU32 }, &[product, sixteen])
            }
            (Opcode::Mad, Some(Part::Hi), ScalarType::U32 | ScalarType::S32) => {
                let sources = self.sources(inst, ty, 3)?;
                let high = self.temp(if signed { Op::MulHiS32 } else { Op::MulHiU32 }, &sources[..2]);
                self.write(inst, ty, Op::AddB32, &[high, sources[2]])
            }
            (Opcode::Neg | Opcode::Abs | Opcode::Min | Opcode::Max, _, ScalarType::U64 | ScalarType::S64) => {
                self.order64(inst, ty)
            }
            (opcode, part, _) => {
                let op = match ty.bytes() {
                    0 => op_pred(opcode),
                    8 => op64(opcode, part),
                    _ => op32(opcode, part, signed),
                };
                let op = op.ok_or_else(|| self.missing(inst))?;
                let sources = self.sources(inst, ty, op.shape().srcs().len())?;
                self.write(inst, ty, op, &sources)
            }
        }
    }

    /// Operands 1 to `count`, all of type `ty`.
    pub(super) fn sources(&mut self, inst: &Inst, ty: ScalarType, count: usize) -> Selected<Vec<Row>> {
        (1..=count).map(|i| self.read(inst, self.operand(inst, i)?, ty)).collect()
    }

    fn float(&mut self, inst: &Inst) -> Selected {
        // `mad.f32` truncates its product on sm_1x and is an fma from sm_20 on.
        let op = match inst.form.opcode {
            Opcode::Mad if self.context.target.major < 2 => Some(Op::MadTruncF32),
            opcode => op_f32(opcode, self.flushes(inst)),
        };
        let op = op.ok_or_else(|| self.missing(inst))?;
        let sources = self.sources(inst, ScalarType::F32, op.shape().srcs().len())?;
        self.write(inst, ScalarType::F32, op, &sources)
    }

    /// Shifts: the amount is 32 bits wide whatever the type.
    fn shift(&mut self, inst: &Inst, ty: ScalarType) -> Selected {
        let op = match (inst.form.opcode, ty.bytes(), ty.kind()) {
            (Opcode::Shl, 8, _) => Op::ShlB64,
            (Opcode::Shl, ..) => Op::ShlB32,
            (_, 8, TypeKind::Signed) => Op::ShrS64,
            (_, 8, _) => Op::ShrU64,
            (_, _, TypeKind::Signed) => Op::ShrS32,
            _ => Op::ShrU32,
        };
        let value = self.read(inst, self.operand(inst, 1)?, ty)?;
        let amount = self.read(inst, self.operand(inst, 2)?, ScalarType::U32)?;
        self.write(inst, ty, op, &[value, amount])
    }

    /// `mul.wide`, `mad.wide`: the result and the addend are twice as wide as the factors.
    fn wide(&mut self, inst: &Inst, ty: ScalarType) -> Selected {
        let mad = inst.form.opcode == Opcode::Mad;
        let (result, op) = match (ty, mad) {
            (ScalarType::U16, false) => (ScalarType::U32, Op::MulLoB32),
            (ScalarType::S16, false) => (ScalarType::S32, Op::MulLoB32),
            (ScalarType::U16, true) => (ScalarType::U32, Op::MadLoB32),
            (ScalarType::S16, true) => (ScalarType::S32, Op::MadLoB32),
            (ScalarType::U32, false) => (ScalarType::U64, Op::MulWideU32),
            (ScalarType::S32, false) => (ScalarType::S64, Op::MulWideS32),
            (ScalarType::U32, true) => (ScalarType::U64, Op::MadWideU32),
            (ScalarType::S32, true) => (ScalarType::S64, Op::MadWideS32),
            _ => return Err(self.missing(inst)),
        };
        let mut sources = self.sources(inst, ty, 2)?;
        if mad {
            sources.push(self.read(inst, self.operand(inst, 3)?, result)?);
        }
        self.write(inst, result, op, &sources)
    }

    /// 64-bit negation, absolute value, minimum and maximum, which no micro-op does alone.
    fn order64(&mut self, inst: &Inst, ty: ScalarType) -> Selected {
        let zero = self.bits(File::D, 0);
        let signed = ty.kind() == TypeKind::Signed;
        let a = self.read(inst, self.operand(inst, 1)?, ty)?;
        let less = if signed { Op::SetpLtS64 } else { Op::SetpLtU64 };
        match inst.form.opcode {
            Opcode::Neg => self.write(inst, ty, Op::SubB64, &[zero, a]),
            Opcode::Abs => {
                let negative = self.temp(less, &[a, zero]);
                let negated = self.temp(Op::SubB64, &[zero, a]);
                self.write(inst, ty, Op::SelpB64, &[negated, a, negative])
            }
            opcode => {
                let b = self.read(inst, self.operand(inst, 2)?, ty)?;
                let a_less = self.temp(less, &[a, b]);
                let (if_less, if_not) = if opcode == Opcode::Min { (a, b) } else { (b, a) };
                self.write(inst, ty, Op::SelpB64, &[if_less, if_not, a_less])
            }
        }
    }
}
