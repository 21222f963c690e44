//! OCC-07, OCC-08, OCC-09, OCC-14: block slots limit the same number of threads in smaller blocks;
//! limits of warps and of the whole chip.

use crate::RunError;
use crate::book::residents::{limits_in_words, resident, resident_blocks};
use crate::book::{Claim, Experiment, Finding, Runner, Shown, tools};
use sim_core::occupancy::Occupancy;

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "OCC-07", show: the_same_threads },
    Experiment { id: "OCC-08", show: the_whole_chip },
    Experiment { id: "OCC-09", show: warps_of_blocks },
    Experiment { id: "OCC-14", show: smaller_blocks },
];

/// Sentence on a launch: `Blocks of 256 threads, limits: …`.
fn sentence(occupancy: &Occupancy) -> String {
    format!("Blocks of {} threads, {}.", occupancy.needs.threads, limits_in_words(occupancy))
}

/// OCC-07: 1,024 threads in 4, 8 and 16 blocks on the GT200.
fn the_same_threads(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let chip = runner.chip("gt200", &[])?;
    let [n1, t1, n2, t2, n3, t3] = claim.read("{}x{}, {}x{}, {}x{}")?;
    let [b1, b2, b3, wanted] = claim.read("{} blocks; {} blocks; only {} of the {} fit")?;
    let mut shown = Shown::new("on gt200 a kernel whose blocks record when they are resident");
    for (blocks, threads, expected) in [(n1, t1, b1), (n2, t2, b2), (n3, t3, b3)] {
        let occupancy = resident(runner, &chip, threads as u32)?;
        let what = format!("{blocks} blocks of {threads} threads: resident");
        shown.find(Finding::exact(what, expected, occupancy.blocks.into()));
        shown.because(sentence(&occupancy));
        if blocks as u32 == wanted as u32 {
            let by_threads = f64::from(occupancy.limits.warps);
            shown.find(Finding::exact("as many as the threads alone would allow", wanted, by_threads));
            let slots = occupancy.limits.block_slots;
            let holds = slots == occupancy.blocks && slots < occupancy.limits.warps;
            shown.find(Finding::shape("block slots limit them", "yes", limits_in_words(&occupancy), holds));
        }
    }
    Ok(shown)
}

/// OCC-08: blocks and threads on all SMs together.
fn the_whole_chip(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [blocks, threads, of_g80] = claim.read("{} resident blocks at most and {} threads; {} threads")?;
    let mut shown = Shown::new(
        "on gt200 and g80 a kernel whose blocks record when they are resident, on all SMs together",
    );
    let gt200 = runner.chip("gt200", &[])?;
    let full = resident_blocks(runner, &gt200, 128, |_| ())?;
    shown.find(Finding::exact("gt200, blocks of 128: blocks", blocks, full.chip.into()));
    shown.find(Finding::exact("gt200, blocks of 128: threads", threads, f64::from(full.chip * 128)));
    // Smaller blocks do not increase the number of blocks.
    let half = resident_blocks(runner, &gt200, 64, |_| ())?;
    shown.find(Finding::exact("gt200, blocks of 64: blocks, the same number", blocks, half.chip.into()));
    shown.find(Finding::exact(
        "gt200, blocks of 64: threads, half as many",
        threads / 2.0,
        f64::from(half.chip * 64),
    ));
    let g80 = runner.chip("g80", &[])?;
    let all = resident_blocks(runner, &g80, 96, |_| ())?;
    shown.find(Finding::exact("g80, blocks of 96: threads", of_g80, f64::from(all.chip * 96)));
    for (chip, count) in [(&gt200, &full), (&g80, &all)] {
        shown.because(format!(
            "{}: {} SMs hold {} blocks of {} threads each.",
            chip.name,
            tools::sms(chip),
            count.per_sm,
            count.occupancy.needs.threads
        ));
    }
    Ok(shown)
}

/// OCC-09: blocks of 256 threads are 8 warps each.
fn warps_of_blocks(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [blocks, threads] = claim.read("{} blocks of {}")?;
    let [most_of_g80] = claim.read("{} warps = the most G80 holds")?;
    let [most_of_gt200] = claim.read("GT200 holds {}")?;
    let mut shown = Shown::new("on g80 and gt200 a kernel whose blocks record when they are resident");
    for (name, most) in [("g80", most_of_g80), ("gt200", most_of_gt200)] {
        let chip = runner.chip(name, &[])?;
        let occupancy = resident(runner, &chip, threads as u32)?;
        if name == "g80" {
            shown.find(Finding::exact("g80: blocks", blocks, occupancy.blocks.into()));
        }
        shown.find(Finding::exact(format!("{name}: warps"), most, occupancy.warps.into()));
        let what = format!("{name}: warp slots of an SM");
        shown.find(Finding::exact(what, most, chip.sm.max_warps.into()));
        let (each, all) = (occupancy.warps_per_block, occupancy.warps);
        shown.because(format!("{name}: {} blocks of {each} warps are {all}.", occupancy.blocks));
    }
    Ok(shown)
}

/// OCC-14: 256, 128 and 64 threads per block on the GT200.
fn smaller_blocks(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let chip = runner.chip("gt200", &[])?;
    let sizes = claim.list("threads/block")?;
    let expected = claim.list("blocks;")?;
    let [filled, slots] = claim.read("fills {} of {} slots")?;
    let mut shown = Shown::new("on gt200 a kernel whose blocks record when they are resident");
    let answers = sizes.iter().map(|threads| resident(runner, &chip, *threads as u32));
    let answers = answers.collect::<Result<Vec<_>, _>>()?;
    let blocks: Vec<f64> = answers.iter().map(|answer| answer.blocks.into()).collect();
    shown.find(Finding::exact_list("blocks", &expected, &blocks));
    shown.find(Finding::exact("thread slots of an SM", slots, chip.sm.max_threads.into()));
    let (last, before) =
        answers.split_last().ok_or_else(|| RunError::Wrong("no sizes of blocks".to_owned()))?;
    let full = before.iter().map(|answer| f64::from(answer.threads)).collect::<Vec<_>>();
    shown.find(Finding::exact_list("threads of the others, all slots", &vec![slots; full.len()], &full));
    shown.find(Finding::exact("threads of the last", filled, last.threads.into()));
    for answer in &answers {
        shown.because(sentence(answer));
    }
    Ok(shown)
}
