//! Chip files and active lanes, as the page calls them.

use lab::chip_file::{check, new_chip};
use lab::recording::lanes;
use lab::request::{NamedText, Request};
use report::recorded::lanes::Lanes;
use std::collections::BTreeSet;

fn with_chip(text: &str) -> Request {
    let chip_file = Some(NamedText { name: "mine.ron".to_owned(), text: text.to_owned() });
    Request { chip_file, ..Request::default() }
}

fn pair(path: &str, value: &str) -> (String, String) {
    (path.to_owned(), value.to_owned())
}

#[test]
fn a_new_chip_has_the_values_of_its_base() {
    for base in ["g80", "gt200", "fermi"] {
        let text = new_chip(base, &[]).expect("a built-in chip");
        let checked = check(&with_chip(&text)).expect("a chip file");
        assert_eq!((checked.drawn.as_str(), checked.diagnostics.len()), ("", 0), "{text}");
        assert_eq!(checked.name, "mine: a chip of my own");
        let mut own = with_chip(&text).chip().expect("a valid chip");
        let built_in = Request { chip: Some(base.to_owned()), ..Request::default() };
        let built_in = built_in.chip().expect("a chip");
        (own.name, own.board) = (built_in.name.clone(), built_in.board.clone());
        assert_eq!(own, built_in);
    }
}

#[test]
fn a_new_chip_has_the_settings() {
    let sets = [
        pair("sm.max_warps", "16"),
        pair("sm.units.sp.lanes", "16"),
        pair("sm.units.sfu.lanes", "4"),
        pair("partition.dram.banks", "4"),
        pair("sm.scheduler", "oldest"),
    ];
    let text = new_chip("g80", &sets).expect("settings of the chip");
    let own = with_chip(&text).chip().expect("a valid chip");
    let changed = Request { chip: Some("g80".to_owned()), sets: sets.to_vec(), ..Request::default() };
    let changed = changed.chip().expect("a chip");
    assert_eq!(own.sm, changed.sm, "{text}");
    assert_eq!(own.partition, changed.partition);
    assert!(text.contains("\"sp\": (") && text.matches("units: {").count() == 1, "{text}");
    assert!(new_chip("g80", &[pair("sm.max_wraps", "1")]).is_err());
    assert!(new_chip("no-chip", &[]).is_err());
    let clocks = pair("clocks", "(shader_mhz: 1000, core_mhz: 500, memory_mhz: 800)");
    assert!(new_chip("g80", std::slice::from_ref(&clocks)).is_ok());
    let both = new_chip("g80", &[clocks, pair("clocks.shader_mhz", "1200")]);
    assert!(both.is_err_and(|why| why.message.contains("part of another")));
}

#[test]
fn errors_of_a_chip_file_have_their_places() {
    let text = "(\n    name: \"ä\",\n    base: \"g80\",\n    sm: (max_warps: 0, max_wraps: 3),\n)\n";
    let checked = check(&with_chip(text)).expect("a chip file");
    assert_eq!(checked.name, "");
    // Positions are UTF-16 units, for the editor.
    let units: Vec<u16> = text.encode_utf16().collect();
    let marked = |from: usize, to: usize| String::from_utf16_lossy(&units[from..to]);
    let places: Vec<(usize, String)> =
        checked.diagnostics.iter().map(|one| (one.line, marked(one.from, one.to))).collect();
    assert_eq!(places, [(4, "0".to_owned()), (4, "max_wraps".to_owned())], "{}", checked.drawn);
    // An error in a setting has no place in the file.
    let request =
        Request { sets: vec![pair("sm.max_wraps", "1")], ..with_chip("(name: \"a\", base: \"g80\")") };
    let checked = check(&request).expect("a chip file");
    assert!(checked.diagnostics.is_empty() && checked.drawn.contains("--set"), "{}", checked.drawn);
    assert!(check(&Request::default()).is_err());
}

#[test]
fn active_lanes_of_a_reduction_halve() {
    let request =
        |kernel: &str| Request { kernel: Some(kernel.to_owned()), size: Some(1024), ..Request::default() };
    let counted = lanes(&request("reduce-interleaved"), 1, 0, u64::MAX).expect("a run");
    let seen: BTreeSet<u32> = counts(&counted).map(|(active, _)| active).collect();
    let powers = [1, 2, 4, 8, 16, 32];
    assert!(powers.iter().all(|active| seen.contains(active)), "{counted:?}");
    assert!(seen.iter().all(|active| *active == 0 || powers.contains(active)), "{counted:?}");
    let full = lanes(&request("vecadd"), 1, 0, u64::MAX).expect("a run");
    assert!(!full.lines.is_empty() && counts(&full).all(|(active, _)| active == 32), "{full:?}");
    // A part of the launch, a launch that does not exist.
    let begin = lanes(&request("reduce-interleaved"), 1, 0, counted.cycles / 2).expect("a run");
    assert!(begin.cycles < counted.cycles && !begin.lines.is_empty());
    assert_eq!(lanes(&request("vecadd"), 9, 0, 100).expect("a run").lines, []);
}

/// The counts of all lines: number of active lanes, and warp instructions.
fn counts(lanes: &Lanes) -> impl Iterator<Item = (u32, u64)> {
    lanes.lines.iter().flat_map(|line| line.counts.iter().copied())
}
