//! `warpsim debug`: step through the warps of a launch, forward and back, with commands in the
//! words of cuda-gdb. `program` has the host code, too.

mod program;
mod schedule;

pub use program::run as program;

use crate::args::{DebugArgs, ShowProgress};
use crate::exit::{Code, Failure};
use crate::output::{Files, complain, interrupt, print, read_text, shown};
use crate::render::verdict;
use crate::watch::{Process, Watch, code_of};
use crate::workload::{self, Opened, mode};
use debugger::console::{Script, Shared};
use debugger::screen;
use sim_core::host::Gpu;

/// Largest script in bytes.
const LONGEST_SCRIPT: u64 = 1 << 20;

/// Whether commands come from a screen: if standard input and output are terminals, and neither
/// `--batch` nor a script is given. `--tui` and `--no-tui` select it.
///
/// # Errors
/// `--tui` is given without a terminal.
fn has_screen(args: &DebugArgs) -> Result<bool, Failure> {
    if args.tui && !screen::is_possible() {
        let message = "error: --tui requires a terminal on standard input and output\n\
                       help: without --tui, commands are read line by line";
        return Err(Failure::input(message));
    }
    let by_default = !args.no_tui && !args.batch && args.script.is_none() && args.commands.is_empty();
    Ok(args.tui || by_default && screen::is_possible())
}

/// The commands that are executed first.
fn script(args: &DebugArgs) -> Result<Script, Failure> {
    let mut script = Script { batch: args.batch, commands: args.commands.clone(), ..Script::default() };
    if let Some(path) = &args.script {
        script.name = shown(path);
        script.text = read_text(path, LONGEST_SCRIPT)?;
    }
    Ok(script)
}

/// Refuses a launch that is selected without `--replay`: the debugger stops in all launches.
fn refuse_one_launch(args: &DebugArgs) -> Result<(), Failure> {
    match args.which.given().into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Failure::input(format!(
            "error: {option} requires --replay\nhelp: without it, `break KERNEL` stops in the launches of a kernel"
        ))),
        None => Ok(()),
    }
}

/// Debugs.
pub fn run(args: &DebugArgs) -> Result<Code, Failure> {
    if let Some(path) = &args.replay {
        return schedule::run(args, path);
    }
    refuse_one_launch(args)?;
    let mut files = Files::new();
    let how = (mode(args.functional), args.threads);
    let Opened { prepared, settings, chip, .. } = Opened::new(&args.workload, &args.chip, how, &mut files)?;
    let script = script(args)?;
    interrupt::catch();
    let console = Shared::open(&Process, script, has_screen(args)?)?;
    let mut gpu = Gpu::new(chip);
    gpu.debug(Some(Box::new(console.clone())));
    Watch::new(ShowProgress::Never).follow(&mut gpu);
    let result = workload::run(&prepared, &mut gpu, settings, &mut files);
    let closed = console.close();
    let result = result?;
    if let Some(failure) = closed.failure {
        return Err(failure);
    }
    // A command of `-ex` has failed; its message is printed.
    let mut code = if closed.has_failed { Code::BadInput } else { Code::Fine };
    if closed.quit {
        return Ok(if interrupt::asked() { interrupt::code() } else { code });
    }
    for report in &result.reports {
        code = code.max(code_of(&report.verdict));
        if let Some(message) = verdict::message(report) {
            complain(&message);
        }
    }
    print(&debugger::lines(result.check.texts()))?;
    if result.check.passed == Some(false) {
        code = code.max(Code::WrongResult);
    }
    Ok(code)
}
