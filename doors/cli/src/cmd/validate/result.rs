//! A row: the published value and the result of measuring it.

use super::boards::Boards;
use evidence::State;
use evidence::measure::table::{Measurement, Program};
use evidence::measure::{self, Scale};
use serde::Serialize;

/// Relation of a measured row to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultKind {
    /// The value is a number of the chip file.
    Set,
    /// Numbers of the chip file were chosen to reproduce it.
    Calibrated,
    /// It was used for no number.
    Predicted,
}

impl ResultKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Set, Self::Calibrated, Self::Predicted];

    /// Name in documents.
    pub fn word(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Calibrated => "calibrated",
            Self::Predicted => "predicted",
        }
    }
}

/// Word for a row that can be measured and was not.
const UNMEASURED: &str = "not measured";

/// A row and its outcome.
#[derive(Clone, Debug)]
pub struct MeasurementResult {
    /// The published measurement.
    pub row: &'static Measurement,
    /// The outcome.
    pub state: State,
}

impl MeasurementResult {
    /// Measures a row.
    pub fn measure(row: &'static Measurement, boards: &Boards, scale: Scale) -> Self {
        let mut result = Self::unmeasured(row, boards);
        if let (State::NotRun(UNMEASURED, _), Some(board)) = (&result.state, boards.get(row.chip)) {
            result.state = State::of(measure::show(row, &board.model, scale));
        }
        result
    }

    /// A row that is not measured. The outcome already names reasons that prevent a measurement.
    pub fn unmeasured(row: &'static Measurement, boards: &Boards) -> Self {
        let state = match &row.program {
            Program::NotModeled(reason) => State::NotRun("not modelled", reason),
            _ if boards.get(row.chip).is_none() => State::NotRun("no chip", ""),
            _ => State::NotRun(UNMEASURED, ""),
        };
        Self { row, state }
    }

    /// The simulated value.
    pub fn value(&self) -> Option<f64> {
        self.state.shown()?.findings.first()?.value
    }

    /// Returns the error of the simulated value in percent of the published one.
    pub fn error(&self) -> Option<f64> {
        self.value().map(|value| (value / self.row.value - 1.0) * 100.0)
    }

    /// Returns the kind of a measured row.
    pub fn kind(&self) -> Option<ResultKind> {
        self.state.shown().map(|_| match (self.row.set, self.row.calibrated) {
            (true, _) => ResultKind::Set,
            (false, true) => ResultKind::Calibrated,
            (false, false) => ResultKind::Predicted,
        })
    }

    /// Whether the error is within the aim.
    pub fn is_within(&self) -> Option<bool> {
        // Tolerates rounding of the last bit.
        self.error().map(|error| error.abs() <= self.row.family.target() + 1e-9)
    }

    /// Returns the name of the outcome in documents.
    pub fn word(&self) -> &'static str {
        match &self.state {
            State::Shown(_) => self.kind().map_or("", ResultKind::word),
            State::Error(_) => "failed",
            State::NotRun(word, _) => word,
        }
    }

    /// Returns the remark: the size that was run instead, or the reason for a missing value.
    pub fn remark(&self) -> &str {
        match &self.state {
            State::Shown(shown) => &shown.ran,
            State::Error(why) => why,
            State::NotRun(_, reason) => reason,
        }
    }
}

/// Returns the remark of a row: kind of value, whether it misses its aim, the size that was run
/// instead.
pub fn remark(result: &MeasurementResult) -> String {
    let mut parts = vec![result.word().to_owned()];
    if result.is_within() == Some(false) {
        let aim = result.row.family.target();
        parts[0] = format!("{}, misses {aim:.0} %", parts[0]);
    }
    if !result.remark().is_empty() {
        // A compiler message has many lines; the first one is enough here.
        parts.push(result.remark().lines().next().unwrap_or_default().to_owned());
    }
    parts.join("; ")
}

/// Groups consecutive rows of one chip.
pub fn by_chip(results: &[MeasurementResult]) -> impl Iterator<Item = (&'static str, &[MeasurementResult])> {
    results.chunk_by(|a, b| a.row.chip == b.row.chip).map(|rows| (rows[0].row.chip, rows))
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use evidence::measure::table;
    use evidence::{Finding, Shown};

    /// The row `id` with a value that is `error` percent off.
    pub fn result(id: &str, error: f64) -> MeasurementResult {
        let row = table::row(id).expect("in the table");
        let value = row.value * (1.0 + error / 100.0);
        let mut shown = Shown::default();
        shown.find(Finding::measured(&row.kernel, row.value, row.family.target(), value));
        MeasurementResult { row, state: State::Shown(shown) }
    }

    #[test]
    fn errors_are_in_percent_of_the_published_value_and_aims_differ() {
        let latency = result("V345", -5.0);
        assert!((latency.error().unwrap() + 5.0).abs() < 1e-9);
        assert_eq!((latency.is_within(), result("V345", 5.1).is_within()), (Some(true), Some(false)));
        assert_eq!(result("V307", 24.0).is_within(), Some(true));
        assert_eq!(result("V364", -16.0).is_within(), Some(false));
        let kinds = ["V318", "V318t", "V307"].map(|id| result(id, 0.0).kind());
        assert_eq!(kinds, [ResultKind::Set, ResultKind::Calibrated, ResultKind::Predicted].map(Some));
    }
}
