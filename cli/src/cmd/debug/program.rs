//! A whole program under the debugger: its host code and its launches. To go back in the host code,
//! the program runs again from its start.

use super::script;
use crate::args::{DebugArgs, ShowProgress};
use crate::cmd::exec::debugged::Debugged;
use crate::cmd::exec::embedded::Terminal;
use crate::cmd::exec::source;
use crate::exit::{Code, Failure};
use crate::output::{complain, interrupt, print};
use crate::watch::{Process, Watch};
use debugger::Again;
use debugger::console::Shared;
use embedded::library::Streams;
use embedded::stop::Stop;
use sim_core::host::Gpu;
use std::process::ExitCode;
use std::sync::Arc;

/// Debugs a program. Returns its exit code.
///
/// # Errors
///
/// An option is of single launches, the program is refused, or a command of a script is wrong.
pub fn run(args: &DebugArgs, names_chip: bool) -> Result<ExitCode, Failure> {
    source::check(&args.workload, &[("--tui", args.tui), ("--replay", args.replay.is_some())])?;
    let how = (args.functional, args.threads);
    let debugged = Debugged::prepare(&args.workload, &args.chip, names_chip, how)?;
    let script = script(args)?;
    interrupt::catch();
    let console = Shared::open(&Process, script, false)?;
    console.with_host_code();
    let arguments = args.program_arguments.iter().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = [args.workload.kernel.clone()].into_iter().chain(arguments).collect();
    let reads_input = args.batch && (args.script.is_some() || !args.commands.is_empty());
    let streams: Box<dyn Streams + Send> =
        if reads_input { Box::new(Terminal) } else { Box::new(WithoutInput) };
    let leaving = console.clone();
    let again = Again::new(streams, Arc::new(move || leaving.is_leaving()));
    let ended = loop {
        let mut gpu = Gpu::new(debugged.chip.clone());
        gpu.debug(Some(Box::new(console.clone())));
        Watch::new(ShowProgress::Never).follow(&mut gpu);
        let (control, streams) = (Box::new(console.clone()), Box::new(again.start()));
        let ended = debugged.start(&words, &mut gpu, control, streams)?;
        if !console.runs_again() {
            break ended;
        }
    };
    let closed = console.close();
    if let Some(failure) = closed.failure {
        return Err(failure);
    }
    if interrupt::asked() {
        return Ok(interrupt::code().into());
    }
    if ended.stop == Stop::Killed {
        return Ok(if closed.has_failed { Code::BadInput } else { Code::Fine }.into());
    }
    if let Some(message) = ended.message {
        complain(&message);
    }
    let code = ended.code as u8;
    print(&format!("[The program has ended with exit code {code}]\n"))?;
    Ok(code.into())
}

/// The terminal without standard input, which has the commands of the debugger.
struct WithoutInput;

impl Streams for WithoutInput {
    fn print(&mut self, bytes: &[u8]) {
        Terminal.print(bytes);
    }

    fn complain(&mut self, bytes: &[u8]) {
        Terminal.complain(bytes);
    }

    fn input(&mut self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn is_terminal(&self) -> bool {
        Terminal.is_terminal()
    }
}
