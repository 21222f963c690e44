//! SIMT-10: barriers in both arms of a divergent branch.

use crate::machines::{CHIPS, Everywhere, Machine};
use crate::probe::UNTOUCHED;
use crate::{Claim, Experiment, Finding, Runner, Shown};
use isa::Options;
use kernels::RunError;
use sim_core::host::{Arg, BarrierRule, Launch, Mode};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::{Doing, StuckClass};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "SIMT-10", show: both_arms }];

const BARRIERS: &str = include_str!("../../../../../kernels/ptx/book/barriers.ptx");
const THREADS: u32 = 64;
/// Lanes of the lower half of a warp, and of the upper one.
const HALVES: [u32; 2] = [0xffff, 0xffff_0000];

/// Returns the lines (from 1) of the barriers of a kernel.
fn lines(entry: &str) -> Vec<u32> {
    let numbered =
        BARRIERS.lines().zip(1..).skip_while(|(line, _)| !line.contains(&format!("entry {entry} ")));
    let body = numbered.take_while(|(line, _)| !line.trim_start().starts_with('}'));
    body.filter(|(line, _)| line.contains("bar.sync")).map(|(_, number)| number).collect()
}

/// Runs one block of two warps with either barrier rule, to any end.
fn run(
    runner: &Runner,
    machine: Machine,
    entry: &str,
    rule: BarrierRule,
) -> Result<(Report, Vec<u32>), RunError> {
    let chip = runner.chip(machine.chip, &[])?;
    let mut lab = kernels::lab::Lab::on(runner.gpu(chip), "barriers.ptx", BARRIERS, Options::default())?;
    let out = lab.upload(&[UNTOUCHED; THREADS as usize])?;
    let launch = Launch::new(lab.module, entry, 1, THREADS).args([Arg::Ptr(out)]).mode(machine.mode);
    let report = lab.gpu.launch(&launch.barriers(rule).options(runner.options()))?;
    Ok((report, lab.download(out, THREADS as usize)?))
}

/// Number of a barrier, if it is an immediate of the instruction.
fn numbered(barrier: Option<u32>) -> String {
    barrier.map_or("in a register".to_owned(), |number| number.to_string())
}

/// Describes a launch that stopped at a divergent barrier: line and lanes of the barrier, and of
/// the other lanes.
fn stopped(machine: Machine, (report, out): &(Report, Vec<u32>)) -> String {
    let Verdict::Trapped { trap } = &report.verdict else { return format!("{:?}", report.verdict) };
    let Some(divergent) = &trap.divergent else { return trap.message.clone() };
    let elsewhere = divergent.elsewhere.iter().map(|other| {
        let ahead: Vec<String> =
            other.ahead.iter().map(|(n, line)| format!("{} at line {line}", numbered(*n))).collect();
        format!("lanes {:#010x} at line {}, ahead of barrier {}", other.lanes, other.line, ahead.join(", "))
    });
    let written = out.iter().any(|word| *word != UNTOUCHED);
    // Functional mode stops at the first warp; in timed mode the other warp reaches the
    // barrier, too.
    let warps = if machine.mode == Mode::Timed { &[0, 1][..] } else { &[0] };
    format!(
        "barrier {} at line {}: lanes {:#010x}; {}{}{}",
        divergent.barrier,
        trap.line,
        trap.lanes,
        elsewhere.collect::<Vec<_>>().join("; "),
        if divergent.warps == warps && warps.contains(&trap.warp) { "" } else { "; wrong warps" },
        if written { "; but something was written" } else { "" },
    )
}

/// Describes a hang: its class, and for each warp the lines at which its lanes wait.
fn hanging(report: &Report) -> String {
    let Verdict::Hung { stuck, .. } = &report.verdict else { return format!("{:?}", report.verdict) };
    if stuck.class != StuckClass::Barrier {
        return format!("{:?}", stuck.class);
    }
    let warps = stuck.warps.iter().map(|warp| {
        let barrier = match warp.doing {
            Doing::Barrier { barrier } => barrier.to_string(),
            _ => "none".to_owned(),
        };
        let others = warp
            .others
            .iter()
            .map(|o| format!(" ({:#010x} at line {}, arrived: {})", o.lanes, o.line, o.arrived));
        let others = others.collect::<String>();
        format!("warp {} {:#010x} at barrier {barrier}, line {}{others}", warp.warp, warp.lanes, warp.line)
    });
    let barriers: Vec<String> = stuck.barriers.iter().map(|b| b.barrier.to_string()).collect();
    format!("{}; barriers {}", warps.collect::<Vec<_>>().join("; "), barriers.join(", "))
}

