//! The commands of the command line. Each command has a file with its options.

mod book;
mod check;
mod compare;
pub mod config;
mod cuda;
mod dap;
mod debug;
mod direct;
mod disasm;
mod exec;
mod experiment;
mod explain;
mod explore;
mod format;
mod init;
mod install;
mod kernel_list;
mod lab;
mod launch;
mod list;
mod mutate;
mod new_scheduler;
pub mod occupancy;
mod picture;
mod run;
mod size;
pub mod sweep;
mod trace;
mod validate;
mod watch;

pub use book::BookArgs;
pub use check::CheckArgs;
pub use compare::{CompareArgs, CompareFormat, RunToCompare};
pub use config::ConfigArgs;
pub use cuda::CudaArgs;
pub use dap::{DapArgs, LaunchArgs};
pub use debug::{DebugArgs, hyphened};
pub use direct::DirectArgs;
pub use disasm::DisasmArgs;
pub use exec::{ExecArgs, HostTime};
pub use experiment::{Engine, ExperimentArgs};
pub use explain::ExplainArgs;
pub use explore::{ExploreArgs, ExploreMode, ExploreOrder};
pub use format::{Format, FormatArgs};
pub use init::InitArgs;
pub use install::{CompletionsArgs, ManArgs};
pub use lab::{LabArgs, LabCheckArgs, LabCommand, LabGradeArgs, LabNewArgs, LabTestArgs};
pub use launch::WhichLaunch;
pub use list::{DevicesArgs, ListArgs};
pub use mutate::MutateArgs;
pub use new_scheduler::NewSchedulerArgs;
pub use occupancy::OccupancyArgs;
pub use picture::{
    BookFigure, DrawnRunArgs, FigureArgs, LatencyArgs, OccupancyPictureArgs, PictureArgs, PictureFiles,
    PictureKind, RooflineArgs, SegmentsArgs, StallsArgs, TimelineArgs, TreeArgs,
};
pub use request::compilation::{CompileArgs, PreprocessArgs};
pub use request::options::{ChipArgs, Request, is_source};
pub use run::{Compiler, Details, RunArgs, TimedWork};
pub use size::Size;
pub use sweep::SweepArgs;
pub use trace::{Numbers, TraceArgs, TraceFormat};
pub use validate::ValidateArgs;
pub use watch::{ProgressArgs, ShowProgress};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use kernel_list::kernel_list;
use std::ffi::OsString;
use std::path::PathBuf;
use sweep::metric_list;

/// The page that `warpsim` without a command prints.
pub const START: &str = "\
warpsim: a cycle-level simulator of the first CUDA GPUs that runs CUDA C programs and PTX

  warpsim run program.cu               run a CUDA C program and see where its time goes
  warpsim run matmul-tiled             the same for a built-in kernel
  warpsim list                         the built-in kernels
  warpsim explain memory_dependency    what a name in a report means

All commands:            warpsim --help
Options of a command:    warpsim help run";

/// Version, and the digests of what decides a result; see `build.rs`.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit:  ",
    env!("WARPSIM_COMMIT"),
    "\nsources: ",
    env!("WARPSIM_SOURCES"),
    "\nchips:   ",
    env!("WARPSIM_CHIPS")
);

/// A cycle-level simulator of the first CUDA GPUs that runs CUDA C programs and PTX.
#[derive(Debug, Parser)]
#[command(version, long_version = LONG_VERSION, propagate_version = true)]
#[command(after_help = "Exit codes:\n  \
                  0              success\n  \
                  1              wrong result, races, or a failed row\n  \
                  2              invalid usage or input\n  \
                  3              trap or refused launch\n  \
                  4              hang or limit\n  \
                  129, 130, 143  stopped by SIGHUP, Ctrl-C, SIGTERM")]
pub struct Args {
    /// The command.
    #[command(subcommand)]
    pub command: Command,

