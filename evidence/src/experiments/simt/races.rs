//! SIMT-12, SIMT-13: missing barriers, and the findings of the race checker.

use crate::finding::list;
use crate::machines::{CHIPS, Everywhere};
use crate::probe::Probe;
use crate::tools::{bits, follows, pointers};
use crate::{Claim, Experiment, Finding, Runner, Shown, racecheck};
use isa::types::Dim3;
use kernels::RunError;
use kernels::matmul::{Barriers, Tiled, multiply};
use kernels::numbers::wholes;
use kernels::transpose::{entry, text, transposed};
use sim_core::check::{Finding as Found, HazardKind, Severity};
use sim_core::host::{Arg, Mode};

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "SIMT-12", show: tiles_without_a_barrier },
    Experiment { id: "SIMT-13", show: block_transpose },
];

/// Side of the tiles of SIMT-12, and width of its matrices.
const TILE: u32 = 16;
const WIDTH: u32 = 48;
/// Blocks of SIMT-13 in a row and in a column.
const BLOCKS: u32 = 3;

/// Runs the tiled product with some of its barriers. Returns what the race checker finds, and
/// whether the product is correct.
fn product(runner: &Runner, chip: &str, barriers: Barriers) -> Result<(Vec<Found>, bool), RunError> {
    let tiled = Tiled::new(TILE).barriers(barriers);
    let (words, text) = (WIDTH * WIDTH, tiled.text());
    let [left, right] = [1, 2].map(|stream| wholes(stream, words.into(), -8, 8));
    let shape = (Dim3::new(WIDTH / TILE, WIDTH / TILE, 1), tiled.block());
    let (races, out) =
        racecheck::checked(runner, chip, ("matmul_tiled.ptx", &text), &tiled.entry(), shape, |lab| {
            let (m, n) = (lab.upload(&bits(&left))?, lab.upload(&bits(&right))?);
            let p = lab.allocate(words.into())?;
            let mut args = pointers(&[m, n, p]);
            args.push(Arg::S32(WIDTH as i32));
            Ok((args, p, words as usize))
        })?;
    Ok((races, out == bits(&multiply(&left, &right, WIDTH as usize, WIDTH as usize))))
}

/// SIMT-12: both barriers of a phase are needed, each against a different hazard.
fn tiles_without_a_barrier(runner: &Runner, _: &Claim) -> Result<Shown, RunError> {
    let mut shown = Shown::new(format!(
        "the product of {WIDTH}x{WIDTH} matrices with 16x16 tiles, functional machine, every chip"
    ));
    for chip in CHIPS {
        let (races, right) = product(runner, chip, Barriers::Both)?;
        shown.find(Finding::exact(
            format!("{chip}, both barriers: races"),
            0,
            racecheck::of(&races, Severity::Error).len(),
        ));
        shown.find(Finding::exact(format!("{chip}, both barriers: correct"), true, right));
        let missing = [
            (Barriers::WithoutFirst, "without the first", HazardKind::Raw, ["st.shared", "ld.shared"]),
            (Barriers::WithoutSecond, "without the second", HazardKind::War, ["ld.shared", "st.shared"]),
        ];
        for (barriers, what, kind, order) in missing {
            let (races, _) = product(runner, chip, barriers)?;
            let found = racecheck::of(&races, Severity::Error);
            let named = !found.is_empty()
                && found.iter().all(|h| {
                    let lines = h.first.source.starts_with(order[0]) && h.second.source.starts_with(order[1]);
                    h.hazard == kind && lines && h.memory.offset().is_some_and(|(name, _)| name == "tiles")
                });
            let text = racecheck::list(&found);
            let expected = format!("{kind} hazards on the tile and no others, with both lines");
            shown.find(Finding::shape(format!("{chip}, {what}"), expected, text.clone(), named));
            if chip == CHIPS[0] {
                shown.because(format!("{what}: {text}."));
            }
        }
    }
    shown.because(
        "Only words of Ns pass between warps: the threads of a row of Ms are in one warp, whose lockstep orders them.",
    );
    Ok(shown)
}

/// Returns a matrix for a transpose with blocks of `side` x `side` words, its width, grid and
/// block.
fn matrix(side: u32) -> (Vec<u32>, u32, Dim3, Dim3) {
    let width = BLOCKS * side;
    let matrix: Vec<u32> = (0..width * width).map(|i| (i as f32).to_bits()).collect();
    (matrix, width, Dim3::new(BLOCKS, BLOCKS, 1), Dim3::new(side, side, 1))
}

