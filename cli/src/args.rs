//! What can be asked for on the command line.

use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// A cycle-level simulator of NVIDIA's G80 that executes PTX.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, disable_help_subcommand = true)]
#[command(
    after_help = "Exit codes: 0 fine; 1 wrong result; 2 bad usage or input; 3 trap or refused launch; \
                        4 hang or limit."
)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a kernel, check its result and print the report
    Run(RunArgs),
}

/// Options of `run`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = kernel_list())]
pub struct RunArgs {
    /// A built-in kernel (vecadd, matmul-naive, matmul-tiled, reduce-interleaved, reduce-halving) or a PTX file
    #[arg(value_name = "KERNEL|FILE.ptx")]
    pub kernel: String,

    /// How to launch a PTX file: grid, block, parameters, buffers, expectations (docs/LAUNCH.md)
    #[arg(long, value_name = "LAUNCH.ron")]
    pub launch: Option<PathBuf>,

    /// Size of a built-in kernel's problem
    #[arg(long, value_name = "N")]
    pub size: Option<u64>,

    /// The chip: the name of a built-in one, or a chip file
    #[arg(long, value_name = "NAME|FILE.ron", default_value = "g80")]
    pub chip: String,

    /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,

    /// Registers per thread, in place of what the lowered code needs (and of the launch file's): changes how many
    /// blocks fit on an SM, not the results
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub registers: Option<u32>,

    /// Run on the functional machine: the same results, without time
    #[arg(long)]
    pub functional: bool,

    /// Write the report as JSON (docs/REPORT.md); `-` writes it to standard output instead of the text
    #[arg(long, value_name = "FILE|-")]
    pub json: Option<PathBuf>,

    /// Host threads for the simulation; the report does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// Stop after this many shader-clock cycles (functional: warp instructions)
    ///
    /// By default the launch is stopped after five seconds of the chip's own time, as the display driver's watchdog
    /// stopped kernels at the time, so that an endless loop ends with a verdict.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_cycles: Option<u64>,

    /// Print to standard error how the simulator itself ran
    #[arg(long)]
    pub host_stats: bool,
}

/// Most host threads that can be asked for.
const MAX_THREADS: usize = 256;

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=MAX_THREADS).contains(&n) => Ok(n),
        _ => Err(format!("must be a whole number from 1 to {MAX_THREADS}")),
    }
}

fn kernel_list() -> String {
    let describe = |w: &kernels::Workload| {
        let kernels::Workload { name, about, book, size_meaning, default_size, .. } = w;
        format!("  {name:<20} {about} ({book})\n  {:<20} --size: {size_meaning}; default {default_size}", "")
    };
    let list: Vec<String> = kernels::ALL.iter().map(describe).collect();
    format!("Built-in kernels:\n{}", list.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn sets_repeat_and_numbers_are_checked() {
        let parse = |line: &str| Args::try_parse_from(line.split(' '));
        let Command::Run(run) =
            parse("warpsim run vecadd --set a.b=1 --set c=2 --threads 4").expect("good").command;
        assert_eq!((run.sets.len(), run.threads, run.max_cycles), (2, 4, None));
        for bad in
            ["--threads 0", "--threads 1000000", "--max-cycles 0", "--size -1", "--size 1e3", "--bogus"]
        {
            assert!(parse(&format!("warpsim run vecadd {bad}")).is_err(), "{bad}");
        }
        assert!(parse("warpsim").is_err() && parse("warpsim run").is_err());
    }

    #[test]
    fn help_names_every_built_in_kernel() {
        let help = Args::command().find_subcommand_mut("run").expect("run").render_long_help().to_string();
        for workload in &kernels::ALL {
            assert!(help.matches(workload.name).count() >= 2, "{}", workload.name);
        }
    }
}
