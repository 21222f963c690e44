//! Compiled input of a run: a built-in kernel, a kernel with its launch file, or a program with its
//! host code.

use crate::Warn;
use crate::builtin;
use crate::compilation::{Compilation, Lines};
use crate::kernel::{Kernel, explain_launch};
use crate::options::{ChipArgs, Request, is_source};
use crate::program::Program;
use embedded::Interrupted;
use isa::uop::Module;
use kernels::{Settings, Workload};
use report::exit::Failure;
use report::outcome::RunResult;
use report::provenance::Provenance;
use sim_core::config::Chip;
use sim_core::config::base::Texts;
use sim_core::host::Gpu;
use std::path::{Path, PathBuf};

/// Source of the kernel.
#[derive(Clone, Debug)]
pub enum Source {
    /// A built-in kernel.
    Builtin(&'static Workload),
    /// PTX files with their launch file.
    Kernel {
        /// PTX files, which the launch file may complete.
        ptx: Vec<PathBuf>,
        /// Launch file.
        launch: PathBuf,
    },
    /// A CUDA C program with its host code.
    Program(Box<Request>),
}

impl Source {
    /// Returns the built-in kernel of that name, or otherwise the file; options of the other kind
    /// are rejected.
    pub fn of(args: &Request, how: &Compilation) -> Result<Self, Failure> {
        // A launch of a program has a number, which is easily given to this option.
        let number = args.launch.as_deref().and_then(|launch| launch.to_str()?.parse::<u32>().ok());
        if let Some(number) = number.filter(|number| !Path::new(&number.to_string()).exists())
            && is_source(&args.kernel)
        {
            return Err(Failure::input(format!(
                "error: --launch names a launch file, and there is no file {number}\n\
                 help: commands that take the number of a launch have the option --launch-index"
            )));
        }
        if args.is_program() {
            let has_lines = args.compile.lines == Lines::Ptx;
            refuse(args, &[("--size", args.size.is_some()), ("--lines ptx", has_lines)])?;
            return Ok(Self::Program(Box::new(args.clone())));
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
            how.check_linked(&args.kernel, &args.linked)?;
            if args.launch.is_some() {
                let message =
                    format!("error: the built-in kernel `{}` does not accept --launch", args.kernel);
                return Err(Failure::input(
                    message + "\nhelp: its host program launches it; set the problem size with --size",
                ));
            }
            return Ok(Self::Builtin(workload));
        }
        how.check_linked(&args.kernel, &args.linked)?;
        let kernel = Path::new(&args.kernel);
        if args.size.is_some() {
            let message = "error: a PTX file does not accept --size\nhelp: set the sizes in the launch file";
            return Err(Failure::input(message));
        }
        let is_launch = kernel.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ron"));
        if is_launch && args.launch.is_none() {
            return Ok(Self::Kernel { ptx: args.linked.clone(), launch: kernel.to_owned() });
        }
        let ptx: Vec<PathBuf> = [kernel.to_owned()].into_iter().chain(args.linked.iter().cloned()).collect();
        match &args.launch {
            Some(launch) => Ok(Self::Kernel { ptx, launch: launch.clone() }),
            None => Err(explain_launch(&ptx, how)),
        }
    }

    /// Compiles the program, and reads its files. Warnings go to `warn`.
    ///
    /// # Errors
    ///
    /// A file cannot be read or has errors.
    pub fn prepare(&self, how: &Compilation, warn: Warn<'_>) -> Result<Prepared, Failure> {
        Ok(match self {
            Self::Builtin(workload) => Prepared::Builtin(workload, builtin::compile(workload, how.options)?),
            Self::Kernel { ptx, launch } => Prepared::Kernel(Box::new(Kernel::new(ptx, launch, how, warn)?)),
            Self::Program(args) => {
                let program = Program::new(args, how, warn)?;
                Prepared::Program(Box::new(program.map_err(|refused| Failure {
                    message: format!(
                        "{}\nhelp: only `run` takes a program that clang compiles: `run --compiler clang --record DIR` \
                         records its launches, which this command takes: DIR/NUMBER-KERNEL/launch.ron",
                        refused.message
                    ),
                    ..refused
                })?))
            }
        })
    }
}

/// A compiled kernel with its launch data. It can be run several times and from several threads.
#[derive(Clone)]
pub enum Prepared {
    /// A built-in kernel and its module.
    Builtin(&'static Workload, Module),
    /// A compiled PTX file and its launch file.
    Kernel(Box<Kernel>),
    /// A compiled program with its host code.
    Program(Box<Program>),
}

/// Refuses options that a program with host code does not have, each with whether it is given.
///
/// # Errors
///
/// The first option that is given.
pub fn refuse(args: &Request, options: &[(&str, bool)]) -> Result<(), Failure> {
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::input(format!(
            "error: {option} is not possible with {}, a program with host code",
            args.kernel
        ))),
    }
}

