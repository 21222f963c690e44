//! Speed: rows PERF-06, PERF-12, PERF-14, PERF-17 and PERF-19 of the claims ledger.

use kernels::measure::micro::chase::{self, Space};
use kernels::measure::micro::{banks, chains};
use sim_core::config::Chip;
use sim_core::config::builtin::simulated_names;
use sim_core::stats::{Report, WarpState};
use warpsim_tests::chains::Chain;
use warpsim_tests::device::{Device, chip_with, empty_slots, g80_with, pointers, timing};

const CHAIN: &str = include_str!("../../kernels/ptx/book/chain.ptx");
/// Additions of the shorter chain, and by how many the longer one is longer.
const SHORT: u64 = 40;
const MORE: u64 = 100;

/// Runs one block of `warps` warps, each with a chain of `length` dependent additions, under a scheduling policy.
fn run(policy: &str, warps: u32, length: u64) -> Report {
    let chip = g80_with(&[("scheduler", policy)]);
    let text = CHAIN.replace("// CHAIN", &"add.f32 %v, %v, 0f3f800000;\n\t".repeat(length as usize));
    let mut device = Device::new(chip, "chain.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
    let threads = warps * 32;
    let out = device.upload(&vec![0; threads as usize]);
    let launch = device.launch("chain", (1, 1), (threads, 1, 1)).args(pointers(&[out]));
    let report = device.run(&launch);
    let expected: Vec<f32> = (0..threads).map(|t| (u64::from(t) + length) as f32).collect();
    assert_eq!(device.download_floats(out, threads as usize), expected);
    report
}

/// What the longer chain takes beyond the shorter one: beginning and end of the kernel cancel.
struct Difference {
    /// Issue cycles in which the SM held the block.
    active: u64,
    /// Slots that issued.
    issued: u64,
    /// Slots that were empty because every warp waited for its own last addition.
    waiting: u64,
    /// Slots that were empty, held or replayed for any other reason while the block was there.
    other: u64,
}

fn difference(policy: &str, warps: u32) -> Difference {
    let numbers = |length: u64| {
        let report = run(policy, warps, length);
        let slots = &timing(&report).slots;
        let busy: Vec<_> = timing(&report).sms.iter().filter(|sm| sm.blocks > 0).collect();
        let [sm] = busy[..] else { panic!("one block runs on one SM") };
        let waiting = empty_slots(&report, WarpState::ExecutionDependency);
        let empty: u64 = slots.empty.iter().map(|(_, n)| n).sum();
        let replays = slots.replay_bank_conflict + slots.replay_constant;
        assert_eq!(slots.issued + slots.held + replays + empty, sm.active_issue_cycles);
        let other = slots.held + replays + empty - waiting;
        [sm.active_issue_cycles, slots.issued, waiting, other]
    };
    let (short, long) = (numbers(SHORT), numbers(SHORT + MORE));
    let [active, issued, waiting, other] = std::array::from_fn(|i| long[i] - short[i]);
    Difference { active, issued, waiting, other }
}

/// PERF-19: switching warps costs nothing. An addition takes 24 cycles and a warp instruction issues in 4, so a warp
/// whose instructions each need the one before issues in every sixth issue cycle. W such warps fill W of six slots,
/// which is linear up to 24 / 4 = 6 warps; from there on every slot issues, and the time grows with the warps instead.
///
/// Exact: MORE additions more per warp are W x MORE slots more that issue, and MORE x (6 - W) more that are empty
/// for want of a ready warp, and not one slot more is lost for anything else, whoever issued before. Loose round
/// robin is the G80's policy here; up to six warps any other does as well.
#[test]
fn perf_19_zero_overhead_scheduling() {
    // Beyond six warps a policy that is not fair lets the seventh starve until the first are done.
    for (policy, most) in [("lrr", 12), ("oldest", 6), ("gto", 6), ("priority", 6)] {
        for warps in 1..=most {
            let d = difference(policy, warps as u32);
            assert_eq!(d.issued, warps * MORE, "{policy}, {warps} warps: slots issued");
            assert_eq!(d.active, warps.max(6) * MORE, "{policy}, {warps} warps: issue cycles");
            assert_eq!(d.waiting, 6u64.saturating_sub(warps) * MORE, "{policy}, {warps} warps: empty slots");
            assert_eq!(d.other, 0, "{policy}, {warps} warps: slots lost at a switch");
            // In slots per issue cycle: W/6, then 1.
            assert_eq!(d.issued * 6, d.active * warps.min(6), "{policy}, {warps} warps: throughput");
        }
    }
}

/// PERF-06: with a latency of 200 cycles, 4 cycles per warp instruction, and 4 or 8 instructions for each load of which one
/// uses it, 200 / 16 = 12.5 and 200 / 32 = 6.25 warps keep the SM busy: 13 and 7, the least whole numbers that do.
#[test]
fn perf_06_warps_that_hide_a_latency() {
    let sets = [("sm.classes.ld_shared", "(unit: \"lsu\", slots: 1, latency: 200)")];
    let load = "ld.shared.u32 %p, [%p];";
    for (instructions, warps) in [(4, 13), (8, 7)] {
        // The next load is the use: its address is what the one before it brought.
        let body = format!("{load} {}", "add.u32 %i, %j, %k; ".repeat(instructions - 1));
        let chain = Chain::on("g80").with(&sets);
        let slots = |warps: u32| chain.warps(warps).cycles(&body, 40) / 4.0 / f64::from(warps);
        let alone = slots(1) * 4.0;
        assert!((alone - 200.0).abs() < 1.0, "the latency is {alone}");
        let (few, enough) = (slots(warps - 1), slots(warps));
        let full = instructions as f64;
        assert!(few > full * 1.02, "{} warps need {few} slots for {full} instructions", warps - 1);
        assert!(enough < full * 1.02, "{warps} warps need {enough} slots for {full} instructions");
    }
}

/// PERF-12: double precision at about an eighth of the rate of single precision on GT200, at half of it on Fermi's Tesla
/// boards, and at an eighth on its `GeForce` boards.
#[test]
fn perf_12_rate_of_double_precision() {
    let tesla = [("sm.units.dp.lanes", "16")];
    for (chip, sets, ratio) in [("gt200", &[][..], 8.0), ("fermi", &tesla[..], 2.0), ("fermi", &[][..], 8.0)]
    {
        let chain = Chain::on(chip).with(sets).warps(16);
        // Four chains in each warp hide the latency.
        let four = |line: &str| ["%v", "%a", "%b", "%c"].map(|r| line.replace("%v", r)).join(" ");
        let single =
            4.0 * chain.rate(&four("mad.f32 %v, %v, %w, %w;").replace("mad.f32", single_op(chip)), 24);
        let double = chain.warps(16).rate("fma.rn.f64 %x, %x, %y, %y;", 48);
        assert!((single / double / ratio - 1.0).abs() < 0.05, "{chip}: {single} and {double} per clock");
    }
}

/// The multiply-add of single precision.
fn single_op(chip: &str) -> &'static str {
    if chip == "fermi" { "fma.rn.f32" } else { "mad.f32" }
}

