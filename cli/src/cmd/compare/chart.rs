//! The bar chart: for each issue slot outcome a bar to the left where B spends less time, to the
//! right where it spends more.

use super::account::SlotOutcome;
use super::answer::cut;
use super::difference::{Comparison, Times};
use super::page::signed;
use crate::cmd::sweep::draw::{FONT, colour};
use crate::exit::Failure;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Pixels of the picture's width.
const WIDTH: u32 = 900;
/// Pixels of the labels to the left of the bars.
const LABELS: i32 = 240;
/// Pixels beside the longest bar, for its number.
const NUMBERS: i32 = 90;
/// Pixels above the first bar and below the last one.
const HEAD: i32 = 92;
const FOOT: i32 = 44;
/// Pixels from one bar to the next, and of a bar.
const STEP: i32 = 26;
const BAR: i32 = 18;
/// Bars that are smaller than this part of the largest one are left out.
const LEAST: f64 = 0.002;
/// Characters of a run's name.
const NAME: usize = 100;

/// The chart as SVG. Equal comparisons make equal texts.
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
    // The axis is where the bars begin: each side has the room that its longest bar needs.
    let reach = |sign: f64| bars.iter().map(|(_, by)| by * sign).fold(0.0, f64::max);
    let (less, more) = (reach(-1.0), reach(1.0));
    let room = f64::from(WIDTH as i32 - LABELS - 2 * NUMBERS);
    let scale = if largest > 0.0 { room / (less + more) } else { 0.0 };
    let axis = LABELS + NUMBERS + (less * scale).round() as i32;
    let bottom = HEAD + STEP * bars.len() as i32;
    root.draw(&PathElement::new([(axis, HEAD - 6), (axis, bottom)], BLACK.stroke_width(1)))?;
    for ((outcome, by), row) in bars.iter().zip(0..) {
        let middle = HEAD + STEP * row + STEP / 2;
        let end = axis + (by * scale).round() as i32;
        let (number, fill) = if *by < 0.0 { (0, HPos::Right) } else { (1, HPos::Left) };
        let corners = [(axis.min(end), middle - BAR / 2), (axis.max(end), middle + BAR / 2)];
        root.draw(&Rectangle::new(corners, colour(number).filled()))?;
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
