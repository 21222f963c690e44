//! What is launched: a built-in kernel through its host program, or a PTX file as its launch file
//! says. Shared by all commands that run something.

mod builtin;
mod custom;

use crate::args::WorkloadArgs;
use crate::exit::Failure;
use crate::output::Files;
use crate::ptx::{is_file, unknown};
use isa::Options;
use isa::uop::Module;
use kernels::{Settings, Workload};
use sim_core::config::Chip;
use sim_core::host::{Gpu, Mode, RunOptions};
use sim_core::stats::Report;
use std::path::Path;

/// What a run gave, whatever was run.
pub struct RunResult {
    /// One report per launch.
    pub reports: Vec<Report>,
    /// Whether the results are right.
    pub check: Check,
    /// Files that could not be written: told at the end, so that nothing else is lost by it.
    pub failures: Vec<Failure>,
}

/// Whether the results are right.
pub struct Check {
    /// `None` if there was nothing to check with, or no result to check.
    pub passed: Option<bool>,
    /// In words, one line per fact.
    pub lines: Vec<String>,
}

/// Seconds of the chip's own time after which a launch is stopped where `--max-cycles` is not
/// given: about what the display driver's watchdog allowed.
const WATCHDOG_SECONDS: u64 = 5;

/// The shader-clock cycles after which a launch on `chip` is stopped where nothing else is said.
pub fn watchdog_cycles(chip: &Chip) -> u64 {
    chip.clocks.shader_khz.saturating_mul(1000 * WATCHDOG_SECONDS)
}

/// How the launches that `args` asks for run on `chip`, whatever the command.
pub fn settings(args: &WorkloadArgs, mode: Mode, threads: usize, chip: &Chip) -> Settings {
    Settings {
        size: args.size,
        mode,
        registers: args.registers,
        barriers: args.barriers.into(),
        cache: args.cache.map(Into::into),
        options: RunOptions {
            threads,
            max_cycles: args.max_cycles.unwrap_or_else(|| watchdog_cycles(chip)),
            ..RunOptions::default()
        },
    }
}

/// Where the kernel comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// The workload of this name.
    Builtin(&'static Workload),
    /// A file, and how to launch it.
    Custom {
        /// PTX file.
        ptx: &'a Path,
        /// Launch file.
        launch: &'a Path,
    },
}

impl<'a> Source<'a> {
    /// The built-in kernel of that name, or else a file; options that belong to the other kind are
    /// refused.
    pub fn of(args: &'a WorkloadArgs) -> Result<Self, Failure> {
        if let Some(workload) = kernels::find(&args.kernel) {
            if args.launch.is_some() {
                let message =
                    format!("error: the built-in kernel `{}` does not accept --launch", args.kernel);
                return Err(Failure::input(
                    message + "\nhelp: its host program launches it; set the problem size with --size",
                ));
            }
            return Ok(Self::Builtin(workload));
        }
        let ptx = Path::new(&args.kernel);
        if !is_file(ptx) {
            return Err(unknown(&args.kernel));
        }
        if args.size.is_some() {
            let message = "error: a PTX file does not accept --size\nhelp: set the sizes in the launch file";
            return Err(Failure::input(message));
        }
        match &args.launch {
            Some(launch) => Ok(Self::Custom { ptx, launch }),
            None => Err(custom::explain_launch(ptx)),
        }
    }

    /// Does all that need not be done again for another chip or size: compiles, and reads what can
    /// be read.
    pub fn prepare(&self, options: Options) -> Result<Prepared<'a>, Failure> {
        Ok(match *self {
            Self::Builtin(workload) => Prepared::Builtin(workload, builtin::prepare(workload, options)?),
            Self::Custom { ptx, launch } => Prepared::Custom(custom::Prepared::new(ptx, launch, options)?),
        })
    }
}

/// A compiled kernel with what is needed to launch it, as often as one likes and from several
/// threads.
#[derive(Debug)]
pub enum Prepared<'a> {
    /// A workload and its module.
    Builtin(&'static Workload, Module),
    /// A file's.
    Custom(custom::Prepared<'a>),
}

impl Prepared<'_> {
    /// Enters all files that it is made from and reads.
    pub fn reads(&self, files: &mut Files) -> Result<(), Failure> {
        match self {
            Self::Builtin(..) => Ok(()),
            Self::Custom(prepared) => prepared.reads(files),
        }
    }

    /// The texts that it is made from: PTX, and the launch file of a user's.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let texts = match self {
            Self::Builtin(workload, _) => [Some(workload.ptx), None],
            Self::Custom(prepared) => prepared.texts().map(Some),
        };
        texts.into_iter().flatten()
    }

    /// Runs it on `gpu`. With `files` a launch file's dumps are written, without they are left out.
    pub fn run(
        &self,
        gpu: &mut Gpu,
        settings: Settings,
        files: Option<&mut Files>,
    ) -> Result<RunResult, Failure> {
        match self {
            Self::Builtin(workload, module) => builtin::run(workload, module.clone(), gpu, settings),
            Self::Custom(prepared) => prepared.run(gpu, settings, files),
        }
    }
}
