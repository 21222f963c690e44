//! MEM-04: threads that read along rows, and threads that read down columns.

use crate::RunError;
use crate::book::finding::significant;
use crate::book::tools::{ensure, follows, timing};
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use crate::measure::lab::Lab;
use sim_core::host::{Arg, Launch};
use sim_core::stats::Report;
use sim_core::stats::report::TimingReport;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "MEM-04", show: rows_and_columns }];

const WALK: &str = include_str!("../../../../ptx/book/walk.ptx");
/// Threads per block.
const BLOCK: u32 = 32;

/// Words of a line of Fermi's caches.
const LINE: u32 = 32;

/// Runs one of the kernels on a square matrix of `width` rows whose word i is i, and checks its
/// sums. The kernel reads `read` words of each thread's line.
fn walk(
    lab: &mut Lab,
    entry: &str,
    (width, read): (u32, u32),
    sum: impl Fn(u32) -> u32,
) -> Result<Report, RunError> {
    let words: Vec<u32> = (0..width * width).collect();
    let (input, out) = (lab.upload(&words)?, lab.allocate(width.into())?);
    let args = [Arg::Ptr(input), Arg::Ptr(out), Arg::U32(width)];
    let report = lab.balanced(&Launch::new(lab.module, entry, width / BLOCK, BLOCK).args(args))?;
    let expected: Vec<u32> = (0..width).map(sum).collect();
    ensure(lab.download(out, width as usize)? == expected, format!("wrong sums of {entry}"))?;
    let asked = timing(&report).global.load.bytes_asked;
    ensure(
        asked == u64::from(4 * width * read),
        format!("{entry} does not read {read} words of each line once"),
    )?;
    Ok(report)
}

fn rows_and_columns(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    // Wide enough that the lines of a warp along rows do not fit into Fermi's L1: they map to few
    // of its sets.
    let width = runner.by_size(512, 1024);
    let [before_fermi, fermi] = claim.read("rows {} on G80 and GT200, {} on Fermi")?;
    let [side_by_side] = claim.read("columns {}")?;
    let mut shown = Shown::new(format!(
        "a thread for each line of a matrix of {width} x {width} words, in blocks of {BLOCK}"
    ));
    let warps = u64::from(width * width / 32);
    for (chip, apart, per_warp) in [("g80", before_fermi, 2), ("gt200", before_fermi, 2), ("fermi", fermi, 1)]
    {
        let mut lab = runner.lab(runner.chip(chip, &[])?, "walk.ptx", WALK)?;
        let whole = (width, width);
        let rows = walk(&mut lab, "walk_rows", whole, |t| (0..width).map(|k| t * width + k).sum())?;
        let columns = walk(&mut lab, "walk_columns", whole, |t| (0..width).map(|k| k * width + t).sum())?;
        // With an L1 the counters are of touched lines, hits included.
        let (moved, efficiency) = if chip == "fermi" {
            ("bytes of lines touched per byte used, hits too", "efficiency of loads, hits too")
        } else {
            ("bytes moved per byte used", "efficiency of loads")
        };
        for (what, report, expected, transactions) in [
            ("along rows", &rows, apart, 32 * warps),
            ("down columns", &columns, side_by_side, per_warp * warps),
        ] {
            let global = &timing(report).global;
            let load = global.load;
            let found = load.bytes_moved as f64 / load.bytes_asked as f64;
            shown.find(Finding::exact(format!("{chip}, {what}: {moved}"), expected, found));
            shown.find(follows(format!("{chip}, {what}: transactions"), transactions, load.transactions));
            shown.find(follows(
                format!("{chip}, {what}: {efficiency}"),
                1.0 / expected,
                global.load_efficiency,
            ));
        }
        if chip == "g80" {
            let groups = |report: &Report| {
                let load = timing(report).global.load;
                format!("{} and {}", load.coalesced_groups, load.uncoalesced_groups)
            };
            let all = 2 * warps;
            let what = "g80: half-warps that coalesce and that do not";
            shown.find(follows(format!("{what}, along rows"), format!("0 and {all}"), groups(&rows)));
            shown.find(follows(format!("{what}, down columns"), format!("{all} and 0"), groups(&columns)));
        }
        if chip == "fermi" {
            first_touch(runner, width, fermi, &mut shown)?;
        }
        let [rows, columns] = [&rows, &columns].map(timing);
        let each =
            |t: &TimingReport| significant(t.dram.read_bytes as f64 / t.global.load.bytes_asked as f64);
        let found = format!("{} and {}", each(rows), each(columns));
        let what = format!("{chip}: bytes that the DRAM reads per byte used, along rows and down columns");
        shown.find(Finding::reported(what, "", found));
        let found = format!("{} and {}", rows.cycles, columns.cycles);
        shown.find(Finding::reported(format!("{chip}: cycles along rows and down columns"), "", found));
        shown.because(format!(
            "{chip}: along rows the DRAM reads {} bytes for {} used bytes, a load takes {:.0} cycles on average, and the \
             kernel takes {}; down columns the numbers are {} bytes, {:.0} cycles and {}.{}",
            rows.dram.read_bytes,
            rows.global.load.bytes_asked,
            rows.global.mean_load_latency,
            rows.cycles,
            columns.dram.read_bytes,
            columns.global.mean_load_latency,
            columns.cycles,
            if chip == "fermi" {
                let l1 = rows.l1.counters;
                let (hit, all) = (l1.global_load_hit, l1.global_load_hit + l1.global_load_miss);
                let l2 = 100.0 * rows.l2.read_hit_rate;
                format!(
                    " Along rows {hit} of {all} lines hit in the L1 because an earlier step fetched them; the hit rate of the L2 \
                     is {l2:.0} %."
                )
            } else {
                String::new()
            }
        ));
    }
    Ok(shown)
}

/// Fermi, along rows, only the first word of each line: every access is the first to its line, so
/// all miss the L1.
fn first_touch(runner: &Runner, width: u32, expected: f64, shown: &mut Shown) -> Result<(), RunError> {
    let next = "add.u32\t\t%at, %at, 4;";
    ensure(WALK.contains(next), "walk_rows does not advance to the next word")?;
    let text = WALK.replacen(next, &next.replace('4', &(4 * LINE).to_string()), 1);
    let mut lab = runner.lab(runner.chip("fermi", &[])?, "walk.ptx", &text)?;
    let steps = width / LINE;
    let sum = |t| (0..steps).map(|k| t * width + k * LINE).sum();
    let report = walk(&mut lab, "walk_rows", (width, steps), sum)?;
    let (asked, l1) = (timing(&report).global.load.bytes_asked, timing(&report).l1.counters);
    let what = "fermi, along rows, one word of each line";
    shown.find(follows(format!("{what}: L1 hits"), 0, l1.global_load_hit));
    let found = f64::from(4 * LINE) * l1.global_load_miss as f64 / asked as f64;
    shown.find(Finding::exact(format!("{what}: bytes fetched into the L1s per byte used"), expected, found));
    let found = timing(&report).dram.read_bytes as f64 / asked as f64;
    let what = format!("{what}: bytes that the DRAM reads per byte used");
    shown.find(Finding::reported(what, expected.to_string(), significant(found)));
    Ok(())
}
