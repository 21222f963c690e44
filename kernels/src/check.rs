//! Comparison of a result with its reference.

use sim_core::stats::report::Verdict;
use sim_core::stats::{Report, error_text};

/// The first wrong element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mismatch {
    /// Index of the element.
    pub index: u64,
    /// Expected value.
    pub expected: f64,
    /// Actual value.
    pub got: f64,
    /// Tolerance of this element.
    pub tolerance: f64,
}

/// Outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Check {
    /// Every element is correct.
    Passed {
        /// Number of compared elements.
        compared: u64,
        /// Largest absolute difference.
        max_error: f64,
        /// Tolerance of an element; the largest one if they differ.
        tolerance: f64,
    },
    /// Some elements are wrong.
    Failed {
        /// Number of compared elements.
        compared: u64,
        /// Number of wrong elements.
        wrong: u64,
        /// First wrong element.
        first: Mismatch,
        /// Largest absolute difference; infinite if a result is NaN.
        max_error: f64,
    },
    /// The kernel did not finish, so there is no result to compare.
    NotRun,
    /// Only the first blocks were simulated; the other blocks have no results.
    Sampled,
}

impl Check {
    /// Compares `got` with `expected`, element by element; an element is correct within
    /// `tolerance`.
    ///
    /// The inputs of most kernels are chosen so that their results are exact, hence a tolerance of
    /// 0: all numbers are whole, and no product and no sum of magnitudes exceeds 2^24. Then neither
    /// a product truncated to 24 bits (`mad.f32` of compute capability 1.x) nor a rounded addition
    /// loses bits, in any order. Potentials and the sums of a scan are rounded: their tolerance
    /// follows from the kernel's arithmetic.
    pub fn compare(expected: impl ExactSizeIterator<Item = f64>, got: &[f32], tolerance: f64) -> Self {
        Self::compare_each(expected.map(|value| (value, tolerance)), got)
    }

    /// Like [`Self::compare`], with a tolerance for each element. An element that is missing on one
    /// side is wrong, and so is an element that is NaN or whose tolerance is not finite.
    pub fn compare_each(mut expected: impl ExactSizeIterator<Item = (f64, f64)>, got: &[f32]) -> Self {
        let compared = expected.len().max(got.len()) as u64;
        let (mut first, mut wrong, mut max_error, mut most) = (None, 0, 0.0f64, 0.0f64);
        for index in 0..compared {
            let (expected, tolerance) = expected.next().unwrap_or((f64::NAN, 0.0));
            let got = got.get(index as usize).map_or(f64::NAN, |got| f64::from(*got));
            let error = (got - expected).abs();
            let error = if error.is_nan() { f64::INFINITY } else { error };
            (max_error, most) = (max_error.max(error), most.max(tolerance));
            let right = tolerance.is_finite() && error <= tolerance;
            if !right {
                wrong += 1;
                first = first.or(Some(Mismatch { index, expected, got, tolerance }));
            }
        }
        match first {
            None => Self::Passed { compared, max_error, tolerance: most },
            Some(first) => Self::Failed { compared, wrong, first, max_error },
        }
    }

    /// Returns why the results of an unfinished launch are not compared.
    pub fn none(verdict: &Verdict) -> Self {
        if matches!(verdict, Verdict::Estimated) { Self::Sampled } else { Self::NotRun }
    }

    /// Returns why the results of several launches are not compared, or `None` if all have
    /// finished. A launch that did not end takes precedence over one whose end was estimated.
    pub fn unfinished(reports: &[Report]) -> Option<Self> {
        let verdicts = || reports.iter().map(|report| &report.verdict);
        let stopped = verdicts().find(|verdict| !verdict.is_whole());
        stopped.or_else(|| verdicts().find(|verdict| !verdict.is_finished())).map(Self::none)
    }

    /// Whether every element is correct; `None` if there was no comparison.
    pub fn verdict(&self) -> Option<bool> {
        match self {
            Self::Passed { .. } => Some(true),
            Self::Failed { .. } => Some(false),
            Self::NotRun | Self::Sampled => None,
        }
    }

    /// Whether every element is correct.
    pub fn passed(&self) -> bool {
        matches!(self, Self::Passed { .. })
    }

