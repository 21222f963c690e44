//! MEM-15: the division of a Fermi SM's memory between L1 and shared memory.

use crate::tools::{ensure, follows, pointers, timing};
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use sim_core::host::{CachePreference, Launch};
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "MEM-15", show: split }];

const LINES: &str = include_str!("../../../../kernels/ptx/book/lines.template");
/// Bytes of a cache line.
const LINE: u32 = 128;

/// Reads `lines` lines three times on a Fermi with the overrides `sets`, with `shared` bytes of
/// shared memory per block. The L1 replaces the least recently used line, so that its hits follow
/// from its size.
fn walk(
    runner: &Runner,
    sets: &[(&str, &str)],
    lines: u32,
    shared: u32,
    cache: CachePreference,
) -> Result<Report, RunError> {
    let text = LINES.replace("LENGTH", &(lines * LINE).to_string()).replace("SHARED", &shared.to_string());
    let lru = (!sets.contains(&("sm.l1", "none"))).then_some(("sm.l1.replacement", "lru"));
    let sets: Vec<(&str, &str)> = sets.iter().copied().chain(lru).collect();
    let mut lab = runner.lab(runner.chip("fermi", &sets)?, "lines.template", &text)?;
    let words: Vec<u32> = (0..lines * LINE / 4).collect();
    let (data, out) = (lab.upload(&words)?, lab.allocate(32)?);
    let launch = Launch::new(lab.module, "lines", 1, 32).args(pointers(&[data, out])).cache(cache);
    let report = lab.balanced(&launch)?;
    let sum = |t: u32| (0..lines).map(|line| LINE / 4 * line + t).sum::<u32>() * 3;
    ensure(lab.download(out, 32)? == (0..32).map(sum).collect::<Vec<_>>(), "wrong sums of the lines")?;
    Ok(report)
}

/// Hits and misses of global loads in the L1.
fn l1(report: &Report) -> String {
    let counters = timing(report).l1.counters;
    format!("{} and {}", counters.global_load_hit, counters.global_load_miss)
}

fn split(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [less_shared, large_l1, large_shared, small_l1] =
        claim.numbers(["less_shared", "large_l1", "large_shared", "small_l1"]);
    let mut shown = Shown::new(
        "a warp that reads 32 KB three times in lines of 128 bytes, its block with 4 KB of shared memory",
    );
    let lines = 256;
    let run = |cache| walk(runner, &[], lines, 4096, cache);
    let usual = run(CachePreference::None)?;
    let shared = run(CachePreference::Shared)?;
    let large = run(CachePreference::L1)?;
    for (what, report, expected) in [
        ("no preference", &usual, [large_shared, small_l1]),
        ("shared memory preferred", &shared, [large_shared, small_l1]),
        ("L1 preferred", &large, [less_shared, large_l1]),
    ] {
        let bytes =
            [report.launch.sm_shared_bytes, report.launch.l1_bytes].map(|bytes| f64::from(bytes) / 1024.0);
        shown.find(Finding::exact_list(format!("{what}: kB of shared memory and of L1"), &expected, &bytes));
    }
    // With 16 KB of L1, LRU always evicts the line that is needed next.
    let all = 3 * lines;
    shown.find(follows("small L1: hits and misses", format!("0 and {all}"), l1(&usual)));
    shown.find(follows("shared memory preferred: hits and misses", format!("0 and {all}"), l1(&shared)));
    shown.find(follows("large L1: hits and misses", format!("{} and {lines}", 2 * lines), l1(&large)));
    let [slow, fast] = [&usual, &large].map(|report| timing(report).cycles);
    let saved = slow.saturating_sub(fast) as f64 / f64::from(2 * lines);
    shown.find(Finding::shape(
        "cycles that each hit saves",
        "the latency of the L2: more than 150",
        format!("{saved:.0}"),
        saved > 150.0,
    ));
    // Twelve blocks of 4 KB would fit into 48 KB, so the block slots limit; four fit into 16 KB.
    let blocks = |report: &Report| report.launch.occupancy.blocks;
    let slots = runner.chip("fermi", &[])?.sm.max_blocks;
    shown.find(follows("blocks on an SM, small L1: limited by block slots", slots, blocks(&usual)));
    shown.find(follows(
        "blocks on an SM, large L1: limited by shared memory",
        less_shared as u32 / 4,
        blocks(&large),
    ));
    // A block that needs more than 16 KB gets its shared memory, independent of the preference.
    let wide = walk(runner, &[], lines, 20_000, CachePreference::L1)?;
    let bytes = f64::from(wide.launch.l1_bytes) / 1024.0;
    shown.find(follows("20,000 B of shared memory and L1 preferred: kB of L1", small_l1, bytes));
    shown.find(follows("20,000 B of shared memory: blocks on an SM", 2, blocks(&wide)));
    shown.find(follows("20,000 B of shared memory: hits and misses", format!("0 and {all}"), l1(&wide)));
    shown.because(format!(
        "With {large_l1} kB of L1 the second and third round hit all {lines} lines: {fast} cycles instead of {slow}; but only 4 \
         blocks of 4 KB fit instead of {slots}.",
    ));
    without(runner, &mut shown, large_shared)?;
    Ok(shown)
}

/// A chip without an L1 ignores the preference. If global loads bypass the L1 (`-dlcm=cg`), only
/// local memory uses it.
fn without(runner: &Runner, shown: &mut Shown, large_shared: f64) -> Result<(), RunError> {
    let lines = 64;
    let none = walk(runner, &[("sm.l1", "none")], lines, 4, CachePreference::L1)?;
    let found = [none.launch.sm_shared_bytes, none.launch.l1_bytes].map(|bytes| f64::from(bytes) / 1024.0);
    let [of_shared, of_l1] = found;
    shown.find(follows("without an L1: kB of shared memory", large_shared, of_shared));
    shown.find(follows("without an L1: kB of L1", 0.0, of_l1));
    shown.find(follows("without an L1: hits and misses", "0 and 0".to_owned(), l1(&none)));
    let past = walk(runner, &[("sm.l1.global", "false")], lines, 4, CachePreference::None)?;
    shown.find(follows("bypassing the L1:  hits and misses", "0 and 0".to_owned(), l1(&past)));
    let loads = timing(&past).l1.counters.uncached_global_loads;
    shown.find(follows("bypassing the L1:  uncached loads", u64::from(3 * lines), loads));
    // 8 KB are read three times; the L2 serves the second and third round without the DRAM. Two
    // sectors belong to the parameters.
    let l2 = timing(&past).l2.counters;
    let sectors = u64::from(lines * LINE / 32);
    let expected = format!("{} and {}", 3 * sectors + 2, sectors + 2);
    let found = format!("{} and {}", l2.read_sector_queries, l2.read_sector_misses);
    shown.find(follows("bypassing the L1:  sectors requested from the L2, and misses", expected, found));
    let bytes = u64::from(lines * LINE) + 64;
    let found = format!("{} and {}", l2.read_bytes, timing(&past).dram.read_bytes);
    shown.find(follows(
        "bypassing the L1:  bytes read by the L2 and by the DRAM",
        format!("{bytes} and {bytes}"),
        found,
    ));
    Ok(())
}
