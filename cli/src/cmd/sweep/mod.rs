//! `warpsim sweep`: runs every combination of lists of values, prints a row for each, and draws
//! plots.
//!
//! `list` parses lists, `space` numbers their combinations, `bench` runs one, `metrics` and `rows`
//! print rows, `plot` draws them, `html` writes a page. The rows are in the order of the points,
//! although later points may end first (`experiment::ordered`). `docs/SWEEP.md` is the manual.

mod bench;
mod html;
mod list;
mod plot;
mod rows;
mod space;

use crate::args::{ShowProgress, SweepArgs};
use crate::chip;
use crate::exit::{Code, Failure};
use crate::metrics;
use crate::output::{Files, OutputFile, complain, visible};
use crate::point::{Common, SUCCESSES, VERDICTS};
use crate::provenance;
use crate::watch::{Watch, counting, interrupt};
use crate::workload::Source;
use bench::{Bench, Row};
use experiment::ordered;
use html::Collected;
use indicatif::ProgressBar;
use isa::span::Span;
use plot::Plot;
use rows::{Layout, Origin};
use sim_core::config::base::Texts;
use sim_core::config::set;
use sim_core::config::source::Sources;
use space::{Changes, Space};
use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;

/// Runs a sweep.
pub fn run(args: &SweepArgs) -> Result<Code, Failure> {
    // Errors of the command line are reported before the first point runs.
    let workloads = args.workloads()?;
    let sources: Vec<Source<'_>> = workloads.iter().map(Source::of).collect::<Result<_, _>>()?;
    check_launches(args, &sources)?;
    let space = Space::new(args)?;
    let chips = chips(&space)?;
    check_paths(&space, &chips)?;
    let columns = metrics::chosen(&args.metrics)?;
    let mut plots = plot::plots(args, &space)?;
    let mut measured = columns.clone();
    for plot in &mut plots {
        plot.find_columns(&mut measured);
    }
    let mut collected = args.html.as_ref().map(|_| Collected::new(args, &space, &columns, &mut measured));
    let options = args.compile.options();
    let prepared: Vec<_> =
        sources.iter().map(|source| source.prepare(options)).collect::<Result<_, Failure>>()?;
    let origin = (args.provenance || args.metrics.is_empty()).then(|| Origin {
        input_sha256: prepared
            .iter()
            .map(|kernel| provenance::input_sha256(kernel.texts()).join(" "))
            .collect(),
        chip_sha256: chips.iter().map(provenance::chip_sha256).collect(),
    });
    let layout = Layout::new(args.format, &space, &columns, origin)?;

    let mut files = Files::new();
    prepared.iter().try_for_each(|kernel| kernel.reads(&mut files))?;
    for name in chip_names(&space) {
        files.reads_chip(&name)?;
    }
    let svgs: Vec<OutputFile> = args.svg.iter().map(|path| files.open(path)).collect::<Result<_, _>>()?;
    let page = args.html.as_ref().map(|path| files.open(path)).transpose()?;
    let out: Box<dyn Write + Send> = match &args.out {
        Some(path) => Box::new(files.stream(path)?),
        None => Box::new(io::stdout()),
    };

    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let common = Common {
        barriers: args.rules.barriers.map(Into::into),
        memory_rule: args.rules.memory.map(Into::into),
        cache: args.cache.map(Into::into),
        max_cycles: args.max_cycles,
        sample: args.sample,
        warmup: 0,
        memory: false,
    };
    let (space, chips, metrics) = (&space, &chips[..], &measured[..]);
    // With many concurrent launches none has a progress bar; the bar of the points shows the
    // progress.
    let watch = Watch::new(ShowProgress::Never);
    let bench = Bench { prepared, space, chips, common, watch, metrics };
    let mut table = Table::new(out, space, &layout, &mut plots, collected.as_mut());
    table.put(&layout.head());
    let threads = jobs.min(usize::try_from(space.points).unwrap_or(jobs));
    ordered::run(space.points, threads, |i| bench.run(i), |i, row| table.take(i, row.as_ref()))
        .map_err(|why| Failure::input(format!("error: cannot start {threads} threads: {why}")))?;
    let mut code = table.finish()?;
    for (plot, svg) in plots.iter().zip(svgs) {
        if let Err(failure) = plot.draw(space).and_then(|drawn| svg.write(drawn.as_bytes())) {
            complain(&failure.message);
            code = code.max(failure.code);
        }
    }
    if let (Some(file), Some(collected)) = (page, &collected)
        && let Err(failure) = file.write(collected.page(args, space).as_bytes())
    {
        complain(&failure.message);
        code = code.max(failure.code);
    }
    Ok(code)
}

