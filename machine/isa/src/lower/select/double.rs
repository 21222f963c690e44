//! Selection of double-precision instructions: arithmetic, comparison, conversion, `copysign` and
//! `testp`.

use super::super::code::{File, OperandRow};
use super::super::resolve::Inst;
use super::convert::{extension, to_64};
use super::{Selected, Selector};
use crate::ptx::forms::{Compare, Form, Opcode, Rounding, Test};
use crate::types::{ScalarType, TypeKind};
use crate::uop::Op;

const INFINITY: u64 = 0x7ff0_0000_0000_0000;
const SMALLEST_NORMAL: u64 = 0x0010_0000_0000_0000;
const MAGNITUDE: u64 = 0x7fff_ffff_ffff_ffff;

/// Returns the micro-op for a rounding mode out of `.rn .rz .rm .rp` (or the modes that round to
/// integral values). The default is round-to-nearest.
fn rounded<T: Copy>(ops: [T; 4], rounding: Option<Rounding>) -> T {
    ops[match rounding {
        None | Some(Rounding::Rn | Rounding::Rni) => 0,
        Some(Rounding::Rz | Rounding::Rzi) => 1,
        Some(Rounding::Rm | Rounding::Rmi) => 2,
        Some(Rounding::Rp | Rounding::Rpi) => 3,
    }]
}

/// Returns the micro-op of an operation.
fn op_f64(form: &Form) -> Option<Op> {
    let Form { rounding, approx, .. } = *form;
    Some(match form.opcode {
        Opcode::Add => rounded([Op::AddF64, Op::AddRzF64, Op::AddRmF64, Op::AddRpF64], rounding),
        Opcode::Sub => rounded([Op::SubF64, Op::SubRzF64, Op::SubRmF64, Op::SubRpF64], rounding),
        Opcode::Mul => rounded([Op::MulF64, Op::MulRzF64, Op::MulRmF64, Op::MulRpF64], rounding),
        // Unlike `mad.f32`, `mad.f64` is an `fma` in every PTX version.
        Opcode::Mad | Opcode::Fma => {
            rounded([Op::FmaF64, Op::FmaRzF64, Op::FmaRmF64, Op::FmaRpF64], rounding)
        }
        Opcode::Div => rounded([Op::DivF64, Op::DivRzF64, Op::DivRmF64, Op::DivRpF64], rounding),
        Opcode::Rcp if approx => Op::RcpApproxFtzF64,
        Opcode::Rcp => rounded([Op::RcpF64, Op::RcpRzF64, Op::RcpRmF64, Op::RcpRpF64], rounding),
        Opcode::Sqrt => rounded([Op::SqrtF64, Op::SqrtRzF64, Op::SqrtRmF64, Op::SqrtRpF64], rounding),
        Opcode::Rsqrt if form.ftz => Op::RsqrtApproxFtzF64,
        Opcode::Rsqrt => Op::RsqrtApproxF64,
        Opcode::Min => Op::MinF64,
        Opcode::Max => Op::MaxF64,
        Opcode::Neg => Op::NegF64,
        Opcode::Abs => Op::AbsF64,
        _ => return None,
    })
}

/// Returns the micro-op of a comparison. An unordered comparison is the negation of the opposite
/// ordered one.
pub(super) fn comparison_f64(compare: Compare) -> Option<Op> {
    use Compare::{Eq, Equ, Ge, Geu, Gt, Gtu, Le, Leu, Lt, Ltu, Nan, Ne, Neu, Num};
    Some(match compare {
        Eq | Neu => Op::SetpEqF64,
        Ne | Equ => Op::SetpNeF64,
        Lt | Geu => Op::SetpLtF64,
        Le | Gtu => Op::SetpLeF64,
        Gt | Leu => Op::SetpGtF64,
        Ge | Ltu => Op::SetpGeF64,
        Num | Nan => return None,
    })
}

