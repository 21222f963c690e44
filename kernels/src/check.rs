//! Comparison of a result with its reference.

use sim_core::stats::report::Verdict;

/// The first element that is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mismatch {
    /// Its index.
    pub index: u64,
    /// What it should be.
    pub expected: f64,
    /// What it is.
    pub got: f64,
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Check {
    /// Every element is right.
    Passed {
        /// Elements compared.
        compared: u64,
        /// Largest absolute difference.
        max_error: f64,
    },
    /// Some are not.
    Failed {
        /// Elements compared.
        compared: u64,
        /// How many are wrong.
        wrong: u64,
        /// The first of them.
        first: Mismatch,
        /// Largest absolute difference; infinite where a result is not a number.
        max_error: f64,
    },
    /// The kernel did not run to its end, so there is nothing to compare.
    NotRun,
    /// Only the first blocks were simulated, and of the others there are no results.
    Sampled,
}

impl Check {
    /// Compares `got` with `expected`, element by element: right is within `tolerance`.
    ///
    /// The kernels' inputs are chosen so that their results are exact, hence a tolerance of 0: all numbers are
    /// whole, no product exceeds 2^24 and no sum of magnitudes does, so that neither a product cut to 24 bits
    /// (`mad.f32` of compute capability 1.x) nor a rounded addition loses anything, in whatever order.
    pub fn compare(expected: impl ExactSizeIterator<Item = f64>, got: &[f32], tolerance: f64) -> Self {
        debug_assert_eq!(expected.len(), got.len());
        let compared = got.len() as u64;
        let (mut first, mut wrong, mut max_error) = (None, 0, 0.0f64);
        for (index, (expected, got)) in expected.zip(got).enumerate() {
            let got = f64::from(*got);
            let error = if got.is_nan() { f64::INFINITY } else { (got - expected).abs() };
            max_error = max_error.max(error);
            if error > tolerance {
                wrong += 1;
                first = first.or(Some(Mismatch { index: index as u64, expected, got }));
            }
        }
        match first {
            None => Self::Passed { compared, max_error },
            Some(first) => Self::Failed { compared, wrong, first, max_error },
        }
    }

    /// Of a launch that has not finished: why there is no comparison.
    pub fn none(verdict: &Verdict) -> Self {
        if matches!(verdict, Verdict::Estimated) { Self::Sampled } else { Self::NotRun }
    }

    /// Whether every element is right, or some are not; `None` where none was compared.
    pub fn verdict(&self) -> Option<bool> {
        match self {
            Self::Passed { .. } => Some(true),
            Self::Failed { .. } => Some(false),
            Self::NotRun | Self::Sampled => None,
        }
    }

    /// Whether every element is right.
    pub fn passed(&self) -> bool {
        matches!(self, Self::Passed { .. })
    }

    /// In words, with `unit` naming what was compared: `elements`, `partial sums`.
    pub fn describe(&self, unit: &str) -> String {
        match self {
            Self::Passed { compared: 1, max_error } => {
                format!("the result equals the host's (largest error {})", error_text(*max_error))
            }
            Self::Passed { compared, max_error } => {
                format!("all {compared} {unit} equal the host's (largest error {})", error_text(*max_error))
            }
            Self::Failed { compared, wrong, first, max_error } => format!(
                "{wrong} of {compared} {unit} are wrong: the first at index {}, {} instead of {} (largest error {})",
                first.index,
                first.got,
                first.expected,
                error_text(*max_error)
            ),
            Self::NotRun => "the kernel did not run to its end: nothing to compare".to_owned(),
            Self::Sampled => "not checked: sampled, so there are results of the first blocks only".to_owned(),
        }
    }
}

/// An absolute error for people: whole numbers as they are, others with three significant digits.
pub fn error_text(error: f64) -> String {
    if error.fract() == 0.0 && error < 1e9 || !error.is_finite() {
        error.to_string()
    } else {
        format!("{error:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_passes_and_the_first_mismatch_is_named() {
        let expected = [1.0, 2.0, 3.0];
        let passed = Check::compare(expected.into_iter(), &[1.0, 2.0, 3.0], 0.0);
        assert_eq!(passed, Check::Passed { compared: 3, max_error: 0.0 });
        let failed = Check::compare(expected.into_iter(), &[1.0, 2.5, 5.0], 0.0);
        let first = Mismatch { index: 1, expected: 2.0, got: 2.5 };
        assert_eq!(failed, Check::Failed { compared: 3, wrong: 2, first, max_error: 2.0 });
        assert!(failed.describe("elements").contains("at index 1, 2.5 instead of 2"));
        let shown = [0.0, 2.0, 0.000_002_384_185_791, f64::INFINITY].map(error_text);
        assert_eq!(shown, ["0", "2", "2.38e-6", "inf"]);
    }

    #[test]
    fn not_a_number_is_wrong_under_any_tolerance() {
        assert!(!Check::compare([0.0].into_iter(), &[f32::NAN], 1e30).passed());
        assert!(Check::compare([0.0].into_iter(), &[0.5], 0.5).passed());
    }
}
