//! MEM-04: threads that walk along rows, and threads that walk down columns.

use crate::RunError;
use crate::book::tools::{ensure, follows, timing};
use crate::book::{Bench, Claim, Finding, Row, Shown};
use crate::measure::lab::Lab;
use sim_core::host::{Arg, Launch};
use sim_core::stats::Report;

pub static CLAIMS: &[Claim] = &[Claim { id: "MEM-04", show: rows_and_columns }];

const WALK: &str = include_str!("../../../../ptx/book/walk.ptx");
/// Threads of a block.
const BLOCK: u32 = 32;

/// Runs one of the kernels on a square matrix of so many rows, whose word i is i and whose sums must be right.
fn walk(lab: &mut Lab, entry: &str, width: u32, sum: impl Fn(u32) -> u32) -> Result<Report, RunError> {
    let words: Vec<u32> = (0..width * width).collect();
    let (input, out) = (lab.upload(&words)?, lab.allocate(width.into())?);
    let args = [Arg::Ptr(input), Arg::Ptr(out), Arg::U32(width)];
    let report = lab.balanced(&Launch::new(lab.module, entry, width / BLOCK, BLOCK).args(args))?;
    let expected: Vec<u32> = (0..width).map(sum).collect();
    ensure(lab.download(out, width as usize)? == expected, format!("the sums of {entry}"))?;
    let asked = timing(&report).global.load.bytes_asked;
    ensure(asked == u64::from(4 * width * width), format!("{entry} reads every element once"))?;
    Ok(report)
}

fn rows_and_columns(bench: &Bench, row: &Row) -> Result<Shown, RunError> {
    let width = bench.by_size(64, 1024);
    let [before_fermi, fermi] = row.read("rows {} on G80 and GT200, {} on Fermi")?;
    let [side_by_side] = row.read("columns {}")?;
    let mut shown = Shown::new(format!(
        "a thread for each line of a matrix of {width} x {width} words, in blocks of {BLOCK}"
    ));
    let warps = u64::from(width * width / 32);
    for (chip, apart, per_warp) in [("g80", before_fermi, 2), ("gt200", before_fermi, 2), ("fermi", fermi, 1)]
    {
        let mut lab = bench.lab(bench.chip(chip, &[])?, "walk.ptx", WALK)?;
        let rows = walk(&mut lab, "walk_rows", width, |t| (0..width).map(|k| t * width + k).sum())?;
        let columns = walk(&mut lab, "walk_columns", width, |t| (0..width).map(|k| k * width + t).sum())?;
        for (what, report, expected, transactions) in [
            ("along rows", &rows, apart, 32 * warps),
            ("down columns", &columns, side_by_side, per_warp * warps),
        ] {
            let global = &timing(report).global;
            let load = global.load;
            let found = load.bytes_moved as f64 / load.bytes_asked as f64;
            shown.find(Finding::exact(format!("{chip}, {what}: bytes moved per byte used"), expected, found));
            shown.find(follows(format!("{chip}, {what}: transactions"), transactions, load.transactions));
            shown.find(follows(
                format!("{chip}, {what}: efficiency of loads"),
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
        let [rows, columns] = [&rows, &columns].map(timing);
        shown.because(format!(
            "{chip}: along rows the DRAM reads {} bytes for {} that are used, and the kernel takes {} cycles; down columns \
             {} bytes, and {} cycles.{}",
            rows.dram.read_bytes,
            rows.global.load.bytes_asked,
            rows.cycles,
            columns.dram.read_bytes,
            columns.cycles,
            if chip == "fermi" {
                let l1 = rows.l1.counters;
                let (hit, all) = (l1.global_load_hit, l1.global_load_hit + l1.global_load_miss);
                format!(" Along rows {hit} of {all} lines are found in the L1, where an earlier step has brought them.")
            } else {
                String::new()
            }
        ));
    }
    Ok(shown)
}
