//! `warpsim validate`: published measurements against what the simulator measures by the same
//! programs.
//!
//! `choice` says which rows, `boards` loads their chips, `outcome` measures one, `summary` works
//! out errors and correlations, `document` writes rows for programs, `scatter` draws them.
//! `docs/VALIDATE.md` is the manual.

mod boards;
mod choice;
mod document;
mod latency;
mod outcome;
mod page;
mod scatter;
pub mod summary;
mod text;

pub use boards::Board;
pub use outcome::{Outcome, State};

use crate::args::{Format, ValidateArgs};
use crate::cmd::sweep::ordered;
use crate::exit::{Code, Failure};
use crate::output::{Files, OutputFile, complain, print};
use crate::watch::counting;
use boards::Boards;
use kernels::measure::Scale;
use std::ops::ControlFlow;
use summary::Summaries;

/// Validates.
pub fn run(args: &ValidateArgs) -> Result<Code, Failure> {
    if let Some(folder) = &args.latency {
        return latency::run(args, folder);
    }
    let boards = Boards::new(args)?;
    let rows = choice::rows(&args.rows, &boards)?;
    if args.list {
        let outcomes: Vec<Outcome> = rows.iter().map(|row| Outcome::unmeasured(row, &boards)).collect();
        print(&match args.format.format {
            Format::Text => text::list(&outcomes),
            Format::Json => document::json(&boards, &outcomes, None),
        })?;
        return Ok(Code::Fine);
    }
    let mut files = Files::new();
    if let Some(chip) = &args.chip {
        files.reads_chip(chip)?;
    }
    let open = |files: &mut Files, path: &Option<_>| -> Result<Option<OutputFile>, Failure> {
        path.as_ref().map(|path: &std::path::PathBuf| files.open(path)).transpose()
    };
    let (csv, svg) = (open(&mut files, &args.csv)?, open(&mut files, &args.svg)?);
    let markdown = open(&mut files, &args.markdown)?;

    let scale = if args.full { Scale::Full } else { Scale::Short };
    let outcomes = measure(&rows, &boards, scale, args.jobs)?;
    let summaries = Summaries::of(&outcomes);
    print(&match args.format.format {
        Format::Text => text::table(&boards.used(&outcomes), &outcomes, &summaries),
        Format::Json => document::json(&boards, &outcomes, Some(&summaries)),
    })?;
    if let Some(file) = csv {
        file.write(document::csv(&boards, &outcomes).as_bytes())?;
    }
    if let Some(file) = svg {
        file.write(scatter::draw(&outcomes)?.as_bytes())?;
    }
    if let Some(file) = markdown {
        file.write(page::page(&boards, &outcomes, &summaries).as_bytes())?;
    }
    let failed = outcomes.iter().filter(|outcome| matches!(outcome.state, State::Failed(_))).count();
    if failed > 0 {
        complain(&format!("{failed} of {} rows could not be measured", outcomes.len()));
        return Ok(Code::WrongResult);
    }
    Ok(Code::Fine)
}

/// Measures the rows, in their order.
fn measure(
    rows: &[&'static kernels::measure::table::Row],
    boards: &Boards,
    scale: Scale,
    jobs: Option<usize>,
) -> Result<Vec<Outcome>, Failure> {
    let bar = counting(rows.len() as u64, "rows");
    let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let threads = jobs.min(rows.len()).max(1);
    let mut outcomes = Vec::with_capacity(rows.len());
    let work = |i: u64| {
        let outcome = Outcome::measure(rows[i as usize], boards, scale);
        bar.inc(1);
        outcome
    };
    let take = |_, outcome| {
        outcomes.push(outcome);
        ControlFlow::Continue(())
    };
    ordered::run(rows.len() as u64, threads, work, take)
        .map_err(|why| Failure::input(format!("error: cannot start {threads} threads: {why}")))?;
    bar.finish_and_clear();
    Ok(outcomes)
}
