//! Typed values and their bytes, little-endian as in device memory.

use isa::types::{ScalarType, TypeKind};

pub use crate::element::TYPES;

/// A number of a launch file or of a buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// A number with a fraction, or of a floating-point type.
    Float(f64),
}

impl Number {
    /// Returns the number as a double; whole numbers beyond 2^53 are rounded.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
        }
    }
}

/// Returns the smallest and largest whole number of a type. An untyped one (`.b32`) may be signed
/// or unsigned.
pub fn range(ty: ScalarType) -> (i128, i128) {
    let bits = ty.bytes() * 8;
    match ty.kind() {
        TypeKind::Unsigned => (0, (1i128 << bits) - 1),
        TypeKind::Signed => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        _ => (-(1i128 << (bits - 1)), (1i128 << bits) - 1),
    }
}

/// Whether the type is a floating-point type.
pub fn is_float(ty: ScalarType) -> bool {
    ty.kind() == TypeKind::Float
}

/// Whether one type is an integer and the other floating-point, which is certainly an error.
pub fn mixes_kinds(argument: ScalarType, param: ScalarType) -> bool {
    let (a, p) = (argument.kind(), param.kind());
    a != TypeKind::Bits && p != TypeKind::Bits && (a == TypeKind::Float) != (p == TypeKind::Float)
}

/// Appends the bytes of a number; the error names the reason for which the type cannot represent
/// it. Floating-point types round; a finite number beyond their range is an error, and only an
/// infinity is stored as one.
pub fn encode(ty: ScalarType, number: Number, out: &mut Vec<u8>) -> Result<(), String> {
    match (ty, number) {
        (ScalarType::F32, number) => {
            let (wide, narrow) = (number.as_f64(), number.as_f64() as f32);
            if narrow.is_infinite() && wide.is_finite() {
                return Err(format!(
                    "{wide:e} is out of range: {ty} ranges from {:e} to {:e}",
                    f32::MIN,
                    f32::MAX
                ));
            }
            out.extend(narrow.to_le_bytes());
        }
        (ScalarType::F64, number) => out.extend(number.as_f64().to_le_bytes()),
        (_, Number::Float(value)) if value.fract() == 0.0 && value.abs() < 1e30 => {
            return encode(ty, Number::Int(value as i128), out);
        }
        (_, Number::Float(value)) => {
            return Err(format!("{value} is not a whole number, which {ty} requires"));
        }
        (_, Number::Int(value)) => {
            let (least, largest) = range(ty);
            if !(least..=largest).contains(&value) {
                return Err(format!("{value} is out of range: {ty} ranges from {least} to {largest}"));
            }
            out.extend(&value.to_le_bytes()[..ty.bytes() as usize]);
        }
    }
    Ok(())
}

/// Returns the number in `bytes`, which are exactly one element.
pub fn decode(ty: ScalarType, bytes: &[u8]) -> Number {
    let mut wide = [0; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = u128::from_le_bytes(wide);
    match ty {
        ScalarType::F32 => Number::Float(f64::from(f32::from_bits(bits as u32))),
        ScalarType::F64 => Number::Float(f64::from_bits(bits as u64)),
        _ if ty.kind() == TypeKind::Signed => {
            let unused = 128 - ty.bytes() * 8;
            Number::Int((bits as i128) << unused >> unused)
        }
        _ => Number::Int(bits as i128),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(ty: ScalarType, number: Number) -> Result<Number, String> {
        let mut bytes = Vec::new();
        encode(ty, number, &mut bytes)?;
        assert_eq!(bytes.len(), ty.bytes() as usize);
        Ok(decode(ty, &bytes))
    }

    #[test]
    fn the_limits_of_every_type_are_accepted_and_values_beyond_rejected() {
        for (_, ty) in TYPES.iter().filter(|(_, ty)| !is_float(*ty)) {
            let (least, largest) = range(*ty);
            if ty.kind() != TypeKind::Bits {
                assert_eq!(round_trip(*ty, Number::Int(least)), Ok(Number::Int(least)));
            }
            assert_eq!(round_trip(*ty, Number::Int(largest)), Ok(Number::Int(largest)));
            assert!(round_trip(*ty, Number::Int(least - 1)).is_err());
            assert!(round_trip(*ty, Number::Int(largest + 1)).is_err());
        }
    }

    #[test]
    fn a_finite_number_never_becomes_an_infinity() {
        for beyond in [1e39, -1e39, 3.402_823_6e38] {
            let why = round_trip(ScalarType::F32, Number::Float(beyond)).unwrap_err();
            assert!(why.contains("is out of range: .f32 ranges from"), "{why}");
        }
        let most = Number::Float(f64::from(f32::MAX));
        assert_eq!(round_trip(ScalarType::F32, most), Ok(most));
        for infinity in [f64::INFINITY, f64::NEG_INFINITY].map(Number::Float) {
            assert_eq!(round_trip(ScalarType::F32, infinity), Ok(infinity));
            assert_eq!(round_trip(ScalarType::F64, infinity), Ok(infinity));
        }
        assert_eq!(round_trip(ScalarType::F64, Number::Float(1e39)), Ok(Number::Float(1e39)));
    }

    #[test]
    fn floats_round_and_fractions_do_not_become_integers() {
        assert_eq!(round_trip(ScalarType::F32, Number::Float(0.1)), Ok(Number::Float(f64::from(0.1f32))));
        assert_eq!(round_trip(ScalarType::F64, Number::Int(3)), Ok(Number::Float(3.0)));
        assert_eq!(round_trip(ScalarType::S32, Number::Float(-2.0)), Ok(Number::Int(-2)));
        assert!(round_trip(ScalarType::S32, Number::Float(0.5)).unwrap_err().contains("whole number"));
        assert!(round_trip(ScalarType::U8, Number::Float(f64::NAN)).is_err());
        assert!(round_trip(ScalarType::U8, Number::Float(f64::INFINITY)).is_err());
    }
}
