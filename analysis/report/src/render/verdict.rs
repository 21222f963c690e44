//! The end of a launch, as text.

use super::number::{count, plural};
use super::stuck;
use crate::mangled;
use isa::source::Files;
use isa::terms::Terms;
use sim_core::host::Mode;
use sim_core::stats::Report;
use sim_core::stats::report::{StuckReport, TrapReport, Verdict};
use sim_core::stats::stuck::StuckClass;
use sim_core::stats::verdict::DivergentBarrier;

/// The launch that a message is about.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Kernel name.
    pub kernel: &'a str,
    /// PTX file.
    pub file: &'a str,
    /// The files of the program.
    pub files: &'a Files,
    /// Whether the launch ran on the timed machine.
    pub timed: bool,
}

/// Returns the message about a launch that did not finish; `None` if it finished.
pub fn message(report: &Report) -> Option<String> {
    let (kernel, file) = (&*report.launch.kernel, &*report.launch.file);
    describe(&report.verdict, About { kernel, file, files: &report.launch.files, timed: timed(report) })
}

/// Returns the message about a launch with this verdict; `None` if it finished.
pub fn describe(verdict: &Verdict, about: About<'_>) -> Option<String> {
    // The file that the user reads.
    let own = about.files.iter().next().filter(|_| about.files.is_listing());
    let file = own.map_or(about.file, |file| &*file.name);
    let launch = format!("kernel `{}` ({file})", mangled::plain(about.kernel));
    match verdict {
        Verdict::Finished | Verdict::Estimated => None,
        Verdict::Trapped { trap } => Some(trapped(trap, about.files)),
        Verdict::Scheduler { fault } => Some(format!("error: {launch} was stopped: {}", fault.message)),
        Verdict::Hung { cycle, stuck } => {
            let what = match stuck.class {
                StuckClass::DivergedSibling | StuckClass::NotStarted | StuckClass::EndlessLoop => {
                    "the warps repeat the same states: proved"
                }
                StuckClass::Barrier | StuckClass::LostReply | StuckClass::Limit | StuckClass::Interrupted => {
                    "no warp has made progress"
                }
            };
            let since = match (stuck.class, about.timed) {
                (StuckClass::DivergedSibling | StuckClass::NotStarted | StuckClass::EndlessLoop, true) => {
                    "in cycle"
                }
                (_, true) => "since cycle",
                (_, false) => "after warp instruction",
            };
            let sentence = stuck.class.sentence();
            let head = format!("error: {launch} hangs: {sentence}\n{what} {since} {}", count(*cycle));
            Some(explained(&head, stuck, about))
        }
        Verdict::Interrupted { cycle, stuck } => {
            let class = match stuck.class {
                StuckClass::Interrupted => String::new(),
                class => format!(": {}", class.sentence()),
            };
            let head = format!("interrupted: {launch} at {} {}{class}", unit_at(about.timed), count(*cycle));
            Some(explained(&head, stuck, about))
        }
        Verdict::TimeLimit { cycle, stuck } => {
            let class = match stuck.class {
                StuckClass::Limit => String::new(),
                class => format!(": {}", class.sentence()),
            };
            let at = unit_at(about.timed);
            let head = format!(
                "error: {launch} was stopped by --time-limit at {at} {}{class}\n\
                 note: this {at} depends on the host: another run stops elsewhere, with other counters",
                count(*cycle)
            );
            let text = explained(&head, stuck, about);
            Some(if stuck.class == StuckClass::Limit {
                text + "; increase the limit with --time-limit, or limit --max-cycles to stop every run alike"
            } else {
                text
            })
        }
        Verdict::Limit { limit, stuck } => {
            let class = match stuck.class {
                StuckClass::Limit => String::new(),
                class => format!(": {}", class.sentence()),
            };
            let head = format!(
                "error: {launch} was stopped at the limit of {} {}{class}",
                count(*limit),
                unit(about.timed)
            );
            let text = explained(&head, stuck, about);
            Some(if stuck.class == StuckClass::Limit {
                text + "; increase the limit with --max-cycles"
            } else {
                text
            })
        }
    }
}

