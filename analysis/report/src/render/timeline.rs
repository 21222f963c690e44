//! The host's part of the full report: copies and kernels with their times, and the time of the
//! host.

use super::number::{count, fixed, rate};
use super::table::{Column, Columns, WIDTH, heading, line};
use crate::mangled::plain;
use sim_core::host::timeline::{HostCall, Timeline};

/// Maximum number of host events, without and with streams.
const EVENTS: [usize; 2] = [12, 60];

/// Returns the copies over PCI Express and the kernels, in the order of the host program.
pub fn host(timeline: &Timeline) -> String {
    if timeline.events.is_empty() {
        return String::new();
    }
    let streams = timeline.events.iter().any(|e| e.stream > 0);
    let how = if streams { "in streams" } else { "one after the other" };
    let mut out = heading(&format!("Host: copies over PCI Express and kernels, {how}"));
    let mut table = Columns::new(&[
        Column::Words(31),
        Column::Numbers(15),
        Column::Numbers(12),
        Column::Numbers(12),
        Column::Rest,
    ])
    .titles(&["", "bytes", "start, us", "took, us", ""]);
    let us = |ns: u64| fixed(ns as f64 / 1000.0, 2);
    let most = EVENTS[usize::from(streams)];
    for event in timeline.events.iter().take(most) {
        let bytes = if event.bytes == 0 { String::new() } else { count(event.bytes) };
        let rate = match (event.bytes, event.duration_ns) {
            (0, _) | (_, 0) => String::new(),
            (bytes, ns) => format!("{} GB/s", rate(bytes as f64 / ns as f64)),
        };
        let what = match event.stream {
            0 => plain(&event.what.to_string()).to_owned(),
            stream => format!("{} (stream {stream})", plain(&event.what.to_string())),
        };
        table.row(&[&what, &bytes, &us(event.start_ns), &us(event.duration_ns), &rate]);
    }
    out += &table.draw();
    if timeline.events.len() > most {
        line(&mut out, format!("  and {} more", timeline.events.len() - most));
    }
    line(
        &mut out,
        format!("  {} us in all; HtoD: host to device, DtoH: device to host", us(timeline.now_ns())),
    );
    let parts: Vec<String> = [HostCall::Launch, HostCall::Copy, HostCall::Synchronize]
        .into_iter()
        .filter_map(|call| host_part(timeline, call))
        .collect();
    if !parts.is_empty() {
        line(&mut out, format!("  time of the host: {}", parts.join(", ")));
    }
    debug_assert!(out.lines().all(|l| l.chars().count() <= usize::from(WIDTH)));
    out
}

/// Returns the number of calls of one kind and the time that the host spends in them; `None`
/// without a call.
fn host_part(timeline: &Timeline, call: HostCall) -> Option<String> {
    let spans = || timeline.host.iter().filter(|span| span.what == call);
    let (calls, ns) = (spans().count() as u64, spans().map(|span| span.duration_ns).sum::<u64>());
    let name = match call {
        HostCall::Launch => "launch call",
        HostCall::Copy => "copy",
        HostCall::Synchronize => "wait",
    };
    let plural = match (calls, call) {
        (0, _) => return None,
        (1, _) => name.to_owned(),
        (_, HostCall::Copy) => "copies".to_owned(),
        (_, HostCall::Launch | HostCall::Synchronize) => format!("{name}s"),
    };
    Some(format!("{} {plural} {} us", count(calls), fixed(ns as f64 / 1000.0, 2)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::host::HostMemory;
    use sim_core::host::timeline::{Copying, Direction};

    #[test]
    fn the_copies_are_summed() {
        let mut timeline = Timeline::default();
        let (direction, memory) = (Direction::In, HostMemory::Pinned);
        timeline.push_copy(&Copying { direction, address: None, bytes: 4000, memory, duration_ns: 2000 });
        timeline.push_kernel("kernel", 100, 500);
        let text = host(&timeline);
        assert!(
            text.contains("2.00 GB/s")
                && text.contains("2.60 us in all")
                && text.contains("1 launch call 0.10 us"),
            "{text}"
        );
        let stream = timeline.stream();
        timeline.kernel(stream, "overlap", 0, 500);
        let text = host(&timeline);
        assert!(text.contains("kernels, in streams") && text.contains("overlap (stream 1)"), "{text}");
    }
}
