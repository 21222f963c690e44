//! Instructions after Fermi that a chip file enables: random programs against the reference
//! interpreter, lanes on different paths, and the refusal by a chip without them.

use isa::Options;
use sim_core::config::Chip;
use sim_core::host::{Arg, HostError, LaunchError, Mode};
use std::fmt::Write;
use test_support::random::Numbers;
use warpsim_tests::device::{Device, MODES, chip_with, pointers};
use warpsim_tests::reference::{self, Memory, ReferenceProgram};

const ALL: &str = "[shuffle, warp_sync, atomics64, atomic_f64, lop3]";

/// Threads of a block: whole warps, because a shuffle of a missing lane is undefined.
const THREADS: u32 = 64;

fn chip() -> Chip {
    chip_with("fermi", &[("features", ALL)])
}

/// Instructions at the start: registers `%r0` to `%r5` with values of their own in each thread,
/// `%d0` and `%d1`, predicates, and the addresses of eight bytes of the thread.
const HEAD: &str = ".version 6.2
.target sm_60
.address_size 32
.shared .align 8 .b8 sh[512];
.entry k (.param .u32 out) {
.reg .b32 %r<6>; .reg .b32 %t, %out, %mine; .reg .b64 %d<2>; .reg .f64 %f; .reg .pred %p, %q;
mov.u32 %t, %tid.x;
ld.param.u32 %out, [out];
mov.u32 %r0, %ctaid.x; mad.lo.u32 %t, %r0, 64, %t;
mad.lo.u32 %out, %t, 64, %out;
mov.u32 %r0, %tid.x; mov.u32 %mine, sh; mad.lo.u32 %mine, %r0, 8, %mine;
mad.lo.u32 %r0, %t, 0x9e3779b1, 77; mul.lo.u32 %r1, %r0, 0x85ebca6b; shr.u32 %r2, %r1, 27;
xor.b32 %r3, %r1, %t; sub.u32 %r4, %r3, %r0; mul.hi.u32 %r5, %r1, %r4;
mov.b64 %d0, {%r3, %r4}; mov.b64 %d1, {%r5, %r0};
st.shared.u64 [%mine], %d1; st.global.u64 [%out+24], %d0; st.global.u64 [%out+32], %d1;
setp.lt.s32 %p, %r0, %r1; setp.lt.u32 %q, %r2, 20;
";

/// Stores all registers at the end.
const TAIL: &str = "st.global.u32 [%out], %r0; st.global.u32 [%out+4], %r1; st.global.u32 [%out+8], %r2;
st.global.u32 [%out+12], %r3; st.global.u32 [%out+16], %r4; st.global.u32 [%out+20], %r5;
ld.shared.u64 %d1, [%mine]; st.global.u64 [%out+40], %d1; st.global.u64 [%out+48], %d0;
selp.u32 %r0, 1, 0, %p; st.global.u32 [%out+56], %r0;
exit;
}
";

/// Returns a random instruction.
fn instruction(numbers: &mut Numbers) -> String {
    let guard = ["", "", "", "@%p ", "@!%q ", "@%q "][numbers.below(6)];
    let register = |numbers: &mut Numbers| format!("%r{}", numbers.below(6));
    let source = |numbers: &mut Numbers| match numbers.below(3) {
        0 => format!("{:#x}", numbers.bits() >> 51),
        _ => register(numbers),
    };
    let (d, a, b, c) = (register(numbers), register(numbers), source(numbers), source(numbers));
    let mode = ["up", "down", "bfly", "idx"][numbers.below(4)];
    let mask = ["-1", "0xffff", "%r1", "%r3"][numbers.below(4)];
    let space = [".global", ".shared", ""][numbers.below(3)];
    let place = if space == ".shared" { "%mine" } else { "%out+24" };
    let inside = ["", "|%p", "|_"][numbers.below(3)];
    match numbers.below(12) {
        0 | 1 => format!("{guard}shfl.{mode}.b32 {d}{inside}, {a}, {b}, {c};"),
        2 => format!(
            "{guard}shfl.sync.{mode}.b32 {d}{inside}, {a}, {}, 0x{}1f, -1;",
            numbers.below(33),
            ["", "10", "18", "1c"][numbers.below(4)]
        ),
        3 => format!(
            "{guard}vote.sync.{}.pred %{}, !%p, {mask};",
            ["all", "any", "uni"][numbers.below(3)],
            ["p", "q"][numbers.below(2)]
        ),
        4 => format!("{guard}vote.sync.ballot.b32 {d}, %q, {mask};"),
        5 => format!("{guard}activemask.b32 {d};"),
        6 | 7 => format!("{guard}lop3.b32 {d}, {a}, {b}, {c}, {};", numbers.below(256)),
        8 => format!("bar.warp.sync -1;\nadd.u32 {d}, {a}, {b};\nsetp.lt.s32 %q, {d}, {c};"),
        9 => format!("{guard}atom{space}.{}.u64 %d0, [{place}], %d1;", ["min", "max"][numbers.below(2)]),
        10 => format!("{guard}atom{space}.{}.s64 %d0, [{place}], %d1;", ["min", "max"][numbers.below(2)]),
        _ => match numbers.below(3) {
            0 => format!("{guard}red{space}.{}.b64 [{place}], %d0;", ["and", "or", "xor"][numbers.below(3)]),
            1 => format!(
                "{guard}atom{space}.{}.b64 %d0, [{place}], %d1;",
                ["and", "or", "xor"][numbers.below(3)]
            ),
            _ => format!("mov.b64 %f, %d1;\n{guard}red{space}.add.f64 [{place}], %f;"),
        },
    }
}

