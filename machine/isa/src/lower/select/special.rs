//! Selection of f32 division, reciprocal, roots, and the functions of the special function units.

use super::super::resolve::Inst;
use super::{Selected, Selector};
use crate::ptx::forms::{Opcode, Rounding};
use crate::types::ScalarType;
use crate::uop::Op;

/// The micro-op that flushes subnormals and the one that keeps them.
type Pair = (Op, Op);

/// Returns the micro-ops of a correctly rounded operation with `.rn`, `.rz`, `.rm` or `.rp`.
fn rounded(opcode: Opcode, rounding: Rounding) -> Option<Pair> {
    Some(match (opcode, rounding) {
        (Opcode::Div, Rounding::Rn) => (Op::DivRnFtzF32, Op::DivRnF32),
        (Opcode::Div, Rounding::Rz) => (Op::DivRzFtzF32, Op::DivRzF32),
        (Opcode::Div, Rounding::Rm) => (Op::DivRmFtzF32, Op::DivRmF32),
        (Opcode::Div, Rounding::Rp) => (Op::DivRpFtzF32, Op::DivRpF32),
        (Opcode::Rcp, Rounding::Rn) => (Op::RcpRnFtzF32, Op::RcpRnF32),
        (Opcode::Rcp, Rounding::Rz) => (Op::RcpRzFtzF32, Op::RcpRzF32),
        (Opcode::Rcp, Rounding::Rm) => (Op::RcpRmFtzF32, Op::RcpRmF32),
        (Opcode::Rcp, Rounding::Rp) => (Op::RcpRpFtzF32, Op::RcpRpF32),
        (Opcode::Sqrt, Rounding::Rn) => (Op::SqrtRnFtzF32, Op::SqrtRnF32),
        (Opcode::Sqrt, Rounding::Rz) => (Op::SqrtRzFtzF32, Op::SqrtRzF32),
        (Opcode::Sqrt, Rounding::Rm) => (Op::SqrtRmFtzF32, Op::SqrtRmF32),
        (Opcode::Sqrt, Rounding::Rp) => (Op::SqrtRpFtzF32, Op::SqrtRpF32),
        _ => return None,
    })
}

/// Returns the micro-ops of an approximate operation: `.approx`, or no modifier in PTX 1.0 to 1.3.
fn approximate(opcode: Opcode) -> Option<Pair> {
    Some(match opcode {
        Opcode::Div => (Op::DivApproxFtzF32, Op::DivApproxF32),
        Opcode::Rcp => (Op::RcpApproxFtzF32, Op::RcpApproxF32),
        Opcode::Sqrt => (Op::SqrtApproxFtzF32, Op::SqrtApproxF32),
        Opcode::Rsqrt => (Op::RsqrtFtzF32, Op::RsqrtF32),
        Opcode::Sin => (Op::SinFtzF32, Op::SinF32),
        Opcode::Cos => (Op::CosFtzF32, Op::CosF32),
        Opcode::Lg2 => (Op::Lg2FtzF32, Op::Lg2F32),
        Opcode::Ex2 => (Op::Ex2FtzF32, Op::Ex2F32),
        _ => return None,
    })
}

impl Selector<'_, '_> {
    /// Selects one micro-op for each instruction. Its instruction class determines the cost of
    /// operations that the hardware executes as a sequence.
    pub(super) fn special(&mut self, inst: &Inst) -> Selected {
        let form = &inst.form;
        let pair = match (form.opcode, form.rounding) {
            (opcode, Some(rounding)) => rounded(opcode, rounding),
            (Opcode::Div, None) if form.full => Some((Op::DivFullFtzF32, Op::DivFullF32)),
            (opcode, None) => approximate(opcode),
        };
        let (flushing, keeping) = pair.ok_or_else(|| self.missing(inst))?;
        let op = if self.flushes(inst) { flushing } else { keeping };
        let sources = self.sources(inst, ScalarType::F32, op.shape().srcs().len())?;
        self.write(inst, ScalarType::F32, op, &sources)
    }
}
