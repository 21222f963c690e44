//! Latencies of the caches of constant memory, compared with those that Wong et al. measured on
//! GT200, with the same method: a chain of loads, each of which reads the address of the next,
//! between two reads of the clock.
//!
//! Their 8 cycles for a hit cannot be a whole load, because the result of any instruction is
//! available only after 24 cycles. They are the additional time of a load ("raw": the paper
//! subtracts two arithmetic instructions, the load and the computation of its address; the chain
//! here needs no such computation).
//!
//! Tests: `course-texts`.

use warpsim_tests::device::{Device, pointers, timing};

const HEADER: &str = ".version 2.0\n.target sm_10\n";

/// Returns a kernel of one thread that reads `steps` elements of a chain through `bytes` bytes,
/// `stride` apart, twice. When the second pass begins, the caches contain what fits into them. The
/// kernel stores the cycles of the second pass.
fn chain(bytes: u32, stride: u32) -> String {
    let steps = (bytes / stride) as usize;
    let words: Vec<String> = (0..bytes / 4).map(|word| ((4 * word + stride) % bytes).to_string()).collect();
    let round = "ld.const.u32 %at, [%at];\n".repeat(steps);
    let clock = |t: &str| format!("setp.ne.u32 %p, %at, 1;\n@%p mov.u32 {t}, %clock;\n");
    let (none, start, end) = (clock("%none"), clock("%start"), clock("%end"));
    format!(
        "{HEADER}.const .u32 chain[{}] = {{ {} }};\n.entry chase(.param .u32 out)\n{{\n\
         .reg .u32 %at, %none, %start, %end, %to;\n.reg .pred %p;\n\
         mov.u32 %at, 0;\n{round}{none}{start}{round}{end}\
         ld.param.u32 %to, [out];\nsub.u32 %end, %end, %start;\nsub.u32 %start, %start, %none;\n\
         st.global.u32 [%to], %end;\nst.global.u32 [%to+4], %start;\nexit;\n}}\n",
        bytes / 4,
        words.join(", ")
    )
}

/// Mean shader cycles of a load of such a chain: those of the second pass, less those of the two
/// clock reads without loads between them.
fn latency(chip: &str, bytes: u32, stride: u32) -> f64 {
    let mut device = Device::plain(chip, &chain(bytes, stride));
    let out = device.upload(&[0; 2]);
    device.run(&device.launch("chase", (1, 1), (1, 1, 1)).args(pointers(&[out])));
    let [loads, nothing] = device.download(out, 2)[..] else { panic!("two words") };
    f64::from(loads - nothing) / f64::from(bytes / stride)
}

/// Wong et al. (ISPASS 2010), GTX 280: a hit in 2 KB, 8 KB, 32 KB or behind these takes 8, 81, 220
/// or 476 cycles more than the 24 cycles of any instruction. Instructions issue every 4 cycles.
///
/// Tests: `constant-cache-times`.
#[test]
fn constant_latency_rises_at_the_cache_sizes_of_gt200() {
    for (bytes, stride, published) in [
        (1024, 64, 8.0),
        (2048, 64, 8.0),
        (4096, 64, 81.0),
        (8192, 64, 81.0),
        (16384, 256, 220.0),
        (32768, 256, 220.0),
        (65536, 256, 476.0),
    ] {
        let raw = latency("gt200", bytes, stride) - 24.0;
        assert!((raw - published).abs() <= 0.02 * published, "{bytes} bytes: {raw} cycles, not {published}");
    }
}

/// Returns a kernel that reads one word of constant memory `loads` times.
fn reads(loads: usize) -> String {
    include_str!("../../../kernels/ptx/book/constants.template")
        .replace("{ WORDS }", "{ 0 }")
        .replace("// INDEX", "mov.u32 %i, 5;")
        .replace("// LOADS", &"ld.const.u32 %v, [%a];\n".repeat(loads))
}

/// On a GTX 480 uniform loads of constants were measured at 14.98 lanes per clock and SM
/// (gpumembench): its 16 lanes, less the time of the rest of the loop.
#[test]
fn uniform_constants_are_read_at_the_rate_measured_on_fermi() {
    let cycles = |loads: usize| {
        let mut device = Device::plain("fermi", &reads(loads));
        let out = device.upload(&[0; 512]);
        let report = device.run(&device.launch("read", (1, 1), (512, 1, 1)).args(pointers(&[out])));
        timing(&report).cycles
    };
    let lanes_per_clock = (400 * 512) as f64 / (cycles(600) - cycles(200)) as f64;
    assert!((14.5..=16.1).contains(&lanes_per_clock), "{lanes_per_clock}");
}
