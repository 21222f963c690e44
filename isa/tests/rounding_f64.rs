//! f64 arithmetic and conversions of `isa::sem` against `rustc_apfloat`, a port of LLVM's software floating point: every
//! rounding, on operands that meet at the borders: subnormal and huge numbers, ties, cancellation.

use isa::sem::double;
use proptest::prelude::*;
use rustc_apfloat::ieee::{Double, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round, StatusAnd};

const SIGN: u64 = 1 << 63;
const INFINITY: u64 = 0x7ff0_0000_0000_0000;

const ROUNDS: [Round; 4] =
    [Round::NearestTiesToEven, Round::TowardZero, Round::TowardNegative, Round::TowardPositive];

/// The functions of an operation: `.rn .rz .rm .rp`.
type One = [fn(u64) -> u64; 4];
type Two = [fn(u64, u64) -> u64; 4];
type Three = [fn(u64, u64, u64) -> u64; 4];

const ADD: Two = [double::add_rn, double::add_rz, double::add_rm, double::add_rp];
const SUB: Two = [double::sub_rn, double::sub_rz, double::sub_rm, double::sub_rp];
const MUL: Two = [double::mul_rn, double::mul_rz, double::mul_rm, double::mul_rp];
const DIV: Two = [double::div_rn, double::div_rz, double::div_rm, double::div_rp];
const FMA: Three = [double::fma_rn, double::fma_rz, double::fma_rm, double::fma_rp];
const RCP: One = [double::rcp_rn, double::rcp_rz, double::rcp_rm, double::rcp_rp];
const SQRT: One = [double::sqrt_rn, double::sqrt_rz, double::sqrt_rm, double::sqrt_rp];
const INTEGRAL: One =
    [double::f64_from_f64_rni, double::f64_from_f64_rzi, double::f64_from_f64_rmi, double::f64_from_f64_rpi];
const TO_S64: One =
    [double::s64_from_f64_rni, double::s64_from_f64_rzi, double::s64_from_f64_rmi, double::s64_from_f64_rpi];
const TO_U64: One =
    [double::u64_from_f64_rni, double::u64_from_f64_rzi, double::u64_from_f64_rmi, double::u64_from_f64_rpi];
const TO_S32: [fn(u64) -> u32; 4] =
    [double::s32_from_f64_rni, double::s32_from_f64_rzi, double::s32_from_f64_rmi, double::s32_from_f64_rpi];
const TO_U32: [fn(u64) -> u32; 4] =
    [double::u32_from_f64_rni, double::u32_from_f64_rzi, double::u32_from_f64_rmi, double::u32_from_f64_rpi];
const FROM_S64: One =
    [double::f64_from_s64_rn, double::f64_from_s64_rz, double::f64_from_s64_rm, double::f64_from_s64_rp];
const FROM_U64: One =
    [double::f64_from_u64_rn, double::f64_from_u64_rz, double::f64_from_u64_rm, double::f64_from_u64_rp];
const TO_F32: [fn(u64) -> u32; 4] =
    [double::f32_from_f64_rn, double::f32_from_f64_rz, double::f32_from_f64_rm, double::f32_from_f64_rp];

fn of(bits: u64) -> Double {
    Double::from_bits(bits.into())
}

/// Bits as the oracle gives them; of NaNs only that they are.
fn oracle(result: StatusAnd<Double>) -> u64 {
    as_told(result.value.to_bits() as u64)
}

/// Every NaN the same: what becomes of payloads, which the silicon decides and not IEEE 754, has tests of its own.
fn as_told(bits: u64) -> u64 {
    if bits & !SIGN > INFINITY { u64::MAX } else { bits }
}

/// Exponents that meet: few around one, the least, the greatest, any.
fn exponent() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => 1021u64..1027,
        2 => 1000u64..1100,
        2 => 0u64..3,
        1 => 2044u64..2047,
        1 => 400u64..620,
        1 => 1430u64..1600,
        1 => 0u64..2047,
        1 => Just(2047u64),
    ]
}

/// Digits that meet: nearly none, nearly all, one, any.
fn fraction() -> impl Strategy<Value = u64> {
    const ALL: u64 = (1 << 52) - 1;
    prop_oneof![
        2 => 0u64..4,
        2 => (0u64..4).prop_map(|less| ALL - less),
        2 => (0u32..52).prop_map(|place| 1 << place),
        1 => (0u32..52).prop_map(|place| ALL >> place),
        4 => 0..=ALL,
    ]
}

fn number() -> impl Strategy<Value = u64> {
    (any::<bool>(), exponent(), fraction())
        .prop_map(|(negative, exponent, fraction)| u64::from(negative) << 63 | exponent << 52 | fraction)
}

/// An addend beside the negative of the product of two numbers, or some places below it, or any.
fn triple() -> impl Strategy<Value = (u64, u64, u64)> {
    let distance = prop_oneof![Just(0), 0u64..60];
    let beside = (number(), number(), 0u64..5, distance, any::<bool>());
    let beside = beside.prop_map(|(a, b, near, distance, like)| {
        let product = double::mul_rn(a, b);
        let c = product.wrapping_add(near).wrapping_sub(2).wrapping_sub(distance << 52);
        (a, b, if like { c } else { c ^ SIGN })
    });
    prop_oneof![beside, (number(), number(), number())]
}

/// The exact value in 113 digits, which hold the square of no more than 56.
fn wide(bits: u64) -> Quad {
    of(bits).convert(&mut false).value
}

