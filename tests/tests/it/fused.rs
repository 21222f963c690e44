//! Operands from shared memory and other micro-ops that are fused into an instruction: how they are
//! counted in both modes, and the effect of their cost on streams and kernels that were measured on
//! a `GeForce` 8800 GTX.

use isa::Options;
use kernels::Settings;
use sim_core::host::{Gpu, Mode};
use sim_core::stats::Report;
use std::fmt::Write;
use warpsim_tests::device::{Device, MODES, chip_with, pointers, timing};

/// Runs `body` in blocks of `threads` threads. `%r0` is the thread index, `%r1` its address in
/// shared memory, and `%f0` is stored to the thread's word of the output.
fn run(
    chip: &str,
    options: Options,
    mode: Mode,
    (blocks, threads): (u32, u32),
    body: &str,
) -> (Report, Vec<u32>) {
    let text = format!(
        ".version 1.4\n.target sm_10\n.entry k(.param .u32 out)\n{{\n.reg .u32 %r<9>; .reg .f32 %f<20>; .reg .pred %p<4>;\n\
         .shared .f32 s[1024];\nmov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r8, s; add.u32 %r1, %r1, %r8;\n\
         cvt.rn.f32.u32 %f0, %r0; st.shared.f32 [%r1], %f0; bar.sync 0;\n{body}\n\
         mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad24.lo.u32 %r2, %r2, %r3, %r0; shl.b32 %r2, %r2, 2;\n\
         ld.param.u32 %r3, [out]; add.u32 %r3, %r3, %r2; st.global.f32 [%r3], %f0;\nexit;\n}}\n"
    );
    let mut device =
        Device::compiled(chip_with(chip, &[]), "fused.ptx", &text, options).unwrap_or_else(|e| panic!("{e}"));
    let words = (blocks * threads) as usize;
    let out = device.upload(&vec![0; words]);
    let mut launch = device.launch("k", (blocks, 1), (threads, 1, 1)).args(pointers(&[out]));
    launch.mode = mode;
    let report = device.run(&launch);
    (report, device.download(out, words))
}

/// Tests: `fusing-is-legal`.
#[test]
fn fused_micro_ops_are_executed_and_not_counted() {
    // Two fused operands, a sign and a test.
    let body = "ld.shared.f32 %f1, [%r1+4]; mad.f32 %f0, %f1, %f0, %f0; ld.shared.f32 %f2, [%r1]; neg.f32 %f3, %f2;\n\
                add.f32 %f0, %f0, %f3; and.b32 %r4, %r0, 3; setp.eq.u32 %p1, %r4, 0; @%p1 add.f32 %f0, %f0, 0f3F800000;";
    let counts = MODES.map(|mode| {
        let of = |options| run("g80", options, mode, (1, 64), body);
        let ((plain, expected), (fused, found)) = (of(Options::PLAIN), of(Options::default()));
        assert_eq!(found, expected, "{mode:?}");
        // With -O0 the load of the parameter and the address of the symbol are separate
        // instructions, too.
        assert!(fused.instructions.warp + 4 * 2 <= plain.instructions.warp);
        fused.instructions.warp
    });
    assert_eq!(counts[0], counts[1], "both modes count alike");
    let (report, _) = run("g80", Options::default(), Mode::Timed, (1, 64), body);
    assert_eq!(timing(&report).shared.load.requests, 2 * 2, "fused loads are loads of shared memory");
    // A chip of another generation executes separately what it cannot fuse, with the same result.
    let on = |chip| run(chip, Options::default(), Mode::Timed, (1, 64), body);
    let (old, new) = (on("gt200"), on("fermi"));
    assert_eq!(old.0.instructions.warp, counts[0]);
    assert_eq!(new.0.instructions.warp, counts[0] + 3 * 2, "two loads and a test");
}

