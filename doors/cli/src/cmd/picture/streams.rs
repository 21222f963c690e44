//! The timeline of a host program: a row for the host and one for each stream, with copies, kernels
//! and the calls that take time of the host.

use super::runs::{self, Ended};
use crate::args::DrawnRunArgs;
use crate::exit::{Code, Failure};
use crate::render::number::{count, fixed};
use figures::scene::Scene;
use figures::streams::{Bar, BarKind, scene};
use report::trace::track;
use sim_core::host::timeline::{Call, Direction, HostCall};
use std::collections::BTreeMap;

/// Returns the kind of the bar of a copy or kernel.
fn kind_of(call: &Call) -> BarKind {
    match call {
        Call::Copy(Direction::In) => BarKind::CopyIn,
        // A launch file has one board, so a copy to another board does not occur.
        Call::Copy(Direction::Out | Direction::Peer) => BarKind::CopyOut,
        Call::Kernel(_) => BarKind::Kernel,
    }
}

/// Returns the kind of the bar of a call of the host.
fn kind_of_host(call: HostCall) -> BarKind {
    match call {
        HostCall::Launch => BarKind::Launch,
        HostCall::Copy | HostCall::Synchronize => BarKind::Waits,
    }
}

/// Draws the picture of the arguments.
pub fn run(args: &DrawnRunArgs) -> Result<Code, Failure> {
    let ended = runs::run(args, None, |_, _| Ok(()))?;
    let scene = draw(&ended);
    Ok(ended.finish(scene, None))
}

fn draw(ended: &Ended<'_>) -> Result<Scene, Failure> {
    let timeline = &ended.timeline;
    if timeline.events.is_empty() {
        return Err(Failure::input("error: the program has neither copies nor kernels"));
    }
    let host = timeline.host.iter().map(|span| Bar {
        kind: kind_of_host(span.what),
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
        let bar = Bar { kind: kind_of(&event.what), text, from: event.start_ns, to: event.end_ns() };
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
