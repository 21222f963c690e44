//! Tests of the approximations: the manual's error bounds against the host's math library, and
//! recorded hardware results where they are exactly defined.

use super::super::float::{NAN, SIGN};
use super::{div_f32, div_ftz_f32, div_full_f32, div_full_ftz_f32};
use super::{rcp_f32, rcp_ftz_f32, rsqrt_f32, rsqrt_ftz_f32, sqrt_f32, sqrt_ftz_f32};
use std::f64::consts::{FRAC_PI_2, PI};

const INF: u32 = 0x7f80_0000;
const ONE: u32 = 0x3f80_0000;

fn value(bits: u32) -> f64 {
    f32::from_bits(bits) as f64
}

/// Functions of one lane.
macro_rules! of_one_lane {
    ($($name:ident)*) => {$(
        fn $name(x: u32) -> u32 {
            super::$name(&[x; 32])[0]
        }
    )*};
}
of_one_lane! { lg2_f32 lg2_ftz_f32 ex2_f32 ex2_ftz_f32 sin_f32 sin_ftz_f32 cos_f32 cos_ftz_f32 }

/// Returns every 4,099th f32 from `first` to `last`, by their bits.
fn sample(first: f32, last: f32) -> impl Iterator<Item = u32> {
    (first.to_bits()..=last.to_bits()).step_by(4099)
}

/// Checks that the maximum of `error` over `sample` is below 2^`log2`.
#[track_caller]
fn assert_bound(sample: impl Iterator<Item = u32>, log2: f64, error: impl Fn(u32) -> f64) {
    let worst = sample.map(|x| (error(x), x)).fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a });
    assert!(worst.0 < 2f64.powf(log2), "{:e} at {:#x} is above 2^{log2}", worst.0, worst.1);
}

fn relative(got: u32, expected: f64) -> f64 {
    ((value(got) - expected) / expected).abs()
}

// The manual's bounds are wider: 2^-23 for `rcp`, 2^-22.4 for `rsqrt`. Half a unit in the last
// place of an f32 is a relative error of at most 2^-24.
const HALF_A_STEP: f64 = -23.999;

#[test]
fn reciprocals_and_roots_are_within_half_a_step() {
    let normal = || sample(f32::MIN_POSITIVE, f32::MAX);
    let up_to_2_126 = || sample(f32::MIN_POSITIVE, 8.5e37);
    assert_bound(up_to_2_126(), HALF_A_STEP, |x| relative(rcp_ftz_f32(x), 1.0 / value(x)));
    assert_bound(normal(), HALF_A_STEP, |x| relative(sqrt_ftz_f32(x), value(x).sqrt()));
    assert_bound(normal(), HALF_A_STEP, |x| relative(rsqrt_ftz_f32(x), 1.0 / value(x).sqrt()));
    assert_bound(sample(1e-45, 1e-38), HALF_A_STEP, |x| relative(rsqrt_f32(x), 1.0 / value(x).sqrt()));
}

/// A function of all lanes.
type Function = fn(&[u32; 32]) -> [u32; 32];

/// Sum of the results for every 2,047th operand, each times twice its number plus 1.
fn checksum(function: Function) -> u64 {
    (0..1_u64 << 16).fold(0, |sum, row| {
        let numbers: [u64; 32] = std::array::from_fn(|lane| row * 32 + lane as u64);
        let results = function(&numbers.map(|i| (i as u32).wrapping_mul(2047)));
        let terms = numbers.iter().zip(results).map(|(i, result)| u64::from(result).wrapping_mul(2 * i + 1));
        terms.fold(sum, u64::wrapping_add)
    })
}

/// Operands of all sizes, subnormals, infinities and NaN. Recorded on an H200 (driver 580).
#[test]
fn interpolated_functions_have_the_recorded_bits() {
    let functions: [(Function, u64); 8] = [
        (super::lg2_f32, 0x3465_5495_0689_c156),
        (super::lg2_ftz_f32, 0x3461_61b4_1cf3_26c7),
        (super::ex2_f32, 0xc6d7_015b_4d7a_45b8),
        (super::ex2_ftz_f32, 0xc6cf_52a9_832e_5dcc),
        (super::sin_f32, 0x28a8_87d4_e0b4_eadb),
        (super::sin_ftz_f32, 0x28a8_87d4_e0b4_eadb),
        (super::cos_f32, 0x33a5_8f9c_b212_94c9),
        (super::cos_ftz_f32, 0x33a5_8f9c_b212_94c9),
    ];
    for (i, (function, recorded)) in functions.into_iter().enumerate() {
        assert_eq!(checksum(function), recorded, "function {i}");
    }
}