    /// Sentence on the outcome; `unit` names the compared things: `elements`, `partial sums`.
    pub fn describe(&self, unit: &str) -> String {
        match self {
            Self::Passed { compared, max_error, tolerance } => {
                let (what, equals, is) = if *compared == 1 {
                    ("the result".to_owned(), "equals", "is")
                } else {
                    (format!("all {compared} {unit}"), "equal", "are")
                };
                let relation = if *tolerance > 0.0 {
                    format!("{is} within {} of", error_text(*tolerance))
                } else {
                    equals.to_owned()
                };
                format!("{what} {relation} the host's (largest error {})", error_text(*max_error))
            }
            Self::Failed { compared, wrong, first, max_error } => {
                let allowed = if first.tolerance > 0.0 {
                    format!(" with a tolerance of {}", error_text(first.tolerance))
                } else {
                    String::new()
                };
                format!(
                    "{wrong} of {compared} {unit} are wrong; the first is at index {}: expected {}, found {}{allowed} \
                     (largest error {})",
                    first.index,
                    first.expected,
                    first.got,
                    error_text(*max_error)
                )
            }
            Self::NotRun => "the kernel did not finish: nothing to compare".to_owned(),
            Self::Sampled => "not checked: a sampled run has results of the first blocks only".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_results_pass_and_the_first_mismatch_is_reported() {
        let expected = [1.0, 2.0, 3.0];
        let passed = Check::compare(expected.into_iter(), &[1.0, 2.0, 3.0], 0.0);
        assert_eq!(passed, Check::Passed { compared: 3, max_error: 0.0, tolerance: 0.0 });
        assert_eq!(passed.describe("elements"), "all 3 elements equal the host's (largest error 0)");
        let failed = Check::compare(expected.into_iter(), &[1.0, 2.5, 5.0], 0.0);
        let first = Mismatch { index: 1, expected: 2.0, got: 2.5, tolerance: 0.0 };
        assert_eq!(failed, Check::Failed { compared: 3, wrong: 2, first, max_error: 2.0 });
        assert!(failed.describe("elements").contains("at index 1: expected 2, found 2.5"));
        let shown = [0.0, 2.0, 0.000_002_384_185_791, f64::INFINITY].map(error_text);
        assert_eq!(shown, ["0", "2", "2.38e-6", "inf"]);
    }

    #[test]
    fn nan_is_wrong_with_any_tolerance() {
        assert!(!Check::compare([0.0].into_iter(), &[f32::NAN], 1e30).passed());
        assert!(!Check::compare([f64::NAN].into_iter(), &[0.0], 1e30).passed());
        assert!(Check::compare([0.0].into_iter(), &[0.5], 0.5).passed());
    }

    #[test]
    fn a_result_within_its_tolerance_is_not_called_equal() {
        let within = |got: &[f32]| Check::compare_each([(1.0, 0.25), (2.0, 0.5)].into_iter(), got);
        let passed = within(&[1.25, 2.25]);
        assert_eq!(passed, Check::Passed { compared: 2, max_error: 0.25, tolerance: 0.5 });
        assert_eq!(
            passed.describe("sums"),
            "all 2 sums are within 5.00e-1 of the host's (largest error 2.50e-1)"
        );
        let one = Check::compare([1.0].into_iter(), &[1.0], 2.0);
        assert_eq!(one.describe("sums"), "the result is within 2 of the host's (largest error 0)");
        // Each element has its own tolerance: half a unit is too much for the first.
        let failed = within(&[1.5, 2.5]).describe("sums");
        assert!(
            failed.contains("1 of 2 sums are wrong; the first is at index 0: expected 1, found 1.5 with a tolerance of 2.50e-1")
        );
    }

    #[test]
    fn missing_and_additional_elements_are_wrong() {
        for (expected, got) in [(2, 3), (3, 2)] {
            let check = Check::compare(vec![1.0; expected].into_iter(), &vec![1.0; got], 1.0);
            assert!(matches!(check, Check::Failed { compared: 3, wrong: 1, first, .. } if first.index == 2));
        }
    }

    #[test]
    fn a_tolerance_that_is_not_finite_allows_nothing() {
        for tolerance in [f64::NAN, f64::INFINITY] {
            assert!(!Check::compare([1.0].into_iter(), &[1.0], tolerance).passed(), "{tolerance}");
        }
    }
}
