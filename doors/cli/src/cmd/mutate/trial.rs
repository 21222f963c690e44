//! Runs of a program and of its mutants: which check notices a change.
//!
//! A mutant runs on the functional machine and with all checkers, and if no check notices it, on
//! the timed machine. It may execute [`BUDGET`] times as many instructions or cycles as the
//! program.

use super::fate::{Fate, Notice};
use crate::exit::Failure;
use crate::render::ending::ending;
use crate::watch::code_of;
use crate::workload::RunResult;
use isa::Options;
use isa::source::Source;
use isa::uop::Module;
use kernels::Settings;
use report::outcome::Subject;
use request::Prepared;
use sim_core::check::{Check, Checks, Severity};
use sim_core::config::Chip;
use sim_core::host::{Gpu, LaunchSettings, Mode};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use std::collections::BTreeSet;
use std::sync::Arc;
use warpsim_check::mutate::{Mutant, is_same_code};

/// A mutant may run this many times as long as the program.
const BUDGET: u64 = 10;

/// The runs of a mutant, in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Functional,
    Checked,
    Timed,
}

/// A program that passes its checks, and what is needed to run mutants of it.
pub struct Trials<'a> {
    prepared: &'a Prepared,
    module: Module,
    chip: &'a Chip,
    settings: Settings,
    options: Options,
    /// Checkers that find no error in the program.
    pub checks: Checks,
    /// Whether a result is compared with an expected one.
    pub has_expectations: bool,
    /// Longest launch of each run: warp instructions, or cycles.
    longest: [u64; 3],
    /// Names of the launched kernels.
    kernels: BTreeSet<String>,
}

impl<'a> Trials<'a> {
    /// Runs the program itself. It must pass its checks.
    pub fn new(
        prepared: &'a Prepared,
        module: Module,
        chip: &'a Chip,
        settings: Settings,
        options: Options,
    ) -> Result<Self, Failure> {
        let most = settings.launches.options.max_cycles;
        let mut trials = Self {
            prepared,
            module,
            chip,
            settings,
            options,
            checks: Checks::ALL,
            has_expectations: false,
            longest: [most; 3],
            kernels: BTreeSet::new(),
        };
        for run in [Run::Functional, Run::Checked, Run::Timed] {
            let module = match run {
                Run::Checked => trials.plain(&trials.module.entries[0].ptx).ok_or_else(|| {
                    Failure::input("error: the program does not compile without optimization")
                })?,
                Run::Functional | Run::Timed => trials.module.clone(),
            };
            let outcome = trials.run(module, run)?;
            trials.accept(run, &outcome)?;
        }
        Ok(trials)
    }

    /// Takes a run of the program itself as the standard of its mutants.
    fn accept(&mut self, run: Run, outcome: &RunResult) -> Result<(), Failure> {
        for check in errors(&outcome.reports) {
            self.checks = self.checks.set(check, false);
        }
        self.has_expectations |= outcome.check.passed.is_some();
        let is_wrong = |subject: Subject, passed| passed == Some(false) && subject != Subject::Checker;
        let facts = &outcome.check.lines;
        let wrong = facts.iter().find(|fact| is_wrong(fact.subject, fact.passed));
        let unfinished = outcome.reports.iter().any(|report| !report.verdict.is_finished());
        if let Some(lost) = outcome.lost().filter(|_| wrong.is_none()) {
            let help = "help: `warpsim run` with the same arguments shows the whole result";
            return Err(Failure::input(format!("error: no mutant can be graded: {lost}\n{help}")));
        }
        if unfinished || wrong.is_some() {
            let why = wrong.map_or_else(
                || ending(outcome, code_of).messages.join("\n"),
                |fact| format!("FAILED: {}", fact.text),
            );
            return Err(Failure::input(format!(
                "{why}\nerror: the program does not pass its own checks, so its mutants cannot be graded\n\
                 help: `warpsim run` with the same arguments shows the whole result"
            )));
        }
        self.longest[run as usize] = outcome.reports.iter().map(length).max().unwrap_or(0);
        self.kernels.extend(outcome.reports.iter().map(|report| report.launch.kernel.clone()));
        Ok(())
    }

    /// Names of the functions that the program executes, each with whether it is a kernel.
    pub fn functions(&self) -> BTreeSet<(String, bool)> {
        let entries = self.module.entries.iter().filter(|program| self.kernels.contains(&program.name));
        entries
            .flat_map(|program| {
                let functions = program.functions.iter().map(|function| (function.name.clone(), false));
                [(program.name.clone(), true)].into_iter().chain(functions)
            })
            .collect()
    }

    /// Compiles a text for the chip; `None` if it has errors.
    fn compile(&self, source: &Arc<Source>, options: Options) -> Option<Module> {
        let module = isa::compile_source(source, options).0?;
        isa::lowered_for(module, self.chip.capability).ok().map(|(module, _)| module)
    }

