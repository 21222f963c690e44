//! `warpsim sweep`: runs every combination of lists of values, prints a row for each, and draws
//! plots. `list` parses the lists, of which `design` makes a study; the crate `studies` runs it.
//! `docs/EXPERIMENTS.md` is the manual.

mod design;
mod list;

use crate::args::SweepArgs;
use crate::chip;
use crate::exit::{Code, Failure};
use crate::host::host;
use crate::metrics;
use crate::output::{Files, OutputFile, complain, interrupt};
use crate::workload::interruptible;
use design::Lists;
use request::prepared::refuse;
use request::{Compilation, Prepared, Source};
use sim_core::host::WarmupCache;
use std::io::{self, Write};
use studies::point::Common;
use studies::programs::Programs;
use studies::study::Study;
use studies::sweep::{Options, Sweep};

/// Runs a sweep.
pub fn run(args: &SweepArgs) -> Result<Code, Failure> {
    // Errors of the command line are reported before the first point runs.
    let workloads = args.workloads()?;
    let how = Compilation::new(args.compile, &args.preprocess);
    let sources: Vec<Source> =
        workloads.iter().map(|workload| Source::of(workload, &how)).collect::<Result<_, _>>()?;
    check_launches(args, &sources)?;
    check_plots(args)?;
    let lists = Lists::new(args)?;
    let chips = lists.chips()?;
    let metrics = metrics::chosen(&args.metrics)?;
    let host = host();
    let programs = Programs::compile(&lists.file, &chips, &*host, |kernel, architecture, warn| {
        let how = how.clone().on(architecture.capability, architecture.features);
        Ok(interruptible(sources[kernel].prepare(&how, warn)?))
    })?;
    let mut files = Files::new();
    programs.first().flat_map(Prepared::files).try_for_each(|path| files.reads(&path))?;
    lists.file.given.chips.iter().try_for_each(|name| chip::reads(&mut files, &name.value))?;
    let study = Study {
        name: &format!("Sweep of {}", args.kernel),
        file: &lists.file,
        chips: &chips,
        programs: &programs,
        common: Common {
            barriers: args.rules.barriers.map(Into::into),
            memory_rule: args.rules.memory.map(Into::into),
            cache: args.cache.map(Into::into),
            max_cycles: args.max_cycles,
            sample: args.sample,
            warmup: 0,
            memory: false,
        },
        warmups: &WarmupCache::default(),
        host: &host,
    };
    let mut sweep = Sweep::new(
        study,
        &Options {
            names: (lists.file.kernels.len() > 1, args.chip.is_some()),
            metrics: &metrics,
            origin: args.provenance || args.metrics.is_empty(),
            format: args.format.into(),
            plots: &args.plot,
            page: args.html.is_some(),
        },
    )?;
    let svgs: Vec<OutputFile> = args.svg.iter().map(|path| files.open(path)).collect::<Result<_, _>>()?;
    let page = args.html.as_ref().map(|path| files.open(path)).transpose()?;
    let out: Box<dyn Write + Send> = match &args.out {
        Some(path) => Box::new(files.stream(path)?),
        None => Box::new(io::stdout()),
    };
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let mut code = match sweep.run(jobs, out)? {
        Code::Interrupted => interrupt::code(),
        code => code,
    };
    let plots = sweep.plots().zip(svgs).map(|(plot, svg)| svg.write(plot.as_bytes()));
    let page = page.map(|page| page.write(sweep.page().as_bytes()));
    for failure in plots.chain(page).filter_map(Result::err) {
        complain(&failure.message);
        code = code.max(failure.code);
    }
    Ok(code)
}

/// Rejects lists of grids and blocks for kernels whose host code launches them.
fn check_launches(args: &SweepArgs, sources: &[Source]) -> Result<(), Failure> {
    let builtin = sources.iter().any(|source| matches!(source, Source::Builtin(_)));
    if builtin && (args.grid.is_some() || args.block.is_some()) {
        let help = "the host program of a built-in kernel launches it; set the problem size with --size";
        let message = format!("error: a built-in kernel does not accept --grid and --block\nhelp: {help}");
        return Err(Failure::input(message));
    }
    for source in sources {
        if let Source::Program(workload) = source {
            refuse(workload, &[("--grid", args.grid.is_some()), ("--block", args.block.is_some())])?;
        }
    }
    Ok(())
}

/// Rejects plots without files, and files without plots.
fn check_plots(args: &SweepArgs) -> Result<(), Failure> {
    let (plots, files) = (args.plot.len(), args.svg.len());
    if plots == files {
        return Ok(());
    }
    Err(Failure::input(format!(
        "error: the numbers of --plot ({plots}) and --svg ({files}) differ\nhelp: give one --svg FILE for each --plot"
    )))
}
