//! `warpsim book`: the claims of the course texts, each with the program that shows it.
//!
//! `choice` says which rows, `outcome` runs one, `recorded` knows what came of it last, `document`
//! writes rows for programs, `page` as a page of the documentation. `docs/BOOK.md` is the manual.

pub mod choice;
mod document;
pub mod outcome;
mod page;
mod progress;
pub mod recorded;
mod text;

pub use outcome::Outcome;

use crate::args::{BookArgs, Format};
use crate::cmd::sweep::ordered;
use crate::exit::{Code, Failure};
use crate::output::{Files, complain, print, print_on};
use crate::watch::interrupt;
use kernels::RunError;
use kernels::book::{Bench, Row, Size, ledger};
use outcome::State;
use progress::Progress;
use sim_core::config::builtin::simulated_names;
use sim_core::host::Sampling;
use std::ops::ControlFlow;
use std::path::Path;

/// Lists the ledger, or runs rows of it.
pub fn run(args: &BookArgs) -> Result<Code, Failure> {
    if args.names.is_empty() {
        let outcomes: Vec<Outcome> = ledger::rows().iter().map(Outcome::not_run).collect();
        print(&match args.format.format {
            Format::Text => text::list(&outcomes),
            Format::Json => document::json(args, &outcomes),
        })?;
        return Ok(Code::Fine);
    }
    let rows = choice::rows(&args.names)?;
    if args.markdown.as_deref() == Some(Path::new("-")) {
        let message = "error: --markdown cannot write to standard output, which has the results as text\nhelp: give a file name";
        return Err(Failure::input(message));
    }
    let bench = bench(args)?;
    let mut files = Files::new();
    let markdown = args.markdown.as_ref().map(|path| files.open(path)).transpose()?;

    let outcomes = run_rows(&rows, &bench, args)?;
    print(&match args.format.format {
        Format::Text => text::total(&args.sizes(), &outcomes),
        Format::Json => document::json(args, &outcomes),
    })?;
    if let Some(file) = markdown {
        file.write(page::page(args, &outcomes).as_bytes())?;
    }
    let mut code = Code::Fine;
    let failed = outcomes.iter().filter(|outcome| outcome.is_failure()).count();
    if failed > 0 {
        complain(&format!("{failed} of {} rows failed", outcomes.len()));
        code = Code::WrongResult;
    }
    let not_run = outcomes.iter().filter(|outcome| outcome.state == State::NotRun).count();
    if not_run > 0 {
        complain(&format!("interrupted: {not_run} of {} rows were not run", outcomes.len()));
        code = interrupt::code();
    }
    Ok(code)
}

/// How rows are run. An override that no chip takes is refused here, and not by every row.
fn bench(args: &BookArgs) -> Result<Bench, Failure> {
    let pair = |set: &String| {
        let (path, value) = set.split_once('=').ok_or_else(|| {
            Failure::input(format!(
                "error: invalid `--set {set}`: expected PATH=VALUE, such as sm.max_warps=16"
            ))
        })?;
        Ok((path.trim().to_owned(), value.trim().to_owned()))
    };
    let sets = args.sets.iter().map(pair).collect::<Result<Vec<_>, Failure>>()?;
    let size = if args.full_size { Size::Ledger } else { Size::Reduced };
    let sampling = args.is_sampled().then(Sampling::default);
    let bench = Bench { size, threads: args.threads, sets, sampling, ..Bench::default() };
    let mut refusals = simulated_names().map(|name| bench.chip(name, &[]).err());
    match refusals.next().flatten() {
        // It is not that chip's own.
        Some(RunError::Numbers { complaints, .. }) if refusals.all(|refusal| refusal.is_some()) => {
            Err(Failure::input(complaints))
        }
        _ => Ok(bench),
    }
}

/// Runs the rows. For people each is printed as soon as all before it have been.
fn run_rows(rows: &[&'static Row], bench: &Bench, args: &BookArgs) -> Result<Vec<Outcome>, Failure> {
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let jobs = jobs.min(rows.len()).max(1);
    let progress = Progress::new(rows.len());
    let (mut outcomes, mut unprinted) = (Vec::with_capacity(rows.len()), None);
    let work = |i: u64| run_row(rows[i as usize], bench, &progress);
    let take = |_, outcome: Outcome| {
        let is_printed = args.format.format == Format::Text && outcome.state != State::NotRun;
        let printed = if is_printed {
            progress.aside(|| print_on(&text::row(&outcome)))
        } else {
            Ok(ControlFlow::Continue(()))
        };
        outcomes.push(outcome);
        let flow = printed.unwrap_or_else(|failure| {
            unprinted = Some(failure);
            ControlFlow::Break(())
        });
        // A page that is written needs the other rows, whoever reads what is printed.
        if flow.is_break() && args.markdown.is_none() {
            progress.abandon();
            return flow;
        }
        ControlFlow::Continue(())
    };
    ordered::run(rows.len() as u64, jobs, work, take)
        .map_err(|why| Failure::input(format!("error: cannot start {jobs} threads: {why}")))?;
    progress.clear();
    unprinted.map_or(Ok(outcomes), Err)
}

/// Runs a row; after Ctrl-C it is not begun, or broken off.
fn run_row(row: &'static Row, bench: &Bench, progress: &Progress) -> Outcome {
    if progress.is_over() {
        return Outcome::not_run(row);
    }
    let running = progress.begin(&row.id);
    let bench = Bench { follow: Some(running.follow()), ..bench.clone() };
    let outcome = Outcome::run(row, &bench);
    if running.end() { Outcome::not_run(row) } else { outcome }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    fn refused(line: &str) -> Option<String> {
        let args = Args::try_parse_from(format!("warpsim book OCC-12 {line}").split(' ')).expect("good");
        let Command::Book(args) = args.command else { panic!("it says book") };
        bench(&args).err().map(|failure| failure.message)
    }

    #[test]
    fn an_override_is_refused_at_once_where_no_chip_takes_it() {
        assert_eq!(refused("--set sm.max_warps=16"), None);
        assert_eq!(refused("--set sm.l1.misses=64"), None, "chips without an L1 refuse it, others do not");
        assert!(refused("--set sm.max_wraps=16").is_some_and(|told| told.contains("max_wraps")));
        assert!(refused("--set sm.max_warps").is_some_and(|told| told.contains("PATH=VALUE")));
    }
}
