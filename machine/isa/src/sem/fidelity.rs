//! Agreement of results with the hardware: bit for bit, or within a bound from the table of forms
//! and the micro-op table.
//!
//! The bounds are the tolerances of the vectors recorded on hardware. Each bound holds for every
//! recorded operand.

use std::fmt;

/// Agreement of an instruction's results with the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fidelity {
    /// The results are the same bits.
    Exact,
    /// PTX does not define the last bits, and they may differ from the hardware's.
    Within(Bound),
}

impl From<Option<Bound>> for Fidelity {
    fn from(bound: Option<Bound>) -> Self {
        bound.map_or(Self::Exact, Self::Within)
    }
}

impl fmt::Display for Fidelity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Exact => write!(f, "exact"),
            Self::Within(bound) => write!(f, "within {bound}"),
        }
    }
}

/// Unit of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Relative to the hardware's value.
    Relative,
    /// Absolute.
    Absolute,
    /// The sum of an absolute and a relative part.
    Sum,
}

/// Maximum difference from the hardware's result. If that result is zero, infinite or NaN, or
/// exactly defined for the operand, the results are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Unit of the bound.
    pub measure: Measure,
    /// Twice the binary logarithm: -43 is 2^-21.5.
    pub halves: i8,
    /// Operands for which the bound holds; `None` for all.
    pub range: Option<&'static str>,
}

impl Bound {
    const fn new(measure: Measure, halves: i8) -> Self {
        Self { measure, halves, range: None }
    }

    /// Returns the binary logarithm of the bound.
    pub fn log2(self) -> f64 {
        f64::from(self.halves) / 2.0
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let log2 = self.log2();
        match self.measure {
            Measure::Relative => write!(f, "2^{log2} of the value")?,
            Measure::Absolute => write!(f, "2^{log2}")?,
            Measure::Sum => write!(f, "2^{log2} plus 2^{log2} of the value")?,
        }
        self.range.map_or(Ok(()), |range| write!(f, ", {range}"))
    }
}

/// `div.approx.f32`, `div.full.f32`.
pub const DIVISION: Bound = Bound::new(Measure::Relative, -42);
/// `rcp.approx.f32`.
pub const RECIPROCAL: Bound = Bound::new(Measure::Relative, -43);
/// `sqrt.approx.f32`, `rsqrt.approx.f32`.
pub const ROOT: Bound = Bound::new(Measure::Relative, -42);
/// `sin.approx.f32`, `cos.approx.f32`.
pub const TURN: Bound =
    Bound { range: Some("for operands up to 100π"), ..Bound::new(Measure::Absolute, -39) };
/// `lg2.approx.f32`.
pub const LOGARITHM: Bound = Bound::new(Measure::Sum, -41);
/// `ex2.approx.f32`.
pub const POWER: Bound = Bound::new(Measure::Relative, -41);
/// `rcp.approx.ftz.f64`, `rsqrt.approx.f64`, `rsqrt.approx.ftz.f64`.
pub const DOUBLE: Bound = Bound::new(Measure::Relative, -38);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uop::Op;

    /// The name of a micro-op says whether it is an approximation. All other micro-ops have no
    /// bound.
    ///
    /// Tests: `executed-forms`.
    #[test]
    fn exactly_the_approximations_have_a_bound() {
        for op in Op::ALL {
            let approximates = op.text().split('.').any(|word| word == "approx" || word == "full");
            assert_eq!(op.fidelity() != Fidelity::Exact, approximates, "{}", op.text());
        }
    }

    #[test]
    fn bounds_are_displayed_as_text() {
        assert_eq!(Fidelity::from(Some(RECIPROCAL)).to_string(), "within 2^-21.5 of the value");
        assert_eq!(Fidelity::from(Some(TURN)).to_string(), "within 2^-19.5, for operands up to 100π");
        assert_eq!(LOGARITHM.to_string(), "2^-20.5 plus 2^-20.5 of the value");
        assert_eq!(Fidelity::from(None).to_string(), "exact");
    }
}
