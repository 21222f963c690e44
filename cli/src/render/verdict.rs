//! How a launch ended, in words.

use super::number::count;
use super::table::{Column, Columns, line};
use sim_core::stats::Report;
use sim_core::stats::report::{TrapReport, Verdict, WaitReport};

/// Waiting warps shown at most.
const SHOWN: usize = 40;

/// What a user must be told of a launch that did not run to its end; `None` if it did.
pub fn message(report: &Report) -> Option<String> {
    let launch = format!("kernel `{}` ({})", report.launch.kernel, report.launch.file);
    match &report.verdict {
        Verdict::Finished => None,
        Verdict::Trapped { trap } => Some(trapped(trap, &report.launch.file)),
        Verdict::Scheduler { fault } => Some(format!("error: {launch} was stopped: {}", fault.message)),
        Verdict::Hung { cycle, waiting } => {
            let since = if timed(report) { "since cycle" } else { "after warp instruction" };
            let head = format!("error: {launch} hangs: nothing has moved {since} {}", count(*cycle));
            Some(head + "\n" + &waits(waiting))
        }
        Verdict::Limit { limit } => Some(format!(
            "error: {launch} was stopped at the limit of {} {}\nAn endless loop, or more work than the limit \
                 allows: --max-cycles sets another.",
            count(*limit),
            unit(report)
        )),
    }
}

/// Whether a launch was timed.
fn timed(report: &Report) -> bool {
    report.timing.is_some() || report.mode == "timed"
}

/// The unit of a limit.
fn unit(report: &Report) -> &'static str {
    if timed(report) { "shader-clock cycles" } else { "warp instructions" }
}

/// Up to what the cycles of a launch are counted.
pub fn end(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Finished => "drained memory",
        Verdict::Trapped { .. } => "the stop after the trap",
        Verdict::Scheduler { .. } => "the stop after the scheduler's fault",
        Verdict::Hung { .. } => "the last movement",
        Verdict::Limit { .. } => "the limit",
    }
}

/// In a few words, for the report.
pub fn short(report: &Report) -> String {
    match &report.verdict {
        Verdict::Finished => "finished".to_owned(),
        Verdict::Trapped { trap } => format!("trapped at line {}: {}", trap.line, trap.message),
        Verdict::Scheduler { fault } => format!("stopped: {}", fault.message),
        Verdict::Hung { .. } => "hangs: all wait for what never comes".to_owned(),
        Verdict::Limit { limit } => format!("stopped at the limit of {} {}", count(*limit), unit(report)),
    }
}

fn trapped(trap: &TrapReport, file: &str) -> String {
    let TrapReport { message, kernel, block, thread, warp, lanes, line, cycle, .. } = trap;
    let source = trap.source.replace('\t', " ");
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let when = match trap.sm {
        Some(sm) => format!("on SM {sm} in cycle {}", count(*cycle)),
        None => format!("after {} warp instructions", count(*cycle)),
    };
    let column = (trap.column as usize).min(source.chars().count()).saturating_sub(1);
    let under = trap.instruction.chars().count().clamp(1, 80);
    let carets = " ".repeat(column) + &"^".repeat(under);
    format!(
        "error: {message}\n{margin}--> {file}:{line}\n{margin} |\n{number} | {source}\n{margin} | {carets}\n\
         {margin} = kernel `{kernel}`, block {block}, thread {thread}, warp {warp} of the block, instruction {}\n\
         {margin} = {when}; lanes at fault: {lanes:#010x} ({} of 32)",
        trap.pc,
        lanes.count_ones()
    )
}

/// The table of who waits for what.
fn waits(waiting: &[WaitReport]) -> String {
    let mut table = Columns::new(&[Column::Words(40), Column::Numbers(5), Column::Rest]).titles(&[
        "who",
        "line",
        "waits for",
    ]);
    for wait in waiting.iter().take(SHOWN) {
        let number = wait.line.map_or_else(String::new, |l| l.to_string());
        table.row(&[&wait.who, &number, &wait.what]);
    }
    let mut out = table.draw();
    if waiting.len() > SHOWN {
        line(&mut out, format!("  and {} more", waiting.len() - SHOWN));
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::types::Dim3;

    #[test]
    fn a_trap_names_everything() {
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
        };
        let text = trapped(&trap, "k.ptx");
        for part in [
            "error: write of 4 bytes is out of bounds",
            "--> k.ptx:42",
            "42 | @%p1 st.global.u32 [%r1], %r2;",
            "   |      ^^^^^^^^^^^^^^^^^^^^^^^^^\n",
            "kernel `k`, block (1,2,0), thread (33,0,0), warp 1 of the block, instruction 7",
            "on SM 3 in cycle 1,234; lanes at fault: 0x00000002 (1 of 32)",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn many_waiting_warps_are_cut() {
        let wait = WaitReport { who: "SM 0 warp 1".into(), what: "barrier 0".into(), line: Some(9) };
        let text = waits(&vec![wait; 45]);
        assert_eq!(text.matches("barrier 0").count(), SHOWN);
        assert!(text.ends_with("and 5 more"), "{text}");
    }
}
