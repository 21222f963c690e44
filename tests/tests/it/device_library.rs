//! `printf`, `assert`, `malloc` and `free` in kernels, as compilers call them for `sm_20`: the
//! same on both machines and for any number of host threads.
//!
//! Tests: `device-library`, `device-output`.

use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Gpu, Launch, Limit, Mode, RunOptions};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;

const HEAD: &str = ".version 2.3\n.target sm_20\n.address_size @\n\
    .extern .func (.param .b32 r) vprintf (.param .b@ f, .param .b@ a);\n\
    .extern .func __assertfail (.param .b@ m, .param .b@ f, .param .b32 l, .param .b@ n, .param .b@ c);\n\
    .extern .func (.param .b@ r) malloc (.param .b@ n);\n.extern .func free (.param .b@ p);\n";

/// Registers and a local buffer for arguments, whose generic address is in `%sp`.
const BEGIN: &str = ".reg .b@ %p, %q, %sp, %base; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %c;\n\
    .local .align 8 .b8 args[64];\nmov.u@ %sp, args; cvta.local.u@ %sp, %sp;\n\
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1;\n\
    ld.param.u@ %base, [out];\n";

/// Bytes of a string constant.
fn string(name: &str, text: &str) -> String {
    let bytes: Vec<String> = text.bytes().chain([0]).map(|byte| byte.to_string()).collect();
    format!(".global .align 1 .b8 {name}[{}] = {{{}}};\n", bytes.len(), bytes.join(", "))
}

/// A call of `vprintf` with the arguments at `%sp`; its result is `%r8`.
fn print(format: &str) -> String {
    format!(
        "mov.u@ %p, {format}; cvta.global.u@ %p, %p;\n{{\n.param .b@ p0; .param .b@ p1; .param .b32 r0;\n\
         st.param.b@ [p0+0], %p; st.param.b@ [p1+0], %sp;\ncall.uni (r0), vprintf, (p0, p1);\n\
         ld.param.b32 %r8, [r0+0];\n}}\n"
    )
}

/// `%p = malloc(bytes)`.
fn malloc(bytes: &str) -> String {
    format!(
        "{{\n.param .b@ p0; .param .b@ r0;\nst.param.b@ [p0+0], {bytes};\ncall.uni (r0), malloc, (p0);\n\
         ld.param.b@ %p, [r0+0];\n}}\n"
    )
}

const FREE: &str = "{\n.param .b@ p0;\nst.param.b@ [p0+0], %p;\ncall.uni free, (p0);\n}\n";

/// One run: the report and the words of the output buffer.
struct Run {
    report: Report,
    words: Vec<u32>,
}

impl Run {
    fn printed(&self) -> &str {
        self.report.output.as_ref().map_or("", |output| &output.printed)
    }
}

/// How a kernel runs.
#[derive(Clone, Copy)]
struct How {
    bits: u32,
    mode: Mode,
    threads: usize,
    limits: Option<u64>,
}

const TIMED: How = How { bits: 64, mode: Mode::Timed, threads: 1, limits: None };
const FUNCTIONAL: How = How { mode: Mode::Functional, ..TIMED };

/// Runs a body between declarations and `exit` as `grid` blocks of `block` threads, `times` times.
fn run_times((strings, body): (&str, &str), (grid, block): (u32, u32), how: How, times: usize) -> Vec<Run> {
    let text = format!("{HEAD}{strings}.entry k (.param .u@ out)\n{{\n{BEGIN}{body}\nexit;\n}}\n");
    let text = text.replace('@', &how.bits.to_string()).replace('#', "@");
    let (module, diagnostics) = isa::compile("k.ptx", &text);
    let module = module.unwrap_or_else(|| panic!("{}", isa::diag::render_all(&diagnostics, "k.ptx", &text)));
    let mut gpu = Gpu::new(Chip::builtin("fermi").expect("a built-in chip"));
    if let Some(bytes) = how.limits {
        gpu.set_limit(Limit::PrintfFifoSize, bytes).expect("nothing was launched");
        gpu.set_limit(Limit::MallocHeapSize, bytes).expect("nothing was launched");
    }
    let module = gpu.load(module).expect("the module fits");
    let out: DevicePtr = gpu.malloc(4096 * 4).expect("a small buffer");
    let mut run = || {
        let options = RunOptions { threads: how.threads, max_cycles: 20_000_000, ..RunOptions::default() };
        let launch =
            Launch::new(module, "k", grid, block).args([Arg::Ptr(out)]).mode(how.mode).options(options);
        let report = gpu.launch(&launch).expect("a launch");
        let mut bytes = vec![0; 4096 * 4];
        gpu.copy_out(out, &mut bytes).expect("the copy fits");
        let words = bytes.chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        Run { report, words }
    };
    (0..times).map(|_| run()).collect()
}