/// Bytes of the result of a program: two blocks, 64 bytes for each thread.
const BYTES: usize = 2 * THREADS as usize * 64;

fn simulated(text: &str, mode: Mode, options: Options) -> (u64, Vec<u8>) {
    let mut device =
        Device::compiled(chip(), "k.ptx", text, options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let out = device.upload(&vec![0; BYTES / 4]);
    let launch = device.launch("k", (2, 1), (THREADS, 1, 1)).args(pointers(&[out])).mode(mode);
    device.run(&launch);
    let mut bytes = vec![0; BYTES];
    device.gpu.copy_out(out, &mut bytes).expect("the copy fits");
    (out.address().into(), bytes)
}

/// Generic addresses of global memory are those of global memory; shared memory has a space.
///
/// Tests: `independent-reference`, `shuffles`.
#[test]
fn random_shuffles_and_votes_agree_with_the_reference() {
    let mut numbers = Numbers::new(38);
    for number in 0..160 {
        let mut text = HEAD.to_owned();
        (0..24).for_each(|_| {
            let _ = writeln!(text, "{}", instruction(&mut numbers));
        });
        text += TAIL;
        let (at, functional) = simulated(&text, Mode::Functional, Options::default());
        assert_eq!(simulated(&text, Mode::Timed, Options::default()).1, functional, "{number}: {text}");
        assert_eq!(simulated(&text, Mode::Functional, Options::PLAIN).1, functional, "{number}: {text}");
        let program = ReferenceProgram::read(&text, "k").unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut memory = Memory::default();
        memory.add(at, vec![0; BYTES]);
        let args = vec![Arg::U32(at as u32).to_bytes(4).expect("a word")];
        let launch = reference::Launch { args, ..reference::Launch::new(&program, 2, THREADS) };
        reference::run(&launch, &mut memory).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let wanted = &memory.ranges()[0].bytes;
        let differs = functional.iter().zip(wanted).position(|(a, b)| a != b);
        assert!(differs.is_none(), "{number}: byte {differs:?}\n{text}");
    }
}

/// Lanes on both sides of a branch: the active lanes vote and exchange values, and a lane that
/// reads an inactive lane gets the bits of its register.
#[test]
fn lanes_of_one_path_are_the_active_lanes() {
    let text = HEAD.to_owned()
        + "mov.u32 %r0, %tid.x; and.b32 %r0, %r0, 31; add.u32 %r5, %r0, 500; setp.lt.u32 %p, %r0, 12;
           @%p bra low;
           activemask.b32 %r1; vote.sync.ballot.b32 %r2, %p, -1; shfl.idx.b32 %r3, %r5, 3, 31; bra done;
           low: activemask.b32 %r1; vote.sync.ballot.b32 %r2, %p, 0xff; shfl.up.b32 %r3, %r5, 1, 0;
           done: activemask.b32 %r4;\n"
        + TAIL;
    for mode in MODES {
        let (_, bytes) = simulated(&text, mode, Options::default());
        for (lane, of_thread) in bytes.chunks(64).take(32).enumerate() {
            let word = |i: usize| u32::from_le_bytes(*of_thread[4 * i..].first_chunk().expect("a word"));
            let low = lane < 12;
            assert_eq!(word(1), if low { 0xfff } else { 0xffff_f000 }, "{mode:?} {lane}");
            assert_eq!(word(2), if low { 0xff } else { 0 }, "{mode:?} {lane}");
            let shifted = 500 + (lane as u32).saturating_sub(1);
            assert_eq!(word(3), if low { shifted } else { 503 }, "{mode:?} {lane}");
            assert_eq!(word(4), u32::MAX, "{mode:?} {lane}");
        }
    }
}

#[test]
fn a_chip_without_the_instructions_names_the_line_and_the_feature() {
    let text = HEAD.to_owned() + "bar.warp.sync -1;\n@%p shfl.idx.b32 %r1, %r2, 3, 31;\n" + TAIL;
    let refusal = |features: &str| {
        let mut device =
            Device::new(chip_with("fermi", &[("features", features)]), "k.ptx", &text).expect("it compiles");
        let out = device.upload(&[0; 64]);
        let launch = device.launch("k", (1, 1), (32, 1, 1)).args(pointers(&[out]));
        device.refusal(&launch)
    };
    let HostError::Launch(error @ LaunchError::Feature { .. }) = refusal("[warp_sync]") else {
        panic!("another error")
    };
    let line = text.lines().position(|line| line.contains("shfl")).expect("a line") + 1;
    let wanted = format!(
        "kernel `k` uses `shfl.idx.b32` in line {line}, which the chip has only with `features: [shuffle, warp_sync]`"
    );
    assert_eq!(error.to_string(), wanted);
    assert!(refusal("[]").to_string().contains("uses `bar.warp.sync`"));
}
