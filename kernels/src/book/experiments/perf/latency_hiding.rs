//! PERF-06: number of warps that hide a latency, by the instructions between a load and its use.

use crate::RunError;
use crate::book::chain::Chain;
use crate::book::{Claim, Experiment, Finding, Runner, Shown};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "PERF-06", show: warps_that_hide_a_latency }];

/// Smallest share of used issue slots of a busy SM.
const BUSY: f64 = 0.98;

/// Runs chains of loads with the claim's latency and a number of instructions per load. The next
/// load is the use, because its address is the loaded value. The sweep is over the warps of a
/// block.
fn warps_that_hide_a_latency(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [latency, few, many, issue] = claim.read(
        "{}-cycle latency, {} or {} independent instructions between load and use, {} cycles per warp instruction",
    )?;
    let [least, most, with_many] = claim.read("about {}-{} and {} (")?;
    let class = format!("(unit: \"lsu\", slots: 1, latency: {latency})");
    let chip = runner.chip("g80", &[("sm.classes.ld_shared", &class)])?;
    let mut shown = Shown::new(format!(
        "chains of loads in 1 to 16 warps, on a G80 whose loads from shared memory are set to take {latency} cycles"
    ));
    let most_warps = chip.limits.threads_per_block / 32;
    let chain = Chain::on(chip);
    for instructions in [few, many] {
        let body =
            format!("ld.shared.u32 %p, [%p]; {}", "add.u32 %i, %j, %k; ".repeat(instructions as usize - 1));
        // Share of the slots that issue.
        let shares = (1..=most_warps)
            .map(|warps| {
                let slots = chain.warps(warps).cycles(&body, 40)? / issue;
                Ok(instructions * f64::from(warps) / slots)
            })
            .collect::<Result<Vec<f64>, RunError>>()?;
        let alone = instructions * issue / shares[0];
        shown.find(Finding::shape(
            format!("{instructions} instructions: cycles from load to load of one warp"),
            format!("{latency}, within a cycle"),
            format!("{alone:.2}"),
            (alone - latency).abs() < 1.0,
        ));
        let enough =
            shares.iter().position(|share| *share > BUSY).map_or(f64::INFINITY, |at| (at + 1) as f64);
        let what = format!("{instructions} instructions: warps that keep the SM busy");
        shown.find(if instructions > few {
            Finding::exact(what, with_many, enough)
        } else {
            let expected = format!("{least} or {most}");
            Finding::shape(what, expected, enough.to_string(), (least..=most).contains(&enough))
        });
        let rising = shares.windows(2).all(|pair| pair[0] < pair[1] || pair[1] > BUSY);
        shown.find(Finding::shape(
            format!("{instructions} instructions: each additional warp helps until then"),
            "yes",
            if rising { "yes" } else { "no" },
            rising,
        ));
        let percent = |warps: f64| {
            let share = (warps as usize).checked_sub(1).and_then(|at| shares.get(at));
            share.map_or_else(|| "none".to_owned(), |share| format!("{:.1} %", 100.0 * share))
        };
        shown.because(format!(
            "{latency} cycles are {} times the {} that {instructions} instructions take to issue, so {enough} warps are \
             enough: {} of the slots issue with {} warps, {} with {enough}.",
            latency / (instructions * issue),
            instructions * issue,
            percent(enough - 1.0),
            enough - 1.0,
            percent(enough)
        ));
    }
    Ok(shown)
}
