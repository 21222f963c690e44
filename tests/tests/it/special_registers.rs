//! Tests of the special registers of compute capability 2.0, and of the instructions that stop a
//! kernel, on Fermi in both modes.
//!
//! Tests: `special-registers`.

use sim_core::host::{Mode, RunOptions};
use sim_core::stats::report::Verdict;
use warpsim_tests::device::{Device, MODES, pointers};

/// Returns the text of a module whose entry `k` has the body `body`. `%r1` is the parameter, `%r2`
/// the thread index and `%r3` the address of the thread's eight words in the array of the
/// parameter.
fn module(body: &str) -> String {
    format!(
        ".version 2.3
.target sm_20
.address_size 32
.entry k (.param .u32 p) {{
.reg .u32 %r<20>; .reg .u64 %d<8>; .reg .pred %p<4>;
ld.param.u32 %r1, [p];
mov.u32 %r2, %tid.x;
shl.b32 %r3, %r2, 5;
add.u32 %r3, %r1, %r3;
{body}
exit;
}}
"
    )
}

/// Returns the eight words of each of 40 threads after `body`.
fn words(body: &str, mode: Mode) -> Vec<[u32; 8]> {
    let mut device = Device::on("fermi", &module(body));
    let words = device.upload(&[0; 320]);
    let launch = device.launch("k", (1, 1), (40, 1, 1)).args(pointers(&[words])).mode(mode);
    device.run(&launch);
    device.download(words, 320).as_chunks().0.to_vec()
}

#[test]
fn lane_masks_depend_on_the_lane() {
    let body = "
mov.u32 %r4, %lanemask_eq; st.global.u32 [%r3], %r4;
mov.u32 %r4, %lanemask_le; st.global.u32 [%r3+4], %r4;
mov.u32 %r4, %lanemask_lt; st.global.u32 [%r3+8], %r4;
mov.u32 %r4, %lanemask_ge; st.global.u32 [%r3+12], %r4;
mov.u32 %r4, %lanemask_gt; st.global.u32 [%r3+16], %r4;
mov.u32 %r4, %laneid; st.global.u32 [%r3+20], %r4;
mov.u32 %r4, %pm2; st.global.u32 [%r3+24], %r4;
mov.u32 %r4, %ntid.w; st.global.u32 [%r3+28], %r4;";
    for mode in MODES {
        for (thread, [eq, le, lt, ge, gt, lane, pm, w]) in words(body, mode).into_iter().enumerate() {
            assert_eq!((lane, eq), (thread as u32 % 32, 1 << (thread % 32)), "{mode:?}");
            assert_eq!((eq | lt, eq | gt, lt & ge, le & gt), (le, ge, 0, 0), "{mode:?} {thread}");
            assert_eq!((lt.count_ones(), lt | ge), (lane, u32::MAX), "{mode:?} {thread}");
            assert_eq!((pm, w), (0, 0), "{mode:?}");
        }
    }
}

/// Both registers read the same clock: the short one is the low half of the long one, and time
/// passes between two reads.
#[test]
fn the_short_clock_is_the_low_half_of_the_long_one() {
    let body = "
mov.u64 %d1, %clock64;
mov.u32 %r4, %clock;
mov.u64 %d2, %clock64;
st.global.u64 [%r3], %d1;
st.global.u32 [%r3+8], %r4;
st.global.u64 [%r3+16], %d2;";
    for mode in MODES {
        for [before, high, between, _, after, ..] in words(body, mode) {
            assert!(before < between && between < after && high == 0, "{mode:?}: {before} {between} {after}");
        }
    }
}

#[test]
fn a_breakpoint_ends_the_launch_at_its_place() {
    for (inst, expected) in
        [("brkpt", "the kernel executed a breakpoint"), ("trap", "the kernel executed a trap")]
    {
        let body = format!("setp.eq.u32 %p1, %r2, 35;\n@%p1 {inst};");
        for mode in MODES {
            let mut device = Device::on("fermi", &module(&body));
            let words = device.upload(&[0; 320]);
            let launch = device.launch("k", (1, 1), (40, 1, 1)).args(pointers(&[words])).mode(mode);
            let options = RunOptions { max_cycles: 1 << 20, ..RunOptions::default() };
            let report = device.gpu.launch(&launch.options(options)).unwrap_or_else(|e| panic!("{e}"));
            let Verdict::Trapped { trap } = report.verdict else { panic!("{:?}", report.verdict) };
            assert!(trap.message.contains(expected), "{}", trap.message);
            assert_eq!((trap.warp, trap.lanes, trap.thread.x, trap.line), (1, 1 << 3, 35, 11), "{mode:?}");
        }
    }
}

#[test]
fn the_host_sets_environment_registers() {
    let text = ".version 2.1
.target sm_10
.entry k (.param .u32 p) {
.reg .u32 %r<8>;
ld.param.u32 %r1, [p];
mov.u32 %r2, %tid.x;
shl.b32 %r3, %r2, 3;
add.u32 %r3, %r1, %r3;
mov.u32 %r4, %envreg3;
add.u32 %r4, %r4, %r2;
mov.b32 %r5, %envreg31;
st.global.u32 [%r3], %r4;
st.global.u32 [%r3+4], %r5;
exit;
}
";
    for (mode, set) in MODES.into_iter().flat_map(|mode| [(mode, false), (mode, true)]) {
        let mut device = Device::on("g80", text);
        let words = device.upload(&[7; 80]);
        let mut launch = device.launch("k", (1, 1), (40, 1, 1)).args(pointers(&[words])).mode(mode);
        let mut expected = [0; 32];
        if set {
            (expected[3], expected[31]) = (1000, u32::MAX);
            launch = launch.environment(expected);
        }
        device.run(&launch);
        let want: Vec<u32> = (0..40).flat_map(|thread| [thread + expected[3], expected[31]]).collect();
        assert_eq!(device.download(words, 80), want, "{mode:?}");
    }
}
