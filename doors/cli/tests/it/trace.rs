//! Tests of `warpsim trace`: every issue cycle of a warp occurs once, with the same contents in
//! all formats and in the report.

use crate::common::{Run, command, scratch, warpsim};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

/// The traced kernel: it loads, waits at a barrier and diverges.
const SMALL: &str = "trace trace.ptx --chip g80 --launch trace.ron";

fn traced(line: &str) -> String {
    let Run { code, stdout, stderr } = warpsim(line);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}");
    stdout
}

/// Returns the lines of warps: cycle, SM, slot, and the rest of the line from the state on.
fn lines(text: &str) -> Vec<(u64, u32, u32, &str)> {
    text.lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let numbers: Option<Vec<u64>> = words.by_ref().take(5).map(|word| word.parse().ok()).collect();
            let numbers = numbers.filter(|numbers| numbers.len() == 5)?;
            Some((numbers[0], numbers[1] as u32, numbers[2] as u32, line.get(45..).unwrap_or("")))
        })
        .collect()
}

/// Returns the spans of warps: first and last cycle, SM, slot, and the rest of the line from the
/// state on.
fn spans(text: &str) -> Vec<(u64, u64, u32, u32, &str)> {
    let span = |line: &'_ str| -> Option<(u64, u64, u32, u32)> {
        let words = line.split_whitespace().map_while(|word| word.parse::<u64>().ok());
        let numbers: Vec<u64> = words.take(7).collect();
        let [from, to, cycles, sm, warp, _, _] = numbers[..] else { return None };
        assert_eq!(to + 1 - from, cycles, "{line}");
        Some((from, to, sm as u32, warp as u32))
    };
    text.lines()
        .filter_map(|line| {
            let (from, to, sm, warp) = span(line)?;
            Some((from, to, sm, warp, line.get(63..).unwrap_or("")))
        })
        .collect()
}

/// Returns the shader cycles of the spans by state.
fn by_state_of_spans(text: &str) -> BTreeMap<String, u64> {
    let mut states = BTreeMap::new();
    for (from, to, .., rest) in spans(text) {
        let state = rest.split("  ").next().unwrap_or("");
        *states.entry(state.to_owned()).or_insert(0) += to + 1 - from;
    }
    states
}

/// Returns the issue cycles by state, by the labels of the text.
fn by_state(text: &str) -> BTreeMap<String, u64> {
    let mut states = BTreeMap::new();
    for (.., rest) in lines(text) {
        let state = rest.split("  ").next().unwrap_or("");
        *states.entry(state.to_owned()).or_insert(0) += 1;
    }
    states
}

#[test]
fn a_small_trace() {
    insta::assert_snapshot!(traced(SMALL));
}

#[test]
fn values_follow_the_instruction_that_writes_them() {
    insta::assert_snapshot!(traced(&format!("{SMALL} --values")));
    // Names, types and lanes: vectors, two predicates, narrow and wide integers, atomics.
    insta::assert_snapshot!(traced("trace values.ptx --launch values.ron --chip gt200 --values"));
}

/// Values change nothing else.
///
/// Tests: `traces`.
#[test]
fn values_only_add_to_a_trace() {
    let kernel = "trace reduce-interleaved --chip g80 --size 1024 --warp all";
    let values = |line: &&str| !line.split("    ").any(|part| part.starts_with("line "));
    let without = traced(kernel);
    let with = traced(&format!("{kernel} --values"));
    let with: Vec<&str> =
        with.lines().filter(values).map(|line| line.split(": %").next().unwrap_or(line)).collect();
    assert!(without.lines().eq(with), "lines differ");
    let json = traced(&format!("{SMALL} --format chrome --values"));
    let document: Value = serde_json::from_str(&json).expect("JSON");
    let events = document["traceEvents"].as_array().expect("a list");
    let of = |name: &str| events.iter().find(|e| e["name"] == name && e["ph"] != "b").expect("an event");
    assert_eq!(of("setp.eq.u32")["args"]["values"], "%odd = true in lanes aaaaaaaa");
    assert_eq!(of("load of line 15, warp 0")["args"]["values"], "%value = 0");
}

/// Tests: `traces`.
#[test]
fn every_issue_cycle_has_a_line() {
    insta::assert_snapshot!(traced(&format!("{SMALL} --format cycles --warp 0..1 --cycles 530..580")));
    let whole = traced(&format!("{SMALL} --format cycles --warp 1"));
    let cycles: Vec<u64> = lines(&whole).iter().map(|line| line.0).collect();
    assert!(cycles.windows(2).all(|pair| pair[1] == pair[0] + 4), "{cycles:?}");
}

