//! Surfaces of launch files: results on both machines, places outside, and errors.

use crate::common::{Run, scratch, warpsim_with};

/// Runs a kernel of `surfaces.ptx` with these fields of the launch file.
fn run(entry: &str, fields: &str, options: &[&str]) -> Run {
    let folder = scratch(&format!("surfaces-{entry}-{}-{}", fields.len(), options.concat().len()));
    let launch = folder.join("launch.ron");
    std::fs::write(&launch, format!("(entry: \"{entry}\", {fields})")).expect("written");
    let launch = launch.to_str().expect("UTF-8");
    let mut arguments = vec!["run", "surfaces.ptx", "--launch", launch, "--chip", "fermi"];
    arguments.extend(options);
    warpsim_with(&arguments)
}

/// An image of 16 x 8 words that count from 0.
const IMAGE: &str = "surfaces: { \"image\": (buffer: \"i\", size: (16, 8), format: u32) }";
const PIXELS: &str = "\"i\": (type: u32, len: 128, init: iota(0, 1))";

/// A line of 16 words that count from 100.
const LINE: &str = "surfaces: { \"line\": (buffer: \"l\", size: 8, format: u16, channels: 4) }";
const WORDS: &str = "\"l\": (type: u32, len: 16, init: iota(100, 1))";

/// Runs a kernel on both machines, with and without optimization; its expectations must pass.
fn passes(entry: &str, fields: &str) {
    for options in [&[][..], &["--functional"], &["-O0"], &["--check", "memory"]] {
        let Run { code, stdout, stderr } = run(entry, fields, options);
        assert_eq!(code, Some(0), "{entry} {options:?}: {stdout}{stderr}");
        assert!(stdout.contains("PASSED"), "{entry} {options:?}: {stdout}");
    }
}

#[test]
fn a_surface_is_read_and_written() {
    passes(
        "add_one",
        &format!(
            "grid: 8, block: 16, params: [], {IMAGE}, buffers: {{ {PIXELS} }}, \
             expect: [(buf: \"i\", formula: \"i + 1\")]"
        ),
    );
}

#[test]
fn places_outside_are_zero_or_the_nearest_ones() {
    // Threads 0, 1, 18 and 19 are outside of the line; odd threads do not execute the first load.
    let clamped = "100 + min(max(floor(i / 2) - 2, 0), 15)";
    let zero = "floor(i / 2) % 2 == 1 ? 77 : (i >= 4 && i < 36 ? 98 + i / 2 : 0)";
    passes(
        "edges",
        &format!(
            "grid: 1, block: 20, params: [buf(\"o\")], {LINE}, \
             buffers: {{ {WORDS}, \"o\": (type: u32, len: 40) }}, \
             expect: [(buf: \"o\", formula: \"i % 2 == 1 ? {clamped} : ({zero})\"), \
                      (buf: \"l\", formula: \"i + 2\")]"
        ),
    );
}

#[test]
fn short_elements_are_moved_together() {
    // Word 14 begins with two bytes of word 1 in reverse order; word 15 has the halves of word 0 in
    // reverse order.
    passes(
        "narrow",
        &format!(
            "grid: 1, block: 1, params: [], {LINE}, buffers: {{ {WORDS} }}, \
             expect: [(buf: \"l\", formula: \"i < 14 ? 100 + i : (i == 14 ? 25856 : 6553600)\")]"
        ),
    );
}

#[test]
fn an_access_outside_traps() {
    for options in [&[][..], &["--functional"]] {
        let fields = format!("grid: 1, block: 16, params: [], {IMAGE}, buffers: {{ {PIXELS} }}");
        let Run { code, stdout, stderr } = run("outside", &fields, options);
        assert_eq!(code, Some(3), "{stdout}{stderr}");
        let found = "surface `image` has 8 rows of 64 bytes";
        assert!(stderr.contains(found) || stdout.contains(found), "{stdout}{stderr}");
    }
}

#[test]
fn sizes_are_queried() {
    passes(
        "sizes",
        &format!(
            "grid: 1, block: 1, params: [buf(\"o\")], {IMAGE}, \
             buffers: {{ {PIXELS}, \"o\": (type: u32, len: 2) }}, expect: [(buf: \"o\", formula: \"16 - 8 * i\")]"
        ),
    );
}

#[test]
fn wrong_surfaces_are_errors() {
    let refused = |exit_code: i32, surfaces: &str, expected: &str| {
        let fields =
            format!("grid: 8, block: 16, params: [], surfaces: {{ {surfaces} }}, buffers: {{ {PIXELS} }}");
        let Run { code, stderr, .. } = run("add_one", &fields, &[]);
        assert_eq!(code, Some(exit_code), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    };
    refused(2, "\"imago\": (buffer: \"i\", size: (16, 8), format: u32)", "unknown surface `imago`");
    refused(2, "\"image\": (buffer: \"j\", size: (16, 8), format: u32)", "unknown buffer `j`");
    let layers = "\"image\": (buffer: \"i\", size: (4, 4, 8), format: u32, layers: 2)";
    refused(2, layers, "layers have one or two dimensions");
    refused(3, "", "access to surface `image`: no memory is bound to it");
    let line = "\"image\": (buffer: \"i\", size: 128, format: u32)";
    refused(3, line, "the access is in row 1; surface `image` has 1 row of 512 bytes");
    refused(3, "\"image\": (buffer: \"i\", size: (16, 9), format: u32)", "576");
    refused(2, "\"image\": (buffer: \"i\", size: (16, 8), format: u32, channels: 3)", "has 3 channels");
}
