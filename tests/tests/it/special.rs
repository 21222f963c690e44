//! Latency and throughput of division and the special functions on each chip: alone in a chain, and
//! when warps compete for the unit.

use sim_core::stats::Report;
use warpsim_tests::chains::Chain;
use warpsim_tests::device::{Device, chip_with, pointers, timing};

const CHAIN: &str = include_str!("../../../kernels/ptx/book/chain.ptx");
/// Instructions of the shorter chain, and the additional instructions of the longer one.
const SHORT: u64 = 10;
const MORE: u64 = 48;

fn run(chip: &str, operation: &str, warps: u32, length: u64) -> Report {
    let text = CHAIN.replace("// CHAIN", &format!("{operation};\n\t").repeat(length as usize));
    let mut device = Device::new(chip_with(chip, &[]), "chain.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
    let threads = warps * 32;
    let out = device.upload(&vec![0; threads as usize]);
    device.run(&device.launch("chain", (1, 1), (threads, 1, 1)).args(pointers(&[out])))
}

/// Shader cycles of a chain of `operation` per instruction. The start and end of the kernel cancel.
fn cycles(chip: &str, operation: &str, warps: u32) -> f64 {
    let [short, long] =
        [SHORT, SHORT + MORE].map(|length| timing(&run(chip, operation, warps, length)).cycles);
    (long - short) as f64 / MORE as f64
}

/// Results of Wong et al. on GT200 (ISPASS 2010): latency in shader cycles in one warp's chain, and
/// results per clock and SM with 512 threads. Latencies here are multiples of the issue cycle of 4.
///
/// Tests: `special-function-times`.
#[test]
fn latency_and_rate_are_those_measured_on_gt200() {
    let cases = [
        ("add.f32 %v, %v, %w;", 24, 7.9),
        ("mad.f32 %v, %v, %w, %w;", 24, 7.9),
        ("max.f32 %v, %v, %w;", 24, 7.9),
        ("add.u32 %i, %i, %j;", 24, 7.9),
        ("min.s32 %i, %i, %j;", 24, 7.9),
        ("xor.b32 %i, %i, %j;", 24, 7.9),
        ("shl.b32 %i, %i, %j;", 24, 7.9),
        ("sad.u32 %i, %i, %j, %k;", 24, 7.9),
        ("mul24.lo.u32 %i, %i, %j;", 24, 7.9),
        ("mul.lo.u32 %i, %i, %j;", 96, 1.7),
        ("mad.lo.u32 %i, %i, %j, %k;", 120, 1.4),
        ("mul.hi.u32 %i, %i, %j;", 144, 1.0),
        ("mul.hi.s32 %i, %i, %j;", 180, 0.77),
        ("div.u32 %i, %i, %j;", 608, 0.28),
        ("div.s32 %i, %i, %j;", 684, 0.23),
        ("rem.u32 %i, %i, %j;", 728, 0.24),
        ("rem.s32 %i, %i, %j;", 784, 0.20),
        ("rsqrt.approx.f32 %v, %v;", 28, 2.0),
        ("lg2.approx.f32 %v, %v;", 28, 2.0),
        ("rcp.approx.f32 %v, %v;", 28, 2.0),
        ("sqrt.approx.f32 %v, %v;", 56, 2.0),
        ("sin.approx.f32 %v, %v;", 48, 2.0),
        ("cos.approx.f32 %v, %v;", 48, 2.0),
        ("ex2.approx.f32 %v, %v;", 48, 2.0),
        ("div.approx.f32 %v, %v, %w;", 52, 1.9),
        ("div.full.f32 %v, %v, %w;", 137, 1.5),
        // __expf, __logf; __powf in a chain of exponents
        ("mul.f32 %v, %v, %w; ex2.approx.f32 %v, %v;", 72, 2.0),
        ("lg2.approx.f32 %v, %v; mul.f32 %v, %v, %w;", 52, 2.0),
        ("lg2.approx.f32 %a, %w; mul.f32 %v, %v, %a; ex2.approx.f32 %v, %v;", 75, 1.0),
        // __tanf: the cosine first, because its reciprocal is needed first
        (
            "cos.approx.f32 %a, %v; sin.approx.f32 %b, %v; rcp.approx.f32 %a, %a; mul.f32 %v, %a, %b;",
            98,
            0.67,
        ),
    ];
    let double = [
        ("add.f64 %x, %x, %y;", 48, 1.0),
        ("fma.rn.f64 %x, %x, %y, %y;", 48, 1.0),
        ("div.rn.f64 %x, %x, %y;", 1366, 0.063),
    ];
    for chip in ["g80", "gt200"] {
        // The G80 has no double precision, and no second dispatch port, with which the sequences
        // reach the full rate.
        let single = cases.iter().filter(|case| chip == "gt200" || case.0.matches(';').count() == 1);
        let double = double.iter().filter(|_| chip == "gt200");
        for (body, latency, rate) in single.chain(double) {
            let chain = Chain::on(chip);
            // According to the old guide, the sine and similar functions occupy the G80's units
            // twice as long as a reciprocal (facts 1.3).
            let slow = chip == "g80" && *latency == 48;
            let rate = if slow { &1.0 } else { rate };
            let alone = chain.cycles(body, 6);
            assert!((alone / f64::from(*latency) - 1.0).abs() < 0.05, "{chip}, {body} {alone} cycles alone");
            // Long enough that the start of the warps does not matter.
            let busy = chain.warps(16).rate(body, if *rate < 1.0 { 24 } else { 120 });
            assert!((busy / rate - 1.0).abs() < 0.05, "{chip}, {body} {busy} results per clock");
        }
    }
}

/// Products also issue to the special function units: 12 per clock together with those of the cores
/// (Wong et al.: 11.2), with the latency of the cores if a warp is alone. On the G80 they do not.
#[test]
fn products_issue_to_the_special_function_units_of_gt200() {
    let product = "mul.f32 %v, %v, %w;";
    assert!((Chain::on("gt200").cycles(product, 12) - 24.0).abs() < 1.0);
    let [both, cores] = ["gt200", "g80"].map(|chip| Chain::on(chip).warps(16).rate(product, 96));
    assert!((11.2..=12.01).contains(&both), "{both} products per clock");
    assert!((7.9..=8.0).contains(&cores), "{cores} products per clock");
    let without = Chain::on("gt200").with(&[("sm.second_port", "none")]).warps(16).rate(product, 96);
    assert!((without / cores - 1.0).abs() < 1e-3, "without the port {without}");
}

/// Results per clock and SM of Fermi (CUDA C Programming Guide 5.5, table 2).
#[test]
fn rates_of_fermi_are_those_of_the_guide() {
    let cases = [
        ("add.f32 %v, %v, %w;", 32.0),
        ("fma.rn.f32 %v, %v, %w, %w;", 32.0),
        ("add.u32 %i, %i, %j;", 32.0),
        ("xor.b32 %i, %i, %j;", 32.0),
        ("neg.s32 %i, %i;", 16.0),
        ("sad.u32 %i, %i, %j, %k;", 16.0),
        ("shl.b32 %i, %i, %j;", 16.0),
        ("popc.b32 %i, %i;", 16.0),
        ("mul.lo.u32 %i, %i, %j;", 16.0),
        ("mad.lo.u32 %i, %i, %j, %k;", 16.0),
        ("mul.hi.s32 %i, %i, %j;", 16.0),
        ("ex2.approx.f32 %v, %v;", 4.0),
        ("add.f64 %x, %x, %y;", 4.0),
    ];
    for (body, rate) in cases {
        let busy = Chain::on("fermi").warps(32).rate(body, 48);
        assert!((busy / rate - 1.0).abs() < 0.02, "{body} {busy} results per clock");
    }
}

/// With one instruction of a warp at a time, two thirds of the cores of capability 2.1 are busy;
/// with two independent ones all of them (Volkov, GTC 2010). Integer products are those of
/// capability 2.0.
#[test]
fn dual_issue_uses_the_third_group_of_cores() {
    let sets = [
        ("sm.second_port", "same_warp"),
        ("sm.units.sp", "(lanes: 16, count: 3, per_scheduler: false, blocks_others: false)"),
        ("sm.classes.int_mul", "(unit: \"sp\", slots: 1, latency: 18, busy: 6)"),
    ];
    let superscalar = Chain::on("fermi").with(&sets).warps(32);
    let one = "fma.rn.f32 %v, %v, %w, %w;";
    let two = "fma.rn.f32 %v, %v, %w, %w; fma.rn.f32 %a, %a, %b, %b;";
    let (one, two) = (superscalar.rate(one, 400), 2.0 * superscalar.rate(two, 200));
    assert!((31.5..=32.1).contains(&one), "{one} results per clock");
    assert!((46.0..=48.1).contains(&two), "{two} results per clock");
    let products = superscalar.rate("mul.lo.u32 %i, %i, %j;", 48);
    assert!((products / 16.0 - 1.0).abs() < 0.02, "{products} products per clock");
}

/// On Fermi a load of shared memory takes 37 shader cycles more for each further way of a conflict
/// (Mei and Chu, on a GF114), while the banks serve one way in 2 cycles. On cc 1.x it takes as much
/// longer as the banks do.
#[test]
fn a_bank_conflict_adds_latency_and_bank_cycles() {
    let load = "ld.shared.u32 %p, [%p];";
    let chain = Chain::on("fermi");
    for (stride, measured) in [(1, 50), (2, 87), (4, 162), (8, 311), (16, 611), (32, 1209)] {
        let cycles = Chain { stride, ..chain }.cycles(load, 12);
        assert!((cycles / f64::from(measured) - 1.0).abs() < 0.02, "stride {stride}: {cycles} cycles");
        let busy = Chain { stride, ..chain }.warps(32).cycles(load, 12) / 32.0;
        // 32 warps cannot hide 1200 cycles behind 64 each, nor 50 behind 2.
        let least = f64::from(2 * stride).max(f64::from(measured) / 32.0);
        assert!((busy / least - 1.0).abs() < 0.05, "stride {stride}: {busy} cycles a warp");
    }
    for (stride, cycles) in [(1, 36), (2, 40), (4, 48), (16, 96)] {
        let found = Chain { stride, ..Chain::on("g80") }.cycles(load, 12);
        assert!((found - f64::from(cycles)).abs() < 0.5, "stride {stride}: {found} cycles");
    }
}

/// Fermi has four special function units, which its schedulers share: 4 results per clock and SM
/// (CUDA C Programming Guide 5.5, table 2).
///
/// Tests: `special-function-times`.
#[test]
fn fermi_gives_four_results_per_clock() {
    for operation in ["rsqrt.approx.f32 %v, %v", "sin.approx.f32 %v, %v", "ex2.approx.f32 %v, %v"] {
        let busy = 16.0 * 32.0 / cycles("fermi", operation, 16);
        assert!((busy / 4.0 - 1.0).abs() < 0.02, "{operation}: {busy} results per clock");
    }
}

/// While the special function unit accepts a warp for 16 cycles, the cores continue: three
/// additions per root cost nothing (Lindholm et al., IEEE Micro 2008: both units stay busy).
///
/// Tests: `special-function-times`.
#[test]
fn the_cores_work_in_parallel_with_the_special_function_unit() {
    let add = "add.f32 %v, %v, 0f3f800000";
    let root = "rsqrt.approx.f32 %v, %v";
    let (alone, together) =
        (cycles("g80", root, 16), cycles("g80", &format!("{root};\n\t{add};\n\t{add};\n\t{add}"), 16));
    assert!((alone - 256.0).abs() < 4.0, "16 warps of 16 cycles: {alone}");
    assert!((together / alone - 1.0).abs() < 0.05, "{together} cycles with additions, {alone} without");
}
