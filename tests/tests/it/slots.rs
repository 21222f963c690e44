//! The number of issue slots of an instruction class affects time only, also for control
//! instructions: a barrier of two slots is still a barrier, and the breakdowns are still exact.

use warpsim_tests::device::{Device, g80_with, pointers, timing};

const LATE_WARP: &str = include_str!("../../data/ptx/late_warp.ptx");

/// Unlimited input ports of the partitions, which could otherwise hide the cost of an instruction.
const OPEN: (&str, &str) = ("partition.input_bytes_per_cycle", "0");

/// Returns the shader cycles of the kernel with some of the chip's numbers replaced, and checks its
/// result.
fn cycles(sets: &[(&str, &str)]) -> u64 {
    const THREADS: u32 = 256;
    let mut device = Device::new(g80_with(&[&[OPEN], sets].concat()), "late_warp.ptx", LATE_WARP)
        .unwrap_or_else(|e| panic!("{e}"));
    let words: Vec<u32> = (0..THREADS).map(|i| i * i + 1).collect();
    let (input, out) = (device.upload(&words), device.upload(&[0; THREADS as usize]));
    let launch = device.launch("late_warp", (20, 1), (THREADS, 1, 1)).args(pointers(&[input, out]));
    let report = device.run(&launch);
    let expected: Vec<u32> = (0..THREADS).map(|t| words[((t + 32) % THREADS) as usize]).collect();
    assert_eq!(device.download(out, THREADS as usize), expected, "{sets:?}");
    timing(&report).cycles
}

#[test]
fn slots_of_any_class_change_time_only() {
    let usual = cycles(&[]);
    for class in ["barrier", "branch", "exit", "membar", "ld_global", "st_global", "ld_shared", "st_shared"] {
        for slots in ["2", "7", "255"] {
            let path = format!("sm.classes.{class}.slots");
            assert!(cycles(&[(&path, slots)]) > usual, "{class} of {slots} slots takes longer");
        }
    }
}
