//! SIMT-01, SIMT-02, SIMT-03: global index, warp and lane of a thread.

use crate::machines::{CHIPS, Everywhere};
use crate::probe::{Probe, UNTOUCHED};
use crate::{Claim, Experiment, Runner, Shown};
use isa::types::Dim3;
use kernels::RunError;
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "SIMT-01", show: global_ids },
    Experiment { id: "SIMT-02", show: padded_lanes },
    Experiment { id: "SIMT-03", show: linear_order },
];

const INDICES: &str = include_str!("../../../../kernels/ptx/book/indices.ptx");
/// Words of the buffer of `warp_and_lane`.
const PLACES: usize = 512;

/// SIMT-01: every thread writes its block and thread index to the word of its global index.
fn global_ids(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [blocks, threads] = claim.numbers(["blocks", "threads"]);
    let [first, second, b2, n2, t2, third, b3, n3, t3, all] =
        claim.numbers(["id1", "id2", "b2", "n2", "t2", "id3", "b3", "n3", "t3", "all"]);
    let grid = (blocks as u32, threads as u32);
    let count = (grid.0 * grid.1) as usize;
    let mut shown =
        Shown::new(format!("{blocks} blocks of {threads} threads on every chip, timed and functional"));
    let found = Everywhere::run(&CHIPS, |machine| {
        let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, "indices.ptx", INDICES)?;
        let launch = probe.launch("global_id", grid.0, grid.1).mode(machine.mode);
        Ok(probe.words(launch, count + 1)?.1)
    })?;
    let place = |words: &Vec<u32>, block: u32, thread: u32| {
        words
            .iter()
            .position(|who| *who == block << 16 | thread)
            .map_or("none".to_owned(), |id| id.to_string())
    };
    // The claim's first id has the thread index of the second, in block 0: 3 before 5 * 32 + 3.
    for (id, block, thread) in [(first, 0.0, t2), (second, b2, t2), (third, b3, t3)] {
        let what = format!("block {block}, thread {thread}: global id");
        let get = |words: &Vec<u32>| place(words, block as u32, thread as u32);
        shown.find(found.exact(what, id.to_string(), get));
    }
    // The claim's sums: they are ids only for blocks of this number of threads.
    for (block, size, thread) in [(b2, n2, t2), (b3, n3, t3)] {
        let get = |words: &Vec<u32>| place(words, block as u32, thread as u32);
        let sum = block * size + thread;
        shown.find(found.exact(format!("{block}*{size}+{thread}"), sum.to_string(), get));
    }
    let own = |words: &Vec<u32>| {
        let who = |id: usize| (id as u32 / grid.1) << 16 | (id as u32 % grid.1);
        words[..count].iter().enumerate().filter(|(id, word)| **word == who(*id)).count() as f64
    };
    shown.find(found.exact("threads with a unique id", all, own));
    let untouched = |words: &Vec<u32>| words[count] == UNTOUCHED;
    shown.find(found.exact("no thread has a higher id", true, untouched));
    shown.because(format!(
        "Thread t of block b is {threads} b + t, for blocks of {threads}: ids 0 to {}.",
        count - 1
    ));
    Ok(shown)
}

/// Runs one block of a shape. Returns its report, and 32 * warp + lane of each thread by its
/// indices.
fn warps_of(runner: &Runner, block: Dim3) -> Result<Everywhere<(Report, Vec<u32>)>, RunError> {
    Everywhere::run(&CHIPS, |machine| {
        let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, "indices.ptx", INDICES)?;
        let launch = probe.launch("warp_and_lane", 1, block).mode(machine.mode);
        probe.words(launch, PLACES)
    })
}

/// Returns the word of thread (x, y, z).
fn word(words: &[u32], (x, y, z): (u32, u32, u32)) -> u32 {
    words.get((z * 256 + y * 16 + x) as usize).copied().unwrap_or(UNTOUCHED)
}

/// Text with warp and lane of thread (x, y, z).
fn whose(words: &[u32], thread: (u32, u32, u32)) -> String {
    match word(words, thread) {
        UNTOUCHED => "none".to_owned(),
        word => format!("warp {}, lane {}", word / 32, word % 32),
    }
}

