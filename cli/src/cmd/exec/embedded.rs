//! A program whose host code the built-in compiler takes: it runs in this process.

use crate::args::{ShowProgress, WorkloadArgs};
use crate::cuda_c;
use crate::exit::Failure;
use crate::output::{complain, read_source, shown};
use crate::watch::Watch;
use cuda::options::Options;
use debugger::console::Shared;
use embedded::library::{DiskFolder, Streams};
use embedded::{Compiled, Outside};
use isa::ptx::parse::MAX_TEXT;
use sim_core::config::Chip;
use sim_core::host::Gpu;
use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use warpsim_cuda::settings::Settings;

/// Most bytes of the memory of host code.
const MEMORY: u64 = 4 << 30;
/// Most instructions of host code: some minutes.
const STEPS: u64 = 50_000_000_000;

/// Most bytes of standard input.
const LARGEST_INPUT: u64 = 1 << 30;

/// A compiled program.
pub struct Program(Compiled);

/// Compiles a program. The inner error is what the built-in compiler refuses.
///
/// # Errors
///
/// The file cannot be read, or the chip is unknown.
pub fn prepare(workload: &WorkloadArgs, chip: &str) -> Result<Result<Program, Failure>, Failure> {
    let path = Path::new(&workload.kernel);
    let text = read_source(path, MAX_TEXT as u64)?;
    if !workload.linked.is_empty() {
        return Ok(Err(Failure::input(
            "error: the built-in compiler takes programs of one file\nhelp: `--compiler clang` takes several",
        )));
    }
    let target = cuda_c::target_of(chip)?;
    let compile = &workload.compile;
    let options =
        Options { opt_level: compile.opt_level, max_registers: compile.maxrregcount, ..Options::of(target) };
    let name = shown(path);
    match embedded::compile(&name, &text, &cuda_c::load(&[]), target, &options) {
        Err(messages) => Ok(Err(Failure::input(messages))),
        Ok((program, warnings)) => {
            if !warnings.is_empty() {
                complain(&warnings);
            }
            Ok(Ok(Program(program)))
        }
    }
}

impl Program {
    /// Runs the program. Returns its exit code.
    ///
    /// # Errors
    ///
    /// A setting is wrong.
    pub fn run(self, arguments: Vec<String>, variables: &[(&'static str, OsString)]) -> Result<u8, Failure> {
        let value = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.to_string_lossy().into_owned())
        };
        let settings = Settings::read(value).map_err(|why| Failure::input(format!("error: {why}")))?;
        let folder = DiskFolder(std::env::current_dir().unwrap_or_default());
        let options = embedded::Options { arguments, memory: MEMORY, steps: STEPS };
        let outside = Outside::new(Box::new(Terminal), Box::new(folder));
        let ended = embedded::run(&self.0, settings, &options, outside);
        if let Some(message) = ended.message {
            complain(&message);
        }
        for line in ended.summary {
            complain(&line);
        }
        Ok(ended.code as u8)
    }
}

impl Program {
    /// Debugs the program on a GPU of a chip. To go back, it runs again from its start. Returns its
    /// exit code; `None` if the debugger has ended it.
    ///
    /// # Errors
    ///
    /// A setting is wrong.
    pub fn debug(
        &self,
        arguments: &[String],
        setting: &dyn Fn(&str) -> Option<String>,
        chip: &Chip,
        console: &Shared,
        reads_input: bool,
    ) -> Result<Option<u8>, Failure> {
        console.with_program();
        let folder = DiskFolder(std::env::current_dir().unwrap_or_default());
        let options = embedded::Options { arguments: arguments.to_vec(), memory: MEMORY, steps: STEPS };
        let again = Again {
            printed: Arc::default(),
            now: [0; 2],
            input: Arc::default(),
            reads_input,
            console: console.clone(),
        };
        loop {
            let settings = Settings::read(setting).map_err(|why| Failure::input(format!("error: {why}")))?;
            let mut gpu = Gpu::new(chip.clone());
            gpu.debug(Some(Box::new(console.clone())));
            Watch::new(ShowProgress::Never).follow(&mut gpu);
            let outside = Outside::new(Box::new(again.start()), Box::new(folder.clone()));
            let outside =
                Outside { gpu: Some(&mut gpu), control: Some(Box::new(console.clone())), ..outside };
            let ended = embedded::run(&self.0, settings, &options, outside);
            if console.runs_again() {
                continue;
            }
            if ended.is_killed {
                return Ok(None);
            }
            if let Some(message) = ended.message {
                complain(&message);
            }
            return Ok(Some(ended.code as u8));
        }
    }
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

/// Standard output and standard error.
struct Terminal;

impl Streams for Terminal {
    fn print(&mut self, bytes: &[u8]) {
        // A reader may have closed the pipe.
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(bytes).and_then(|()| out.flush());
    }

    fn complain(&mut self, bytes: &[u8]) {
        let _ = std::io::stderr().lock().write_all(bytes);
    }

    fn input(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let _ = std::io::stdin().lock().take(LARGEST_INPUT).read_to_end(&mut bytes);
        bytes
    }
}
