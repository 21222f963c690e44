//! The pictures of a validation: simulated over published values, and the errors of the rows.

use super::MeasurementResult;
use super::result::ResultKind;
use figures::bars::{Bar, Bars};
use figures::palette::{color, hatch};
use figures::scatter::{self, Compared};
use figures::scene::Scene;
use report::render::number::rate;

/// Largest number of bars.
const MOST: usize = 40;

/// Returns the scatter plot of all rows that have a value.
pub fn scene(results: &[MeasurementResult]) -> Scene {
    let point = |result: &'_ MeasurementResult| {
        let row = result.row;
        let value = result.value()?;
        let kind = match result.kind() {
            Some(ResultKind::Predicted) => scatter::PointKind::Predicted,
            Some(ResultKind::Calibrated) => scatter::PointKind::Calibrated,
            Some(ResultKind::Set) | None => scatter::PointKind::Set,
        };
        let tip = format!(
            "{}, {}: published {} {}, simulated {}",
            row.id,
            row.kernel,
            rate(row.value),
            row.unit.name(),
            rate(value)
        );
        let values = (row.unit.common(row.value), row.unit.common(value));
        Some(Compared { chip: row.chip, values, kind, tip })
    };
    scatter::compared(&results.iter().filter_map(point).collect::<Vec<_>>())
}

/// Returns the errors of the predicted rows, or of all if there are none, largest first.
pub fn errors(results: &[MeasurementResult]) -> Scene {
    let is_predicted = |result: &&MeasurementResult| result.kind() == Some(ResultKind::Predicted);
    let predicted = results.iter().any(|result| is_predicted(&result));
    let title = if predicted { "Errors of the predicted rows" } else { "Errors of all rows" };
    let rows = results.iter().filter(|result| !predicted || is_predicted(result));
    let mut rows: Vec<_> = rows.filter_map(|result| Some((result, result.error()?))).collect();
    rows.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let all = rows.len();
    rows.truncate(MOST);
    let [within, outside] = [(color(2), None), (color(1), hatch(1))];
    let bars = rows.iter().map(|(result, error)| Bar {
        paint: if result.is_within() == Some(true) { within } else { outside },
        aim: Some(result.row.family.target()),
        ..Bar::new(
            format!("{} {}, {}", result.row.id, result.row.kernel, result.row.chip),
            *error,
            format!("{error:+.1} %"),
        )
    });
    let quantity = "simulated over published value, difference in %; a frame is the aim of a row".to_owned();
    let notes = if all > MOST { vec![format!("The {MOST} largest of {all}")] } else { Vec::new() };
    let legend = vec![(within, "within its aim".to_owned()), (outside, "outside".to_owned())];
    Bars { quantity, notes, legend, ..Bars::new(title, bars.collect()) }.scene()
}

#[cfg(test)]
mod tests {
    use super::super::result::tests::result;
    use super::*;
    use figures::svg;

    /// Tests: `pictures-are-legible`.
    #[test]
    fn rows_are_markers_and_their_errors_bars() {
        let rows = [result("V318", 0.0), result("V345", 3.0), result("V307", -9.0)];
        for scene in [scene(&rows), errors(&rows), scene(&[]), errors(&[])] {
            assert!(scene.flaws().is_empty(), "{:?}", scene.flaws());
        }
        let text = svg(&scene(&rows));
        for part in ["gt200", "g80", "simulated", "published", "<title>V345, "] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert!(svg(&errors(&rows)).contains(">-9.0 %<"));
    }
}
