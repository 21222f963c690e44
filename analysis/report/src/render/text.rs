//! The full report of a run as text, in the order in which students read it.

use super::Details;
use super::number::{count, fixed, percent, plural, rate, share, spilled};
use super::table::{Column, Columns, Facts, WIDTH, heading, line, wrapped};
use super::{breakdowns, classes, memory, timeline, verdict};
use crate::mangled;
use crate::outcome::{Fact, RunResult};
use isa::source::Files;
use isa::terms::Terms;
use sim_core::host::timeline::Timeline;
use sim_core::host::{BarrierRule, MemoryRule};
use sim_core::scheduler::PolicyKind;
use sim_core::stats::Report;
use sim_core::stats::report::{
    ControlReport, InstructionReport, LineReport, PolicyReport, RegistersSource, SampledReport, TimingReport,
    WarmupReport,
};

/// Maximum number of source lines.
const LINES: usize = 10;

/// Returns the full report: the check, a report for each launch, the copies; with a number from 0,
/// only the report of this launch.
pub fn render(outcome: &RunResult, timeline: &Timeline, details: Details, selected: Option<usize>) -> String {
    let mut out = check(outcome, usize::from(WIDTH));
    for (i, report) in
        outcome.reports.iter().enumerate().filter(|(i, _)| selected.is_none_or(|one| one == *i))
    {
        if outcome.reports.len() > 1 {
            out += "\n";
            line(&mut out, format!("Launch {} of {}", i + 1, outcome.reports.len()));
        }
        out += &one(report, details);
    }
    if selected.is_none() {
        out += &timeline::host(timeline);
    }
    out
}

/// Returns the result of the check and what the launches did that the strict rules forbid, on lines
/// of `width` characters.
pub fn check(outcome: &RunResult, width: usize) -> String {
    let mut out = String::new();
    for Fact { passed, text, .. } in &outcome.check.lines {
        let mark = match passed {
            Some(true) => "PASSED",
            Some(false) => "FAILED",
            None => "UNCHECKED",
        };
        for part in wrapped("", &format!("{mark}: {text}"), 2, width) {
            line(&mut out, part);
        }
    }
    for text in super::relaxed::warnings(&outcome.reports) {
        for part in wrapped("", &format!("WARNING: {text}"), 2, width) {
            line(&mut out, part);
        }
    }
    out
}

fn one(report: &Report, details: Details) -> String {
    let mut out = launch(report);
    if let Some(timing) = &report.timing {
        out += &time(timing, report, details);
    }
    out += &instructions(&report.instructions, report, details);
    if let Some(timing) = &report.timing {
        let terms = Terms::of(&report.launch.files);
        out += &breakdowns::slots(&timing.slots, details, terms);
        out += &breakdowns::warps(&timing.warps, terms);
        out += &memory::spaces(timing, &report.chip, details, terms);
        out += &memory::local(&timing.local, details, terms);
        out += &memory::caches(timing, &report.launch, details);
        out += &memory::dram(&timing.dram, &report.chip, details);
        out += &memory::mapped(timing.mapped.as_ref(), details);
        out += &memory::shared(&timing.shared, details, terms);
    }
    let files = &report.launch.files;
    out += &control(&report.control, details, files);
    if let Some(timing) = &report.timing {
        out += &lines(timing, details, files);
    }
    out
}

