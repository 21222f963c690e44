//! `warpsim`: the command line of the simulator.
//!
//! This crate reads files, prints and writes; the store of results is in `studies`, launch
//! files and the texts of reports are in `report`. `args` defines the command line, `cmd` has the
//! commands, `workload` runs what the crate `request` compiles, with the files and signals of this
//! process, `families` lists the built-in kernels, `codes` lists the codes of
//! diagnostics, `rules` has the occupancy rules of chips and capabilities, `host` is what studies
//! get of this crate, `state_file` has the state of a launch, `why` tests a limit by experiments,
//! and `watch` shows the progress of long runs. [`cli`] is for
//! programs that add components of their choice.
//!
//! It must not know how the machine computes a result: commands use the libraries as any program
//! does, and no other crate of the simulator uses this one.

mod args;
mod chip;
mod cmd;
mod codes;
#[cfg(test)]
mod docs;
mod families;
mod host;
mod output;
mod rules;
mod state_file;
mod terminal;
mod watch;
mod why;
mod workload;

use args::{Command, DapArgs};
use exit::{Code, Failure};
use report::{access, exit, json, launch_file, metrics, provenance, render};
/// The machine, for programs and tests that use it directly.
pub use sim_core;
pub use sim_core::{
    coalescing, dram, l1, map,
    registry::{Argument, Registry},
    replacement, scheduler, throttle,
};
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// Executes the command line of this process.
pub fn main() -> ExitCode {
    cli(|_| {})
}

/// Executes the command line of this process with the components that `register` adds: every
/// command accepts their names like the built-in words. `examples/new-scheduler` is a program of
/// this kind, which `warpsim new-scheduler` writes.
pub fn cli(register: impl FnOnce(&mut Registry)) -> ExitCode {
    output::exhausted::end_at_limit();
    let mut registry = Registry::default();
    register(&mut registry);
    if let Err(errors) = registry.install() {
        for error in errors {
            output::complain(&format!("error: {error}"));
        }
        return Code::BadInput.into();
    }
    execute()
}

fn execute() -> ExitCode {
    #[cfg(unix)]
    if let Some(code) = cmd::exec::keeper::part() {
        return code;
    }
    let words: Vec<_> = args::hyphened(std::env::args_os()).collect();
    let mut args = match args::parse(&words) {
        Ok(args) => args,
        Err(error) => return unparsed(&error),
    };
    if let Err(failure) = access::allow(&args.allow_path) {
        let printed = not_run(&args.command, &failure);
        return ended(&failure, &printed);
    }
    let direct = match &mut args.command {
        Command::Run(run) => cmd::run::direct::prepare(&mut run.workload, &run.chip, &run.direct),
        Command::Debug(debug) => cmd::run::direct::prepare(&mut debug.workload, &debug.chip, &debug.direct),
        _ => Ok(()),
    };
    if let Err(failure) = direct {
        let printed = not_run(&args.command, &failure);
        return ended(&failure, &printed);
    }
    let result = match &args.command {
        // The exit code is that of the program.
        Command::Run(run) => {
            return cmd::run::run(run).unwrap_or_else(|failure| {
                let printed = not_run(&args.command, &failure);
                ended(&failure, &printed)
            });
        }
        Command::Debug(debug) if debug.workload.is_program() && debug.replay.is_none() => {
            return cmd::debug::program(debug).unwrap_or_else(|failure| ended(&failure, &Ok(())));
        }
        // The exit code is that of the program.
        Command::Exec(exec) => {
            return cmd::exec::run(exec).unwrap_or_else(|failure| ended(&failure, &Ok(())));
        }
        Command::Compile(compile) => cmd::compile::run(compile),
        Command::Compare(compare) => cmd::compare::run(compare),
        Command::Sweep(sweep) => cmd::sweep::run(sweep),
        Command::Experiment(experiment) => cmd::experiment::run(experiment),
        Command::Book(book) => cmd::book::run(book),
        Command::Validate(validate) => cmd::validate::run(validate),
        Command::Picture(picture) => cmd::picture::run(picture),
        Command::Trace(trace) => cmd::trace::run(trace),
        Command::Debug(debug) => cmd::debug::run(debug),
        Command::Dap(DapArgs {}) => cmd::dap::run(),
        Command::Check(check) => cmd::check::run(check),
        Command::Disasm(disasm) => cmd::disasm::run(disasm),
        Command::Mutate(mutate) => cmd::mutate::run(mutate),
        Command::Lab(lab) => cmd::lab::run(lab),
        Command::Init(init) => cmd::init::run(init),
        Command::NewScheduler(new) => cmd::new_scheduler::run(new),
        Command::Occupancy(occupancy) => cmd::occupancy::run(occupancy),
        Command::Devices(devices) => cmd::devices::run(devices),
        Command::Config(config) => cmd::config::run(config),
        Command::List(list) => cmd::list::run(list),
        Command::Explore(explore) => cmd::explore::run(explore),
        Command::Explain(explain) => cmd::explain::run(explain),
        Command::Completions(completions) => cmd::install::completions(completions),
        Command::Man(man) => cmd::install::man(man),
    };
    match result {
        Ok(code) => code.into(),
        Err(failure) => {
            let printed = not_run(&args.command, &failure);
            ended(&failure, &printed)
        }
    }
}

/// Prints what an invalid command line, `--help` and `--version` end with; returns the exit code.
fn unparsed(error: &clap::Error) -> ExitCode {
    // Without arguments, print a page for newcomers. The exit code is that of bad usage.
    if std::env::args_os().len() <= 1 {
        output::complain(args::START);
        return Code::BadInput.into();
    }
    // Messages repeat arguments. They are plain text, so that control characters in them are
    // escaped.
    if error.use_stderr() {
        let failure = Failure::input(error.render().to_string().trim_end());
        let words: Vec<String> =
            std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        let printed = cmd::run::print_invalid(&words, &failure);
        return ended(&failure, &printed);
    }
    // Help and version. A closed reader is not an error.
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(why) if why.kind() != ErrorKind::BrokenPipe => {
            output::complain(&output::unprinted(&why).message);
            Code::BadInput
        }
        _ => Code::Fine,
    }
    .into()
}

/// Prints the JSON document of a run that failed.
fn not_run(command: &Command, failure: &Failure) -> Result<(), Failure> {
    if let Command::Run(run) = command { cmd::run::print_failure(run, failure) } else { Ok(()) }
}

/// Prints the message of a failure, and that of a document that could not be `printed`; returns the
/// exit code.
fn ended(failure: &Failure, printed: &Result<(), Failure>) -> ExitCode {
    for failure in [failure].into_iter().chain(printed.as_ref().err()) {
        output::complain(&failure.message);
    }
    failure.code.into()
}
