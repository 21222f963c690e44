//! How near a result is to what the silicon gives: bit for bit, or within a bound that stands in
//! the lists of forms and of micro-ops.
//!
//! The bounds are the tolerances of the vectors recorded on silicon; each is kept for every
//! recorded operand.

use std::fmt;

/// How near the result of an instruction is to the silicon's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fidelity {
    /// The same bits.
    Exact,
    /// PTX leaves the last bits open, and they may differ from the silicon's.
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

/// What a bound is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// In the silicon's value.
    Relative,
    /// In units of one.
    Absolute,
    /// In both, added up.
    Sum,
}

/// A bound of the distance from the silicon's result. Where that is zero, infinite or NaN, or the
/// operand leaves no choice, the result is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// What it is measured in.
    pub measure: Measure,
    /// Twice the binary logarithm: -43 is 2^-21.5.
    pub halves: i8,
    /// The operands for which it holds, unless for all.
    pub range: Option<&'static str>,
}

impl Bound {
    const fn new(measure: Measure, halves: i8) -> Self {
        Self { measure, halves, range: None }
    }

    /// The binary logarithm of the bound.
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
/// `rcp.approx.ftz.f64`, `rsqrt.approx.f64`.
pub const DOUBLE: Bound = Bound::new(Measure::Relative, -38);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uop::Op;

    /// What approximates says so in its name; what has no bound must not.
    ///
    /// Tests: `executed-forms`.
    #[test]
    fn what_approximates_has_a_bound() {
        for op in Op::ALL {
            let approximates = op.text().split('.').any(|word| word == "approx" || word == "full");
            assert_eq!(op.fidelity() != Fidelity::Exact, approximates, "{}", op.text());
        }
    }

    #[test]
    fn bounds_are_told_in_words() {
        assert_eq!(Fidelity::from(Some(RECIPROCAL)).to_string(), "within 2^-21.5 of the value");
        assert_eq!(Fidelity::from(Some(TURN)).to_string(), "within 2^-19.5, for operands up to 100π");
        assert_eq!(LOGARITHM.to_string(), "2^-20.5 plus 2^-20.5 of the value");
        assert_eq!(Fidelity::from(None).to_string(), "exact");
    }
}
