//! The timeline of a host program: a row for the host and one for each stream, with copies, kernels
//! and the calls that take time of the host.

use crate::axis::Axis;
use crate::font::{Weight, width};
use crate::hatch::{Hatch, Lines};
use crate::palette::{Paint, color, legend};
use crate::plot::{BELOW, Plot};
use crate::scene::{Anchor, MARGIN, NOTE, PALE, PAPER, Scene, WIDTH};
use plotters::style::RGBColor;
use report::program::{self, Busy, Called, Program};
use report::render::number::{count, fixed};
use report::trace::track;
use std::collections::BTreeMap;

/// Left end of the area in pixels.
const LEFT: f64 = MARGIN + 150.0;
/// Height of a row in pixels.
const STEP: f64 = 38.0;

/// Kinds of bars, in the order of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BarKind {
    /// A copy to the device.
    CopyIn,
    /// A copy to the host or to another device.
    CopyOut,
    /// A kernel runs.
    Kernel,
    /// The host launches a kernel.
    Launch,
    /// The host waits.
    Waits,
}

impl BarKind {
    fn label(self) -> &'static str {
        match self {
            Self::CopyIn => "copy to the device",
            Self::CopyOut => "copy to the host",
            Self::Kernel => "kernel",
            Self::Launch => "launch call",
            Self::Waits => "the host waits",
        }
    }

    fn paint(self) -> Paint {
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
    /// Copy, kernel or call of the host.
    pub kind: BarKind,
    /// Text, if there is room.
    pub text: String,
    /// Start in nanoseconds.
    pub from: u64,
    /// End in nanoseconds.
    pub to: u64,
}

/// Draws the copies and kernels of a program: a row for the host, then one for each stream of each
/// device.
pub fn program(program: &Program) -> Scene {
    let host = program.host.iter().map(|span| Bar {
        kind: match span.why {
            Busy::Launch => BarKind::Launch,
            Busy::Wait => BarKind::Waits,
        },
        text: String::new(),
        from: span.start_ns,
        to: span.start_ns + span.duration_ns,
    });
    let devices = program.calls.iter().map(|call| call.device).max().unwrap_or(0);
    let mut streams: BTreeMap<(usize, usize), Vec<Bar>> = BTreeMap::new();
    for call in &program.calls {
        streams.entry((call.device, call.stream)).or_default().push(Bar::from(call));
    }
    let name = |(device, stream)| {
        let name = track(stream);
        if devices == 0 { name } else { format!("device {device}: {name}") }
    };
    let streams = streams.into_iter().map(|(of, bars)| (name(of), bars));
    let rows: Vec<_> = [("host".to_owned(), host.collect())].into_iter().chain(streams).collect();
    let note = format!("{} µs in all", fixed(program.simulated_ns as f64 / 1e3, 2));
    scene("Copies and kernels in time", note, &rows, program.simulated_ns)
}

impl From<&Called> for Bar {
    fn from(call: &Called) -> Self {
        let kind = match call.kind {
            program::Kind::CopyIn => BarKind::CopyIn,
            program::Kind::CopyOut | program::Kind::CopyPeer => BarKind::CopyOut,
            program::Kind::Kernel => BarKind::Kernel,
        };
        let text =
            if call.kernel.is_empty() { format!("{} bytes", count(call.bytes)) } else { call.kernel.clone() };
        Self { kind, text, from: call.start_ns, to: call.start_ns + call.duration_ns }
    }
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
    let mut seen: Vec<BarKind> = Vec::new();
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
            scene.tip(format!(
                "{} {}: {} to {} µs",
                bar.kind.label(),
                bar.text,
                fixed(bar.from as f64 / 1e3, 2),
                fixed(bar.to as f64 / 1e3, 2)
            ));
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
