//! Tests of division, reciprocal and square root: against arbitrary-precision arithmetic, against
//! exact squares, and with a sample of recorded hardware results.

use super::super::float::{NAN, SIGN};
use super::*;
use rustc_apfloat::Float;
use rustc_apfloat::Round;
use rustc_apfloat::ieee::Single;

const INF: u32 = 0x7f80_0000;
const MIN_NORMAL: u32 = 0x0080_0000;
const SUBNORMAL: u32 = 0x007f_ffff;
const LARGEST: u32 = 0x7f7f_ffff;
const ONE: u32 = 0x3f80_0000;

type Div = fn(u32, u32) -> u32;
type Unary = fn(u32) -> u32;

/// For each direction: the name in the oracle, the function that keeps subnormals, and the function
/// that flushes them.
const DIVISIONS: [(Round, Div, Div); 4] = [
    (Round::NearestTiesToEven, div_rn_f32, div_rn_ftz_f32),
    (Round::TowardZero, div_rz_f32, div_rz_ftz_f32),
    (Round::TowardNegative, div_rm_f32, div_rm_ftz_f32),
    (Round::TowardPositive, div_rp_f32, div_rp_ftz_f32),
];
const RECIPROCALS: [(Unary, Unary); 4] = [
    (rcp_rn_f32, rcp_rn_ftz_f32),
    (rcp_rz_f32, rcp_rz_ftz_f32),
    (rcp_rm_f32, rcp_rm_ftz_f32),
    (rcp_rp_f32, rcp_rp_ftz_f32),
];

/// Generates bits that often interact: few exponents, including those at both ends, and mantissas
/// that are nearly zero, nearly full, a power of two, or arbitrary.
fn operands() -> impl FnMut() -> u32 {
    let mut state = 1u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (kind, bits) = ((state >> 60) as u32, (state >> 24) as u32);
        let mantissa = match kind & 3 {
            0 => bits & 0xff,
            1 => 0x007f_ff00 | bits & 0xff,
            2 => 1 << (bits % 23),
            _ => bits & 0x007f_ffff,
        };
        let exponent = match kind >> 2 {
            0 => bits >> 23 & 0xff,
            1 => (bits >> 23 & 3) + 125,
            2 => bits >> 23 & 3,
            _ => (bits >> 23 & 3) + 252,
        };
        bits & SIGN | exponent << 23 | mantissa
    }
}

/// Returns the quotient computed with arbitrary-precision arithmetic.
fn quotient(a: u32, b: u32, round: Round) -> u32 {
    let single = |bits: u32| Single::from_bits(bits.into());
    let value = single(a).div_r(single(b), round).value;
    if value.is_nan() { NAN } else { value.to_bits() as u32 }
}

/// Returns the quotient with flushing. The magnitude before rounding to the subnormal steps
/// decides, so the dividend is scaled until the quotient is far from the subnormal range.
fn flushed_quotient(a: u32, b: u32, round: Round) -> u32 {
    let zeroed = |bits: u32| if bits & INF == 0 { bits & SIGN } else { bits };
    let (a, b) = (zeroed(a), zeroed(b));
    let plain = quotient(a, b, round);
    let finite = |bits: u32| bits & INF != INF && bits & !SIGN != 0;
    if !finite(a) || !finite(b) || plain & INF > 1 << 24 {
        return plain;
    }
    // The quotient is tiny: even 2^64 times the quotient is below 2.
    let scaled = Single::from_bits(a.into()).scalbn(if a & INF < 64 << 23 { 64 } else { 0 });
    let divisor = Single::from_bits(b.into()).scalbn(if a & INF < 64 << 23 { 0 } else { -64 });
    let size = scaled.div_r(divisor, round).value.to_bits() as u32;
    if size & !SIGN < MIN_NORMAL + (64 << 23) { size & SIGN } else { plain }
}

#[test]
fn quotients_agree_with_arbitrary_precision() {
    let mut next = operands();
    for _ in 0..200_000 {
        let (a, b) = (next(), next());
        for (round, keeping, flushing) in DIVISIONS {
            assert_eq!(keeping(a, b), quotient(a, b, round), "{a:#x} / {b:#x} {round:?}");
            assert_eq!(flushing(a, b), flushed_quotient(a, b, round), "{a:#x} / {b:#x} {round:?} flushed");
        }
    }
}

#[test]
fn a_reciprocal_is_a_quotient_of_one() {
    let mut next = operands();
    for _ in 0..100_000 {
        let a = next();
        for ((_, keeping, flushing), (rcp, rcp_ftz)) in DIVISIONS.into_iter().zip(RECIPROCALS) {
            assert_eq!([rcp(a), rcp_ftz(a)], [keeping(ONE, a), flushing(ONE, a)], "{a:#x}");
        }
    }
}

