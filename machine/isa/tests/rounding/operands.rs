//! Operands at the boundaries of the formats: subnormal and huge numbers, ties, cancellation.

use super::spec::{Spec, Type};
use isa::sem::{double, float};
use proptest::prelude::*;

/// Operands of every type for one test case.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    /// Operands in single precision, as bits.
    pub singles: [u32; 3],
    /// Operands in double precision, as bits.
    pub doubles: [u64; 3],
    /// An integer; narrower types use its low bits.
    pub word: u64,
}

impl Operands {
    /// Returns the sources for an operation.
    pub fn of(&self, spec: &Spec) -> Vec<u64> {
        let source = |i: usize| match spec.from {
            Type::Single => self.singles[i].into(),
            Type::Half => self.word & 0xffff,
            Type::Integer { bits: 64, .. } => self.word,
            Type::Integer { .. } => self.word & 0xffff_ffff,
            Type::Double | Type::Predicate => self.doubles[i],
        };
        (0..spec.sources).map(source).collect()
    }
}

/// Generates the bits of a single: arbitrary; close to the ends of every range; with exponents for
/// which sums cancel, and products and quotients reach the smallest normal, the smallest subnormal
/// and the largest number.
fn single() -> impl Strategy<Value = u32> {
    const SIGN: u32 = 1 << 31;
    let ends = vec![
        0u32,
        0x0080_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x3f80_0000,
        0x3f00_0000,
        0x0040_0000,
        0x4b00_0000,
        0x4f00_0000,
        0x5f00_0000,
    ];
    let near = (prop::sample::select(ends), 0u32..5, any::<bool>()).prop_map(|(end, off, negative)| {
        (end.wrapping_add(off).wrapping_sub(2) & !SIGN) | if negative { SIGN } else { 0 }
    });
    let exponents =
        vec![1u32, 2, 30, 52, 63, 64, 75, 95, 104, 113, 126, 127, 128, 143, 150, 158, 190, 191, 253, 254];
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

/// Generates exponents that often interact: around one, the smallest, the largest, those at the
/// boundaries of f32 and of its subnormal numbers, and arbitrary ones.
fn exponent() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => 1021u64..1027,
        2 => 1000u64..1100,
        2 => 0u64..3,
        1 => 2044u64..2047,
        1 => 400u64..620,
        1 => 1430u64..1600,
        2 => 870u64..902,
        1 => 1148u64..1153,
        1 => 0u64..2047,
        1 => Just(2047u64),
    ]
}

/// Generates fractions that often interact: nearly no bits, nearly all bits, one bit, arbitrary
/// bits, and bits that f32 lacks.
fn fraction() -> impl Strategy<Value = u64> {
    const ALL: u64 = (1 << 52) - 1;
    prop_oneof![
        2 => 0u64..4,
        2 => (0u64..4).prop_map(|less| ALL - less),
        2 => (0u32..52).prop_map(|place| 1 << place),
        1 => (0u32..52).prop_map(|place| ALL >> place),
        2 => (0..=ALL, 0u64..5).prop_map(|(bits, off)| (bits >> 28 << 28).wrapping_add(off).wrapping_sub(2) & ALL),
        4 => 0..=ALL,
    ]
}

fn any_double() -> impl Strategy<Value = u64> {
    (any::<bool>(), exponent(), fraction())
        .prop_map(|(negative, exponent, fraction)| u64::from(negative) << 63 | exponent << 52 | fraction)
}

/// Generates an integer: of any length and sign; with distant bits; close to a power of two.
fn word() -> impl Strategy<Value = u64> {
    prop_oneof![
        (any::<u64>(), 0u32..64, any::<bool>()).prop_map(|(n, shift, negative)| if negative {
            (n >> shift).wrapping_neg()
        } else {
            n >> shift
        }),
        (any::<u64>(), 0u32..64).prop_map(|(n, shift)| n << shift),
        (any::<u64>(), 0u64..4).prop_map(|(n, low)| n & (0x80ff << 48) | low),
        (0u32..64, 0u64..5).prop_map(|(place, off)| (1u64 << place).wrapping_add(off).wrapping_sub(2)),
    ]
}

/// Generates operands of every type. Half of the addends are close to the negative of the factors'
/// product, or some places below.
pub fn operands() -> impl Strategy<Value = Operands> {
    let singles = (single(), single(), single());
    let doubles = (any_double(), any_double(), any_double());
    let nearby = (any::<bool>(), 0u32..5, prop_oneof![Just(0u64), 0u64..60], any::<bool>());
    (singles, doubles, word(), nearby).prop_map(|((a, b, c), (x, y, z), word, (close, near, far, like))| {
        let (mut c, mut z) = (c, z);
        if close {
            let product = float::mul_rn_f32(a, b).wrapping_add(near).wrapping_sub(2);
            c = product.wrapping_sub((far.min(40) as u32) << 23) ^ if like { 0 } else { 1 << 31 };
            let product = double::mul_rn(x, y).wrapping_add(near.into()).wrapping_sub(2);
            z = product.wrapping_sub(far << 52) ^ if like { 0 } else { 1 << 63 };
        }
        Operands { singles: [a, b, c], doubles: [x, y, z], word }
    })
}
