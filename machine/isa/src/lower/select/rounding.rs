//! Selection of `cvt` from or to f32: the micro-op with the rounding, flushing and saturation of
//! the instruction.

use super::super::resolve::Inst;
use super::Selector;
use crate::ptx::forms::Rounding;
use crate::types::{ScalarType, TypeKind};
use crate::uop::Op;

/// Returns the conversion of f32 to a 32-bit or 64-bit integer. Flushing affects the result only
/// when rounding down or up.
pub(super) fn from_single(rounding: Rounding, wide: bool, signed: bool, flushes: bool) -> Option<Op> {
    let [u32, s32, u64, s64] = match (rounding, flushes) {
        (Rounding::Rni, _) => [Op::CvtRniU32F32, Op::CvtRniS32F32, Op::CvtRniU64F32, Op::CvtRniS64F32],
        (Rounding::Rzi, _) => [Op::CvtRziU32F32, Op::CvtRziS32F32, Op::CvtRziU64F32, Op::CvtRziS64F32],
        (Rounding::Rmi, false) => [Op::CvtRmiU32F32, Op::CvtRmiS32F32, Op::CvtRmiU64F32, Op::CvtRmiS64F32],
        (Rounding::Rmi, true) => {
            [Op::CvtRmiFtzU32F32, Op::CvtRmiFtzS32F32, Op::CvtRmiFtzU64F32, Op::CvtRmiFtzS64F32]
        }
        (Rounding::Rpi, false) => [Op::CvtRpiU32F32, Op::CvtRpiS32F32, Op::CvtRpiU64F32, Op::CvtRpiS64F32],
        (Rounding::Rpi, true) => {
            [Op::CvtRpiFtzU32F32, Op::CvtRpiFtzS32F32, Op::CvtRpiFtzU64F32, Op::CvtRpiFtzS64F32]
        }
        _ => return None,
    };
    Some(match (wide, signed) {
        (false, false) => u32,
        (false, true) => s32,
        (true, false) => u64,
        (true, true) => s64,
    })
}

/// Returns the conversion of a 32-bit or 64-bit integer to f32.
pub(super) fn to_single(rounding: Rounding, wide: bool, signed: bool) -> Option<Op> {
    let [u32, s32, u64, s64] = match rounding {
        Rounding::Rn => [Op::CvtRnF32U32, Op::CvtRnF32S32, Op::CvtRnF32U64, Op::CvtRnF32S64],
        Rounding::Rz => [Op::CvtRzF32U32, Op::CvtRzF32S32, Op::CvtRzF32U64, Op::CvtRzF32S64],
        Rounding::Rm => [Op::CvtRmF32U32, Op::CvtRmF32S32, Op::CvtRmF32U64, Op::CvtRmF32S64],
        Rounding::Rp => [Op::CvtRpF32U32, Op::CvtRpF32S32, Op::CvtRpF32U64, Op::CvtRpF32S64],
        _ => return None,
    };
    Some(match (wide, signed) {
        (false, false) => u32,
        (false, true) => s32,
        (true, false) => u64,
        (true, true) => s64,
    })
}

/// Returns the conversion from f32 to f32. There is no micro-op if nothing changes, as with
/// `ptxas`; even a NaN then keeps its bits.
pub(super) fn within_single(rounding: Option<Rounding>, flushes: bool, saturates: bool) -> Option<Vec<Op>> {
    let (flushing, keeping) = match rounding {
        None if saturates => (Op::CvtFtzSatF32F32, Op::CvtSatF32F32),
        None if flushes => (Op::CvtFtzF32F32, Op::CvtFtzF32F32),
        None => return Some(Vec::new()),
        Some(Rounding::Rni) => (Op::CvtRniFtzF32F32, Op::CvtRniF32F32),
        Some(Rounding::Rzi) => (Op::CvtRziFtzF32F32, Op::CvtRziF32F32),
        Some(Rounding::Rmi) => (Op::CvtRmiFtzF32F32, Op::CvtRmiF32F32),
        Some(Rounding::Rpi) => (Op::CvtRpiFtzF32F32, Op::CvtRpiF32F32),
        Some(_) => return None,
    };
    let mut chain = vec![if flushes { flushing } else { keeping }];
    chain.extend((rounding.is_some() && saturates).then_some(Op::CvtSatF32F32));
    Some(chain)
}

