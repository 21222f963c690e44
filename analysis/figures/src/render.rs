//! Draws the shapes of a picture with a backend of plotters.
//!
//! Shapes are passed to the backend directly: a drawing area of plotters would move points outside
//! of it to its edge, and PNG files are drawn in bands.

use super::hatch::{Hatch, segments};
use super::scene::{Item, PAPER, Point};
use plotters::prelude::*;

/// Where shapes are drawn: pixels of the backend for each pixel of the picture, and the first row
/// of the picture that is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Viewport {
    /// Pixels of the backend for each pixel of the picture.
    pub scale: f64,
    /// The first row.
    pub top: f64,
}

impl Viewport {
    fn of(self, (x, y): Point) -> (i32, i32) {
        ((x * self.scale).round() as i32, ((y - self.top) * self.scale).round() as i32)
    }

    /// Width of a line.
    fn width(self, width: f64) -> u32 {
        (width * self.scale).round().max(1.0) as u32
    }
}

/// Fills the ground.
pub fn ground<DB: DrawingBackend>(backend: &mut DB) -> Result<(), String> {
    let (width, height) = backend.get_size();
    let filled = backend.draw_rect((0, 0), (width as i32, height as i32), &PAPER.filled(), true);
    filled.map_err(|why| why.to_string())
}

/// Draws a shape; texts are drawn by each format in its own way.
pub fn shape<DB: DrawingBackend>(backend: &mut DB, item: &Item, place: Viewport) -> Result<(), String> {
    match item {
        Item::Area { at, size, fill, hatch, outline } => {
            let (right, bottom) = (at.0 + size.0, at.1 + size.1);
            if let Some(color) = fill {
                let (from, to) = (place.of(*at), place.of((right, bottom)));
                backend.draw_rect(from, to, &color.filled(), true).map_err(|why| why.to_string())?;
            }
            let mut line = |points: &[Point], style| path(backend, points, style, place);
            if let Some(Hatch { lines, color }) = hatch {
                let style = color.stroke_width(place.width(1.4));
                segments(*lines, *at, *size)
                    .into_iter()
                    .try_for_each(|(from, to)| line(&[from, to], style))?;
            }
            if let Some(color) = outline {
                let around = [*at, (right, at.1), (right, bottom), (at.0, bottom), *at];
                line(&around, color.stroke_width(place.width(1.0)))?;
            }
            Ok(())
        }
        Item::Line { points, color, width, dash } => {
            let style = color.stroke_width(place.width(*width));
            match dash {
                None => path(backend, points, style, place),
                Some(dash) => {
                    dashes(points, *dash).iter().try_for_each(|points| path(backend, points, style, place))
                }
            }
        }
        Item::Polygon { points, color } => {
            let points: Vec<(i32, i32)> = points.iter().map(|point| place.of(*point)).collect();
            backend.fill_polygon(points, &color.filled()).map_err(|why| why.to_string())
        }
        Item::Circle { at, radius, color } => {
            let radius = (radius * place.scale).round() as u32;
            let drawn = backend.draw_circle(place.of(*at), radius, &color.filled(), true);
            drawn.map_err(|why| why.to_string())
        }
        Item::Text(_) => Ok(()),
    }
}

/// Draws a line through points.
fn path<DB: DrawingBackend>(
    backend: &mut DB,
    points: &[Point],
    style: ShapeStyle,
    place: Viewport,
) -> Result<(), String> {
    let points: Vec<(i32, i32)> = points.iter().map(|point| place.of(*point)).collect();
    backend.draw_path(points, &style).map_err(|why| why.to_string())
}

/// Cuts a line into dashes.
fn dashes(points: &[Point], (dash, gap): Point) -> Vec<Vec<Point>> {
    let mut all = Vec::new();
    // Length along the line at which the current point is.
    let mut done = 0.0;
    for pair in points.windows(2) {
        let [(x0, y0), (x1, y1)] = [pair[0], pair[1]];
        let length = (x1 - x0).hypot(y1 - y0);
        let at = |along: f64| {
            let part = if length > 0.0 { (along - done) / length } else { 0.0 };
            (x0 + part * (x1 - x0), y0 + part * (y1 - y0))
        };
        let end = done + length;
        let mut start = (done / (dash + gap)).floor() * (dash + gap);
        while start < end {
            let (from, to) = (start.max(done), (start + dash).min(end));
            if from < to {
                all.push(vec![at(from), at(to)]);
            }
            start += dash + gap;
        }
        done = end;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_continue_around_a_corner() {
        let parts = dashes(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)], (4.0, 2.0));
        let expected = [
            [(0.0, 0.0), (4.0, 0.0)],
            [(6.0, 0.0), (10.0, 0.0)],
            [(10.0, 2.0), (10.0, 6.0)],
            [(10.0, 8.0), (10.0, 10.0)],
        ];
        assert_eq!(parts, expected.map(|part| part.to_vec()));
    }
}
