//! The timeline of a host program: a row for the host and one for each stream, with copies, kernels
//! and the calls that take time of the host.

use super::runs::{self, Ended};
use crate::args::DrawnRunArgs;
use crate::draw::axis::Axis;
use crate::draw::font::{Weight, width};
use crate::draw::hatch::{Hatch, Lines};
use crate::draw::palette::{color, legend};
use crate::draw::plot::{BELOW, Plot};
use crate::draw::scene::{Anchor, MARGIN, NOTE, PALE, PAPER, Scene, WIDTH};
use crate::exit::{Code, Failure};
use crate::render::number::{count, fixed};
use plotters::style::RGBColor;
use report::trace::track;
use sim_core::host::timeline::{Call, Direction, HostCall};
use std::collections::BTreeMap;

/// Left end of the area in pixels.
const LEFT: f64 = MARGIN + 150.0;
/// Height of a row in pixels.
const STEP: f64 = 38.0;

/// Kinds of bars, in the order of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A copy to the device.
    CopyIn,
    /// A copy to the host or to another device.
    CopyOut,
    /// A kernel.
    Kernel,
    /// The host launches a kernel.
    Launch,
    /// The host waits.
    Waits,
}

impl Kind {
    fn of(call: &Call) -> Self {
        match call {
            Call::Copy(Direction::In) => Self::CopyIn,
            // A launch file has one board, so a copy to another board does not occur.
            Call::Copy(Direction::Out | Direction::Peer) => Self::CopyOut,
            Call::Kernel(_) => Self::Kernel,
        }
    }

    fn of_host(call: HostCall) -> Self {
        match call {
            HostCall::Launch => Self::Launch,
            HostCall::Copy | HostCall::Synchronize => Self::Waits,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::CopyIn => "copy to the device",
            Self::CopyOut => "copy to the host",
            Self::Kernel => "kernel",
            Self::Launch => "launch call",
            Self::Waits => "the host waits",
        }
    }

    fn paint(self) -> (RGBColor, Option<Hatch>) {
        let white = |lines| Some(Hatch { lines, color: RGBColor(255, 255, 255) });
        match self {
            Self::CopyIn => (color(0), None),
            Self::CopyOut => (color(4), white(Lines::Rising)),
            Self::Kernel => (color(2), None),
            Self::Launch => (color(7), None),
            Self::Waits => (RGBColor(200, 200, 200), white(Lines::Falling)),
        }
    }
}

/// A bar: its kind, its text, and its start and end in nanoseconds.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Kind.
    pub kind: Kind,
    /// Text, if there is room.
    pub text: String,
    /// Start in nanoseconds.
    pub from: u64,
    /// End in nanoseconds.
    pub to: u64,
}

/// Draws the picture of the arguments.
pub fn run(args: &DrawnRunArgs) -> Result<Code, Failure> {
    let ended = runs::run(args, |_, _| Ok(()))?;
    let scene = draw(&ended);
    Ok(ended.finish(scene, None))
}

fn draw(ended: &Ended<'_>) -> Result<Scene, Failure> {
    let timeline = &ended.timeline;
    if timeline.events.is_empty() {
        return Err(Failure::input("error: the program has neither copies nor kernels"));
    }
    let host = timeline.host.iter().map(|span| Bar {
        kind: Kind::of_host(span.what),
        text: String::new(),
        from: span.start_ns,
        to: span.start_ns + span.duration_ns,
    });
    let mut streams: BTreeMap<usize, Vec<Bar>> = BTreeMap::new();
    for event in &timeline.events {
        let text = match &event.what {
            Call::Kernel(name) => name.clone(),
            Call::Copy(_) => format!("{} bytes", count(event.bytes)),
        };
        let bar = Bar { kind: Kind::of(&event.what), text, from: event.start_ns, to: event.end_ns() };
        streams.entry(event.stream).or_default().push(bar);
    }
    let mut rows = vec![("host".to_owned(), host.collect())];
    rows.extend(streams.into_iter().map(|(stream, bars)| (track(stream), bars)));
    let title = format!("{} on {}: copies and kernels in time", ended.kernel, ended.chip_name);
    let engines = match ended.chip.pcie.copy_engines {
        0 => "no copy engine: one copy or kernel at a time",
        1 => "one copy engine: a copy runs beside a kernel",
        _ => "two copy engines: a copy in each direction runs beside a kernel",
    };
    let kernels = match ended.chip.dispatch.concurrent_kernels {
        most if most > 1 && ended.chip.pcie.copy_engines > 0 => format!("; up to {most} kernels together"),
        _ => String::new(),
    };
    let note = format!("{} µs in all; {engines}{kernels}", fixed(timeline.now_ns() as f64 / 1e3, 2));
    Ok(scene(&title, note, &rows, timeline.now_ns()))
}

/// Draws rows of bars, each with a name, from time 0 to `end_ns`.
pub fn scene(title: &str, note: String, rows: &[(String, Vec<Bar>)], end_ns: u64) -> Scene {
    let (mut scene, top) = Scene::titled(title, &[note]);
    let right = WIDTH - MARGIN - 16.0;
    let end = (end_ns as f64 / 1e3).max(1.0);
    let marks = Axis::around(0.0, end).marks.into_iter().filter(|mark| *mark <= end).collect();
    let plot = Plot {
        at: (LEFT, top),
        size: (right - LEFT, STEP * rows.len() as f64 + 4.0),
        x: Axis::exactly(0.0, end, marks),
        y: Axis::exactly(0.0, 1.0, Vec::new()),
    };
    let mut seen: Vec<Kind> = Vec::new();
    for (row, (name, bars)) in rows.iter().enumerate() {
        let y = top + 2.0 + STEP * row as f64;
        scene.line(&[(MARGIN, y), (right, y)], PALE, 1.0);
        scene.note((LEFT - 10.0, y + STEP / 2.0 + 0.35 * NOTE), Anchor::End, name);
        for bar in bars {
            let (from, to) = (plot.x(bar.from as f64 / 1e3), plot.x(bar.to as f64 / 1e3));
            let wide = (to - from).max(1.0);
            let (fill, hatch) = bar.kind.paint();
            let named = width(&bar.text, NOTE, Weight::Bold) + 12.0 < wide && !bar.text.is_empty();
            // A text over a hatch is hard to read, and a narrow bar shows no hatch.
            let hatch = hatch.filter(|_| wide >= 5.0);
            scene.hatched((from, y + 4.0), (wide, STEP - 8.0), (fill, hatch));
            scene.outline((from, y + 4.0), (wide, STEP - 8.0), PAPER);
            if named {
                let place = (from + wide / 2.0, y + STEP / 2.0 + 0.35 * NOTE);
                if hatch.is_some() {
                    scene.plate(place, Anchor::Middle, &bar.text);
                } else {
                    scene.text_with(place, Anchor::Middle, &bar.text, (NOTE, Weight::Bold, PAPER));
                }
            }
            if !seen.contains(&bar.kind) {
                seen.push(bar.kind);
            }
        }
    }
    plot.across(&mut scene, "time (µs)");
    seen.sort_unstable();
    let entries: Vec<_> = seen.iter().map(|kind| (kind.paint(), kind.label().to_owned())).collect();
    let bottom = legend(&mut scene, &entries, MARGIN, right, plot.bottom() + BELOW + 16.0);
    scene.end(bottom)
}
