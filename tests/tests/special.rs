//! How long division and the special functions take on each chip: alone in a chain, and when warps compete for the unit.

use sim_core::stats::Report;
use warpsim_tests::device::{Device, chip_with, pointers, timing};

const CHAIN: &str = include_str!("../ptx/chain.ptx");
/// Instructions of the shorter chain, and by how many the longer one is longer.
const SHORT: u64 = 10;
const MORE: u64 = 48;

fn run(chip: &str, operation: &str, warps: u32, length: u64) -> Report {
    let text = CHAIN.replace("// CHAIN", &format!("{operation};\n\t").repeat(length as usize));
    let mut device = Device::new(chip_with(chip, &[]), "chain.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
    let threads = warps * 32;
    let out = device.upload(&vec![0; threads as usize]);
    device.run(&device.launch("chain", (1, 1), (threads, 1, 1)).args(pointers(&[out])))
}

/// Hot cycles that a chain of `operation` takes per instruction and warp: beginning and end of the kernel cancel.
fn cycles(chip: &str, operation: &str, warps: u32) -> f64 {
    let [short, long] =
        [SHORT, SHORT + MORE].map(|length| timing(&run(chip, operation, warps, length)).cycles);
    (long - short) as f64 / MORE as f64
}

/// What Wong et al. measured on GT200 (ISPASS 2010): latency in hot cycles, results per clock and SM. Latencies are
/// rounded up to issue cycles of 4, and whole slots of `div.full` make 1.6 of its 1.5.
#[test]
fn latency_and_rate_are_those_measured_on_gt200() {
    let cases = [
        ("rsqrt.approx.f32 %v, %v", 28.0, 2.0),
        ("lg2.approx.f32 %v, %v", 28.0, 2.0),
        ("rcp.approx.f32 %v, %v", 28.0, 2.0),
        ("sqrt.approx.f32 %v, %v", 56.0, 2.0),
        ("sin.approx.f32 %v, %v", 48.0, 2.0),
        ("cos.approx.f32 %v, %v", 48.0, 2.0),
        ("ex2.approx.f32 %v, %v", 48.0, 2.0),
        ("div.approx.f32 %v, %v, %v", 52.0, 2.0),
        ("div.full.f32 %v, %v, %v", 140.0, 1.6),
    ];
    for (operation, latency, rate) in cases {
        for chip in ["g80", "gt200"] {
            let alone = cycles(chip, operation, 1);
            assert!((alone - latency).abs() < 0.5, "{chip}, {operation}: {alone} cycles alone");
            // Twelve warps are more than hide any of these.
            let busy = 12.0 * 32.0 / cycles(chip, operation, 12);
            assert!((busy / rate - 1.0).abs() < 0.02, "{chip}, {operation}: {busy} results per clock");
        }
    }
}

/// Fermi has four special function units, shared by its schedulers: 4 results per clock and SM (CUDA C Programming
/// Guide 5.5, table 2).
#[test]
fn fermi_gives_four_results_per_clock() {
    for operation in ["rsqrt.approx.f32 %v, %v", "sin.approx.f32 %v, %v", "ex2.approx.f32 %v, %v"] {
        let busy = 16.0 * 32.0 / cycles("fermi", operation, 16);
        assert!((busy / 4.0 - 1.0).abs() < 0.02, "{operation}: {busy} results per clock");
    }
}

/// While the special function unit takes in a warp for 16 cycles the cores go on: three additions beside each root cost
/// nothing (Lindholm et al., IEEE Micro 2008: both units stay busy).
#[test]
fn the_cores_work_beside_the_special_function_unit() {
    let add = "add.f32 %v, %v, 0f3f800000";
    let root = "rsqrt.approx.f32 %v, %v";
    let (alone, beside) =
        (cycles("g80", root, 16), cycles("g80", &format!("{root};\n\t{add};\n\t{add};\n\t{add}"), 16));
    assert!((alone - 256.0).abs() < 4.0, "16 warps of 16 cycles: {alone}");
    assert!((beside / alone - 1.0).abs() < 0.05, "{beside} cycles with additions, {alone} without");
}