fn launch(report: &Report) -> String {
    let (chip, launch) = (&report.chip, &report.launch);
    let terms = Terms::of(&launch.files);
    let Terms { thread, block, grid, shared, local, sm, .. } = terms;
    let mut out = heading("Launch and occupancy");
    let mut table = Columns::new(&[Column::Words(31), Column::Rest]);
    table.row(&[
        "kernel",
        &format!("{} ({}), {} machine", mangled::plain(&launch.kernel), launch.file, report.mode),
    ]);
    let board = format!(
        "{} ({}), compute capability {}, {} {sm}s, {} MHz",
        chip.board,
        chip.name,
        chip.capability,
        chip.sms,
        fixed(chip.shader_mhz, 0)
    );
    table.row(&["chip", &board]);
    table.row(&["scheduling policy", &policy(&chip.policy)]);
    if !chip.replacement.is_empty() {
        let policies = chip.replacement.iter().map(|(cache, policy)| format!("{cache}: {policy}"));
        table.row(&["replacement policies", &policies.collect::<Vec<_>>().join(", ")]);
    }
    table.row(&["verdict", &verdict::short(report)]);
    if let Some(sampled) = &report.sampled {
        table.row(&["estimated", &estimated(sampled, terms)]);
    }
    if let Some(warmup) = &report.warmup {
        table.row(&["warm-up", &warmed(warmup, terms)]);
    }
    table.row(&[grid, &format!("{} = {}", launch.grid, plural(launch.grid.count(), block))]);
    let padding = match launch.padded_lanes {
        0 => String::new(),
        lanes => format!(", {} of the last one without a {thread}", plural(lanes.into(), "lane")),
    };
    let extents = format!(
        "{} = {} = {} of 32{padding}",
        launch.block,
        plural(launch.block.count(), thread),
        plural(launch.warps_per_block.into(), "warp")
    );
    table.row(&[block, &extents]);
    let source = match launch.registers_source {
        RegistersSource::Given => format!("given; by liveness {}", launch.registers_by_liveness),
        RegistersSource::Liveness => "from the live ranges of the lowered code".to_owned(),
    };
    table.row(&[&format!("registers per {thread}"), &format!("{} ({source})", launch.registers)]);
    if launch.opt_level == 0 {
        table.row(&["optimization", "none: each instruction is lowered separately (-O0)"]);
    }
    if launch.fmad {
        table.row(&["fused multiply-add", "of products and sums that name no rounding (--fmad true)"]);
    }
    if launch.schedule {
        table.row(&["instructions", "of each block ordered by their latencies (--schedule true)"]);
    }
    if let Some(spills) = launch.spills {
        table.row(&["spilled registers", &spilled(spills)]);
    }
    if launch.barriers == BarrierRule::Hardware {
        table.row(&["barriers", "count warps, regardless of active lanes (--barriers hardware)"]);
    }
    if launch.memory == Some(MemoryRule::Page) {
        table.row(&["memory", "accesses trap outside of pages with an allocation (--memory page)"]);
    }
    if launch.local_bytes > 0 {
        let bytes = format!("{} bytes", count(launch.local_bytes.into()));
        table.row(&[&format!("{local} per {thread}"), &bytes]);
    }
    let occupancy = &launch.occupancy;
    let bytes = format!(
        "{} bytes; {} with parameters and launch state; takes {}",
        count(u64::from(launch.shared_bytes)),
        count(u64::from(occupancy.needs.shared_bytes)),
        count(occupancy.shared_per_block)
    );
    table.row(&[&format!("{shared} per {block}"), &bytes]);
    let limiters: Vec<_> = occupancy.limiters.iter().map(|limiter| limiter.name(terms)).collect();
    let blocks = format!("{} (limited by {})", occupancy.blocks, limiters.join(", "));
    table.row(&[&format!("resident {block}s per {sm}"), &blocks]);
    let limits = &occupancy.limits;
    let by_resource = format!(
        "warp/{thread} slots {}, {block} slots {}, registers {}, {shared} {}",
        limits.warps, limits.block_slots, limits.registers, limits.shared
    );
    table.row(&[&format!("{block}s by each resource"), &by_resource]);
    let warps =
        format!("{} % ({} per {sm})", percent(occupancy.occupancy), plural(occupancy.warps.into(), "warp"));
    table.row(&["occupancy by these limits", &warps]);
    out += &table.draw();
    out
}

