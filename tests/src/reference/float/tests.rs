//! Tests of the reference's floating point: against the host where that is exact, and at the
//! limits.

use super::*;
use proptest::prelude::*;

const ONE: u64 = 0x3f80_0000;
const SIGN: u64 = 1 << 31;
const INFINITY: u64 = 0x7f80_0000;
const ROUNDS: [Round; 4] = [Round::Nearest, Round::Zero, Round::Down, Round::Up];

fn way(format: Format, round: Round) -> Way {
    Way { format, round, flush: false }
}

/// Bits of a format, including extreme values, their neighbors and close exponents.
fn bits(format: Format) -> impl Strategy<Value = u64> {
    let edges = vec![0, format.hidden(), format.infinity(), format.one(), format.infinity() - 1];
    let near =
        (prop::sample::select(edges), 0u64..3, any::<bool>()).prop_map(move |(edge, off, negative)| {
            format.magnitude(edge.wrapping_sub(1).wrapping_add(off))
                | if negative { format.sign() } else { 0 }
        });
    let close = (any::<u64>(), 0u64..6).prop_map(move |(bits, low)| {
        let fraction = bits & (format.hidden() - 1);
        bits & format.sign() | (format.one() - 3 * format.hidden() + low * format.hidden() + fraction)
    });
    let all = (format.sign() - 1) | format.sign();
    prop_oneof![any::<u64>().prop_map(move |bits| bits & all), near, close]
}

fn single(bits: u64) -> Number {
    Number::of(bits, SINGLE, false)
}

fn double(bits: u64) -> Number {
    Number::of(bits, DOUBLE, false)
}

fn same32(host: f32, ours: Number) -> bool {
    let ours = ours.bits(way(SINGLE, Round::Nearest));
    if host.is_nan() { ours.is_none() } else { ours == Some(host.to_bits().into()) }
}

fn same64(host: f64, ours: Number) -> bool {
    let ours = ours.bits(way(DOUBLE, Round::Nearest));
    if host.is_nan() { ours.is_none() } else { ours == Some(host.to_bits()) }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Without flushing and rounded to nearest this is IEEE arithmetic, which every host has.
    #[test]
    fn singles_are_ieee(a in bits(SINGLE), b in bits(SINGLE), c in bits(SINGLE)) {
        let [x, y, z] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
        let [a, b, c] = [a, b, c].map(single);
        prop_assert!(same32(x + y, a.plus(b, Round::Nearest)));
        prop_assert!(same32(x - y, a.plus(b.negated(), Round::Nearest)));
        prop_assert!(same32(x * y, a.times(b)));
        prop_assert!(same32(x.mul_add(y, z), a.times(b).plus(c, Round::Nearest)));
        prop_assert!(same32(x / y, a.over(b)));
        prop_assert!(same32(x.sqrt(), a.root()));
        prop_assert_eq!(x.partial_cmp(&y), compare(a, b));
    }

    #[test]
    fn doubles_are_ieee(a in bits(DOUBLE), b in bits(DOUBLE), c in bits(DOUBLE)) {
        let [x, y, z] = [a, b, c].map(f64::from_bits);
        let [a, b, c] = [a, b, c].map(double);
        prop_assert!(same64(x + y, a.plus(b, Round::Nearest)));
        prop_assert!(same64(x - y, a.plus(b.negated(), Round::Nearest)));
        prop_assert!(same64(x * y, a.times(b)));
        prop_assert!(same64(x.mul_add(y, z), a.times(b).plus(c, Round::Nearest)));
        prop_assert!(same64(x / y, a.over(b)));
        prop_assert!(same64(x.sqrt(), a.root()));
        prop_assert_eq!(x.partial_cmp(&y), compare(a, b));
        prop_assert!(same32(x as f32, a));
    }

    /// Results rounded down and up enclose the exact one, and are the nearest number or its
    /// neighbor.
    #[test]
    fn directed_results_enclose(a in bits(DOUBLE), b in bits(DOUBLE), c in bits(DOUBLE)) {
        let exact = double(a).times(double(b)).plus(double(c), Round::Nearest);
        let [nearest, zero, down, up] = ROUNDS.map(|round| exact.bits(way(DOUBLE, round)));
        let Some((down, up)) = down.zip(up) else { return Ok(()) };
        prop_assert!(nearest == Some(down) || nearest == Some(up));
        prop_assert_eq!(zero, Some(if exact_is_negative(down, up) { up } else { down }));
        let key = |bits: u64| if bits >> 63 == 1 { -((bits << 1 >> 1) as i64) } else { bits as i64 };
        prop_assert!((0..2).contains(&(key(up) - key(down))));
        prop_assert_eq!(compare(double(down), exact).map(std::cmp::Ordering::is_le), Some(true));
        prop_assert_eq!(compare(double(up), exact).map(std::cmp::Ordering::is_ge), Some(true));
    }

    #[test]
    fn integer_conversions_match_the_hosts(a in bits(SINGLE), n in any::<i64>(), shift in 0u32..64) {
        let n = n >> shift;
        prop_assert!(same32(n as f32, Number::from_integer(n.into())));
        prop_assert!(same64(n as f64, Number::from_integer(n.into())));
        let x = f32::from_bits(a as u32);
        let whole = single(a).to_integer(Round::Zero).unwrap_or(0);
        prop_assert_eq!(i128::from(x as i32), whole.clamp(i32::MIN.into(), i32::MAX.into()));
        prop_assert_eq!(i128::from(x as u64), whole.clamp(0, u64::MAX.into()));
        prop_assert!(same32(x.trunc(), single(a).integral(Round::Zero)));
        prop_assert!(same32(x.floor(), single(a).integral(Round::Down)));
        prop_assert!(same32(x.round_ties_even(), single(a).integral(Round::Nearest)));
    }
}

