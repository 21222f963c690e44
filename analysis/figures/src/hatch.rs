//! Hatches: lines over a color, which distinguish areas without color.

use crate::Point;
use plotters::style::RGBColor;
pub use sim_core::stats::HatchLines as Lines;

/// A pattern of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hatch {
    /// Direction of the lines.
    pub lines: Lines,
    /// Color of the lines.
    pub color: RGBColor,
}

/// Distance of the lines in pixels.
const STEP: f64 = 7.0;

/// Returns the lines of a hatch within a rectangle: its corner at the top left, and its size.
pub fn segments(lines: Lines, at: Point, size: Point) -> Vec<(Point, Point)> {
    match lines {
        Lines::Rising => diagonals(at, size, true),
        Lines::Falling => diagonals(at, size, false),
        Lines::Crossed => [diagonals(at, size, true), diagonals(at, size, false)].concat(),
        Lines::Level => level(at, size),
        Lines::Upright => upright(at, size),
        Lines::Grid => [level(at, size), upright(at, size)].concat(),
    }
}

/// Multiples of the step within a range, without its ends.
fn places(from: f64, to: f64) -> impl Iterator<Item = f64> {
    let first = (from / STEP).floor() as i64 + 1;
    let last = (to / STEP).ceil() as i64 - 1;
    (first..=last).map(|i| i as f64 * STEP)
}

fn level((x, y): Point, (w, h): Point) -> Vec<(Point, Point)> {
    // Counted from the middle, so that a low bar has a line too.
    let middle = y + h / 2.0;
    places(-h / 2.0, h / 2.0).map(|by| ((x, middle + by), (x + w, middle + by))).collect()
}

fn upright((x, y): Point, (w, h): Point) -> Vec<(Point, Point)> {
    places(x, x + w).map(|at| ((at, y), (at, y + h))).collect()
}

/// Lines on which x + y (rising) or x - y (falling) is a multiple of the step.
fn diagonals((x, y): Point, (w, h): Point, rising: bool) -> Vec<(Point, Point)> {
    let sign = if rising { 1.0 } else { -1.0 };
    let (low, high) = if rising { (x + y, x + w + y + h) } else { (x - y - h, x + w - y) };
    let of_step = 1.3 * STEP;
    let first = (low / of_step).floor() as i64 + 1;
    let last = (high / of_step).ceil() as i64 - 1;
    (first..=last)
        .map(|i| {
            let sum = i as f64 * of_step;
            // The ends are where the line enters and leaves the rectangle.
            let from = (sum - sign * y).clamp(x, x + w);
            let to = (sum - sign * (y + h)).clamp(x, x + w);
            ((from, sign * (sum - from)), (to, sign * (sum - to)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_within_their_rectangle() {
        let (at, size) = ((103.0, 41.0), (57.0, 22.0));
        for lines in
            [Lines::Rising, Lines::Falling, Lines::Crossed, Lines::Level, Lines::Upright, Lines::Grid]
        {
            let all = segments(lines, at, size);
            assert!(all.len() >= 3, "{lines:?}");
            for (x, y) in all.into_iter().flat_map(|(a, b)| [a, b]) {
                let inside = |v: f64, from: f64, by: f64| (from - 1e-6..=from + by + 1e-6).contains(&v);
                assert!(inside(x, at.0, size.0) && inside(y, at.1, size.1), "{lines:?}: {x}, {y}");
            }
        }
    }
}