#[test]
fn sine_and_cosine_are_within_the_manuals_bound() {
    let pi = PI as f32;
    // The programming guide bounds `__sinf` and `__cosf` to 2^-21.41 and 2^-21.19.
    for (first, last) in [(1e-30, pi), (-1e-30, -pi)] {
        assert_bound(sample(first, last), -21.41, |x| (value(sin_f32(x)) - value(x).sin()).abs());
        assert_bound(sample(first, last), -21.19, |x| (value(cos_f32(x)) - value(x).cos()).abs());
    }
}

#[test]
fn errors_have_the_size_of_those_of_the_hardware() {
    // The largest errors that were recorded: 2^-22.15 and 2^-22.58 for `lg2` below and above 1,
    // 2^-22.7 of the value for `ex2`.
    let logarithm = |x| (value(lg2_f32(x)) - value(x).log2()).abs();
    let power = |x| relative(ex2_f32(x), value(x).exp2());
    for (first, last, bound) in [(0.5, 1.0, -22.1), (1.0, 2.0, -22.5)] {
        assert_bound(sample(first, last), bound, logarithm);
        assert!(sample(first, last).any(|x| logarithm(x) > 2f64.powf(bound - 0.5)));
    }
    assert_bound(sample(1e-45, 127.99), -22.7, power);
    assert!(sample(1.0, 2.0).any(|x| power(x) > 2f64.powf(-23.1)));
}

#[test]
fn sine_and_cosine_count_turns_as_the_hardware_does() {
    // Recorded: sin.approx.f32 and cos.approx.f32 up to 100π, where the rounding of the turns is
    // visible.
    for (x, sine, cosine) in RECORDED_FAR {
        assert!((value(sin_f32(x)) - value(sine)).abs() < 2f64.powi(-21), "sin {x:#x}");
        assert!((value(cos_f32(x)) - value(cosine)).abs() < 2f64.powi(-21), "cos {x:#x}");
    }
    // So many turns that 24 bits have no fraction.
    for huge in [0x4d00_0000, 0x7149_f2ca, 0x7f7f_ffff, 0xff7f_ffff] {
        assert_eq!([sin_f32(huge) & !SIGN, cos_f32(huge)], [0, ONE]);
    }
    // Multiples of a quarter turn.
    let quarters: Vec<i32> =
        (-4..=4).map(|q| value(sin_f32(((q as f64 * FRAC_PI_2) as f32).to_bits())).round() as i32).collect();
    assert_eq!(quarters, [0, 1, 0, -1, 0, 1, 0, -1, 0]);
}

/// Operand, recorded sine, recorded cosine.
const RECORDED_FAR: [(u32, u32, u32); 6] = [
    (0x4397_9e0c, 0x3f7f_5acd, 0xbd91_52d5),
    (0x4308_d5d7, 0xbf7c_0b50, 0x3e33_51c9),
    (0xc30b_9f7f, 0xbf7b_f629, 0x3e35_2ae6),
    (0xc300_01a3, 0xbf37_7322, 0xbf32_8e48),
    (0xc26a_ccd8, 0xbf56_0db9, 0xbf0c_6ad9),
    (0x421b_7b9e, 0x3f6b_df43, 0x3ec7_0036),
];