fn run(program: (&str, &str), size: (u32, u32), how: How) -> Run {
    run_times(program, size, how, 1).remove(0)
}

#[test]
fn threads_of_a_warp_print_in_order() {
    let strings = string("fmt", "thread %d of block %d: %s %5.2f%%\n") + &string("word", "text");
    // The integers, the string and the number at their alignment.
    for (bits, at) in [(64, [8, 16]), (32, [8, 16])] {
        let body = format!(
            "st.u32 [%sp], %r1; st.u32 [%sp+4], %r2; mov.u@ %q, word; cvta.global.u@ %q, %q; st.u@ [%sp+{}], %q;\n\
             cvt.rn.f64.u32 %d1, %r1; st.f64 [%sp+{}], %d1;\n{}\
             shl.b32 %r5, %r4, 2; cvt.u@.u32 %q, %r5; add.u@ %q, %base, %q; st.global.u32 [%q], %r8;",
            at[0],
            at[1],
            print("fmt")
        );
        let expected: Vec<String> =
            (0..40).map(|i| format!("thread {i} of block 0: text {:5.2}%\n", f64::from(i))).collect();
        let expected = expected.concat();
        for how in [TIMED, FUNCTIONAL] {
            let ran = run((&strings, &body), (1, 40), How { bits, ..how });
            assert!(ran.report.verdict.is_finished(), "{:?}", ran.report.verdict);
            // Two warps: each in order of its lanes.
            let lines = |text: &str| {
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines.sort_by_key(|line| line.split(' ').nth(1).and_then(|n| n.parse::<u32>().ok()));
                lines
            };
            assert_eq!(lines(ran.printed()), lines(&expected));
            assert_eq!(ran.words[..40], [4; 40], "the number of arguments");
        }
    }
}

#[test]
fn output_is_the_same_for_any_number_of_host_threads() {
    let strings = string("fmt", "%u\n");
    let body = format!("st.u32 [%sp], %r4;\n{}", print("fmt"));
    let alone = run((&strings, &body), (20, 48), TIMED);
    let several = run((&strings, &body), (20, 48), How { threads: 3, ..TIMED });
    assert_eq!(alone.printed(), several.printed());
    let mut numbers: Vec<u32> = alone.printed().lines().map(|line| line.parse().expect("a number")).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..960).collect::<Vec<u32>>());
}

#[test]
fn an_ordered_program_prints_the_same_text_on_both_machines_at_each_launch() {
    let strings = string("fmt", "%d %lld %c %x|%-4u|%g\n");
    let body = format!(
        "setp.ne.u32 %c, %r1, 0; #%c bra END;\nmov.u32 %r5, 0;\nNEXT: st.u32 [%sp], %r5; cvt.u64.u32 %d1, %r5;\n\
         neg.s64 %d1, %d1; st.u64 [%sp+8], %d1; add.u32 %r6, %r5, 65; st.u32 [%sp+16], %r6; st.u32 [%sp+20], %r6;\n\
         st.u32 [%sp+24], %r5; cvt.rn.f64.u32 %d1, %r5; mul.f64 %d1, %d1, 0.25; st.f64 [%sp+32], %d1;\n{}\
         add.u32 %r5, %r5, 1; setp.lt.u32 %c, %r5, 9; #%c bra NEXT;\nEND:",
        print("fmt")
    );
    let expected: Vec<String> = (0..9)
        .map(|i| {
            format!("{i} {} {} {:x}|{i:<4}|{}\n", -i, (b'A' + i as u8) as char, 65 + i, f64::from(i) * 0.25)
        })
        .collect();
    for how in [TIMED, FUNCTIONAL] {
        for ran in run_times((&strings, &body), (1, 32), how, 2) {
            assert_eq!(ran.printed(), expected.concat());
        }
    }
}

#[test]
fn the_latest_output_of_a_full_buffer_remains() {
    let strings = string("fmt", "number %d\n");
    let body = format!(
        "setp.ne.u32 %c, %r1, 0; #%c bra END;\nmov.u32 %r5, 0;\nNEXT: st.u32 [%sp], %r5;\n{}\
         add.u32 %r5, %r5, 1; setp.lt.u32 %c, %r5, 100; #%c bra NEXT;\nEND:",
        print("fmt")
    );
    for how in [TIMED, FUNCTIONAL] {
        for ran in run_times((&strings, &body), (1, 32), How { limits: Some(1024), ..how }, 2) {
            let output = ran.report.output.as_ref().expect("output");
            // A record has five words, three for the format and one argument: 36 bytes.
            let expected: Vec<String> = (100 - 1024 / 36..100).map(|i| format!("number {i}\n")).collect();
            assert_eq!((&*output.printed, output.overflowed), (&*expected.concat(), true));
        }
    }
}

