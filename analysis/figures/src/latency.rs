//! Latency of a load by footprint and stride: a staircase for each stride, with the published
//! steps.

use crate::axis::Axis;
use crate::font::{Weight, width};
use crate::palette::{color, mark};
use crate::plot::{BELOW, LEFT, Plot};
use crate::scene::{Anchor, MARGIN, MUTED, NOTE, Scene, WIDTH};

/// Height of the area in pixels.
const HEIGHT: f64 = 460.0;
/// Width of the legend in pixels.
const LEGEND: f64 = 270.0;
/// Height that separates two labels in pixels.
const APART: f64 = 1.4 * NOTE;

/// The latency of loads that are one stride apart.
#[derive(Clone, Debug)]
pub struct Curve {
    /// State space and stride.
    pub name: String,
    /// Footprint in bytes, latency in shader cycles.
    pub points: Vec<(u64, f64)>,
}

/// A published step.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedStep {
    /// Name of the published value.
    pub label: String,
    /// Where the step is.
    pub place: StepPosition,
}

/// The place of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepPosition {
    /// Footprint in bytes at which the latency increases.
    Bytes(u64),
    /// Latency in shader cycles.
    Cycles(f64),
}

/// Returns the picture of the curves of a chip.
pub fn scene(chip: &str, curves: &[Curve], steps: &[PublishedStep]) -> Scene {
    let title = format!("Latency of a load by footprint on {chip}");
    let note = "Each load takes its address from the one before; the addresses are one stride apart.";
    let (mut scene, top) = Scene::titled(&title, &[note.to_owned()]);
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let sizes = steps.iter().filter_map(|step| match step.place {
        StepPosition::Bytes(bytes) => Some(bytes),
        StepPosition::Cycles(_) => None,
    });
    let footprints: Vec<u64> = points().map(|point| point.0).chain(sizes).collect();
    let from = footprints.iter().min().copied().unwrap_or(1) as f64 / 1.5;
    let to = footprints.iter().max().copied().unwrap_or(2) as f64 * 1.5;
    let published = steps.iter().filter_map(|step| match step.place {
        StepPosition::Cycles(cycles) => Some(cycles),
        StepPosition::Bytes(_) => None,
    });
    let most = points().map(|p| p.1).chain(published).fold(1.0, f64::max);
    let rounded = Axis::around(0.0, most * 1.18);
    let plot = Plot {
        at: (MARGIN + LEFT, top + 8.0),
        size: (WIDTH - 2.0 * MARGIN - LEFT - LEGEND, HEIGHT),
        x: Axis::doublings(from, to),
        y: rounded,
    };
    plot.frame(&mut scene, "footprint", "latency (shader cycles)");
    published_steps(&mut scene, &plot, curves, steps);
    for (number, curve) in curves.iter().enumerate() {
        let line: Vec<_> = curve.points.iter().map(|(x, y)| plot.place((*x as f64, *y))).collect();
        scene.line(&line, color(number), 2.5);
    }
    // Points at the same place are drawn one over the other, each smaller than the one below.
    for (number, curve) in curves.iter().enumerate() {
        for point in &curve.points {
            let same = |other: &&Curve| {
                other.points.iter().any(|(x, y)| {
                    x == &point.0 && plot.y(*y) - plot.y(point.1) < 6.0 && plot.y(point.1) - plot.y(*y) < 6.0
                })
            };
            let later = curves[number + 1..].iter().filter(same).count();
            mark(&mut scene, number, plot.place((point.0 as f64, point.1)), 4.5 + 3.0 * later as f64);
        }
    }
    let left = WIDTH - MARGIN - LEGEND + 26.0;
    let mut y = plot.at.1 + NOTE;
    for (number, curve) in curves.iter().enumerate() {
        mark(&mut scene, number, (left, y - 0.35 * NOTE), 6.5);
        scene.note((left + 18.0, y), Anchor::Start, &curve.name);
        y += 1.75 * NOTE;
    }
    scene.dashed(&[(left - 10.0, y - 0.35 * NOTE), (left + 10.0, y - 0.35 * NOTE)], MUTED, 1.4);
    scene.note((left + 18.0, y), Anchor::Start, "published");
    scene.end(plot.bottom() + BELOW)
}

/// Adds the published steps with their labels, each where neither a label nor a point is.
fn published_steps(scene: &mut Scene, plot: &Plot, curves: &[Curve], steps: &[PublishedStep]) {
    let right = plot.at.0 + plot.size.0;
    // Spaces of labels and points so far: left, right, baseline.
    let points = curves.iter().flat_map(|curve| &curve.points);
    let mut taken: Vec<(f64, f64, f64)> = points
        .map(|(x, y)| plot.place((*x as f64, *y)))
        .map(|(x, y)| (x - 9.0, x + 9.0, y + 0.35 * NOTE))
        .collect();
    for step in steps {
        let line = match step.place {
            StepPosition::Cycles(cycles) => [(plot.at.0, plot.y(cycles)), (right, plot.y(cycles))],
            StepPosition::Bytes(at) => [(plot.x(at as f64), plot.at.1), (plot.x(at as f64), plot.bottom())],
        };
        scene.dashed(&line, MUTED, 1.4);
    }
    for step in steps {
        let wide = width(&step.label, NOTE, Weight::Regular) + 10.0;
        let (mut x, mut y) = match step.place {
            StepPosition::Cycles(cycles) => (right - wide, plot.y(cycles) - 6.0),
            StepPosition::Bytes(at) => {
                let x = plot.x(at as f64);
                (if x + wide > right { x - wide } else { x + 2.0 }, plot.at.1 + NOTE)
            }
        };
        let is_free = |x: f64, y: f64| {
            let apart = |(left, right, at): &(f64, f64, f64)| {
                x + wide < *left || *right < x || (y - at).abs() >= APART
            };
            taken.iter().all(apart)
        };
        while x >= plot.at.0 && y <= plot.bottom() && !is_free(x, y) {
            match step.place {
                StepPosition::Cycles(_) => x -= 6.0,
                StepPosition::Bytes(_) => y += 6.0,
            }
        }
        // Without space beside its line a label is left out rather than drawn over another one.
        if x >= plot.at.0 && y <= plot.bottom() {
            taken.push((x, x + wide, y));
            scene.plate((x + 5.0, y), Anchor::Start, &step.label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `pictures-are-legible`.
    #[test]
    fn curves_and_published_steps_are_drawn_and_named() {
        let curve = |name: &str, y| Curve { name: name.to_owned(), points: vec![(512, y), (4096, 2.0 * y)] };
        let step = |label: &str, place| PublishedStep { label: label.to_owned(), place };
        let steps =
            [step("L1: 2 KB", StepPosition::Bytes(2048)), step("63 cycles", StepPosition::Cycles(63.0))];
        let scene =
            scene("GeForce GTX 280 (gt200)", &[curve("const, stride 64 B", 32.0), curve("b", 40.0)], &steps);
        assert!(scene.flaws().is_empty(), "{:?}", scene.flaws());
        for part in ["L1: 2 KB", "63 cycles", "const, stride 64 B", "4 KB", "latency (shader cycles)"] {
            assert!(scene.texts().any(|text| text.text == part), "{part} is missing");
        }
    }
}
