//! The result of a point: how it ended, and its metrics. `docs/EXPERIMENTS.md` explains the
//! verdicts.

use report::exit::Code;
use report::metrics;
use report::render::number::count;
use serde_json::Number;

/// How a point ended, in the order of the exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// The kernel ran to its end.
    Finished,
    /// The time of a launch is estimated from its first blocks.
    Estimated,
    /// The kernel ran to its end, and its result is wrong.
    WrongResult,
    /// The values are no valid chip.
    BadChip,
    /// The kernel cannot run with these values.
    BadInput,
    /// The launch exceeds a limit of the chip.
    Refused,
    /// A thread executed an illegal operation.
    Trapped,
    /// A user's scheduling policy returned an invalid answer.
    Scheduler,
    /// The launch can never end.
    Hung,
    /// The launch reached its limit.
    Limit,
}

/// Every ending with its word and its exit code.
const TABLE: [(Ending, &str, Code); 10] = [
    (Ending::Finished, "finished", Code::Fine),
    (Ending::Estimated, "estimated", Code::Fine),
    (Ending::WrongResult, "wrong_result", Code::WrongResult),
    (Ending::BadChip, "bad_chip", Code::BadInput),
    (Ending::BadInput, "bad_input", Code::BadInput),
    (Ending::Refused, "refused", Code::Trap),
    (Ending::Trapped, "trapped", Code::Trap),
    (Ending::Scheduler, "scheduler", Code::Trap),
    (Ending::Hung, "hung", Code::HangOrLimit),
    (Ending::Limit, "limit", Code::HangOrLimit),
];

impl Ending {
    /// Iterates over all endings.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.into_iter().map(|(ending, ..)| ending)
    }

    /// Returns the word in rows.
    pub fn word(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Returns the exit code.
    pub fn code(self) -> Code {
        TABLE[self as usize].2
    }

    /// Whether the kernel ran to its end without a wrong result.
    pub fn is_good(self) -> bool {
        self.code() == Code::Fine
    }
}

/// Result of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Error or note on one line.
    pub message: String,
    /// Digest of device memory after the run; empty if it was not requested, or if the launches did
    /// not run to their end.
    pub memory: String,
    /// Values of all metrics, in the order of the registry.
    pub metrics: Vec<Option<Number>>,
    /// Host time of the simulation in seconds.
    pub host_seconds: f64,
}

impl Outcome {
    /// Returns the value of the metric with this index; NaN if the result does not have it.
    pub fn number(&self, metric: usize) -> f64 {
        self.metrics.get(metric).and_then(|value| value.as_ref()?.as_f64()).unwrap_or(f64::NAN)
    }
}

/// Reason why a point has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// How the point ended.
    pub ending: Ending,
    /// Message on one line.
    pub message: String,
}

impl Failed {
    /// A point with invalid values.
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self { ending: Ending::BadInput, message: message.into() }
    }

    /// Returns the result of a point that took `seconds` of host time.
    pub fn outcome(self, seconds: f64) -> Outcome {
        let Self { ending, message } = self;
        let metrics = vec![None; metrics::ALL.len()];
        Outcome { ending, message, memory: String::new(), metrics, host_seconds: seconds }
    }
}

/// Joins the words of a text with single blanks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the index of a metric in the registry.
pub fn metric(name: &str) -> Option<usize> {
    metrics::ALL.iter().position(|metric| metric.name == name)
}

/// Numbers of points by their ending.
#[derive(Clone, Debug, Default)]
pub struct Tally([u64; TABLE.len()]);

impl Tally {
    /// Counts a point.
    pub fn add(&mut self, ending: Ending) {
        self.0[ending as usize] += 1;
    }

    /// Returns the number of points.
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the number of points that failed.
    pub fn failed(&self) -> u64 {
        Ending::all().filter(|ending| !ending.is_good()).map(|ending| self.0[ending as usize]).sum()
    }

    /// Returns the highest exit code of all points.
    pub fn code(&self) -> Code {
        let counted = Ending::all().filter(|ending| self.0[*ending as usize] > 0);
        counted.map(Ending::code).max().unwrap_or(Code::Fine)
    }

    /// Returns the numbers of failed points as a sentence; `None` if no point failed.
    pub fn failures(&self) -> Option<String> {
        let failed = Ending::all().filter(|ending| !ending.is_good() && self.0[*ending as usize] > 0);
        let words = failed.map(|ending| format!("{} {}", count(self.0[ending as usize]), ending.word()));
        let words: Vec<String> = words.collect();
        let (failed, all) = (count(self.failed()), count(self.all()));
        (!words.is_empty()).then(|| format!("{failed} of {all} points failed: {}", words.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_endings_and_of_the_codes() {
        assert!(TABLE.iter().enumerate().all(|(place, (ending, ..))| *ending as usize == place));
        assert!(TABLE.is_sorted_by_key(|(.., code)| *code));
    }

    #[test]
    fn failures_are_counted_by_ending() {
        let mut tally = Tally::default();
        assert_eq!((tally.failures(), tally.code()), (None, Code::Fine));
        for ending in [Ending::Finished, Ending::Hung, Ending::BadChip, Ending::BadChip, Ending::Estimated] {
            tally.add(ending);
        }
        let words = "3 of 5 points failed: 2 bad_chip, 1 hung";
        assert_eq!((tally.failures().as_deref(), tally.code()), (Some(words), Code::HangOrLimit));
    }
}
