//! A sweep: a study without a store, whose rows are written as they become final.

use crate::axis::{Axis, Part};
use crate::design::{self, ChipFacts, Point};
use crate::file::Stop;
use crate::outcome::{Outcome, Tally};
use crate::page::Collected;
use crate::plot::Plot;
use crate::rows::{Column, Format, PointRow, Rows, metric_columns};
use crate::runner::Runner;
use crate::study::Study;
use indicatif::ProgressBar;
use report::exit::{Code, Failure};
use report::metrics::Metric;
use report::render::number::count;
use report::text::visible;
use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Maximum number of points of a sweep.
const MOST_POINTS: usize = 10_000_000;

/// Options of a sweep.
pub struct Options<'o> {
    /// Whether the rows have the kernel, and the chip.
    pub names: (bool, bool),
    /// Metrics in the order of their columns.
    pub metrics: &'o [&'static Metric],
    /// Whether the rows have the origin of their numbers.
    pub origin: bool,
    /// Format of the rows.
    pub format: Format,
    /// The plots: `x=…,y=…,series=…`.
    pub plots: &'o [String],
    /// Whether there is a page.
    pub page: bool,
}

/// A sweep that is ready to run.
pub struct Sweep<'a> {
    rows: Rows<'a>,
    points: design::Points,
    format: Format,
    /// Number of plots that the user named, which are the first ones.
    named: usize,
    collected: Collected,
    has_page: bool,
}

impl<'a> Sweep<'a> {
    /// Checks a sweep before the first point runs.
    ///
    /// # Errors
    ///
    /// If there are too many points, or the columns or the plots are invalid.
    pub fn new(study: Study<'a>, options: &Options<'_>) -> Result<Self, Failure> {
        let facts = vec![ChipFacts::default(); study.chips.len()];
        let points = design::points(study.file, &facts, MOST_POINTS).ok_or_else(|| {
            Failure::input(format!("error: the lists have more than {MOST_POINTS} combinations"))
        })?;
        let (kernel, chip) = options.names;
        let mut columns: Vec<Column> = Vec::new();
        columns.extend(kernel.then_some(Column::Of(Part::Kernel)));
        columns.extend(chip.then_some(Column::Of(Part::Chip)));
        columns.extend((0..study.file.factors.len()).map(|factor| Column::Of(Part::Factor(factor))));
        columns.extend([Column::Verdict, Column::Message]);
        columns.extend(metric_columns(options.metrics.iter().map(|metric| metric.name)));
        if options.origin {
            columns.extend([Column::Program, Column::Input, Column::ChipTexts]);
        }
        let rows = Rows::new(study, columns)?;
        let axes: Vec<Arc<Axis>> = rows.axes().into_iter().map(Arc::new).collect();
        let plots: Vec<Plot> =
            options.plots.iter().map(|text| Plot::new(text, &axes)).collect::<Result<_, _>>()?;
        let named = plots.len();
        let collected = Collected::new(&rows, &axes, plots, options.page);
        Ok(Self { rows, points, format: options.format, named, collected, has_page: options.page })
    }

    /// Runs all points, `jobs` at a time, and writes their rows to `out`. Returns the highest exit
    /// code of all rows, or that of Ctrl-C if a signal ended the sweep.
    ///
    /// # Errors
    ///
    /// If a row cannot be written.
    pub fn run(&mut self, jobs: usize, out: Box<dyn Write + Send>) -> Result<Code, Failure> {
        let study = *self.rows.study();
        let all = self.points.count() as u64;
        let bar = study.host.bar(all);
        let runner = Runner { study, jobs, stop: Stop::default(), bar: bar.clone() };
        let needs_all = self.named > 0 || self.has_page;
        let mut table = Table { out, bar, tally: Tally::default(), broken: None };
        table.put(&self.rows.head(self.format));
        let Self { rows, points, format, collected, .. } = self;
        let take = |number: u64, outcome: Outcome| {
            let number = number as usize;
            let point: Point = points.at(number);
            let row = PointRow { number, point: &point, digest: "", outcome: Some(&outcome) };
            table.put(&rows.line(*format, row));
            table.tally.add(outcome.ending);
            collected.take(rows, row);
            // The reader of the rows may have closed its end while plots and page need all points.
            let useless = |error: &io::Error| !needs_all || error.kind() != ErrorKind::BrokenPipe;
            match &table.broken {
                Some(error) if useless(error) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        };
        runner.run(all, |number| points.at(number as usize), |_, _| ControlFlow::Continue(()), take)?;
        let Table { bar, tally, broken, .. } = table;
        bar.finish_and_clear();
        match broken {
            // A reader that has closed its end is not an error.
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                return Err(Failure::input(format!("error: cannot write the rows: {error}")));
            }
            _ => {}
        }
        if let Some(failures) = tally.failures() {
            study.host.say(&failures);
        }
        if study.host.interrupted() && tally.all() < all {
            let (done, all) = (count(tally.all()), count(all));
            study.host.say(&format!("interrupted: {done} of {all} points are done"));
            return Ok(Code::Interrupted);
        }
        Ok(tally.code())
    }

    /// Returns the plots that the user named, as SVG.
    pub fn plots(&self) -> impl Iterator<Item = String> {
        self.collected.plots().iter().take(self.named).map(|plot| figures::svg(&plot.scene()))
    }

    /// Returns the page.
    pub fn page(&self) -> String {
        self.collected.page(self.rows.study().name, &self.rows, self.points.count() as u64, &[])
    }
}

/// Writes the rows in order.
struct Table {
    out: Box<dyn Write + Send>,
    bar: ProgressBar,
    tally: Tally,
    /// Error after which no more rows can be written.
    broken: Option<io::Error>,
}

impl Table {
    /// Writes a row immediately, so that it is not lost if the sweep is stopped.
    fn put(&mut self, text: &str) {
        if self.broken.is_some() {
            return;
        }
        let out = &mut self.out;
        let written = self.bar.suspend(|| out.write_all(visible(text).as_bytes()).and_then(|()| out.flush()));
        self.broken = written.err();
    }
}