    /// Compiles a text for the checkers.
    fn plain(&self, source: &Arc<Source>) -> Option<Module> {
        self.compile(
            source,
            Options { optimize: self.options.optimize && !self.checks.need_plain_code(), ..self.options },
        )
    }

    fn run(&self, module: Module, run: Run) -> Result<RunResult, Failure> {
        let mode = if run == Run::Timed { Mode::Timed } else { Mode::Functional };
        let mut settings =
            Settings { launches: LaunchSettings { mode, ..self.settings.launches }, ..self.settings };
        let most = self.longest[run as usize].saturating_mul(BUDGET);
        settings.launches.options.max_cycles = settings.launches.options.max_cycles.min(most);
        let mut gpu = Gpu::new(self.chip.clone());
        if run == Run::Checked {
            gpu.check(self.checks);
        }
        self.prepared.with_module(module).run(&mut gpu, settings)
    }

    /// Runs a mutant of the program with this text.
    pub fn fate(&self, mutant: &Mutant, ptx: &Source) -> Fate {
        let source = Arc::new(mutant.source(ptx));
        let Some(module) = self.compile(&source, self.options) else { return Fate::Invalid };
        if is_same_code(&module, &self.module) {
            return Fate::Equivalent;
        }
        let mut runs = vec![Run::Functional];
        runs.extend((!self.checks.is_empty()).then_some(Run::Checked));
        runs.push(Run::Timed);
        let mut all: Vec<(Notice, String)> = Vec::new();
        for run in runs {
            if run == Run::Timed && !all.is_empty() {
                break;
            }
            let module = if run == Run::Checked { self.plain(&source) } else { Some(module.clone()) };
            let Some(module) = module else { return Fate::Invalid };
            for (by, detail) in noticed(&self.run(module, run), self.checks) {
                if all.iter().all(|(known, _)| *known != by) {
                    all.push((by, detail));
                }
            }
        }
        if all.is_empty() { Fate::Survived } else { Fate::Noticed(all) }
    }
}

/// Warp instructions of a launch, or its cycles.
fn length(report: &Report) -> u64 {
    report.timing.as_ref().map_or(report.instructions.warp, |timing| timing.cycles)
}

/// The checkers that found errors.
fn errors(reports: &[Report]) -> BTreeSet<Check> {
    let findings = reports.iter().filter_map(|report| report.checks.as_ref()).flat_map(|c| &c.findings);
    findings.filter(|finding| finding.severity == Severity::Error).map(|finding| finding.check).collect()
}

/// Returns the checks that notice a run, each with its message; none if it is as it should be. The
/// results of a launch that does not end are not compared.
fn noticed(result: &Result<RunResult, Failure>, checks: Checks) -> Vec<(Notice, String)> {
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(failure) => return vec![(Notice::Refused, failure.message.clone())],
    };
    let mut all = Vec::new();
    let mut is_whole = true;
    for report in &outcome.reports {
        let kind = report.launch.kernel.as_str();
        let ended = match &report.verdict {
            Verdict::Finished | Verdict::Estimated => continue,
            Verdict::Trapped { trap } => (Notice::Trap, trap.message.clone()),
            Verdict::Scheduler { fault } => (Notice::Trap, fault.message.clone()),
            Verdict::Hung { stuck, .. } => {
                (Notice::Hang, format!("kernel `{kind}` hangs: {}", stuck.class.sentence()))
            }
            Verdict::Limit { limit, .. } => {
                let detail = format!("kernel `{kind}` runs {BUDGET} times as long as the program: {limit}");
                (Notice::Hang, detail)
            }
            Verdict::Interrupted { .. } | Verdict::TimeLimit { .. } => {
                (Notice::Hang, format!("kernel `{kind}` was stopped"))
            }
        };
        all.push(ended);
        is_whole = false;
    }
    let findings = outcome.reports.iter().filter_map(|report| report.checks.as_ref());
    let findings = findings.flat_map(|checks| &checks.findings);
    let is_error = |check: Check, severity| severity == Severity::Error && checks.has(check);
    let errors = findings.filter(|finding| is_error(finding.check, finding.severity));
    all.extend(
        errors.map(|finding| (Notice::of(finding.check), format!("{}: {}", finding.kind, finding.message))),
    );
    if !is_whole {
        return all;
    }
    let failed = outcome.check.lines.iter().filter(|fact| fact.passed == Some(false));
    let by = |subject| match subject {
        Subject::Data => Some(Notice::Result),
        Subject::Metric => Some(Notice::Metric),
        // An error of a checker that finds errors in the program, too.
        Subject::Checker => None,
    };
    all.extend(failed.filter_map(|fact| Some((by(fact.subject)?, fact.text.clone()))));
    all
}
