//! A whole program under the debugger: its host code and its launches. To go back in the host code,
//! the program runs again from its start.

use super::{has_screen, refuse_one_launch, script};
use crate::args::{DebugArgs, ShowProgress};
use crate::exit::{Code, Failure};
use crate::output::{complain, interrupt, print};
use crate::watch::{Process, Watch};
use crate::workload::debugged::Debugged;
use crate::workload::streams::Terminal;
use debugger::Again;
use debugger::console::Shared;
use report::program::streams::Streams;
use sim_core::host::Gpu;
use std::process::ExitCode;
use std::sync::Arc;

/// Debugs a program. Returns its exit code.
///
/// # Errors
///
/// An option is of single launches, the program is refused, or a command of a script is wrong.
pub fn run(args: &DebugArgs) -> Result<ExitCode, Failure> {
    refuse_one_launch(args)?;
    let debugged = Debugged::prepare(&args.workload, &args.chip, (args.functional, args.threads))?;
    let script = script(args)?;
    interrupt::catch();
    let console = Shared::open(&Process, script, has_screen(args)?)?;
    console.with_host_code();
    let reads_input = args.batch && (args.script.is_some() || !args.commands.is_empty());
    let streams = Box::new(Output { console: console.clone(), terminal: Terminal::new(|| {}), reads_input });
    let leaving = console.clone();
    let again = Again::new(streams, Arc::new(move || leaving.is_leaving()));
    let ended = loop {
        let mut gpu = Gpu::new(debugged.chip.clone());
        gpu.debug(Some(Box::new(console.clone())));
        Watch::new(ShowProgress::Never).follow(&mut gpu);
        let (control, streams) = (Box::new(console.clone()), Box::new(again.start()));
        let ended = debugged.start(&mut gpu, control, streams)?;
        if !console.runs_again(&ended) {
            break ended;
        }
    };
    let closed = console.close();
    Terminal::new(|| {}).print(&closed.output);
    if let Some(failure) = closed.failure {
        return Err(failure);
    }
    if interrupt::asked() || closed.is_killed && ended.is_killed {
        return Ok(interrupt::code().into());
    }
    let own = if closed.has_failed { Code::BadInput } else { Code::Fine };
    if ended.is_killed {
        return Ok(own.into());
    }
    if let Some(message) = ended.message {
        complain(&message);
    }
    let code = ended.code as u8;
    print(&format!("[The program has ended with exit code {code}]\n"))?;
    Ok(if code == 0 { own.into() } else { code.into() })
}

/// The output of the program: on the screen, or on the terminal.
struct Output {
    console: Shared,
    terminal: Terminal,
    /// Whether the program reads standard input, which otherwise has the commands of the debugger.
    reads_input: bool,
}

impl Streams for Output {
    fn print(&mut self, bytes: &[u8]) {
        if let Some(bytes) = self.console.shows(bytes) {
            self.terminal.print(&bytes);
        }
    }

    fn complain(&mut self, bytes: &[u8]) {
        if let Some(bytes) = self.console.shows(bytes) {
            self.terminal.complain(&bytes);
        }
    }

    fn input(&mut self) -> Option<Vec<u8>> {
        if self.reads_input { self.terminal.input() } else { Some(Vec::new()) }
    }

    fn is_terminal(&self) -> bool {
        self.terminal.is_terminal()
    }
}