/// Returns the basis of the estimate of a sampled launch.
pub fn estimated(sampled: &SampledReport, terms: &Terms) -> String {
    format!(
        "from {} of {}, in units of {} ({}); over {} launches measured in full the error in cycles was at most {} % (median {} %)",
        count(sampled.simulated),
        plural(sampled.blocks, terms.block),
        count(sampled.unit),
        plural(sampled.unit / sampled.wave, "wave"),
        count(sampled.measured_launches.into()),
        fixed(100.0 * sampled.measured_error, 1),
        fixed(100.0 * sampled.measured_median, 1)
    )
}

/// Returns the part of a launch that ran without timing.
pub fn warmed(warmup: &WarmupReport, terms: &Terms) -> String {
    format!(
        "{} ({}) without timing; all numbers are of the other {}s, which began with empty caches",
        plural(warmup.blocks, terms.block),
        plural(warmup.instructions, "warp instruction"),
        terms.block
    )
}

/// Returns the name and the meaning of a scheduling policy.
fn policy(policy: &PolicyReport) -> String {
    let meaning = match policy {
        PolicyReport::Own { .. } => return policy.to_string(),
        PolicyReport::Chip(kind) => match kind {
            PolicyKind::LooseRoundRobin => "loose round robin, the next ready warp in turn",
            PolicyKind::OldestFirst => "the ready warp that was launched first",
            PolicyKind::GreedyThenOldest => "greedy, then oldest: the same warp as long as it is ready",
            PolicyKind::TwoLevel { .. } => "round robin in an active set; warps that wait long leave it",
            PolicyKind::Priority => "as the hardware is thought to choose",
            PolicyKind::Random { .. } => "any ready warp, by a seeded generator",
            PolicyKind::Own(_) => "a policy that this program registers",
        },
    };
    format!("{policy}: {meaning}")
}

fn time(timing: &TimingReport, report: &Report, details: Details) -> String {
    let Terms { block, sm, .. } = Terms::of(&report.launch.files);
    let mut out = heading("Time");
    let mut facts = Facts::new(details);
    facts.add(
        "cycles",
        count(timing.cycles),
        "cycles",
        format!("shader clock, launch to {}", verdict::end(&report.verdict)),
    );
    let clock = format!("at {} MHz", fixed(report.chip.shader_mhz, 0));
    facts.add("time", fixed(timing.microseconds, 2), "us", clock);
    facts.add(
        "instructions per cycle",
        rate(timing.ipc),
        &format!("per {sm}"),
        "warp instructions per shader cycle",
    );
    let peak = format!("a multiply-add counts 2; peak {}", fixed(report.chip.peak_gflops, 1));
    facts.add("arithmetic rate", rate(timing.gflops), "GFLOP/s", peak);
    let note = format!("resident warps per warp slot, while {sm}s have {block}s");
    facts.add("achieved occupancy", percent(timing.achieved_occupancy), "%", note);
    let used = timing.sms.iter().filter(|sm| sm.blocks > 0).count();
    let (least, most) = (
        timing.sms.iter().map(|sm| sm.blocks).min().unwrap_or(0),
        timing.sms.iter().map(|sm| sm.blocks).max().unwrap_or(0),
    );
    let blocks = if least == most { count(most) } else { format!("{} to {}", count(least), count(most)) };
    let note = format!("of {}; {block}s per {sm}: {blocks}", timing.sms.len());
    facts.add(&format!("{sm}s used"), count(used as u64), "", note);
    out += &facts.draw();
    out
}

fn instructions(instructions: &InstructionReport, report: &Report, details: Details) -> String {
    let mut out = heading("Instructions");
    let mut facts = Facts::new(details);
    facts.add("warp instructions", count(instructions.warp), "", "an instruction of a warp counts once");
    let thread = Terms::of(&report.launch.files).thread;
    facts.add(
        &format!("{thread} instructions"),
        count(instructions.thread),
        "",
        "active lanes, guarded or not",
    );
    let flops = if report.timing.is_some() { "" } else { "a multiply-add counts 2" };
    facts.add("floating-point operations", count(instructions.flops), "", flops);
    out += &facts.draw();
    let mut table = Columns::new(&[Column::Words(31), Column::Numbers(15), Column::Numbers(6), Column::Rest])
        .titles(&["by class", "warp instr.", "%", "class: instructions of equal cost"]);
    for (class, executed) in instructions.by_class.occurring() {
        let shared = share(executed, instructions.warp);
        table.row(&[
            class.name(),
            &count(executed),
            &shared,
            &classes::meaning(class, Terms::of(&report.launch.files)),
        ]);
    }
    out += &table.draw();
    out
}

