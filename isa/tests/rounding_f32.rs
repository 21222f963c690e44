//! f32 arithmetic and conversions of `isa::sem` against `rustc_apfloat`, a port of LLVM's software floating point: every
//! rounding, with subnormals kept and flushed, and saturated, on operands that meet at the borders.

use isa::sem::{cvt, float};
use proptest::prelude::*;
use rustc_apfloat::ieee::{Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

const SIGN: u32 = 1 << 31;
const ONE: u32 = 0x3f80_0000;
const NAN: u32 = 0x7fff_ffff;

type Two = fn(u32, u32) -> u32;
type Three = fn(u32, u32, u32) -> u32;

/// The four functions of an operation and a rounding: plain, `.sat`, `.ftz`, `.ftz.sat`.
type Variants<F> = (Round, [F; 4]);

const ADD: [Variants<Two>; 4] = [
    (
        Round::NearestTiesToEven,
        [float::add_rn_f32, float::add_rn_sat_f32, float::add_rn_ftz_f32, float::add_rn_ftz_sat_f32],
    ),
    (
        Round::TowardZero,
        [float::add_rz_f32, float::add_rz_sat_f32, float::add_rz_ftz_f32, float::add_rz_ftz_sat_f32],
    ),
    (
        Round::TowardNegative,
        [float::add_rm_f32, float::add_rm_sat_f32, float::add_rm_ftz_f32, float::add_rm_ftz_sat_f32],
    ),
    (
        Round::TowardPositive,
        [float::add_rp_f32, float::add_rp_sat_f32, float::add_rp_ftz_f32, float::add_rp_ftz_sat_f32],
    ),
];
const SUB: [Variants<Two>; 4] = [
    (
        Round::NearestTiesToEven,
        [float::sub_rn_f32, float::sub_rn_sat_f32, float::sub_rn_ftz_f32, float::sub_rn_ftz_sat_f32],
    ),
    (
        Round::TowardZero,
        [float::sub_rz_f32, float::sub_rz_sat_f32, float::sub_rz_ftz_f32, float::sub_rz_ftz_sat_f32],
    ),
    (
        Round::TowardNegative,
        [float::sub_rm_f32, float::sub_rm_sat_f32, float::sub_rm_ftz_f32, float::sub_rm_ftz_sat_f32],
    ),
    (
        Round::TowardPositive,
        [float::sub_rp_f32, float::sub_rp_sat_f32, float::sub_rp_ftz_f32, float::sub_rp_ftz_sat_f32],
    ),
];
const MUL: [Variants<Two>; 4] = [
    (
        Round::NearestTiesToEven,
        [float::mul_rn_f32, float::mul_rn_sat_f32, float::mul_rn_ftz_f32, float::mul_rn_ftz_sat_f32],
    ),
    (
        Round::TowardZero,
        [float::mul_rz_f32, float::mul_rz_sat_f32, float::mul_rz_ftz_f32, float::mul_rz_ftz_sat_f32],
    ),
    (
        Round::TowardNegative,
        [float::mul_rm_f32, float::mul_rm_sat_f32, float::mul_rm_ftz_f32, float::mul_rm_ftz_sat_f32],
    ),
    (
        Round::TowardPositive,
        [float::mul_rp_f32, float::mul_rp_sat_f32, float::mul_rp_ftz_f32, float::mul_rp_ftz_sat_f32],
    ),
];
const FMA: [Variants<Three>; 4] = [
    (
        Round::NearestTiesToEven,
        [float::fma_rn_f32, float::fma_rn_sat_f32, float::fma_rn_ftz_f32, float::fma_rn_ftz_sat_f32],
    ),
    (
        Round::TowardZero,
        [float::fma_rz_f32, float::fma_rz_sat_f32, float::fma_rz_ftz_f32, float::fma_rz_ftz_sat_f32],
    ),
    (
        Round::TowardNegative,
        [float::fma_rm_f32, float::fma_rm_sat_f32, float::fma_rm_ftz_f32, float::fma_rm_ftz_sat_f32],
    ),
    (
        Round::TowardPositive,
        [float::fma_rp_f32, float::fma_rp_sat_f32, float::fma_rp_ftz_f32, float::fma_rp_ftz_sat_f32],
    ),
];

/// Bits that meet at the borders: anything; neighbours of the ends of every range; exponents that make sums cancel, and
/// products fall on the smallest normal, the smallest subnormal and the largest number.
fn bits() -> impl Strategy<Value = u32> {
    let ends = vec![0u32, 0x0080_0000, 0x7f7f_ffff, 0x7f80_0000, ONE, 0x3f00_0000, 0x0040_0000, 0x4b00_0000];
    let near = (prop::sample::select(ends), 0u32..5, any::<bool>()).prop_map(|(end, off, negative)| {
        (end.wrapping_add(off).wrapping_sub(2) & !SIGN) | if negative { SIGN } else { 0 }
    });
    let exponents = vec![1u32, 2, 30, 52, 63, 64, 75, 104, 126, 127, 128, 150, 190, 191, 253, 254];
    let few = (prop::sample::select(exponents), 0u32..4, any::<u32>(), 0u32..4).prop_map(
        |(exponent, off, bits, kind)| {
            let fraction = match kind {
                0 => bits & 7,
                1 => 0x007f_fff8 | bits & 7,
                2 => 1 << (bits % 23),
                _ => bits & 0x007f_ffff,
            };
            bits & SIGN | (exponent + off).min(254) << 23 | fraction
        },
    );
    prop_oneof![any::<u32>(), near, few]
}

fn single(bits: u32) -> Single {
    Single::from_bits(bits.into())
}

fn wide(bits: u32) -> Quad {
    single(bits).convert(&mut false).value
}

fn flushed(bits: u32, flush: bool) -> u32 {
    if flush && bits & 0x7f80_0000 == 0 { bits & SIGN } else { bits }
}

/// Whether a result is flushed that lies between `inner` and `outer`, the exact result cut to 113 digits and rounded
/// away from zero to as many: whether with unbounded exponent it rounds to less than the smallest normal number.
fn is_flushed(round: Round, inner: Quad, outer: Quad) -> bool {
    let power = |n: i32| Quad::from_u128(1).value.scalbn(n);
    let places = |n: i32| (power(-126) - power(n)).value;
    let away = match round {
        Round::TowardNegative => inner.is_negative(),
        Round::TowardPositive => !inner.is_negative(),
        _ => false,
    };
    let (inner, outer) = (inner.abs(), outer.abs());
    match round {
        _ if away => outer <= places(-150),
        Round::NearestTiesToEven => inner < places(-151),
        _ => inner < power(-126),
    }
}

/// Compares the four variants of an operation with apfloat's: `exact` computes in 24 digits, `in_wide` in 113.
fn check(
    name: &str,
    round: Round,
    got: [u32; 4],
    operands: &[u32],
    exact: impl Fn(&[Single]) -> Single,
    in_wide: impl Fn(&[Quad], Round) -> Quad,
) -> Result<(), TestCaseError> {
    for (i, got) in got.into_iter().enumerate() {
        let (flush, saturate) = (i >= 2, i % 2 == 1);
        let operands: Vec<u32> = operands.iter().map(|bits| flushed(*bits, flush)).collect();
        let value = exact(&operands.iter().map(|bits| single(*bits)).collect::<Vec<_>>());
        let mut want = if value.is_nan() { NAN } else { value.to_bits() as u32 };
        if flush && value.is_finite() {
            let operands: Vec<Quad> = operands.iter().map(|bits| wide(*bits)).collect();
            let away = if value.is_negative() { Round::TowardNegative } else { Round::TowardPositive };
            let (inner, outer) = (in_wide(&operands, Round::TowardZero), in_wide(&operands, away));
            if !inner.is_zero() && is_flushed(round, inner, outer) {
                want &= SIGN;
            }
        }
        if saturate {
            want = if value.is_nan() || want & SIGN != 0 { 0 } else { want.min(ONE) };
        }
        prop_assert_eq!(got, want, "{} {:?} variant {}: {:x?}", name, round, i, operands);
    }
    Ok(())
}

/// From u32, s32, u64, s64.
type FromInteger = (Round, fn(u32) -> u32, fn(u32) -> u32, fn(u64) -> u32, fn(u64) -> u32);

/// Flushing or not; to u32, s32, u64, s64, and to an integral f32.
type ToInteger =
    (Round, bool, fn(u32) -> u32, fn(u32) -> u32, fn(u32) -> u64, fn(u32) -> u64, fn(u32) -> u32);

/// Flushing or not; to f16.
type ToHalf = (Round, bool, fn(u32) -> u32);

proptest! {
    #[test]
    fn arithmetic_rounds_as_apfloat_does(a in bits(), b in bits(), c in bits(), close in any::<bool>()) {
        for (round, functions) in ADD {
            let got = functions.map(|f| f(a, b));
            check("add", round, got, &[a, b], |v| v[0].add_r(v[1], round).value, |v, r| v[0].add_r(v[1], r).value)?;
        }
        for (round, functions) in SUB {
            let got = functions.map(|f| f(a, b));
            check("sub", round, got, &[a, b], |v| v[0].sub_r(v[1], round).value, |v, r| v[0].sub_r(v[1], r).value)?;
        }
        for (round, functions) in MUL {
            let got = functions.map(|f| f(a, b));
            check("mul", round, got, &[a, b], |v| v[0].mul_r(v[1], round).value, |v, r| v[0].mul_r(v[1], r).value)?;
        }
        // Half of the addends lie beside the product's negative.
        let product = float::mul_rn_f32(a, b);
        let c = if close && product != NAN { (product ^ SIGN).wrapping_add(c & 3) } else { c };
        for (round, functions) in FMA {
            let got = functions.map(|f| f(a, b, c));
            let exact = |v: &[Single]| v[0].mul_add_r(v[1], v[2], round).value;
            check("fma", round, got, &[a, b, c], exact, |v, r| v[0].mul_add_r(v[1], v[2], r).value)?;
        }
    }

    #[test]
    fn integers_become_singles_as_in_apfloat(n in any::<u64>(), shift in 0u32..64, low in 0u64..4) {
        // A few digits far above the last ones: what is cut off is next to nothing.
        let apart = n & 0x80ff << 48 | low;
        let n = n >> shift;
        let all: [FromInteger; 4] = [
            (Round::NearestTiesToEven, cvt::f32_from_u32_rn, cvt::f32_from_s32_rn, cvt::f32_from_u64_rn, cvt::f32_from_s64_rn),
            (Round::TowardZero, cvt::f32_from_u32_rz, cvt::f32_from_s32_rz, cvt::f32_from_u64_rz, cvt::f32_from_s64_rz),
            (Round::TowardNegative, cvt::f32_from_u32_rm, cvt::f32_from_s32_rm, cvt::f32_from_u64_rm, cvt::f32_from_s64_rm),
            (Round::TowardPositive, cvt::f32_from_u32_rp, cvt::f32_from_s32_rp, cvt::f32_from_u64_rp, cvt::f32_from_s64_rp),
        ];
        for (round, from_u32, from_s32, from_u64, from_s64) in all {
            let want = |n: i128| Single::from_i128_r(n, round).value.to_bits() as u32;
            // Both signs, and the top bit too.
            for n in [n, n.wrapping_neg(), n << shift, apart] {
                prop_assert_eq!(from_u32(n as u32), want((n as u32).into()), "{:?} u32 {}", round, n as u32);
                prop_assert_eq!(from_s32(n as u32), want((n as i32).into()), "{:?} s32 {}", round, n as i32);
                prop_assert_eq!(from_u64(n), want(n.into()), "{:?} u64 {}", round, n);
                prop_assert_eq!(from_s64(n), want((n as i64).into()), "{:?} s64 {}", round, n as i64);
            }
        }
    }

    #[test]
    fn singles_become_integers_as_in_apfloat(a in bits()) {
        let all: [ToInteger; 8] = [
            (Round::NearestTiesToEven, false, cvt::u32_from_f32_rni, cvt::s32_from_f32_rni, cvt::u64_from_f32_rni, cvt::s64_from_f32_rni, cvt::f32_from_f32_rni),
            (Round::NearestTiesToEven, true, cvt::u32_from_f32_rni, cvt::s32_from_f32_rni, cvt::u64_from_f32_rni, cvt::s64_from_f32_rni, cvt::f32_from_f32_rni_ftz),
            (Round::TowardZero, false, cvt::u32_from_f32_rzi_ftz, cvt::s32_from_f32_rzi_ftz, cvt::u64_from_f32_rzi, cvt::s64_from_f32_rzi, cvt::f32_from_f32_rzi),
            (Round::TowardZero, true, cvt::u32_from_f32_rzi_ftz, cvt::s32_from_f32_rzi_ftz, cvt::u64_from_f32_rzi, cvt::s64_from_f32_rzi, cvt::f32_from_f32_rzi_ftz),
            (Round::TowardNegative, false, cvt::u32_from_f32_rmi, cvt::s32_from_f32_rmi, cvt::u64_from_f32_rmi, cvt::s64_from_f32_rmi, cvt::f32_from_f32_rmi),
            (Round::TowardNegative, true, cvt::u32_from_f32_rmi_ftz, cvt::s32_from_f32_rmi_ftz, cvt::u64_from_f32_rmi_ftz, cvt::s64_from_f32_rmi_ftz, cvt::f32_from_f32_rmi_ftz),
            (Round::TowardPositive, false, cvt::u32_from_f32_rpi, cvt::s32_from_f32_rpi, cvt::u64_from_f32_rpi, cvt::s64_from_f32_rpi, cvt::f32_from_f32_rpi),
            (Round::TowardPositive, true, cvt::u32_from_f32_rpi_ftz, cvt::s32_from_f32_rpi_ftz, cvt::u64_from_f32_rpi_ftz, cvt::s64_from_f32_rpi_ftz, cvt::f32_from_f32_rpi_ftz),
        ];
        for (round, flush, to_u32, to_s32, to_u64, to_s64, whole) in all {
            let value = single(flushed(a, flush));
            let unsigned = |width| value.to_u128_r(width, round, &mut false).value as u64;
            let signed = |width| value.to_i128_r(width, round, &mut false).value as u64;
            // Of a NaN silicon makes 0 in 32 bits, the top bit in 64.
            let nan = value.is_nan();
            prop_assert_eq!(to_u32(a), unsigned(32) as u32, "{:?} u32 {:x}", round, a);
            prop_assert_eq!(to_s32(a), signed(32) as u32, "{:?} s32 {:x}", round, a);
            prop_assert_eq!(to_u64(a), if nan { 1 << 63 } else { unsigned(64) }, "{:?} u64 {:x}", round, a);
            prop_assert_eq!(to_s64(a), if nan { 1 << 63 } else { signed(64) }, "{:?} s64 {:x}", round, a);
            let integral = value.round_to_integral(round).value.to_bits() as u32;
            prop_assert_eq!(whole(a), if nan { NAN } else { integral }, "{:?} f32 {:x}", round, a);
        }
    }

    #[test]
    fn halves_are_rounded_as_in_apfloat(a in bits(), near in 95u32..145) {
        let all: [ToHalf; 6] = [
            (Round::NearestTiesToEven, false, cvt::f16_from_f32_rn),
            (Round::TowardZero, false, cvt::f16_from_f32_rz),
            (Round::TowardNegative, false, cvt::f16_from_f32_rm),
            (Round::TowardNegative, true, cvt::f16_from_f32_rm_ftz),
            (Round::TowardPositive, false, cvt::f16_from_f32_rp),
            (Round::TowardPositive, true, cvt::f16_from_f32_rp_ftz),
        ];
        // Anything, and exponents around the range of f16.
        for a in [a, a & 0x807f_ffff | near << 23] {
            for (round, flush, convert) in all {
                let value: Half = single(flushed(a, flush)).convert_r(round, &mut false).value;
                let want = if value.is_nan() { 0x7fff } else { value.to_bits() as u32 };
                prop_assert_eq!(convert(a), want, "{:?} {:x}", round, a);
            }
        }
    }
}
