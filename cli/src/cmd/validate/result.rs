//! A row: what was published, and what came of measuring it.

use super::boards::Boards;
use kernels::measure::table::Measurement;
use kernels::measure::{self, Measured, Scale};

/// What came of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// A value.
    Measured(Measured),
    /// Nothing was tried.
    Unmeasured,
    /// No chip file describes the board.
    NoChip,
    /// The simulator has no such thing; the reason.
    NotModelled(&'static str),
    /// There is no program that measures it.
    NoProgram,
    /// The program failed; why.
    Failed(String),
}

/// A row with what came of it.
#[derive(Clone, Debug)]
pub struct MeasurementResult {
    /// What was published.
    pub row: &'static Measurement,
    /// What came of it.
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

    /// A row that is not measured; what would keep it from that is known already.
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

    /// How far the simulated value is from the published one, in percent of that.
    pub fn error(&self) -> Option<f64> {
        self.value().map(|value| (value / self.row.value - 1.0) * 100.0)
    }

    /// Whether the value comes out of the machine, and is not just read back.
    pub fn is_emergent(&self) -> bool {
        matches!(&self.state, State::Measured(measured) if !measured.set)
    }

    /// Whether the error is within what is aimed at.
    pub fn is_within(&self) -> Option<bool> {
        // A rounding of the last bit makes no difference.
        self.error().map(|error| error.abs() <= self.row.family().target() + 1e-9)
    }

    /// One word for programs.
    pub fn word(&self) -> &'static str {
        match &self.state {
            State::Measured(Measured { set: true, .. }) => "set",
            State::Measured(_) => "emergent",
            State::Unmeasured => "not measured",
            State::NoChip => "no chip",
            State::NotModelled(_) => "not modelled",
            State::NoProgram => "no program",
            State::Failed(_) => "failed",
        }
    }

    /// What else is to be said: the size that was run instead, or why there is no value.
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
    fn errors_are_in_percent_of_what_was_published_and_aims_differ() {
        let latency = result("V345", -5.0, false);
        assert!((latency.error().unwrap() + 5.0).abs() < 1e-9);
        assert_eq!((latency.is_within(), result("V345", 5.1, false).is_within()), (Some(true), Some(false)));
        assert_eq!(result("V307", 24.0, false).is_within(), Some(true));
        assert_eq!(result("V364", -16.0, false).is_within(), Some(false));
        assert!(latency.is_emergent() && !result("V318", 0.0, true).is_emergent());
    }
}
