//! Evaluation of operations on constants.

use crate::ssa::{Binary, Cmp, Convert, Function, Num, Op, Rounding, Ternary, Ty, Unary, Value};
use rustc_hash::FxHashMap;

/// Arithmetic of the target that constants depend on.
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a target")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arithmetic {
    /// Subnormal floats are zeros.
    pub ftz: bool,
    /// `Ternary::Mad` of floats rounds once (`sm_20`); otherwise it is not evaluated.
    pub fused: bool,
    /// Division of floats is exact; otherwise it is not evaluated.
    pub exact_division: bool,
    /// `double` is computed; below `sm_13` nothing of it is evaluated.
    pub double: bool,
}

/// The value of an operation whose operands have values; `of` returns them.
pub(super) fn evaluate(
    f: &Function,
    op: &Op,
    ty: Ty,
    arithmetic: Arithmetic,
    of: &impl Fn(Value) -> Option<u64>,
) -> Option<u64> {
    match *op {
        Op::Unary(op, a) => unary(op, of(a)?, ty, arithmetic),
        Op::Binary(op, a, b) => {
            let (x, y) = (of(a)?, of(b)?);
            if ty.is_float() { float(op, x, y, ty, arithmetic) } else { integer(op, x, y, ty) }
        }
        Op::Ternary(op, a, b, c) => ternary(op, of(a)?, of(b)?, of(c)?, ty, arithmetic),
        Op::Cmp(cmp, a, b) => {
            let operand = f.ty(a);
            if operand == Ty::F64 && !arithmetic.double {
                return None;
            }
            Some(u64::from(compare(cmp, of(a)?, of(b)?, operand, arithmetic)))
        }
        Op::Select(c, a, b) => {
            let (x, y) = (of(a)?, of(b)?);
            if x == y { Some(x) } else { Some(if of(c)? != 0 { x } else { y }) }
        }
        Op::Convert(convert, a) => {
            let double = convert.from == Num::F64 || convert.to == Num::F64;
            if double && !arithmetic.double { None } else { conversion(convert, of(a)?, arithmetic) }
        }
        Op::Bits(a) => of(a),
        _ => None,
    }
}

/// The value of an instruction, given values of instructions that are no constants.
pub(crate) fn evaluate_with(
    f: &Function,
    value: Value,
    arithmetic: Arithmetic,
    values: &FxHashMap<Value, u64>,
) -> Option<u64> {
    let of = |value: Value| f.constant(value).or_else(|| values.get(&value).copied());
    f.constant(value).or_else(|| evaluate(f, f.op(value), f.ty(value), arithmetic, &of))
}

/// Sign-extends the bits of a type.
pub(super) fn signed(bits: u64, ty: Ty) -> i64 {
    if ty == Ty::I32 { i64::from(bits as u32 as i32) } else { bits as i64 }
}

fn single(bits: u64, ftz: bool) -> f32 {
    let value = f32::from_bits(bits as u32);
    if ftz && value.is_subnormal() { 0f32.copysign(value) } else { value }
}

fn from_single(value: f32, ftz: bool) -> Option<u64> {
    // The bits of a NaN result depend on the hardware.
    if value.is_nan() {
        return None;
    }
    let value = if ftz && value.is_subnormal() { 0f32.copysign(value) } else { value };
    Some(u64::from(value.to_bits()))
}

fn from_double(value: f64) -> Option<u64> {
    (!value.is_nan()).then(|| value.to_bits())
}

fn unary(op: Unary, a: u64, ty: Ty, arithmetic: Arithmetic) -> Option<u64> {
    match (op, ty) {
        (Unary::Not, _) => Some(!a & ty.mask()),
        (Unary::Neg, Ty::I32 | Ty::I64) => Some(a.wrapping_neg() & ty.mask()),
        (Unary::Abs, Ty::I32 | Ty::I64) => Some(signed(a, ty).wrapping_abs() as u64 & ty.mask()),
        (Unary::Neg, Ty::F32) => from_single(-single(a, arithmetic.ftz), arithmetic.ftz),
        (Unary::Abs, Ty::F32) => from_single(single(a, arithmetic.ftz).abs(), arithmetic.ftz),
        (Unary::Neg, Ty::F64) if arithmetic.double => from_double(-f64::from_bits(a)),
        (Unary::Abs, Ty::F64) if arithmetic.double => from_double(f64::from_bits(a).abs()),
        _ => None,
    }
}

