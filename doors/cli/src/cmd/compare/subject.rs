//! The two compared runs: report files, or runs that are started now.

use crate::args::RunToCompare;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::{Files, complain, read_text, shown};
use crate::provenance::Provenance;
use crate::render;
use crate::watch::{Watch, code_of};
use crate::workload::Opened;
use kernels::Settings;
use report::compare::difference::Side;
use report::compare::report::ReadReport;
use request::Prepared;
use request::prepared::provenance;
use sim_core::host::{Gpu, Mode, Sampling};
use std::path::Path;

/// Maximum size of a report file in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// A run to compare.
pub enum Subject<'a> {
    /// A report that was read from a file.
    Read(Box<Side>),
    /// A run that is ready to start.
    Run(Box<Run<'a>>),
}

/// A run that is ready to start.
pub struct Run<'a> {
    name: &'a str,
    prepared: Prepared,
    provenance: Provenance,
    gpu: Gpu,
    settings: Settings,
    watch: Watch,
}

impl<'a> Subject<'a> {
    /// Reads a report file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let name = shown(path);
        let report = ReadReport::parse(&name, &read_text(path, MAX_BYTES)?)?;
        Ok(Self::Read(Box::new(Side { name, report })))
    }

    /// Prepares a run. Dumps of its launch file are not written.
    pub fn plan(run: &'a RunToCompare, files: &mut Files) -> Result<Self, Failure> {
        let args = &run.args;
        let how = (Mode::Timed, args.threads.unwrap_or(1));
        let Opened { prepared, settings, chip, texts, .. } =
            Opened::new(&args.workload, &args.chip, how, files)?;
        let provenance = provenance(&args.workload, &prepared, &args.chip, &texts, &chip)?;
        let mut gpu = Gpu::new(chip);
        gpu.sample(args.sample.then(Sampling::default));
        let watch = Watch::of(&args.progress);
        Ok(Self::Run(Box::new(Run { name: &run.line, prepared, provenance, gpu, settings, watch })))
    }

    /// Returns the run's report and its exit code; starts the run if necessary.
    pub fn side(self) -> Result<(Side, Code), Failure> {
        match self {
            Self::Read(side) => Ok((*side, Code::Fine)),
            Self::Run(run) => run.run(),
        }
    }
}

impl Run<'_> {
    fn run(self) -> Result<(Side, Code), Failure> {
        let Self { name, prepared, provenance, mut gpu, settings, watch } = self;
        watch.follow(&mut gpu);
        let outcome = prepared.run(&mut gpu, settings);
        watch.clear();
        let outcome = outcome.map_err(|failure| named(name, failure))?;
        for report in &outcome.reports {
            if let Some(message) = render::verdict::message(report) {
                return Err(named(name, Failure { code: code_of(&report.verdict), message }));
            }
        }
        let mut code = Code::Fine;
        if outcome.check.passed == Some(false) {
            outcome.check.texts().for_each(|line| complain(&format!("error: `{name}`: {line}")));
            code = Code::WrongResult;
        }
        let report = ReadReport::parse(name, &json::document(&provenance, &outcome, gpu.timeline(), None))?;
        Ok((Side { name: name.to_owned(), report }, code))
    }
}

/// Adds the name of the run to a failure, which ends the comparison.
fn named(name: &str, failure: Failure) -> Failure {
    let Failure { code, message } = failure;
    Failure { code, message: format!("{message}\nnote: this happened in `{name}`, so nothing is compared") }
}
