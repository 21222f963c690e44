//! Tests of local memory and generic addresses, on every chip that has them, in both modes.

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

/// Returns the text of a module for `target` whose entry `k` has the body `body` and an array `own`
/// of `bytes` bytes of local memory. `%r3` is the thread index, `%r4` the block index, `%r6` the
/// thread's index in the grid and `%r7` the address of its word of the result.
fn module(target: &str, bytes: u32, body: &str) -> String {
    let head = HEAD.replace("TARGET", target).replace("BYTES", &bytes.to_string());
    format!("{head}{body}\nexit;\n}}\n")
}

/// Runs `text` on `chip` with blocks of 96 threads. Returns the result.
fn run(chip: &str, mode: Mode, text: &str, blocks: u32) -> Vec<u32> {
    let mut device = Device::on(chip, text);
    let count = (96 * blocks) as usize;
    let p = device.upload(&vec![0; count]);
    let launch = device.launch("k", (blocks, 1), (96, 1, 1)).args(pointers(&[p])).mode(mode);
    device.run(&launch);
    device.download(p, count)
}

/// An array that is written with one index and read with another, by threads of more blocks than
/// are resident together, so that warp slots are reused.
const ARRAY: &str = "
mov.u32 %r8, 0;
FILL: shl.b32 %r9, %r8, 2; mov.u32 %r10, own; add.u32 %r10, %r10, %r9;
mul.lo.u32 %r11, %r8, %r6; st.local.u32 [%r10], %r11;
add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 16; @%p1 bra FILL;
and.b32 %r9, %r6, 15; shl.b32 %r9, %r9, 2; add.u32 %r10, %r10, 0; mov.u32 %r10, own; add.u32 %r10, %r10, %r9;
ld.local.u32 %r12, [%r10]; st.global.u32 [%r7], %r12;";

/// Tests: `local-memory-is-private`.
#[test]
fn every_thread_has_its_own_array() {
    let want: Vec<u32> = (0..96 * 200).map(|n: u32| (n & 15).wrapping_mul(n)).collect();
    for chip in CHIPS {
        for mode in MODES {
            assert_eq!(run(chip, mode, &module("sm_10", 64, ARRAY), 200), want, "{chip} {mode:?}");
        }
    }
}

/// Tests: `local-memory-is-private`.
#[test]
fn local_memory_is_zero_at_the_start_of_every_thread() {
    // Each thread stores what it found, and overwrites it for the next thread in the slot.
    let body = "ld.local.u32 %r8, [own+20]; ld.local.u32 %r9, [early+4]; or.b32 %r8, %r8, %r9;
        st.global.u32 [%r7], %r8; mov.u32 %r8, 7; st.local.u32 [own+20], %r8; st.local.u32 [early+4], %r8;";
    for mode in MODES {
        assert_eq!(run("g80", mode, &module("sm_10", 32, body), 300), vec![0; 300 * 96], "{mode:?}");
    }
}

#[test]
fn local_variables_of_modules_and_functions_are_adjacent() {
    // The halves of a 64-bit value, a vector of bytes and one of words; `early` is before `own`.
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

/// Returns a launch with one block of `threads` threads.
fn launch(device: &mut Device, threads: u32, mode: Mode) -> Launch {
    let p = device.upload(&vec![0; threads as usize]);
    device.launch("k", (1, 1), (threads, 1, 1)).args(pointers(&[p])).mode(mode)
}

/// Tests: `local-memory-times`.
#[test]
fn local_accesses_coalesce_if_all_threads_use_the_same_index() {
    // 32 threads store word 3, then each thread stores the word of its index. Both stores go to
    // the DRAM.
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
        assert_eq!(timing(&report).global.load.requests, 0, "{chip}: no access is global");
        assert_eq!(report.launch.local_bytes, 128, "{chip}: the module's variable is not used");
    }
}