/// Tests: `partial-warps-at-barriers`.
fn both_arms(runner: &Runner, _: &Claim) -> Result<Shown, RunError> {
    let mut shown = Shown::new(format!(
        "a block of {THREADS} threads whose halves of a warp take different arms, every chip, timed and functional"
    ));
    let [strict, hardware] = [BarrierRule::Strict, BarrierRule::Hardware];
    let [upper, lower] = lines("both_arms")[..] else {
        return Err(RunError::Wrong("`both_arms` does not have two barriers".to_owned()));
    };

    let found = Everywhere::run(&CHIPS, |machine| Ok((machine, run(runner, machine, "both_arms", strict)?)))?;
    let named = format!(
        "barrier 0 at line {lower}: lanes {:#010x}; lanes {:#010x} at line {upper}, ahead of barrier 0 at line {upper}",
        HALVES[0], HALVES[1]
    );
    shown.find(
        found.exact("with the programming model's rule: stopped", named, |(machine, ran)| {
            stopped(*machine, ran)
        }),
    );

    let found = Everywhere::run(&CHIPS, |machine| run(runner, machine, "both_arms", hardware))?;
    let ends = |ran: &(Report, Vec<u32>)| {
        ran.0.verdict.is_finished() && ran.0.launch.barriers == BarrierRule::Hardware
    };
    shown.find(found.exact("with barriers that count warps: runs to its end", true, ends));
    let wrong = |ran: &(Report, Vec<u32>)| {
        ran.1.iter().enumerate().filter(|(t, word)| **word != if t % 32 < 16 { 2 } else { 1 }).count()
    };
    shown.find(found.exact("wrong results of this run", 0, wrong));
    shown.find(found.exact("barriers of this run: two per warp", 4, |ran| ran.0.control.barriers));

    // Warp 0 diverges, and each half reaches one barrier; warp 1 reaches two. The halves pair with
    // those two.
    let found = Everywhere::run(&CHIPS, |machine| run(runner, machine, "halves", hardware))?;
    let cells = |ran: &(Report, Vec<u32>)| ran.1[..5].iter().map(|word| f64::from(*word)).collect::<Vec<_>>();
    let stages = [1.0, 1.0, 0.0, 1.0, 1.0];
    shown.find(found.exact_list(
        "halves that pair with two barriers of the other warp see its stages",
        &stages,
        cells,
    ));
    shown.find(found.exact("barriers until they end", 4, |ran| {
        if ran.0.verdict.is_finished() { ran.0.control.barriers } else { 0 }
    }));

    let at = lines("apart");
    let found = Everywhere::run(&CHIPS, |machine| {
        let (hung, _) = run(runner, machine, "apart", hardware)?;
        let (refused, _) = run(runner, machine, "apart", strict)?;
        Ok((hanging(&hung), matches!(refused.verdict, Verdict::Trapped { .. })))
    })?;
    let [first, second, third] = at[..] else {
        return Err(RunError::Wrong("`apart` does not have three barriers".to_owned()));
    };
    let expected = format!(
        "warp 0 {:#010x} at barrier 1, line {second} ({:#010x} at line {first}, arrived: false); \
         warp 1 0xffffffff at barrier 2, line {third}; barriers 1, 2",
        HALVES[0], HALVES[1]
    );
    shown.find(found.exact(
        "barriers that can never complete: a hang, with the waiting warps and lines",
        expected,
        |f| f.0.clone(),
    ));
    shown.find(Finding::shape(
        "the same with the programming model's rule",
        "stopped as a divergent barrier",
        found.in_words(|f| if f.1 { "stopped" } else { "not stopped" }.to_owned()),
        found.iter().all(|(_, f)| f.1),
    ));
    shown.because(
        "The two halves of a warp run one after the other, so the half at its barrier cannot wait for the other half: in the \
         programming model all threads of a block wait at one barrier, but the hardware counts warps.",
    );
    Ok(shown)
}
