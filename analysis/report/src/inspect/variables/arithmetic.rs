//! Arithmetic of expressions, with the types and conversions of C.

use super::Lanes;
use super::syntax::{Operation, Sign};
use isa::types::{ScalarType, TypeKind};

/// Whether a type is one of floating-point numbers that expressions compute with.
fn is_float(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::F32 | ScalarType::F64)
}

/// The type of a number in an operation: small ones become `int`. Bits without a type are signed.
fn promoted(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::F32 | ScalarType::F64 | ScalarType::U32 | ScalarType::U64 | ScalarType::S64 => ty,
        ScalarType::B64 => ScalarType::S64,
        _ => ScalarType::S32,
    }
}

/// Returns the type in which an operation of numbers of two types is computed.
pub fn common(a: ScalarType, b: ScalarType) -> ScalarType {
    let (a, b) = (promoted(a), promoted(b));
    let is = |ty| a == ty || b == ty;
    if is(ScalarType::F64) {
        ScalarType::F64
    } else if is(ScalarType::F32) {
        ScalarType::F32
    } else if is(ScalarType::U64) {
        ScalarType::U64
    } else if is(ScalarType::S64) {
        ScalarType::S64
    } else if is(ScalarType::U32) {
        ScalarType::U32
    } else {
        ScalarType::S32
    }
}

/// The value of an integer.
fn whole(ty: ScalarType, bits: u64) -> i128 {
    let narrow = 64 - 8 * ty.bytes().clamp(1, 8);
    match ty.kind() {
        TypeKind::Signed | TypeKind::Bits => (((bits << narrow) as i64) >> narrow).into(),
        TypeKind::Unsigned | TypeKind::Float => (bits << narrow >> narrow).into(),
        TypeKind::Pred => bits.into(),
    }
}

/// The bits of an integer.
fn bits_of(ty: ScalarType, value: i128) -> u64 {
    match ty {
        ScalarType::S8 => value as i8 as i32 as u32 as u64,
        ScalarType::S16 => value as i16 as i32 as u32 as u64,
        _ => match ty.bytes() {
            8 => value as u64,
            4 => value as u32 as u64,
            2 => value as u16 as u64,
            _ => value as u8 as u64,
        },
    }
}

/// The value of a number as a floating-point number. Bits without a type are those of one.
fn float(ty: ScalarType, bits: u64) -> f64 {
    match ty {
        ScalarType::F32 | ScalarType::B32 => f32::from_bits(bits as u32).into(),
        ScalarType::F64 | ScalarType::B64 => f64::from_bits(bits),
        _ => whole(ty, bits) as f64,
    }
}

/// Returns a value in another type, as C converts it.
pub fn convert(from: ScalarType, to: ScalarType, bits: u64) -> u64 {
    match to {
        _ if from == to => bits,
        ScalarType::F32 if is_float(from) || from == ScalarType::B32 => {
            u64::from((float(from, bits) as f32).to_bits())
        }
        ScalarType::F32 => u64::from((whole(from, bits) as f32).to_bits()),
        ScalarType::F64 => float(from, bits).to_bits(),
        _ if is_float(from) => bits_of(to, float(from, bits) as i128),
        _ => bits_of(to, whole(from, bits)),
    }
}

/// Returns whether a value is not zero.
pub fn truth(ty: ScalarType, bits: u64) -> bool {
    if is_float(ty) { float(ty, bits) != 0.0 } else { whole(ty, bits) != 0 }
}

/// Returns the result of an operation with one operand in each lane; `None` if its type has no such
/// operation.
pub fn sign(how: Sign, ty: ScalarType, lanes: &Lanes) -> Option<(ScalarType, Lanes)> {
    if how == Sign::Not {
        return Some((ScalarType::S32, lanes.map(|bits| Some(u64::from(!truth(ty, bits?))))));
    }
    let to = promoted(ty);
    if how == Sign::Complement && is_float(to) {
        return None;
    }
    let one = |bits: u64| {
        let bits = convert(ty, to, bits);
        match how {
            Sign::Minus if to == ScalarType::F32 => u64::from((-f32::from_bits(bits as u32)).to_bits()),
            Sign::Minus if to == ScalarType::F64 => (-f64::from_bits(bits)).to_bits(),
            Sign::Minus => bits_of(to, -whole(to, bits)),
            Sign::Complement => bits_of(to, !whole(to, bits)),
            Sign::Plus | Sign::Not => bits,
        }
    };
    Some((to, lanes.map(|bits| bits.map(one))))
}

