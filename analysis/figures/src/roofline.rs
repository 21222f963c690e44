//! The roofline of a chip with the points of kernels; both axes are logarithmic.

use crate::axis::Axis;
use crate::font::{Weight, width};
use crate::palette::mark;
use crate::plot::{BELOW, LEFT, Plot};
use crate::scene::{Anchor, INK, LABEL, MARGIN, MUTED, Point, Scene, WIDTH};
use report::render::number::{fixed, rate};
use sim_core::stats::Report;

/// Height of the area in pixels.
const HEIGHT: f64 = 430.0;

/// The peaks of a chip.
#[derive(Clone, Copy, Debug)]
pub struct Peaks {
    /// Rate in GFLOP/s.
    pub gflops: f64,
    /// DRAM bandwidth in GB/s.
    pub gbps: f64,
}

impl Peaks {
    /// Returns the peaks of the chip of a launch.
    pub fn of(report: &Report) -> Self {
        Self { gflops: report.chip.peak_gflops, gbps: report.chip.peak_gbps }
    }
}

/// The point of a kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Name.
    pub name: String,
    /// Floating-point operations per byte of DRAM traffic.
    pub intensity: f64,
    /// GFLOP/s.
    pub rate: f64,
}

impl Kernel {
    /// Returns the point of a launch of `flops` operations at `rate` GFLOP/s, with this DRAM
    /// traffic.
    ///
    /// # Errors
    ///
    /// The roofline does not apply to it.
    pub fn new(name: &str, flops: u64, rate: f64, bytes: u64) -> Result<Self, &'static str> {
        if flops == 0 {
            return Err("it has no floating-point operations");
        }
        if bytes == 0 || rate <= 0.0 {
            return Err("it has no DRAM traffic, so its arithmetic intensity is infinite");
        }
        Ok(Self { name: name.to_owned(), intensity: flops as f64 / bytes as f64, rate })
    }

    /// Returns the point of a launch.
    ///
    /// # Errors
    ///
    /// The roofline does not apply to it.
    pub fn of(name: &str, report: &Report) -> Result<Self, &'static str> {
        let Some(timing) = &report.timing else { return Err("the launch has no timing") };
        let bytes = timing.dram.read_bytes + timing.dram.write_bytes;
        Self::new(name, report.instructions.flops, timing.gflops, bytes)
    }
}

/// Returns the picture of at least one kernel.
pub fn scene(title: &str, notes: &[String], peaks: Peaks, points: &[Kernel]) -> Scene {
    let (mut scene, top) = Scene::titled(title, notes);
    let ridge = peaks.gflops / peaks.gbps;
    let least = |of: fn(&Kernel) -> f64| points.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = points.iter().map(|point| point.intensity).fold(0.0, f64::max);
    let (low, high) = ((least(|p| p.intensity) / 3.0).min(0.05), (most * 3.0).max(4.0 * ridge).max(64.0));
    let floor = (least(|p| p.rate) / 4.0).min(peaks.gbps * low);
    let plot = Plot {
        at: (MARGIN + LEFT, top + 6.0),
        size: (WIDTH - 2.0 * MARGIN - LEFT, HEIGHT),
        x: Axis::decades(low, high),
        y: Axis::decades(floor, peaks.gflops * 2.2),
    };
    plot.frame(
        &mut scene,
        "arithmetic intensity (floating-point operations per byte of DRAM traffic)",
        "rate (GFLOP/s)",
    );
    let start = low.max(floor / peaks.gbps);
    let roof = [(start, peaks.gbps * start), (ridge, peaks.gflops), (high, peaks.gflops)];
    scene.line(&roof.map(|value| plot.place(value)), INK, 3.0);
    let (x, y) = plot.place((high, peaks.gflops));
    let peak = format!("peak rate: {} GFLOP/s", fixed(peaks.gflops, 1));
    scene.label((x - 8.0, y - 12.0), Anchor::End, &peak);
    // The label of the slope ends left of the line, in its middle.
    let (x, y) = plot.place(((start * ridge).sqrt(), peaks.gbps * (start * ridge).sqrt()));
    let bandwidth = format!("peak bandwidth: {} GB/s", fixed(peaks.gbps, 1));
    scene.label((x - 18.0, y - 6.0), Anchor::End, &bandwidth);
    let places: Vec<Point> = points.iter().map(|point| plot.place((point.intensity, point.rate))).collect();
    for (point, place) in points.iter().zip(&places) {
        let limit = peaks.gflops.min(peaks.gbps * point.intensity);
        scene.dashed(&[*place, plot.place((point.intensity, limit))], MUTED, 1.6);
    }
    for (i, place) in places.iter().enumerate() {
        // Points at the same place are drawn one over the other, each smaller than the one below.
        let later = places[i + 1..].iter().filter(|other| near(**other, *place)).count();
        mark(&mut scene, i, *place, 9.0 + 6.0 * later as f64);
        scene.tip(&points[i].name);
    }
    let mut y = plot.bottom() + BELOW + 32.0;
    for (i, point) in points.iter().enumerate() {
        mark(&mut scene, i, (plot.at.0 + 10.0, y - 0.34 * LABEL), 9.0);
        scene.text_with((plot.at.0 + 30.0, y), Anchor::Start, &point.name, (LABEL, Weight::Bold, INK));
        let limit = peaks.gflops.min(peaks.gbps * point.intensity);
        let text = format!(
            "{} GFLOP/s at {} operations per byte: {} % of the roofline there",
            rate(point.rate),
            rate(point.intensity),
            fixed(100.0 * point.rate / limit, 0)
        );
        let longest = points.iter().map(|one| width(&one.name, LABEL, Weight::Bold)).fold(0.0, f64::max);
        scene.label((plot.at.0 + 46.0 + longest, y), Anchor::Start, &text);
        y += 1.6 * LABEL;
    }
    scene.end(y - LABEL)
}

/// Whether two markers would cover each other.
fn near(a: Point, b: Point) -> bool {
    (a.0 - b.0).hypot(a.1 - b.1) < 14.0
}
