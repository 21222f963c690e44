//! Tests of functions: passed values, return addresses and divergence of calls. Each kernel runs in
//! functional and timed mode.
//!
//! Tests: `functions`.

use isa::Options;
use isa::diag::render_all;
use proptest::prop_assert_eq;
use proptest::test_runner::{Config, TestCaseError, TestRng, TestRunner};
use sim_core::host::{Gpu, Mode};
use test_support::record;
use warpsim_tests::device::{CHIPS, Device, MODES, chip_with, pointers};
use warpsim_tests::functions::{self, programs};

/// Threads of a block in these tests: one warp and a part of another.
const THREADS: usize = 48;

/// With and without the assembler's optimizations.
const OPTIONS: [Options; 2] = [Options { schedule: true, ..Options::PLAIN.optimized() }, Options::PLAIN];

/// Content of the output before the launch.
const UNTOUCHED: u32 = 0xdead_beef;

/// Returns the built-in chip `name` after it has loaded `text`, compiled with `options`.
#[track_caller]
fn device(name: &str, text: &str, options: Options) -> Device {
    let (module, diagnostics) = isa::compile_with("test.ptx", text, options);
    let module = module.unwrap_or_else(|| panic!("{}", render_all(&diagnostics, "test.ptx", text)));
    let mut gpu = Gpu::new(chip_with(name, &[]));
    let module = gpu.load(module).unwrap_or_else(|e| panic!("{e}"));
    Device { gpu, module }
}

/// Runs entry `k` of a module on the chip `name`, with one block of [`THREADS`] threads and `words`
/// words of output for each thread. Returns the output.
#[track_caller]
fn run_on(name: &str, text: &str, options: Options, words: usize, mode: Mode) -> Vec<u32> {
    let mut device = device(name, text, options);
    let out = device.upload(&vec![UNTOUCHED; THREADS * words]);
    let launch = device.launch("k", (1, 1), (THREADS as u32, 1, 1)).args(pointers(&[out])).mode(mode);
    device.run(&launch);
    device.download(out, THREADS * words)
}

/// Checks that every thread writes what `expected` gives for its index, on Fermi in both modes.
#[track_caller]
fn assert_threads<const N: usize>(text: &str, expected: impl Fn(u32) -> [u32; N]) {
    let wanted: Vec<u32> = (0..THREADS as u32).flat_map(expected).collect();
    for (options, mode) in OPTIONS.into_iter().flat_map(|options| MODES.map(|mode| (options, mode))) {
        assert_eq!(run_on("fermi", text, options, N, mode), wanted, "{options:?} {mode:?}");
    }
}

/// Returns a module for `sm_20` with `functions` and a kernel with the body `body`. At its start
/// `%t` is the thread index and `%o` the address of the thread's output.
fn kernel(functions: &str, words: usize, body: &str) -> String {
    let stride = 4 * words;
    format!(
        ".version 2.3\n.target sm_20\n.address_size 32\n{functions}\n\
         .entry k (.param .u32 out) {{\n.reg .u32 %t, %o, %a, %b, %c, %d; .reg .u64 %w; .reg .f32 %x; .reg .pred %p, %q;\n\
         mov.u32 %t, %tid.x; ld.param.u32 %o, [out]; mad.lo.u32 %o, %t, {stride}, %o;\n{body}\n}}\n"
    )
}

#[test]
fn recorded_programs_give_the_results_of_silicon() {
    let read = |name: &str| record::read(name).expect("a recorded file");
    let programs: Vec<_> = record::ptx("fuzz/fuzz_call").collect();
    let words = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|w| u32::from_le_bytes(*w)).collect::<Vec<_>>();
    let input = words(read("fuzz/input.bin"));
    for (name, text) in &programs {
        let expected = words(read(&name.replace(".ptx", ".out.bin")));
        for (options, mode) in OPTIONS.into_iter().flat_map(|options| MODES.map(|mode| (options, mode))) {
            let mut device = device("fermi", text, options);
            let (a, out) = (device.upload(&input), device.upload(&vec![0; expected.len()]));
            device.run(&device.launch("k", (2, 1), (96, 1, 1)).args(pointers(&[a, out])).mode(mode));
            let got = device.download(out, expected.len());
            // Rows of 14 words. The last four of a row are f32, and there every NaN equals every
            // other.
            let nan = |place: usize, word: u32| place % 14 >= 10 && f32::from_bits(word).is_nan();
            for (place, (got, wanted)) in got.iter().zip(&expected).enumerate() {
                let same = got == wanted || nan(place, *got) && nan(place, *wanted);
                assert!(same, "{name} {options:?} {mode:?}: word {place} is {got:#x}, not {wanted:#x}");
            }
        }
    }
    assert_eq!(programs.len(), 10);
}

