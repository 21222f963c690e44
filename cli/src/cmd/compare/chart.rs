//! The bar chart: for each issue slot outcome a bar to the left if B spends less time, to the right
//! if it spends more.

use crate::draw::palette::{FONT, color};
use crate::exit::Failure;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use report::compare::account::SlotOutcome;
use report::compare::answer::cut;
use report::compare::difference::{Comparison, Times};
use report::compare::page::signed;

/// Width of the picture in pixels.
const WIDTH: u32 = 900;
/// Width of the labels left of the bars in pixels.
const LABELS: i32 = 240;
/// Space next to the longest bar for its number, in pixels.
const NUMBERS: i32 = 90;
/// Height above the first bar and below the last one, in pixels.
const HEAD: i32 = 92;
const FOOT: i32 = 44;
/// Distance between bars and height of a bar, in pixels.
const STEP: i32 = 26;
const BAR: i32 = 18;
/// Minimum size of a bar relative to the largest one; smaller bars are omitted.
const LEAST: f64 = 0.002;
/// Maximum number of characters of a run's name.
const NAME: usize = 100;

/// Returns the chart as SVG. Equal comparisons give equal texts.
pub fn svg(comparison: &Comparison) -> Result<String, Failure> {
    let size = |times: &Times| times.difference().abs();
    let largest = comparison.outcomes.iter().map(|(_, times)| size(times)).fold(0.0, f64::max);
    let shown = |(_, times): &&(SlotOutcome, Times)| size(times) > 0.0 && size(times) >= LEAST * largest;
    let bars: Vec<(SlotOutcome, f64)> = comparison
        .outcomes
        .iter()
        .filter(shown)
        .map(|(outcome, times)| (*outcome, times.difference()))
        .collect();
    let height = HEAD + STEP * bars.len() as i32 + FOOT;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height as u32)).into_drawing_area();
        let drawn = picture(&root, comparison, &bars, largest).and_then(|()| root.present());
        drawn.map_err(|why| Failure::input(format!("error: cannot draw the chart: {why}")))?;
    }
    Ok(svg)
}

fn picture<DB: DrawingBackend>(
    root: &DrawingArea<DB, Shift>,
    comparison: &Comparison,
    bars: &[(SlotOutcome, f64)],
    largest: f64,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    let places = comparison.decimals();
    let style = |size: u32, h: HPos| (FONT, size).into_font().color(&BLACK).pos(Pos::new(h, VPos::Center));
    root.fill(&WHITE)?;
    let [verdict, _] = comparison.answer();
    root.draw(&Text::new(verdict, (16, 20), style(17, HPos::Left)))?;
    for (letter, side, y) in [("A", &comparison.a, 42), ("B", &comparison.b, 60)] {
        root.draw(&Text::new(
            format!("{letter}: {}", cut(&side.name, NAME)),
            (16, y),
            style(13, HPos::Left),
        ))?;
    }
    // The axis is the origin of the bars: each side has the space that its longest bar needs.
    let reach = |sign: f64| bars.iter().map(|(_, by)| by * sign).fold(0.0, f64::max);
    let (less, more) = (reach(-1.0), reach(1.0));
    let space = f64::from(WIDTH as i32 - LABELS - 2 * NUMBERS);
    let scale = if largest > 0.0 { space / (less + more) } else { 0.0 };
    let axis = LABELS + NUMBERS + (less * scale).round() as i32;
    let bottom = HEAD + STEP * bars.len() as i32;
    root.draw(&PathElement::new([(axis, HEAD - 6), (axis, bottom)], BLACK.stroke_width(1)))?;
    for ((outcome, by), row) in bars.iter().zip(0..) {
        let middle = HEAD + STEP * row + STEP / 2;
        let end = axis + (by * scale).round() as i32;
        let (number, fill) = if *by < 0.0 { (0, HPos::Right) } else { (1, HPos::Left) };
        let corners = [(axis.min(end), middle - BAR / 2), (axis.max(end), middle + BAR / 2)];
        root.draw(&Rectangle::new(corners, color(number).filled()))?;
        let text = format!("{} us", signed(*by, places));
        let gap = if *by < 0.0 { -6 } else { 6 };
        root.draw(&Text::new(text, (end + gap, middle), style(13, fill)))?;
        root.draw(&Text::new(outcome.label(), (16, middle), style(14, HPos::Left)))?;
    }
    let foot = bottom + FOOT / 2;
    let net = signed(comparison.times.difference(), places);
    let text = format!("Time of B minus time of A by issue slot outcome; the sum is {net} us");
    root.draw(&Text::new(text, (16, foot), style(14, HPos::Left)))
}