/// PERF-14: the peaks. G80: 128 cores with a multiply-add and a product a clock are 518 GFLOP/s by the formula, of which
/// the multiply-adds, 345.6, can be reached; GT200: 240 cores, 933 by the formula, and 777 with one product for two
/// multiply-adds, which is what its special function units take beside them. 86.4 and about 150 GB/s.
#[test]
fn perf_14_peaks() {
    let four = |op: &str, last: &str| {
        ["%v", "%a", "%b", "%c"].map(|r| format!("{op} {r}, {r}, %w{last};")).join(" ")
    };
    let mads = four("mad.f32", ", %w");
    for (chip, formula, gflops, gbps) in [("g80", 518.4, 345.6, 86.4), ("gt200", 933.1, 622.1, 141.7)] {
        let built = chip_with(chip, &[]);
        let (sms, hot) = (f64::from(built.clusters * built.cluster.sms), built.clocks.hot_khz as f64 / 1e6);
        assert!((3.0 * 8.0 * sms * hot - formula).abs() < 0.1);
        let chain = Chain::on(chip).warps(16);
        let report = chain.run(&mads, 4);
        assert!((report.chip.peak_gflops - gflops).abs() < 0.1, "{}", report.chip.peak_gflops);
        assert!((report.chip.peak_gbps - gbps).abs() < 0.1, "{}", report.chip.peak_gbps);
        let reached = 2.0 * 4.0 * chain.rate(&mads, 24) * sms * hot;
        assert!((0.98..=1.0).contains(&(reached / gflops)), "{chip}: {reached} GFLOP/s of multiply-adds");
        let mixed =
            format!("{mads} {}", four("mul.f32", "").split_inclusive(';').take(2).collect::<String>());
        let with_products = 10.0 * chain.rate(&mixed, 24) * sms * hot;
        let most = if chip == "gt200" { 777.6 } else { gflops * 10.0 / 12.0 };
        assert!(
            (0.95..=1.0).contains(&(with_products / most)),
            "{chip}: {with_products} GFLOP/s with products"
        );
    }
}

/// An addition of registers, in PTX.
const ADDITION: &str = "add.u32 %x, %x, %a;";

/// PERF-17: registers take about 1 cycle, shared memory 1 to 3, cached constants 1 to 3, global memory 300 to 800.
///
/// The small numbers are of a busy SM: what an instruction costs a lane when warps hide all latency. So they are
/// cycles for each of the SM's cores, with the largest block; global memory's is a latency, by a chase that no cache helps.
/// Cached constants and shared memory also stand nearer to the registers than global memory by one thread's chase.
#[test]
fn perf_17_latency_table() {
    for name in simulated_names() {
        let chip = Chip::builtin(name).expect("built in");
        let unit = chip.sm.units.iter().find(|unit| unit.name == "sp").expect("every SM has cores");
        let each = if unit.per_scheduler { chip.sm.schedulers } else { 1 };
        let cores = f64::from(unit.lanes * unit.count * each);
        let registers = cores / chains::throughput(&chip, "u32", ADDITION).expect("it runs");
        let shared = cores / banks::throughput(&chip, 1).expect("it runs");
        // Of three groups of cores (GF104) dependent instructions reach two (Volkov, GTC 2010).
        assert!((0.99..1.7).contains(&registers), "{name}: registers {registers}");
        assert!((1.0..=3.1).contains(&shared), "{name}: shared memory {shared}");

        let addition = chains::latency(&chip, "u32", ADDITION).expect("it runs");
        let chase =
            |space, footprint, stride| chase::latency(&chip, space, footprint, stride).expect("it runs");
        let [shared, constant] = [chase(Space::Shared, 1024, 4), chase(Space::Constant, 1024, 64)];
        for (what, cycles) in [("shared memory", shared), ("a cached constant", constant)] {
            assert!(
                (1.0..=3.1).contains(&(cycles / addition)),
                "{name}: {what} {cycles}, an addition {addition}"
            );
        }
        // Line by line through more than any second-level cache holds.
        let global = chase(Space::Global, 2 << 20, 128);
        assert!((300.0..=800.0).contains(&global), "{name}: global memory {global}");
    }
}