/// Returns the micro-ops that convert f64 to an integer of type `to` in a register of `to_bytes`
/// bytes. The conversion saturates with and without `.sat`. A conversion to fewer than 32 bits
/// needs two steps; the first one rounds to an integral f64, so the second one does not round
/// again.
fn to_integer(to: ScalarType, to_bytes: u32, rounding: Option<Rounding>) -> Vec<Op> {
    use ScalarType::{S8, S16, S32, S64, U8, U16, U32};
    let mut chain = Vec::new();
    if to.bytes() < 4 && rounding != Some(Rounding::Rzi) {
        chain.push(to_integral(rounding));
    }
    chain.push(match to {
        U8 => Op::CvtRziU8F64,
        S8 => Op::CvtRziS8F64,
        U16 => Op::CvtRziU16F64,
        S16 => Op::CvtRziS16F64,
        U32 => rounded([Op::CvtRniU32F64, Op::CvtRziU32F64, Op::CvtRmiU32F64, Op::CvtRpiU32F64], rounding),
        S32 => rounded([Op::CvtRniS32F64, Op::CvtRziS32F64, Op::CvtRmiS32F64, Op::CvtRpiS32F64], rounding),
        S64 => rounded([Op::CvtRniS64F64, Op::CvtRziS64F64, Op::CvtRmiS64F64, Op::CvtRpiS64F64], rounding),
        _ => rounded([Op::CvtRniU64F64, Op::CvtRziU64F64, Op::CvtRmiU64F64, Op::CvtRpiU64F64], rounding),
    });
    match to_bytes {
        8 if to.bytes() < 8 => chain.push(to_64(to)),
        // The sign must not reach the upper part of a row that holds 16 or 8 bits.
        2 if to.kind() == TypeKind::Signed => chain.push(Op::CvtU32U16),
        1 if to.kind() == TypeKind::Signed => chain.push(Op::CvtU32U8),
        _ => {}
    }
    chain
}

fn to_integral(rounding: Option<Rounding>) -> Op {
    rounded([Op::CvtRniF64F64, Op::CvtRziF64F64, Op::CvtRmiF64F64, Op::CvtRpiF64F64], rounding)
}

/// Returns the micro-ops that convert an integer of type `from` in a register of `from_bytes` bytes
/// to f64.
fn from_integer(from: ScalarType, from_bytes: u32, rounding: Option<Rounding>) -> Vec<Op> {
    let signed = from.kind() == TypeKind::Signed;
    if from.bytes() == 8 {
        let ops = if signed {
            [Op::CvtRnF64S64, Op::CvtRzF64S64, Op::CvtRmF64S64, Op::CvtRpF64S64]
        } else {
            [Op::CvtRnF64U64, Op::CvtRzF64U64, Op::CvtRmF64U64, Op::CvtRpF64U64]
        };
        return vec![rounded(ops, rounding)];
    }
    let mut chain = Vec::from_iter((from_bytes == 8).then_some(Op::CvtB32B64));
    chain.extend(extension(from));
    chain.push(if signed { Op::CvtF64S32 } else { Op::CvtF64U32 });
    chain
}

impl Selector<'_, '_> {
    /// Returns the micro-ops of a conversion from or to f64.
    pub(super) fn double_chain(
        &self,
        inst: &Inst,
        from: ScalarType,
        from_bytes: u32,
        to: ScalarType,
        to_bytes: u32,
    ) -> Selected<Vec<Op>> {
        let form = &inst.form;
        let flushes = self.conversion_flushes(inst, ScalarType::F64);
        let mut chain = match (from, to) {
            (ScalarType::F64, ScalarType::F64) if form.rounding.is_some() => vec![to_integral(form.rounding)],
            (ScalarType::F64, ScalarType::F64) if form.sat => Vec::new(),
            (ScalarType::F64, ScalarType::F64) => vec![Op::MovB64],
            (ScalarType::F64, ScalarType::F32) => {
                let keeping = [Op::CvtRnF32F64, Op::CvtRzF32F64, Op::CvtRmF32F64, Op::CvtRpF32F64];
                let flushing =
                    [Op::CvtRnFtzF32F64, Op::CvtRzFtzF32F64, Op::CvtRmFtzF32F64, Op::CvtRpFtzF32F64];
                // A value between 0 and 1 stays in this range when it is rounded.
                let mut chain = Vec::from_iter(form.sat.then_some(Op::CvtSatF64F64));
                chain.push(rounded(if flushes { flushing } else { keeping }, form.rounding));
                return Ok(chain);
            }
            (ScalarType::F32, ScalarType::F64) => {
                vec![if flushes { Op::CvtFtzF64F32 } else { Op::CvtF64F32 }]
            }
            (ScalarType::F64, _) if to.kind() != TypeKind::Float => {
                return Ok(to_integer(to, to_bytes, form.rounding));
            }
            (_, ScalarType::F64) if from.kind() != TypeKind::Float => {
                from_integer(from, from_bytes, form.rounding)
            }
            _ => return Err(self.missing(inst)),
        };
        chain.extend(form.sat.then_some(Op::CvtSatF64F64));
        Ok(chain)
    }

