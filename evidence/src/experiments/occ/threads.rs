//! OCC-01 to OCC-04: occupancy by threads per block alone, for every compute capability.

use crate::residents::{blocks_in_words, resident, too_many_threads};
use crate::tools::ensure;
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use sim_core::config::Chip;
use sim_core::occupancy::rules::CAPABILITIES;
use sim_core::occupancy::{BlockNeeds, Occupancy, SmResources};

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "OCC-01", show: |runner, row| launched(runner, row, &["g80", "8800gt"]) },
    Experiment { id: "OCC-02", show: |runner, row| launched(runner, row, &["gt200"]) },
    Experiment { id: "OCC-03", show: |runner, row| launched(runner, row, &["fermi", "gtx460"]) },
    Experiment { id: "OCC-04", show: kepler },
];

/// Returns the threads per block of the claim.
fn threads(claim: &Claim) -> Vec<u32> {
    claim.list("threads").into_iter().map(|threads| threads as u32).collect()
}

/// Returns the expected occupancies in percent, with `refused` for the other blocks: the claim
/// calls them not launchable.
fn expected(claim: &Claim, blocks: usize) -> String {
    let percent = claim.list("percent").into_iter().map(|percent| Some(percent as u32));
    in_words(&percent.chain(std::iter::repeat(None)).take(blocks).collect::<Vec<_>>())
}

/// Text of the occupancies: `67, 100, refused`.
fn in_words(percent: &[Option<u32>]) -> String {
    let words = percent.iter().map(|p| p.map_or("refused".to_owned(), |p| p.to_string()));
    words.collect::<Vec<_>>().join(", ")
}

/// Runs the calculator for blocks that need only threads.
fn calculated(sm: &SmResources, threads: u32) -> Occupancy {
    sm.occupancy(BlockNeeds { threads, registers: 0, shared_bytes: 0 })
}

/// Returns the occupancy in whole percent, or `None` if the launch is refused.
fn percent(occupancy: &Occupancy) -> Option<u32> {
    let percent = (occupancy.occupancy * 100.0).round() as u32;
    occupancy.refusals.is_empty().then_some(percent)
}

/// Adds the calculator's answers for the SM of `whose`, and the reasons for all that are below 100
/// %.
fn calculate(shown: &mut Shown, whose: &str, sm: &SmResources, blocks: &[u32], expected: &str) {
    let answers: Vec<_> = blocks.iter().map(|threads| calculated(sm, *threads)).collect();
    let found = in_words(&answers.iter().map(percent).collect::<Vec<_>>());
    let what = format!("{whose}, by the calculator: % of the warp slots");
    shown.find(Finding::exact(what, expected.to_owned(), found));
    let short = answers.iter().filter(|answer| percent(answer).is_none_or(|percent| percent < 100));
    let reasons = short.map(|answer| {
        let threads = answer.needs.threads;
        if let Some(refusal) = answer.refusals.first() {
            return format!("{threads} threads: {refusal}");
        }
        let limiters: Vec<_> = answer.limiters.iter().map(|limiter| limiter.name()).collect();
        format!(
            "{threads} threads: {}, which is {} of {} warps, limited by {}",
            blocks_in_words(answer.blocks),
            answer.warps,
            sm.max_warps,
            limiters.join(" and ")
        )
    });
    shown.because(format!("{whose}: {}.", reasons.collect::<Vec<_>>().join("; ")));
}

/// Name of a board: `8800gt (cc 1.1)`.
fn board_in_words(chip: &Chip) -> String {
    format!("{} (cc {})", chip.name, chip.capability)
}

/// Returns the SM resources of a compute capability without a board.
fn without_board(capability: &str) -> Result<SmResources, RunError> {
    let rules = CAPABILITIES.into_iter().find(|rules| rules.capability.to_string() == capability);
    let unknown = || RunError::Chip(format!("there are no rules of compute capability {capability}"));
    rules.map(|rules| rules.sm).ok_or_else(unknown)
}

/// Tests a claim on a generation that can be simulated: with the calculator, and with launches on
/// those of `boards` that have the claim's compute capabilities. No board has 1.2.
fn launched(runner: &Runner, claim: &Claim, boards: &[&str]) -> Result<Shown, RunError> {
    let blocks = threads(claim);
    let expected = expected(claim, blocks.len());
    let capabilities = claim.numbers(["first", "second"]);
    let chips = boards.iter().map(|name| runner.chip(name, &[])).collect::<Result<Vec<_>, _>>()?;
    let mut shown = Shown::new(format!(
        "the occupancy calculator, and on {} a kernel whose blocks record when they are resident",
        boards.join(" and ")
    ));
    for capability in capabilities.map(|capability| format!("{capability:.1}")) {
        let Some(chip) = chips.iter().find(|chip| chip.capability.to_string() == capability) else {
            let whose = format!("cc {capability} (no simulated board)");
            calculate(&mut shown, &whose, &without_board(&capability)?, &blocks, &expected);
            continue;
        };
        let (whose, sm) = (board_in_words(chip), SmResources::of(chip));
        calculate(&mut shown, &whose, &sm, &blocks, &expected);
        let mut found = Vec::new();
        for threads in blocks.iter().copied() {
            if calculated(&sm, threads).refusals.is_empty() {
                found.push(percent(&resident(runner, chip, threads)?));
            } else {
                too_many_threads(runner, chip, threads)?;
                found.push(None);
            }
        }
        let what = format!("{whose}, launched: % of the warp slots of every SM");
        shown.find(Finding::exact(what, expected.clone(), in_words(&found)));
    }
    Ok(shown)
}

/// Compute capability 3.0, which has a calculator but no simulated machine.
fn kepler(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let blocks = threads(claim);
    let expected = expected(claim, blocks.len());
    let [capability] = claim.numbers(["capability"]);
    let chip = runner.chip("kepler", &[])?;
    let mut shown = Shown::new("the occupancy calculator: no program runs on this chip");
    let of_chip = chip.capability.to_string();
    ensure(of_chip == format!("{capability:.1}"), format!("kepler is of compute capability {of_chip}"))?;
    calculate(&mut shown, &board_in_words(&chip), &SmResources::of(&chip), &blocks, &expected);
    Ok(shown)
}