fn exact_is_negative(down: u64, up: u64) -> bool {
    down >> 63 == 1 && (up >> 63 == 1 || up == 0)
}

#[test]
fn results_are_flushed_after_rounding_without_bounds() {
    let flushed = Way { format: SINGLE, round: Round::Nearest, flush: true };
    let product = |a, b| Number::of(a, SINGLE, true).times(Number::of(b, SINGLE, true));
    assert_eq!(product(0x0080_0000, 0x3f7f_ffff).bits(flushed), Some(0));
    assert_eq!(product(0x0080_0001, 0x3f7f_fffe).bits(flushed), Some(0x0080_0000));
    let kept = product(0x0080_0000, 0x3f7f_ffff).bits(way(SINGLE, Round::Nearest));
    assert_eq!(kept, Some(0x0080_0000));
    let one = Number::of(1, SINGLE, true);
    assert_eq!(one.plus(one, Round::Nearest).bits(flushed), Some(0));
}

#[test]
fn mad_truncates_its_product() {
    let mad =
        |a, b, c| truncated(single(a), single(b), single(c)).bits(way(SINGLE, Round::Nearest)).unwrap_or(!0);
    let (x, y) = (0x3f80_0001, 0x3fe0_0000);
    // The product is 1.75 plus 1.75 units of the last place: one unit is kept.
    let cut = single(0x3fe0_0001).plus(single(ONE | SIGN), Round::Nearest);
    assert_eq!(Some(mad(x, y, ONE | SIGN)), cut.bits(way(SINGLE, Round::Nearest)));
    assert_eq!(mad(x, y, SIGN), 0x3fe0_0002);
    // 2^127 · 2 - 2^127.
    assert_eq!(mad(0x7f00_0000, 0x4000_0000, 0xff00_0000), 0x7f00_0000);
}

#[test]
fn minimum_and_maximum_prefer_numbers_and_order_zeros_by_sign() {
    let pick = |a, b, greater| if extreme(a, b, SINGLE, true, greater) { a } else { b };
    let nan = 0x7fff_ffff;
    assert_eq!([pick(nan, ONE, false), pick(ONE, nan, true)], [ONE, ONE]);
    assert_eq!([pick(0, SIGN, false), pick(0, SIGN, true)], [SIGN, 0]);
    assert_eq!([pick(ONE, SIGN | ONE, false), pick(ONE, 0, true)], [SIGN | ONE, ONE]);
    assert_eq!([pick(INFINITY, ONE, true), pick(INFINITY | SIGN, ONE, false)], [INFINITY, INFINITY | SIGN]);
}