fn control(control: &ControlReport, details: Details, files: &Files) -> String {
    let mut out = heading("Control flow");
    let mut facts = Facts::new(details);
    facts.add("conditional branches", count(control.branches), "", "executed by warps");
    let note = "the paths ran one after the other";
    facts.add("of them divergent", count(control.divergent_branches), "", note);
    let note = "branches that did not diverge per branch";
    facts.add("branch efficiency", percent(control.branch_efficiency), "%", note);
    let note = "lanes per warp instruction, of 32";
    facts.add("warp execution efficiency", percent(control.warp_execution_efficiency), "%", note);
    let barrier = if Terms::of(files).is_opencl() { "barrier" } else { "bar.sync" };
    facts.add("barriers", count(control.barriers), "", format!("{barrier} executed by warps"));
    out += &facts.draw();
    if !control.divergent_lines.is_empty() {
        let mut table =
            Columns::new(&[place_column(files), Column::Numbers(11), Column::Numbers(11), Column::Rest])
                .titles(&["line", "executed", "divergent", "branches that diverged"]);
        for line in &control.divergent_lines {
            table.row(&[
                &files.place(line.line).to_string(),
                &count(line.executed),
                &count(line.divergent),
                &squeeze(&line.source),
            ]);
        }
        out += &table.draw();
    }
    out
}

/// Returns the column of source lines, which has space for the names of linked files.
fn place_column(files: &Files) -> Column {
    let longest = files.iter().map(|file| file.name.chars().count()).max().unwrap_or(0);
    Column::Numbers(if files.is_single() { 5 } else { (longest + 5).min(MAX_PLACE) as u16 })
}

/// Maximum width of the column of source lines.
const MAX_PLACE: usize = 30;

/// Returns the table of lines, with all details also of the PTX lines of each line of CUDA C.
fn lines(timing: &TimingReport, details: Details, files: &Files) -> String {
    let mut out = heading("The most expensive source lines");
    out += "  % of all warp cycles, in any state. transact.: global transactions.\n  \
            top stall: ignoring \"not selected\".\n";
    let mut table = Columns::new(&[
        place_column(files),
        Column::Numbers(6),
        Column::Numbers(11),
        Column::Numbers(11),
        Column::Words(25),
        Column::Rest,
    ])
    .titles(&["line", "%", "executed", "transact.", "top stall", ""]);
    let mut row = |place: &str, line: &LineReport, text: &str| {
        let wait = line.top_wait.map_or("", |(state, _)| state.label());
        let (executed, transactions) = (count(line.executed), count(line.transactions));
        table.row(&[place, &percent(line.share), &executed, &transactions, wait, text]);
    };
    for line in timing.lines.iter().take(LINES) {
        row(&files.place(line.line).to_string(), line, &squeeze(&line.source));
        for ptx in timing.ptx_lines.iter().filter(|ptx| details == Details::All && ptx.of == line.line) {
            let text = format!("  {}: {}", ptx.cost.line, squeeze(&ptx.cost.source));
            row("PTX", &ptx.cost, &text);
        }
    }
    out += &table.draw();
    out
}

/// Returns a source line without its comment and with single blanks.
pub fn squeeze(source: &str) -> String {
    let code = source.split("//").next().unwrap_or(source);
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_line_loses_its_comment_and_blanks() {
        assert_eq!(squeeze("mad.f32\t\t%sum,  %a, %b, %sum;\t// why"), "mad.f32 %sum, %a, %b, %sum;");
    }
}
