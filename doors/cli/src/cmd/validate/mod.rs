//! `warpsim validate`: compares published measurements with the values that the simulator measures
//! with the same programs.
//!
//! `choice` selects rows, `boards` loads their chips, `result` measures one, `summary` computes
//! errors and correlations, `document` writes rows as CSV and JSON, `scatter` draws them, `view`
//! makes the parts of a text and of pages, `ablation` and `part` write parts of a page of the
//! documentation.
//! `docs/VALIDATION.md` is the manual.

mod ablation;
mod boards;
mod choice;
mod document;
mod latency;
mod part;
mod result;
mod scatter;
pub mod summary;
mod view;

pub use evidence::State;
pub use result::MeasurementResult;
use result::ResultKind;

use crate::args::{Format, ValidateArgs};
use crate::chip;
use crate::exit::{Code, Failure};
use crate::output::{Files, OutputFile, complain, print};
use crate::provenance::PROGRAM;
use crate::watch::counting;
use boards::Boards;
use evidence::measure::Scale;
use evidence::view::parts::{self, Part};
use part::Page;
use std::ops::ControlFlow;
use studies::ordered;
use summary::Summaries;

/// Title and introduction of a page that has only the rows.
const HEAD: &str = "\
# Validation

Published measurements of real chips, and the value that the simulator gives for the same program.
`warpsim validate V307` measures a row again; docs/VALIDATION.md explains the rows and columns.
";

/// Runs the validation.
pub fn run(args: &ValidateArgs) -> Result<Code, Failure> {
    if let Some(folder) = &args.latency {
        return latency::run(args, folder);
    }
    let boards = Boards::new(args)?;
    let rows = choice::rows(&args.rows, &boards)?;
    if args.list {
        let results: Vec<MeasurementResult> =
            rows.iter().map(|row| MeasurementResult::unmeasured(row, &boards)).collect();
        print(&match args.format.format {
            Format::Text => parts::text(&view::rows(&boards, &results)),
            Format::Json => document::json(&boards, &results, None),
        })?;
        return Ok(Code::Fine);
    }
    if let Some(path) = &args.ablation {
        return ablation::run(args, &rows, path);
    }
    let mut files = Files::new();
    if let Some(chip) = &args.chip {
        chip::reads(&mut files, chip)?;
    }
    let open = |files: &mut Files, path: &Option<_>| -> Result<Option<OutputFile>, Failure> {
        path.as_ref().map(|path: &std::path::PathBuf| files.open(path)).transpose()
    };
    let (csv, svg) = (open(&mut files, &args.csv)?, open(&mut files, &args.svg)?);
    let (markdown, html) = (open(&mut files, &args.markdown)?, open(&mut files, &args.html)?);

    let scale = if args.full { Scale::Full } else { Scale::Short };
    let results = measure(&rows, &boards, scale, args.jobs)?;
    let summaries = Summaries::of(&results);
    let rows_of = || view::rows(&boards, &results);
    let section = || vec![Part::Section("rows".to_owned(), "Rows".to_owned())];
    print(&match args.format.format {
        Format::Text => parts::text(&[rows_of(), view::summary(&summaries, &ResultKind::ALL)].concat()),
        Format::Json => document::json(&boards, &results, Some(&summaries)),
    })?;
    if let Some(file) = csv {
        file.write(document::csv(&boards, &results).as_bytes())?;
    }
    if let Some(file) = svg {
        file.write(figures::svg(&scatter::scene(&results)).as_bytes())?;
    }
    if let (Some(file), Some(path)) = (markdown, &args.markdown) {
        // Rows that are set only show that the simulator does what the chip file says.
        let summary = view::summary(&summaries, &[ResultKind::Calibrated, ResultKind::Predicted]);
        let parts = [summary, section(), rows_of()].concat();
        let page = Page { head: HEAD, name: "rows", part: parts::markdown(&parts).trim_start().to_owned() };
        file.write(page.text(path).as_bytes())?;
    }
    if let Some(file) = html {
        let pictures = view::pictures(&results, &summaries);
        let parts = [pictures, view::summary(&summaries, &ResultKind::ALL), section(), rows_of()].concat();
        let title = "Published measurements and simulated values";
        file.write(parts::html(title, &parts, PROGRAM).as_bytes())?;
    }
    let failed = results.iter().filter(|result| matches!(result.state, State::Error(_))).count();
    if failed > 0 {
        complain(&format!("{failed} of {} rows could not be measured", results.len()));
        return Ok(Code::WrongResult);
    }
    Ok(Code::Fine)
}

/// Measures the rows, in their order.
fn measure(
    rows: &[&'static evidence::measure::table::Measurement],
    boards: &Boards,
    scale: Scale,
    jobs: Option<usize>,
) -> Result<Vec<MeasurementResult>, Failure> {
    let bar = counting(rows.len() as u64, "rows");
    let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let threads = jobs.min(rows.len()).max(1);
    let mut results = Vec::with_capacity(rows.len());
    let work = |i: u64| {
        let result = MeasurementResult::measure(rows[i as usize], boards, scale);
        bar.inc(1);
        result
    };
    let take = |_, result| {
        results.push(result);
        ControlFlow::Continue(())
    };
    ordered::run(rows.len() as u64, threads, work, take)
        .map_err(|why| Failure::input(format!("error: cannot start {threads} threads: {why}")))?;
    bar.finish_and_clear();
    Ok(results)
}
