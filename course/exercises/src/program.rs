//! One run of a program: a text is compiled for a chip, and runs with the arguments, input and
//! files of a test.

use crate::kernel::{self, Kernel};
use crate::observed::{Budget, Mode, Observed, Shape};
use crate::rubric::{Language, Rubric, Test, Texts};
use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use embedded::library::{Recorded, VirtualFolder};
use embedded::stop::Stop;
use embedded::{Compiled, Ended, Outside};
use report::metrics::Reports;
use report::program::place;
use request::Sources;
use request::compilation::{Compilation, CompileArgs};
use request::ptx::Ptx;
use sim_core::check::{Checks, Finding, Severity};
use sim_core::config::Chip;
use sim_core::host::{Effects, Gpu};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use warpsim_cuda::settings::Settings;

/// Most bytes of the memory of host code.
const MEMORY: u64 = 256 << 20;

/// A compiled program.
#[derive(Debug)]
pub enum Program {
    /// A program in CUDA C, with its host code.
    Host(Compiled),
    /// A kernel in OpenCL C.
    Kernel(Kernel),
}

/// A program and the files that it may include.
#[derive(Clone, Copy, Debug)]
pub struct Source<'t> {
    /// Name of the file.
    pub name: &'t str,
    /// Source text of the program.
    pub text: &'t str,
    /// Files beside it.
    pub beside: &'t Texts,
    /// The exercise.
    pub rubric: &'t Rubric,
}

impl Source<'_> {
    /// Compiles the program for a chip.
    ///
    /// # Errors
    ///
    /// The messages of the compiler.
    pub fn compile(&self, chip: &Chip) -> Result<Program, String> {
        if self.rubric.language() == Language::OpenCl {
            return self.kernel(chip).map(Program::Kernel);
        }
        let load = |wanted: &str, _: &str, _: bool| {
            let text = self.beside.get(wanted)?;
            Some(Included { name: wanted.to_owned(), text: text.clone(), hidden: false })
        };
        let target = Target::of_chip(chip.capability, chip.features);
        let options = Options::of(target);
        let unit = cuda::Unit::new(self.name, self.text, &load, &options);
        let compiled = embedded::compile(&[unit], target);
        compiled.map(|(program, _)| Program::Host(program)).map_err(|refused| refused.messages)
    }

    fn kernel(&self, chip: &Chip) -> Result<Kernel, String> {
        let mut sources = Sources::only(self.beside.clone());
        sources.insert(self.name, self.text.to_owned());
        let how =
            Compilation::usual(CompileArgs::default()).with(&sources).on(chip.capability, chip.features);
        let module = Ptx::linked(self.name, &[], &how).and_then(|ptx| ptx.compile(&how, &mut |_| {}));
        let module = module.map_err(|refused| refused.message)?;
        let name = self.rubric.kernels.first().filter(|_| module.entries.len() > 1).cloned();
        Ok(Kernel { module, name })
    }
}

/// Runs a program.
///
/// # Errors
///
/// A file of the test has a name that programs cannot use.
pub fn run(
    program: &Program,
    name: &str,
    (test, arguments): (&Test, &[String]),
    (chip, mode): (&Chip, Mode),
    budget: Budget,
) -> Result<Observed, String> {
    let program = match program {
        Program::Host(program) => program,
        Program::Kernel(kernel) => {
            let range = test.range.as_ref().ok_or("the test has no `global`")?;
            return Ok(kernel::run(kernel, name, ((test, range), arguments), (chip, mode), budget));
        }
    };
    let (functional, checks, effects) = match mode {
        Mode::Timed => (false, Checks::NONE, Effects::Off),
        Mode::Functional(checks, effects) => (true, checks, effects),
    };
    let settings = Settings { functional, checks, max_cycles: budget.cycles, ..Settings::of(chip.clone()) };
    let arguments =
        std::iter::once(name.trim_end_matches(".cu")).map(str::to_owned).chain(arguments.iter().cloned());
    let options = embedded::Options {
        arguments: arguments.collect(),
        memory: MEMORY,
        unwritten: embedded::Unwritten::default(),
        steps: budget.steps,
        called_ns: budget.called_ns,
        interpreted: embedded::INTERPRETED,
    };
    let files = test.entry.files.iter().map(|(name, text)| (name.value.clone(), text.clone().into_bytes()));
    let folder =
        VirtualFolder::new(files).map_err(|(name, why)| format!("the file `{name}` is refused: {why}"))?;
    let streams = Recorded::new(&test.entry.input);
    let mut gpu = Gpu::new(chip.clone());
    gpu.check(settings.checks);
    gpu.set_effects(effects);
    let outside = Outside::new(Box::new(streams.clone()), Box::new(folder));
    let ended = embedded::run(program, settings, &options, Outside { gpu: Some(&mut gpu), ..outside });
    let Ended { stop, code, steps, message, record, reports, .. } = ended;
    let printed = streams.take();
    let mut terminal = String::from_utf8_lossy(&printed.both).into_owned();
    if let Some(message) = message {
        if !terminal.is_empty() && !terminal.ends_with('\n') {
            terminal.push('\n');
        }
        terminal += &message;
    }
    let cycles = reports.iter().filter_map(|report| report.timing.as_ref()).map(|timing| timing.cycles).max();
    let failed = record.launches.iter().find(|launch| !launch.finished);
    let is_limited = |report: &Report| matches!(report.verdict, Verdict::Limit { .. });
    Ok(Observed {
        is_over_budget: matches!(stop, Stop::Budget | Stop::CallBudget) || reports.iter().any(is_limited),
        failure: failed.map(|launch| format!("`{}`: {}", launch.kernel, launch.verdict)),
        code,
        out: String::from_utf8_lossy(&printed.out).into_owned(),
        terminal,
        steps,
        cycles: cycles.unwrap_or(0),
        program_ns: record.simulated_ns,
        shape: Shape {
            copies: record.copies,
            bytes: [record.bytes_to_device, record.bytes_to_host, record.bytes_within],
            launches: record.launches.iter().map(|launch| [launch.grid, launch.block]).collect(),
        },
        kernels: record.launches.into_iter().map(|launch| launch.kernel).collect(),
        reports,
        effects: gpu.set_effects(Effects::Off),
    })
}

impl Observed {
    /// The metrics of the launches.
    pub fn metrics(&self) -> Reports {
        Reports::new(&self.reports)
    }

    /// The message about the end of the program.
    pub fn error(&self) -> Option<&str> {
        self.terminal.lines().find_map(|line| line.strip_prefix("error: "))
    }

    /// The errors of the checkers, with the places of their lines.
    pub fn errors(&self) -> Vec<(&Finding, String)> {
        let mut all: Vec<(&Finding, String)> = Vec::new();
        for report in &self.reports {
            for finding in report.checks.iter().flat_map(|checks| &checks.findings) {
                let place = place(&report.launch.files, finding.line);
                let is_known = all.iter().any(|(known, at)| (known.kind, at) == (finding.kind, &place));
                if finding.severity == Severity::Error && !is_known {
                    all.push((finding, place));
                }
            }
        }
        all
    }
}