/// An operation on integers; division by zero has no constant value.
pub(super) fn integer(op: Binary, a: u64, b: u64, ty: Ty) -> Option<u64> {
    // The operands of a wide product have 32 bits.
    let narrow = if matches!(op, Binary::MulWideS | Binary::MulWideU) { Ty::I32 } else { ty };
    let (x, y) = (signed(a, narrow), signed(b, narrow));
    let bits = ty.bits().max(1);
    let low24 = |v: u64| i64::from((v as u32 as i32) << 8 >> 8);
    let result = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub | Binary::Diff => a.wrapping_sub(b),
        Binary::MulHiS => ((i128::from(x) * i128::from(y)) >> bits) as u64,
        Binary::MulHiU => ((u128::from(a) * u128::from(b)) >> bits) as u64,
        Binary::MulWideS => x.wrapping_mul(y) as u64,
        Binary::Mul | Binary::MulWideU => a.wrapping_mul(b),
        Binary::Mul24S => low24(a).wrapping_mul(low24(b)) as u64,
        Binary::Mul24U => (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff),
        Binary::DivS if y != 0 => x.wrapping_div(y) as u64,
        Binary::DivU => a.checked_div(b)?,
        Binary::RemS if y != 0 => x.wrapping_rem(y) as u64,
        Binary::RemU => a.checked_rem(b)?,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => {
            if b >= u64::from(bits) {
                0
            } else {
                a << b
            }
        }
        Binary::ShrU => {
            if b >= u64::from(bits) {
                0
            } else {
                a >> b
            }
        }
        Binary::ShrS => (x >> b.min(u64::from(bits) - 1)) as u64,
        Binary::MinS => x.min(y) as u64,
        Binary::MaxS => x.max(y) as u64,
        Binary::MinU => a.min(b),
        Binary::MaxU => a.max(b),
        Binary::FDiv | Binary::FMin | Binary::FMax | Binary::DivS | Binary::RemS => return None,
    };
    Some(result & ty.mask())
}

fn float(op: Binary, a: u64, b: u64, ty: Ty, arithmetic: Arithmetic) -> Option<u64> {
    if ty == Ty::F64 {
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        return match op {
            _ if !arithmetic.double => None,
            Binary::Add => from_double(x + y),
            Binary::Sub => from_double(x - y),
            Binary::Mul => from_double(x * y),
            Binary::FDiv => from_double(x / y),
            Binary::FMin if x < y || y < x => from_double(x.min(y)),
            Binary::FMax if x < y || y < x => from_double(x.max(y)),
            _ => None,
        };
    }
    let ftz = arithmetic.ftz;
    let (x, y) = (single(a, ftz), single(b, ftz));
    match op {
        Binary::Add => from_single(x + y, ftz),
        Binary::Sub => from_single(x - y, ftz),
        Binary::Mul => from_single(x * y, ftz),
        Binary::FDiv if arithmetic.exact_division => from_single(x / y, ftz),
        Binary::FMin if x < y || y < x => from_single(x.min(y), ftz),
        Binary::FMax if x < y || y < x => from_single(x.max(y), ftz),
        _ => None,
    }
}

fn ternary(op: Ternary, a: u64, b: u64, c: u64, ty: Ty, arithmetic: Arithmetic) -> Option<u64> {
    let product = match (op, ty) {
        (Ternary::Mad, Ty::I32 | Ty::I64) => integer(Binary::Mul, a, b, ty)?,
        (Ternary::MadWideS, _) => integer(Binary::MulWideS, a, b, ty)?,
        (Ternary::MadWideU, _) => integer(Binary::MulWideU, a, b, ty)?,
        (Ternary::Mad24S, _) => integer(Binary::Mul24S, a, b, ty)?,
        (Ternary::Mad24U, _) => integer(Binary::Mul24U, a, b, ty)?,
        (Ternary::Mad | Ternary::Fma, Ty::F64) if arithmetic.double => {
            return from_double(f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)));
        }
        (Ternary::Mad | Ternary::Fma, Ty::F32) if arithmetic.fused => {
            let ftz = arithmetic.ftz;
            return from_single(single(a, ftz).mul_add(single(b, ftz), single(c, ftz)), ftz);
        }
        _ => return None,
    };
    integer(Binary::Add, product, c, ty)
}

