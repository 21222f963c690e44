//! The roofline of a chip with the points of kernels; both axes are logarithmic.

use super::runs::{self, Ended, chosen, launch_line, verified};
use crate::args::RooflineArgs;
use crate::draw::axis::Axis;
use crate::draw::font::{Weight, width};
use crate::draw::palette::mark;
use crate::draw::plot::{BELOW, LEFT, Plot};
use crate::draw::scene::{Anchor, INK, LABEL, MARGIN, MUTED, Point, Scene, WIDTH};
use crate::exit::{Code, Failure};
use crate::render::number::{fixed, rate};
use crate::watch::Watch;
use crate::workload::settings;
use kernels::Workload;
use sim_core::host::{Gpu, Mode};
use sim_core::stats::Report;
use sim_core::stats::report::{ChipReport, TimingReport};

/// Height of the area in pixels.
const HEIGHT: f64 = 430.0;

/// The point of a kernel.
struct Kernel {
    name: String,
    /// Floating-point operations per byte of DRAM traffic.
    intensity: f64,
    /// GFLOP/s.
    rate: f64,
}

/// Draws the picture of the arguments.
pub fn run(args: &RooflineArgs) -> Result<Code, Failure> {
    let others: Vec<&'static Workload> =
        args.others.iter().map(|name| other(name)).collect::<Result<_, _>>()?;
    let ended = runs::run(&args.run, |_, _| Ok(()))?;
    let scene = draw(&ended, args, &others);
    Ok(ended.finish(scene, None))
}

/// Finds a built-in kernel.
fn other(name: &str) -> Result<&'static Workload, Failure> {
    kernels::find(name).ok_or_else(|| {
        let near = isa::diag::nearest(name, kernels::all().iter().map(|one| one.name));
        let near = near.map_or_else(String::new, |near| format!("\nhelp: did you mean `{near}`?"));
        Failure::input(format!("error: --with {name}: unknown built-in kernel{near}"))
    })
}

fn draw(ended: &Ended<'_>, args: &RooflineArgs, others: &[&'static Workload]) -> Result<Scene, Failure> {
    let reports = &ended.outcome.reports;
    let number = chosen(reports, None)?;
    let mut points = vec![point(&ended.kernel, &reports[number])?];
    for workload in others {
        points.push(run_other(ended, args, workload)?);
    }
    let names: Vec<&str> = points.iter().map(|point| point.name.as_str()).collect();
    let title = format!("Roofline of {}: {}", ended.chip_name, names.join(", "));
    let note = match (others.is_empty(), args.run.workload.size) {
        (true, _) => launch_line(reports, number),
        (false, Some(size)) => format!("each with the problem size {size}"),
        (false, None) => "each with its default problem size".to_owned(),
    };
    Ok(scene(&title, &[note], &reports[number].chip, &points))
}

/// Runs another built-in kernel with the same settings, and returns its point.
fn run_other(ended: &Ended<'_>, args: &RooflineArgs, workload: &'static Workload) -> Result<Kernel, Failure> {
    let mut gpu = Gpu::new(ended.chip.clone());
    let watch = Watch::of(&args.run.progress);
    watch.follow(&mut gpu);
    let settings = settings(&args.run.workload, Mode::Timed, args.run.threads, &ended.chip);
    let module = workload.compile_with(args.run.workload.compile.options());
    let run = module.and_then(|module| workload.run(module, &mut gpu, settings));
    watch.clear();
    let run = run.map_err(|why| {
        let message = format!("error: --with {}: {why}", workload.name);
        Failure::input(message)
    })?;
    let reports = verified(workload.name, run)?;
    let number = chosen(&reports, None)?;
    point(workload.name, &reports[number])
}

/// Returns the point of a launch.
fn point(name: &str, report: &Report) -> Result<Kernel, Failure> {
    let cannot = |why: &str| Failure::input(format!("error: the roofline does not apply to {name}: {why}"));
    let Some(timing) = &report.timing else { return Err(cannot("the launch has no timing")) };
    if report.instructions.flops == 0 {
        return Err(cannot("it has no floating-point operations"));
    }
    let bytes = traffic(timing);
    if bytes == 0 || timing.gflops <= 0.0 {
        return Err(cannot("it has no DRAM traffic, so its arithmetic intensity is infinite"));
    }
    let intensity = report.instructions.flops as f64 / bytes as f64;
    Ok(Kernel { name: name.to_owned(), intensity, rate: timing.gflops })
}

fn traffic(timing: &TimingReport) -> u64 {
    timing.dram.read_bytes + timing.dram.write_bytes
}

fn scene(title: &str, notes: &[String], chip: &ChipReport, points: &[Kernel]) -> Scene {
    let (mut scene, top) = Scene::titled(title, notes);
    let ridge = chip.peak_gflops / chip.peak_gbps;
    let least = |of: fn(&Kernel) -> f64| points.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = points.iter().map(|point| point.intensity).fold(0.0, f64::max);
    let (low, high) = ((least(|p| p.intensity) / 3.0).min(0.05), (most * 3.0).max(4.0 * ridge).max(64.0));
    let floor = (least(|p| p.rate) / 4.0).min(chip.peak_gbps * low);
    let plot = Plot {
        at: (MARGIN + LEFT, top + 6.0),
        size: (WIDTH - 2.0 * MARGIN - LEFT, HEIGHT),
        x: Axis::decades(low, high),
        y: Axis::decades(floor, chip.peak_gflops * 2.2),
    };
    plot.frame(
        &mut scene,
        "arithmetic intensity (floating-point operations per byte of DRAM traffic)",
        "rate (GFLOP/s)",
    );
    let start = low.max(floor / chip.peak_gbps);
    let roof = [(start, chip.peak_gbps * start), (ridge, chip.peak_gflops), (high, chip.peak_gflops)];
    scene.line(&roof.map(|value| plot.place(value)), INK, 3.0);
    let (x, y) = plot.place((high, chip.peak_gflops));
    let peak = format!("peak rate: {} GFLOP/s", fixed(chip.peak_gflops, 1));
    scene.label((x - 8.0, y - 12.0), Anchor::End, &peak);
    // The label of the slope ends left of the line, in its middle.
    let (x, y) = plot.place(((start * ridge).sqrt(), chip.peak_gbps * (start * ridge).sqrt()));
    let bandwidth = format!("peak bandwidth: {} GB/s", fixed(chip.peak_gbps, 1));
    scene.label((x - 18.0, y - 6.0), Anchor::End, &bandwidth);
    let places: Vec<Point> = points.iter().map(|point| plot.place((point.intensity, point.rate))).collect();
    for (point, place) in points.iter().zip(&places) {
        let limit = chip.peak_gflops.min(chip.peak_gbps * point.intensity);
        scene.dashed(&[*place, plot.place((point.intensity, limit))], MUTED, 1.6);
    }
    for (i, place) in places.iter().enumerate() {
        // Points at the same place are drawn one over the other, each smaller than the one below.
        let later = places[i + 1..].iter().filter(|other| near(**other, *place)).count();
        mark(&mut scene, i, *place, 9.0 + 6.0 * later as f64);
    }
    let mut y = plot.bottom() + BELOW + 32.0;
    for (i, point) in points.iter().enumerate() {
        mark(&mut scene, i, (plot.at.0 + 10.0, y - 0.34 * LABEL), 9.0);
        scene.text_with((plot.at.0 + 30.0, y), Anchor::Start, &point.name, (LABEL, Weight::Bold, INK));
        let limit = chip.peak_gflops.min(chip.peak_gbps * point.intensity);
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
