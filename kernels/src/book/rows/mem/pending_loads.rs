//! MEM-21: how many loads a Fermi SM can have under way at a tile of 16.

use crate::RunError;
use crate::book::tools::{follows, timing};
use crate::book::{Bench, Claim, Finding, Row, Shown};

pub static CLAIMS: &[Claim] = &[Claim { id: "MEM-21", show: pending }];

/// The slides count 8 blocks; the threads of an SM are enough for 6.
fn pending(bench: &Bench, row: &Row) -> Result<Shown, RunError> {
    let [tile] = row.read("at TILE {} on Fermi")?;
    let [slide, slide_blocks, loads_of_block] = row.read("the slide's {} ({} blocks x {})")?;
    let [threads, blocks, pending] = row.read("{} threads allow {} blocks, {}")?;
    // As many blocks as fill the chip's SMs at least once.
    let size = bench.by_size(160, 256);
    let outcome = bench.workload(bench.chip("fermi", &[])?, "matmul-tiled", size)?;
    let report = &outcome.reports[0];
    let occupancy = &report.launch.occupancy;
    let mut shown = Shown::new(format!("the tiled matrix product, {size} x {size}, on Fermi"));
    let block = report.launch.block;
    shown.find(follows("threads of a block", tile * tile, block.count() as f64));
    shown.find(Finding::exact("threads on an SM", threads, occupancy.threads.into()));
    shown.find(Finding::exact("blocks on an SM", blocks, occupancy.blocks.into()));
    // A phase of the product loads a word of each of two tiles in every thread.
    let thread_loads = timing(report).global.load.requests * 32;
    let phases = (size * size) as f64 * size as f64 / tile;
    let of_thread = thread_loads as f64 / phases;
    shown.find(Finding::exact(
        "loads of a block in a phase",
        loads_of_block,
        of_thread * block.count() as f64,
    ));
    shown.find(Finding::exact("loads under way on an SM", pending, f64::from(occupancy.threads) * of_thread));
    let what = format!("what the slide counts: {slide_blocks} blocks");
    shown.find(follows(what, slide, slide_blocks * loads_of_block));
    shown.because(format!(
        "{} blocks of {} threads fill the {} threads of an SM, so that {} of the slide's {slide_blocks} blocks cannot be \
         resident; achieved occupancy was {:.0} %.",
        occupancy.blocks,
        block.count(),
        occupancy.threads,
        slide_blocks - f64::from(occupancy.blocks),
        100.0 * timing(report).achieved_occupancy
    ));
    Ok(shown)
}
