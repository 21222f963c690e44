//! Local memory and generic addresses, on both machines of every chip that has them.

use sim_core::config::Chip;
use sim_core::host::{Launch, Mode, RunOptions};
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::StuckClass;
use warpsim_tests::device::{CHIPS, Device, MODES, chip_with, pointers, timing};

const HEAD: &str = "\
.version 2.3
.target TARGET
.address_size 32
.local .align 8 .b8 early[24];
.entry k (.param .u32 p) {
.local .align 16 .b8 own[BYTES];
.reg .u32 %r<16>; .reg .u64 %d<4>; .reg .u16 %h<4>; .reg .pred %p<4>;
ld.param.u32 %r1, [p];
mov.u32 %r3, %tid.x;
mov.u32 %r4, %ctaid.x;
mov.u32 %r5, %ntid.x;
mad.lo.u32 %r6, %r4, %r5, %r3;
mul.lo.u32 %r7, %r6, 4;
add.u32 %r7, %r1, %r7;
";

/// A module for `target` whose entry `k` has the body `body` and an array `own` of `bytes` bytes of local memory. `%r3`
/// is the thread, `%r4` the block, `%r6` the thread's number in the grid, `%r7` the place of its word of the result.
fn module(target: &str, bytes: u32, body: &str) -> String {
    let head = HEAD.replace("TARGET", target).replace("BYTES", &bytes.to_string());
    format!("{head}{body}\nexit;\n}}\n")
}

/// Runs `body` on `chip` with blocks of 96 threads; what each thread leaves.
fn run(chip: &str, mode: Mode, text: &str, blocks: u32) -> Vec<u32> {
    let mut device = Device::on(chip, text);
    let count = (96 * blocks) as usize;
    let p = device.upload(&vec![0; count]);
    let launch = device.launch("k", (blocks, 1), (96, 1, 1)).args(pointers(&[p])).mode(mode);
    device.run(&launch);
    device.download(p, count)
}

/// An array that is written with one index and read with another, by threads of many blocks: more than fit at once, so
/// that warp slots are used again.
const ARRAY: &str = "
mov.u32 %r8, 0;
FILL: shl.b32 %r9, %r8, 2; mov.u32 %r10, own; add.u32 %r10, %r10, %r9;
mul.lo.u32 %r11, %r8, %r6; st.local.u32 [%r10], %r11;
add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 16; @%p1 bra FILL;
and.b32 %r9, %r6, 15; shl.b32 %r9, %r9, 2; add.u32 %r10, %r10, 0; mov.u32 %r10, own; add.u32 %r10, %r10, %r9;
ld.local.u32 %r12, [%r10]; st.global.u32 [%r7], %r12;";

#[test]
fn every_thread_has_an_array_of_its_own() {
    let want: Vec<u32> = (0..96 * 200).map(|n: u32| (n & 15).wrapping_mul(n)).collect();
    for chip in CHIPS {
        for mode in MODES {
            assert_eq!(run(chip, mode, &module("sm_10", 64, ARRAY), 200), want, "{chip} {mode:?}");
        }
    }
}

#[test]
fn local_memory_is_zero_at_the_start_of_every_thread() {
    // Each thread leaves what it found, and spoils it for the next in the slot.
    let body = "ld.local.u32 %r8, [own+20]; ld.local.u32 %r9, [early+4]; or.b32 %r8, %r8, %r9;
        st.global.u32 [%r7], %r8; mov.u32 %r8, 7; st.local.u32 [own+20], %r8; st.local.u32 [early+4], %r8;";
    for mode in MODES {
        assert_eq!(run("g80", mode, &module("sm_10", 32, body), 300), vec![0; 300 * 96], "{mode:?}");
    }
}

#[test]
fn module_and_function_variables_lie_side_by_side_and_vectors_lie_in_them() {
    // The halves of a 64-bit value, a vector of bytes and one of words; `early` is in front of `own`.
    let body = "
        cvt.u64.u32 %d1, %r6; shl.b64 %d2, %d1, 32; or.b64 %d1, %d1, %d2; st.local.u64 [early+16], %d1;
        ld.local.u32 %r8, [early+20];
        mov.u32 %r9, 3; st.local.v4.u32 [own+16], {%r9, %r9, %r8, %r6};
        ld.local.v2.u32 {%r10, %r11}, [own+24];
        mov.u16 %h1, 0xfe; st.local.v2.u8 [own+2], {%h1, %h1}; ld.local.s8 %r12, [own+3];
        add.u32 %r10, %r10, %r11; add.u32 %r10, %r10, %r12; st.global.u32 [%r7], %r10;";
    for chip in CHIPS {
        for mode in MODES {
            let want: Vec<u32> = (0..192).map(|n: u32| (2 * n).wrapping_sub(2)).collect();
            assert_eq!(run(chip, mode, &module("sm_10", 32, body), 2), want, "{chip} {mode:?}");
        }
    }
}

/// A launch of `text` with one block of `threads` threads.
fn launch(device: &mut Device, threads: u32, mode: Mode) -> Launch {
    let p = device.upload(&vec![0; threads as usize]);
    device.launch("k", (1, 1), (threads, 1, 1)).args(pointers(&[p])).mode(mode)
}

#[test]
fn the_same_place_of_all_threads_coalesces_and_places_apart_do_not() {
    // 32 threads store word 3, then each word `thread`; both go to the DRAM.
    let body = "st.local.u32 [own+12], %r3; shl.b32 %r8, %r3, 2; mov.u32 %r9, own; add.u32 %r8, %r8, %r9;
        st.local.u32 [%r8], %r3; ld.local.u32 %r10, [own+12]; st.global.u32 [%r7], %r10;";
    for (chip, together, apart, load) in [("g80", 2, 32, 2), ("gt200", 2, 32, 2), ("fermi", 1, 32, 1)] {
        let mut device = Device::on(chip, &module("sm_10", 128, body));
        let launch = launch(&mut device, 32, Mode::Timed);
        let report = device.run(&launch);
        let local = &timing(&report).local;
        assert_eq!((local.store.requests, local.store.transactions), (2, together + apart), "{chip}");
        assert_eq!((local.load.requests, local.load.transactions), (1, load), "{chip}");
        assert_eq!((local.load.bytes_asked, local.store.bytes_asked), (128, 256), "{chip}");
        assert_eq!(timing(&report).global.load.requests, 0, "{chip}: nothing of it is global");
        assert_eq!(report.launch.local_bytes, 128, "{chip}: nobody uses the module's variable");
    }
}

#[test]
fn local_traffic_takes_the_time_of_global_traffic() {
    // A chain of loads of one word each, of global and of local memory: uncached, and as far away.
    let chain = |space: &str, base: &str| {
        let load = format!("ld.{space}.u32 %r8, [%r9]; add.u32 %r9, {base}, %r8;");
        format!(
            "shl.b32 %r10, %r3, 2; add.u32 %r10, %r10, %r1; mov.u32 %r11, own; mov.u32 %r9, {base}; {}",
            load.repeat(8)
        )
    };
    for chip in CHIPS {
        let cycles = |body: &str| {
            let mut device = Device::on(chip, &module("sm_10", 64, body));
            let launch = launch(&mut device, 32, Mode::Timed);
            timing(&device.run(&launch)).cycles
        };
        let (global, local) = (cycles(&chain("global", "%r10")), cycles(&chain("local", "%r11")));
        let differ = global.abs_diff(local);
        assert!(differ * 20 < global, "{chip}: {global} and {local} cycles");
    }
}

#[test]
fn too_much_local_memory_is_refused() {
    let text = module("sm_10", 16_384 - 20, "st.local.u32 [early], %r3; st.global.u32 [%r7], %r3;");
    let mut device = Device::on("g80", &text);
    let too_long = launch(&mut device, 32, Mode::Timed);
    let refusal = device.refusal(&too_long).to_string();
    assert!(refusal.contains("bytes of local memory per thread: 16396 needed, 16384 available"), "{refusal}");
    // What all threads that can be resident need must be free behind all that is allocated.
    let text = module("sm_10", 16_000, "st.local.u32 [own], %r3; st.global.u32 [%r7], %r3;");
    for mode in MODES {
        let chip: Chip = chip_with("g80", &[("memory_mib", "64")]);
        let mut device = Device::new(chip, "k.ptx", &text).expect("a module");
        let large = launch(&mut device, 256, mode);
        let refusal = device.refusal(&large).to_string();
        let needed = 16_000 * 768 * 16;
        let expected =
            format!("bytes of local memory for all threads that can be resident: {needed} needed, ");
        assert!(refusal.contains(&expected), "{refusal}");
        let fits = launch(&mut device, 32, mode);
        device.run(&fits);
    }
}

#[test]
fn an_access_beyond_the_own_array_is_told() {
    for mode in MODES {
        let mut device =
            Device::on("g80", &module("sm_10", 32, "shl.b32 %r8, %r3, 2; ld.local.u32 %r9, [%r8];"));
        let beyond = launch(&mut device, 32, mode);
        let report = device.gpu.launch(&beyond).expect("it begins");
        let Verdict::Trapped { trap } = report.verdict else { panic!("{:?}", report.verdict) };
        let text = format!("{trap:?}");
        let expected = "read of 4 bytes at .local address 0x20 is out of bounds: a thread of this kernel has 32 bytes of local memory";
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("thread: Dim3 { x: 8, y: 0, z: 0 }"), "{text}");
    }
}

#[test]
fn a_loop_over_local_memory_is_shown_to_repeat_or_to_go_on() {
    // Both write local memory in every round: one always the same, the other counts.
    let spin = |step: u32| {
        format!(
            "mov.u32 %r8, own; L: ld.local.u32 %r9, [%r8]; add.u32 %r9, %r9, {step}; st.local.u32 [%r8], %r9; bra L;"
        )
    };
    for mode in MODES {
        for (step, class) in [(0, StuckClass::EndlessLoop), (1, StuckClass::Limit)] {
            let mut device = Device::on("g80", &module("sm_10", 32, &spin(step)));
            let options = RunOptions { max_cycles: 5 << 20, ..RunOptions::default() };
            let endless = launch(&mut device, 64, mode).options(options);
            let report = device.gpu.launch(&endless).expect("it begins");
            let stuck = match report.verdict {
                Verdict::Hung { stuck, .. } | Verdict::Limit { stuck, .. } => stuck,
                other => panic!("{other:?}"),
            };
            assert_eq!(stuck.class, class, "{mode:?} {step}");
        }
    }
}
