//! OCC-01 to OCC-04: occupancy by threads per block alone, for every compute capability.

use crate::RunError;
use crate::book::claims_table;
use crate::book::residents::{blocks_in_words, resident, too_many_threads};
use crate::book::tools::ensure;
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use sim_core::config::Chip;
use sim_core::occupancy::rules::CAPABILITIES;
use sim_core::occupancy::{BlockNeeds, Occupancy, SmResources};

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "OCC-01", show: |runner, row| launched(runner, row, &["g80", "8800gt"]) },
    Experiment { id: "OCC-02", show: |runner, row| launched(runner, row, &["gt200"]) },
    Experiment { id: "OCC-03", show: |runner, row| launched(runner, row, &["fermi", "gtx460"]) },
    Experiment { id: "OCC-04", show: kepler },
];

/// Threads per block: those of the row, or of the first row where it says `same`.
fn threads(claim: &Claim) -> Result<Vec<u32>, RunError> {
    let listed = match claim.says("same") {
        Ok(()) => claims_table::claim("OCC-01").unwrap_or(claim),
        Err(_) => claim,
    };
    Ok(listed.list("; registers")?.into_iter().map(|threads| threads as u32).collect())
}

/// Occupancies in percent, and `refused` as often as the row's text says that a block cannot be
/// launched.
fn expected(claim: &Claim, blocks: usize) -> Result<String, RunError> {
    let refused = claim.count("not launchable") + claim.count("n/a");
    let percent = claim.list("%")?.into_iter().map(|percent| Some(percent as u32));
    let all: Vec<_> = percent.chain(std::iter::repeat_n(None, refused)).collect();
    if all.len() != blocks {
        let pattern = format!("as many answers ({}) as there are blocks ({blocks})", all.len());
        return Err(RunError::ClaimsTable { claim: claim.id.clone(), pattern });
    }
    Ok(in_words(&all))
}

/// `67, 100, refused`.
fn in_words(percent: &[Option<u32>]) -> String {
    let words = percent.iter().map(|p| p.map_or("refused".to_owned(), |p| p.to_string()));
    words.collect::<Vec<_>>().join(", ")
}

/// The calculator's answer for blocks that need nothing but threads.
fn calculated(sm: &SmResources, threads: u32) -> Occupancy {
    sm.occupancy(BlockNeeds { threads, registers: 0, shared_bytes: 0 })
}

/// Whole percent, of what is not refused.
fn percent(occupancy: &Occupancy) -> Option<u32> {
    let percent = (occupancy.occupancy * 100.0).round() as u32;
    occupancy.refusals.is_empty().then_some(percent)
}

/// Adds the calculator's answers for the SM of `whose`, and why they are not all 100.
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

/// `8800gt (cc 1.1)`.
fn board_in_words(chip: &Chip) -> String {
    format!("{} (cc {})", chip.name, chip.capability)
}

/// What an SM of a compute capability has, of which there is no board.
fn without_board(capability: &str) -> Result<SmResources, RunError> {
    let rules = CAPABILITIES.into_iter().find(|rules| rules.capability.to_string() == capability);
    let unknown = || RunError::Chip(format!("there are no rules of compute capability {capability}"));
    rules.map(|rules| rules.sm).ok_or_else(unknown)
}

/// A row whose generation has a machine: by the calculator, and by what each SM of a launch holds
/// on those of `boards` that are of the row's compute capabilities. None is of 1.2.
fn launched(runner: &Runner, claim: &Claim, boards: &[&str]) -> Result<Shown, RunError> {
    let blocks = threads(claim)?;
    let expected = expected(claim, blocks.len())?;
    let capabilities = claim.read::<2>("cc {} and {}")?;
    let chips = boards.iter().map(|name| runner.chip(name, &[])).collect::<Result<Vec<_>, _>>()?;
    let mut shown = Shown::new(format!(
        "the occupancy calculator, and on {} a kernel whose blocks note who is resident",
        boards.join(" and ")
    ));
    for capability in capabilities.map(|capability| format!("{capability:.1}")) {
        let Some(chip) = chips.iter().find(|chip| chip.capability.to_string() == capability) else {
            let whose = format!("cc {capability}, of which there is no board here");
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

/// Compute capability 3.0, of which there is a calculator and no machine.
fn kepler(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let blocks = threads(claim)?;
    let expected = expected(claim, blocks.len())?;
    let [capability] = claim.read::<1>("cc {} (occupancy only)")?;
    let chip = runner.chip("kepler", &[])?;
    let mut shown = Shown::new("the occupancy calculator: no program runs on this chip");
    let of_chip = chip.capability.to_string();
    ensure(of_chip == format!("{capability:.1}"), format!("kepler is of compute capability {of_chip}"))?;
    calculate(&mut shown, &board_in_words(&chip), &SmResources::of(&chip), &blocks, &expected);
    Ok(shown)
}
