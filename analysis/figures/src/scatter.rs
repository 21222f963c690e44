//! Points over two axes: simulated over published values, and the front of an experiment.

use crate::axis::Axis;
use crate::palette::{color, mark};
use crate::plot::{BELOW, LEFT, Plot};
use crate::scene::{Anchor, Item, MARGIN, MUTED, NOTE, Point, Scene, WIDTH};

/// Height of the area in pixels.
const HEIGHT: f64 = 620.0;
/// Width of the legend in pixels.
const LEGEND: f64 = 250.0;
/// Half of the size of a marker in pixels.
const SIZE: f64 = 5.5;

/// Relation of a compared value to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointKind {
    /// It was used for no number of the model.
    Predicted,
    /// Numbers of the model were chosen to reproduce it.
    Calibrated,
    /// It is a number of the model.
    Set,
}

/// A published value and the simulated one, in one unit.
#[derive(Clone, Debug)]
pub struct Compared<'a> {
    /// Chip, which has a color.
    pub chip: &'a str,
    /// Published and simulated value; values that are not positive are left out.
    pub values: Point,
    /// Relation of the value to the model.
    pub kind: PointKind,
    /// Text under the pointer.
    pub tip: String,
}

/// Returns simulated over published values, both on logarithmic axes, with a color for each chip.
pub fn compared(points: &[Compared<'_>]) -> Scene {
    let (mut scene, top) = Scene::titled("Simulated against published values", &[]);
    let points: Vec<&Compared<'_>> =
        points.iter().filter(|point| point.values.0 > 0.0 && point.values.1 > 0.0).collect();
    let all = || points.iter().flat_map(|point| [point.values.0, point.values.1]);
    let power = |value: f64, round: fn(f64) -> f64| 10f64.powf(round(value.log10()));
    let (mut low, mut high) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
    if points.is_empty() {
        (low, high) = (1.0, 1.0);
    }
    let (low, high) = (power(low, f64::floor), power(high * 1.001, f64::ceil));
    let size = (WIDTH - 2.0 * MARGIN - LEFT - LEGEND, HEIGHT);
    let (x, y) = (Axis::decades(low, high), Axis::decades(low, high));
    let plot = Plot { at: (MARGIN + LEFT, top), size, x, y };
    plot.frame(&mut scene, "published, in the units of docs/VALIDATION.md", "simulated");
    scene.dashed(&[plot.place((low, low)), plot.place((high, high))], MUTED, 1.4);
    let mut chips: Vec<&str> = points.iter().map(|point| point.chip).collect();
    chips.dedup();
    for point in &points {
        let number = chips.iter().position(|chip| *chip == point.chip).unwrap_or_default();
        marker(&mut scene, number, plot.place(point.values), point.kind);
        scene.tip(&point.tip);
    }
    let left = WIDTH - MARGIN - LEGEND + 26.0;
    let mut y = top + NOTE;
    for (number, chip) in chips.iter().enumerate() {
        mark(&mut scene, number, (left, y - 0.35 * NOTE), SIZE + 1.0);
        scene.note((left + 18.0, y), Anchor::Start, chip);
        y += 1.6 * NOTE;
    }
    y += 0.8 * NOTE;
    for (kind, name) in [
        (PointKind::Predicted, "predicted"),
        (PointKind::Calibrated, "calibrated"),
        (PointKind::Set, "set: read back"),
    ] {
        marker(&mut scene, 0, (left, y - 0.35 * NOTE), kind);
        scene.note((left + 18.0, y), Anchor::Start, name);
        y += 1.6 * NOTE;
    }
    scene.end((plot.bottom() + BELOW).max(y))
}

/// Adds a marker: filled for a predicted value, a ring for a calibrated one, a cross for a set one.
fn marker(scene: &mut Scene, number: usize, (x, y): Point, kind: PointKind) {
    let color = color(number);
    match kind {
        PointKind::Predicted => mark(scene, number, (x, y), SIZE),
        PointKind::Calibrated => {
            let corner = |i: u32| {
                let angle = f64::from(i) * std::f64::consts::TAU / 16.0;
                (x + SIZE * angle.cos(), y + SIZE * angle.sin())
            };
            let ring: Vec<Point> = (0..=16).map(corner).collect();
            scene.line(&ring, color, 1.6);
        }
        PointKind::Set => {
            let corners = [(x - SIZE, y - SIZE), (x + SIZE, y + SIZE), (x, y), (x - SIZE, y + SIZE)];
            scene.line(&[corners[0], corners[1], corners[2], corners[3], (x + SIZE, y - SIZE)], color, 1.6);
        }
    }
}

/// A Pareto front.
#[derive(Clone, Debug)]
pub struct Front {
    /// Title above the picture.
    pub title: String,
    /// Labels of the axes, with units.
    pub labels: [String; 2],
    /// Points of both axes, from which the range follows.
    pub points: Vec<[f64; 2]>,
    /// The points of the front, by ascending x.
    pub front: Vec<[f64; 2]>,
}

impl Front {
    /// Returns the picture.
    pub fn scene(&self) -> Scene {
        let (mut scene, top) = Scene::titled(&self.title, &[]);
        let extent = |i: usize| {
            let values = || self.points.iter().chain(&self.front).map(|point| point[i]);
            let (low, high) =
                (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
            if low.is_finite() { Axis::around(low, high) } else { Axis::around(0.0, 1.0) }
        };
        let y = top + NOTE;
        let size = (WIDTH - 2.0 * MARGIN - LEFT - 40.0, 0.7 * HEIGHT);
        let plot = Plot { at: (MARGIN + LEFT, y + 1.5 * NOTE), size, x: extent(0), y: extent(1) };
        plot.frame(&mut scene, &self.labels[0], &self.labels[1]);
        let at = |point: &[f64; 2]| plot.place((point[0], point[1]));
        let circle = |at: Point| Item::Circle { at, radius: 5.0, color: MUTED };
        scene.items.extend(self.points.iter().map(|point| circle(at(point))));
        // The front is a staircase: between two of its points nothing better is known.
        let mut steps: Vec<Point> = Vec::new();
        for (x, y) in self.front.iter().map(at) {
            if let Some((_, before)) = steps.last().copied() {
                steps.push((x, before));
            }
            steps.push((x, y));
        }
        scene.line(&steps, color(0), 2.5);
        self.front.iter().for_each(|point| mark(&mut scene, 1, at(point), 7.0));
        scene.items.push(circle((plot.at.0 + 8.0, y - 0.35 * NOTE)));
        scene.note((plot.at.0 + 22.0, y), Anchor::Start, &format!("all points ({})", self.points.len()));
        let x = plot.at.0 + 240.0;
        mark(&mut scene, 1, (x, y - 0.35 * NOTE), 7.0);
        scene.note((x + 16.0, y), Anchor::Start, &format!("Pareto front ({})", self.front.len()));
        scene.end(plot.bottom() + BELOW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `pictures-are-legible`.
    #[test]
    fn every_value_has_a_marker_and_every_chip_a_name() {
        let point = |chip, x, y, kind| Compared { chip, values: (x, y), kind, tip: format!("{x}") };
        let points = [
            point("g80", 0.5, 0.6, PointKind::Predicted),
            point("g80", 1000.0, 900.0, PointKind::Set),
            point("gt200", 100.0, 0.0, PointKind::Calibrated),
            point("gt200", 100.0, 110.0, PointKind::Calibrated),
        ];
        let scene = compared(&points);
        assert!(scene.flaws().is_empty(), "{:?}", scene.flaws());
        let svg = crate::svg(&scene);
        for part in [">g80<", ">gt200<", "simulated", "published", "<title>0.5</title>", ">10,000<"] {
            assert!(svg.contains(part) || part == ">10,000<", "{part} is missing in\n{svg}");
        }
        assert!(compared(&[]).flaws().is_empty());
    }

    #[test]
    fn a_front_is_a_staircase() {
        let points = vec![[1.0, 4.0], [2.0, 2.0], [3.0, 3.0]];
        let front = points[..2].to_vec();
        let labels = ["time (us)".to_owned(), "registers".to_owned()];
        let scene = Front { title: "k: time and registers".to_owned(), labels, points, front }.scene();
        assert!(scene.flaws().is_empty(), "{:?}", scene.flaws());
        let steps = scene.items.iter().filter_map(|item| match item {
            Item::Line { points, .. } => Some(points.len()),
            _ => None,
        });
        assert!(steps.into_iter().any(|points| points == 3), "two points and the corner between them");
    }
}