/// Rejects lists of grids and blocks for built-in kernels.
fn check_launches(args: &SweepArgs, sources: &[Source<'_>]) -> Result<(), Failure> {
    let builtin = sources.iter().any(|source| matches!(source, Source::Builtin(_)));
    if builtin && (args.grid.is_some() || args.block.is_some()) {
        let help = "the host program of a built-in kernel launches it; set the problem size with --size";
        let message = format!("error: a built-in kernel does not accept --grid and --block\nhelp: {help}");
        return Err(Failure::input(message));
    }
    Ok(())
}

/// Returns the names or files of the chips.
fn chip_names(space: &Space) -> Vec<String> {
    let axis = space.axes.iter().find(|a| a.changes == Changes::Chip);
    axis.map_or_else(|| vec![crate::args::DEFAULT_CHIP.to_owned()], |a| a.values.clone())
}

/// Returns the texts of the chips, each valid RON.
fn chips(space: &Space) -> Result<Vec<Texts>, Failure> {
    let texts: Vec<Texts> = chip_names(space).iter().map(|n| chip::texts(n)).collect::<Result<_, _>>()?;
    for chip in &texts {
        chip.read().map_err(|complaints| Failure::input(complaints.to_string()))?;
    }
    Ok(texts)
}

/// Rejects paths that none of the chips has: with a misspelled path every point would fail.
fn check_paths(space: &Space, chips: &[Texts]) -> Result<(), Failure> {
    let mut wrong = (Vec::new(), Sources::default());
    let roots: Vec<_> = chips.iter().filter_map(|chip| Some(chip.read().ok()?.root)).collect();
    for axis in space.axes.iter().filter(|a| a.changes == Changes::Set) {
        let found: Vec<_> = roots.iter().map(|root| set::resolve(root, &axis.name)).collect();
        if let (true, Some(Err(unknown))) = (found.iter().all(Result::is_err), found.first()) {
            let base = wrong.1.add("--set", format!("{}={}", axis.name, axis.values.join(",")));
            wrong.0.push(unknown.diagnostic(&axis.name, Span::new(base, base + axis.name.len())));
        }
    }
    if wrong.0.is_empty() {
        return Ok(());
    }
    let drawn: Vec<String> = wrong.0.iter().map(|d| wrong.1.render(d)).collect();
    Err(Failure::input(drawn.join("\n\n")))
}

/// Writes the rows in order.
struct Table<'a> {
    out: Box<dyn Write + Send>,
    space: &'a Space,
    layout: &'a Layout<'a>,
    plots: &'a mut [Plot],
    /// What the page needs, if there is one.
    page: Option<&'a mut Collected>,
    bar: ProgressBar,
    counts: [u64; VERDICTS.len()],
    code: Code,
    /// Whether Ctrl-C has ended the sweep.
    interrupted: bool,
    /// Error after which no more rows can be written.
    broken: Option<io::Error>,
}

impl<'a> Table<'a> {
    fn new(
        out: Box<dyn Write + Send>,
        space: &'a Space,
        layout: &'a Layout<'a>,
        plots: &'a mut [Plot],
        page: Option<&'a mut Collected>,
    ) -> Self {
        let bar = counting(space.points, "points");
        Self {
            out,
            space,
            layout,
            plots,
            page,
            bar,
            counts: [0; VERDICTS.len()],
            code: Code::Fine,
            interrupted: false,
            broken: None,
        }
    }

    /// Writes a row immediately, so that it is not lost if the sweep is stopped.
    fn put(&mut self, text: &str) {
        if self.broken.is_some() {
            return;
        }
        let out = &mut self.out;
        let written = self.bar.suspend(|| out.write_all(visible(text).as_bytes()).and_then(|()| out.flush()));
        self.broken = written.err();
    }

    /// Receives the row of a point; `None` if the point was interrupted, and then there are no
    /// more.
    fn take(&mut self, index: u64, row: Option<&Row>) -> ControlFlow<()> {
        let Some(row) = row else {
            self.interrupted = true;
            return ControlFlow::Break(());
        };
        self.put(&self.layout.line(index, row));
        self.code = self.code.max(row.code);
        let verdict = VERDICTS.iter().position(|v| *v == row.verdict).expect("all are listed");
        self.counts[verdict] += 1;
        self.plots.iter_mut().for_each(|plot| plot.take(self.space, index, row));
        if let Some(page) = &mut self.page {
            page.take(self.space, index, row);
        }
        let failed: u64 = self.counts[SUCCESSES..].iter().sum();
        if failed > 0 {
            self.bar.set_message(format!(", {failed} failed"));
        }
        self.bar.inc(1);
        // The reader of the rows may have closed its end while plots and page need all points.
        let unneeded = self.plots.is_empty() && self.page.is_none();
        let useless = |e: &io::Error| unneeded || e.kind() != ErrorKind::BrokenPipe;
        if self.broken.as_ref().is_some_and(useless) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Prints the number of failed points; returns the highest exit code of all rows.
    fn finish(self) -> Result<Code, Failure> {
        self.bar.finish_and_clear();
        match self.broken {
            // A reader that has closed its end is not an error.
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                return Err(Failure::input(format!("error: cannot write the rows: {error}")));
            }
            _ => {}
        }
        let all: u64 = self.counts.iter().sum();
        let failed: u64 = self.counts[SUCCESSES..].iter().sum();
        if failed > 0 {
            let kinds = VERDICTS.iter().zip(self.counts).skip(SUCCESSES).filter(|(_, n)| *n > 0);
            let kinds: Vec<String> = kinds.map(|(verdict, n)| format!("{n} {verdict}")).collect();
            complain(&format!("{failed} of {all} points failed: {}", kinds.join(", ")));
        }
        if self.interrupted {
            complain(&format!("interrupted: {all} of {} points are done", self.space.points));
            return Ok(interrupt::code());
        }
        Ok(self.code)
    }
}
