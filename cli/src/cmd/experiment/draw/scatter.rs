//! Points over two axes, with a front.

use super::svg::{Anchor, Class, LINE, Svg, width};
use crate::draw::axis::Axis;

/// Size of the area of the points in pixels.
const AREA: (f64, f64) = (560.0, 340.0);
/// Margin in pixels.
const MARGIN: f64 = 14.0;

/// A picture with points.
#[derive(Clone, Debug)]
pub struct Scatter {
    /// Title.
    pub title: String,
    /// Labels of the axes, with units.
    pub labels: [String; 2],
    /// All points.
    pub points: Vec<[f64; 2]>,
    /// The points of the front, by ascending x.
    pub front: Vec<[f64; 2]>,
}

impl Scatter {
    /// Returns the picture.
    pub fn svg(&self) -> String {
        let mut svg = Svg::new();
        let extent = |i: usize| {
            let values = || self.points.iter().chain(&self.front).map(|point| point[i]);
            let (low, high) =
                (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
            if low.is_finite() { Axis::around(low, high) } else { Axis::around(0.0, 1.0) }
        };
        let axes = [extent(0), extent(1)];
        let marks = axes[1].marks.iter().map(|mark| width(&axes[1].text(*mark))).fold(0.0, f64::max);
        let (left, top) = (MARGIN + LINE + marks + 12.0, MARGIN + 2.0 * LINE + 10.0);
        let bottom = top + AREA.1;
        let at = |point: &[f64; 2]| {
            (left + axes[0].part(point[0]) * AREA.0, bottom - axes[1].part(point[1]) * AREA.1)
        };
        svg.text(Class::Title, (MARGIN, MARGIN + LINE - 5.0), Anchor::Start, &self.title);
        for mark in &axes[0].marks {
            let x = left + axes[0].part(*mark) * AREA.0;
            svg.line(Class::Grid, (x, top), (x, bottom));
            svg.text(Class::Note, (x, bottom + LINE - 2.0), Anchor::Middle, &axes[0].text(*mark));
        }
        for mark in &axes[1].marks {
            let y = bottom - axes[1].part(*mark) * AREA.1;
            svg.line(Class::Grid, (left, y), (left + AREA.0, y));
            svg.label(Class::Note, (left - 6.0, y), Anchor::End, &axes[1].text(*mark));
        }
        self.points.iter().for_each(|point| svg.circle(Class::Frame, at(point), 4.0));
        // The front is a staircase: between two of its points nothing better is known.
        let mut steps = Vec::new();
        for point in &self.front {
            let (x, y) = at(point);
            if let Some((_, before)) = steps.last().copied() {
                steps.push((x, before));
            }
            steps.push((x, y));
        }
        svg.path(Class::Front, &steps);
        for (x, y) in self.front.iter().map(at) {
            svg.rectangle(Class::Bar, (x - 4.5, y - 4.5), (9.0, 9.0));
        }
        let y = MARGIN + 2.0 * LINE - 2.0;
        let all = format!("all points ({})", self.points.len());
        svg.circle(Class::Frame, (left + 5.0, y - 4.0), 4.0);
        svg.text(Class::Label, (left + 16.0, y), Anchor::Start, &all);
        let x = left + 16.0 + width(&all) + 24.0;
        svg.rectangle(Class::Bar, (x, y - 8.5), (9.0, 9.0));
        svg.text(Class::Label, (x + 15.0, y), Anchor::Start, &format!("Pareto front ({})", self.front.len()));
        svg.text(Class::Label, (left + AREA.0 / 2.0, bottom + 2.0 * LINE), Anchor::Middle, &self.labels[0]);
        svg.upward((MARGIN + 10.0, top + AREA.1 / 2.0), &self.labels[1]);
        let last = axes[0].marks.last().map_or(0.0, |mark| width(&axes[0].text(*mark)) / 2.0);
        let whole = (left + AREA.0 + last + MARGIN).max(width(&self.title) * 1.1 + 2.0 * MARGIN);
        svg.finish(whole, bottom + 2.0 * LINE + MARGIN)
    }
}
