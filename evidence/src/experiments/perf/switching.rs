//! PERF-19: switching between warps has no overhead.

use crate::tools::{distinct, empty_slots, ensure, pointers, timing};
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use sim_core::host::Launch;
use sim_core::stats::WarpState;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "PERF-19", show: zero_overhead }];

const CHAIN: &str = include_str!("../../../../kernels/ptx/book/chain.ptx");
/// Additions of the shorter chain, and additional ones of the longer chain.
const SHORT: u64 = 40;
const MORE: u64 = 100;

/// Use of the issue cycles during which an SM held a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slots {
    /// Issue cycles during which the SM held the block.
    active: u64,
    /// Slots that issued.
    issued: u64,
    /// Slots that were empty because every warp waited for its own last addition.
    waiting: u64,
    /// Slots that were empty, serialized or replayed for any other reason while the block was
    /// resident.
    other: u64,
}

impl Slots {
    fn in_words(self) -> String {
        let Self { active, issued, waiting, other } = self;
        format!("{active}: {issued} issue, {waiting} wait, {other} lost")
    }
}

/// Runs one block of `warps` warps, each with a chain of `length` dependent additions, with a
/// scheduling policy.
fn run(runner: &Runner, policy: &str, warps: u64, length: u64) -> Result<Slots, RunError> {
    let chip = runner.chip("g80", &[("scheduler", policy)])?;
    let text = CHAIN.replace("// CHAIN", &"add.f32 %v, %v, 0f3f800000;\n\t".repeat(length as usize));
    let mut lab = runner.lab(chip, "chain.ptx", &text)?;
    let threads = 32 * warps as u32;
    let out = lab.allocate(threads.into())?;
    let report = lab.balanced(&Launch::new(lab.module, "chain", 1, threads).args(pointers(&[out])))?;
    let expected: Vec<u32> = (0..threads).map(|t| ((u64::from(t) + length) as f32).to_bits()).collect();
    ensure(
        lab.download(out, threads as usize)? == expected,
        format!("wrong sums of {warps} warps with {policy}"),
    )?;
    let slots = &timing(&report).slots.outcomes;
    let busy: Vec<_> = timing(&report).sms.iter().filter(|sm| sm.blocks > 0).collect();
    let [sm] = busy[..] else { return Err(RunError::Wrong("the block runs on several SMs".to_owned())) };
    let waiting = empty_slots(&report, WarpState::ExecutionDependency);
    let (empty, replays) = (slots.empty.total(), slots.replays());
    let active = sm.active_issue_cycles;
    ensure(
        slots.issued + slots.held + replays + empty == active,
        "slots do not add up to the SM's issue cycles",
    )?;
    Ok(Slots { active, issued: slots.issued, waiting, other: slots.held + replays + empty - waiting })
}

/// Difference between the longer and the shorter chain: the overhead of the kernel cancels out.
fn difference(runner: &Runner, policy: &str, warps: u64) -> Result<Slots, RunError> {
    let (short, long) = (run(runner, policy, warps, SHORT)?, run(runner, policy, warps, SHORT + MORE)?);
    Ok(Slots {
        active: long.active - short.active,
        issued: long.issued - short.issued,
        waiting: long.waiting - short.waiting,
        other: long.other - short.other,
    })
}

/// A warp with dependent instructions issues in one of `latency / issue` issue cycles. W such warps
/// fill W of these slots; with more warps every slot issues, and the time grows with the number of
/// warps. The G80 uses loose round robin. Up to that number of warps all policies are equal; above
/// it an unfair policy lets additional warps starve until the first ones are done.
fn zero_overhead(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [latency, issue, enough] = claim.numbers(["latency", "issue", "enough"]);
    let full = enough as u64;
    let mut shown = Shown::new(format!(
        "{MORE} more dependent additions in each warp of a block on a G80, 1 to {} warps: additional issue cycles",
        2 * full
    ));
    let expected = |warps: u64| Slots {
        active: warps.max(full) * MORE,
        issued: warps * MORE,
        waiting: full.saturating_sub(warps) * MORE,
        other: 0,
    };
    let one = difference(runner, "lrr", 1)?;
    let cycles = one.active as f64 / MORE as f64 * issue;
    shown.find(Finding::exact("shader cycles from an addition to the next", latency, cycles));
    let (mut lost, mut nearly) = (0, one);
    for warps in 1..=2 * full {
        let found = difference(runner, "lrr", warps)?;
        lost += found.other;
        if warps + 1 == full {
            nearly = found;
        }
        let what = format!("lrr, {warps} warps");
        shown.find(Finding::exact(what, expected(warps).in_words(), found.in_words()));
        // Issued slots per issue cycle: `warps` of `full`, then all.
        let share = found.issued * full == found.active * warps.min(full);
        ensure(share, format!("wrong throughput of {warps} warps"))?;
    }
    for policy in ["oldest", "gto", "priority"] {
        let (mut wanted, mut found) = (Vec::new(), Vec::new());
        for warps in 1..=full {
            wanted.push(format!("{warps} warps: {}", expected(warps).in_words()));
            found.push(format!("{warps} warps: {}", difference(runner, policy, warps)?.in_words()));
        }
        let what = format!("{policy}, 1 to {full} warps");
        let same = wanted == found;
        let words = if same { "as lrr".to_owned() } else { distinct(found) };
        shown.find(Finding::shape(what, "as lrr", words, same));
    }
    shown.because(format!(
        "An addition takes {latency} cycles and a warp instruction issues in {issue}: with {} warps {} of {} issue \
         cycles issue, with {full} warps all of them; switches between warps lose {lost}.",
        full.saturating_sub(1),
        nearly.issued,
        nearly.active
    ));
    Ok(shown)
}