/// The result of a comparison of constants.
pub(super) fn compare(cmp: Cmp, a: u64, b: u64, ty: Ty, arithmetic: Arithmetic) -> bool {
    if cmp.is_float() {
        let (x, y) = if ty == Ty::F64 {
            (f64::from_bits(a), f64::from_bits(b))
        } else {
            (f64::from(single(a, arithmetic.ftz)), f64::from(single(b, arithmetic.ftz)))
        };
        let unordered = x.is_nan() || y.is_nan();
        #[expect(clippy::float_cmp, reason = "comparisons of IEEE 754")]
        return match cmp {
            Cmp::FEq => x == y,
            Cmp::FNe => !unordered && x != y,
            Cmp::FLt => x < y,
            Cmp::FLe => x <= y,
            Cmp::FGt => x > y,
            Cmp::FGe => x >= y,
            Cmp::FEqu => unordered || x == y,
            Cmp::FNeu => unordered || x != y,
            Cmp::FLtu => unordered || x < y,
            Cmp::FLeu => unordered || x <= y,
            Cmp::FGtu => unordered || x > y,
            _ => unordered || x >= y,
        };
    }
    let (x, y) = (signed(a, ty), signed(b, ty));
    match cmp {
        Cmp::Eq => a == b,
        Cmp::Ne => a != b,
        Cmp::LtS => x < y,
        Cmp::LeS => x <= y,
        Cmp::GtS => x > y,
        Cmp::GeS => x >= y,
        Cmp::LtU => a < b,
        Cmp::LeU => a <= b,
        Cmp::GtU => a > b,
        _ => a >= b,
    }
}

/// The integer of the bits of a type.
fn int_of(bits: u64, num: Num) -> i128 {
    match num {
        Num::U8 => i128::from(bits as u8),
        Num::S8 => i128::from(bits as i8),
        Num::U16 => i128::from(bits as u16),
        Num::S16 => i128::from(bits as i16),
        Num::U32 => i128::from(bits as u32),
        Num::S32 => i128::from(bits as i32),
        Num::S64 => i128::from(bits as i64),
        _ => i128::from(bits),
    }
}

fn conversion(convert: Convert, bits: u64, arithmetic: Arithmetic) -> Option<u64> {
    let Convert { from, to, rounding, integral } = convert;
    if !from.is_float() && !to.is_float() {
        return Some(int_of(int_of(bits, from) as u64, to) as u64 & to.ty().mask());
    }
    if !from.is_float() {
        let value = int_of(bits, from);
        return match (to, rounding) {
            (Num::F32, Rounding::Near) => Some(u64::from((value as f32).to_bits())),
            (Num::F64, Rounding::Near) => Some((value as f64).to_bits()),
            (Num::F32, Rounding::Zero) => {
                let near = value as f32;
                let above = near as i128 != value && (near as i128).abs() > value.abs();
                Some(u64::from(near.to_bits() - u32::from(above)))
            }
            _ => None,
        };
    }
    let value = if from == Num::F32 { f64::from(single(bits, arithmetic.ftz)) } else { f64::from_bits(bits) };
    if value.is_nan() {
        return None;
    }
    let rounded = match rounding {
        Rounding::Near => value.round_ties_even(),
        Rounding::Zero => value.trunc(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
    };
    match to {
        Num::F32 if integral => from_single(rounded as f32, false),
        Num::F64 if integral => from_double(rounded),
        Num::F64 => from_double(value),
        Num::F32 if rounding == Rounding::Near && from == Num::F64 => {
            let single = value as f32;
            // Whether a subnormal result is flushed depends on the target's conversion.
            if single.is_subnormal() { None } else { from_single(single, false) }
        }
        Num::F32 if from == Num::F32 => from_single(value as f32, arithmetic.ftz),
        Num::F32 => None,
        num => {
            let (low, high) = range(num);
            let inside = rounded >= low && rounded <= high;
            // Out of range the hardware clamps; those values are left to it.
            if !inside || num == Num::U64 && rounded >= 18_446_744_073_709_551_616.0 {
                return None;
            }
            Some(rounded as i128 as u64 & num.ty().mask())
        }
    }
}

/// The range of an integer type in which a conversion is exact.
fn range(num: Num) -> (f64, f64) {
    match num {
        Num::U8 => (0.0, 255.0),
        Num::S8 => (-128.0, 127.0),
        Num::U16 => (0.0, 65535.0),
        Num::S16 => (-32768.0, 32767.0),
        Num::U32 => (0.0, 4_294_967_295.0),
        Num::S32 => (-2_147_483_648.0, 2_147_483_647.0),
        Num::U64 => (0.0, 18_446_744_073_709_551_615.0),
        _ => (-9_223_372_036_854_775_808.0, 9_223_372_036_854_774_784.0),
    }
}