#[test]
fn a_null_format_and_a_record_larger_than_the_buffer_are_errors() {
    let long = "x".repeat(2000);
    let strings = string("fmt", &long);
    let body = format!(
        "{}st.global.u32 [%base], %r8;\nmov.u@ %p, 0;\n{{\n.param .b@ p0; .param .b@ p1; .param .b32 r0;\n\
         st.param.b@ [p0], %p; st.param.b@ [p1], %p; call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r8, [r0];\n}}\n\
         st.global.u32 [%base+4], %r8;",
        print("fmt")
    );
    let ran = run((&strings, &body), (1, 1), How { limits: Some(1024), ..TIMED });
    assert_eq!(ran.words[..2], [-2_i32, -1].map(i32::cast_unsigned));
    assert!(ran.report.output.is_none());
}

#[test]
fn a_failed_assertion_ends_the_launch_with_its_message() {
    let strings = string("msg", "i < n")
        + &string("file", "k.cu")
        + &string("name", "void k(int *)")
        + &string("fmt", "before\n");
    let body = format!(
        "{}setp.ne.u32 %c, %r1, 33; #%c bra END;\n{{\n.param .b@ a; .param .b@ b; .param .b32 c; .param .b@ d; .param .b@ e;\n\
         mov.u@ %p, msg; cvta.global.u@ %p, %p; st.param.b@ [a], %p;\n\
         mov.u@ %p, file; cvta.global.u@ %p, %p; st.param.b@ [b], %p; st.param.b32 [c], 12;\n\
         mov.u@ %p, name; cvta.global.u@ %p, %p; st.param.b@ [d], %p; st.param.b@ [e], 1;\n\
         call.uni __assertfail, (a, b, c, d, e);\n}}\nEND:",
        print("fmt")
    );
    for bits in [32, 64] {
        for how in [TIMED, FUNCTIONAL] {
            let ran = run((&strings, &body), (1, 40), How { bits, ..how });
            let Verdict::Trapped { trap } = &ran.report.verdict else { panic!("{:?}", ran.report.verdict) };
            assert_eq!(trap.message, "a device-side assertion failed");
            assert!(trap.source.contains("call.uni __assertfail"), "{}", trap.source);
            let output = ran.report.output.as_ref().expect("output");
            let expected =
                "k.cu:12: void k(int *): block: [0,0,0], thread: [33,0,0] Assertion `i < n` failed.";
            assert_eq!(output.assertions, [expected]);
        }
    }
}

/// Each thread allocates, writes, reads and frees; blocks do not overlap.
#[test]
fn allocations_do_not_overlap_and_are_aligned() {
    // 4 (i mod 7) + 4 bytes with the thread's number in each word, twice.
    let body = format!(
        "mov.u32 %r7, 0;\nAGAIN: rem.u32 %r5, %r4, 7; add.u32 %r5, %r5, 1; shl.b32 %r6, %r5, 2; cvt.u@.u32 %q, %r6;\n{}\
         cvt.u64.u@ %d1, %p; cvt.u32.u64 %r6, %d1; and.b32 %r6, %r6, 15; setp.ne.u32 %c, %r6, 0; #%c trap;\n\
         mov.u@ %q, %p;\nFILL: st.u32 [%q], %r4; add.u@ %q, %q, 4; sub.u32 %r5, %r5, 1; setp.ne.u32 %c, %r5, 0; #%c bra FILL;\n\
         rem.u32 %r5, %r4, 7; add.u32 %r5, %r5, 1; mov.u@ %q, %p;\n\
         TEST: ld.u32 %r6, [%q]; setp.ne.u32 %c, %r6, %r4; #%c trap; add.u@ %q, %q, 4; sub.u32 %r5, %r5, 1;\n\
         setp.ne.u32 %c, %r5, 0; #%c bra TEST;\n{FREE}\
         add.u32 %r7, %r7, 1; setp.lt.u32 %c, %r7, 2; #%c bra AGAIN;",
        malloc("%q")
    );
    for bits in [32, 64] {
        for how in [TIMED, FUNCTIONAL] {
            let ran = run(("", &body), (4, 40), How { bits, ..how });
            assert!(ran.report.verdict.is_finished(), "{:?}", ran.report.verdict);
        }
    }
}

