//! What a far newer GPU showed (`tests/data/silicon/h200.tsv`), where the simulated chips must not
//! differ: the outcomes of litmus tests, the order of the lanes of an atomic, and the passes over
//! the banks of shared memory.

use std::fs;
use std::path::Path;
use warpsim_tests::device::{Device, MODES, pointers, timing};
use warpsim_tests::litmus::Litmus;

/// Returns the rows of an experiment: the setting, and the numbers of the result.
fn rows(experiment: &str) -> Vec<(String, Vec<u32>)> {
    let text = include_str!("../../data/silicon/h200.tsv");
    let columns = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect());
    let of = columns.filter(|columns: &Vec<&str>| columns[0] == experiment);
    let number = |word: &str| word.parse().unwrap_or_else(|e| panic!("{word}: {e}"));
    of.map(|columns| (columns[1].to_owned(), columns[2].split(' ').map(number).collect())).collect()
}

/// Tests: `litmus-outcomes`.
#[test]
fn every_outcome_of_silicon_is_one_of_the_memory_model() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/litmus");
    let mut compared = 0;
    for (name, outcome) in rows("litmus") {
        // A shape without a file here.
        let Ok(text) = fs::read_to_string(folder.join(format!("{name}.ptx"))) else { continue };
        let litmus = Litmus::read(&name, &text).unwrap_or_else(|e| panic!("{e}"));
        let known = litmus.allowed.iter().chain(&litmus.relaxed).any(|known| *known == outcome);
        assert!(known, "{name} shows {outcome:?}");
        compared += 1;
    }
    assert!(compared > 70, "{compared} outcomes");
}

#[test]
fn lanes_of_an_atomic_take_their_turns_as_on_silicon() {
    let mut compared = 0;
    for (setting, old) in rows("atomics") {
        let words: Vec<&str> = setting.split([' ', ',']).collect();
        let (space, address) =
            if words[0].contains("shared") { ("shared", "%sh") } else { ("global", "%word") };
        let (operation, operands) = match words[..] {
            ["atom.global.add" | "atom.shared.add", ..] => ("add.u32", "1"),
            [_, "lane+1"] => ("exch.b32", "%next"),
            ["atom.global.cas", ..] => ("cas.b32", "0, %next"),
            ["atom.shared.cas", ..] => ("cas.b32", "100, %next"),
            ["atom.global.inc", ..] => ("inc.u32", "10"),
            ["atom.global.max", ..] => ("max.u32", "%seven"),
            _ => panic!("{setting}"),
        };
        let two = u32::from(setting.ends_with("two words"));
        let text = format!(
            ".version 2.3\n.target sm_20\n.shared .u32 s;\n.entry k(.param .u32 g, .param .u32 out)\n{{\n\
             .reg .u32 %lane, %next, %seven, %sh, %word, %old, %to;\n\
             mov.u32 %lane, %tid.x; add.u32 %next, %lane, 1; mul.lo.u32 %seven, %lane, 7;\n\
             and.b32 %seven, %seven, 31; mov.u32 %sh, s; st.shared.u32 [%sh], 100; bar.sync 0;\n\
             ld.param.u32 %word, [g]; and.b32 %to, %lane, {two}; mad.lo.u32 %word, %to, 4, %word;\n\
             atom.{space}.{operation} %old, [{address}], {operands};\n\
             ld.param.u32 %to, [out]; mad.lo.u32 %to, %lane, 4, %to; st.global.u32 [%to], %old; exit;\n}}\n"
        );
        for mode in MODES {
            let mut device = Device::on("fermi", &text);
            let (words, out) = (device.upload(&[0; 2]), device.upload(&[0; 32]));
            let launch = device.launch("k", (1, 1), (32, 1, 1)).args(pointers(&[words, out])).mode(mode);
            device.run(&launch);
            assert_eq!(device.download(out, 32), old, "{setting}, {mode:?}");
        }
        compared += 1;
    }
    assert_eq!(compared, 9);
}

/// Returns the passes of a load by the recorded cycles of 64 loads. Each pass takes two cycles. Two
/// passes take hardly longer than one, because the latency hides them.
fn passes(cycles: u32) -> u64 {
    match cycles {
        280 => 1,
        286 => 2,
        _ => u64::from(cycles / 128),
    }
}

#[test]
fn conflicts_of_banks_are_those_of_silicon() {
    let mut compared = 0;
    for (setting, result) in rows("bank") {
        let [width, "stride", stride] = setting.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{setting}")
        };
        let (ty, register, bytes) = match width {
            "8-bit" => ("u8", "%h", 1),
            "16-bit" => ("u16", "%h", 2),
            "32-bit" => ("u32", "%a", 4),
            "64-bit" => ("v2.u32", "{%a, %b}", 8),
            "128-bit" => ("v4.u32", "{%a, %b, %c, %d}", 16),
            _ => panic!("{setting}"),
        };
        let distance = stride.parse::<u32>().expect("a stride") * bytes;
        let text = format!(
            ".version 2.3\n.target sm_20\n.shared .align 16 .b8 s[32768];\n.entry k()\n{{\n\
             .reg .u16 %h; .reg .u32 %a, %b, %c, %d, %at, %lane;\n\
             mov.u32 %at, s; mov.u32 %lane, %tid.x; mad.lo.u32 %at, %lane, {distance}, %at;\n\
             ld.volatile.shared.{ty} {register}, [%at]; exit;\n}}\n"
        );
        let mut device = Device::on("fermi", &text);
        let report = device.run(&device.launch("k", (1, 1), (32, 1, 1)));
        let load = &timing(&report).shared.load;
        let theirs = passes(result[0]);
        assert_eq!(load.requests, 1, "{setting}");
        match setting.as_str() {
            // A Fermi serves 64 bits in two halves of a warp, even from one address, and 128 bits
            // with more passes than quarters of a warp (docs/HARDWARE.md).
            "64-bit stride 0" => assert_eq!((load.passes, theirs), (2, 1)),
            _ if bytes == 16 => assert_eq!(load.passes, theirs + 2, "{setting}"),
            _ => assert_eq!(load.passes, theirs, "{setting}"),
        }
        compared += 1;
    }
    assert_eq!(compared, 45);
}
