//! Arithmetic and logic: 16-bit, 32-bit and 64-bit integers and predicates. Module `single` handles
//! f32, `double` handles f64.

use super::super::code::{File, OperandRow};
use super::super::resolve::Inst;
use super::{Selected, Selector};
use crate::ptx::forms::{Opcode, Part};
use crate::types::{ScalarType, TypeKind};
use crate::uop::Op;

/// Returns the micro-op for a form in 32 bits. All operands and the result have the type of the
/// instruction.
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
        (Opcode::Mul24, Some(Part::Hi)) => by_sign(Op::Mul24HiU32, Op::Mul24HiS32),
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

/// Returns the micro-op for a form in 64 bits, as [`op32`] does.
fn op64(opcode: Opcode, part: Option<Part>, signed: bool) -> Option<Op> {
    let by_sign = |unsigned, with_sign| if signed { with_sign } else { unsigned };
    Some(match (opcode, part) {
        (Opcode::Add, _) => Op::AddB64,
        (Opcode::Sub, _) => Op::SubB64,
        (Opcode::Mul, Some(Part::Lo)) => Op::MulLoB64,
        (Opcode::Mul, Some(Part::Hi)) => by_sign(Op::MulHiU64, Op::MulHiS64),
        (Opcode::Div, _) => by_sign(Op::DivU64, Op::DivS64),
        (Opcode::Rem, _) => by_sign(Op::RemU64, Op::RemS64),
        (Opcode::Mad, Some(Part::Lo)) => Op::MadLoB64,
        (Opcode::And, _) => Op::AndB64,
        (Opcode::Or, _) => Op::OrB64,
        (Opcode::Xor, _) => Op::XorB64,
        (Opcode::Not, _) => Op::NotB64,
        _ => return None,
    })
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
    /// Selects every instruction whose operands are values, except comparisons and conversions.
    pub(super) fn arithmetic(&mut self, inst: &Inst) -> Selected {
        let (form, ty) = (&inst.form, self.ty(inst)?);
        let signed = ty.kind() == TypeKind::Signed;
        if form.sat && ty == ScalarType::S32 {
            return self.saturated(inst);
        }
        if ty == ScalarType::F32 {
            return self.single(inst);
        }
        if ty == ScalarType::F64 {
            return self.double(inst);
        }
        if !Self::is_plain(form) {
            return Err(self.missing(inst));
        }
        match (form.opcode, form.part, ty) {
            (_, _, ScalarType::F16) => Err(self.missing(inst)),
            (Opcode::Shl | Opcode::Shr, ..) => self.shift(inst, ty),
            (Opcode::Mul | Opcode::Mad, Some(Part::Wide), _) => self.wide(inst, ty),
            (Opcode::Mul, Some(Part::Hi), ScalarType::U16 | ScalarType::S16) => {
                let sources = self.sources(inst, ty, 2)?;
                let (op, sources) = self.high(inst.form.opcode, ty, [sources[0], sources[1]]);
                self.write(inst, ty, op, &sources)
            }
            (Opcode::Mad | Opcode::Mad24, Some(Part::Hi), _) => {
                let sources = self.sources(inst, ty, 3)?;
                let (op, factors) = self.high(inst.form.opcode, ty, [sources[0], sources[1]]);
                let high = self.temp(op, &factors);
                let add = if ty.bytes() == 8 { Op::AddB64 } else { Op::AddB32 };
                self.write(inst, ty, add, &[high, sources[2]])
            }
            (Opcode::Sad, _, ScalarType::U64 | ScalarType::S64) => self.sad64(inst, ty),
            (Opcode::Neg | Opcode::Abs | Opcode::Min | Opcode::Max, _, ScalarType::U64 | ScalarType::S64) => {
                self.order64(inst, ty)
            }
            (opcode, part, _) => {
                let op = match ty.bytes() {
                    0 => op_pred(opcode),
                    8 => op64(opcode, part, signed),
                    _ => op32(opcode, part, signed),
                };
                let Some(op) = op else { return self.named(inst) };
                let op = if ty.bytes() == 2 { self.short(op) } else { op };
                let sources = self.sources(inst, ty, op.shape().srcs().len())?;
                self.write(inst, ty, op, &sources)
            }
        }
    }

    /// Reads operands 1 to `count`, all of type `ty`.
    pub(super) fn sources(&mut self, inst: &Inst, ty: ScalarType, count: usize) -> Selected<Vec<OperandRow>> {
        (1..=count).map(|i| self.read(inst, self.operand(inst, i)?, ty)).collect()
    }

    /// Selects shifts. The shift amount has 32 bits for every type.
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

    /// Selects `mul.wide` and `mad.wide`: the result and the addend are twice as wide as the
    /// factors.
    fn wide(&mut self, inst: &Inst, ty: ScalarType) -> Selected {
        let mad = inst.form.opcode == Opcode::Mad;
        let (result, op) = match (ty, mad) {
            (ScalarType::U16, false) => (ScalarType::U32, self.short(Op::MulLoB32)),
            (ScalarType::S16, false) => (ScalarType::S32, self.short(Op::MulLoB32)),
            (ScalarType::U16, true) => (ScalarType::U32, self.short(Op::MadLoB32)),
            (ScalarType::S16, true) => (ScalarType::S32, self.short(Op::MadLoB32)),
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

    /// Returns the micro-op that multiplies 16-bit factors where `op` would multiply 32-bit ones.
    /// Before `sm_20` the 24-bit multiplier does this in one instruction.
    fn short(&self, op: Op) -> Op {
        match op {
            Op::MulLoB32 if self.context.target.major == 1 => Op::Mul16B32,
            Op::MadLoB32 if self.context.target.major == 1 => Op::Mad16B32,
            op => op,
        }
    }

    /// Returns the micro-op, with its sources, that computes the high part of a product. Emits the
    /// micro-ops that must come before it.
    fn high(&mut self, opcode: Opcode, ty: ScalarType, factors: [OperandRow; 2]) -> (Op, [OperandRow; 2]) {
        let signed = ty.kind() == TypeKind::Signed;
        let by_sign = |unsigned, with_sign| if signed { with_sign } else { unsigned };
        match (opcode, ty.bytes()) {
            (Opcode::Mad24, _) => (by_sign(Op::Mul24HiU32, Op::Mul24HiS32), factors),
            (_, 8) => (by_sign(Op::MulHiU64, Op::MulHiS64), factors),
            (_, 4) => (by_sign(Op::MulHiU32, Op::MulHiS32), factors),
            _ => {
                let product = self.temp(self.short(Op::MulLoB32), &factors);
                (by_sign(Op::ShrU32, Op::ShrS32), [product, self.bits(File::W, 16)])
            }
        }
    }

    /// Selects `.sat.s32`: sums that saturate at the ends of the signed range.
    fn saturated(&mut self, inst: &Inst) -> Selected {
        let (opcode, ty) = (inst.form.opcode, ScalarType::S32);
        let sources = match opcode {
            Opcode::Add | Opcode::Sub => self.sources(inst, ty, 2)?,
            Opcode::Mad | Opcode::Mad24 if inst.form.part == Some(Part::Hi) => {
                let sources = self.sources(inst, ty, 3)?;
                let (op, factors) = self.high(opcode, ty, [sources[0], sources[1]]);
                vec![self.temp(op, &factors), sources[2]]
            }
            _ => return Err(self.missing(inst)),
        };
        let op = if opcode == Opcode::Sub { Op::SubSatS32 } else { Op::AddSatS32 };
        self.write(inst, ty, op, &sources)
    }

    /// Selects a 64-bit sum of absolute differences as the hardware computes it: the larger operand
    /// minus the smaller one, plus the addend.
    fn sad64(&mut self, inst: &Inst, ty: ScalarType) -> Selected {
        let less = if ty.kind() == TypeKind::Signed { Op::SetpLtS64 } else { Op::SetpLtU64 };
        let sources = self.sources(inst, ty, 3)?;
        let (a, b) = (sources[0], sources[1]);
        let a_less = self.temp(less, &[a, b]);
        let (up, down) = (self.temp(Op::SubB64, &[b, a]), self.temp(Op::SubB64, &[a, b]));
        let distance = self.temp(Op::SelpB64, &[up, down, a_less]);
        self.write(inst, ty, Op::AddB64, &[distance, sources[2]])
    }

    /// Selects 64-bit negation, absolute value, minimum and maximum, each of which needs several
    /// micro-ops.
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
