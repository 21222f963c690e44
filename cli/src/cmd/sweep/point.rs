//! One point of a sweep: its chip, its launch, and its row, also after a failure.

use super::space::{Changes, Space};
use crate::chip::not_simulated;
use crate::exit::{Code, Failure};
use crate::metrics::{Metric, Reports};
use crate::provenance::without_effect;
use crate::render::verdict::short;
use crate::watch::{Watch, interrupt};
use crate::workload::{Prepared, watchdog_cycles};
use isa::diag::Diagnostic;
use kernels::Settings;
use serde_json::Number;
use sim_core::config::Chip;
use sim_core::config::base::Texts;
use sim_core::config::source::Complaints;
use sim_core::host::{BarrierRule, CachePreference, Gpu, Mode, RunOptions};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::Doing;

/// Verdicts of rows, in the order of their exit codes.
pub const VERDICTS: [&str; 9] =
    ["finished", "wrong_result", "bad_chip", "bad_input", "refused", "trapped", "scheduler", "hung", "limit"];

/// Result of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Verdict, one of [`VERDICTS`].
    pub verdict: &'static str,
    /// Error on one line; for a finished point, the overrides without an effect.
    pub message: String,
    /// Exit code of the point.
    pub code: Code,
    /// Requested metrics of launches that ran to their end; empty for others.
    pub metrics: Vec<Option<Number>>,
}

/// Data shared by all points.
pub struct Bench<'a> {
    /// The program to launch.
    pub prepared: Prepared<'a>,
    /// The axes.
    pub space: &'a Space,
    /// Texts of the chips: one for each value of the list of chips, or one.
    pub chips: &'a [Texts],
    /// Limit of a launch in cycles, if given.
    pub max_cycles: Option<u64>,
    /// Rule for the lanes of a warp at a barrier.
    pub barriers: BarrierRule,
    /// Division of an SM's memory.
    pub cache: Option<CachePreference>,
    /// Monitor of the launches.
    pub watch: Watch,
    /// Metrics of each row.
    pub metrics: &'a [&'static Metric],
}

impl Bench<'_> {
    /// Runs point `index`; `None` if Ctrl-C stops it.
    pub fn run(&self, index: u64) -> Option<Row> {
        if interrupt::asked() {
            return None;
        }
        let row = self.row(index);
        (row.code < Code::HungUp).then_some(row)
    }

    fn row(&self, index: u64) -> Row {
        self.try_run(index).unwrap_or_else(|(verdict, code, message)| Row {
            verdict,
            message: one_line(&message),
            code,
            metrics: vec![None; self.metrics.len()],
        })
    }

    fn try_run(&self, index: u64) -> Result<Row, (&'static str, Code, String)> {
        let mut texts = &self.chips[0];
        let mut sets: Vec<(String, String)> = Vec::new();
        let mut settings =
            Settings { mode: Mode::Timed, barriers: self.barriers, cache: self.cache, ..Settings::default() };
        for (axis, place) in self.space.axes.iter().zip(self.space.places(index)) {
            let value = &axis.values[place];
            match axis.changes {
                Changes::Chip => texts = &self.chips[place],
                Changes::Size => settings.size = value.parse().ok(),
                Changes::Registers => settings.registers = value.parse().ok(),
                Changes::Set => sets.push((axis.name.clone(), value.clone())),
            }
        }
        let (chip, _) = Chip::from_texts(texts, &sets)
            .map_err(|complaints| ("bad_chip", Code::BadInput, in_words(&complaints)))?;
        if !chip.simulated {
            return Err(("bad_chip", Code::BadInput, not_simulated(&chip)));
        }
        // Points run in parallel, so each has one thread.
        let max_cycles = self.max_cycles.unwrap_or_else(|| watchdog_cycles(&chip));
        settings.options = RunOptions { threads: 1, max_cycles, ..RunOptions::default() };

        let mut gpu = Gpu::new(chip);
        self.watch.follow(&mut gpu);
        let outcome = self.prepared.run(&mut gpu, settings, None).map_err(|failure| refused(&failure))?;
        if let Some(report) = outcome.reports.iter().find(|r| !r.verdict.is_finished()) {
            let (verdict, message) = unfinished(report);
            return Err((verdict, Code::of(&report.verdict), message));
        }
        let reports = Reports::new(&outcome.reports);
        let metrics = self.metrics.iter().map(|metric| reports.value(metric)).collect();
        let (verdict, code, message) = if outcome.check.passed == Some(false) {
            ("wrong_result", Code::WrongResult, one_line(&outcome.check.lines.join("; ")))
        } else {
            let notes = without_effect(&sets, texts, gpu.chip(), &outcome.reports);
            ("finished", Code::Fine, notes.join("; "))
        };
        Ok(Row { verdict, message, code, metrics })
    }
}

/// Returns the errors of a chip without their source lines.
fn in_words(complaints: &Complaints) -> String {
    let errors = complaints.diagnostics.iter().filter(|d| d.is_error());
    let words = |d: &Diagnostic| {
        let label = d.labels.first().map_or("", |(_, label)| label.as_str());
        let gap = if label.is_empty() { "" } else { ": " };
        let words = format!("{} {}{gap}{label}", d.code, d.message);
        d.helps.iter().fold(words, |words, help| words + "; " + help)
    };
    errors.map(words).collect::<Vec<_>>().join("; ")
}

fn refused(failure: &Failure) -> (&'static str, Code, String) {
    let verdict = if failure.code == Code::Trap { "refused" } else { "bad_input" };
    let message = failure.message.strip_prefix("error: ").unwrap_or(&failure.message);
    let message = message.split_once("\nhelp: ").map_or(message, |(message, _)| message);
    (verdict, failure.code, message.to_owned())
}

fn unfinished(report: &Report) -> (&'static str, String) {
    let verdict = match &report.verdict {
        Verdict::Finished => "finished",
        Verdict::Estimated => "estimated",
        Verdict::Trapped { .. } => "trapped",
        Verdict::Scheduler { .. } => "scheduler",
        Verdict::Hung { .. } => "hung",
        Verdict::Limit { .. } => "limit",
        Verdict::Interrupted { .. } => "interrupted",
    };
    let stuck = first_stuck(&report.verdict).map_or_else(String::new, |stuck| format!("; {stuck}"));
    (verdict, format!("{}{stuck}", short(report)))
}

/// Returns the first stuck warp of a launch that did not end.
fn first_stuck(verdict: &Verdict) -> Option<String> {
    let live: Vec<_> = verdict.stuck()?.warps.iter().filter(|warp| warp.doing != Doing::Exited).collect();
    let first = live.first()?;
    let more = match live.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("block {}, warp {} at line {}{more}", first.block, first.warp, first.line))
}

/// Joins the words of a text with single blanks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
