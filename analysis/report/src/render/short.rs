//! The default report: the answer first, on about 25 lines.

use super::checks::{self, Check};
use super::number::{count, fixed, percent, plural, rate, whole};
use super::rows::{INDENT, Rows, cut};
use super::{text, verdict};
use crate::known;
use crate::mangled;
use crate::outcome::{self, RunResult};
use crate::provenance::Provenance;
use crate::why::limited_by_copies;
use isa::source::Files;
use isa::terms::Terms;
use sim_core::host::timeline::Timeline;
use sim_core::host::{BarrierRule, MemoryRule};
use sim_core::stats::Report;
use sim_core::stats::WarpState;
use sim_core::stats::limits::LimitReport;
use sim_core::stats::report::TimingReport;
use std::fmt::Write as _;

/// Default width of a line.
pub const WIDTH: usize = 80;
/// Length of the longest bar.
const BAR: f64 = 30.0;
/// Number of stalls and of source lines.
const TOP: usize = 3;

/// Returns the short report of a run, `width` characters wide.
pub fn render(outcome: &RunResult, timeline: &Timeline, provenance: &Provenance, width: usize) -> String {
    page(outcome, timeline, provenance, (width, true))
}

/// Returns the short report of launches by a program that compares their results itself: without
/// the rows about expected results and about options of the command line.
pub fn of_launches(
    outcome: &RunResult,
    timeline: &Timeline,
    provenance: &Provenance,
    width: usize,
) -> String {
    page(outcome, timeline, provenance, (width, false))
}

fn page(
    outcome: &RunResult,
    timeline: &Timeline,
    provenance: &Provenance,
    (width, is_command): (usize, bool),
) -> String {
    let mut page = Rows { text: String::new(), width };
    let Some(place) = outcome::shown(&outcome.reports) else { return text::check(outcome, width) };
    let shown = &outcome.reports[place];
    // The answer for a launch that did not finish is how it ended.
    if !shown.verdict.is_whole() {
        page.row("ended", &verdict::short(shown));
    }
    page.text += &text::check(outcome, width);
    if is_command && outcome.check.lines.is_empty() {
        page.row("UNCHECKED:", "no expected results are given");
    }
    launches(&mut page, &outcome.reports, place);
    origin(&mut page, shown, provenance);
    match &shown.timing {
        Some(timing) => timed(&mut page, limited_by_copies(outcome, timeline), shown, timing),
        None => functional(&mut page, shown),
    }
    if is_command {
        page.row("next", next(shown));
    }
    page.text
}

/// Adds the rows about a launch of a program.
pub fn launch(page: &mut Rows, report: &Report) {
    if !report.verdict.is_whole() {
        page.row("ended", &verdict::short(report));
    }
    match &report.timing {
        Some(timing) => timed(page, None, report, timing),
        None => functional(page, report),
    }
}

/// Returns the options that show more.
fn next(report: &Report) -> &'static str {
    match (unchecked(report), report.timing.is_some()) {
        (true, true) => "not checked for races: --check race; --details, --why, warpsim trace",
        (false, true) => "--details, --why, --check all, warpsim trace, warpsim explain",
        (true, false) => "not checked for races: --check race; without --functional: times",
        (false, false) => "without --functional: times; --details (all numbers), --check all",
    }
}

/// Adds the number of launches and the shown launch, if there are several.
fn launches(page: &mut Rows, reports: &[Report], place: usize) {
    if reports.len() == 1 {
        return;
    }
    let (shown, number) = (&reports[place], place + 1);
    let time = |report: &Report| report.timing.as_ref().map(|timing| timing.microseconds);
    let took = match (reports.iter().map(time).sum::<Option<f64>>(), time(shown)) {
        (Some(all), Some(own)) => format!(
            " in {} us; below: number {number}, the longest, {} % of that",
            fixed(all, 2),
            percent(own / all)
        ),
        _ => format!("; below: number {number}, the one with the most instructions"),
    };
    page.row("launches", &format!("{}{took}", reports.len()));
}