#[test]
fn registers_pass_values_on_every_generation() {
    let text = ".version 1.4\n.target sm_10\n\
        .func (.reg .u32 sum, .reg .u32 product) both (.reg .u32 a, .reg .u32 b)\n\
        { add.u32 sum, a, b; mul.lo.u32 product, a, b; ret; }\n\
        .func (.reg .u32 r) twice (.reg .u32 x) { add.u32 x, x, x; mov.u32 r, x; }\n\
        .entry k (.param .u32 out) { .reg .u32 %t, %o, %a, %b;\n\
        mov.u32 %t, %tid.x; ld.param.u32 %o, [out]; mad24.lo.u32 %o, %t, 8, %o;\n\
        call (%a), twice, (%t); call (%a), twice, (%a);\n\
        call.uni (%a, %b), both, (%a, 7);\n\
        st.global.u32 [%o], %a; st.global.u32 [%o+4], %b; ret; }\n";
    let wanted: Vec<u32> = (0..THREADS as u32).flat_map(|t| [4 * t + 7, 28 * t]).collect();
    for chip in CHIPS {
        for mode in MODES {
            assert_eq!(run_on(chip, text, Options::default(), 2, mode), wanted, "{chip} {mode:?}");
        }
    }
}

#[test]
fn lanes_return_early_and_reconverge_behind_the_call() {
    // Lanes return at four places, one of them in a loop. Some lanes do not call the function.
    let functions = ".func (.param .b32 rv) f (.param .b32 x) {\n\
        .reg .u32 %x, %n; .reg .pred %p;\n\
        ld.param.u32 %x, [x]; mov.u32 %n, 0;\n\
        setp.lt.u32 %p, %x, 8; st.param.b32 [rv], 1000; @%p ret;\n\
        setp.lt.u32 %p, %x, 16; @%p bra SMALL;\n\
        LOOP: add.u32 %n, %n, 1; st.param.b32 [rv], %n; setp.eq.u32 %p, %n, %x; @%p ret; setp.lt.u32 %p, %n, 40;\n\
        @%p bra LOOP; bra.uni OUT;\n\
        SMALL: add.u32 %n, %x, 500; st.param.b32 [rv], %n; ret;\n\
        OUT: st.param.b32 [rv], 77;\n}\n";
    let body = "mov.u32 %a, 5; setp.ne.u32 %p, %t, 11; mov.u32 %b, %t;\n\
        @%p call (%a), f, (%t);\n\
        add.u32 %a, %a, %b; st.global.u32 [%o], %a;";
    assert_threads(&kernel(functions, 1, body), |t| {
        let value = match t {
            11 => 5,
            0..8 => 1000,
            8..16 => t + 500,
            16..=40 => t,
            _ => 77,
        };
        [value + t]
    });
}

#[test]
fn live_values_survive_nested_calls() {
    let functions = ".func (.param .b32 r) inner (.param .b32 a, .param .b32 b) {\n\
        .reg .u32 %x, %y, %z; ld.param.u32 %x, [a]; ld.param.u32 %y, [b];\n\
        mad.lo.u32 %z, %x, %y, 1; st.param.b32 [r], %z; ret; }\n\
        .func (.param .b32 r) middle (.param .b32 n) {\n\
        .reg .u32 %n, %i, %s, %v; .reg .pred %p; ld.param.u32 %n, [n]; mov.u32 %i, 0; mov.u32 %s, 0;\n\
        L: setp.ge.u32 %p, %i, %n; @%p bra E;\n\
        { .param .b32 a; .param .b32 b; .param .b32 v; st.param.b32 [a], %i; st.param.b32 [b], %n;\n\
          call (v), inner, (a, b); ld.param.b32 %v, [v]; }\n\
        add.u32 %s, %s, %v; add.u32 %i, %i, 1; bra L;\n\
        E: st.param.b32 [r], %s; ret; }\n";
    let body = "and.b32 %b, %t, 7; add.u32 %c, %t, 3;\n\
        call (%a), middle, (%b);\n\
        call (%d), middle, (%c);\n\
        st.global.u32 [%o], %a; st.global.u32 [%o+4], %d; st.global.u32 [%o+8], %b; st.global.u32 [%o+12], %c;";
    let middle = |n: u32| (0..n).map(|i| i * n + 1).sum::<u32>();
    assert_threads(&kernel(functions, 4, body), |t| [middle(t & 7), middle(t + 3), t & 7, t + 3]);
}

