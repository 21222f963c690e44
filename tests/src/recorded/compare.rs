//! Comparison of an output with the recorded one.
//!
//! Equal bits agree. For floating-point numbers any two NaNs agree, and a number within the
//! record's tolerance, if there is one. Without a tolerance the results must be equal bit for bit:
//! zeros of different sign differ.

use super::case::Output;
use isa::sem::fidelity::{Fidelity, Measure};
use isa::uop::Module;

/// Tolerance of a number: `abs + rel · |recorded|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Absolute part.
    pub abs: f64,
    /// Relative part.
    pub rel: f64,
}

impl Tolerance {
    /// No tolerance.
    pub const NONE: Self = Self { abs: 0.0, rel: 0.0 };

    /// Returns the tolerance that the list of micro-ops states for the module's code: none, or the
    /// bound of its approximate operation.
    pub fn stated(module: &Module) -> Self {
        let mut code = module.entries.iter().flat_map(|program| &program.code);
        let bound = code.find_map(|inst| match inst.op.fidelity() {
            Fidelity::Exact => None,
            Fidelity::Within(bound) => Some(bound),
        });
        let Some(bound) = bound else { return Self::NONE };
        let value = 2f64.powf(bound.log2());
        match bound.measure {
            Measure::Relative => Self { abs: 2f64.powi(-148), rel: value },
            Measure::Absolute => Self { abs: value, rel: 0.0 },
            Measure::Sum => Self { abs: value, rel: value },
        }
    }

    /// Whether `got` agrees with `expected`, both the little-endian bits of a value of type `ty`.
    pub fn allows(self, ty: &str, got: u64, expected: u64) -> bool {
        if got == expected {
            return true;
        }
        let (Some(got), Some(expected)) = (number(ty, got), number(ty, expected)) else { return false };
        if !got.is_finite() || !expected.is_finite() {
            // Equal infinities have the same bits, and were accepted above.
            return got.is_nan() && expected.is_nan();
        }
        self != Self::NONE && (got - expected).abs() <= self.abs + self.rel * expected.abs()
    }
}

/// Returns the floating-point number with these bits of type `ty`.
fn number(ty: &str, bits: u64) -> Option<f64> {
    match ty {
        "f32" => Some(f64::from(f32::from_bits(bits as u32))),
        "f64" => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// Returns the bytes of a value of type `ty` in memory.
pub fn size(ty: &str) -> Result<usize, String> {
    match ty.get(1..).and_then(|bits| bits.parse::<usize>().ok()) {
        Some(bits @ (8 | 16 | 32 | 64)) => Ok(bits / 8),
        _ => Err(format!("`{ty}` is not an output type")),
    }
}

/// Text of a value.
pub fn shown(ty: &str, bits: u64) -> String {
    match ty {
        "f32" => format!("{:?} ({bits:#010x})", f32::from_bits(bits as u32)),
        "f64" => format!("{:?} ({bits:#018x})", f64::from_bits(bits)),
        "s32" => format!("{} ({bits:#010x})", bits as i32),
        "s64" => format!("{} ({bits:#018x})", bits as i64),
        _ => format!("{bits} ({bits:#x})"),
    }
}

/// Compares an output. The error describes the first wrong element and gives the number of wrong
/// ones.
pub fn output(output: &Output, got: &[u8], expected: &[u8]) -> Result<(), String> {
    if got.len() != expected.len() {
        return Err(format!("{} has {} bytes instead of {}", output.expected, expected.len(), got.len()));
    }
    let alone = [output.ty.clone()];
    let columns = if output.ty == "row" { &output.row[..] } else { &alone };
    let tolerance = Tolerance { abs: output.abs, rel: output.rel };
    let sizes = columns.iter().map(|ty| size(ty)).collect::<Result<Vec<usize>, String>>()?;
    let row_bytes = sizes.iter().sum::<usize>();
    if row_bytes == 0 || !got.len().is_multiple_of(row_bytes) {
        return Err(format!("{} bytes are not a whole number of rows of {row_bytes} bytes", got.len()));
    }
    let (mut wrong, mut first, mut at, mut elements) = (0, None, 0, 0);
    while at < got.len() {
        for (column, (ty, size)) in columns.iter().zip(&sizes).enumerate() {
            let word = |bytes: &[u8]| {
                bytes[at..at + size].iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
            };
            let (got, expected) = (word(got), word(expected));
            if !tolerance.allows(ty, got, expected) {
                wrong += 1;
                first.get_or_insert_with(|| {
                    let place = if columns.len() > 1 { format!(", column {column}") } else { String::new() };
                    let (expected, got) = (shown(ty, expected), shown(ty, got));
                    format!("row {}{place}: expected {expected}, got {got}", elements / columns.len())
                });
            }
            at += size;
            elements += 1;
        }
    }
    match first {
        None => Ok(()),
        Some(first) => Err(format!("{wrong} of {elements} differ, the first in {first}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(value: f32) -> u64 {
        value.to_bits().into()
    }

    #[test]
    fn without_a_tolerance_only_equal_bits_and_nans_agree() {
        let none = Tolerance::NONE;
        assert!(none.allows("u32", 7, 7) && !none.allows("u32", 7, 8));
        assert!(!none.allows("f32", bits(0.0), bits(-0.0)));
        assert!(none.allows("f32", 0x7fff_ffff, 0x7fc0_0000));
        assert!(!none.allows("u32", 0x7fff_ffff, 0x7fc0_0000));
        assert!(!none.allows("f32", bits(f32::NAN), bits(1.0)));
    }

    #[test]
    fn a_tolerance_applies_to_numbers_only() {
        let some = Tolerance { abs: 0.0, rel: 0.01 };
        assert!(some.allows("f32", bits(1.009), bits(1.0)) && !some.allows("f32", bits(1.02), bits(1.0)));
        assert!(!some.allows("f32", bits(f32::MAX), bits(f32::INFINITY)));
        assert!(!some.allows("f32", bits(f32::INFINITY), bits(f32::NEG_INFINITY)));
        assert!(!some.allows("f32", bits(f32::NAN), bits(f32::INFINITY)));
        assert!(!some.allows("s32", 1009, 1000));
    }

    #[test]
    fn a_row_is_compared_column_by_column() {
        let row = Output {
            buf: "b".to_owned(),
            ty: "row".to_owned(),
            row: vec!["u32".to_owned(), "f64".to_owned()],
            bytes: 24,
            expected: "e".to_owned(),
            abs: 0.0,
            rel: 0.0,
        };
        let nan = |payload: u64| f64::from_bits(0x7ff8_0000_0000_0000 | payload).to_le_bytes();
        let expected = [&[1, 0, 0, 0][..], &nan(1), &[2, 0, 0, 0], &nan(2)].concat();
        let mut got = [&[1, 0, 0, 0][..], &nan(3), &[2, 0, 0, 0], &nan(4)].concat();
        assert_eq!(output(&row, &got, &expected), Ok(()));
        got[12] = 3;
        let e = "1 of 4 differ, the first in row 1, column 0: expected 2 (0x2), got 3 (0x3)";
        assert_eq!(output(&row, &got, &expected), Err(e.to_owned()));
        assert!(output(&row, &got[..23], &expected[..23]).is_err());
    }
}