/// Tests: `local-memory-times`.
#[test]
fn local_accesses_take_the_time_of_global_accesses() {
    // A chain of loads of one word each, from global and from local memory: neither is cached, and
    // the distance is the same.
    let chain = |space: &str, base: &str| {
        let load = format!("ld.{space}.u32 %r8, [%r9]; add.u32 %r9, {base}, %r8;");
        format!(
            "shl.b32 %r10, %r3, 2; add.u32 %r10, %r10, %r1; mov.u32 %r11, own; mov.u32 %r9, {base}; {}st.global.u32 [%r7], %r9;",
            load.repeat(8)
        )
    };
    for chip in CHIPS {
        let cycles = |body: &str| {
            // Compiled without optimizations, because the address of a local variable would be
            // fused into the load, but the pointer would not.
            let mut device = Device::plain(chip, &module("sm_10", 64, body));
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
    assert!(
        refusal.contains("the local memory per thread in bytes is 16396; this chip allows at most 16384"),
        "{refusal}"
    );
    // The memory for all threads that can be resident must be free beyond the allocations.
    let text = module("sm_10", 16_000, "st.local.u32 [own], %r3; st.global.u32 [%r7], %r3;");
    for mode in MODES {
        let chip: Chip = chip_with("g80", &[("memory_mib", "64")]);
        let mut device = Device::new(chip, "k.ptx", &text).expect("a module");
        let large = launch(&mut device, 256, mode);
        let refusal = device.refusal(&large).to_string();
        let needed = 16_000 * 768 * 16;
        let expected = format!("the local memory of all resident threads in bytes is {needed}; ");
        assert!(refusal.contains(&expected), "{refusal}");
        let fits = launch(&mut device, 32, mode);
        device.run(&fits);
    }
}

#[test]
fn an_access_beyond_local_memory_traps() {
    for mode in MODES {
        let mut device = Device::on(
            "g80",
            &module("sm_10", 32, "shl.b32 %r8, %r3, 2; ld.local.u32 %r9, [%r8]; st.local.u32 [%r8], %r9;"),
        );
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
fn a_loop_that_stores_is_classified_correctly() {
    // Both kernels store to memory in every iteration: one always the same value, the other a
    // counter.
    let spin = |space: &str, step: u32| {
        let own = if space == "local" { "mov.u32 %r8, own;" } else { "mov.u32 %r8, %r7;" };
        format!(
            "{own} L: ld.{space}.u32 %r9, [%r8]; add.u32 %r9, %r9, {step}; st.{space}.u32 [%r8], %r9; bra L;"
        )
    };
    for (mode, space) in MODES.into_iter().flat_map(|mode| [(mode, "local"), (mode, "global")]) {
        for (step, class) in [(0, StuckClass::EndlessLoop), (1, StuckClass::Limit)] {
            let mut device = Device::on("g80", &module("sm_10", 32, &spin(space, step)));
            let options = RunOptions { max_cycles: 5 << 20, ..RunOptions::default() };
            let endless = launch(&mut device, 64, mode).options(options);
            let report = device.gpu.launch(&endless).expect("it begins");
            let stuck = match report.verdict {
                Verdict::Hung { stuck, .. } | Verdict::Limit { stuck, .. } => stuck,
                other => panic!("{other:?}"),
            };
            assert_eq!(stuck.class, class, "{mode:?} {space} {step}");
        }
    }
}

/// Start of the generic tests: `%r8` to `%r10` are generic addresses of the thread's words of
/// shared, local and global memory. `%r11` is one of them, selected by the thread index.
const GENERIC: &str = "
.shared .align 8 .b8 sh[1024];
shl.b32 %r12, %r3, 2; mov.u32 %r8, sh; add.u32 %r8, %r8, %r12; cvta.shared.u32 %r8, %r8;
cvta.local.u32 %r9, own; cvta.global.u32 %r10, %r7;
rem.u32 %r12, %r3, 3; setp.eq.u32 %p1, %r12, 0; setp.eq.u32 %p2, %r12, 1;
selp.u32 %r11, %r8, %r9, %p1; or.pred %p1, %p1, %p2; selp.u32 %r11, %r11, %r10, %p1;
";

/// Runs `body` behind [`GENERIC`] on Fermi in both modes, with 4 blocks of 96 threads, and checks
/// the result of each thread.
fn generic(body: &str, want: impl Fn(u32) -> u32) {
    let want: Vec<u32> = (0..4 * 96).map(want).collect();
    for mode in MODES {
        assert_eq!(
            run("fermi", mode, &module("sm_20", 64, &format!("{GENERIC}{body}")), 4),
            want,
            "{mode:?}"
        );
    }
}

/// Tests: `generic-addresses`.
#[test]
fn a_generic_pointer_reaches_every_space() {
    // All three words contain the thread's index, then the one pointed to is tripled, and all are
    // added.
    let body = "
        st.shared.u32 [sh], %r3; st.u32 [%r8], %r6; st.u32 [%r9], %r6; st.u32 [%r10], %r6;
        ld.u32 %r12, [%r11]; mul.lo.u32 %r12, %r12, 3; st.volatile.u32 [%r11], %r12;
        ld.u32 %r13, [%r8]; ld.local.u32 %r14, [own]; add.u32 %r13, %r13, %r14;
        ld.global.u32 %r14, [%r7]; add.u32 %r13, %r13, %r14; st.global.u32 [%r7], %r13;";
    generic(body, |n| 5 * n);
    // The same with 64-bit registers.
    let wide = "
        st.u32 [%r9], %r6; st.u32 [%r8], %r6; st.u32 [%r10], %r6;
        cvt.u64.u32 %d1, %r11; ld.u32 %r12, [%d1+0]; add.u32 %r12, %r12, 1; st.u32 [%d1], %r12;
        ld.shared.u32 %r13, [sh]; cvta.to.shared.u32 %r14, %r8; ld.shared.u32 %r13, [%r14];
        ld.u32 %r14, [%r9]; add.u32 %r13, %r13, %r14; ld.u32 %r14, [%r10]; add.u32 %r13, %r13, %r14;
        st.global.u32 [%r7], %r13;";
    generic(wide, |n| 3 * n + 1);
}

#[test]
fn generic_vectors_and_narrow_words() {
    // 16 bytes of shared memory for each of the first 64 threads, of local memory for the others.
    let body = "
        shl.b32 %r12, %r3, 4; mov.u32 %r8, sh; add.u32 %r8, %r8, %r12; cvta.shared.u32 %r8, %r8;
        setp.lt.u32 %p1, %r3, 64; selp.u32 %r11, %r8, %r9, %p1;
        add.u32 %r12, %r6, 1; st.v4.u32 [%r11], {%r6, %r12, %r6, %r12};
        mov.u16 %h1, 0x80; st.u8 [%r11+1], %h1; ld.s8 %r13, [%r11+1]; ld.v2.u32 {%r14, %r15}, [%r11+8];
        add.u32 %r13, %r13, %r14; add.u32 %r13, %r13, %r15; st.global.u32 [%r7], %r13;";
    generic(body, |n| (2 * n + 1).wrapping_sub(128));
}

#[test]
fn isspacep_recognizes_the_addresses_of_cvta() {
    // A bit for each answer: shared, local and global memory, for the selected address; then again
    // with 64 bits.
    let ask = |ty: &str, register: &str, shift: u32| {
        ["shared", "local", "global"].iter().enumerate().fold(String::new(), |all, (i, space)| {
            let bit = 1 << (shift + i as u32);
            all + &format!(
                "isspacep.{space} %p3, {register}; selp.u32 %r13, {bit}, 0, %p3; or.b32 %r12, %r12, %r13; // {ty}\n"
            )
        })
    };
    let body = format!(
        "mov.u32 %r12, 0;\n{}cvt.u64.u32 %d1, %r11;\n{}mov.u64 %d2, 0x100000000; or.b64 %d1, %d1, %d2;\n{}st.global.u32 [%r7], %r12;",
        ask("u32", "%r11", 0),
        ask("u64", "%d1", 3),
        ask("beyond", "%d1", 6)
    );
    generic(&body, |n| ((1 << (n % 96 % 3)) * 0b1001) | (0b100 << 6));
}

#[test]
fn cvta_converts_in_both_directions() {
    let body = "
        cvta.to.shared.u32 %r12, %r8; mov.u32 %r13, sh; sub.u32 %r12, %r12, %r13;
        cvta.to.local.u32 %r13, %r9; mov.u32 %r14, own; sub.u32 %r13, %r13, %r14; add.u32 %r12, %r12, %r13;
        cvta.local.u64 %d1, own; cvta.to.local.u64 %d1, %d1; cvt.u32.u64 %r13, %d1; sub.u32 %r13, %r13, %r14;
        add.u32 %r12, %r12, %r13; cvta.to.global.u32 %r13, %r10; sub.u32 %r13, %r13, %r7; add.u32 %r12, %r12, %r13;
        st.global.u32 [%r7], %r12;";
    generic(body, |n| n % 96 * 4);
}

/// Tests: `generic-addresses`.
#[test]
fn generic_atomics_reach_shared_and_global_memory() {
    // Even threads add to a word of shared memory, odd ones to the word of the result that belongs
    // to thread 0 of their block.
    let body = "
        mov.u32 %r8, sh; cvta.shared.u32 %r8, %r8;
        shl.b32 %r12, %r3, 2; sub.u32 %r10, %r7, %r12;
        and.b32 %r12, %r3, 1; setp.eq.u32 %p1, %r12, 0; selp.u32 %r11, %r8, %r10, %p1;
        setp.eq.u32 %p2, %r3, 0; @%p2 mov.u32 %r13, 0; @%p2 st.shared.u32 [sh], %r13; bar.sync 0;
        add.u32 %r13, %r3, 1; red.add.u32 [%r11], %r13; atom.add.u32 %r14, [%r11], 1; membar.gl; bar.sync 0;
        @%p2 ld.shared.u32 %r12, [sh]; @%p2 ld.volatile.global.u32 %r13, [%r7];
        @%p2 mad.lo.u32 %r12, %r12, 100000, %r13; @%p2 st.global.u32 [%r7], %r12;";
    let even: u32 = (0..96).step_by(2).map(|n| n + 1).sum::<u32>() + 48;
    let odd: u32 = (1..96).step_by(2).map(|n| n + 1).sum::<u32>() + 48;
    generic(body, |n| if n % 96 == 0 { even.wrapping_mul(100_000).wrapping_add(odd) } else { 0 });
}

#[test]
fn constants_can_be_read_through_generic_addresses() {
    let text = module(
        "sm_20",
        16,
        "cvta.const.u32 %r8, table; and.b32 %r9, %r3, 3; shl.b32 %r9, %r9, 2;
        add.u32 %r8, %r8, %r9; isspacep.const %p1, %r8; ld.u32 %r10, [%r8]; selp.u32 %r10, %r10, 0, %p1;
        st.global.u32 [%r7], %r10;",
    );
    let text = text.replacen(".local", ".const .u32 table[4] = {11, 22, 33, 44};\n.local", 1);
    for mode in MODES {
        let want: Vec<u32> = (0..96).map(|n: u32| 11 * (n % 4 + 1)).collect();
        assert_eq!(run("fermi", mode, &text, 1), want, "{mode:?}");
    }
}

#[test]
fn a_fault_names_the_space_behind_a_generic_address() {
    for (body, expected) in [
        (
            "add.u32 %r8, %r8, 4096; ld.volatile.u32 %r12, [%r8];",
            "read of 4 bytes at .shared address 0x1000 is out of bounds",
        ),
        (
            "add.u32 %r9, %r9, 4096; st.u32 [%r9], %r3;",
            "write of 4 bytes at .local address 0x1000 is out of bounds",
        ),
        ("red.add.u32 [%r9], %r3;", "atomic through a generic address at .local address 0x0"),
        ("mov.u32 %r8, 0; ld.volatile.u32 %r12, [%r8];", "the pointer is null"),
    ] {
        for mode in MODES {
            let mut device = Device::on("fermi", &module("sm_20", 64, &format!("{GENERIC}{body}")));
            let wrong = launch(&mut device, 32, mode);
            let report = device.gpu.launch(&wrong).expect("it begins");
            let Verdict::Trapped { trap } = report.verdict else { panic!("{:?}", report.verdict) };
            assert!(trap.message.contains(expected), "{}", trap.message);
        }
    }
}

#[test]
fn a_spin_on_a_generic_flag_is_detected_as_a_hang() {
    // The flags are in shared memory for even threads, otherwise in global memory. They are never
    // set.
    let body = "and.b32 %r12, %r3, 1; setp.eq.u32 %p1, %r12, 0; selp.u32 %r11, %r8, %r10, %p1;
        L: ld.volatile.u32 %r13, [%r11]; setp.eq.u32 %p2, %r13, 0; @%p2 bra L;";
    for mode in MODES {
        let mut device = Device::on("fermi", &module("sm_20", 64, &format!("{GENERIC}{body}")));
        let options = RunOptions { max_cycles: 1 << 24, ..RunOptions::default() };
        let endless = launch(&mut device, 64, mode).options(options);
        let report = device.gpu.launch(&endless).expect("it begins");
        let Verdict::Hung { stuck, .. } = report.verdict else { panic!("{:?}", report.verdict) };
        assert_eq!(stuck.class, StuckClass::EndlessLoop, "{mode:?}");
    }
}

/// Tests: `generic-addresses`.
#[test]
fn nothing_is_allocated_in_the_windows() {
    let chip = chip_with("fermi", &[("memory_mib", "4096")]);
    let mut device = Device::new(chip, "k.ptx", &module("sm_10", 16, "")).expect("a module");
    let most = 0xfd00_0000 - 0x1000;
    device.gpu.malloc(most + 1).expect_err("it would reach into the windows");
    device.gpu.malloc(most).expect("all memory before them");
    // Without generic addresses all of the memory can be allocated.
    let chip = chip_with("gt200", &[("memory_mib", "4096")]);
    let mut device = Device::new(chip, "k.ptx", &module("sm_10", 16, "")).expect("a module");
    device.gpu.malloc(most + 1).expect("no windows");
}
