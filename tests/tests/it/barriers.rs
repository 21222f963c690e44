//! Tests of barriers for a part of the block, `bar.arrive` and `bar.red`, on Fermi in functional
//! and timed mode.
//!
//! Tests: `barriers-with-counts`.

use sim_core::host::{Mode, RunOptions};
use sim_core::stats::report::{Report, Verdict};
use sim_core::stats::stuck::{Doing, StuckClass};
use warpsim_tests::device::{Device, MODES, chip_with, pointers};

/// Returns the text of a module whose entry `k` has the body `body`. `%r1` is the parameter, `%r2`
/// the thread index, `%r3` the warp index, `%r4` the address of the thread's word in the array of
/// the parameter and `%r5` that of its word in shared memory.
fn module(body: &str) -> String {
    format!(
        ".version 2.3
.target sm_20
.address_size 32
.shared .align 4 .b8 sh[4096];
.entry k (.param .u32 p) {{
.reg .u32 %r<20>; .reg .pred %p<4>;
ld.param.u32 %r1, [p];
mov.u32 %r2, %tid.x;
shr.u32 %r3, %r2, 5;
shl.b32 %r4, %r2, 2;
mov.u32 %r5, sh;
add.u32 %r5, %r5, %r4;
add.u32 %r4, %r1, %r4;
{body}
exit;
}}
"
    )
}

/// Runs a block of `threads` threads with `body` in functional mode, and in timed mode with every
/// scheduler policy. Every thread has a word, which is zero before the launch. `check` gets the
/// words after the launch.
fn everywhere(body: &str, threads: u32, check: impl Fn(&str, &[u32])) {
    let policies = ["lrr", "oldest", "gto", "random(seed: 7)"];
    for (mode, policy) in
        [(Mode::Functional, policies[0])].into_iter().chain(policies.map(|p| (Mode::Timed, p)))
    {
        let chip = chip_with("fermi", &[("sm.scheduler", policy)]);
        let mut device = Device::new(chip, "k.ptx", &module(body)).unwrap_or_else(|e| panic!("{e}"));
        let words = device.upload(&vec![0; threads as usize]);
        let launch = device.launch("k", (1, 1), (threads, 1, 1)).args(pointers(&[words])).mode(mode);
        device.run(&launch);
        check(&format!("{mode:?} {policy}"), &device.download(words, threads as usize));
    }
}

/// Two warps: one writes a buffer with one word for each lane ten times, the other reads it. Each
/// waits for the other only where it must.
#[test]
fn a_producer_and_a_consumer_alternate() {
    let body = "
setp.eq.u32 %p1, %r3, 0;
mov.u32 %r6, 0;
mov.u32 %r7, 0;
@!%p1 bra CONSUMER;
PRODUCE:
add.u32 %r6, %r6, 1;
bar.sync 2, 64;
mul.lo.u32 %r8, %r6, %r2;
st.shared.u32 [%r5], %r8;
bar.arrive 1, 64;
setp.lt.u32 %p2, %r6, 10;
@%p2 bra PRODUCE;
bra DONE;
CONSUMER:
bar.arrive 2, 64;
CONSUME:
bar.sync 1, 64;
ld.shared.u32 %r8, [%r5+-128];
add.u32 %r7, %r7, %r8;
add.u32 %r6, %r6, 1;
setp.eq.u32 %p2, %r6, 10;
@%p2 bra DONE;
bar.arrive 2, 64;
bra CONSUME;
DONE:
st.global.u32 [%r4], %r7;";
    everywhere(body, 64, |place, words| {
        let want: Vec<u32> = (0..64).map(|t| if t < 32 { 0 } else { 55 * (t - 32) }).collect();
        assert_eq!(words, want, "{place}");
    });
}

/// Teams of two warps, each with its own barrier, whose number is in a register.
#[test]
fn teams_of_warps_use_separate_barriers() {
    let body = "
shr.u32 %r6, %r3, 1;
add.u32 %r6, %r6, 9;
mov.u32 %r7, 64;
st.shared.u32 [%r5], %r2;
bar.sync %r6, %r7;
xor.b32 %r8, %r2, 32;
shl.b32 %r8, %r8, 2;
mov.u32 %r9, sh;
add.u32 %r8, %r8, %r9;
ld.shared.u32 %r10, [%r8];
bar.sync %r7;
st.global.u32 [%r4], %r10;";
    // The last barrier is for all threads, and its number, 7, is in a register.
    let body = body.replace("bar.sync %r7;", "mov.u32 %r7, 7; bar.sync %r7;");
    everywhere(&body, 192, |place, words| {
        let want: Vec<u32> = (0..192).map(|t| t ^ 32).collect();
        assert_eq!(words, want, "{place}");
    });
}

