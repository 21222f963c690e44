//! MEM-05 to MEM-08: loads that the tiles of the matrix product save, and their coalescing.

use crate::RunError;
use crate::book::tools::{follows, timing};
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use crate::matmul::Tiled;
use isa::uop::Class;
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "MEM-05", show: tile_loads },
    Experiment { id: "MEM-06", show: loads_by_side },
    Experiment { id: "MEM-07", show: work_per_load },
    Experiment { id: "MEM-08", show: loads_by_granularity },
];

/// Chips of every generation.
const CHIPS: [&str; 3] = ["g80", "gt200", "fermi"];

/// Words loaded from global memory, counted per thread (not per warp, and not transactions).
fn thread_loads(report: &Report) -> u64 {
    timing(report).global.load.bytes_asked / 4
}

/// Runs a workload, checks its result and returns the report of its launch.
fn report(runner: &Runner, chip: &str, name: &str, size: u64) -> Result<Report, RunError> {
    let outcome = runner.workload(runner.chip(chip, &[])?, name, size)?;
    outcome.reports.into_iter().next().ok_or_else(|| RunError::Unfinished("nothing was launched".to_owned()))
}

/// MEM-05. A row of a tile has 64 bytes: a segment of G80 and GT200, half a line of Fermi, whose
/// warp reads two rows.
fn tile_loads(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [side] = claim.read("coalesced at TILE {}")?;
    let width = runner.by_size(64, 256);
    let mut shown = Shown::new(format!("matmul-tiled, {width} x {width}, on G80, GT200 and Fermi"));
    for (chip, lanes) in [("g80", 16), ("gt200", 16), ("fermi", 32)] {
        let report = report(runner, chip, "matmul-tiled", width)?;
        shown.find(Finding::exact(format!("{chip}: side of a tile"), side, f64::from(report.launch.block.x)));
        let timing = timing(&report);
        let (global, shared) = (&timing.global, &timing.shared);
        // A row of a tile has 16 words and makes one transaction of a segment or of a line.
        let rows = 2 * width * width * (width / 16) / 16;
        shown.find(Finding::exact(
            format!("{chip}: transactions, one for each row of a tile"),
            rows,
            global.load.transactions,
        ));
        let line = if chip == "fermi" { 128 } else { 64 };
        shown.find(follows(format!("{chip}: bytes they move"), rows * line, global.load.bytes_moved));
        shown.find(follows(
            format!("{chip}: bytes that the stores of the product move"),
            4 * width * width,
            global.store.bytes_moved,
        ));
        if chip == "g80" {
            let groups = global.load.uncoalesced_groups + global.store.uncoalesced_groups;
            shown.find(Finding::exact("g80: half-warps not coalesced", 0, groups));
        }
        // Each lane reads two words per step, and stores two per phase.
        let (reads, writes) = (2 * width.pow(3), 2 * width.pow(3) / 16);
        shown.find(Finding::exact(
            format!("{chip}: passes over the banks, one for each {lanes} lanes"),
            (reads + writes) / lanes,
            shared.load.passes + shared.store.passes,
        ));
        shown.find(Finding::exact(
            format!("{chip}: extra passes for bank conflicts"),
            0,
            shared.load.conflict_passes + shared.store.conflict_passes,
        ));
    }
    shown.because(
        "A half-warp reads one word of Ms, which is broadcast, and 16 words of Ns, in the 16 banks; tx runs along the rows of \
         both tiles when they are fetched.",
    );
    Ok(shown)
}

/// MEM-06.
fn loads_by_side(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    claim.says("N x N tiles")?;
    claim.says("global loads per thread fall by exactly N (thread loads, not transactions)")?;
    // The claim names no width and holds for any.
    let width = runner.by_size(32, 64);
    let mut shown = Shown::new(format!(
        "matmul-naive and the products by tiles of 2 to 32, {width} x {width}, on G80, GT200 and Fermi"
    ));
    for chip in CHIPS {
        let naive = thread_loads(&report(runner, chip, "matmul-naive", width)?);
        shown.find(Finding::exact(
            format!("{chip}: without tiles, words a thread loads"),
            2 * width,
            naive / (width * width),
        ));
        for side in [2, 4, 8, 16, 32] {
            // Only Fermi runs blocks of 1,024 threads.
            if side == 32 && chip != "fermi" {
                continue;
            }
            let name = if side == 16 { "matmul-tiled".to_owned() } else { format!("matmul-tiled-{side}") };
            let loads = thread_loads(&report(runner, chip, &name, width)?);
            let what = format!("{chip}: tiles of {side} x {side}, loads fall by");
            shown.find(Finding::exact(what, side as f64, naive as f64 / loads as f64));
        }
    }
    shown.because(
        "A word that is fetched into a tile of N x N is used by N threads; without the tile, each of them would load it.",
    );
    Ok(shown)
}

/// MEM-07. One block and one phase: matrices of the size of the tile.
fn work_per_load(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let expected: [f64; 6] =
        claim.read("{} loads for {} multiply and add operations ({} MADs) / {} loads for {} ({} MADs)")?;
    let mut shown =
        Shown::new("matmul-tiled, 16 x 16, on G80, GT200 and Fermi; matmul-tiled-32, 32 x 32, on Fermi");
    let mut compare = |chip: &str, name: &str, side: u64, expected: &[f64]| -> Result<(), RunError> {
        let report = report(runner, chip, name, side)?;
        let found = [
            thread_loads(&report) as f64,
            report.instructions.flops as f64,
            32.0 * report.instructions.by_class[Class::FMad] as f64,
        ];
        let what = format!(
            "{chip}, tiles of {side} x {side}: loads, operations, multiply-adds of a block and phase"
        );
        shown.find(Finding::exact_list(what, expected, &found));
        Ok(())
    };
    for chip in CHIPS {
        compare(chip, "matmul-tiled", 16, &expected[..3])?;
    }
    compare("fermi", "matmul-tiled-32", 32, &expected[3..])?;
    for chip in ["g80", "gt200"] {
        let refusal =
            report(runner, chip, "matmul-tiled-32", 32).err().map_or(String::new(), |e| e.to_string());
        let limit = "threads per block";
        let holds = refusal.contains(limit);
        shown.find(Finding::shape(
            format!("{chip}, tiles of 32 x 32"),
            format!("refused: {limit}"),
            refusal,
            holds,
        ));
    }
    Ok(shown)
}

/// MEM-08.
fn loads_by_granularity(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [a, b, c, d, e, f] = claim.read("fall by {}/{}, {}/{}, {}/{}")?;
    let width = runner.by_size(128, 256);
    let name = |merged| format!("matmul-{}", Tiled::new(16).merged(merged).name());
    let mut shown = Shown::new(format!(
        "{}, {}, {} and {}, {width} x {width}, on G80",
        name(1),
        name(2),
        name(4),
        name(8)
    ));
    let loads =
        |merged| -> Result<u64, RunError> { Ok(thread_loads(&report(runner, "g80", &name(merged), width)?)) };
    let single = loads(1)?;
    for (merged, fall) in [(2, a / b), (4, c / d), (8, e / f)] {
        let merged_loads = loads(merged)?;
        let found = (single - merged_loads) as f64 / single as f64;
        shown.find(Finding::exact(format!("1x{merged}: share of the loads that is saved"), fall, found));
    }
    shown.because(
        "Each tile of P needs a tile of M and a tile of N. Merged tiles of P share the tile of M: 2 g tiles become 1 + g, which \
         saves (g - 1) / 2 g.",
    );
    Ok(shown)
}