/// Tests: `fusing-is-legal`.
#[test]
fn a_load_is_not_fused_across_a_store() {
    // Each thread reads the next thread's word before and after a store of that thread.
    let body = "ld.shared.f32 %f1, [%r1+4]; bar.sync 0; add.f32 %f0, %f0, %f0; st.shared.f32 [%r1], %f0; bar.sync 0;\n\
                ld.shared.f32 %f2, [%r1+4]; sub.f32 %f0, %f2, %f1;";
    for mode in MODES {
        let (_, found) = run("g80", Options::default(), mode, (1, 64), body);
        let expected: Vec<u32> = (1..64_u8).map(|next| f32::from(next).to_bits()).collect();
        assert_eq!(found[..63], expected, "{mode:?}: twice the next thread's index minus its index");
    }
}

/// Fraction of the multiply-adders' peak that a stream of `mad` reaches with `warps` warps on an
/// SM. It compares a longer with a shorter stream, so that start and end cancel. `mad` is the text
/// of one instruction, with `#` for its offset.
fn share_of_peak(chip: &str, warps: u32, mad: &str) -> f64 {
    let cycles = |length: u32| {
        let mut body = String::from("mov.f32 %f1, 0f3F000000;\n");
        for number in 0..length {
            let _ = writeln!(body, "{}", mad.replace('#', &(4 * (number % 64)).to_string()));
        }
        let (report, _) = run(chip, Options::default(), Mode::Timed, (1, 32 * warps), &body);
        (timing(&report).cycles, report.instructions.warp)
    };
    let ((short, few), (long, many)) = (cycles(64), cycles(320));
    assert_eq!(many - few, u64::from(256 * warps), "one instruction for each multiply-add");
    // Eight lanes execute a warp's instruction in four cycles.
    f64::from(4 * 256 * warps) / (long - short) as f64
}

/// V312 and V313 (Volkov & Demmel, SC 2008): 98 % of the peak from registers alone, 66 % with an
/// operand in shared memory.
///
/// Tests: `fused-instruction-times`.
#[test]
fn a_multiply_add_with_an_operand_in_shared_memory_reaches_two_thirds() {
    for chip in ["g80", "gt200"] {
        let registers = share_of_peak(chip, 16, "mad.f32 %f0, %f0, %f1, %f0;");
        assert!((0.95..=1.0).contains(&registers), "{chip}: {registers}");
        let shared = share_of_peak(chip, 16, "ld.shared.f32 %f2, [s+#]; mad.f32 %f0, %f2, %f1, %f0;");
        assert!((0.62..=0.70).contains(&shared), "{chip}: {shared}");
    }
}

/// Latency of a multiply-add in a chain, in cycles: 24 from registers, about 36 with an operand in
/// shared memory (Volkov & Demmel).
///
/// Tests: `fused-instruction-times`.
#[test]
fn an_operand_in_shared_memory_delays_the_result() {
    let latency = |mad: &str| 4.0 / share_of_peak("g80", 1, mad);
    let registers = latency("mad.f32 %f0, %f0, %f1, %f0;");
    assert!((23.0..=25.0).contains(&registers), "{registers}");
    let shared = latency("ld.shared.f32 %f2, [s+#]; mad.f32 %f0, %f2, %f1, %f0;");
    assert!((34.0..=38.0).contains(&shared), "{shared}");
}

/// V307 (Ryoo et al., `PPoPP` 2008): 46.49 GFLOP/s of the tiled product that is not unrolled, for
/// matrices of 4096 rows. Here they have 256 rows, so the start and the end count a little more.
#[test]
fn the_tiled_product_takes_six_instructions_per_iteration_and_about_the_measured_time() {
    let mut gpu = Gpu::new(chip_with("g80", &[]));
    let settings = Settings { size: Some(256), ..Settings::default() };
    let outcome = kernels::run("matmul-tiled", &mut gpu, settings).unwrap_or_else(|e| panic!("{e}"));
    let report = &outcome.reports[0];
    // Two flops for each thread and iteration.
    let iterations = report.instructions.flops / (2 * 32);
    let each = report.instructions.warp as f64 / iterations as f64;
    assert!((6.0..8.0).contains(&each), "{each} instructions per iteration, including those around the loop");
    let gflops = timing(report).gflops;
    assert!((46.49 * 0.8..46.49 * 1.2).contains(&gflops), "{gflops}");
}