impl Prepared {
    /// The same, with a question that is asked regularly: whether the user interrupts a program.
    /// The monitor of a GPU asks for a kernel.
    #[must_use]
    pub fn until(mut self, interrupted: Interrupted) -> Self {
        if let Self::Program(program) = &mut self {
            program.with.interrupted = Some(interrupted);
        }
        self
    }

    /// Returns the same launch with another module, compiled from a change of the PTX.
    #[must_use]
    pub fn with_module(&self, module: Module) -> Self {
        match self {
            Self::Builtin(workload, _) => Self::Builtin(workload, module),
            Self::Kernel(kernel) => Self::Kernel(Box::new(kernel.with_module(module))),
            Self::Program(program) => Self::Program(Box::new(program.with_module(module))),
        }
    }

    /// Returns the same with other arguments of a program: number, from 1, and word.
    #[must_use]
    pub fn with_arguments(&self, changed: &[(usize, String)]) -> Self {
        let mut other = self.clone();
        if let Self::Program(program) = &mut other {
            for (number, word) in changed {
                // Word 0 is the name of the program.
                if let Some(old) = program.words.get_mut(*number) {
                    old.clone_from(word);
                }
            }
        }
        other
    }

    /// Returns all input files.
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Builtin(..) => Vec::new(),
            Self::Kernel(prepared) => prepared.files(),
            Self::Program(program) => program.files(),
        }
    }

    /// Returns the input files that the text of a launch file names.
    pub fn inputs(&self, launch: &str) -> Vec<PathBuf> {
        match self {
            Self::Builtin(..) | Self::Program(_) => Vec::new(),
            Self::Kernel(kernel) => kernel.inputs(launch),
        }
    }

    /// Returns the compiled module.
    pub fn module(&self) -> &Module {
        match self {
            Self::Builtin(_, module) => module,
            Self::Kernel(prepared) => prepared.module(),
            Self::Program(program) => program.module(),
        }
    }

    /// Iterates over the source texts: PTX, and the launch file of a user's PTX file.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let (builtin, custom, program) = match self {
            Self::Builtin(workload, _) => (Some(workload.ptx), None, None),
            Self::Kernel(prepared) => (None, Some(prepared.texts()), None),
            Self::Program(program) => (None, None, Some(program.texts())),
        };
        builtin.into_iter().chain(custom.into_iter().flatten()).chain(program.into_iter().flatten())
    }

    /// Runs it on `gpu`. Nothing is printed, and no file is written.
    ///
    /// # Errors
    ///
    /// The launch file is invalid, or the chip refuses a launch.
    pub fn run(&self, gpu: &mut Gpu, settings: Settings) -> Result<RunResult, Failure> {
        self.run_launch(None, gpu, settings)
    }

    /// Runs it on `gpu` as the text `launch` of a launch file describes, if it has a launch file.
    ///
    /// # Errors
    ///
    /// As [`Self::run`].
    pub fn run_launch(
        &self,
        launch: Option<&str>,
        gpu: &mut Gpu,
        settings: Settings,
    ) -> Result<RunResult, Failure> {
        match self {
            Self::Builtin(workload, module) => builtin::run(workload, module.clone(), gpu, settings),
            Self::Kernel(kernel) => kernel.run(launch, gpu, settings.launches),
            Self::Program(program) => Ok(program.run(gpu, settings.launches)),
        }
    }

    /// Returns the PTX files; none for a built-in kernel.
    pub fn ptx(&self) -> &[PathBuf] {
        match self {
            Self::Builtin(..) | Self::Program(_) => &[],
            Self::Kernel(prepared) => prepared.ptx(),
        }
    }

    /// Returns the text of the launch file; `None` for a built-in kernel.
    pub fn launch_text(&self) -> Option<&str> {
        match self {
            Self::Builtin(..) | Self::Program(_) => None,
            Self::Kernel(prepared) => Some(prepared.launch_text()),
        }
    }
}

/// Returns the provenance of the runs of `prepared` on `chip`, which `texts` describe.
pub fn provenance(
    args: &Request,
    prepared: &Prepared,
    chip_args: &ChipArgs,
    texts: &Texts,
    chip: &Chip,
) -> Result<Provenance, Failure> {
    let sets = chip_args.sets()?;
    let more = args.linked.iter().map(|path| format!(" {}", path.display()));
    let words = args.program_arguments.iter().map(|word| format!(" {}", word.to_string_lossy()));
    let kernel = (&*(args.kernel.clone() + &more.chain(words).collect::<String>()), args.size);
    Ok(Provenance::of(kernel, prepared.texts(), (&*chip_args.chip, &sets), texts, chip))
}
