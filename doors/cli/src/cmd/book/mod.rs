//! `warpsim book`: the claims of the course texts, each with the program that tests it.
//!
//! `evidence::view` selects claims, runs one, and writes results as text, JSON and pages.
//! `docs/BOOK.md` is the manual.

mod progress;

use crate::args::{BookArgs, Format};
use crate::exit::{Code, Failure};
use crate::output::{Files, complain, interrupt, print, print_on};
use crate::provenance::PROGRAM;
use evidence::view::{ClaimResult, choice, claims as view, document, parts};
use evidence::{Claim, Runner, Size, State, claims};
use kernels::RunError;
use progress::Progress;
use sim_core::config::builtin::simulated_names;
use sim_core::host::Sampling;
use std::ops::ControlFlow;
use std::path::Path;
use studies::ordered;

/// Lists the claims, or runs some of them.
pub fn run(args: &BookArgs) -> Result<Code, Failure> {
    if args.names.is_empty() {
        let results: Vec<ClaimResult> = claims::claims().iter().map(ClaimResult::not_run).collect();
        print(&match args.format.format {
            Format::Text => parts::text(&view::list(&results)),
            Format::Json => document::json(&args.sizes(), &results),
        })?;
        return Ok(Code::Fine);
    }
    let claims = choice::chosen(&args.names)?;
    if args.markdown.as_deref() == Some(Path::new("-")) {
        let message = "error: --markdown cannot write to standard output, which has the results as text\nhelp: give a file name";
        return Err(Failure::input(message));
    }
    let runner = runner(args)?;
    let mut files = Files::new();
    let markdown = args.markdown.as_ref().map(|path| files.open(path)).transpose()?;
    let html = args.html.as_ref().map(|path| files.open(path)).transpose()?;

    let results = run_claims(&claims, &runner, args)?;
    print(&match args.format.format {
        Format::Text => parts::text(&[view::total(&args.sizes(), &results)]),
        Format::Json => document::json(&args.sizes(), &results),
    })?;
    if let Some(file) = markdown {
        let page = parts::markdown(&view::page(&args.sizes(), &results));
        file.write((head(args) + &page).as_bytes())?;
    }
    if let Some(file) = html {
        let title = format!("Claims of the course texts: {}", args.names.join(" "));
        let page = parts::html(&title, &view::page(&args.sizes(), &results), PROGRAM);
        file.write(page.as_bytes())?;
    }
    let mut code = Code::Fine;
    let failed = results.iter().filter(|result| result.is_failure()).count();
    if failed > 0 {
        complain(&format!("{failed} of {} claims failed", results.len()));
        code = Code::WrongResult;
    }
    let not_run = results.iter().filter(|result| result.state == State::NOT_RUN).count();
    if not_run > 0 {
        complain(&format!("interrupted: {not_run} of {} claims were not run", results.len()));
        code = interrupt::code();
    }
    Ok(code)
}

/// Returns the first lines of a page of Markdown: how it was made.
fn head(args: &BookArgs) -> String {
    let flags =
        [(args.full_size, " --full-size"), (args.sample, " --sample"), (args.no_sample, " --no-sample")];
    let mut command = format!("warpsim book {}", args.names.join(" "));
    command.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| *flag));
    command.extend(args.sets.iter().map(|set| format!(" --set {set}")));
    format!(
        "# Results of the claims\n\nThe statements of the course texts about these chips, and the results of the \
         simulator. `{command} --markdown FILE` wrote this page. docs/BOOK.md explains it.\n"
    )
}

