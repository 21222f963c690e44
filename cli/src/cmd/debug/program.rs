//! A whole program under the debugger: its host code and its launches. To go back in the host code,
//! the program runs again from its start.

use super::script;
use crate::args::{DebugArgs, ShowProgress};
use crate::exit::{Code, Failure};
use crate::output::{complain, interrupt, print};
use crate::watch::{Process, Watch};
use crate::workload::debugged::Debugged;
use crate::workload::streams::Terminal;
use debugger::Again;
use debugger::console::Shared;
use embedded::library::Streams;
use embedded::stop::Stop;
use request::prepared::refuse;
use sim_core::host::Gpu;
use std::process::ExitCode;
use std::sync::Arc;

/// Debugs a program. Returns its exit code.
///
/// # Errors
///
/// An option is of single launches, the program is refused, or a command of a script is wrong.
pub fn run(args: &DebugArgs) -> Result<ExitCode, Failure> {
    refuse(&args.workload, &[("--tui", args.tui)])?;
    let debugged = Debugged::prepare(&args.workload, &args.chip, (args.functional, args.threads))?;
    let script = script(args)?;
    interrupt::catch();
    let console = Shared::open(&Process, script, false)?;
    console.with_host_code();
    let reads_input = args.batch && (args.script.is_some() || !args.commands.is_empty());
    let streams: Box<dyn Streams + Send> =
        if reads_input { Box::new(Terminal::new(|| {})) } else { Box::new(WithoutInput) };
    let leaving = console.clone();
    let again = Again::new(streams, Arc::new(move || leaving.is_leaving()));
    let ended = loop {
        let mut gpu = Gpu::new(debugged.chip.clone());
        gpu.debug(Some(Box::new(console.clone())));
        Watch::new(ShowProgress::Never).follow(&mut gpu);
        let (control, streams) = (Box::new(console.clone()), Box::new(again.start()));
        let ended = debugged.start(&mut gpu, control, streams)?;
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
        Terminal::new(|| {}).print(bytes);
    }

    fn complain(&mut self, bytes: &[u8]) {
        Terminal::new(|| {}).complain(bytes);
    }

    fn input(&mut self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn is_terminal(&self) -> bool {
        Terminal::new(|| {}).is_terminal()
    }
}