/// Joins `head`, the state of the stuck launch, and the hint.
fn explained(head: &str, stuck: &StuckReport, about: About<'_>) -> String {
    let since = if about.timed { "cycle" } else { "warp instruction" };
    let body = stuck::explain(stuck, since, about.files);
    let gap = if body.is_empty() { "" } else { "\n" };
    format!("{head}\n{body}{gap}help: {}", stuck.hint)
}

/// Whether a launch ran on the timed machine.
fn timed(report: &Report) -> bool {
    report.timing.is_some() || report.mode == Mode::Timed
}

/// Unit of a limit.
fn unit(timed: bool) -> &'static str {
    if timed { "shader-clock cycles" } else { "warp instructions" }
}

/// Unit of the position of an interruption.
fn unit_at(timed: bool) -> &'static str {
    if timed { "cycle" } else { "warp instruction" }
}

/// Returns the end of the interval that the cycles of a launch count.
pub fn end(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Finished => "drained memory",
        Verdict::Estimated => "drained memory, estimated",
        Verdict::Trapped { .. } => "the stop after the trap",
        Verdict::Scheduler { .. } => "the stop after the scheduler's fault",
        Verdict::Hung { stuck, .. } if stuck.class == StuckClass::Barrier => "the last progress",
        Verdict::Hung { stuck, .. } if stuck.class == StuckClass::LostReply => "the last progress",
        Verdict::Hung { .. } => "the proof that it never ends",
        Verdict::Limit { .. } => "the limit",
        Verdict::TimeLimit { .. } => "the limit on wall time",
        Verdict::Interrupted { .. } => "the interruption",
    }
}

/// Returns a short description for the report.
pub fn short(report: &Report) -> String {
    match &report.verdict {
        Verdict::Finished => "finished".to_owned(),
        Verdict::Estimated => {
            let text = "the first {block}s finished; the rest is estimated";
            Terms::of(&report.launch.files).fill(text).into_owned()
        }
        Verdict::Interrupted { cycle, .. } => {
            format!("interrupted at {} {}", unit_at(timed(report)), count(*cycle))
        }
        Verdict::TimeLimit { cycle, stuck } => {
            let at = unit_at(timed(report));
            let limit =
                format!("stopped by --time-limit at {at} {}, which depends on the host", count(*cycle));
            let class = stuck.class;
            if class == StuckClass::Limit { limit } else { format!("{limit}: {}", class.sentence()) }
        }
        Verdict::Trapped { trap } => {
            format!("trapped at line {}: {}", report.launch.files.described(trap.line), trap.message)
        }
        Verdict::Scheduler { fault } => format!("stopped: {}", fault.message),
        Verdict::Hung { stuck, .. } => format!("hangs: {}", stuck.class.sentence()),
        Verdict::Limit { limit, stuck } => {
            let limit = format!("stopped at the limit of {} {}", count(*limit), unit(timed(report)));
            let class = stuck.class;
            if class == StuckClass::Limit { limit } else { format!("{limit}: {}", class.sentence()) }
        }
    }
}

fn trapped(trap: &TrapReport, files: &Files) -> String {
    let TrapReport { message, kernel, block, thread, warp, lanes, cycle, .. } = trap;
    let (file, line) = files.at(trap.line).map_or(("", trap.line), |(file, line)| (&*file.name, line));
    let source = trap.source.replace('\t', " ");
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let terms = Terms::of(files);
    let (of_block, of_thread) = (terms.block, terms.thread);
    let when = match trap.sm {
        Some(sm) => format!("on {} {sm} in cycle {}", terms.sm, count(*cycle)),
        None => format!("after {} warp instructions", count(*cycle)),
    };
    let marked = if files.is_listing() { source.trim_end() } else { &*trap.instruction };
    let column = (trap.column as usize).min(source.chars().count()).saturating_sub(1);
    let carets = " ".repeat(column) + &"^".repeat(marked.chars().count().clamp(1, 80));
    let help = trap.help.as_ref().map_or_else(String::new, |help| format!("\n{margin} = help: {help}"));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let below = match files.origin(trap.line) {
        Some(origin) => format!("\n{margin} = {origin}"),
        None if files.is_listing() => format!("\n{margin} = PTX: {}", words(&trap.instruction)),
        None => String::new(),
    };
    let divergent = trap.divergent.as_ref().map_or_else(String::new, |d| divergent(d, trap, &margin, files));
    format!(
        "error: {message}\n{margin}--> {file}:{line}\n{margin} |\n{number} | {source}\n{margin} | {carets}{below}\n\
         {margin} = kernel `{}`, {of_block} {block}, {of_thread} {thread}, warp {warp} of the {of_block}, instruction {}\n\
         {margin} = {when}; faulting lanes: {lanes:#010x} ({} of 32){divergent}{help}",
        mangled::plain(kernel),
        trap.pc,
        lanes.count_ones()
    )
}