#[test]
fn inexact_results_follow_the_rounding_mode() {
    let all =
        |f: &dyn Fn(Round) -> Number| ROUNDS.map(|round| f(round).bits(way(SINGLE, round)).unwrap_or(!0));
    assert_eq!(all(&|round| single(ONE).plus(single(SIGN | 1), round)), [ONE, ONE - 1, ONE - 1, ONE]);
    assert_eq!(all(&|_| single(SIGN | 1).times(single(1))), [SIGN, SIGN, SIGN | 1, SIGN]);
    assert_eq!(all(&|round| single(SIGN | ONE).plus(single(ONE), round)), [0, 0, SIGN, 0]);
    let largest = INFINITY - 1;
    assert_eq!(all(&|_| single(largest).times(single(0x4000_0000))), [INFINITY, largest, largest, INFINITY]);
    let half = single(SIGN | 0x3f00_0000);
    assert_eq!(ROUNDS.map(|round| half.to_integer(round)), [Some(0), Some(0), Some(-1), Some(0)]);
}

#[test]
fn halves_convert_to_singles_and_back() {
    let narrow = |bits, round| single(bits).bits(way(HALF, round)).unwrap_or(0x7fff);
    for bits in (0..0x1_0000).filter(|bits| bits & 0x7fff <= 0x7c00) {
        for round in ROUNDS {
            let wide = Number::of(bits, HALF, false).bits(way(SINGLE, round)).unwrap_or(!0);
            assert_eq!(narrow(wide, round), bits);
        }
    }
    let all = |bits: u64| ROUNDS.map(|round| narrow(bits, round));
    assert_eq!(all(65_520_f32.to_bits().into()), [0x7c00, 0x7bff, 0x7bff, 0x7c00]);
    assert_eq!(all((-1.0_f32 - 1.0 / 2048.0).to_bits().into()), [0xbc00, 0xbc00, 0xbc01, 0xbc00]);
    assert_eq!(all(1), [0, 0, 0, 1]);
    assert_eq!(all(0x7fc0_0000), [0x7fff; 4]);
}

/// Compares with the true values, rounded to nearest.
#[test]
fn special_functions_are_close_to_the_true_values() {
    let single = |x: f32| Number::of(x.to_bits().into(), SINGLE, false);
    let value = |x: Number| f32::from_bits(x.bits(way(SINGLE, Round::Nearest)).unwrap_or(0x7fff_ffff) as u32);
    let near = |got: f32, wanted: f64, bound: f64| {
        assert!((f64::from(got) - wanted).abs() <= bound, "{got} instead of {wanted}");
    };
    for i in 1..4000 {
        let x = i as f32 * 0.003_7 - 7.0;
        near(value(single(x).power_of_two()), f64::from(x).exp2(), f64::from(x).exp2() * 6e-8);
        let y = i as f32 * i as f32 * 0.01;
        near(value(single(y).logarithm()), f64::from(y).log2(), f64::from(y).log2().abs() * 6e-8 + 1e-14);
        // Beyond one turn the 24-bit angle limits the precision.
        near(value(single(x).sine(0)), f64::from(x).sin(), 1.5e-6);
        near(value(single(x).sine(1)), f64::from(x).cos(), 1.5e-6);
        let tiny = x * 1e-20;
        near(value(single(tiny).sine(0)), f64::from(tiny), f64::from(tiny).abs() * 2e-7);
    }
    let exactly = |got: Number, wanted: f32| assert_eq!(value(got).to_bits(), wanted.to_bits(), "{wanted}");
    exactly(single(1e30).sine(0), 0.0);
    exactly(single(0.0).power_of_two(), 1.0);
    exactly(single(8.0).logarithm(), 3.0);
    exactly(single(-200.0).power_of_two(), 0.0);
    exactly(single(200.0).power_of_two(), f32::INFINITY);
    exactly(single(0.0).logarithm(), f32::NEG_INFINITY);
    assert!(value(single(f32::INFINITY).sine(1)).is_nan() && value(single(-1.0).logarithm()).is_nan());
}