/// Returns the result of an operation in each lane; `None` if its types have no such operation. A
/// lane that divides by zero has no result.
pub fn operation(
    how: Operation,
    (a, first): (ScalarType, &Lanes),
    (b, second): (ScalarType, &Lanes),
) -> Option<(ScalarType, Lanes)> {
    let is_shift = matches!(how, Operation::ShiftLeft | Operation::ShiftRight);
    let ty = if is_shift { promoted(a) } else { common(a, b) };
    let is_comparison = matches!(
        how,
        Operation::Equal
            | Operation::NotEqual
            | Operation::Less
            | Operation::Greater
            | Operation::AtMost
            | Operation::AtLeast
    );
    if is_float(ty) || is_shift && is_float(b) {
        let computes =
            matches!(how, Operation::Add | Operation::Subtract | Operation::Multiply | Operation::Divide);
        if !is_comparison && !computes {
            return None;
        }
    }
    let one = |x: u64, y: u64| {
        let x = convert(a, ty, x);
        if is_shift {
            return shifted(how, ty, x, whole(b, y));
        }
        let y = convert(b, ty, y);
        if is_comparison {
            let order = if is_float(ty) {
                float(ty, x).partial_cmp(&float(ty, y))
            } else {
                Some(whole(ty, x).cmp(&whole(ty, y)))
            };
            return Some(u64::from(match how {
                Operation::NotEqual => order.is_none_or(std::cmp::Ordering::is_ne),
                _ => order.is_some_and(|order| match how {
                    Operation::Equal => order.is_eq(),
                    Operation::Less => order.is_lt(),
                    Operation::Greater => order.is_gt(),
                    Operation::AtMost => order.is_le(),
                    _ => order.is_ge(),
                }),
            }));
        }
        match ty {
            ScalarType::F32 => {
                let (x, y) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
                let result = match how {
                    Operation::Add => x + y,
                    Operation::Subtract => x - y,
                    Operation::Multiply => x * y,
                    _ => x / y,
                };
                Some(u64::from(result.to_bits()))
            }
            ScalarType::F64 => {
                let (x, y) = (f64::from_bits(x), f64::from_bits(y));
                let result = match how {
                    Operation::Add => x + y,
                    Operation::Subtract => x - y,
                    Operation::Multiply => x * y,
                    _ => x / y,
                };
                Some(result.to_bits())
            }
            _ => {
                let (x, y) = (whole(ty, x), whole(ty, y));
                let result = match how {
                    Operation::Add => x + y,
                    Operation::Subtract => x - y,
                    Operation::Multiply => x.wrapping_mul(y),
                    Operation::Divide => x.checked_div(y)?,
                    Operation::Remainder => x.checked_rem(y)?,
                    Operation::BitAnd => x & y,
                    Operation::BitOr => x | y,
                    _ => x ^ y,
                };
                Some(bits_of(ty, result))
            }
        }
    };
    let lanes = std::array::from_fn(|lane| one(first[lane]?, second[lane]?));
    Some((if is_comparison { ScalarType::S32 } else { ty }, lanes))
}

/// A shifted integer; a shift by more than its bits leaves none of them.
fn shifted(how: Operation, ty: ScalarType, bits: u64, by: i128) -> Option<u64> {
    let (value, by) = (whole(ty, bits), u32::try_from(by).ok()?.min(64));
    let result = match how {
        Operation::ShiftLeft if by >= 8 * ty.bytes() => 0,
        Operation::ShiftLeft => value << by,
        _ => value >> by,
    };
    Some(bits_of(ty, result))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(how: Operation, a: (ScalarType, u64), b: (ScalarType, u64)) -> Option<(ScalarType, u64)> {
        let (ty, lanes) = operation(how, (a.0, &[Some(a.1); 32]), (b.0, &[Some(b.1); 32]))?;
        lanes[0].map(|bits| (ty, bits))
    }

    #[test]
    fn operations_have_the_types_of_c() {
        use ScalarType::{B32, F32, F64, S8, S32, S64, U32};
        let minus = |value: i32| (S32, u64::from(value as u32));
        let float = |value: f32| (F32, u64::from(value.to_bits()));
        assert_eq!(result(Operation::Divide, minus(-7), minus(2)), Some(minus(-3)));
        assert_eq!(result(Operation::Divide, minus(1), minus(0)), None, "a lane without a result");
        assert_eq!(result(Operation::Less, minus(-1), (U32, 5)), Some((S32, 0)), "unsigned, as in C");
        assert_eq!(result(Operation::Less, minus(-1), (S64, 5)), Some((S32, 1)));
        assert_eq!(result(Operation::Add, (S8, 0xffff_ffff), minus(3)), Some(minus(2)));
        assert_eq!(result(Operation::Multiply, float(1.5), minus(2)), Some(float(3.0)));
        assert_eq!(
            result(Operation::Equal, (B32, float(123.5).1), (F64, 123.5f64.to_bits())),
            Some((S32, 1))
        );
        assert_eq!(result(Operation::Remainder, float(1.0), minus(2)), None);
        assert_eq!(result(Operation::ShiftRight, minus(-8), minus(1)), Some(minus(-4)));
        assert_eq!(result(Operation::ShiftLeft, minus(1), minus(40)), Some(minus(0)));
    }
}
