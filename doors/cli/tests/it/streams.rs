//! Lists of calls in launch files: results, timeline, trace events, and errors.

use crate::common::{Run, scratch, warpsim, warpsim_with};
use serde_json::Value;
use std::fs;
use std::path::Path;

const EXAMPLE: &str = include_str!("../../../../kernels/launch/vecadd_streams.ron");
const PTX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernels/ptx/vecadd.ptx");

/// Writes a launch file; returns its path.
fn written(name: &str, text: &str) -> String {
    let path = scratch(name).join("streams.ron");
    fs::write(&path, text).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

/// Runs the vector addition with a launch file that is accepted.
fn ran(launch: &str, more: &[&str]) -> Run {
    let run = warpsim_with(&[&["run", PTX, "--launch", launch], more].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

/// Returns the JSON document of a run.
fn document(launch: &str, chip: &str, more: &[&str]) -> Value {
    let run = ran(launch, &[&["--chip", chip, "--json", "-"], more].concat());
    serde_json::from_str(&run.stdout).expect("a document")
}

/// The error of a file in which `from` is replaced by `to`.
fn error(name: &str, from: &str, to: &str) -> String {
    assert!(EXAMPLE.contains(from), "{from}");
    let launch = written(name, &EXAMPLE.replacen(from, to, 1));
    let Run { code, stderr, .. } = warpsim_with(&["run", PTX, "--launch", &launch]);
    assert_eq!(code, Some(2), "{stderr}");
    stderr
}

/// Start, end, stream and text of the events.
fn events(document: &Value) -> Vec<(u64, u64, u64, String)> {
    let number = |event: &Value, field: &str| event[field].as_u64().expect("a number");
    let of_one = |event: &Value| {
        let (start, ns) = (number(event, "start_ns"), number(event, "duration_ns"));
        (start, start + ns, number(event, "stream"), event["what"].as_str().expect("a text").to_owned())
    };
    document["timeline"]["events"].as_array().expect("a list").iter().map(of_one).collect()
}

#[test]
fn parts_overlap_as_far_as_the_engines_allow() {
    let launch = written("streams-parts", EXAMPLE);
    let mut ends = Vec::new();
    for (chip, engines) in [("g80", 0), ("gt200", 1), ("c2050", 2)] {
        let document = document(&launch, chip, &[]);
        assert_eq!(document["check"]["passed"], true);
        let events = events(&document);
        assert_eq!(events.len(), 5 + 4 + 4, "{chip}");
        let overlap = |one: &str, other: &str| {
            let of = |what: &str| events.iter().filter(|e| e.3 == what).cloned().collect::<Vec<_>>();
            let others = of(other);
            of(one).iter().any(|a| others.iter().any(|b| a != b && a.0 < b.1 && b.0 < a.1))
        };
        assert_eq!(overlap("memcpy DtoH", "vecadd"), engines > 0, "{chip}");
        assert_eq!(overlap("memcpy HtoD", "memcpy DtoH"), engines > 1, "{chip}");
        // The copy of `b` takes 10 µs and 524,288 bytes at the rate of the link; no kernel begins
        // before it and the copy of its part have ended.
        let rate = if chip == "g80" { 4 } else { 8 };
        assert_eq!(events[0].1, 10_000 + 524_288 / rate, "{chip}");
        for stream in 1..=4 {
            let own: Vec<_> = events.iter().filter(|e| e.2 == stream).collect();
            assert!(own.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{chip}: stream {stream}");
            let kernel = own.iter().find(|e| e.3 == "vecadd").expect("a kernel");
            assert!(kernel.0 >= events[0].1, "{chip}: stream {stream}");
        }
        ends.push(events.iter().map(|e| e.1).max());
    }
    assert!(ends[1] < ends[0] && ends[2] < ends[1], "{ends:?}");
}

#[test]
fn the_timeline_is_printed_and_exported() {
    let launch = written("streams-export", EXAMPLE);
    let file = Path::new(&launch).with_file_name("trace.json");
    let file = file.to_str().expect("UTF-8");
    let run = ran(&launch, &["--chip", "c2050", "--details", "--timeline", file]);
    for part in ["in streams", "vecadd (stream 4)", "4 launch calls 28.00 us", "1 wait "] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }
    let trace: Value = serde_json::from_str(&fs::read_to_string(file).expect("written")).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("a list");
    let slices = |category: &str| events.iter().filter(|e| e["ph"] == "X" && e["cat"] == category).count();
    assert_eq!([slices("copy"), slices("kernel"), slices("host")], [9, 4, 5]);
    let tracks = events.iter().filter(|e| e["name"] == "thread_name").count();
    assert_eq!(tracks, 5, "four streams and the host");
}

#[test]
fn a_result_that_is_not_copied_back_is_wrong() {
    let text = EXAMPLE.replace("copy_out(stream: 4, buf: \"c\", first: 98304, len: 32768),", "");
    let launch = written("streams-missing", &text);
    let Run { code, stderr, .. } = warpsim_with(&["run", PTX, "--launch", &launch]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("the first is at index 98304"), "{stderr}");
}

#[test]
fn pageable_memory_is_slower_and_the_host_waits() {
    let pinned = document(&written("streams-pinned", EXAMPLE), "c2050", &[]);
    let text = EXAMPLE.replace("len: 131072,", "len: 131072, memory: pageable,");
    let text =
        text.replace("\"c\": (type: f32, len: 131072)", "\"c\": (type: f32, len: 131072, memory: pageable)");
    let pageable = document(&written("streams-pageable", &text), "c2050", &[]);
    let (fast, slow) = (events(&pinned), events(&pageable));
    assert_eq!(slow[0].1 - slow[0].0, 10_000 + 524_288 / 4);
    assert!(slow[1].0 >= slow[0].1 && fast[12].1 < slow[12].1);
    let waits = |document: &Value, what: &str| {
        document["timeline"]["host"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|span| span["what"] == what)
            .count()
    };
    assert_eq!((waits(&pinned, "copy"), waits(&pageable, "copy")), (0, 9));
}

#[test]
fn a_launch_without_values_is_that_of_the_file() {
    let text =
        EXAMPLE.replace("entry:", "params: [buf(\"a\"), buf(\"b\"), buf(\"c\"), s32(32768)],\n    entry:");
    let text = text.replace(
        "launch(stream: 1, params: [buf(\"a\"), buf(\"b\"), buf(\"c\"), s32(32768)]),",
        "launch(stream: 1),",
    );
    assert_eq!(document(&written("streams-file", &text), "gt200", &[])["check"]["passed"], true);
}

#[test]
fn the_functional_machine_has_the_same_results() {
    let launch = written("streams-functional", EXAMPLE);
    assert_eq!(document(&launch, "g80", &["--functional"])["check"]["passed"], true);
}

#[test]
fn wrong_calls_are_reported_at_their_place() {
    for (name, from, to, parts) in [
        (
            "zero",
            "copy_in(stream: 1, buf: \"b\")",
            "copy_in(stream: 0, buf: \"b\")",
            ["E0609", "leave out `stream`"],
        ),
        ("buffer", "copy_in(stream: 1, buf: \"b\")", "copy_in(stream: 1, buf: \"bb\")", ["E0601", "`bb`"]),
        (
            "event",
            "event: \"b is there\"),\n\n",
            "event: \"other\"),\n\n",
            ["E0609", "no earlier call records"],
        ),
        ("range", "first: 98304, len: 32768", "first: 98304, len: 32769", ["E0606", "131072 elements"]),
        ("both", "synchronize,", "synchronize(stream: 1, event: \"b is there\"),", ["E0609", "both"]),
        ("word", "synchronize,", "synchronise,", ["E0507", "synchronize"]),
        ("stream", "wait(stream: 2, event", "wait(event", ["E0503", "`stream`"]),
        ("argument", "s32(32768)]", "f32(1.0)]", ["E0604", "parameter `n`"]),
    ] {
        let stderr = error(&format!("streams-{name}"), from, to);
        assert!(parts.iter().all(|part| stderr.contains(part)), "{name}: {stderr}");
    }
    let none = error("streams-none", "    streams: [", "    streams: [synchronize], dumps: [");
    assert!(none.contains("`streams` has no launch"), "{none}");
}

#[test]
fn launches_without_waits_take_the_launch_time() {
    let Run { code, stdout, stderr } = warpsim("run reduce-repeated --size 3000 --chip fermi --details");
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("2 launch calls 14.00 us"), "{stdout}");
}
