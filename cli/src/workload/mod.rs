//! The launched program: a built-in kernel with its host program, or a PTX file with its launch
//! file. Shared by all commands that run programs.

mod builtin;
pub mod custom;
pub mod debugged;
pub mod program;
pub mod streams;

use crate::args::{ChipArgs, Lines, WorkloadArgs};
use crate::chip;
use crate::cuda_c::Compilation;
use crate::exit::Failure;
use crate::output::{Files, complain};
use crate::provenance::Provenance;
use crate::ptx::check_linked;
use isa::uop::Module;
use kernels::{Settings, Workload};
pub use report::launch_file::watchdog_cycles;
pub use report::outcome::RunResult;
use sim_core::config::Chip;
use sim_core::config::base::Texts;
use sim_core::host::{Gpu, Mode, RunOptions};
use std::path::{Path, PathBuf};
use studies::host::Warn;

/// Returns the settings of the launches of `args` on `chip`, for every command.
pub fn settings(args: &WorkloadArgs, mode: Mode, threads: usize, chip: &Chip) -> Settings {
    Settings {
        size: args.size,
        mode,
        registers: args.registers,
        barriers: args.rules.barriers.map(Into::into),
        memory: args.rules.memory.map(Into::into),
        cache: args.cache.map(Into::into),
        options: RunOptions {
            threads,
            max_cycles: args.max_cycles.unwrap_or_else(|| watchdog_cycles(chip)),
            ..RunOptions::default()
        },
    }
}

/// Returns how the files of `args` are compiled for `chip`.
pub fn compilation(args: &WorkloadArgs, chip: &Chip) -> Compilation {
    Compilation::new(args.compile, &args.preprocess).on(chip.capability).within(chip.memory_bytes)
}

/// Returns the provenance of the runs of `prepared` on `chip`, which `texts` describe.
pub fn provenance(
    args: &WorkloadArgs,
    prepared: &Prepared<'_>,
    chip_args: &ChipArgs,
    texts: &Texts,
    chip: &Chip,
) -> Result<Provenance, Failure> {
    let sets = chip::sets(chip_args)?;
    let more = args.linked.iter().map(|path| format!(" {}", path.display()));
    let words = args.program_arguments.iter().map(|word| format!(" {}", word.to_string_lossy()));
    let kernel = (&*(args.kernel.clone() + &more.chain(words).collect::<String>()), args.size);
    Ok(Provenance::of(kernel, prepared.texts(), (&*chip_args.chip, &sets), texts, chip))
}

/// Source of the kernel.
#[derive(Clone, Debug)]
pub enum Source<'a> {
    /// A built-in kernel.
    Builtin(&'static Workload),
    /// PTX files with their launch file.
    Custom {
        /// PTX files, which the launch file may complete.
        ptx: Vec<PathBuf>,
        /// Launch file.
        launch: &'a Path,
    },
    /// A CUDA C program with its host code.
    Program(&'a WorkloadArgs),
}

impl<'a> Source<'a> {
    /// Returns the built-in kernel of that name, or otherwise the file; options of the other kind
    /// are rejected.
    pub fn of(args: &'a WorkloadArgs, how: &Compilation) -> Result<Self, Failure> {
        if args.is_program() {
            let has_lines = args.compile.lines == Lines::Ptx;
            refuse(args, &[("--size", args.size.is_some()), ("--lines ptx", has_lines)])?;
            return Ok(Self::Program(args));
        }
        if !args.program_arguments.is_empty() {
            return Err(Failure::input(format!(
                "error: {} takes no arguments behind `--`: it is not a program with host code",
                args.kernel
            )));
        }
        if args.host_memory.is_some() {
            return Err(Failure::input(format!(
                "error: --host-memory is not possible with {}, which has no separate host code",
                args.kernel
            )));
        }
        if let Some(workload) = kernels::find(&args.kernel) {
            check_linked(&args.kernel, &args.linked)?;
            if args.launch.is_some() {
                let message =
                    format!("error: the built-in kernel `{}` does not accept --launch", args.kernel);
                return Err(Failure::input(
                    message + "\nhelp: its host program launches it; set the problem size with --size",
                ));
            }
            return Ok(Self::Builtin(workload));
        }
        check_linked(&args.kernel, &args.linked)?;
        let kernel = Path::new(&args.kernel);
        if args.size.is_some() {
            let message = "error: a PTX file does not accept --size\nhelp: set the sizes in the launch file";
            return Err(Failure::input(message));
        }
        let is_launch = kernel.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ron"));
        if is_launch && args.launch.is_none() {
            return Ok(Self::Custom { ptx: args.linked.clone(), launch: kernel });
        }
        let ptx: Vec<PathBuf> = [kernel.to_owned()].into_iter().chain(args.linked.iter().cloned()).collect();
        match &args.launch {
            Some(launch) => Ok(Self::Custom { ptx, launch }),
            None => Err(custom::explain_launch(&ptx, how)),
        }
    }

    /// Compiles the program, and reads its files. Warnings go to standard error.
    pub fn prepare(&self, how: &Compilation) -> Result<Prepared<'a>, Failure> {
        self.prepare_for(how, &mut complain)
    }

    /// As [`Self::prepare`]; warnings go to `warn`.
    pub fn prepare_for(&self, how: &Compilation, warn: Warn<'_>) -> Result<Prepared<'a>, Failure> {
        Ok(match self {
            Self::Builtin(workload) => Prepared::Builtin(workload, builtin::prepare(workload, how.options)?),
            Self::Custom { ptx, launch } => Prepared::Custom(custom::Prepared::new(ptx, launch, how, warn)?),
            Self::Program(args) => {
                let prepared = program::Prepared::new(args, how, warn)?;
                Prepared::Program(prepared.map_err(|refused| Failure {
                    message: format!(
                        "{}\nhelp: only `run` takes a program that clang compiles: `run --compiler clang --record DIR` \
                         records its launches, which this command takes: DIR/NUMBER-KERNEL/launch.ron",
                        refused.message
                    ),
                    ..refused
                })?)
            }
        })
    }
}

/// A compiled kernel with its launch data. It can be run several times and from several threads.
#[derive(Debug)]
pub enum Prepared<'a> {
    /// A built-in kernel and its module.
    Builtin(&'static Workload, Module),
    /// A compiled PTX file and its launch file.
    Custom(custom::Prepared<'a>),
    /// A compiled program with its host code.
    Program(program::Prepared),
}

/// Refuses options that a program with host code does not have, each with whether it is given.
///
/// # Errors
///
/// The first option that is given.
pub fn refuse(args: &WorkloadArgs, options: &[(&str, bool)]) -> Result<(), Failure> {
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::input(format!(
            "error: {option} is not possible with {}, a program with host code",
            args.kernel
        ))),
    }
}