/// The least f64 whose square is at least the operand, or the greatest whose square is at most that: found from the
/// result by looking at its neighbours.
fn is_rounded_root(a: u64, root: u64, round: Round) -> bool {
    let square = |bits| wide(bits).mul_r(wide(bits), Round::NearestTiesToEven).value;
    let (below, above) = (root.wrapping_sub(1), root + 1);
    match round {
        Round::TowardPositive => square(root) >= wide(a) && square(below) < wide(a),
        Round::NearestTiesToEven => {
            // In 113 digits a middle is exact, its square, of 107 digits, too.
            let half = |x: u64, y: u64| {
                let two = Quad::from_u128(2).value;
                let sum = wide(x).add_r(wide(y), Round::NearestTiesToEven).value;
                let middle = sum.div_r(two, Round::NearestTiesToEven).value;
                middle.mul_r(middle, Round::NearestTiesToEven).value
            };
            half(root, above) >= wide(a) && half(below, root) <= wide(a)
        }
        _ => square(root) <= wide(a) && square(above) > wide(a),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn two_operands_are_rounded_as_the_oracle_rounds((a, b) in (number(), number())) {
        for (i, round) in ROUNDS.into_iter().enumerate() {
            let (x, y) = (of(a), of(b));
            prop_assert_eq!(as_told(ADD[i](a, b)), oracle(x.add_r(y, round)), "{:#x} + {:#x} {:?}", a, b, round);
            prop_assert_eq!(as_told(SUB[i](a, b)), oracle(x.sub_r(y, round)), "{:#x} - {:#x} {:?}", a, b, round);
            prop_assert_eq!(as_told(MUL[i](a, b)), oracle(x.mul_r(y, round)), "{:#x} · {:#x} {:?}", a, b, round);
            prop_assert_eq!(as_told(DIV[i](a, b)), oracle(x.div_r(y, round)), "{:#x} / {:#x} {:?}", a, b, round);
        }
    }

    #[test]
    fn a_fused_multiply_add_is_rounded_once((a, b, c) in triple()) {
        for (f, round) in FMA.into_iter().zip(ROUNDS) {
            let expected = oracle(of(a).mul_add_r(of(b), of(c), round));
            prop_assert_eq!(as_told(f(a, b, c)), expected, "{:#x} · {:#x} + {:#x} {:?}", a, b, c, round);
        }
    }

    #[test]
    fn reciprocals_and_roots_are_rounded_once(a in number()) {
        let one = of(1.0f64.to_bits());
        for (i, round) in ROUNDS.into_iter().enumerate() {
            prop_assert_eq!(as_told(RCP[i](a)), oracle(one.div_r(of(a), round)), "1 / {:#x} {:?}", a, round);
            let root = SQRT[i](a);
            if a & SIGN == 0 && (1..INFINITY).contains(&a) {
                prop_assert!(is_rounded_root(a, root, round), "root of {:#x} is {:#x}, {:?}", a, root, round);
            }
        }
        // One over the rounded root is never far from the root of one over.
        let near = double::div_rn(1.0f64.to_bits(), double::sqrt_rn(a));
        prop_assert!(as_told(double::rsqrt_approx(a)).abs_diff(as_told(near)) <= 1, "{:#x}", a);
    }

    #[test]
    fn conversions_are_rounded_as_the_oracle_rounds((a, n) in (number(), any::<u64>())) {
        let n = n >> (n & 63);
        for (i, round) in ROUNDS.into_iter().enumerate() {
            prop_assert_eq!(as_told(INTEGRAL[i](a)), oracle(of(a).round_to_integral(round)), "{:#x}", a);
            let signed = oracle(Double::from_i128_r((n as i64).into(), round));
            prop_assert_eq!(FROM_S64[i](n), signed, "{:#x} {:?}", n, round);
            prop_assert_eq!(FROM_U64[i](n), oracle(Double::from_u128_r(n.into(), round)), "{:#x} {:?}", n, round);
            if !of(a).is_nan() {
                let signed = |width| of(a).to_i128_r(width, round, &mut false).value;
                let unsigned = |width| of(a).to_u128_r(width, round, &mut false).value;
                prop_assert_eq!(TO_S64[i](a), signed(64) as u64, "{:#x} {:?}", a, round);
                prop_assert_eq!(TO_U64[i](a), unsigned(64) as u64, "{:#x} {:?}", a, round);
                prop_assert_eq!(TO_S32[i](a), signed(32) as u32, "{:#x} {:?}", a, round);
                prop_assert_eq!(TO_U32[i](a), unsigned(32) as u32, "{:#x} {:?}", a, round);
                let single: Single = of(a).convert_r(round, &mut false).value;
                prop_assert_eq!(TO_F32[i](a), single.to_bits() as u32, "{:#x} {:?}", a, round);
            }
        }
    }

    #[test]
    fn flushing_looks_at_24_digits_with_unbounded_exponent(
        (negative, exponent, fraction) in (any::<bool>(), 890u64..902, fraction()),
    ) {
        // Between 2^-133 and 2^-121; 2^64 times as much is a normal f32, and so rounded to 24 digits.
        let a = u64::from(negative) << 63 | exponent << 52 | fraction;
        let flushing = [
            double::f32_from_f64_rn_ftz,
            double::f32_from_f64_rz_ftz,
            double::f32_from_f64_rm_ftz,
            double::f32_from_f64_rp_ftz,
        ];
        for ((f, keeping), round) in flushing.into_iter().zip(TO_F32).zip(ROUNDS) {
            let scaled: Single = of(a + (64 << 52)).convert_r(round, &mut false).value;
            let small = scaled.to_bits() as u32 & 0x7fff_ffff < (127 - 126 + 64) << 23;
            let expected = if small { u32::from(negative) << 31 } else { keeping(a) };
            prop_assert_eq!(f(a), expected, "{:#x} {:?}", a, round);
        }
    }
}