#[test]
fn structures_and_short_values_are_passed() {
    let functions = ".func (.param .align 8 .b8 r[24]) f (.param .align 4 .b8 s[12], .param .b8 c, .param .b16 h, .param .f32 x,\n\
        .param .b64 w) {\n\
        .reg .u32 %a, %b, %c, %d; .reg .s32 %e; .reg .u64 %w; .reg .f32 %x; .reg .u16 %h; .reg .s16 %s;\n\
        ld.param.u8 %a, [s+1]; ld.param.u16 %b, [s+6]; ld.param.s8 %e, [c]; ld.param.s16 %s, [h]; cvt.s32.s16 %c, %s;\n\
        ld.param.f32 %x, [x]; add.f32 %x, %x, 0f3F800000; ld.param.u64 %w, [w]; ld.param.u32 %d, [w+4];\n\
        st.param.v2.u32 [r], {%a, %b}; st.param.s32 [r+8], %e; st.param.u16 [r+12], %c; st.param.b8 [r+14], %d;\n\
        st.param.b8 [r+15], 9; add.u64 %w, %w, 1; st.param.b64 [r+16], %w; ret; }\n";
    let body = "{ .param .align 4 .b8 s[12]; .param .b8 c; .param .b16 h; .param .f32 x; .param .b64 w; .param .align 8 .b8 r[24];\n\
        shl.b32 %a, %t, 8; or.b32 %a, %a, 0xff0000aa; st.param.b32 [s], %a; st.param.b32 [s+4], 0x12345678;\n\
        st.param.b8 [c], 0x1fe; st.param.b16 [h], 0xfffd; st.param.f32 [x], 0f40000000;\n\
        mov.b64 %w, {%t, %a}; st.param.b64 [w], %w;\n\
        call (r), f, (s, c, h, x, w);\n\
        ld.param.v4.u32 {%a, %b, %c, %d}, [r]; ld.param.u64 %w, [r+16]; }\n\
        st.global.v4.u32 [%o], {%a, %b, %c, %d}; st.global.u64 [%o+16], %w;";
    assert_threads(&kernel(functions, 8, body), |t| {
        let a = t << 8 | 0xff00_00aa;
        [
            t & 0xff,
            0x1234,
            -2_i32 as u32,
            (-3_i16 as u16 as u32) | (a & 0xff) << 16 | 9 << 24,
            t + 1,
            a,
            UNTOUCHED,
            UNTOUCHED,
        ]
    });
}

#[test]
fn lanes_call_different_functions_through_pointers() {
    let functions = ".func (.param .b32 r) plus (.param .b32 a, .param .b32 b);\n\
        .func (.param .b32 r) times (.param .b32 a, .param .b32 b) {\n\
        .reg .u32 %x, %y; ld.param.u32 %x, [a]; ld.param.u32 %y, [b]; mul.lo.u32 %x, %x, %y; st.param.b32 [r], %x; ret; }\n\
        .const .u32 table[3] = {plus, times, nested};\n\
        .global .u32 chosen;\n\
        .func (.param .b32 r) nested (.param .b32 a, .param .b32 b) {\n\
        .reg .u32 %x, %y, %z; ld.param.u32 %x, [a]; ld.param.u32 %y, [b];\n\
        call (%z), plus, (%x, 100); call (%z), times, (%z, %y); add.u32 %z, %z, %x; st.param.b32 [r], %z; ret; }\n\
        .func (.param .b32 r) plus (.param .b32 a, .param .b32 b) {\n\
        .reg .u32 %x, %y; ld.param.u32 %x, [a]; ld.param.u32 %y, [b]; add.u32 %x, %x, %y; st.param.b32 [r], %x; ret; }\n";
    let body = "rem.u32 %a, %t, 3; shl.b32 %a, %a, 2; ld.const.u32 %b, [%a+table]; setp.ne.u32 %p, %t, 17; mov.u32 %d, 1;\n\
        alike: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n\
        list: .calltargets plus, times;\n\
        @%p call (%d), %b, (%t, 9), alike;\n\
        st.global.u32 [%o], %d;\n\
        mov.u32 %b, times; setp.gt.u32 %p, %t, 20; @%p mov.u32 %b, plus;\n\
        call (%c), %b, (%t, %d), list;\n\
        st.global.u32 [%o+4], %c;";
    let body = body.replace(
        "ld.const.u32 %b, [%a+table]",
        "mov.u32 %c, table; add.u32 %a, %a, %c; ld.const.u32 %b, [%a]",
    );
    assert_threads(&kernel(functions, 2, &body), |t| {
        let first = match t % 3 {
            _ if t == 17 => 1,
            0 => t + 9,
            1 => t * 9,
            _ => (t + 100) * 9 + t,
        };
        [first, if t > 20 { t + first } else { t * first }]
    });
}

