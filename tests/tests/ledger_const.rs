//! Caches of constant memory: the latencies that Wong et al. measured on GT200, observed as they
//! did it: by a chain of loads, each of which reads the address of the next, and the clock before
//! and after.
//!
//! Their 8 cycles for a hit cannot be a whole load, which like any instruction takes 24 until its
//! result can be used: they are what a load takes more than that ("raw": the paper takes two
//! arithmetic instructions off, the load and the computation of its address; the chain here needs
//! no such computation).
//!
//! Tests: `course-texts`.

use warpsim_tests::device::{Device, pointers, timing};

const HEADER: &str = ".version 2.0\n.target sm_10\n";

/// A kernel of one thread that reads `steps` elements of a chain through `bytes` bytes, `stride`
/// apart, twice: what the caches can keep they have kept when the second round begins, whose cycles
/// it stores.
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

/// Mean hot cycles of a load of such a chain: of the second round less what the same reads of the
/// clock take with nothing between them.
fn latency(chip: &str, bytes: u32, stride: u32) -> f64 {
    let mut device = Device::plain(chip, &chain(bytes, stride));
    let out = device.upload(&[0; 2]);
    device.run(&device.launch("chase", (1, 1), (1, 1, 1)).args(pointers(&[out])));
    let [loads, nothing] = device.download(out, 2)[..] else { panic!("two words") };
    f64::from(loads - nothing) / f64::from(bytes / stride)
}

/// Wong et al. (ISPASS 2010), GTX 280: 8, 81, 220 and 476 cycles for a hit in 2 KB, 8 KB, 32 KB,
/// and beyond; what a dependent load takes on top of the 24 cycles of any instruction. Instructions
/// issue every 4 cycles.
///
/// Tests: `constant-cache-times`.
#[test]
fn constant_latency_steps_where_the_caches_of_gt200_end() {
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

/// A kernel that reads one word of constant memory so many times.
fn reads(loads: usize) -> String {
    include_str!("../../kernels/ptx/book/constants.template")
        .replace("{ WORDS }", "{ 0 }")
        .replace("// INDEX", "mov.u32 %i, 5;")
        .replace("// LOADS", &"ld.const.u32 %v, [%a];\n".repeat(loads))
}

/// On a GTX 480 uniform loads of constants were measured at 14.98 lanes a clock and SM
/// (gpumembench): its 16 lanes, less what the rest of the loop takes.
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
