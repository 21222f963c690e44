//! Selection of f32 arithmetic: the micro-op with the rounding, flushing and saturation of the
//! instruction; also `copysign` and `testp`.

use super::super::code::File;
use super::super::resolve::Inst;
use super::{Selected, Selector};
use crate::ptx::forms::{Opcode, Rounding, Test};
use crate::types::ScalarType;
use crate::uop::Op;

/// Micro-ops of an operation: one row for each of `.rn`, `.rz`, `.rm` and `.rp`, with the plain
/// one, the one with `.sat`, with `.ftz`, and with both.
type Variants = [[Op; 4]; 4];

const ADD: Variants = [
    [Op::AddF32, Op::AddSatF32, Op::AddFtzF32, Op::AddFtzSatF32],
    [Op::AddRzF32, Op::AddRzSatF32, Op::AddRzFtzF32, Op::AddRzFtzSatF32],
    [Op::AddRmF32, Op::AddRmSatF32, Op::AddRmFtzF32, Op::AddRmFtzSatF32],
    [Op::AddRpF32, Op::AddRpSatF32, Op::AddRpFtzF32, Op::AddRpFtzSatF32],
];
const SUB: Variants = [
    [Op::SubF32, Op::SubSatF32, Op::SubFtzF32, Op::SubFtzSatF32],
    [Op::SubRzF32, Op::SubRzSatF32, Op::SubRzFtzF32, Op::SubRzFtzSatF32],
    [Op::SubRmF32, Op::SubRmSatF32, Op::SubRmFtzF32, Op::SubRmFtzSatF32],
    [Op::SubRpF32, Op::SubRpSatF32, Op::SubRpFtzF32, Op::SubRpFtzSatF32],
];
const MUL: Variants = [
    [Op::MulF32, Op::MulSatF32, Op::MulFtzF32, Op::MulFtzSatF32],
    [Op::MulRzF32, Op::MulRzSatF32, Op::MulRzFtzF32, Op::MulRzFtzSatF32],
    [Op::MulRmF32, Op::MulRmSatF32, Op::MulRmFtzF32, Op::MulRmFtzSatF32],
    [Op::MulRpF32, Op::MulRpSatF32, Op::MulRpFtzF32, Op::MulRpFtzSatF32],
];
const FMA: Variants = [
    [Op::FmaF32, Op::FmaSatF32, Op::FmaFtzF32, Op::FmaFtzSatF32],
    [Op::FmaRzF32, Op::FmaRzSatF32, Op::FmaRzFtzF32, Op::FmaRzFtzSatF32],
    [Op::FmaRmF32, Op::FmaRmSatF32, Op::FmaRmFtzF32, Op::FmaRmFtzSatF32],
    [Op::FmaRpF32, Op::FmaRpSatF32, Op::FmaRpFtzF32, Op::FmaRpFtzSatF32],
];

const INFINITY: u64 = 0x7f80_0000;
const SMALLEST_NORMAL: u64 = 0x0080_0000;
const MAGNITUDE: u64 = 0x7fff_ffff;
const SIGN: u64 = 0x8000_0000;

/// Returns the micro-op of an operation that rounds.
fn rounded(opcode: Opcode, rounding: Option<Rounding>, flushes: bool, saturates: bool) -> Option<Op> {
    let variants = match opcode {
        Opcode::Add => ADD,
        Opcode::Sub => SUB,
        Opcode::Mul => MUL,
        Opcode::Mad | Opcode::Fma => FMA,
        _ => return None,
    };
    let way = match rounding {
        None | Some(Rounding::Rn) => 0,
        Some(Rounding::Rz) => 1,
        Some(Rounding::Rm) => 2,
        Some(Rounding::Rp) => 3,
        Some(_) => return None,
    };
    Some(variants[way][usize::from(flushes) * 2 + usize::from(saturates)])
}

/// Returns the micro-op of an operation that is exact.
fn exact(opcode: Opcode, flushes: bool) -> Option<Op> {
    let (flushing, keeping) = match opcode {
        Opcode::Min => (Op::MinFtzF32, Op::MinF32),
        Opcode::Max => (Op::MaxFtzF32, Op::MaxF32),
        Opcode::Neg => (Op::NegFtzF32, Op::NegF32),
        Opcode::Abs => (Op::AbsFtzF32, Op::AbsF32),
        _ => return None,
    };
    Some(if flushes { flushing } else { keeping })
}