impl Prepared<'_> {
    /// Returns the same launch with another module, compiled from a change of the PTX.
    pub fn with_module(&self, module: Module) -> Self {
        match self {
            Self::Builtin(workload, _) => Self::Builtin(workload, module),
            Self::Custom(prepared) => Self::Custom(prepared.with_module(module)),
            Self::Program(program) => Self::Program(program.with_module(module)),
        }
    }

    /// Returns all input files.
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Builtin(..) => Vec::new(),
            Self::Custom(prepared) => prepared.files(),
            Self::Program(program) => program.files(),
        }
    }

    /// Adds all input files.
    pub fn reads(&self, files: &mut Files) -> Result<(), Failure> {
        self.files().iter().try_for_each(|path| files.reads(path))
    }

    /// Returns the compiled module.
    pub fn module(&self) -> &Module {
        match self {
            Self::Builtin(_, module) => module,
            Self::Custom(prepared) => prepared.module(),
            Self::Program(program) => program.module(),
        }
    }

    /// Iterates over the source texts: PTX, and the launch file of a user's PTX file.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let (builtin, custom, program) = match self {
            Self::Builtin(workload, _) => (Some(workload.ptx), None, None),
            Self::Custom(prepared) => (None, Some(prepared.texts()), None),
            Self::Program(program) => (None, None, Some(program.texts())),
        };
        builtin.into_iter().chain(custom.into_iter().flatten()).chain(program.into_iter().flatten())
    }

    /// Runs the kernel on `gpu`. With `files` a launch file's dumps are written, without `files`
    /// they are not.
    pub fn run(
        &self,
        gpu: &mut Gpu,
        settings: Settings,
        files: Option<&mut Files>,
    ) -> Result<RunResult, Failure> {
        match self {
            Self::Builtin(workload, module) => builtin::run(workload, module.clone(), gpu, settings),
            Self::Custom(prepared) => prepared.run(None, gpu, settings, files),
            Self::Program(program) => Ok(program.run(gpu, settings)),
        }
    }

    /// Runs the kernel on `gpu` as the text `launch` of a launch file describes; a built-in kernel
    /// has none. Dumps are not written.
    pub fn run_launch(
        &self,
        launch: Option<&str>,
        gpu: &mut Gpu,
        settings: Settings,
    ) -> Result<RunResult, Failure> {
        match self {
            Self::Builtin(workload, module) => builtin::run(workload, module.clone(), gpu, settings),
            Self::Custom(prepared) => prepared.run(launch, gpu, settings, None),
            Self::Program(program) => Ok(program.run(gpu, settings)),
        }
    }

    /// Returns the PTX files; none for a built-in kernel.
    pub fn ptx(&self) -> &[PathBuf] {
        match self {
            Self::Builtin(..) | Self::Program(_) => &[],
            Self::Custom(prepared) => prepared.ptx(),
        }
    }

    /// Returns the text of the launch file; `None` for a built-in kernel.
    pub fn launch_text(&self) -> Option<&str> {
        match self {
            Self::Builtin(..) | Self::Program(_) => None,
            Self::Custom(prepared) => Some(prepared.launch_text()),
        }
    }
}