#[test]
fn a_function_may_hold_a_barrier_and_an_exit() {
    let functions = ".shared .u32 cells[64];\n\
        .func (.param .b32 r) swap (.param .b32 i) {\n\
        .shared .u32 flag; .reg .u32 %i, %a, %v, %n; .reg .pred %p;\n\
        ld.param.u32 %i, [i]; shl.b32 %a, %i, 2; mov.u32 %v, cells; add.u32 %a, %a, %v; st.shared.u32 [%a], %i;\n\
        st.shared.u32 [flag], 3; bar.sync 0;\n\
        mov.u32 %n, %ntid.x; sub.u32 %i, %n, %i; sub.u32 %i, %i, 1; shl.b32 %a, %i, 2; add.u32 %a, %a, %v;\n\
        ld.shared.u32 %v, [%a]; ld.shared.u32 %a, [flag]; mad.lo.u32 %v, %v, 10, %a;\n\
        setp.eq.u32 %p, %i, 40; @%p exit;\n\
        st.param.b32 [r], %v; ret; }\n";
    let body = "st.global.u32 [%o], 1; call (%a), swap, (%t); st.global.u32 [%o], %a;";
    let last = THREADS as u32 - 1;
    assert_threads(&kernel(functions, 1, body), |t| [if last - t == 40 { 1 } else { 10 * (last - t) + 3 }]);
}

/// Checks that the kernel with the body `body` ends with a verdict that contains `said`, in both
/// modes.
#[track_caller]
fn assert_trap(functions: &str, body: &str, said: &str) {
    for mode in MODES {
        let mut device = Device::on("fermi", &kernel(functions, 1, body));
        let out = device.upload(&[0; THREADS]);
        let launch = device.launch("k", (1, 1), (THREADS as u32, 1, 1)).args(pointers(&[out])).mode(mode);
        let report = device.gpu.launch(&launch).expect("a launch");
        let text = format!("{:?}", report.verdict);
        assert!(text.contains(said), "{mode:?}: {text}");
    }
}

#[test]
fn a_pointer_to_no_function_is_a_fault() {
    let functions = ".func (.param .b32 r) one (.param .b32 a) { st.param.b32 [r], 1; ret; }\n\
        .func none () { ret; }\n\
        .func (.param .b32 r) near (.param .b32 a) { st.param.b32 [r], 2; ret; }\n";
    let call = |pointer: &str| {
        format!(
            "alike: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
             mov.u32 %b, one; mov.u32 %c, none; mov.u32 %d, {pointer}; call none;\n call (%a), %d, (%t), alike;"
        )
    };
    assert_trap(functions, &call("0"), "indirect call of address 0x0: not the address of a function");
    assert_trap(functions, &call("%o"), "not the address of a function that this kernel can call");
    assert_trap(functions, &call("%c"), "the signature of function `none`");
    // The parameters of a function whose address is not taken have rows that only its direct calls
    // know.
    let guessed = "call (%a), near, (%t); add.u32 %b, %c, 16; ".to_owned()
        + &call("%b").replace("mov.u32 %b, one; ", "mov.u32 %a, one; ");
    assert_trap(functions, &guessed, "not the address of a function that this kernel can call through");
    assert_trap(
        functions,
        &(call("%b") + "ld.global.u32 %a, [%b]; st.global.u32 [%o], %a;"),
        "out of bounds",
    );
}

/// Expected value of the function `fib` in the test below.
fn fib(n: u32) -> u32 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) + if n % 2 == 1 { 1000 } else { 0 } }
}