#[test]
fn addresses_of_the_heap_are_the_same_for_any_number_of_host_threads() {
    let body = format!(
        "mov.u@ %q, 24;\n{}cvt.u64.u@ %d1, %p; cvt.u32.u64 %r6, %d1; shl.b32 %r5, %r4, 2; cvt.u@.u32 %q, %r5;\n\
         add.u@ %q, %base, %q; st.global.u32 [%q], %r6;",
        malloc("%q")
    );
    let alone = run(("", &body), (20, 48), TIMED);
    let several = run(("", &body), (20, 48), How { threads: 3, ..TIMED });
    assert_eq!(alone.words, several.words);
    let mut addresses = alone.words[..960].to_vec();
    addresses.sort_unstable();
    // A block of 24 bytes takes 48 with its header and padding.
    assert!(addresses.windows(2).all(|pair| pair[1] - pair[0] == 48), "{addresses:x?}");
}

#[test]
fn a_full_heap_gives_null_and_freed_memory_is_used_again() {
    // All of 1 KiB in blocks of 32 bytes, then everything free, then one large block.
    let body = format!(
        "mov.u32 %r5, 0; mov.u@ %q, 16;\nALL: {}setp.eq.u@ %c, %p, 0; #%c bra FULL;\n\
         shl.b32 %r6, %r5, 3; cvt.u@.u32 %sp, %r6; add.u@ %sp, %sp, %base; st.global.u@ [%sp+16], %p;\n\
         add.u32 %r5, %r5, 1; bra ALL;\nFULL: st.global.u32 [%base], %r5;\n\
         NEXT: sub.u32 %r5, %r5, 1; shl.b32 %r6, %r5, 3; cvt.u@.u32 %sp, %r6; add.u@ %sp, %sp, %base;\n\
         ld.global.u@ %p, [%sp+16];\n{FREE}setp.ne.u32 %c, %r5, 0; #%c bra NEXT;\nmov.u@ %q, 1008;\n{}\
         setp.ne.u@ %c, %p, 0; selp.u32 %r6, 1, 0, %c; st.global.u32 [%base+4], %r6;\n{FREE}\
         mov.u@ %q, 1009;\n{}setp.ne.u@ %c, %p, 0; selp.u32 %r6, 1, 0, %c; st.global.u32 [%base+8], %r6;\n\
         mov.u@ %q, 0;\n{}setp.ne.u@ %c, %p, 0; selp.u32 %r6, 1, 0, %c; st.global.u32 [%base+12], %r6;\n{FREE}",
        malloc("%q"),
        malloc("%q"),
        malloc("%q"),
        malloc("%q")
    );
    for bits in [32, 64] {
        for how in [TIMED, FUNCTIONAL] {
            for ran in run_times(("", &body), (1, 1), How { bits, limits: Some(1024), ..how }, 2) {
                assert!(ran.report.verdict.is_finished(), "{:?}", ran.report.verdict);
                // `malloc(0)` gives an address, as on silicon.
                assert_eq!(ran.words[..4], [32, 1, 0, 1]);
            }
        }
    }
}

#[test]
fn freeing_another_address_is_a_fault() {
    let cases = [
        format!("mov.u@ %p, 16;\n{FREE}"),
        format!("mov.u@ %p, %base;\n{FREE}"),
        format!("mov.u@ %q, 64;\n{}add.u@ %p, %p, 16;\n{FREE}", malloc("%q")),
        format!("mov.u@ %q, 64;\n{}add.u@ %p, %p, 1;\n{FREE}", malloc("%q")),
        format!("mov.u@ %q, 64;\n{}{FREE}{FREE}", malloc("%q")),
    ];
    for body in cases {
        for how in [TIMED, FUNCTIONAL] {
            let ran = run(("", &body), (1, 1), how);
            let Verdict::Trapped { trap } = &ran.report.verdict else { panic!("{body}") };
            assert_eq!(trap.message, "free of an address that is not allocated on the device heap");
            assert!(trap.source.contains("call.uni free"), "{}", trap.source);
        }
    }
    let ran = run(("", &format!("mov.u@ %p, 0;\n{FREE}")), (1, 32), TIMED);
    assert!(ran.report.verdict.is_finished(), "free of a null pointer has no effect");
}

#[test]
fn the_heap_lives_as_long_as_its_module() {
    // The first launch allocates, the second one reads.
    let body = format!(
        "ld.global.u@ %p, [%base]; setp.ne.u@ %c, %p, 0; #%c bra SECOND;\nmov.u@ %q, 8;\n{}st.u32 [%p], 77;\n\
         st.global.u@ [%base], %p; exit;\nSECOND: ld.u32 %r5, [%p]; st.global.u32 [%base+16], %r5;",
        malloc("%q")
    );
    let ran = run_times(("", &body), (1, 1), TIMED, 2);
    assert_eq!((ran[0].words[4], ran[1].words[4]), (0, 77));
}
