//! The scatter plot: simulated over published values, both on logarithmic axes, one color per chip.

use super::MeasurementResult;
use super::result::Kind;
use crate::draw::palette::{FONT, color, marker};
use crate::exit::Failure;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Size of the picture in pixels.
const SIZE: (u32, u32) = (860, 640);
/// Width of the legend in pixels.
const LEGEND: u32 = 180;

/// Returns the plot of all rows that have a value, as SVG. Equal rows give equal texts.
pub fn draw(results: &[MeasurementResult]) -> Result<String, Failure> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let drawn = picture(&root, results).and_then(|()| root.present());
        drawn.map_err(|why| Failure::input(format!("error: cannot draw the plot: {why}")))?;
    }
    Ok(svg)
}

fn picture<DB: DrawingBackend>(
    root: &DrawingArea<DB, Shift>,
    results: &[MeasurementResult],
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    root.fill(&WHITE)?;
    let points: Vec<(&MeasurementResult, f64, f64)> = results
        .iter()
        .filter_map(|o| Some((o, o.row.unit.common(o.row.value), o.row.unit.common(o.value()?))))
        .filter(|(_, _, value)| *value > 0.0)
        .collect();
    let all = || points.iter().flat_map(|(_, x, y)| [*x, *y]);
    let low = power_below(all().fold(f64::INFINITY, f64::min));
    let high = power_above(all().fold(0.0, f64::max));
    let (left, right) = root.split_horizontally(SIZE.0 - LEGEND);
    let mut chart = ChartBuilder::on(&left)
        .caption("Simulated against published values", (FONT, 17))
        .margin(12)
        .x_label_area_size(52)
        .y_label_area_size(84)
        .build_cartesian_2d((low..high).log_scale(), (low..high).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&short)
        .y_label_formatter(&short)
        .x_desc("published, in the units of docs/VALIDATE.md")
        .y_desc("simulated")
        .label_style((FONT, 14))
        .axis_desc_style((FONT, 17))
        .draw()?;
    chart.draw_series(LineSeries::new([(low, low), (high, high)], BLACK.stroke_width(1)))?;
    let mut chips: Vec<&str> = points.iter().map(|(o, ..)| o.row.chip).collect();
    chips.dedup();
    for (result, x, y) in &points {
        let number = chips.iter().position(|chip| *chip == result.row.chip).unwrap_or_default();
        let at = chart.backend_coord(&(*x, *y));
        match result.kind() {
            Some(Kind::Predicted) => root.draw(&marker(number, at))?,
            Some(Kind::Calibrated) => root.draw(&Circle::new(at, 4, color(number).stroke_width(1)))?,
            Some(Kind::Set) | None => root.draw(&Cross::new(at, 4, color(number).stroke_width(1)))?,
        }
    }
    let style = (FONT, 15).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
    for (number, chip) in chips.iter().enumerate() {
        let y = 48 + 20 * number as i32;
        right.draw(&marker(number, (14, y)))?;
        right.draw(&Text::new((*chip).to_owned(), (28, y), style.clone()))?;
    }
    let y = 58 + 20 * chips.len() as i32;
    right.draw(&Text::new("filled: predicted", (8, y), style.clone()))?;
    right.draw(&Circle::new((14, y + 20), 4, BLACK.stroke_width(1)))?;
    right.draw(&Text::new("calibrated", (28, y + 20), style.clone()))?;
    right.draw(&Cross::new((14, y + 40), 4, BLACK.stroke_width(1)))?;
    right.draw(&Text::new("set: read back", (28, y + 40), style))?;
    Ok(())
}

/// Returns the power of ten at or below a value; 0.1 if there is none.
fn power_below(value: f64) -> f64 {
    if value.is_finite() && value > 0.0 { 10f64.powf(value.log10().floor()) } else { 0.1 }
}

/// Returns the power of ten above a value, and at least 10.
fn power_above(value: f64) -> f64 {
    if value.is_finite() && value > 1.0 { 10f64.powf(value.log10().floor() + 1.0) } else { 10.0 }
}

/// Formats a power of ten.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "what plotters calls")]
fn short(value: &f64) -> String {
    if *value >= 1.0 { format!("{value:.0}") } else { format!("{value}") }
}

#[cfg(test)]
mod tests {
    use super::super::result::tests::result;
    use super::*;

    #[test]
    fn every_value_has_a_marker_and_every_chip_a_name() {
        let rows = [result("V318", 0.0, true), result("V345", 3.0, false), result("V307", -9.0, false)];
        let svg = draw(&rows).unwrap();
        for part in ["gt200", "g80", "simulated", "published"] {
            assert!(svg.contains(part), "{part} is missing in\n{svg}");
        }
        // Two chips in the legend, and the predicted value in the plot.
        let markers = svg.matches("fill=\"#0072B2\"").count() + svg.matches("fill=\"#D55E00\"").count();
        assert_eq!(markers, 3, "{svg}");
        assert_eq!(draw(&rows).unwrap(), svg);
        assert!(draw(&[]).unwrap().ends_with("</svg>\n"));
    }
}