/// Tests: `traces`.
#[test]
fn the_lines_add_up_to_the_report() {
    for kernel in ["trace.ptx --launch trace.ron", "reduce-interleaved --size 1024", "matmul-tiled --size 32"]
    {
        let text = traced(&format!("trace {kernel} --chip g80 --format cycles --sm all --warp all"));
        let run = warpsim(&format!("run {kernel} --chip g80 --json -"));
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let (report, warps) = (&report["runs"][0], &report["runs"][0]["timing"]["warps"]);
        assert_eq!(lines(&text).len() as u64, warps["resident"].as_u64().expect("a count"), "{kernel}");
        let mut counts: Vec<u64> = by_state(&text).into_values().collect();
        let states = warps["states"].as_array().expect("a list");
        let mut reported: Vec<u64> = states.iter().filter_map(|state| state[1].as_u64()).collect();
        counts.sort_unstable();
        reported.sort_unstable();
        assert_eq!(counts, reported, "{kernel}");
        let in_cycles: BTreeMap<_, _> =
            by_state(&text).into_iter().map(|(state, n)| (state, 4 * n)).collect();
        let text = traced(&format!("trace {kernel} --chip g80 --sm all --warp all"));
        assert_eq!(by_state_of_spans(&text), in_cycles, "{kernel}");
        let issuing = spans(&text).iter().filter(|span| span.4.starts_with("issuing")).count();
        assert_eq!(Some(issuing as u64), report["instructions"]["warp"].as_u64(), "{kernel}");
        let folded = traced(&format!("trace {kernel} --chip g80 --sm all --warp all --fold"));
        assert_eq!(by_state_of_spans(&folded), in_cycles, "{kernel}");
        follow_each_other(&text, false);
        follow_each_other(&folded, true);
    }
}

/// Checks that the spans of a block's warps follow each other without a gap; with `fold`, also that
/// neighbors have different states.
fn follow_each_other(text: &str, fold: bool) {
    let mut last: BTreeMap<(u32, u32), (u64, &str)> = BTreeMap::new();
    for (from, to, sm, warp, rest) in spans(text) {
        let state = rest.split("  ").next().unwrap_or("");
        if let Some((end, before)) = last.insert((sm, warp), (to, state)) {
            assert!(from > end, "warp {warp} of SM {sm} at {from}");
            assert!(!fold || from > end + 1 || before != state, "warp {warp} of SM {sm} at {from}");
        }
    }
}