#[test]
fn exactly_defined_results_agree_with_the_hardware() {
    for f in [rcp_f32, rcp_ftz_f32, rsqrt_f32, rsqrt_ftz_f32] {
        assert_eq!([f(0), f(SIGN), f(INF), f(ONE), f(0x7f81_2345)], [INF, INF | SIGN, 0, ONE, NAN]);
    }
    assert_eq!([rcp_f32(INF | SIGN), rsqrt_f32(INF | SIGN), rsqrt_f32(ONE | SIGN)], [SIGN, NAN, NAN]);
    assert_eq!([rcp_f32(1), rcp_f32(0x0040_0000), rcp_f32(0x807f_ffff)], [INF, 0x7f00_0000, 0xfe80_0001]);
    assert_eq!([rcp_ftz_f32(0x0040_0000), rcp_ftz_f32(0x807f_ffff)], [INF, INF | SIGN]);
    assert_eq!([rcp_f32(0xff7f_ffff), rcp_ftz_f32(0xff7f_ffff)], [0x8020_0000, SIGN]);
    assert_eq!([rsqrt_f32(0x0040_0000), rsqrt_ftz_f32(0x0040_0000)], [0x5f35_04f3, INF]);
    assert_eq!([rsqrt_f32(0x807f_ffff), rsqrt_ftz_f32(0x807f_ffff)], [NAN, INF | SIGN]);
    assert_eq!([sqrt_f32(1), sqrt_ftz_f32(1), sqrt_f32(SIGN)], [0x1a35_04f3, 0, SIGN]);
    assert_eq!([sqrt_f32(0x807f_ffff), sqrt_ftz_f32(0x807f_ffff)], [NAN, SIGN]);
    for f in [sin_f32, sin_ftz_f32, cos_f32, cos_ftz_f32] {
        assert_eq!([f(INF), f(INF | SIGN), f(0x7fc0_0000), f(0x7f80_0001)], [NAN; 4]);
    }
    assert_eq!(
        [sin_f32(0), sin_f32(SIGN), sin_ftz_f32(1 | SIGN), cos_f32(0), cos_f32(SIGN)],
        [0, SIGN, SIGN, ONE, ONE]
    );
    for f in [lg2_f32, lg2_ftz_f32] {
        assert_eq!([f(0), f(SIGN), f(ONE), f(INF)], [INF | SIGN, INF | SIGN, 0, INF]);
        assert_eq!([f(ONE | SIGN), f(INF | SIGN), f(0xffc1_2345)], [NAN; 3]);
    }
    assert_eq!([lg2_f32(1), lg2_f32(0x807f_ffff)], [0xc315_0000, NAN]);
    assert_eq!([lg2_ftz_f32(1), lg2_ftz_f32(0x807f_ffff)], [INF | SIGN; 2]);
    for f in [ex2_f32, ex2_ftz_f32] {
        assert_eq!([f(0), f(0x8001_16c2), f(INF), f(INF | SIGN), f(0x7fc0_0000)], [ONE, ONE, INF, 0, NAN]);
        assert_eq!([f(0x4300_0000), f(0xc316_0000), f(0xff7f_ffff)], [INF, 0, 0]);
    }
    // 2^-126.5
    assert_eq!([ex2_f32(0xc2fd_0000), ex2_ftz_f32(0xc2fd_0000)], [0x005a_8279, 0]);
    // The logarithm of 1/2 is not exact.
    assert_eq!([lg2_f32(0x3f00_0000), lg2_f32(0x4000_0000)], [0xbf7f_fffe, ONE]);
}

#[test]
fn special_cases_of_divisions_agree_with_the_hardware() {
    for div in [div_f32, div_ftz_f32, div_full_f32, div_full_ftz_f32] {
        assert_eq!([div(ONE, 0), div(ONE, SIGN), div(INF, ONE | SIGN)], [INF, INF | SIGN, INF | SIGN]);
        assert_eq!(
            [div(0, 0), div(INF, INF), div(ONE, 0x7fc0_0000), div(ONE, INF | SIGN)],
            [NAN, NAN, NAN, SIGN]
        );
    }
    // A divisor that is flushed to zero, and a quotient that is flushed to zero.
    assert_eq!(
        [div_full_f32(0x3f7f_ffff, 0x0040_0000), div_full_ftz_f32(0x3f7f_ffff, 0x0040_0000)],
        [0x7eff_ffff, INF]
    );
    assert_eq!([div_f32(0x0080_0000, 0x4000_0000), div_ftz_f32(0x0080_0000, 0x4000_0000)], [0x0040_0000, 0]);
    // Divisors whose reciprocal is subnormal: an exception in the manual for `.approx`, but not for
    // `.full`.
    let (two_126, above) = (0x7e80_0000, 0x7e80_0001);
    assert_eq!(
        [div_f32(ONE, two_126), div_f32(above, above), div_f32(above, above | SIGN)],
        [0x0080_0000, 0, SIGN]
    );
    assert_eq!([div_f32(INF, above), div_full_f32(INF, above), div_full_f32(above, above)], [NAN, INF, ONE]);
}