/// Returns the claim runner for the arguments. An override that no chip accepts is rejected here,
/// not once for every claim.
fn runner(args: &BookArgs) -> Result<Runner, Failure> {
    let pair = |set: &String| {
        let (path, value) = set.split_once('=').ok_or_else(|| {
            Failure::input(format!(
                "error: invalid `--set {set}`: expected PATH=VALUE, such as sm.max_warps=16"
            ))
        })?;
        Ok((path.trim().to_owned(), value.trim().to_owned()))
    };
    let sets = args.sets.iter().map(pair).collect::<Result<Vec<_>, Failure>>()?;
    let size = if args.full_size { Size::Full } else { Size::Reduced };
    let sampling = args.is_sampled().then(Sampling::default);
    let runner = Runner { size, threads: args.threads, sets, sampling, ..Runner::default() };
    let mut refusals = simulated_names().map(|name| runner.chip(name, &[]).err());
    match refusals.next().flatten() {
        // The error is not specific to that chip.
        Some(RunError::Numbers { complaints, .. }) if refusals.all(|refusal| refusal.is_some()) => {
            Err(Failure::input(complaints))
        }
        _ => Ok(runner),
    }
}

/// Runs the claims. In text format each result is printed as soon as all earlier results have been
/// printed.
fn run_claims(
    claims: &[&'static Claim],
    runner: &Runner,
    args: &BookArgs,
) -> Result<Vec<ClaimResult>, Failure> {
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let jobs = jobs.min(claims.len()).max(1);
    let progress = Progress::new(claims.len());
    let (mut results, mut unprinted) = (Vec::with_capacity(claims.len()), None);
    let work = |i: u64| run_claim(claims[i as usize], runner, &progress);
    let take = |_, result: ClaimResult| {
        let is_printed = args.format.format == Format::Text && result.state != State::NOT_RUN;
        let printed = if is_printed {
            progress.aside(|| print_on(&parts::text(&view::claim(&result))))
        } else {
            Ok(ControlFlow::Continue(()))
        };
        results.push(result);
        let flow = printed.unwrap_or_else(|failure| {
            unprinted = Some(failure);
            ControlFlow::Break(())
        });
        // The pages need the other claims even if the reader of standard output has closed it.
        if flow.is_break() && args.markdown.is_none() && args.html.is_none() {
            progress.abandon();
            return flow;
        }
        ControlFlow::Continue(())
    };
    ordered::run(claims.len() as u64, jobs, work, take)
        .map_err(|why| Failure::input(format!("error: cannot start {jobs} threads: {why}")))?;
    progress.clear();
    unprinted.map_or(Ok(results), Err)
}

/// Runs a claim. After Ctrl-C a claim is not started, or is stopped.
fn run_claim(claim: &'static Claim, runner: &Runner, progress: &Progress) -> ClaimResult {
    if progress.is_over() {
        return ClaimResult::not_run(claim);
    }
    let running = progress.begin(&claim.id);
    let runner = Runner { follow: Some(running.follow()), ..runner.clone() };
    let result = ClaimResult::run(claim, &runner);
    if running.end() { ClaimResult::not_run(claim) } else { result }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    fn args(line: &str) -> BookArgs {
        let args = Args::try_parse_from(format!("warpsim book OCC-12 {line}").split(' ')).expect("good");
        let Command::Book(args) = args.command else { panic!("the command is book") };
        args
    }

    fn refused(line: &str) -> Option<String> {
        runner(&args(line)).err().map(|failure| failure.message)
    }

    #[test]
    fn a_page_states_the_command_that_wrote_it() {
        let head = head(&args("perf --full-size --set a.b=1 --threads 2"));
        assert!(
            head.contains("`warpsim book OCC-12 perf --full-size --set a.b=1 --markdown FILE`"),
            "{head}"
        );
    }

    #[test]
    fn an_override_that_no_chip_accepts_is_rejected_before_the_first_run() {
        assert_eq!(refused("--set sm.max_warps=16"), None);
        assert_eq!(refused("--set sm.l1.misses=64"), None, "chips without an L1 reject it, others accept it");
        assert!(refused("--set sm.max_wraps=16").is_some_and(|message| message.contains("max_wraps")));
        assert!(refused("--set sm.max_warps").is_some_and(|message| message.contains("PATH=VALUE")));
    }
}
