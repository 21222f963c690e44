//! Conversion of literals to the bits of a type.

use crate::diag::Diagnostic;
use crate::ptx::ast::Literal;
use crate::span::Span;
use crate::types::ScalarType;

/// The f32 NaN that results from every f64 NaN.
const NAN32: u32 = 0x7fff_ffff;

/// Bits of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Low bits, as many as the type has; the bits above are zero.
    pub bits: u64,
    /// Whether the value does not fit: bits were lost.
    pub cut: bool,
}

/// A literal that cannot be converted to the requested type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    float: bool,
}

impl Mismatch {
    /// Returns the error for this literal.
    pub fn diagnostic(self, span: Span, ty: ScalarType) -> Diagnostic {
        let (what, expected) = match (self.float, ty) {
            (true, ScalarType::Pred) => ("a floating-point number", "expected 0 or 1"),
            (true, _) => ("a floating-point number", "expected an integer"),
            (false, _) => ("an integer", "expected a floating-point number such as 0f3F800000 or 1.0"),
        };
        Diagnostic::error("E0306", span, format!("expected a {ty} value, found {what}")).label(expected)
    }
}

/// Converts a literal to the bits of a value of type `ty`.
pub fn bits(literal: Literal, ty: ScalarType) -> Result<Bits, Mismatch> {
    let width = ty.bytes() * 8;
    let whole = |bits| Ok(Bits { bits, cut: false });
    match (literal, ty) {
        (Literal::Int { value, .. }, ScalarType::Pred) => whole((value != 0) as u64),
        (Literal::Int { .. }, ScalarType::F16 | ScalarType::F32 | ScalarType::F64) => {
            Err(Mismatch { float: false })
        }
        (Literal::Int { value, .. }, _) => {
            let bits = if width < 64 { value & ((1 << width) - 1) } else { value };
            let shift = 64 - width;
            let signed = ((bits << shift) as i64 >> shift) as u64;
            // The assembler has 64 bits for every number, so the bits of a negative value are also
            // written as a large unsigned number.
            let cut = bits != value && signed != value;
            Ok(Bits { bits, cut })
        }
        (Literal::F32(bits), ScalarType::F32 | ScalarType::B32) => whole(bits as u64),
        (Literal::F32(bits), ScalarType::F64) => whole(widened(bits)),
        (Literal::F64(bits), ScalarType::F64 | ScalarType::B64) => whole(bits),
        (Literal::F64(bits), ScalarType::F32) => whole(narrowed(bits) as u64),
        (Literal::F32(_) | Literal::F64(_), _) => Err(Mismatch { float: true }),
    }
}

/// Converts an f32 to f64. A NaN keeps its sign and payload and becomes quiet, independently of the
/// host.
fn widened(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        (bits as u64 & 0x8000_0000) << 32 | 0x7ff8_0000_0000_0000 | (bits as u64 & 0x007f_ffff) << 29
    } else {
        (value as f64).to_bits()
    }
}

/// Converts an f64 to the nearest f32.
fn narrowed(bits: u64) -> u32 {
    let value = f64::from_bits(bits);
    if value.is_nan() { NAN32 } else { (value as f32).to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i64) -> Literal {
        Literal::Int { value: value as u64, negative: value < 0 }
    }

    #[test]
    fn integers_wrap_to_their_type_and_report_lost_bits() {
        assert_eq!(bits(int(-1), ScalarType::S32), Ok(Bits { bits: 0xffff_ffff, cut: false }));
        assert_eq!(bits(int(0xffff_ffff), ScalarType::S32), Ok(Bits { bits: 0xffff_ffff, cut: false }));
        assert_eq!(bits(int(0x1_0000_0002), ScalarType::U32), Ok(Bits { bits: 2, cut: true }));
        assert_eq!(bits(int(-40000), ScalarType::S16), Ok(Bits { bits: 25536, cut: true }));
        assert_eq!(bits(int(i64::MIN), ScalarType::B64), Ok(Bits { bits: 1 << 63, cut: false }));
        assert_eq!(bits(int(2), ScalarType::Pred), Ok(Bits { bits: 1, cut: false }));
    }

    #[test]
    fn floats_are_rounded_once() {
        let tenth = Literal::F64(0.1_f64.to_bits());
        assert_eq!(bits(tenth, ScalarType::F32).unwrap().bits, 0.1_f32.to_bits() as u64);
        assert_eq!(bits(Literal::F32(0x3f80_0000), ScalarType::F64).unwrap().bits, 1.0_f64.to_bits());
        assert_eq!(bits(Literal::F64(0x7ff0_0000_0000_0001), ScalarType::F32).unwrap().bits, NAN32 as u64);
        assert_eq!(bits(Literal::F32(0x7f80_0001), ScalarType::B32).unwrap().bits, 0x7f80_0001);
    }

    #[test]
    fn integers_and_floats_do_not_mix() {
        assert_eq!(bits(int(1), ScalarType::F32), Err(Mismatch { float: false }));
        assert_eq!(bits(Literal::F32(0), ScalarType::U32), Err(Mismatch { float: true }));
        assert_eq!(bits(Literal::F64(0), ScalarType::B32), Err(Mismatch { float: true }));
    }
}
