//! A row: the published value and the result of measuring it.

use super::boards::Boards;
use kernels::measure::table::Measurement;
use kernels::measure::{self, Measured, Scale};
use serde::Serialize;

/// Outcome of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// The row was measured.
    Measured(Measured),
    /// The row was not measured.
    Unmeasured,
    /// No chip file describes the board.
    NoChip,
    /// The simulator does not model the measured part; the reason.
    NotModelled(&'static str),
    /// No program measures the row.
    NoProgram,
    /// The program failed, with this message.
    Failed(String),
}

/// What a measured row says about the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The value is a number of the chip file.
    Set,
    /// Numbers of the chip file were chosen to reproduce it.
    Calibrated,
    /// It was used for no number.
    Predicted,
}

impl Kind {
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
        let experiment = measure::experiment(&row.id);
        if let (State::Unmeasured, Some(experiment), Some(board)) =
            (&result.state, experiment, boards.get(row.chip))
        {
            result.state = match (experiment.run)(&board.model, &row.id, scale) {
                Ok(measured) if measured.value.is_finite() => State::Measured(measured),
                Ok(measured) => State::Failed(format!("the value is {}", measured.value)),
                Err(why) => State::Failed(why.to_string()),
            };
        }
        result
    }

    /// A row that is not measured. The outcome already names reasons that prevent a measurement.
    pub fn unmeasured(row: &'static Measurement, boards: &Boards) -> Self {
        let reason = measure::NOT_MODELED.iter().find(|(id, _)| *id == row.id);
        let state = match (reason, measure::experiment(&row.id)) {
            (Some((_, reason)), _) => State::NotModelled(reason),
            _ if boards.get(row.chip).is_none() => State::NoChip,
            (None, None) => State::NoProgram,
            (None, Some(_)) => State::Unmeasured,
        };
        Self { row, state }
    }

    /// The simulated value.
    pub fn value(&self) -> Option<f64> {
        match &self.state {
            State::Measured(measured) => Some(measured.value),
            _ => None,
        }
    }

    /// Returns the error of the simulated value in percent of the published one.
    pub fn error(&self) -> Option<f64> {
        self.value().map(|value| (value / self.row.value - 1.0) * 100.0)
    }

    /// Returns the kind of a measured row.
    pub fn kind(&self) -> Option<Kind> {
        match &self.state {
            State::Measured(Measured { set: true, .. }) => Some(Kind::Set),
            State::Measured(_) if measure::is_calibrated(&self.row.id) => Some(Kind::Calibrated),
            State::Measured(_) => Some(Kind::Predicted),
            State::Unmeasured
            | State::NoChip
            | State::NotModelled(_)
            | State::NoProgram
            | State::Failed(_) => None,
        }
    }

    /// Whether the error is within the aim.
    pub fn is_within(&self) -> Option<bool> {
        // Tolerates rounding of the last bit.
        self.error().map(|error| error.abs() <= self.row.family().target() + 1e-9)
    }

    /// Returns the name of the outcome in documents.
    pub fn word(&self) -> &'static str {
        match &self.state {
            State::Measured(_) => self.kind().map_or("", Kind::word),
            State::Unmeasured => "not measured",
            State::NoChip => "no chip",
            State::NotModelled(_) => "not modelled",
            State::NoProgram => "no program",
            State::Failed(_) => "failed",
        }
    }

    /// Returns the remark: the size that was run instead, or the reason for a missing value.
    pub fn remark(&self) -> &str {
        match &self.state {
            State::Measured(measured) => measured.instead.as_deref().unwrap_or_default(),
            State::NotModelled(reason) => reason,
            State::Failed(why) => why,
            State::Unmeasured | State::NoChip | State::NoProgram => "",
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use kernels::measure::table;

    /// The row `id` with a value that is `error` percent off.
    pub fn result(id: &str, error: f64, set: bool) -> MeasurementResult {
        let row = table::published().iter().find(|row| row.id == id).expect("in the table");
        let value = row.value * (1.0 + error / 100.0);
        MeasurementResult { row, state: State::Measured(Measured { value, instead: None, set }) }
    }

    #[test]
    fn errors_are_in_percent_of_the_published_value_and_aims_differ() {
        let latency = result("V345", -5.0, false);
        assert!((latency.error().unwrap() + 5.0).abs() < 1e-9);
        assert_eq!((latency.is_within(), result("V345", 5.1, false).is_within()), (Some(true), Some(false)));
        assert_eq!(result("V307", 24.0, false).is_within(), Some(true));
        assert_eq!(result("V364", -16.0, false).is_within(), Some(false));
        let kinds =
            [("V318", true), ("V318t", false), ("V307", false)].map(|(id, set)| result(id, 0.0, set).kind());
        assert_eq!(kinds, [Kind::Set, Kind::Calibrated, Kind::Predicted].map(Some));
    }
}