/// Returns the conversion from f32 to f16. A value that is clamped to the range 0 to 1 stays in
/// this range when it is rounded.
pub(super) fn to_half(rounding: Option<Rounding>, flushes: bool, saturates: bool) -> Option<Vec<Op>> {
    let (flushing, keeping) = match rounding? {
        Rounding::Rn => (Op::CvtRnF16F32, Op::CvtRnF16F32),
        Rounding::Rz => (Op::CvtRzF16F32, Op::CvtRzF16F32),
        Rounding::Rm => (Op::CvtRmFtzF16F32, Op::CvtRmF16F32),
        Rounding::Rp => (Op::CvtRpFtzF16F32, Op::CvtRpF16F32),
        _ => return None,
    };
    let mut chain = Vec::from_iter(saturates.then_some(Op::CvtSatF32F32));
    chain.push(if flushes { flushing } else { keeping });
    Some(chain)
}

/// Returns the conversion from f16 to f32, which is exact and never has a subnormal result.
pub(super) fn from_half(saturates: bool) -> Vec<Op> {
    let mut chain = vec![Op::CvtF32F16];
    chain.extend(saturates.then_some(Op::CvtSatF32F32));
    chain
}

impl Selector<'_, '_> {
    /// Whether a conversion between f32 and another type flushes subnormals. Up to PTX 1.4, a
    /// conversion from or to a 64-bit type flushes only with `.ftz` (PTX ISA, "cvt").
    pub(super) fn conversion_flushes(&self, inst: &Inst, other: ScalarType) -> bool {
        if other.bytes() == 8 && self.context.version <= (1, 4) { inst.form.ftz } else { self.flushes(inst) }
    }
}

/// Whether a type is signed.
pub(super) fn signed(ty: ScalarType) -> bool {
    ty.kind() == TypeKind::Signed
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: [(Rounding, &str); 4] =
        [(Rounding::Rni, "rni"), (Rounding::Rzi, "rzi"), (Rounding::Rmi, "rmi"), (Rounding::Rpi, "rpi")];
    const TYPES: [(bool, bool, &str); 4] =
        [(false, false, "u32"), (false, true, "s32"), (true, false, "u64"), (true, true, "s64")];

    #[test]
    fn every_conversion_selects_the_micro_op_with_its_name() {
        for (rounding, word) in WHOLE {
            for (flushes, ftz) in [(false, ""), (true, ".ftz")] {
                for (wide, signed, ty) in TYPES {
                    let op = from_single(rounding, wide, signed, flushes)
                        .expect("every combination has a micro-op");
                    let without = op.text().replace(".ftz", "");
                    assert_eq!(without, format!("cvt.{word}.{ty}.f32"));
                    let seen = matches!(rounding, Rounding::Rmi | Rounding::Rpi);
                    assert!(!seen || op.is_ftz() == flushes, "{}", op.text());
                }
                let chain =
                    within_single(Some(rounding), flushes, true).expect("every combination has a micro-op");
                let names: Vec<&str> = chain.into_iter().map(Op::text).collect();
                assert_eq!(names, [format!("cvt.{word}{ftz}.f32.f32").as_str(), "cvt.sat.f32.f32"]);
            }
        }
        for (rounding, word) in
            [(Rounding::Rn, "rn"), (Rounding::Rz, "rz"), (Rounding::Rm, "rm"), (Rounding::Rp, "rp")]
        {
            for flushes in [false, true] {
                let chain = to_half(Some(rounding), flushes, true).expect("every combination has a micro-op");
                let names: Vec<String> = chain.into_iter().map(|op| op.text().replace(".ftz", "")).collect();
                assert_eq!(names, ["cvt.sat.f32.f32".to_owned(), format!("cvt.{word}.f16.f32")]);
            }
            for (wide, signed, ty) in TYPES {
                let op = to_single(rounding, wide, signed).map(Op::text);
                assert_eq!(op, Some(format!("cvt.{word}.f32.{ty}").as_str()));
            }
        }
        for (flushes, saturates, name) in [
            (true, false, "cvt.ftz.f32.f32"),
            (false, true, "cvt.sat.f32.f32"),
            (true, true, "cvt.ftz.sat.f32.f32"),
        ] {
            let chain = within_single(None, flushes, saturates).expect("every combination has a micro-op");
            assert_eq!(chain.into_iter().map(Op::text).collect::<Vec<_>>(), [name]);
        }
    }
}
