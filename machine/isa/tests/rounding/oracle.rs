//! Expected results of micro-ops, computed with `rustc_apfloat`.
//!
//! The exact result is represented in 113 digits; the last digit is set if there are more (round to
//! odd). No format of at most 53 digits can distinguish it from the exact result. It is then
//! rounded once.

use super::spec::{Operation, Spec, Type};
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};
use std::cmp::Ordering;

const SINGLE_NAN: u64 = 0x7fff_ffff;
const HALF_NAN: u64 = 0x7fff;
/// The NaN of an invalid double-precision operation whose operands are not NaNs.
const INVALID: u64 = 0xfff8_0000_0000_0000;
const QUIET: u64 = 1 << 51;

/// A micro-op with its sources.
pub struct Oracle<'a> {
    spec: &'a Spec,
    /// Bits of the sources as given.
    bits: &'a [u64],
    /// Values of the sources, with subnormals flushed where the micro-op flushes them.
    numbers: Vec<Quad>,
}

/// Returns the sign bit of a type.
fn sign(ty: Type) -> u64 {
    match ty {
        Type::Half => 1 << 15,
        Type::Single => 1 << 31,
        _ => 1 << 63,
    }
}

/// Returns the bits of 1.
fn one(ty: Type) -> u64 {
    match ty {
        Type::Half => 0x3c00,
        Type::Single => 0x3f80_0000,
        _ => 0x3ff0_0000_0000_0000,
    }
}

/// Returns the exact value of the bits of a floating-point or integer type.
fn number(bits: u64, ty: Type) -> Quad {
    match ty {
        Type::Half => Half::from_bits(bits.into()).convert(&mut false).value,
        Type::Single => Single::from_bits(bits.into()).convert(&mut false).value,
        Type::Integer { signed: true, bits: width } => {
            Quad::from_i128(i128::from((bits << (64 - width)) as i64 >> (64 - width))).value
        }
        Type::Integer { signed: false, bits: width } => {
            Quad::from_u128(u128::from(bits << (64 - width) >> (64 - width))).value
        }
        Type::Double | Type::Predicate => Double::from_bits(bits.into()).convert(&mut false).value,
    }
}

/// Returns the bits of a number rounded once to a floating-point type.
fn rounded(value: Quad, ty: Type, round: Round) -> u64 {
    let bits = match ty {
        Type::Half => FloatConvert::<Half>::convert_r(value, round, &mut false).value.to_bits(),
        Type::Single => FloatConvert::<Single>::convert_r(value, round, &mut false).value.to_bits(),
        _ => FloatConvert::<Double>::convert_r(value, round, &mut false).value.to_bits(),
    };
    bits as u64
}

/// Whether a result is flushed: rounded with unbounded exponent, it is less than the smallest
/// normal f32.
fn is_flushed(value: Quad, round: Round) -> bool {
    let limit = Quad::from_u128(1).value.scalbn(-100);
    // 2^64 times the value is rounded to the same number of digits, and is normal.
    let scaled = rounded(value.scalbn(64), Type::Single, round) & 0x7fff_ffff;
    value.is_finite_non_zero() && value.abs() < limit && scaled < (127 - 126 + 64) << 23
}

/// Returns the result of an operation in 113 digits, with the last digit set if there are more. The
/// sign of a zero depends on the rounding mode.
fn exact(f: impl Fn(Round) -> StatusAnd<Quad>, round: Round) -> Quad {
    let StatusAnd { status, value } = f(Round::TowardZero);
    if value.is_zero() {
        f(round).value
    } else if status.contains(Status::INEXACT) {
        Quad::from_bits(value.to_bits() | 1)
    } else {
        value
    }
}

/// Returns a product truncated to 24 digits with unchanged exponent.
fn cut(product: Quad) -> Quad {
    if product.is_finite_non_zero() { Quad::from_bits(product.to_bits() & !0 << (113 - 24)) } else { product }
}

impl<'a> Oracle<'a> {
    /// Creates the oracle for `spec` with sources that have these bits.
    pub fn new(spec: &'a Spec, bits: &'a [u64]) -> Self {
        let flushed = |bits: u64| {
            let subnormal = spec.flush && spec.from == Type::Single && bits & 0x7f80_0000 == 0;
            if subnormal { bits & sign(Type::Single) } else { bits }
        };
        let numbers = bits.iter().map(|bits| number(flushed(*bits), spec.from)).collect();
        Self { spec, bits, numbers }
    }

    /// Checks the result `got`. `Err` contains the expected result.
    pub fn holds(&self, got: u64) -> Result<(), String> {
        let spec = self.spec;
        if spec.operation == Operation::Sqrt
            && self.numbers[0].is_finite_non_zero()
            && !self.numbers[0].is_negative()
        {
            return if self.is_root(got) { Ok(()) } else { Err("not the rounded root".to_owned()) };
        }
        let wanted = match (spec.to, spec.from) {
            (Type::Predicate, _) => u64::from(self.compares()),
            (Type::Integer { signed, bits }, _) => self.integer(signed, bits),
            _ => self.float(),
        };
        if got == wanted { Ok(()) } else { Err(format!("{wanted:#x}")) }
    }

    fn compares(&self) -> bool {
        let order = self.numbers[0].partial_cmp(&self.numbers[1]);
        order.is_some_and(|order| match self.spec.operation {
            Operation::Eq => order.is_eq(),
            Operation::Ne => order.is_ne(),
            Operation::Lt => order.is_lt(),
            Operation::Le => order.is_le(),
            Operation::Gt => order.is_gt(),
            _ => order.is_ge(),
        })
    }

