//! Arithmetic with `.sat`: the rounded, flushed result saturated to 0 … 1.

use super::directed::{
    add_rm_f32, add_rm_ftz_f32, add_rp_f32, add_rp_ftz_f32, add_rz_f32, add_rz_ftz_f32, fma_rm_f32,
    fma_rm_ftz_f32, fma_rp_f32, fma_rp_ftz_f32, fma_rz_f32, fma_rz_ftz_f32, mul_rm_f32, mul_rm_ftz_f32,
    mul_rp_f32, mul_rp_ftz_f32, mul_rz_f32, mul_rz_ftz_f32, sub_rm_f32, sub_rm_ftz_f32, sub_rp_f32,
    sub_rp_ftz_f32, sub_rz_f32, sub_rz_ftz_f32,
};
use super::fma::{fma_rn_f32, fma_rn_ftz_f32};
use super::kept::{add_rn_f32, mul_rn_f32, sub_rn_f32};
use super::{add_rn_ftz_f32, mad_trunc_ftz_f32, mul_rn_ftz_f32, sub_rn_ftz_f32};

const ONE: u32 = 0x3f80_0000;

/// Returns `bits` saturated to 0 … 1; NaN and -0 become 0.
#[inline(always)]
pub(in crate::sem) fn saturated(bits: u32) -> u32 {
    // The bits of positive numbers have the same order as the numbers. Bits with a sign, and NaNs,
    // are above them.
    let low = if bits <= 0x7f80_0000 { bits } else { 0 };
    low.min(ONE)
}

macro_rules! saturated {
    ($($name:ident $text:literal $function:ident($($arg:ident),+);)*) => {$(
        #[doc = concat!("`", $text, "`.")]
        #[inline(always)]
        pub fn $name($($arg: u32),+) -> u32 {
            saturated($function($($arg),+))
        }
    )*};
}

saturated! {
    add_rn_sat_f32 "add.rn.sat.f32" add_rn_f32(a, b);
    add_rn_ftz_sat_f32 "add.rn.ftz.sat.f32" add_rn_ftz_f32(a, b);
    add_rz_sat_f32 "add.rz.sat.f32" add_rz_f32(a, b);
    add_rz_ftz_sat_f32 "add.rz.ftz.sat.f32" add_rz_ftz_f32(a, b);
    add_rm_sat_f32 "add.rm.sat.f32" add_rm_f32(a, b);
    add_rm_ftz_sat_f32 "add.rm.ftz.sat.f32" add_rm_ftz_f32(a, b);
    add_rp_sat_f32 "add.rp.sat.f32" add_rp_f32(a, b);
    add_rp_ftz_sat_f32 "add.rp.ftz.sat.f32" add_rp_ftz_f32(a, b);
    sub_rn_sat_f32 "sub.rn.sat.f32" sub_rn_f32(a, b);
    sub_rn_ftz_sat_f32 "sub.rn.ftz.sat.f32" sub_rn_ftz_f32(a, b);
    sub_rz_sat_f32 "sub.rz.sat.f32" sub_rz_f32(a, b);
    sub_rz_ftz_sat_f32 "sub.rz.ftz.sat.f32" sub_rz_ftz_f32(a, b);
    sub_rm_sat_f32 "sub.rm.sat.f32" sub_rm_f32(a, b);
    sub_rm_ftz_sat_f32 "sub.rm.ftz.sat.f32" sub_rm_ftz_f32(a, b);
    sub_rp_sat_f32 "sub.rp.sat.f32" sub_rp_f32(a, b);
    sub_rp_ftz_sat_f32 "sub.rp.ftz.sat.f32" sub_rp_ftz_f32(a, b);
    mul_rn_sat_f32 "mul.rn.sat.f32" mul_rn_f32(a, b);
    mul_rn_ftz_sat_f32 "mul.rn.ftz.sat.f32" mul_rn_ftz_f32(a, b);
    mul_rz_sat_f32 "mul.rz.sat.f32" mul_rz_f32(a, b);
    mul_rz_ftz_sat_f32 "mul.rz.ftz.sat.f32" mul_rz_ftz_f32(a, b);
    mul_rm_sat_f32 "mul.rm.sat.f32" mul_rm_f32(a, b);
    mul_rm_ftz_sat_f32 "mul.rm.ftz.sat.f32" mul_rm_ftz_f32(a, b);
    mul_rp_sat_f32 "mul.rp.sat.f32" mul_rp_f32(a, b);
    mul_rp_ftz_sat_f32 "mul.rp.ftz.sat.f32" mul_rp_ftz_f32(a, b);
    fma_rn_sat_f32 "fma.rn.sat.f32" fma_rn_f32(a, b, c);
    fma_rn_ftz_sat_f32 "fma.rn.ftz.sat.f32" fma_rn_ftz_f32(a, b, c);
    fma_rz_sat_f32 "fma.rz.sat.f32" fma_rz_f32(a, b, c);
    fma_rz_ftz_sat_f32 "fma.rz.ftz.sat.f32" fma_rz_ftz_f32(a, b, c);
    fma_rm_sat_f32 "fma.rm.sat.f32" fma_rm_f32(a, b, c);
    fma_rm_ftz_sat_f32 "fma.rm.ftz.sat.f32" fma_rm_ftz_f32(a, b, c);
    fma_rp_sat_f32 "fma.rp.sat.f32" fma_rp_f32(a, b, c);
    fma_rp_ftz_sat_f32 "fma.rp.ftz.sat.f32" fma_rp_ftz_f32(a, b, c);
    mad_trunc_ftz_sat_f32 "mad.sat.f32` of `sm_1x" mad_trunc_ftz_f32(a, b, c);
}

#[cfg(test)]
mod tests {
    use super::super::SIGN;
    use super::*;

    #[test]
    fn saturation_clamps_numbers_and_replaces_nans_by_zero() {
        let of = [0, 1, 0x3f00_0000, ONE, ONE + 1, 0x7f80_0000].map(saturated);
        assert_eq!(of, [0, 1, 0x3f00_0000, ONE, ONE, ONE]);
        let of = [SIGN, SIGN | 1, SIGN | ONE, 0xff80_0000, 0x7f80_0001, 0x7fff_ffff, u32::MAX].map(saturated);
        assert_eq!(of, [0; 7]);
    }

    #[test]
    fn results_are_clamped_after_rounding_and_flushing() {
        assert_eq!(
            [add_rn_sat_f32(ONE, 1), sub_rp_sat_f32(ONE, 1), sub_rm_sat_f32(ONE, 1)],
            [ONE, ONE, ONE - 1]
        );
        assert_eq!([add_rn_sat_f32(1, 1), add_rn_ftz_sat_f32(1, 1)], [2, 0]);
        assert_eq!(mad_trunc_ftz_sat_f32(ONE, 0x4000_0000, ONE), ONE);
        assert_eq!(mul_rn_sat_f32(0x7f80_0000, 0), 0);
    }
}