/// Whether the transpose is correct.
fn right(runner: &Runner, (chip, mode): (&str, Mode), side: u32, barrier: bool) -> Result<bool, RunError> {
    let (matrix, width, grid, block) = matrix(side);
    let mut probe = Probe::new(runner, runner.chip(chip, &[])?, "block_transpose.ptx", &text(side, barrier))?;
    let a = probe.lab.upload(&matrix)?;
    let launch = probe.launch(entry(barrier), grid, block).args([Arg::Ptr(a), Arg::S32(width as i32)]);
    probe.run(&launch.mode(mode))?;
    Ok(probe.lab.download(a, matrix.len())? == transposed(&matrix, width as usize, side as usize))
}

/// Returns what the race checker finds.
fn races(runner: &Runner, chip: &str, side: u32, barrier: bool) -> Result<Vec<Found>, RunError> {
    let (matrix, width, grid, block) = matrix(side);
    let text = text(side, barrier);
    let file = ("block_transpose.ptx", text.as_str());
    let (races, _) = racecheck::checked(runner, chip, file, entry(barrier), (grid, block), |lab| {
        let a = lab.upload(&matrix)?;
        Ok((vec![Arg::Ptr(a), Arg::S32(width as i32)], a, 0))
    })?;
    Ok(races)
}

/// SIMT-13: a block of one warp is correct without the barrier; a larger one is not safe.
fn block_transpose(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [least, most] = claim.numbers(["least", "most"]).map(|n| n as u32);
    let [from, to, warp] = claim.numbers(["from", "to", "warp"]).map(|n| n as u32);
    let [racing] = claim.numbers(["racing"]).map(|n| n as u32);
    let sides = || least..=most.min(22);
    let mut shown = Shown::new(format!(
        "matrices of {BLOCKS}x{BLOCKS} blocks of {least}x{least} to {most}x{most} words on every chip, timed and functional"
    ));
    let floats = |sides: &[u32]| sides.iter().map(|side| f64::from(*side)).collect::<Vec<_>>();
    let all: Vec<u32> = sides().collect();
    // For each machine: the sizes that are correct with the barrier, and without.
    let found = Everywhere::run(&CHIPS, |machine| {
        let of = |barrier: bool| -> Result<Vec<u32>, RunError> {
            let mut list = Vec::new();
            for side in sides() {
                if right(runner, (machine.chip, machine.mode), side, barrier)? {
                    list.push(side);
                }
            }
            Ok(list)
        };
        Ok([of(true)?, of(false)?])
    })?;
    shown.find(found.exact_list("correct with the barrier, sizes", &floats(&all), |f| floats(&f[0])));
    let one_warp: Vec<u32> = (from..=to).collect();
    let small =
        |f: &[Vec<u32>; 2]| f[1].iter().copied().filter(|side| side * side <= warp).collect::<Vec<_>>();
    shown.find(found.exact_list("correct without the barrier, sizes of one warp", &floats(&one_warp), |f| {
        floats(&small(f))
    }));
    let larger = |f: &[Vec<u32>; 2]| {
        let lucky: Vec<u32> = f[1].iter().copied().filter(|side| side * side > warp).collect();
        if lucky.is_empty() { "none".to_owned() } else { list(&floats(&lucky)) }
    };
    shown.find(Finding::reported(
        "correct without the barrier, sizes of several warps",
        "by luck",
        found.in_words(larger),
    ));
    for chip in CHIPS {
        let (mut raced, mut within, mut with) = (Vec::new(), Vec::new(), 0);
        let mut found = None;
        for side in sides() {
            let races_without = races(runner, chip, side, false)?;
            if let Some(pair) = racecheck::of(&races_without, Severity::Error).first() {
                raced.push(side);
                found = found.or(Some((pair.hazard, racecheck::in_words(pair))));
            }
            if !racecheck::of(&races_without, Severity::Warning).is_empty() {
                within.push(side);
            }
            with += races(runner, chip, side, true)?.len();
        }
        let expected: Vec<u32> = (racing..=most).collect();
        shown.find(Finding::exact_list(format!("{chip}: races for"), &floats(&expected), &floats(&raced)));
        let lanes: Vec<f64> = floats(&all).into_iter().filter(|side| *side > 1.0).collect();
        shown.find(follows(
            format!("{chip}: warp-synchronous pairs in blocks of"),
            list(&lanes),
            list(&floats(&within)),
        ));
        shown.find(follows(format!("{chip}: hazards with the barrier"), 0, with));
        let raw = found.as_ref().is_some_and(|(kind, _)| *kind == HazardKind::Raw);
        let text = found.map_or("none".to_owned(), |(_, text)| text);
        shown.find(Finding::shape(format!("{chip}: the race"), "RAW, with both lines", text.clone(), raw));
        if chip == CHIPS[0] {
            shown.because(format!(
                "{text}; {to}x{to} threads fit into a warp of {warp}, {racing}x{racing} threads need two."
            ));
        }
    }
    Ok(shown)
}