    /// Returns the result as an integer. Integers of fewer than 32 bits are extended according to
    /// their signedness.
    fn integer(&self, signed: bool, bits: u32) -> u64 {
        let (value, round, width) = (self.numbers[0], self.spec.round, bits as usize);
        let number = if value.is_nan() {
            // On the hardware a NaN becomes the top bit, but 0 for f32 sources and up to 32 bits.
            let top = self.spec.from == Type::Double || bits == 64;
            if top { (i128::from(signed) * -2 + 1) << (bits - 1) } else { 0 }
        } else if signed {
            value.to_i128_r(width, round, &mut false).value
        } else {
            value.to_u128_r(width, round, &mut false).value as i128
        };
        if bits == 64 { number as u64 } else { (number as u32).into() }
    }

    fn float(&self) -> u64 {
        let Spec { operation, round, to, .. } = *self.spec;
        let v = &self.numbers;
        let exact = |f: &dyn Fn(Round) -> StatusAnd<Quad>| exact(f, round);
        let value = match operation {
            Operation::Add => exact(&|r| v[0].add_r(v[1], r)),
            Operation::Sub => exact(&|r| v[0].sub_r(v[1], r)),
            Operation::Mul => exact(&|r| v[0].mul_r(v[1], r)),
            Operation::Fma => exact(&|r| v[0].mul_add_r(v[1], v[2], r)),
            Operation::Mad if v[2].is_zero() => {
                // As the manual defines it: a product and a sum, each rounded and flushed.
                let product = (v[0] * v[1]).value;
                let flushed = self.finished(product);
                exact(&|r| number(flushed, to).add_r(v[2], r))
            }
            Operation::Mad => exact(&|r| cut((v[0] * v[1]).value).add_r(v[2], r)),
            Operation::Div => exact(&|r| v[0].div_r(v[1], r)),
            Operation::Rcp => exact(&|r| Quad::from_u128(1).value.div_r(v[0], r)),
            Operation::Sqrt if v[0].is_negative() && !v[0].is_zero() => Quad::NAN,
            Operation::Neg => -v[0],
            Operation::Abs => v[0].abs(),
            Operation::Min => self.extreme(Ordering::Less),
            Operation::Max => self.extreme(Ordering::Greater),
            Operation::Cvt if self.spec.integral => v[0].round_to_integral(round).value,
            _ => v[0],
        };
        let bits = if value.is_nan() { self.nan() } else { self.finished(value) };
        let saturated = |bits: u64| if bits & sign(to) != 0 { 0 } else { bits.min(one(to)) };
        match (self.spec.saturate, value.is_nan()) {
            (true, true) => 0,
            (true, false) => saturated(bits),
            _ => bits,
        }
    }

    /// Returns a number rounded to the result's type and flushed.
    fn finished(&self, value: Quad) -> u64 {
        let Spec { round, to, flush, .. } = *self.spec;
        let bits = rounded(value, to, round);
        if flush && to == Type::Single && is_flushed(value, round) { bits & sign(to) } else { bits }
    }

    /// Returns the minimum or maximum operand: a number rather than a NaN, and -0 is less than +0.
    fn extreme(&self, wanted: Ordering) -> Quad {
        let (a, b) = (self.numbers[0], self.numbers[1]);
        match a.partial_cmp(&b) {
            None => {
                if a.is_nan() {
                    b
                } else {
                    a
                }
            }
            Some(Ordering::Equal) if a.is_zero() => {
                if a.is_negative() == (wanted == Ordering::Less) {
                    a
                } else {
                    b
                }
            }
            Some(order) => {
                if order == wanted {
                    a
                } else {
                    b
                }
            }
        }
    }

    /// Returns the bits of a NaN result. f32 has a single NaN. f64 returns the NaN operand as a
    /// quiet NaN: the second operand has priority over the third, and the third over the first; the
    /// dividend has priority over the divisor.
    fn nan(&self) -> u64 {
        let Spec { operation, to, from, flush, .. } = *self.spec;
        let bits = self.bits;
        match (from, to) {
            (Type::Double, Type::Single) => {
                bits[0] >> 32 & 0x8000_0000 | 0x7fc0_0000 | bits[0] >> 29 & 0x003f_ffff
            }
            (Type::Single, Type::Double) if flush => 0x7fff_ffff_e000_0000,
            (Type::Single, Type::Double) => {
                (bits[0] & 0x8000_0000) << 32 | 0x7ff8_0000_0000_0000 | (bits[0] & 0x007f_ffff) << 29
            }
            (_, Type::Double) => {
                let order: &[usize] = if operation == Operation::Div { &[0, 1] } else { &[1, 2, 0] };
                let nan = order.iter().filter_map(|i| bits.get(*i)).find(|bits| number(**bits, to).is_nan());
                nan.map_or(INVALID, |bits| bits | QUIET)
            }
            (_, Type::Half) => HALF_NAN,
            _ => SINGLE_NAN,
        }
    }

    /// Whether `root` is the rounded square root, determined by its adjacent numbers. In 113 digits
    /// the square of a result is exact, and so is that of the midpoint between two results.
    fn is_root(&self, root: u64) -> bool {
        let ty = self.spec.to;
        let value = |bits| number(bits, ty);
        let square = |x: Quad| (x * x).value;
        let (a, below, above) = (self.numbers[0], root.wrapping_sub(1), root + 1);
        match self.spec.round {
            Round::TowardPositive => square(value(root)) >= a && square(value(below)) < a,
            Round::NearestTiesToEven => {
                let half =
                    |x: u64, y: u64| square(((value(x) + value(y)).value / Quad::from_u128(2).value).value);
                half(root, above) >= a && half(below, root) <= a
            }
            _ => square(value(root)) <= a && square(value(above)) > a,
        }
    }
}