impl Selector<'_, '_> {
    pub(super) fn single(&mut self, inst: &Inst) -> Selected {
        let (form, flushes) = (&inst.form, self.flushes(inst));
        if form.opcode == Opcode::Copysign {
            return self.copysign_single(inst);
        }
        // `mad.f32` truncates its product on sm_1x and is an fma from sm_20 on.
        let op = match form.opcode {
            Opcode::Mad if self.context.target.major < 2 => {
                Some(if form.sat { Op::MadTruncSatF32 } else { Op::MadTruncF32 })
            }
            opcode => rounded(opcode, form.rounding, flushes, form.sat).or(exact(opcode, flushes)),
        };
        let op = op.ok_or_else(|| self.missing(inst))?;
        let sources = self.sources(inst, ScalarType::F32, op.shape().srcs().len())?;
        self.write(inst, ScalarType::F32, op, &sources)?;
        self.may_fuse(inst);
        Ok(())
    }

    /// Selects `copysign d, a, b`: combines the sign of `a` and the magnitude of `b` as bits.
    fn copysign_single(&mut self, inst: &Inst) -> Selected {
        let sources = self.sources(inst, ScalarType::F32, 2)?;
        let (sign, magnitude) = (self.bits(File::W, SIGN), self.bits(File::W, MAGNITUDE));
        let sign = self.temp(Op::AndB32, &[sources[0], sign]);
        let magnitude = self.temp(Op::AndB32, &[sources[1], magnitude]);
        self.write(inst, ScalarType::F32, Op::OrB32, &[sign, magnitude])
    }

    /// Selects `testp`: compares the magnitude as an integer. A number is normal if it is neither
    /// subnormal nor infinite nor a NaN, so zero is normal.
    pub(super) fn testp_single(&mut self, inst: &Inst) -> Selected {
        let test = inst.form.test.ok_or_else(|| self.missing(inst))?;
        let dst = self.destination(inst, self.operand(inst, 0)?, ScalarType::Pred)?;
        let value = self.read(inst, self.operand(inst, 1)?, ScalarType::F32)?;
        let mask = self.bits(File::W, MAGNITUDE);
        let magnitude = self.temp(Op::AndB32, &[value, mask]);
        let (op, limit) = match test {
            Test::Finite => (Op::SetpLtU32, INFINITY),
            Test::Infinite => (Op::SetpEqB32, INFINITY),
            Test::Number => (Op::SetpLeU32, INFINITY),
            Test::NotANumber => (Op::SetpGtU32, INFINITY),
            // After the subtraction of one, zero is above all other values.
            Test::Subnormal | Test::Normal => {
                let (one, count) = (self.bits(File::W, 1), self.bits(File::W, SMALLEST_NORMAL - 1));
                let above = self.temp(Op::SubB32, &[magnitude, one]);
                if test == Test::Subnormal {
                    self.emit(Op::SetpLtU32, dst, &[above, count]);
                    return Ok(());
                }
                let infinity = self.bits(File::W, INFINITY);
                let finite = self.temp(Op::SetpLtU32, &[magnitude, infinity]);
                let not_subnormal = self.temp(Op::SetpGeU32, &[above, count]);
                self.emit(Op::AndPred, dst, &[finite, not_subnormal]);
                return Ok(());
            }
        };
        let limit = self.bits(File::W, limit);
        self.emit(op, dst, &[magnitude, limit]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_selects_the_micro_op_with_its_name() {
        let operations =
            [(Opcode::Add, "add"), (Opcode::Sub, "sub"), (Opcode::Mul, "mul"), (Opcode::Fma, "fma")];
        let roundings =
            [(Rounding::Rn, "rn"), (Rounding::Rz, "rz"), (Rounding::Rm, "rm"), (Rounding::Rp, "rp")];
        for (opcode, name) in operations {
            for (rounding, way) in roundings {
                for (flushes, ftz) in [(false, ""), (true, ".ftz")] {
                    for (saturates, sat) in [(false, ""), (true, ".sat")] {
                        let op = rounded(opcode, Some(rounding), flushes, saturates).map(Op::text);
                        assert_eq!(op, Some(format!("{name}.{way}{ftz}{sat}.f32").as_str()));
                    }
                }
            }
        }
    }
}