/// Tests: `traces`.
#[test]
fn slices_of_a_track_never_overlap_and_agree_with_the_text() {
    for kernel in ["trace.ptx --launch trace.ron", "reduce-interleaved --size 1024"] {
        let ranges = "--sm 0..1 --warp all --cycles 600..2000";
        let text = traced(&format!("trace {kernel} --chip g80 {ranges} --format cycles"));
        let json = traced(&format!("trace {kernel} --chip g80 {ranges} --format chrome"));
        let document: Value = serde_json::from_str(&json).expect("JSON");
        let events = document["traceEvents"].as_array().expect("a list");
        let mut tracks: BTreeMap<(u64, u64), Vec<(u64, u64)>> = BTreeMap::new();
        let mut states: BTreeMap<String, u64> = BTreeMap::new();
        for event in events.iter().filter(|event| event["ph"] == "X") {
            let number = |key: &str| event[key].as_u64().expect(key);
            let (start, length) = (number("ts"), number("dur"));
            assert!(length > 0, "{event}");
            tracks.entry((number("pid"), number("tid"))).or_default().push((start, start + length));
            let state = event["args"]["state"].as_str().expect("a state");
            *states.entry(state.to_owned()).or_insert(0) += length;
        }
        for (track, slices) in &mut tracks {
            slices.sort_unstable();
            assert!(slices.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{track:?}: {slices:?}");
        }
        let in_text: BTreeMap<_, _> = by_state(&text).into_iter().map(|(state, n)| (state, 4 * n)).collect();
        assert_eq!(states, in_text, "{kernel}");
        let count = |phase: &str, category: &str| {
            events.iter().filter(|e| e["ph"] == phase && e["cat"] == category).count()
        };
        for category in ["block", "load"] {
            assert_eq!(count("b", category), count("e", category), "{kernel}: {category}s begin and end");
        }
        assert!(count("b", "block") > 0, "{kernel}");
    }
}

#[test]
fn the_trace_does_not_depend_on_the_host() {
    for format in ["text", "cycles", "chrome"] {
        let trace = |threads: u32| {
            traced(&format!(
                "trace matmul-tiled --chip g80 --size 32 --sm all --warp all --values --format {format} --threads {threads}"
            ))
        };
        assert!(trace(1) == trace(4), "{format}");
    }
}

#[test]
fn an_impossible_range_is_rejected() {
    let refused = |arguments: &str| {
        let Run { code, stdout, stderr } = warpsim(&format!("{SMALL} {arguments}"));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{arguments}: {stderr}");
        stderr
    };
    assert!(refused("--sm 16").contains("SM 16 does not exist: the chip has 16 SMs, 0 to 15"));
    assert!(
        refused("--warp 3..24")
            .contains("warp slot 24 does not exist: the chip has 24 warp slots on an SM, 0 to 23")
    );
    assert!(refused("--cycles 9..5").contains("the end 5 is below the start 9"));
    assert!(refused("--warp x").contains("`x` is not a whole number"));
    assert!(
        refused("--cycles 10000000..").contains("cycle 10,000,000 does not exist: the launch ended at cycle")
    );
    assert!(refused("--launch-index 2").contains("launch 2 does not exist: the number of launches"));
    assert!(refused("--functional").contains("has no cycles to trace"));
    assert!(refused("--fold --format chrome").contains("--fold requires --format text"));
    assert!(refused("--fold --format cycles").contains("--fold requires --format text"));
    assert!(refused("--max-size 0").contains("the size is 0"));
    assert!(refused("--max-size 1TB").contains("`TB` is not a unit: expected `kB`, `MB` or `GB`"));
    assert!(refused("--progress maybe").contains("possible values: always, never, auto"));
}

#[test]
fn a_slot_without_a_warp_is_reported() {
    assert!(traced(&format!("{SMALL} --warp 9")).contains("None of these warp slots held a warp"));
}

#[test]
fn a_bad_end_is_traced_and_reported() {
    let folder = scratch("trace-ends");
    for (entry, code, said) in [
        ("out_of_bounds", 3, "stopped by a trap"),
        ("hang", 4, "1 of 2 warps arrived"),
        ("endless", 4, "issuing"),
    ] {
        let launch = folder.join(entry);
        let text = format!(
            "(entry: \"{entry}\", grid: 2, block: 64, params: [buf(\"o\")], buffers: {{\"o\": (type: u8, len: 256)}})"
        );
        fs::write(&launch, text).expect("written");
        let launch = launch.display();
        let line =
            format!("trace endings.ptx --chip g80 --launch {launch} --sm all --warp 1 --max-cycles 9999");
        let run = warpsim(&line);
        assert_eq!(run.code, Some(code), "{entry}: {}", run.stderr);
        assert!(run.stdout.contains(said) && run.stderr.contains("error: "), "{entry}: {}", run.stdout);
        // The end does not matter if the requested cycles are before it.
        assert_eq!(warpsim(&format!("{line} --cycles ..600")).code, Some(0), "{entry}");
    }
}

/// The trace up to its limit is the beginning of the whole trace, and readers accept it.
///
/// Tests: `traces-are-limited`.
#[test]
fn a_trace_ends_at_its_limit() {
    let kernel = "trace matmul-tiled --chip g80 --size 32 --warp all";
    let limited = |arguments: &str| {
        let Run { code, stdout, stderr } = warpsim(&format!("{kernel} {arguments}"));
        assert_eq!(code, Some(4), "{arguments}: {stderr}");
        assert!(stderr.contains("the trace has reached") && stderr.contains("(--max-size)"), "{stderr}");
        assert!(stderr.contains("--warp and --sm") && stderr.contains("--cycles 0.."), "{stderr}");
        let cycle = stderr.split_once("ends before cycle ").expect("a cycle").1;
        let cycle = cycle.lines().next().expect("a line").replace(',', "");
        (stdout, stderr.clone(), cycle.parse::<u64>().expect("a number"))
    };
    for format in ["text", "cycles"] {
        let (part, message, cut) = limited(&format!("--format {format} --max-size 50kB"));
        assert!((50_000..60_000).contains(&part.len()), "{format}: {} bytes", part.len());
        let same = limited(&format!("--format {format} --max-size 50000 --threads 4"));
        assert!(part == same.0 && cut == same.2, "{format}: {message}{}", same.1);
        // The proposed range of cycles is the part that the trace has.
        let whole = traced(&format!("{kernel} --format {format} --cycles 0..{}", cut - 1));
        let lines = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(&part), lines(&whole), "{format}");
    }
    let (part, _, cut) = limited("--format chrome --values --max-size 50kB");
    let document: Value = serde_json::from_str(&part).expect("JSON");
    let events = document["traceEvents"].as_array().expect("a list");
    let ends = events.iter().filter(|e| e["ph"] == "X");
    let last = ends.map(|e| e["ts"].as_u64().expect("ts") + e["dur"].as_u64().expect("dur")).max();
    assert_eq!(last, Some(cut));
    let path = scratch("trace-limit").join("trace.txt");
    let run = warpsim(&format!("{kernel} --max-size 50kB --out {}", path.display()));
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert_eq!(fs::read_to_string(path).expect("written"), limited("--max-size 50kB").0);
}

#[test]
fn a_file_gets_the_trace() {
    let path = scratch("trace-file").join("trace.txt");
    let run = warpsim(&format!("{SMALL} --out {}", path.display()));
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    assert_eq!(fs::read_to_string(path).expect("written"), traced(SMALL));
    assert!(warpsim(&format!("{SMALL} --out trace.ptx")).stderr.contains("which this run reads"));
}

#[test]
fn a_reader_of_the_first_lines_ends_the_run() {
    // The whole launch would take far longer than the test may.
    let mut child = command(&["trace", "matmul-naive", "--chip", "g80", "--size", "4096", "--warp", "all"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut first = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut first).expect("a line");
    let mut stderr = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut stderr).expect("UTF-8");
    assert_eq!((child.wait().expect("ends").code(), stderr.as_str()), (Some(0), ""));
    assert!(first.starts_with("Trace of kernel matmul_naive"), "{first}");
}
