//! The difference of two runs by issue slot outcome and by source line, and the pictures of each
//! run.

use crate::bars::{Bar, Bars};
use crate::launch;
use crate::roofline::{self, Kernel, Peaks};
use crate::scene::Scene;
use crate::stalls::{self, Line, Order};
use report::compare::difference::{Comparison, LineRow, Of, Side};
use report::compare::outcome::Times;
use report::render::number::{fixed, signed};
use report::render::text::squeeze;
use serde_json::Value;
use sim_core::stats::ByState;

/// Smallest bar relative to the largest one; smaller ones are left out.
const LEAST: f64 = 0.002;
/// Largest number of source lines.
const MOST_LINES: usize = 24;
/// Meanings of the colors.
const COLORS: [&str; 2] = ["B takes less time", "B takes more time"];

fn bar(comparison: &Comparison, name: String, times: Times) -> Bar {
    let places = comparison.decimals();
    let shown = |time: f64| fixed(time, places);
    let text =
        format!("{} us ({} to {})", signed(times.difference(), places), shown(times.a), shown(times.b));
    Bar::new(name, times.difference(), text)
}

/// Returns the difference by issue slot outcome, with the verdict as title.
pub fn outcomes(comparison: &Comparison) -> Scene {
    let size = |times: &Times| times.difference().abs();
    let largest = comparison.outcomes.iter().map(|(_, times)| size(times)).fold(0.0, f64::max);
    let shown =
        comparison.outcomes.iter().filter(|(_, times)| size(times) > 0.0 && size(times) >= LEAST * largest);
    let bars = shown.map(|(outcome, times)| bar(comparison, outcome.label(), *times)).collect();
    let [verdict, _] = comparison.answer();
    let net = signed(comparison.times.difference(), comparison.decimals());
    let notes = vec![
        format!("A: {}", comparison.a.name),
        format!("B: {}", comparison.b.name),
        format!("Time of B minus time of A by issue slot outcome; the sum is {net} us"),
    ];
    Bars { notes, ..Bars::diverging(verdict, bars, COLORS) }.scene()
}

/// Returns the difference by source line.
pub fn lines(comparison: &Comparison) -> Scene {
    let changed: Vec<&LineRow> =
        comparison.lines.iter().filter(|row| row.times.difference() != 0.0).collect();
    let name = |row: &LineRow| {
        let of = match row.of {
            Of::Both => "",
            Of::A => "A ",
            Of::B => "B ",
        };
        format!("{of}{}: {}", row.line, squeeze(&row.source))
    };
    let bars: Vec<Bar> =
        changed.iter().take(MOST_LINES).map(|row| bar(comparison, name(row), row.times)).collect();
    let note = match (bars.len(), changed.len()) {
        (0, _) => "No source line differs.".to_owned(),
        (shown, all) if shown < all => format!("The {shown} lines with the largest differences"),
        _ => "Time of B minus time of A".to_owned(),
    };
    Bars { notes: vec![note], ..Bars::diverging("Difference of the time by source line", bars, COLORS) }
        .scene()
}

/// Returns the launch of a run that takes longest, of equal launches the first one: its number,
/// from 0.
pub fn longest(side: &Side) -> usize {
    let cycles = |number: &usize| side.report.launches[*number].timing.cycles;
    (0..side.report.launches.len()).rev().max_by_key(cycles).unwrap_or_default()
}

/// Returns the pictures of the longest launch of a run: the states of its warps, the stalls by
/// source line, and the roofline if it applies.
pub fn of_run(side: &Side) -> Vec<Scene> {
    let number = longest(side);
    let (Some(launch), Some(json)) = (side.report.launches.get(number), side.report.runs.get(number)) else {
        return Vec::new();
    };
    let integer = |path: &str| json.pointer(path).and_then(Value::as_u64).unwrap_or_default();
    let real = |path: &str| json.pointer(path).and_then(Value::as_f64).unwrap_or_default();
    let resident = integer("/timing/warps/resident");
    let mut lines: Vec<Line> = launch
        .timing
        .lines
        .iter()
        .map(|line| Line {
            line: line.line,
            source: line.source.clone(),
            share: line.states.total() as f64 / resident.max(1) as f64,
            states: line.states,
        })
        .collect();
    lines.sort_by(|a, b| b.share.total_cmp(&a.share));
    let states = json.pointer("/timing/warps/states").cloned().unwrap_or_default();
    let states: ByState = serde_json::from_value(states).unwrap_or_default();
    let notes = [format!("kernel {}", launch.kernel)];
    let mut all = vec![
        launch::states(resident, &states),
        stalls::scene("Time of warps by source line", &notes, &lines, MOST_LINES, Order::Time),
    ];
    let bytes = integer("/timing/dram/read_bytes") + integer("/timing/dram/write_bytes");
    let point = Kernel::new(&launch.kernel, integer("/instructions/flops"), real("/timing/gflops"), bytes);
    let peaks = Peaks { gflops: real("/chip/peak_gflops"), gbps: real("/chip/peak_gbps") };
    if let (Ok(point), true) = (point, peaks.gflops > 0.0 && peaks.gbps > 0.0) {
        all.push(roofline::scene("Roofline", &[], peaks, &[point]));
    }
    all
}
