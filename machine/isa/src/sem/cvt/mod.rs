//! Conversions between f32 and integers of one lane. This file contains the most frequent ones.
//! `integer` has the other rounding modes, 64-bit integers and saturation of integers, `integral`
//! the conversions from f32 to f32, and `half` the 16-bit format.
//!
//! Rust's numeric casts are defined bit for bit: to a float they round to nearest even; to an
//! integer they truncate, saturate, and convert NaN to 0. This is the same as PTX's `cvt.rn` and
//! `cvt.rzi`.

#![expect(
    clippy::inline_always,
    reason = "the executor applies these in loops over 32 lanes, which must vectorize in every profile"
)]

mod half;
mod integer;
mod integral;

pub use half::{
    f16_from_f32_rm, f16_from_f32_rm_ftz, f16_from_f32_rn, f16_from_f32_rp, f16_from_f32_rp_ftz,
    f16_from_f32_rz, f32_from_f16,
};
pub use integer::{
    f32_from_s32_rm, f32_from_s32_rp, f32_from_s32_rz, f32_from_s64_rm, f32_from_s64_rn, f32_from_s64_rp,
    f32_from_s64_rz, f32_from_u32_rm, f32_from_u32_rp, f32_from_u32_rz, f32_from_u64_rm, f32_from_u64_rn,
    f32_from_u64_rp, f32_from_u64_rz, s32_from_f32_rmi, s32_from_f32_rmi_ftz, s32_from_f32_rni,
    s32_from_f32_rpi, s32_from_f32_rpi_ftz, s64_from_f32_rmi, s64_from_f32_rmi_ftz, s64_from_f32_rni,
    s64_from_f32_rpi, s64_from_f32_rpi_ftz, s64_from_f32_rzi, sat_s8_from_s32, sat_s8_from_u32,
    sat_s16_from_s32, sat_s16_from_u32, sat_s32_from_s64, sat_s32_from_u32, sat_s32_from_u64,
    sat_s64_from_u64, sat_u8_from_s32, sat_u8_from_u32, sat_u16_from_s32, sat_u16_from_u32, sat_u32_from_s32,
    sat_u32_from_s64, sat_u32_from_u64, sat_u64_from_s64, u32_from_f32_rmi, u32_from_f32_rmi_ftz,
    u32_from_f32_rni, u32_from_f32_rpi, u32_from_f32_rpi_ftz, u64_from_f32_rmi, u64_from_f32_rmi_ftz,
    u64_from_f32_rni, u64_from_f32_rpi, u64_from_f32_rpi_ftz, u64_from_f32_rzi,
};
pub use integral::{
    f32_from_f32_ftz, f32_from_f32_ftz_sat, f32_from_f32_rmi, f32_from_f32_rmi_ftz, f32_from_f32_rni,
    f32_from_f32_rni_ftz, f32_from_f32_rpi, f32_from_f32_rpi_ftz, f32_from_f32_rzi, f32_from_f32_rzi_ftz,
    f32_from_f32_sat,
};

/// `cvt.rn.f32.s32`.
#[inline(always)]
pub fn f32_from_s32_rn(a: u32) -> u32 {
    (a as i32 as f32).to_bits()
}

/// `cvt.rn.f32.u32`.
#[inline(always)]
pub fn f32_from_u32_rn(a: u32) -> u32 {
    (a as f32).to_bits()
}

/// `cvt.rzi.ftz.s32.f32`: saturates; NaN gives 0. Flushing has no effect on the result, because
/// subnormals truncate to 0.
#[inline(always)]
pub fn s32_from_f32_rzi_ftz(a: u32) -> u32 {
    f32::from_bits(a) as i32 as u32
}

/// `cvt.rzi.ftz.u32.f32`: saturates, so negative numbers give 0; NaN gives 0.
#[inline(always)]
pub fn u32_from_f32_rzi_ftz(a: u32) -> u32 {
    f32::from_bits(a) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_round_to_nearest_even() {
        assert_eq!(f32_from_u32_rn(0x0100_0001), 0x4b80_0000);
        assert_eq!(f32_from_u32_rn(0x0100_0003), 0x4b80_0002);
        assert_eq!(f32_from_u32_rn(u32::MAX), 0x4f80_0000);
        assert_eq!(f32_from_s32_rn(u32::MAX), 0xbf80_0000);
    }

    #[test]
    fn floats_truncate_and_saturate() {
        assert_eq!(s32_from_f32_rzi_ftz((-1.9_f32).to_bits()), -1_i32 as u32);
        assert_eq!(s32_from_f32_rzi_ftz(1e10_f32.to_bits()), i32::MAX as u32);
        assert_eq!(s32_from_f32_rzi_ftz(0x7fc0_0000), 0);
        assert_eq!(u32_from_f32_rzi_ftz((-1.0_f32).to_bits()), 0);
        assert_eq!(u32_from_f32_rzi_ftz(f32::INFINITY.to_bits()), u32::MAX);
    }
}
