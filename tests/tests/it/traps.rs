//! Small kernels that fail in every possible way, or just do not: with the same verdict in both
//! modes.

use sim_core::host::{Arg, Mode, RunOptions};
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::{Doing, StuckClass};
use warpsim_tests::device::{Device, MODES};

/// Expected end of a kernel.
#[derive(Clone, Copy)]
enum End {
    Finished,
    /// A trap with this text in the message, caused by this instruction.
    Trap(&'static str, &'static str),
    /// A hang with so many waiting warps in the first block.
    Hang(usize),
    Limit,
}

use End::{Finished, Hang, Limit, Trap};

const HEAD: &str = ".version 1.4\n.target sm_10\n.shared .align 8 .b8 sh[64];\n.const .align 8 .b8 cc[32];
.entry k (.param .u32 p, .param .u32 q) {
.reg .u32 %r<8>; .reg .u64 %d<4>; .reg .u16 %h<4>; .reg .pred %p<4>;\n";

/// Bodies of a kernel that runs as two blocks of 33 threads; `p` is a buffer of 64 words.
const CASES: [(&str, End); 45] = [
    (
        "mov.u32 %r2, 0; ld.global.u8 %r1, [%r2];",
        Trap("read of 1 bytes at .global address 0x0 ", "ld.global.u8 "),
    ),
    ("mov.u32 %r2, 0; st.global.u16 [%r2], %h1;", Trap("the pointer is null", "st.global.u16 ")),
    (
        "mov.u32 %r2, 0xffffffff; ld.global.u8 %r1, [%r2];",
        Trap("0xffffffff is out of bounds", "ld.global.u8 "),
    ),
    ("mov.u32 %r2, 0xfffffffc; ld.global.u64 %d1, [%r2+8];", Trap("0x4 is out of bounds", "ld.global.u64 ")),
    (
        "ld.param.u32 %r2, [p]; ld.global.u32 %r1, [%r2+256];",
        Trap("directly behind its end", "ld.global.u32 "),
    ),
    (
        "ld.param.u32 %r2, [p]; ld.global.u64 %d1, [%r2+252];",
        Trap("the access begins inside", "ld.global.u64 "),
    ),
    ("ld.param.u32 %r2, [p]; ld.global.u64 %d1, [%r2+256];", Trap("out of bounds", "ld.global.u64 ")),
    ("ld.param.u32 %r2, [p]; ld.global.u32 %r1, [%r2+-4096];", Trap("out of bounds", "ld.global.u32 ")),
    ("ld.param.u32 %r2, [p]; ld.global.u16 %h1, [%r2+1];", Trap("misaligned", "ld.global.u16 ")),
    ("ld.param.u32 %r2, [p]; st.global.u32 [%r2+2], %r1;", Trap("write of 4 bytes", "st.global.u32 ")),
    ("ld.param.u32 %r2, [p]; st.global.u64 [%r2+4], %d1;", Trap("misaligned", "st.global.u64 ")),
    ("ld.param.u32 %r2, [p]; ld.global.u8 %r1, [%r2+255];", Finished),
    ("mov.u32 %r2, sh; ld.shared.u32 %r1, [%r2+60];", Finished),
    (
        "mov.u32 %r2, sh; ld.shared.u32 %r1, [%r2+64];",
        Trap(".shared address 0x40 is out of", "ld.shared.u32 "),
    ),
    ("mov.u32 %r2, sh; ld.shared.u8 %r1, [%r2+64];", Trap("out of bounds", "ld.shared.u8 ")),
    ("mov.u32 %r2, sh; ld.shared.u64 %d1, [%r2+60];", Trap("out of bounds", "ld.shared.u64 ")),
    ("mov.u32 %r2, sh; st.shared.u64 [%r2+64], %d1;", Trap("out of bounds", "st.shared.u64 ")),
    ("mov.u32 %r2, 0xfffffffc; st.shared.u32 [%r2], %r1;", Trap("out of bounds", "st.shared.u32 ")),
    ("mov.u32 %r2, sh; st.shared.u16 [%r2+1], %h1;", Trap("misaligned", "st.shared.u16 ")),
    ("ld.const.u32 %r1, [cc+28];", Finished),
    ("ld.const.u32 %r1, [cc+32];", Trap(".const address 0x20 is out of bounds", "ld.const.u32 ")),
    ("mov.u32 %r2, cc; ld.const.u64 %d1, [%r2+4];", Trap("misaligned", "ld.const.u64 ")),
    ("mov.u32 %r2, 65536; ld.const.u8 %r1, [%r2];", Trap("out of bounds", "ld.const.u8 ")),
    ("ld.param.u16 %h1, [p+1];", Trap(".param address 0x1 is misaligned", "ld.param.u16 ")),
    ("trap;", Trap("trap instruction", "trap")),
    ("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 32; @%p1 trap;", Trap("trap instruction", "trap")),
    ("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 40; @%p1 trap;", Finished),
    ("bar.sync 0; bar.sync 15; bar.sync 0;", Finished),
    ("L: bra L;", Limit),
    ("M: bra M; bar.sync 0;", Limit),
    // A barrier does not wait for warps that have exited.
    ("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 exit; bar.sync 0;", Finished),
    ("mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 32; @%p1 exit; bar.sync 0; bar.sync 0;", Finished),
    // Nor for lanes that have exited.
    ("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; @%p1 exit; bar.sync 0;", Finished),
    ("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; @%p1 bra X; bar.sync 0; X:", Finished),
    ("setp.eq.u32 %p1, %r1, 1; @%p1 bar.sync 0;", Finished),
    (
        "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; @%p1 bar.sync 0;",
        Trap("reached by lanes 0x0000007f", "bar.sync "),
    ),
    (
        "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; @%p1 bra N; bar.sync 0; N: membar.cta;",
        Trap("reached by lanes 0xffffff80", "bar.sync "),
    ),
    (
        "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra B; bar.sync 0; bar.sync 1; exit; B: bar.sync 1; bar.sync 0;",
        Hang(2),
    ),
    ("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra C; bar.sync 3; C: bar.sync 3;", Finished),
    ("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra D; bar.sync 0; D: bra D;", Limit),
    ("mov.u32 %r1, 0; mov.u32 %r2, 5; div.u32 %r3, %r2, %r1; rem.s32 %r3, %r2, %r1;", Finished),
    ("mov.u32 %r1, 0x80000000; mov.u32 %r2, -1; div.s32 %r3, %r1, %r2; rem.s32 %r3, %r1, %r2;", Finished),
    ("membar.gl; membar.cta;", Finished),
    ("mov.u32 %r1, 1;", Finished),
    ("", Finished),
];

fn run(ptx: &str, mode: Mode, grid: (u32, u32), block: (u32, u32, u32)) -> Verdict {
    let mut device = Device::plain("g80", ptx);
    let buffer = device.upload(&[7; 64]);
    let options = RunOptions { max_cycles: 40_000, ..RunOptions::default() };
    let launch = device
        .launch("k", grid, block)
        .args([Arg::Ptr(buffer), Arg::Bytes(vec![7, 0, 0, 0])])
        .mode(mode)
        .options(options);
    device.gpu.launch(&launch).unwrap_or_else(|e| panic!("{e}\n{ptx}")).verdict
}

#[test]
fn every_failure_has_the_same_verdict_in_both_modes() {
    for (body, end) in CASES {
        let ptx = format!("{HEAD}{body}\nexit;\n}}\n");
        let mut places = Vec::new();
        for mode in MODES {
            let verdict = run(&ptx, mode, (2, 1), (33, 1, 1));
            match (&verdict, end) {
                (Verdict::Finished, Finished) => {}
                (Verdict::Limit { stuck, .. }, Limit) => {
                    assert_eq!(stuck.class, StuckClass::EndlessLoop, "{mode:?}: {body}");
                }
                (Verdict::Trapped { trap }, Trap(message, instruction)) => {
                    assert!(trap.message.contains(message), "{body}: {}", trap.message);
                    assert!(trap.instruction.contains(instruction), "{body}: at {}", trap.instruction);
                    let at = trap.source.chars().skip(trap.column as usize - 1).collect::<String>();
                    assert!(at.starts_with(&trap.instruction), "{body}: column {}", trap.column);
                    places.push((
                        trap.message.clone(),
                        trap.pc,
                        trap.line,
                        trap.lanes,
                        trap.thread,
                        trap.warp,
                    ));
                }
                (Verdict::Hung { stuck, .. }, Hang(warps)) => {
                    assert_eq!(stuck.class, StuckClass::Barrier, "{body}");
                    let first = stuck.warps.iter().filter(|w| w.block.x == 0);
                    assert_eq!(first.count(), warps, "{body}: {stuck:?}");
                    assert!(stuck.warps.iter().all(|w| matches!(w.doing, Doing::Barrier { .. })));
                }
                _ => panic!("{mode:?}: {body}: {verdict:?}"),
            }
        }
        assert!(places.windows(2).all(|two| two[0] == two[1]), "{body}: the modes differ: {places:?}");
    }
}

#[test]
fn blocks_and_grids_of_odd_shapes_run() {
    let ptx = format!("{HEAD}mov.u32 %r1, %tid.x; bar.sync 0; exit;\n}}\n");
    for (grid, block) in [
        ((1, 1), (1, 1, 1)),
        ((1, 1), (33, 1, 1)),
        ((3, 2), (512, 1, 1)),
        ((2, 1), (1, 512, 1)),
        ((1, 3), (4, 2, 64)),
        ((1, 65_535), (1, 1, 1)),
    ] {
        for mode in MODES {
            let mut device = Device::plain("g80", &ptx);
            let launch =
                device.launch("k", grid, block).args([Arg::Bytes(vec![0; 4]), Arg::Bytes(vec![0; 4])]);
            let report = device.run(&launch.mode(mode));
            let warps = u64::from(block.0 * block.1 * block.2).div_ceil(32) * u64::from(grid.0 * grid.1);
            assert_eq!(report.instructions.warp, 3 * warps, "{grid:?} {block:?}");
        }
    }
}

/// Bodies that the compiler rejects.
#[test]
fn errors_in_the_text_are_rejected_by_the_compiler() {
    for (body, code) in [
        ("bar.sync 16;", "E0206"),
        ("bar.sync -1;", "E0206"),
        ("ld.param.u32 %r1, [p+8];", "E0308"),
        ("ld.param.u32 %r1, [p+-4];", "E0308"),
        ("ld.param.u64 %d1, [p+1];", "E0308"),
    ] {
        let ptx = format!("{HEAD}{body}\nexit;\n}}\n");
        let (module, diagnostics) = isa::compile("t.ptx", &ptx);
        assert!(module.is_none(), "{body}");
        assert_eq!(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), [code], "{body}");
    }
}