    /// Permit launch files and chip files to name files below this folder; may be repeated
    ///
    /// Without it, a path in such a file must lead to a file below the folder of that file or below
    /// the current folder (SECURITY.md).
    #[arg(long, value_name = "DIR", global = true, display_order = 100)]
    pub allow_path: Vec<PathBuf>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a CUDA C program, a kernel or PTX, and print what limits it
    Run(Box<RunArgs>),
    /// Run a CUDA program that `warpcc` has built, on a simulated GPU
    Exec(ExecArgs),
    /// Compile a CUDA C or OpenCL C file to PTX
    Compile(CudaArgs),
    /// Compare two runs: which one is faster, and why
    Compare(CompareArgs),
    /// Run a kernel for every combination of lists of values; write one row for each
    Sweep(SweepArgs),
    /// Run the points of an experiment file, keep their results in a store, and analyze them
    Experiment(ExperimentArgs),
    /// List the claims of the course texts, or run them and show which ones hold, and why
    Book(BookArgs),
    /// Compare published measurements of real chips with simulated ones
    Validate(ValidateArgs),
    /// Draw a picture of a run or a chip as SVG or PNG
    Picture(PictureArgs),
    /// Show what selected warps do, from which cycle to which, and why they wait
    Trace(TraceArgs),
    /// Step through the warps of a launch, forward and back, in the words of cuda-gdb
    Debug(DebugArgs),
    /// Run a small launch under all schedules of its warps: different results, races and hangs
    Explore(Box<ExploreArgs>),
    /// Serve an editor's debugger: the Debug Adapter Protocol on standard input and output
    Dap(DapArgs),
    /// Check CUDA C and PTX files: errors, resources and control flow of each kernel
    Check(CheckArgs),
    /// Show the compiled code of CUDA C and PTX files: micro-ops, live registers, reconvergence
    /// points
    Disasm(DisasmArgs),
    /// Grade the checks of a kernel: change the kernel in many ways, and show which changes no
    /// check notices
    Mutate(Box<MutateArgs>),
    /// Exercises of the course: hand-outs, their tests, and grades of submissions
    Lab(LabArgs),
    /// Write a launch file for a kernel, or for a launch of a program with its values
    Init(InitArgs),
    /// Write a crate with a scheduling policy, which has all commands of this program
    NewScheduler(NewSchedulerArgs),
    /// Show how many blocks of a kernel fit on an SM, and what limits them
    Occupancy(OccupancyArgs),
    /// List the chips with the properties of cudaGetDeviceProperties
    Devices(DevicesArgs),
    /// Show, check, compare and explain chips
    Config(ConfigArgs),
    /// List the built-in kernels
    List(ListArgs),
    /// Explain a metric, a stall or an error code: its meaning, formula and remedies
    Explain(ExplainArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Write the manual pages
    Man(ManArgs),
}

/// Parses a command line. Its help has the lists of [`command`].
pub fn parse(words: &[OsString]) -> Result<Args, clap::Error> {
    Args::try_parse_from(words).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            command().try_get_matches_from(words).err().unwrap_or(error)
        }
        _ => error,
    })
}

/// Returns the definition of the command line with the lists at the end of a long help. To make
/// them takes longer than to parse a command line, so [`Args`] is without them.
pub fn command() -> clap::Command {
    let mut root = Args::command();
    let kernels = kernel_list();
    let both = format!("{kernels}\n\n{}", metric_list());
    for (name, list) in [("run", &kernels), ("sweep", &both), ("trace", &kernels), ("debug", &kernels)] {
        if let Some(command) = root.find_subcommand_mut(name) {
            *command = std::mem::take(command).after_long_help(list);
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn sets_repeat_and_numbers_are_checked() {
        let parse = |line: &str| Args::try_parse_from(line.split(' '));
        let parsed = parse("warpsim run vecadd --set a.b=1 --set c=2 --threads 4").expect("good");
        let Command::Run(run) = parsed.command else { panic!("it says run") };
        assert_eq!((run.chip.sets.len(), run.threads, run.workload.max_cycles), (2, Some(4), None));
        for bad in
            ["--threads 0", "--threads 1000000", "--max-cycles 0", "--size -1", "--size 1e3", "--bogus"]
        {
            assert!(parse(&format!("warpsim run vecadd {bad}")).is_err(), "{bad}");
        }
        assert!(parse("warpsim").is_err() && parse("warpsim run").is_err());
    }

    #[test]
    fn compilation_is_asked_for_in_the_words_of_ptxas() {
        let options = |line: &str| {
            let parsed = Args::try_parse_from(format!("warpsim run vecadd{line}").split(' ')).ok()?;
            let Command::Run(run) = parsed.command else { return None };
            let options = run.workload.compile.options();
            Some((options.optimize, options.fmad))
        };
        assert_eq!(options(""), Some((true, false)));
        assert_eq!(options(" -O0"), Some((false, false)));
        assert_eq!(options(" --opt-level 1 --fmad true"), Some((true, true)));
        assert_eq!(options(" -O0 --fmad true"), Some((false, false)), "nothing is fused at level 0");
        assert_eq!((options(" -O4"), options(" --fmad maybe"), options(" --fmad")), (None, None, None));
    }

    #[test]
    fn help_names_every_built_in_kernel() {
        let help = command().find_subcommand_mut("run").expect("run").render_long_help().to_string();
        let words: Vec<&str> = help.split([' ', ',', '\n']).collect();
        for entry in crate::families::entries() {
            assert!(words.contains(&entry.name), "{} in\n{help}", entry.name);
            for member in entry.members.iter().filter(|member| member.name != entry.name) {
                let ending = member.name.strip_prefix(entry.name).expect("the family's name comes first");
                assert!(words.contains(&ending), "{ending} of {} in\n{help}", entry.name);
            }
        }
    }
}
