//! Compares the carry flag with `tests/data/vectors/carry.tsv`: every pair of sums that write and
//! read it, recorded on a GPU.
//!
//! Tests: `carry-flag`.

use std::fmt::Write;
use warpsim_tests::device::{CHIPS, Device, MODES, pointers};

const RECORD: &str = include_str!("../../data/vectors/carry.tsv");

/// Threads, each with its own operands.
const THREADS: usize = 64;

/// A pair of sums and the results of all threads.
struct Pair<'a> {
    first: &'a str,
    second: &'a str,
    results: Vec<u32>,
}

fn words(cell: &str) -> Vec<u32> {
    let number = |text: &str| u32::from_str_radix(text, 16).expect("a number");
    cell.split([' ', ',']).map(number).collect()
}

/// Writes a sum of the words `a`, `b` and `c`.
fn sum(name: &str, to: &str, [a, b, c]: [&str; 3]) -> String {
    let bits = &name[name.len() - 2..];
    match bits {
        "32" if name.starts_with("mad") => format!("{name} {to}, {a}, {b}, {c};\n"),
        "32" => format!("{name} {to}, {a}, {b};\n"),
        _ => format!(
            "cvt.s{bits}.s32 %x{bits}, {a};\ncvt.s{bits}.s32 %y{bits}, {b};\n{name} %x{bits}, %x{bits}, %y{bits};\n\
             cvt.u32.u{bits} {to}, %x{bits};\n"
        ),
    }
}

/// Returns a kernel that executes all `pairs`.
fn module(pairs: &[Pair], target: &str) -> String {
    let mut text = format!(
        ".version {}\n.target {target}\n.entry k (.param .u32 in, .param .u32 out) {{\n\
         .reg .u32 %in, %out, %t, %s0, %s1, %a, %b, %c, %d, %e, %g, %r<4>;\n\
         .reg .b64 %x64, %y64;\n.reg .b16 %x16, %y16;\n\
         ld.param.u32 %in, [in];\nld.param.u32 %out, [out];\nmov.u32 %t, %tid.x;\n\
         mad24.lo.u32 %in, %t, 32, %in;\nmad24.lo.u32 %out, %t, 16, %out;\n",
        if target == "sm_20" { "2.3" } else { "1.4" }
    );
    for (place, name) in ["s0", "s1", "a", "b", "c", "d", "e", "g"].into_iter().enumerate() {
        let _ = writeln!(text, "ld.global.u32 %{name}, [%in+{}];", 4 * place);
    }
    for (place, pair) in pairs.iter().enumerate() {
        text += "add.cc.u32 %t, %s0, %s1;\n";
        text += &sum(pair.first, "%r0", ["%a", "%b", "%e"]);
        text += &sum(pair.second, "%r1", ["%c", "%d", "%g"]);
        text += "addc.u32 %r2, 0, 0;\nsubc.u32 %r3, 0, 0;\n";
        for i in 0..4 {
            let _ = writeln!(text, "st.global.u32 [%out+{}], %r{i};", 16 * THREADS * place + 4 * i);
        }
    }
    text + "exit;\n}\n"
}

#[test]
fn every_pair_of_sums_has_the_recorded_carry() {
    let mut lines = RECORD.lines().filter(|line| !line.starts_with('#'));
    let operands = words(lines.next().and_then(|line| line.strip_prefix("operands\t")).expect("operands"));
    let pairs: Vec<Pair> = lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [first, second, results] = cells[..] else { panic!("{line}") };
            Pair { first, second, results: words(results) }
        })
        .collect();
    assert_eq!((operands.len(), pairs.len()), (8 * THREADS, 116));
    let (mut newer, mut older) = (Vec::new(), Vec::new());
    for pair in pairs {
        let multiplies = pair.first.starts_with("mad") || pair.second.starts_with("mad");
        if multiplies { &mut newer } else { &mut older }.push(pair);
    }
    for chip in CHIPS {
        for (pairs, target) in [(&older, "sm_10"), (&newer, "sm_20")] {
            if target == "sm_20" && chip != "fermi" {
                continue;
            }
            for mode in MODES {
                let mut device = Device::on(chip, &module(pairs, target));
                let input = device.upload(&operands);
                let output = device.upload(&vec![0; 4 * THREADS * pairs.len()]);
                let launch = device.launch("k", (1, 1), (THREADS as u32, 1, 1));
                device.run(&launch.args(pointers(&[input, output])).mode(mode));
                let got = device.download(output, 4 * THREADS * pairs.len());
                for (pair, got) in pairs.iter().zip(got.chunks(4 * THREADS)) {
                    for (thread, (got, wanted)) in got.chunks(4).zip(pair.results.chunks(4)).enumerate() {
                        let of = &operands[8 * thread..8 * thread + 8];
                        let Pair { first, second, .. } = pair;
                        assert_eq!(got, wanted, "{chip} {mode:?}: {first} {second} of {of:x?}");
                    }
                }
            }
        }
    }
}