#[test]
fn a_function_may_call_itself() {
    // The function calls itself twice, values of every register class are live across the calls,
    // and the lanes reach different depths.
    let functions = ".func (.param .b32 r) fib (.param .b32 n) {\n\
        .reg .u32 %n, %a, %b; .reg .u64 %w; .reg .pred %p, %odd;\n\
        ld.param.u32 %n, [n]; mul.wide.u32 %w, %n, 0x40000001; and.b32 %a, %n, 1; setp.eq.u32 %odd, %a, 1;\n\
        setp.lt.u32 %p, %n, 2; st.param.b32 [r], %n; @%p ret;\n\
        sub.u32 %a, %n, 1; call (%a), fib, (%a);\n\
        sub.u32 %b, %n, 2; call (%b), fib, (%b);\n\
        add.u32 %a, %a, %b;\n\
        cvt.u32.u64 %b, %w; sub.u32 %b, %b, %n; shr.u32 %b, %b, 30; and.b32 %n, %n, 3; sub.u32 %b, %b, %n; add.u32 %a, %a, %b;\n\
        @%odd add.u32 %a, %a, 1000;\n\
        st.param.b32 [r], %a; ret; }\n";
    let body = "and.b32 %b, %t, 15; mov.u32 %c, 7; call (%a), fib, (%b); add.u32 %a, %a, %c; st.global.u32 [%o], %a;";
    assert_threads(&kernel(functions, 1, body), |t| [fib(t & 15) + 7]);
}

/// Expected value of the function `even` in the test below.
fn even(n: u32, seed: u32) -> u32 {
    let x = if n == 0 { 1 } else { odd(n - 1, seed + n) };
    x.wrapping_mul(3).wrapping_add(seed).wrapping_add(n)
}

/// Expected value of the function `odd` in the test below.
fn odd(n: u32, seed: u32) -> u32 {
    (if n == 0 { 2 } else { even(n - 1, seed) }) ^ seed
}

#[test]
fn recursive_functions_have_separate_local_variables() {
    // Each activation has its own array. An activation must not see what deeper ones write to
    // theirs.
    let functions = ".func (.param .b32 r) odd (.param .b32 n, .param .b32 seed);\n\
        .func (.param .b32 r) even (.param .b32 n, .param .b32 seed) {\n\
        .local .align 8 .b8 kept[24]; .reg .u32 %n, %s, %x, %i; .reg .pred %p;\n\
        ld.param.u32 %n, [n]; ld.param.u32 %s, [seed]; st.local.u32 [kept], %s; st.local.u32 [kept+20], %n;\n\
        mov.u32 %x, 1; setp.eq.u32 %p, %n, 0; @%p bra DONE;\n\
        sub.u32 %i, %n, 1; add.u32 %x, %s, %n; call (%x), odd, (%i, %x);\n\
        DONE: mov.u32 %i, kept; ld.local.u32 %s, [%i]; ld.local.u32 %n, [%i+20]; mad.lo.u32 %x, %x, 3, %s; add.u32 %x, %x, %n;\n\
        st.param.b32 [r], %x; ret; }\n\
        .func (.param .b32 r) middle (.param .b32 n, .param .b32 seed) {\n\
        .local .u32 mine; .reg .u32 %n, %s; ld.param.u32 %n, [n]; ld.param.u32 %s, [seed]; st.local.u32 [mine], %n;\n\
        call (%s), even, (%n, %s); ld.local.u32 %n, [mine]; add.u32 %s, %s, %n; st.param.b32 [r], %s; ret; }\n\
        .func (.param .b32 r) odd (.param .b32 n, .param .b32 seed) {\n\
        .reg .u32 %n, %s, %x; .reg .pred %p; ld.param.u32 %n, [n]; ld.param.u32 %s, [seed];\n\
        mov.u32 %x, 2; setp.ne.u32 %p, %n, 0; sub.u32 %n, %n, 1; @%p call (%x), even, (%n, %s);\n\
        xor.b32 %x, %x, %s; st.param.b32 [r], %x; ret; }\n";
    let body = "and.b32 %b, %t, 7; add.u32 %c, %t, 100; call (%a), middle, (%b, %c); add.u32 %a, %a, %c; st.global.u32 [%o], %a;";
    assert_threads(&kernel(functions, 1, body), |t| {
        [even(t & 7, t + 100).wrapping_add(t & 7).wrapping_add(t + 100)]
    });
}