/// Returns the name of a barrier, if its number is known.
fn barrier(number: Option<u32>) -> String {
    number.map_or("a barrier with its number in a register".to_owned(), |n| format!("barrier {n}"))
}

/// Returns the positions of the lanes at a divergent barrier, one line for each group of lanes, and
/// advice.
fn divergent(divergent: &DivergentBarrier, trap: &TrapReport, margin: &str, files: &Files) -> String {
    let terms = Terms::of(files);
    let mut out = String::new();
    let mut add = |text: String| out.extend(["\n", margin, " = ", &text]);
    let lanes = |lanes: u32| format!("{} ({lanes:#010x})", plural(lanes.count_ones().into(), "lane"));
    add(format!(
        "at barrier {}, line {}: {}",
        divergent.barrier,
        files.described(trap.line),
        lanes(trap.lanes)
    ));
    for other in &divergent.elsewhere {
        let place = if other.guarded {
            format!("disabled by the guard at line {}", files.described(other.line))
        } else {
            format!("waiting at line {}", files.described(other.line))
        };
        let ahead: Vec<String> = other
            .ahead
            .iter()
            .map(|(n, line)| format!("{}, line {}", barrier(*n), files.described(*line)))
            .collect();
        let ahead = match &ahead[..] {
            [] => "no barrier follows on this path".to_owned(),
            [one] if one.ends_with(&format!(" {}", files.described(other.line))) => format!("this is {one}"),
            all => format!("the next barrier on this path can be {}", all.join(" or ")),
        };
        add(format!("{place}: {}; {ahead}", lanes(other.lanes)));
    }
    if divergent.warps.len() > 1 {
        let warps: Vec<String> = divergent.warps.iter().map(u32::to_string).collect();
        add(format!("warps of the {} in this state: {}", terms.block, warps.join(", ")));
    }
    let help = "help: move the barrier out of the branch, so that all {thread}s of the {block} reach it; or use \
                --barriers hardware (WARPSIM_BARRIERS=hardware), which counts warps as the hardware does";
    add(terms.fill(help).into_owned());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::types::Dim3;
    use sim_core::stats::verdict::TrapClass;

    #[test]
    fn a_trap_message_has_all_details() {
        let trap = TrapReport {
            message: "write of 4 bytes is out of bounds".into(),
            kernel: "k".into(),
            block: Dim3::new(1, 2, 0),
            thread: Dim3::new(33, 0, 0),
            warp: 1,
            lanes: 0b10,
            sm: Some(3),
            pc: 7,
            line: 42,
            source: "@%p1\tst.global.u32 [%r1], %r2;".into(),
            column: 6,
            instruction: "st.global.u32 [%r1], %r2;".into(),
            cycle: 1234,
            divergent: None,
            help: Some("compare".into()),
            class: TrapClass::Address,
        };
        let text = trapped(&trap, isa::source::Source::new("k.ptx", "").files());
        for part in [
            "error: write of 4 bytes is out of bounds",
            "--> k.ptx:42",
            "42 | @%p1 st.global.u32 [%r1], %r2;",
            "   |      ^^^^^^^^^^^^^^^^^^^^^^^^^\n",
            "kernel `k`, block (1,2,0), thread (33,0,0), warp 1 of the block, instruction 7",
            "on SM 3 in cycle 1,234; faulting lanes: 0x00000002 (1 of 32)\n   = help: compare",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }
}
