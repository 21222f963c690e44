//! Tests of atomics, reductions and votes on every chip that has them, in functional and timed
//! mode.

use sim_core::host::{Arg, HostError, RunOptions};
use sim_core::stats::report::{Report, Verdict};
use sim_core::stats::stuck::StuckClass;
use test_support::record;
use warpsim_tests::device::{Device, MODES, chip_with, pointers, timing};

const HEAD: &str = "\
.version 2.3
.target TARGET
.address_size 32
.shared .align 8 .b8 sh[1024];
.entry k (.param .u32 p, .param .u32 q) {
.reg .u32 %r<16>; .reg .s32 %s<4>; .reg .u64 %d<4>; .reg .f32 %f<4>; .reg .pred %p<4>;
ld.param.u32 %r1, [p];
ld.param.u32 %r2, [q];
mov.u32 %r3, %tid.x;
mov.u32 %r4, %ctaid.x;
mov.u32 %r5, %ntid.x;
mad.lo.u32 %r6, %r4, %r5, %r3;
mul.lo.u32 %r7, %r6, 4;
add.u32 %r7, %r2, %r7;
";

/// Returns the text of a module for `target` whose entry `k` has the body `body`. `%r1` and `%r2`
/// are the parameters, `%r3` is the thread index, `%r4` the block index, `%r6` the thread's index
/// in the grid and `%r7` the address of its word in the array of the second parameter.
fn module(target: &str, body: &str) -> String {
    format!("{}{body}\nexit;\n}}\n", HEAD.replace("TARGET", target))
}

/// Shape of a launch: `blocks` blocks of `threads` threads.
#[derive(Clone, Copy)]
struct Shape {
    blocks: u32,
    threads: u32,
}

/// Runs `body` in both modes on every chip that `target` allows. The first parameter points to
/// `words`, the second to zeros, one for each thread. `check` gets both arrays after the launch.
fn everywhere(target: &str, body: &str, shape: Shape, words: &[u32], check: impl Fn(&str, &[u32], &[u32])) {
    let chips: &[&str] = if target == "sm_20" { &["fermi"] } else { &["gt200", "fermi"] };
    for chip in chips {
        for mode in MODES {
            let mut device = Device::on(chip, &module(target, body));
            let count = (shape.blocks * shape.threads) as usize;
            let (p, q) = (device.upload(words), device.upload(&vec![0; count]));
            let launch = device
                .launch("k", (shape.blocks, 1), (shape.threads, 1, 1))
                .args(pointers(&[p, q]))
                .mode(mode);
            device.run(&launch);
            let (p, q) = (device.download(p, words.len()), device.download(q, count));
            check(&format!("{chip} {mode:?}"), &p, &q);
        }
    }
}

const MANY: Shape = Shape { blocks: 60, threads: 96 };
const COUNT: u32 = 60 * 96;

/// Tests: `atomics-lose-nothing`.
#[test]
fn sums_over_many_blocks_lose_no_addend() {
    // Every thread adds its index to one of 7 words, and increments an eighth.
    let body = "
rem.u32 %r8, %r6, 7; mul.lo.u32 %r8, %r8, 4; add.u32 %r8, %r1, %r8;
red.global.add.u32 [%r8], %r6;
atom.global.inc.u32 %r9, [%r1+28], 0xffffffff;
st.global.u32 [%r7], %r9;";
    everywhere("sm_12", body, MANY, &[0; 8], |place, sums, seen| {
        for residue in 0..7 {
            let sum: u32 = (0..COUNT).filter(|n| n % 7 == residue).sum();
            assert_eq!(sums[residue as usize], sum, "{place}: word {residue}");
        }
        assert_eq!(sums[7], COUNT, "{place}");
        // Each old value was returned exactly once.
        let mut seen = seen.to_vec();
        seen.sort_unstable();
        assert!(seen.iter().copied().eq(0..COUNT), "{place}");
    });
}

/// Tests: `atomics-lose-nothing`.
#[test]
fn every_operation_combines_all_lanes() {
    let body = "
sub.u32 %r8, %r6, 100;
red.global.min.u32 [%r1], %r8; red.global.max.u32 [%r1+4], %r8;
red.global.min.s32 [%r1+8], %r8; red.global.max.s32 [%r1+12], %r8;
and.b32 %r9, %r6, 31; mov.u32 %r10, 1; shl.b32 %r10, %r10, %r9; not.b32 %r11, %r10;
red.global.or.b32 [%r1+16], %r10; red.global.and.b32 [%r1+20], %r11; red.global.xor.b32 [%r1+24], %r10;
red.global.dec.u32 [%r1+28], 9;
cvt.u64.u32 %d1, %r6; red.global.add.u64 [%r1+32], %d1;";
    let before = [u32::MAX, 0, 0, 0, 0, u32::MAX, 0, 0, 0, 1];
    everywhere("sm_12", body, MANY, &before, |place, words, _| {
        let sum = u64::from(COUNT) * u64::from(COUNT - 1) / 2;
        let xor = if (COUNT / 32).is_multiple_of(2) { 0 } else { u32::MAX };
        // `dec` wraps around: 9, 8, …, 0, 9, with a period of ten.
        let dec = (10 - COUNT % 10) % 10;
        let high = 1 + (sum >> 32) as u32;
        let minus_100 = 100_u32.wrapping_neg();
        let want = [0, u32::MAX, minus_100, COUNT - 101, u32::MAX, 0, xor, dec, sum as u32, high];
        assert_eq!(words, want, "{place}");
    });
}

/// Tests: `atomics-lose-nothing`.
#[test]
fn lanes_execute_in_ascending_order() {
    // One warp, one word: lane l gets the sum of the lanes below it, in global and in shared
    // memory.
    for (space, address) in [("global", "%r1"), ("shared", "sh")] {
        let body = format!(
            "add.u32 %r8, %r3, 1;
             atom.{space}.add.u32 %r9, [{address}], %r8; st.global.u32 [%r7], %r9;"
        );
        everywhere("sm_12", &body, Shape { blocks: 1, threads: 32 }, &[0], |place, _, seen| {
            let want: Vec<u32> = (0..32).map(|lane| lane * (lane + 1) / 2).collect();
            assert_eq!(seen, want, "{place} {space}");
        });
    }
}

#[test]
fn atomics_of_64_bits_are_not_torn() {
    // The even words contain their own index, so only those are exchanged.
    let body = "
mul.wide.u32 %d1, %r6, 1; cvt.u64.u32 %d2, %r6; shl.b64 %d2, %d2, 32; or.b64 %d2, %d2, 7;
mul.lo.u32 %r8, %r6, 8; add.u32 %r8, %r1, %r8;
atom.global.cas.b64 %d3, [%r8], %d1, %d2; cvt.u32.u64 %r9, %d3; st.global.u32 [%r7], %r9;
mul.lo.u32 %r10, %r3, 8; mov.u32 %r11, sh; add.u32 %r10, %r10, %r11;
st.shared.u64 [%r10], %d1;";
    let words: Vec<u32> = (0..128).flat_map(|n| [n - n % 2, 0]).collect();
    everywhere("sm_12", body, Shape { blocks: 2, threads: 64 }, &words, |place, words, seen| {
        for n in 0..128 {
            let at = 2 * n as usize;
            let want = if n % 2 == 0 { [7, n] } else { [n - 1, 0] };
            assert_eq!(words[at..at + 2], want, "{place}: word {n}");
            assert_eq!(seen[n as usize], n - n % 2, "{place}: word {n}");
        }
    });
    let shared = "
cvt.u64.u32 %d1, %r3; mul.lo.u32 %r8, %r3, 8; mov.u32 %r9, sh; add.u32 %r8, %r8, %r9;
atom.shared.add.u64 %d2, [sh], %d1; bar.sync 0;
atom.shared.exch.b64 %d2, [%r8+8], %d1; atom.shared.cas.b64 %d3, [%r8+8], %d1, 99;
ld.shared.u32 %r10, [sh]; ld.shared.u32 %r11, [%r8+8]; mul.lo.u32 %r11, %r11, 10000; add.u32 %r10, %r10, %r11;
st.global.u32 [%r7], %r10;";
    everywhere("sm_20", shared, Shape { blocks: 1, threads: 64 }, &[0], |place, _, seen| {
        assert!(seen.iter().all(|word| *word == 99 * 10_000 + 63 * 32), "{place}: {seen:?}");
    });
}

#[test]
fn sums_of_floats_flush_in_global_memory_only() {
    let body = "
mov.f32 %f1, 0f00400000; atom.global.add.f32 %f2, [%r1], %f1; red.global.add.f32 [%r1+4], 0f3F800000;
atom.shared.add.f32 %f2, [sh], %f1; ld.shared.f32 %f3, [sh]; st.global.f32 [%r7], %f3;";
    everywhere("sm_20", body, Shape { blocks: 1, threads: 2 }, &[0, 0], |place, words, seen| {
        assert_eq!(words, [0, 2.0_f32.to_bits()], "{place}");
        assert_eq!(seen, [0x0080_0000, 0x0080_0000], "{place}");
    });
}

/// Tests: `votes`.
#[test]
fn votes_count_active_lanes_only() {
    // Lanes 8 and above vote. The second warp of the block has 17 lanes.
    let body = "
and.b32 %r8, %r3, 31; setp.ge.u32 %p0, %r8, 8; mov.u32 %r9, 0;
setp.lt.u32 %p1, %r8, 20;
@!%p0 bra OUT;
vote.all.pred %p2, %p1; @%p2 or.b32 %r9, %r9, 1;
vote.any.pred %p2, %p1; @%p2 or.b32 %r9, %r9, 2;
vote.uni.pred %p2, %p1; @%p2 or.b32 %r9, %r9, 4;
vote.all.pred %p2, !%p1; @%p2 or.b32 %r9, %r9, 8;
@%p1 vote.all.pred %p3, %p1; @%p3 or.b32 %r9, %r9, 16;
OUT: st.global.u32 [%r7], %r9;";
    everywhere("sm_12", body, Shape { blocks: 1, threads: 32 + 17 }, &[0], |place, _, seen| {
        for (thread, said) in seen.iter().enumerate() {
            let want = match thread {
                // In the full warp the predicate is true in some lanes. In the second warp, whose
                // lanes end at 16, it is true in all.
                8..20 => 2 | 16,
                20..32 => 2,
                40..49 => 1 | 2 | 4 | 16,
                _ => 0,
            };
            assert_eq!(*said, want, "{place}: thread {thread}");
        }
    });
    let body = "
and.b32 %r8, %r3, 31; setp.ge.u32 %p0, %r8, 8; setp.lt.u32 %p1, %r8, 20; mov.u32 %r9, 0;
@%p0 vote.ballot.b32 %r9, %p1; st.global.u32 [%r7], %r9;";
    everywhere("sm_20", body, Shape { blocks: 1, threads: 32 }, &[0], |place, _, seen| {
        for (thread, ballot) in seen.iter().enumerate() {
            assert_eq!(*ballot, if thread < 8 { 0 } else { 0x000f_ff00 }, "{place}: thread {thread}");
        }
    });
}

/// Tests: `atomics-lose-nothing`.
#[test]
fn a_spin_lock_between_blocks_admits_one_block_at_a_time() {
    // One thread of each block acquires the lock, increases a word with a load and a store, and
    // releases the lock.
    let body = "
setp.ne.u32 %p0, %r3, 0; @%p0 bra DONE;
AGAIN: atom.global.cas.b32 %r8, [%r1], 0, 1; setp.ne.u32 %p1, %r8, 0; @%p1 bra AGAIN;
ld.volatile.global.u32 %r9, [%r1+4]; add.u32 %r9, %r9, %r4; st.volatile.global.u32 [%r1+4], %r9;
membar.gl; atom.global.exch.b32 %r10, [%r1], 0;
DONE:";
    let shape = Shape { blocks: 40, threads: 32 };
    everywhere("sm_12", body, shape, &[0, 0], |place, words, _| {
        assert_eq!(words, [0, 39 * 20], "{place}");
    });
}

/// Runs a kernel in which the lanes of one warp want a lock, and the lane that has it releases it
/// behind the loop, where it first reconverges with the others.
fn locked_in(space: &str, options: RunOptions) -> Vec<(String, Report)> {
    let address = if space == "shared" { "sh" } else { "%r1" };
    let body = format!(
        "AGAIN: atom.{space}.cas.b32 %r8, [{address}], 0, 1; setp.ne.u32 %p1, %r8, 0; @%p1 bra AGAIN;
         atom.{space}.exch.b32 %r9, [{address}], 0;"
    );
    let mut reports = Vec::new();
    for mode in MODES {
        let mut device = Device::on("gt200", &module("sm_12", &body));
        let p = device.upload(&[0; 64]);
        let launch = device.launch("k", (1, 1), (32, 1, 1)).args([Arg::Ptr(p), Arg::Ptr(p)]).mode(mode);
        let report = device.gpu.launch(&launch.options(options)).unwrap_or_else(|e| panic!("{e}"));
        reports.push((format!("{space} {mode:?}"), report));
    }
    reports
}

/// Tests: `spin-locks`.
#[test]
fn a_spin_lock_inside_a_warp_is_a_diverged_sibling() {
    for space in ["global", "shared"] {
        let options = RunOptions { max_cycles: 3 << 20, ..RunOptions::default() };
        for (place, report) in locked_in(space, options) {
            let stuck = report.verdict.stuck().unwrap_or_else(|| panic!("{place}: {:?}", report.verdict));
            assert!(matches!(report.verdict, Verdict::Hung { .. }), "{place}: {:?}", report.verdict);
            assert_eq!(stuck.class, StuckClass::DivergedSibling, "{place}");
        }
    }
}

/// Tests: `shared-atomics-serialize`.
#[test]
fn atomics_on_one_word_are_serialized() {
    // 32 lanes add to one word, or each to a separate word.
    let cycles = |chip: &str, space: &str, stride: u32| {
        let base = if space == "shared" { "mov.u32 %r9, sh;" } else { "mov.u32 %r9, %r1;" };
        let body = format!(
            "{base} mul.lo.u32 %r8, %r3, {stride}; add.u32 %r8, %r8, %r9; atom.{space}.add.u32 %r9, [%r8], 1;"
        );
        let mut device = Device::on(chip, &module("sm_12", &body));
        let p = device.upload(&[0; 64]);
        let launch = device.launch("k", (1, 1), (32, 1, 1)).args([Arg::Ptr(p), Arg::Ptr(p)]);
        let report = device.run(&launch);
        let t = timing(&report);
        (t.cycles, t.global.atomic.transactions, t.shared.atomic.passes)
    };
    // Capability 1.x makes a transaction for each lane, at any address. Capability 2.x makes as
    // many as there are lanes with the same word.
    assert_eq!([4, 0].map(|stride| cycles("gt200", "global", stride).1), [32, 32]);
    assert_eq!([4, 0].map(|stride| cycles("fermi", "global", stride).1), [1, 32]);
    assert!(cycles("fermi", "global", 0).0 > cycles("fermi", "global", 4).0);
    // Lock and unlock, by half-warps on 1.x. With one word there are 32 rounds, each with the
    // passes of a half-warp.
    assert_eq!([4, 0].map(|stride| cycles("gt200", "shared", stride).2), [4, 64]);
    assert_eq!([4, 0].map(|stride| cycles("fermi", "shared", stride).2), [2, 64]);
    for chip in ["gt200", "fermi"] {
        assert!(cycles(chip, "shared", 0).0 > cycles(chip, "shared", 4).0, "{chip}");
    }
}

/// A byte histogram, compiled by clang 13, gives the counts that were recorded on a GPU: 1000
/// bytes, 64 bins.
///
/// Tests: `atomics-lose-nothing`.
#[test]
fn a_compiled_histogram_counts_what_silicon_counted() {
    let read = |name: &str| record::read(name).expect("a recorded file");
    let (bytes, recorded) = (read("data/hist_global.d.bin"), read("expected/hist_global.h.0.bin"));
    let recorded: Vec<u32> = recorded.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let text = |folder: &str| record::text(&format!("ptx/{folder}/hist_global.ptx")).expect("recorded PTX");
    let (sm11, sm20) = (text("clang13-sm1x-m32"), text("clang13-sm20"));
    for (chip, ptx) in [("gt200", sm11), ("fermi", sm11), ("fermi", sm20)] {
        for mode in MODES {
            let mut device = Device::on(chip, ptx);
            let d = device.gpu.malloc(bytes.len() as u64).expect("the device memory has space");
            device.gpu.copy_in(d, bytes).expect("a copy into an allocation");
            let h = device.upload(&[0; 64]);
            let launch = device.launch("hist_global", (8, 1), (128, 1, 1));
            device.run(&launch.args([Arg::Ptr(d), Arg::Ptr(h), Arg::S32(1000)]).mode(mode));
            assert_eq!(device.download(h, 64), recorded, "{chip} {mode:?}");
        }
    }
}

#[test]
fn unsupported_instructions_are_rejected() {
    let compile = |target: &str, inst: &str| {
        let text = module(target, inst);
        Device::new(chip_with("fermi", &[]), "k.ptx", &text).err().unwrap_or_default()
    };
    for (target, inst, needs) in [
        ("sm_10", "atom.global.add.u32 %r8, [%r1], 1;", "sm_11"),
        ("sm_11", "atom.shared.add.u32 %r8, [sh], 1;", "sm_12"),
        ("sm_11", "vote.any.pred %p0, %p1;", "sm_12"),
        ("sm_11", "atom.global.exch.b64 %d1, [%r1], %d2;", "sm_12"),
        ("sm_13", "red.global.add.f32 [%r1], %f1;", "sm_20"),
        ("sm_13", "atom.shared.cas.b64 %d1, [sh], %d2, %d3;", "sm_20"),
        ("sm_13", "vote.ballot.b32 %r8, %p1;", "sm_20"),
    ] {
        let message = compile(target, inst);
        let wanted = format!("requires {needs}, but this module targets {target}");
        assert!(message.contains(&wanted), "{inst}: {message}");
    }
    // A module for capability 1.1 does not run on a chip of capability 1.0.
    let mut device = Device::on("g80", &module("sm_11", "red.global.add.u32 [%r1], 1;"));
    let p = device.upload(&[0]);
    let launch = device.launch("k", (1, 1), (1, 1, 1)).args([Arg::Ptr(p), Arg::Ptr(p)]);
    assert!(matches!(device.refusal(&launch), HostError::Launch(_)));
}
