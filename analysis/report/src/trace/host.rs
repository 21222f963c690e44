//! The timeline of a host program as Chrome trace events in JSON, for Perfetto: a track for the
//! host and one for each stream. The times are those of the program.

use serde_json::{Value, json};
use sim_core::host::timeline::{Call, Event, Timeline};
use std::collections::BTreeSet;

/// Number of the host's track, after those of all streams.
const HOST: usize = 1 << 20;

/// Returns the timeline of the program `name` on the chip `chip`, with a newline at the end.
pub fn host_trace(timeline: &Timeline, name: &str, chip: &str) -> String {
    let streams: BTreeSet<usize> = timeline.events.iter().map(|event| event.stream).collect();
    let mut events = vec![metadata("process_name", 0, &format!("{name} on {chip}"))];
    events.extend(streams.iter().map(|stream| metadata("thread_name", *stream, &track(*stream))));
    events.push(metadata("thread_name", HOST, "host"));
    events.extend(timeline.events.iter().map(device));
    events.extend(timeline.host.iter().map(|span| {
        slice(&span.what.to_string(), "host", HOST, (span.start_ns, span.duration_ns), &json!({}))
    }));
    let header = json!({ "program": name, "chip": chip, "time_unit": "us" });
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    format!("{{\"otherData\":{header},\n\"traceEvents\":[\n{}\n]}}\n", lines.join(",\n"))
}

/// Returns the name of a stream's track.
pub fn track(stream: usize) -> String {
    if stream == 0 { "default stream".to_owned() } else { format!("stream {stream}") }
}

fn metadata(kind: &str, track: usize, name: &str) -> Value {
    json!({ "ph": "M", "pid": 0, "tid": track, "name": kind, "args": { "name": name } })
}

fn device(event: &Event) -> Value {
    let (category, args) = match &event.what {
        Call::Kernel(_) => ("kernel", json!({})),
        Call::Copy(_) => ("copy", json!({ "bytes": event.bytes })),
    };
    let span = (event.start_ns, event.duration_ns);
    slice(&event.what.to_string(), category, event.stream, span, &args)
}

/// Returns a slice; times in the file are microseconds.
fn slice(name: &str, category: &str, track: usize, (start, duration): (u64, u64), args: &Value) -> Value {
    let us = |ns: u64| ns as f64 / 1e3;
    json!({
        "ph": "X", "pid": 0, "tid": track, "ts": us(start), "dur": us(duration), "name": name,
        "cat": category, "args": args,
    })
}