/// 80 threads are two and a half warps. Threads that have exited contribute nothing.
#[test]
fn reductions_are_over_the_threads_that_execute_them() {
    let body = "
setp.ge.u32 %p1, %r2, 77;
@%p1 exit;
and.b32 %r6, %r2, 3;
setp.eq.u32 %p1, %r6, 0;
bar.red.popc.u32 %r7, 0, %p1;
bar.red.popc.u32 %r8, 3, 96, !%p1;
setp.lt.u32 %p2, %r2, 77;
bar.red.and.pred %p3, 0, %p2;
selp.u32 %r9, 1, 0, %p3;
bar.red.and.pred %p3, 0, %p1;
selp.u32 %r10, 2, 0, %p3;
bar.red.or.pred %p3, 1, 96, %p1;
selp.u32 %r11, 4, 0, %p3;
mov.u32 %r12, 0;
bar.red.or.pred %p3, %r12, !%p2;
selp.u32 %r13, 8, 0, %p3;
or.b32 %r9, %r9, %r10; or.b32 %r9, %r9, %r11; or.b32 %r9, %r9, %r13;
mul.lo.u32 %r7, %r7, 1000; add.u32 %r7, %r7, %r8; mul.lo.u32 %r7, %r7, 100; add.u32 %r7, %r7, %r9;
st.global.u32 [%r4], %r7;";
    everywhere(body, 80, |place, words| {
        // 20 of the 77 threads are multiples of 4. All are below 77; not all are multiples of 4,
        // but some are; none is 77 or above.
        assert!(words[..77].iter().all(|word| *word == (20 * 1000 + 57) * 100 + 5), "{place}: {words:?}");
        assert_eq!(words[77..], [0; 3], "{place}");
    });
}

/// Runs a block of 96 threads that may end with any verdict.
fn ended(body: &str, mode: Mode) -> Report {
    let mut device = Device::on("fermi", &module(body));
    let words = device.upload(&[0; 96]);
    let launch = device.launch("k", (1, 1), (96, 1, 1)).args(pointers(&[words])).mode(mode);
    let options = RunOptions { max_cycles: 1 << 20, ..RunOptions::default() };
    device.gpu.launch(&launch.options(options)).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn invalid_barrier_operands_trap() {
    for (body, line, expected) in [
        ("mov.u32 %r6, 16;\nbar.sync %r6;", 15, "barrier number 16 is out of range"),
        ("mov.u32 %r6, 48;\nbar.sync 1, %r6;", 15, "invalid thread count 48 of barrier 1"),
        ("mov.u32 %r6, 0;\nbar.arrive 1, %r6;", 15, "invalid thread count 0 of barrier 1"),
        ("bar.sync %r2;", 14, "the lanes of a warp give different barrier numbers"),
        ("setp.lt.u32 %p1, %r2, 7;\n@%p1 bar.arrive 1, 64;", 15, "bar.arrive 1 reached by lanes 0x0000007f"),
        ("shl.b32 %r6, %r3, 5;\nadd.u32 %r6, %r6, 64;\nbar.sync 1, %r6;", 16, "the waiting warps gave"),
    ] {
        for mode in MODES {
            let Verdict::Trapped { trap } = ended(body, mode).verdict else { panic!("{body} ran, {mode:?}") };
            assert!(trap.message.contains(expected), "{mode:?}: {}", trap.message);
            assert_eq!(trap.line, line, "{mode:?}: {}", trap.message);
        }
    }
}

/// At a barrier with a thread count no particular warp is missing, and an exit does not lower the
/// count.
#[test]
fn too_few_for_the_count_is_a_barrier_that_never_completes() {
    let body = "setp.eq.u32 %p1, %r3, 1;\n@%p1 exit;\nbar.sync 5, 96;";
    for mode in MODES {
        let report = ended(body, mode);
        let stuck = report.verdict.stuck().unwrap_or_else(|| panic!("{mode:?}: {:?}", report.verdict));
        assert_eq!(stuck.class, StuckClass::Barrier, "{mode:?}");
        let [barrier] = stuck.barriers.as_slice() else { panic!("{mode:?}: {:?}", stuck.barriers) };
        assert_eq!((barrier.barrier, barrier.counted), (5, Some((3, 2))), "{mode:?}");
        assert_eq!(barrier.arrived.iter().map(|a| a.warp).collect::<Vec<_>>(), [0, 2], "{mode:?}");
        assert!(stuck.warps.iter().all(|w| w.doing == Doing::Barrier { barrier: 5 }), "{mode:?}");
    }
}

#[test]
fn invalid_constant_operands_are_compile_errors() {
    for (inst, expected) in [
        ("bar.sync 0, 48;", "must be a number of threads that is a multiple of 32"),
        ("bar.arrive 16, 64;", "must be the number of a barrier, 0 to 15"),
        ("bar.arrive 1;", "`bar.arrive` has 1 operand"),
        ("bar.red.popc.u32 %p1, 0, %p1;", "`%p1` is .pred"),
        ("bar.red.xor.pred %p1, 0, %p1;", "`bar` does not accept `.xor` here"),
    ] {
        let message = Device::new(chip_with("fermi", &[]), "k.ptx", &module(inst)).err().unwrap_or_default();
        assert!(message.contains(expected), "{inst}: {message}");
    }
    let old = module("bar.sync %r2;").replace("sm_20", "sm_13");
    let message = Device::new(chip_with("fermi", &[]), "k.ptx", &old).err().unwrap_or_default();
    assert!(message.contains("`bar.sync` requires sm_20, but this module targets sm_13"), "{message}");
}
