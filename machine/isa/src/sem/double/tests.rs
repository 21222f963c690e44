//! Compares the results of host operations with those computed exactly in integers, on random
//! operands of all kinds.

use super::pair::is_ordinary;
use super::quotient::{div, div_exactly, rsqrt_exactly, sqrt, sqrt_exactly};
use super::sum::{add, add_exactly, fma, fma_exactly, mul, mul_exactly};
use super::*;
use crate::sem::float::Direction::{self, Down, Nearest, Up, Zero};
use test_support::random::Numbers;

const DIRECTIONS: [Direction; 4] = [Nearest, Zero, Down, Up];

/// Generates bits that often interact: exponents close to one, close to the limits of the format
/// and of ordinary operands, and arbitrary ones; fractions that are nearly zero, nearly full, have
/// one or two bits, or are arbitrary.
struct Operands(Numbers);

impl Operands {
    fn next(&mut self) -> u64 {
        let (kind, bits, more) = (self.0.bits(), self.0.bits(), self.0.bits());
        let fraction = match kind & 7 {
            0 => bits & 0xff,
            1 => !(bits & 0xff),
            2 => 1 << (bits % 52),
            3 => 1 << (bits % 52) | 1 << ((bits >> 32) % 52),
            4 => bits << 26,
            _ => bits,
        };
        let near = |center: u64, width: u64| (center + more % width).saturating_sub(width / 2);
        let exponent = match kind >> 3 & 15 {
            0..6 => near(1023, 8),
            6..9 => near(1023, 120),
            9 => near(2, 4),
            10 => near(2045, 4),
            11 => near(1023 - 900, 6),
            12 => near(1023 + 900, 6),
            13 => near(1023 + 500, 1000),
            14 => near(1023 - 500, 1000),
            _ => more % 2048,
        };
        bits & SIGN | exponent.min(2047) << 52 | fraction & ((1 << 52) - 1)
    }

    /// An operand close to `value`, or to half of its last place, with either sign: for
    /// cancellation, and for sums close to a tie.
    fn close_to(&mut self, value: u64) -> u64 {
        let (kind, bits) = (self.0.bits(), self.0.bits());
        let near = match kind & 3 {
            0 => value.wrapping_add(bits % 9).wrapping_sub(4),
            1 => value.wrapping_sub(53 << 52).wrapping_add(bits % 3).wrapping_sub(1),
            2 => value.wrapping_sub((50 + bits % 60) << 52),
            _ => value.wrapping_sub((bits % 110) << 52) & !0 << 52,
        };
        near ^ (kind & SIGN)
    }
}

/// Compares all operations on `count` random operands. Returns the number of ordinary results of a
/// fused multiply-add.
fn compare(seed: u64, count: u32) -> u32 {
    let (mut operands, mut ordinary) = (Operands(Numbers::new(seed)), 0);
    for _ in 0..count {
        let (a, b) = (operands.next(), operands.next());
        let product = mul_exactly(a, b, Nearest);
        let c = if operands.0.bits() & 1 == 0 { operands.next() } else { operands.close_to(product) };
        let near = operands.close_to(a);
        for to in DIRECTIONS {
            assert_eq!(add(a, b, to), add_exactly(a, b, to), "{a:#x} + {b:#x} {to:?}");
            assert_eq!(add(a, near, to), add_exactly(a, near, to), "{a:#x} + {near:#x} {to:?}");
            assert_eq!(mul(a, b, to), mul_exactly(a, b, to), "{a:#x} · {b:#x} {to:?}");
            assert_eq!(fma(a, b, c, to), fma_exactly(a, b, c, to), "{a:#x} · {b:#x} + {c:#x} {to:?}");
            assert_eq!(div(a, b, to), div_exactly(a, b, to), "{a:#x} / {b:#x} {to:?}");
            assert_eq!(div(product, b, to), div_exactly(product, b, to), "{product:#x} / {b:#x} {to:?}");
            assert_eq!(sqrt(a, to), sqrt_exactly(a, to), "√{a:#x} {to:?}");
            let square = mul_exactly(a, a, Nearest);
            assert_eq!(sqrt(square, to), sqrt_exactly(square, to), "√{square:#x} {to:?}");
        }
        assert_eq!(add_rn(a, near), add_exactly(a, near, Nearest), "{a:#x} + {near:#x}");
        assert_eq!(mul_rn(a, b), product, "{a:#x} · {b:#x}");
        assert_eq!(fma_rn_fused(a, b, c), fma_exactly(a, b, c, Nearest), "{a:#x} · {b:#x} + {c:#x}");
        assert_eq!(div_rn(a, b), div_exactly(a, b, Nearest), "{a:#x} / {b:#x}");
        assert_eq!(sqrt_rn(a), sqrt_exactly(a, Nearest), "√{a:#x}");
        assert_eq!(rsqrt_approx(a), rsqrt_exactly(a), "1/√{a:#x}");
        let all = [a, b, product, c].map(f64::from_bits);
        ordinary += u32::from(all.into_iter().all(is_ordinary));
    }
    ordinary
}

/// Tests: `arithmetic-of-silicon`.
#[test]
fn host_operations_agree_with_integer_arithmetic() {
    let ordinary = compare(1, 100_000);
    assert!((30_000..90_000).contains(&ordinary), "{ordinary} operands are ordinary");
}

/// As [`host_operations_agree_with_integer_arithmetic`], with 100 million operands.
#[test]
#[ignore = "minutes"]
fn host_operations_agree_with_integer_arithmetic_at_length() {
    std::thread::scope(|scope| {
        for seed in 0..2 {
            scope.spawn(move || compare(seed << 40, 50_000_000));
        }
    });
}

/// Reciprocal roots next to the midpoint of two numbers: squares of midpoints, rounded.
#[test]
fn reciprocal_roots_close_to_a_tie_are_rounded_exactly() {
    let mut operands = Operands(Numbers::new(3));
    for _ in 0..100_000 {
        let root = f64::from_bits(operands.0.bits() >> 11 | 0x3ff0_0000_0000_0000);
        let near = (1.0 / (root * root)).to_bits();
        for a in [near - 1, near, near + 1] {
            assert_eq!(rsqrt_approx(a), rsqrt_exactly(a), "1/√{a:#x}");
        }
    }
}

/// The quotient of an integer and its rounding to an integral value have independent references in
/// integers.
#[test]
fn integers_agree_with_integer_arithmetic() {
    let mut operands = Operands(Numbers::new(5));
    for _ in 0..100_000 {
        let (bits, shift) = (operands.0.bits(), operands.0.bits() % 64);
        let value = bits >> shift;
        for (to, [signed, unsigned]) in DIRECTIONS.into_iter().zip([
            [f64_from_s64_rn, f64_from_u64_rn],
            [f64_from_s64_rz, f64_from_u64_rz],
            [f64_from_s64_rm, f64_from_u64_rm],
            [f64_from_s64_rp, f64_from_u64_rp],
        ]) {
            let exactly = |value: i128| {
                let exact = round::Exact {
                    negative: value < 0,
                    digits: value.unsigned_abs(),
                    exponent: 0,
                    more: false,
                };
                if value == 0 { 0 } else { exact.round(to) }
            };
            assert_eq!(signed(value), exactly((value as i64).into()), "{value:#x} {to:?}");
            assert_eq!(unsigned(value), exactly(value.into()), "{value:#x} {to:?}");
        }
    }
}
