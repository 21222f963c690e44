//! A whole program under the debugger: its host code and its launches. To go back in the host code,
//! the program runs again from its start.

use super::script;
use crate::args::{DebugArgs, ExecArgs, ShowProgress};
use crate::chip;
use crate::cmd::exec::embedded::{Terminal, outside, prepare, settings};
use crate::cmd::exec::{source, variables};
use crate::exit::{Code, Failure};
use crate::output::{complain, interrupt, print};
use crate::watch::{Process, Watch};
use debugger::console::Shared;
use embedded::Outside;
use embedded::library::Streams;
use sim_core::host::Gpu;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Debugs a program. Returns its exit code.
///
/// # Errors
///
/// An option is of single launches, the program is refused, or a command of a script is wrong.
pub fn run(args: &DebugArgs, names_chip: bool) -> Result<ExitCode, Failure> {
    source::check(&args.workload, &[("--tui", args.tui)])?;
    let exec = ExecArgs {
        functional: args.functional,
        max_cycles: args.workload.max_cycles,
        threads: Some(args.threads),
        ..ExecArgs::of_program(&args.chip, names_chip)
    };
    let (chip, _) = chip::load_to_run(&exec.chip)?;
    let program = prepare(&args.workload, &exec.chip.chip)??;
    let script = script(args)?;
    interrupt::catch();
    let console = Shared::open(&Process, script, false)?;
    console.with_host_code();
    let arguments = args.program_arguments.iter().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = [args.workload.kernel.clone()].into_iter().chain(arguments).collect();
    let variables = variables(&exec, None, None);
    let again = Again {
        printed: Arc::default(),
        now: [0; 2],
        input: Arc::default(),
        reads_input: args.batch && args.script.is_some(),
        console: console.clone(),
    };
    let ended = loop {
        let mut gpu = Gpu::new(chip.clone());
        gpu.debug(Some(Box::new(console.clone())));
        Watch::new(ShowProgress::Never).follow(&mut gpu);
        let outside = outside(Box::new(again.start()));
        let outside = Outside { gpu: Some(&mut gpu), control: Some(Box::new(console.clone())), ..outside };
        let ended = program.start(&words, settings(&variables)?, outside);
        if !console.runs_again() {
            break ended;
        }
    };
    if let Some(failure) = console.close().failure {
        return Err(failure);
    }
    if interrupt::asked() {
        return Ok(interrupt::code().into());
    }
    if ended.is_killed {
        return Ok(Code::Fine.into());
    }
    if let Some(message) = ended.message {
        complain(&message);
    }
    let code = ended.code as u8;
    print(&format!("[The program has ended with exit code {code}]\n"))?;
    Ok(code.into())
}

/// The streams of a program that runs several times: each byte is printed once, and the input is
/// the same.
#[derive(Clone)]
struct Again {
    /// Bytes of standard output and standard error that were printed.
    printed: Arc<[AtomicU64; 2]>,
    /// Bytes of this run.
    now: [u64; 2],
    input: Arc<OnceLock<Vec<u8>>>,
    /// Whether standard input is the program's, not the debugger's.
    reads_input: bool,
    console: Shared,
}

impl Again {
    /// The streams of the next run.
    fn start(&self) -> Self {
        Self { now: [0; 2], ..self.clone() }
    }

    /// The bytes that were not printed yet.
    fn new_bytes<'b>(&mut self, stream: usize, bytes: &'b [u8]) -> &'b [u8] {
        let printed = self.printed[stream].load(Ordering::Relaxed);
        let known = printed.saturating_sub(self.now[stream]).min(bytes.len() as u64);
        self.now[stream] += bytes.len() as u64;
        self.printed[stream].fetch_max(self.now[stream], Ordering::Relaxed);
        &bytes[known as usize..]
    }
}

impl Streams for Again {
    fn print(&mut self, bytes: &[u8]) {
        Terminal.print(self.new_bytes(0, bytes));
    }

    fn complain(&mut self, bytes: &[u8]) {
        // What is said of a launch that the debugger has killed is not of interest.
        if !self.console.is_leaving() {
            Terminal.complain(self.new_bytes(1, bytes));
        }
    }

    fn input(&mut self) -> Vec<u8> {
        if !self.reads_input {
            return Vec::new();
        }
        self.input.get_or_init(|| Terminal.input()).clone()
    }
}
