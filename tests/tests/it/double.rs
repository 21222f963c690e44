//! Tests of double precision: its cost, the chips that have it, and subnormal numbers.

use warpsim_tests::device::{CHIPS, Device, MODES, chip_with, pointers, timing};

/// Returns a module for `target` whose kernel makes `count` additions in every thread. If
/// `chained`, each adds to the previous sum, otherwise all add the same two numbers. The first
/// thread of the grid stores a sum.
fn kernel(target: &str, count: usize, chained: bool) -> String {
    let add = if chained { "add.f64 %a, %a, %b;\n" } else { "add.f64 %c, %a, %b;\n" };
    format!(
        ".version 1.4\n.target {target}\n.entry k (.param .u32 io)\n{{\n\
         .reg .u32 %at, %t; .reg .f64 %a, %b, %c; .reg .pred %p;\n\
         ld.param.u32 %at, [io];\n ld.global.f64 %a, [%at];\n ld.global.f64 %b, [%at+8];\n\
         mov.f64 %c, %b;\n{}\
         mov.u32 %t, %tid.x;\n setp.ne.u32 %p, %t, 0;\n @%p exit;\n\
         add.f64 %c, %a, %c;\n st.global.f64 [%at+16], %c;\n exit;\n}}\n",
        add.repeat(count)
    )
}

/// Shader cycles of one block of `threads` threads.
fn cycles(chip: &str, threads: u32, count: usize, chained: bool) -> u64 {
    let mut device = Device::plain(chip, &kernel("sm_13", count, chained));
    let io = device.upload(&[0; 6]);
    let report = device.run(&device.launch("k", (1, 1), (threads, 1, 1)).args(pointers(&[io])));
    timing(&report).cycles
}

/// Dependent additions take a latency each. Additions of many warps take the time of a warp on the
/// unit each.
///
/// Tests: `double-precision-times`.
#[test]
fn double_additions_have_the_latency_and_throughput_of_the_chip() {
    for (chip, latency, busy) in [("gt200", 48, 32), ("fermi", 24, 8)] {
        let chained = cycles(chip, 32, 200, true) - cycles(chip, 32, 100, true);
        // The store at the end meets another phase of the memory's clocks.
        assert!(chained.abs_diff(100 * latency) < latency / 2, "{chip}: {chained}");
        let warps = 16;
        let many = cycles(chip, 32 * warps, 200, false) - cycles(chip, 32 * warps, 100, false);
        let least = 100 * u64::from(warps) * busy;
        // The stores of both launches meet other phases of the memory's clocks, as above.
        let (from, to) = (least - latency / 2, least + least / 50);
        assert!((from..to).contains(&many), "{chip}: {many} instead of {least}");
    }
}

/// Operations are counted by precision (nvprof's `flop_count_sp` and `flop_count_dp`).
#[test]
fn operations_count_by_precision() {
    let mut device = Device::plain("gt200", &kernel("sm_13", 7, true));
    let io = device.upload(&[0; 6]);
    let report = device.run(&device.launch("k", (1, 1), (32, 1, 1)).args(pointers(&[io])));
    let counted = &report.instructions;
    // Seven additions in all lanes, and one in thread 0 only.
    assert_eq!((counted.flops_sp, counted.flops_dp, counted.flops), (0, 7 * 32 + 1, 7 * 32 + 1));
}

#[test]
fn a_chip_without_double_precision_refuses_the_module() {
    let text = kernel("sm_13", 1, true);
    let mut device = Device::on("g80", &text);
    let io = device.upload(&[0; 6]);
    let message = device.refusal(&device.launch("k", (1, 1), (1, 1, 1)).args(pointers(&[io]))).to_string();
    assert!(message.contains("1.3") && message.contains("1.0"), "{message}");
    // A module for such a chip is computed in single precision.
    assert!(Device::new(chip_with("g80", &[]), "k.ptx", &kernel("sm_10", 1, true)).is_ok());
}

/// The smallest double plus itself is twice the smallest double: nothing is flushed, on any chip
/// that has doubles and in both modes.
#[test]
fn subnormal_doubles_are_kept() {
    for chip in &CHIPS[1..] {
        for mode in MODES {
            let mut device = Device::on(chip, &kernel("sm_13", 1, true));
            let io = device.upload(&[1, 0, 1, 0, 0, 0]);
            device.run(&device.launch("k", (1, 1), (1, 1, 1)).args(pointers(&[io])).mode(mode));
            // a = 1 + 1, c = a + b = 3 units of the smallest number.
            assert_eq!(device.download(io, 6)[4..], [3, 0], "{chip} {mode:?}");
        }
    }
}