/// Adds the kernel, and the chip with its overrides.
fn origin(page: &mut Rows, report: &Report, provenance: &Provenance) {
    let (launch, chip) = (&report.launch, &report.chip);
    let Terms { thread, block, sm, .. } = Terms::of(&launch.files);
    let kernel = format!(
        "{}: {} {} of {} {}, {}{}",
        mangled::plain(&launch.kernel),
        plural(launch.grid.count(), block),
        launch.grid,
        plural(launch.block.count(), thread),
        launch.block,
        plural(launch.registers.into(), "register"),
        options(report)
    );
    page.row("kernel", &kernel);
    let mut text = format!(
        "{} ({}), {} at {} MHz",
        chip.board,
        chip.name,
        plural(chip.sms.into(), sm),
        fixed(chip.shader_mhz, 0)
    );
    for set in &provenance.overrides {
        let _ = write!(text, ", {}={}", set.path, set.value.trim());
    }
    page.row("chip", &text);
    for note in &provenance.without_effect {
        page.row("note", note);
    }
    if let Some(known) = known::of(&provenance.kernel, &chip.name) {
        page.row(
            "note",
            &format!(
                "known error: this kernel was measured at {} GFLOP/s on the real board, its simulated rate is {} ({} in \
                 docs/VALIDATION.md)",
                fixed(known.published, 2),
                fixed(known.simulated, 2),
                known.row
            ),
        );
    }
}

/// Returns the options that differ from the defaults.
fn options(report: &Report) -> String {
    let launch = &report.launch;
    let mut text = String::new();
    if launch.opt_level == 0 {
        text += ", -O0";
    }
    if launch.fmad {
        text += ", --fmad true";
    }
    if launch.schedule {
        text += ", --schedule true";
    }
    match launch.barriers {
        BarrierRule::Strict => {}
        BarrierRule::Hardware => text += ", --barriers hardware",
    }
    match launch.memory {
        None | Some(MemoryRule::Strict) => {}
        Some(MemoryRule::Page) => text += ", --memory page",
    }
    text
}

fn timed(page: &mut Rows, copies: Option<(f64, f64)>, report: &Report, timing: &TimingReport) {
    let chip = &report.chip;
    let of_peak = |value: f64, peak: f64| percent(if peak > 0.0 { value / peak } else { 0.0 });
    let mut time = format!("{} us = {} cycles", fixed(timing.microseconds, 2), count(timing.cycles));
    if report.instructions.flops > 0 {
        let share = of_peak(timing.gflops, chip.peak_gflops);
        let _ = write!(time, "; {} GFLOP/s ({share} % of peak)", rate(timing.gflops));
    }
    let (gbps, share) = (rate(timing.dram.gbps), percent(timing.dram.utilization));
    let _ = write!(time, "; DRAM {gbps} GB/s ({share} % of peak)");
    page.row("time", &time);
    if let Some(sampled) = &report.sampled {
        page.row("estimated", &text::estimated(sampled, Terms::of(&report.launch.files)));
    }
    if let Some(warmup) = &report.warmup {
        page.row("warm-up", &text::warmed(warmup, Terms::of(&report.launch.files)));
    }
    if report.verdict.is_whole() {
        limit(page, copies, timing, Terms::of(&report.launch.files));
    }
    occupancy(page, report, timing);
    stalls(page, timing);
    if report.verdict.is_whole() {
        checklist(page, report, timing);
    }
    lines(page, timing, &report.launch.files);
}

/// Adds the resource that limits the run, and the numbers that show it.
fn limit(page: &mut Rows, copies: Option<(f64, f64)>, timing: &TimingReport, terms: &Terms) {
    let limits = &timing.limits;
    let kernel = format!("{}: {}{}", name(limits), limits.evidence, idle(limits, timing, terms));
    page.row("limited by", &kernel);
    if let Some((all, kernels)) = copies {
        let share = percent(1.0 - kernels / all);
        page.row("copies", &format!("PCI Express and launch calls take {share} % of {} us", fixed(all, 2)));
    }
}

/// Share of issue slots without a warp from which the report states it.
const IDLE: f64 = 0.25;