/// SIMT-02: a block whose last warp is not full.
fn padded_lanes(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [threads] = claim.numbers(["threads"]);
    let [warps, padded] = claim.numbers(["warps", "padded"]);
    let mut shown = Shown::new(format!("a block of {threads} threads on every chip, timed and functional"));
    let found = warps_of(runner, Dim3::new(threads as u32, 1, 1))?;
    shown.find(found.exact("warps", warps, |(report, _)| report.launch.warps_per_block.into()));
    shown.find(found.exact("padded lanes", padded, |(report, _)| report.launch.padded_lanes.into()));
    // The code has no branches, so the ratio of thread to warp instructions gives the number of
    // active lanes.
    let lanes = |(report, _): &(Report, Vec<u32>)| {
        report.instructions.thread as f64 * warps / report.instructions.warp as f64
    };
    shown.find(found.exact("lanes that execute", threads, lanes));
    let in_order = |(_, words): &(Report, Vec<u32>)| {
        let expected = |place: usize| if place < threads as usize { place as u32 } else { UNTOUCHED };
        words.iter().enumerate().filter(|(place, word)| **word != expected(*place)).count()
    };
    shown.find(found.exact("threads out of order, or after the last", 0, in_order));
    let last = warps * 32.0 - threads;
    shown.because(format!(
        "{warps} warps have {} lanes: {last} hold no thread and never execute.",
        warps * 32.0
    ));
    Ok(shown)
}

/// SIMT-03: threads fill warps in the order of x, then y, then z.
fn linear_order(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [x1, y1, z1, x2, y2] = claim.numbers(["x1", "y1", "z1", "x2", "y2"]).map(|n: f64| n as u32);
    let [warps] = claim.numbers(["warps"]);
    let [fx, fy, fz, lx, ly, lz] = claim.numbers(["fx", "fy", "fz", "lx", "ly", "lz"]).map(|n: f64| n as u32);
    let [first_row, last_row] = claim.numbers(["first_row", "last_row"]).map(|n: f64| n as u32);
    let mut shown = Shown::new("a block of 4x8x2 and one of 8x8 on every chip, timed and functional");
    let ends_of_box = ((fx, fy, fz), (lx, ly, lz));
    let ends_of_square = ((0, first_row, 0), (x2.saturating_sub(1), last_row, 0));
    for (block, (first, last)) in [((x1, y1, z1), ends_of_box), ((x2, y2, 1), ends_of_square)] {
        let shape = format!("{}x{}x{}", block.0, block.1, block.2);
        let found = warps_of(runner, Dim3::new(block.0, block.1, block.2))?;
        let launch = |(report, _): &(Report, Vec<u32>)| f64::from(report.launch.warps_per_block);
        shown.find(found.exact(format!("{shape}: warps"), warps, launch));
        shown
            .find(found.exact(format!("{shape}: padded lanes"), 0, |(report, _)| report.launch.padded_lanes));
        for (thread, warp_and_lane) in [(first, "warp 0, lane 0"), (last, "warp 0, lane 31")] {
            let what = format!("{shape}: T({},{},{})", thread.0, thread.1, thread.2);
            shown.find(found.exact(what, warp_and_lane.to_owned(), |(_, words)| whose(words, thread)));
        }
        // Checks the whole order, including the second warp.
        let out_of_order = |(_, words): &(Report, Vec<u32>)| {
            let places = (0..block.2)
                .flat_map(|z| (0..block.1).flat_map(move |y| (0..block.0).map(move |x| (x, y, z))));
            places.zip(0..).filter(|((x, y, z), id)| word(words, (*x, *y, *z)) != *id).count()
        };
        shown.find(found.exact(format!("{shape}: threads out of order"), 0, out_of_order));
    }
    shown.because(format!(
        "Thread (x, y, z) of {x1}x{y1}x{z1} is number {} z + {x1} y + x of its block; 32 of them in a row are a warp.",
        x1 * y1
    ));
    Ok(shown)
}