/// Expected value of the function `down` in the test below.
fn down(n: i32, step: i32) -> i32 {
    if n < 1 {
        return 5;
    }
    let below = if n & 1 == 1 { skip(n - step) } else { down(n - step, step) };
    below.wrapping_mul(3).wrapping_add(n)
}

/// Expected value of the function `skip` in the test below.
fn skip(n: i32) -> i32 {
    (n + 1000).wrapping_add(down(n - 1, 1))
}

#[test]
fn a_function_may_call_itself_through_a_pointer() {
    let functions = ".func (.param .b32 r) down (.param .b32 n, .param .b32 step);\n\
        .const .u32 steps[2] = {down, skip};\n\
        .func (.param .b32 r) skip (.param .b32 n, .param .b32 step) {\n\
        .reg .u32 %n, %f, %x; ld.param.u32 %n, [n]; add.u32 %x, %n, 1000; sub.u32 %n, %n, 1; mov.u32 %f, steps;\n\
        ld.const.u32 %f, [%f]; P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n\
        call (%f), %f, (%n, 1), P; add.u32 %x, %x, %f; st.param.b32 [r], %x; ret; }\n\
        .func (.param .b32 r) down (.param .b32 n, .param .b32 step) {\n\
        .reg .u32 %n, %s, %f, %x; .reg .pred %p; ld.param.u32 %n, [n]; ld.param.u32 %s, [step];\n\
        setp.lt.s32 %p, %n, 1; st.param.b32 [r], 5; @%p ret;\n\
        P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n\
        and.b32 %x, %n, 1; shl.b32 %x, %x, 2; mov.u32 %f, steps; add.u32 %f, %f, %x; ld.const.u32 %f, [%f];\n\
        sub.u32 %x, %n, %s; call (%x), %f, (%x, %s), P; mad.lo.u32 %x, %x, 3, %n; st.param.b32 [r], %x; ret; }\n";
    let body = "and.b32 %b, %t, 15; call (%a), down, (%b, 1); st.global.u32 [%o], %a;";
    assert_threads(&kernel(functions, 1, body), |t| [down((t & 15) as i32, 1) as u32]);
}

#[test]
fn an_endless_recursion_is_a_fault() {
    let functions = ".func deeper (.param .b32 n) { .reg .u32 %n; ld.param.u32 %n, [n]; add.u32 %n, %n, 1; call deeper, (%n);\n\
        st.shared.u32 [0], %n; ret; }\n.shared .u32 cell;\n";
    assert_trap(
        functions,
        "mov.u32 %a, cell; call deeper, (%t); st.global.u32 [%o], %a;",
        "call stack overflow",
    );
}

/// Each lane computes the same as one thread of a reference interpreter does, for random programs,
/// with and without optimizations.
fn holds_for_random_programs(count: u32, deterministic: bool) {
    let config = Config {
        cases: count,
        max_global_rejects: 10 * count,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = if deterministic {
        let rng = TestRng::deterministic_rng(config.rng_algorithm);
        TestRunner::new_with_rng(config, rng)
    } else {
        TestRunner::new(config)
    };
    let result = runner.run(&programs(), |program| {
        let expected: Option<Vec<u32>> = (0..THREADS as u32)
            .map(|t| functions::run(&program, t))
            .collect::<Option<Vec<_>>>()
            .map(|all| all.concat());
        let Some(expected) = expected else { return Err(TestCaseError::reject("too many calls")) };
        let text = functions::print(&program);
        for (options, mode) in
            [(OPTIONS[0], Mode::Functional), (OPTIONS[1], Mode::Functional), (OPTIONS[0], Mode::Timed)]
        {
            let got = run_on("fermi", &text, options, usize::from(functions::VARIABLES), mode);
            prop_assert_eq!(&got, &expected, "{:?} {:?}\n{}", options, mode, text);
        }
        Ok(())
    });
    if let Err(e) = result {
        panic!("{e}");
    }
}

/// Tests: `functions`.
#[test]
fn random_functions_compute_what_one_thread_does() {
    holds_for_random_programs(64, true);
}

/// The same as [`random_functions_compute_what_one_thread_does`], with more programs, which are new
/// in every run.
#[test]
#[ignore = "minutes"]
fn random_functions_compute_what_one_thread_does_at_length() {
    holds_for_random_programs(5_000, false);
}