/// Returns the share of issue slots without a warp: SMs without blocks, the start of a launch, and
/// its last blocks.
fn idle(limits: &LimitReport, timing: &TimingReport, terms: &Terms) -> String {
    if limits.slots.no_warp < IDLE {
        return String::new();
    }
    let busy = timing.sms.iter().filter(|sm| sm.blocks > 0).count();
    let share = whole(limits.slots.no_warp);
    let (Terms { block, sm, .. }, all) = (terms, timing.sms.len());
    format!("; {share} % of the issue slots have no warp ({busy} of {all} {sm}s have {block}s)")
}

/// Returns the name of the limit of a launch.
fn name(limits: &LimitReport) -> String {
    match &limits.unit {
        Some(unit) => format!("{} `{unit}`", limits.limited_by.label()),
        None => limits.limited_by.label().to_owned(),
    }
}

fn occupancy(page: &mut Rows, report: &Report, timing: &TimingReport) {
    let occupancy = &report.launch.occupancy;
    let terms = Terms::of(&report.launch.files);
    let limiters: Vec<_> = occupancy.limiters.iter().map(|limiter| limiter.name(terms)).collect();
    page.row(
        "occupancy",
        &format!(
            "{} % ({} per {}), limited by {}; achieved {} %",
            whole(occupancy.occupancy),
            plural(occupancy.warps.into(), "warp"),
            terms.sm,
            limiters.join(", "),
            whole(timing.achieved_occupancy)
        ),
    );
}

/// Adds the states in which warps wait longest, as bars.
fn stalls(page: &mut Rows, timing: &TimingReport) {
    let resident = timing.warps.resident.max(1) as f64;
    let mut waits: Vec<(WarpState, u64)> =
        timing.warps.states.occurring().filter(|(state, _)| state.is_wait()).collect();
    waits.sort_by_key(|(state, cycles)| (std::cmp::Reverse(*cycles), *state));
    let mut name = "stalls";
    for (state, cycles) in waits.into_iter().take(TOP) {
        let share = cycles as f64 / resident;
        let bar = "█".repeat((share * BAR).round() as usize);
        page.row(name, &format!("{:<25} {:>5} % {bar}", state.label(), percent(share)));
        name = "";
    }
}

/// Adds the checks: OK, or a number with its line.
fn checklist(page: &mut Rows, report: &Report, timing: &TimingReport) {
    let mut name = "checks";
    for (what, Check { fine, text }) in checks::all(report, timing) {
        let mark = if fine { "OK" } else { "!" };
        page.row(name, &format!("{what:<14} {mark:<2} {text}"));
        name = "";
    }
}

/// Adds the source lines with the most warp time.
fn lines(page: &mut Rows, timing: &TimingReport, files: &Files) {
    let mut name = "lines";
    for line in timing.lines.iter().take(TOP) {
        let wait = line.top_wait.map_or("issuing", |(state, _)| state.label());
        let (before, after) =
            (format!("{:>5} % {:>4}: ", percent(line.share), files.place(line.line)), format!("  ({wait})"));
        let space = page.width.saturating_sub(INDENT + before.chars().count() + after.chars().count());
        page.line(&format!("{name:<INDENT$}{before}{}{after}", cut(&text::squeeze(&line.source), space)));
        name = "";
    }
}

/// Adds the results of the functional machine, which has no time.
fn functional(page: &mut Rows, report: &Report) {
    let instructions = &report.instructions;
    page.row(
        "executed",
        &format!(
            "{} warp instructions, {} {} instructions, {} floating-point operations",
            count(instructions.warp),
            count(instructions.thread),
            Terms::of(&report.launch.files).thread,
            count(instructions.flops)
        ),
    );
    let Check { fine, text } = checks::divergence(report);
    page.row("divergence", &format!("{} {text}", if fine { "OK" } else { "!" }));
}

/// Whether the kernel can have races that its result does not show: it has shared memory and was
/// not checked.
fn unchecked(report: &Report) -> bool {
    report.launch.shared_bytes > 0 && report.checks.as_ref().is_none_or(|checks| checks.race.is_none())
}