#[test]
fn roots_are_between_exact_squares() {
    let value = |bits: u32| f32::from_bits(bits) as f64;
    let mut next = operands();
    for _ in 0..200_000 {
        let a = next() & !SIGN;
        if a == 0 || a >= INF {
            continue;
        }
        // Squares of 25-bit numbers are exact in 53 bits.
        let (x, down) = (value(a), sqrt_rm_f32(a));
        let (low, high) = (value(down), value(down + 1));
        assert!(low * low <= x && x < high * high, "{a:#x}");
        let up = if low * low < x { down + 1 } else { down };
        assert_eq!([sqrt_rz_f32(a), sqrt_rp_f32(a)], [down, up], "{a:#x}");
        // A root is never half-way between two numbers, because its square would have 50 bits.
        let middle = f64::midpoint(low, high);
        let nearest = if x < middle * middle { down } else { down + 1 };
        assert_eq!(sqrt_rn_f32(a), nearest, "{a:#x}");
        let flushed = if a < MIN_NORMAL { [0; 4] } else { [nearest, down, down, up] };
        let flushing = [sqrt_rn_ftz_f32, sqrt_rz_ftz_f32, sqrt_rm_ftz_f32, sqrt_rp_ftz_f32];
        assert_eq!(flushing.map(|f| f(a)), flushed, "{a:#x}");
    }
}

#[test]
fn special_cases() {
    for (_, keeping, flushing) in DIVISIONS {
        for div in [keeping, flushing] {
            assert_eq!([div(ONE, 0), div(ONE | SIGN, 0), div(ONE, SIGN)], [INF, INF | SIGN, INF | SIGN]);
            assert_eq!([div(0, 0), div(INF, INF), div(0x7f80_0001, ONE), div(ONE, 0xffff_ffff)], [NAN; 4]);
            assert_eq!([div(ONE, INF), div(0, ONE | SIGN), div(INF, SIGN)], [0, SIGN, INF | SIGN]);
        }
    }
    for sqrt in [sqrt_rn_f32, sqrt_rp_f32, sqrt_rm_ftz_f32, sqrt_rz_ftz_f32] {
        assert_eq!([sqrt(0), sqrt(SIGN), sqrt(INF), sqrt(ONE)], [0, SIGN, INF, ONE]);
        assert_eq!([sqrt(ONE | SIGN), sqrt(INF | SIGN), sqrt(0xffc0_0000)], [NAN; 3]);
    }
    assert_eq!([sqrt_rn_f32(1 | SIGN), sqrt_rn_ftz_f32(1 | SIGN)], [NAN, SIGN]);
}

#[test]
fn directions_differ_at_overflow_and_underflow() {
    // Overflow: 2^127 / 0.25.
    let over = |div: Div| [div(0x7f00_0000, 0x3e80_0000), div(0xff00_0000, 0x3e80_0000)];
    assert_eq!(over(div_rn_f32), [INF, INF | SIGN]);
    assert_eq!(over(div_rz_f32), [LARGEST, LARGEST | SIGN]);
    assert_eq!(over(div_rm_f32), [LARGEST, INF | SIGN]);
    assert_eq!(over(div_rp_ftz_f32), [INF, LARGEST | SIGN]);
    // The smallest subnormal divided by 4.
    let under = |div: Div| [div(1, 0x4080_0000), div(1 | SIGN, 0x4080_0000)];
    assert_eq!([under(div_rn_f32), under(div_rz_f32)], [[0, SIGN]; 2]);
    assert_eq!([under(div_rm_f32), under(div_rp_f32)], [[0, 1 | SIGN], [1, SIGN]]);
    assert_eq!([under(div_rm_ftz_f32), under(div_rp_ftz_f32)], [[0, SIGN]; 2]);
    // 2^-126 exactly, and 2^-149 less. A flushing division rounds to multiples of 2^-150 there, so
    // the smaller result does not round up to 2^-126.
    assert_eq!(
        [div_rn_ftz_f32(0x00ff_ffff, 0x3fff_ffff), div_rm_ftz_f32(0x0100_0000, 0x4000_0000)],
        [MIN_NORMAL; 2]
    );
    let (a, b) = (MIN_NORMAL, 0x3f80_0001);
    assert_eq!([div_rn_ftz_f32(a, b), div_rz_ftz_f32(a, b), div_rp_ftz_f32(a, b)], [0; 3]);
    assert_eq!([div_rn_f32(a, b), div_rz_f32(a, b), div_rp_f32(a, b)], [SUBNORMAL, SUBNORMAL, MIN_NORMAL]);
}