    /// Selects arithmetic whose operands and result are f64.
    pub(super) fn double(&mut self, inst: &Inst) -> Selected {
        let form = &inst.form;
        if form.opcode == Opcode::Copysign {
            return self.copysign(inst);
        }
        let op = op_f64(form).ok_or_else(|| self.missing(inst))?;
        let sources = self.sources(inst, ScalarType::F64, op.shape().srcs().len())?;
        self.write(inst, ScalarType::F64, op, &sources)?;
        self.may_fuse(inst);
        Ok(())
    }

    /// Selects `copysign d, a, b`: combines the sign of `a` and the magnitude of `b` as bits.
    fn copysign(&mut self, inst: &Inst) -> Selected {
        let sources = self.sources(inst, ScalarType::F64, 2)?;
        let (sign, magnitude) = (self.bits(File::D, !MAGNITUDE), self.bits(File::D, MAGNITUDE));
        let sign = self.temp(Op::AndB64, &[sources[0], sign]);
        let magnitude = self.temp(Op::AndB64, &[sources[1], magnitude]);
        self.write(inst, ScalarType::F64, Op::OrB64, &[sign, magnitude])
    }

    /// Selects `testp`: compares the magnitude as an integer. Zero counts as a normal number.
    pub(super) fn testp(&mut self, inst: &Inst) -> Selected {
        let (Some(test), ScalarType::F64) = (inst.form.test, self.ty(inst)?) else {
            return Err(self.missing(inst));
        };
        let value = self.read(inst, self.operand(inst, 1)?, ScalarType::F64)?;
        let mask = self.bits(File::D, MAGNITUDE);
        let magnitude = self.temp(Op::AndB64, &[value, mask]);
        let (op, limit) = match test {
            Test::Finite => (Op::SetpLtU64, INFINITY),
            Test::Infinite => (Op::SetpEqB64, INFINITY),
            Test::Number => (Op::SetpLeU64, INFINITY),
            Test::NotANumber => (Op::SetpGtU64, INFINITY),
            Test::Normal | Test::Subnormal => return self.testp_range(inst, test, magnitude),
        };
        let limit = self.bits(File::D, limit);
        let dst = self.destination(inst, self.operand(inst, 0)?, ScalarType::Pred)?;
        self.emit(op, dst, &[magnitude, limit]);
        Ok(())
    }

    /// Selects the tests for a range of magnitudes: the magnitude minus the first value of the
    /// range must be below the number of values in the range.
    fn testp_range(&mut self, inst: &Inst, test: Test, magnitude: OperandRow) -> Selected {
        let (first, count) = match test {
            Test::Subnormal => (1, SMALLEST_NORMAL - 1),
            _ => (SMALLEST_NORMAL, INFINITY - SMALLEST_NORMAL),
        };
        let (first, count) = (self.bits(File::D, first), self.bits(File::D, count));
        let above = self.temp(Op::SubB64, &[magnitude, first]);
        if test == Test::Subnormal {
            let dst = self.destination(inst, self.operand(inst, 0)?, ScalarType::Pred)?;
            self.emit(Op::SetpLtU64, dst, &[above, count]);
            return Ok(());
        }
        let zero = self.bits(File::D, 0);
        let within = self.temp(Op::SetpLtU64, &[above, count]);
        let is_zero = self.temp(Op::SetpEqB64, &[magnitude, zero]);
        let dst = self.destination(inst, self.operand(inst, 0)?, ScalarType::Pred)?;
        self.emit(Op::OrPred, dst, &[within, is_zero]);
        Ok(())
    }
}
