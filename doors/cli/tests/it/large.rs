//! Tests of large launch files: they are read or rejected in bounded time, with messages of bounded
//! size.

use crate::common::{Run, scratch, warpsim_with};
use std::fs;
use std::time::{Duration, Instant};

#[expect(dead_code, reason = "the PTX texts are for the tests of the whole project")]
#[path = "../../../../tests/src/large.rs"]
mod generators;

/// Size of each launch file in bytes.
const BYTES: usize = 1_000_000;

/// Far more time than any of them takes on an idle machine.
const BOUND: Duration = Duration::from_secs(10);

#[test]
fn a_large_launch_file_of_any_kind_runs_or_is_refused_in_bounded_time() {
    let folder = scratch("large");
    let (ptx, launch) = (folder.join("k.ptx"), folder.join("k.ron"));
    fs::write(&ptx, generators::LAUNCHED).expect("written");
    let arguments =
        ["run", ptx.to_str().expect("UTF-8"), "--launch", launch.to_str().expect("UTF-8"), "--functional"];
    for (name, generate) in generators::LAUNCH {
        fs::write(&launch, generate(BYTES)).expect("written");
        let start = Instant::now();
        let Run { code, stderr, .. } = warpsim_with(&arguments);
        let took = start.elapsed();
        assert!(took < BOUND, "{name}: {took:?}");
        assert!(matches!(code, Some(0 | 2)), "{name}: {code:?}\n{stderr}");
        assert!(stderr.len() < 200_000, "{name}: {} bytes of messages", stderr.len());
    }
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_text_that_is_too_long_is_refused_before_it_is_read() {
    let folder = scratch("too-long");
    let path = folder.join("k.ptx");
    // A sparse file of a terabyte.
    fs::File::create(&path).and_then(|file| file.set_len(1 << 40)).expect("made");
    let Run { code, stderr, .. } = warpsim_with(&["check", path.to_str().expect("UTF-8")]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("the file has more than 33554432 bytes"), "{stderr}");
    fs::remove_dir_all(folder).expect("removed");
}

/// Messages about an expectation and an initial value of a launch whose kernel leaves zeros.
#[test]
fn numbers_fit_their_types_and_infinities_equal_only_themselves() {
    let folder = scratch("infinities");
    let (ptx, launch) = (folder.join("k.ptx"), folder.join("k.ron"));
    fs::write(&ptx, generators::LAUNCHED).expect("written");
    let infinity: Vec<u8> = f32::INFINITY.to_le_bytes().repeat(4);
    fs::write(folder.join("inf.bin"), infinity).expect("written");
    let run = |init: &str, expect: &str| {
        let buffer = format!("buffers: {{\"b\": (type: f32, len: 4, init: {init})}}");
        let expect = format!("expect: [(buf: \"b\", {expect})]");
        let text = format!("(entry: \"k\", grid: 1, block: 32, {buffer}, {expect})");
        fs::write(&launch, text).expect("written");
        let arguments = [
            "run",
            ptx.to_str().expect("UTF-8"),
            "--launch",
            launch.to_str().expect("UTF-8"),
            "--functional",
        ];
        let Run { code, stderr, .. } = warpsim_with(&arguments);
        (code, stderr)
    };
    let zeros_against = |expect| run("iota(0, 1)", expect).0;
    assert_eq!(zeros_against("formula: \"i\""), Some(0));
    assert_eq!(zeros_against("formula: \"1/0\", rel: 1e-6"), Some(1));
    assert_eq!(zeros_against("file: \"inf.bin\", rel: 1e-6"), Some(1));
    assert_eq!(zeros_against("formula: \"0/0\", abs: 1e30"), Some(1));
    assert_eq!(run("fill(inf)", "file: \"inf.bin\"").0, Some(0));
    assert_eq!(run("fill(-inf)", "file: \"inf.bin\", abs: 1e30").0, Some(1));
    for (init, expect) in [
        ("values([1e39])", "formula: \"0\""),
        ("fill(-1e39)", "formula: \"0\""),
        ("fill(1e999)", "formula: \"0\""),
        ("iota(0, 2e38)", "formula: \"0\""),
        ("zero", "formula: \"1e39\""),
        ("zero", "formula: \"1e999\""),
        ("zero", "formula: \"0\", abs: inf"),
    ] {
        let (code, stderr) = run(init, expect);
        assert_eq!(code, Some(2), "{init}, {expect}: {stderr}");
    }
    fs::remove_dir_all(folder).expect("removed");
}
