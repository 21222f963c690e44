//! Rules that compare runs: of two machines, of two scheduling policies (differential), of a launch
//! and a changed one (metamorphic). Each returns a [`Failure`] that can be searched for and made
//! small like a broken rule of one run.
//!
//! They hold for *ordered* launches (docs/MODEL.md), as the generated ones are. A kernel that was
//! made smaller may lose its order: [`timing_changes_no_result`] of the plain simulator tells.

use crate::example::{Buffer, Example, Failure};
use crate::rule::Violation;
use sim_core::host::{Mode, RunOptions};
use sim_core::scheduler::OwnScheduler;

/// The failure of `example`.
fn broken(example: &Example, property: &'static str, sentence: &'static str, found: String) -> Failure {
    Failure::Broken(Box::new(Violation {
        property,
        sentence,
        policy: None,
        settings: Some(example.chip.sets.clone()),
        sm: None,
        cycle: 0,
        found,
        events: Vec::new(),
    }))
}

/// The first byte that differs.
fn difference(a: &[Buffer], b: &[Buffer]) -> Option<String> {
    a.iter().zip(b).find_map(|(a, b)| {
        let at = a.bytes.iter().zip(&b.bytes).position(|(a, b)| a != b)?;
        Some(format!("byte {at} of `{}` is {:#04x} and {:#04x}", a.name, a.bytes[at], b.bytes[at]))
    })
}

/// A timed run with `options` leaves the same bytes as the functional machine.
pub fn timing_changes_no_result(example: &Example, options: RunOptions) -> Result<(), Failure> {
    let functional = example.run(Mode::Functional, RunOptions::default())?;
    let timed = example.run(Mode::Timed, options)?;
    match difference(&timed.buffers, &functional.buffers) {
        None => Ok(()),
        Some(found) => Err(broken(
            example,
            "results",
            "A timed run leaves the same bytes as the functional machine.",
            found,
        )),
    }
}

/// Under two policies the results are the same, and the times within `factor`.
pub fn policies_agree(
    example: &Example,
    a: &OwnScheduler,
    b: &OwnScheduler,
    factor: f64,
) -> Result<(), Failure> {
    let run = |own: &OwnScheduler| example.under(own.clone()).run(Mode::Timed, RunOptions::default());
    let (first, second) = (run(a)?, run(b)?);
    if let Some(found) = difference(&first.buffers, &second.buffers) {
        return Err(broken(example, "policies agree", "A scheduling policy changes no result.", found));
    }
    let (long, short) = (first.cycles.max(second.cycles), first.cycles.min(second.cycles));
    if long as f64 > short as f64 * factor {
        let found = format!(
            "{} cycles under {}, {} under {}: more than a factor of {factor}",
            first.cycles,
            a.name(),
            second.cycles,
            b.name()
        );
        return Err(broken(
            example,
            "times agree",
            "The times under two policies are within a factor.",
            found,
        ));
    }
    Ok(())
}

/// Twice as many warp and thread slots never lower the number of blocks that an SM holds.
pub fn more_slots_keep_the_occupancy(example: &Example) -> Result<(), Failure> {
    let chip = example.chip.checked().map_err(Failure::Invalid)?;
    let (warps, threads) = ((2 * chip.sm.max_warps).min(64), (2 * chip.sm.max_threads).min(2048));
    let mut more = example.clone();
    more.chip =
        more.chip.with(&[("sm.max_warps", &warps.to_string()), ("sm.max_threads", &threads.to_string())]);
    let run = |example: &Example| example.run(Mode::Timed, RunOptions::default());
    let (before, after) = (run(example)?.blocks_per_sm, run(&more)?.blocks_per_sm);
    if after >= before {
        return Ok(());
    }
    let found = format!("{before} blocks with {} warp slots, {after} with {warps}", chip.sm.max_warps);
    Err(broken(example, "more slots", "More warp slots never lower the occupancy.", found))
}

/// Twice the latency of every instruction class and of barriers never makes a launch faster by more
/// than `tolerance` (0.02: 2 %). Without a tolerance this does not hold: other times change the
/// order in which warps use what they share.
pub fn longer_latencies_take_longer(example: &Example, tolerance: f64) -> Result<(), Failure> {
    let chip = example.chip.checked().map_err(Failure::Invalid)?;
    let class = |class: isa::uop::Class| {
        let latency = 2 * chip.sm.classes[class as usize].latency;
        (format!("sm.classes.{}.latency", class.name()), latency.to_string())
    };
    let mut slow = example.clone();
    slow.chip.sets.extend(isa::uop::Class::ALL.into_iter().map(class));
    slow.chip.sets.push(("sm.barrier_cycles".to_owned(), (2 * chip.sm.barrier_cycles).to_string()));
    let run = |example: &Example| example.run(Mode::Timed, RunOptions::default());
    let (before, after) = (run(example)?.cycles, run(&slow)?.cycles);
    if after as f64 >= before as f64 * (1.0 - tolerance) {
        return Ok(());
    }
    let found = format!("{before} cycles, {after} with twice the latencies");
    Err(broken(
        example,
        "longer latencies",
        "Longer latencies never raise the instructions per cycle.",
        found,
    ))
}

/// The order in which blocks start changes no result: blocks in reverse order leave the same bytes.
/// The kernel reads its block index once, into `%cta`, as generated kernels do.
pub fn block_order_changes_nothing(example: &Example) -> Result<(), Failure> {
    let line = "mov.u32 %cta, %ctaid.x;";
    let last = example.blocks - 1;
    let reversed = format!("{line}\nsub.u32 %cta, {last}, %cta;");
    let other = Example { text: example.text.replacen(line, &reversed, 1), ..example.clone() };
    let run = |example: &Example| example.run(Mode::Timed, RunOptions::default());
    match difference(&run(example)?.buffers, &run(&other)?.buffers) {
        None => Ok(()),
        Some(found) => {
            Err(broken(example, "order of blocks", "The order of the blocks changes no result.", found))
        }
    }
}
