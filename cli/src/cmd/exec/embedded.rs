//! A program whose host code the built-in compiler takes: it runs in this process.

use crate::args::WorkloadArgs;
use crate::cuda_c;
use crate::exit::Failure;
use crate::output::{complain, read_source, shown};
use cuda::options::Options;
use embedded::library::{DiskFolder, Streams};
use embedded::memory::Fault;
use embedded::stop::Stop;
use embedded::{Compiled, Ended, Outside, Unwritten};
use isa::ptx::parse::MAX_TEXT;
use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::path::Path;
use warpsim_cuda::settings::Settings;

/// Most bytes of the memory of host code.
const MEMORY: u64 = 4 << 30;
/// Most instructions of host code: some minutes.
const STEPS: u64 = 50_000_000_000;

/// Most bytes of standard input.
const LARGEST_INPUT: u64 = 1 << 30;

/// A compiled program.
pub struct Program {
    /// Its two halves.
    pub compiled: Compiled,
    /// Rule for reads of host memory that nothing has written.
    unwritten: Unwritten,
}

/// Compiles a program. The inner error is what the built-in compiler refuses.
///
/// # Errors
///
/// The file cannot be read, the chip is unknown, or it cannot run the program.
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
    let options = Options {
        opt_level: compile.opt_level,
        max_registers: compile.maxrregcount,
        defines: workload.preprocess.define.clone(),
        ..Options::of(target)
    };
    let name = shown(path);
    let folders = &workload.preprocess.include;
    let load = |wanted: &str, from: &str, angled| cuda_c::load(folders, wanted, from, angled);
    match embedded::compile(&name, &text, &load, target, &options) {
        Err(refused) if refused.is_of_chip => Err(Failure::input(refused.messages)),
        Err(refused) => Ok(Err(Failure::input(refused.messages))),
        Ok((program, warnings)) => {
            if !warnings.is_empty() {
                complain(&warnings);
            }
            let unwritten = workload.host_memory.map_or_else(Unwritten::default, Into::into);
            Ok(Ok(Program { compiled: program, unwritten }))
        }
    }
}

/// Reads the settings of the runtime from variables of the environment.
///
/// # Errors
///
/// A setting is wrong.
pub fn settings(variables: &[(&'static str, OsString)]) -> Result<Settings, Failure> {
    let value = |name: &str| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.to_string_lossy().into_owned())
    };
    Settings::read(value).map_err(|why| Failure::input(format!("error: {why}")))
}

/// The current folder and the streams of a program.
pub fn outside<'g>(streams: Box<dyn Streams>) -> Outside<'g> {
    Outside::new(streams, Box::new(DiskFolder(std::env::current_dir().unwrap_or_default())))
}

impl Program {
    /// Starts the program, and waits for its end.
    pub fn start(&self, arguments: &[String], settings: Settings, outside: Outside<'_>) -> Ended {
        let arguments = arguments.to_vec();
        let options = embedded::Options {
            arguments,
            memory: MEMORY,
            unwritten: self.unwritten,
            steps: STEPS,
            called_ns: u64::MAX,
        };
        embedded::run(&self.compiled, settings, &options, outside)
    }

    /// Runs the program. Returns its exit code.
    ///
    /// # Errors
    ///
    /// A setting is wrong.
    pub fn run(&self, arguments: &[String], variables: &[(&'static str, OsString)]) -> Result<u8, Failure> {
        let ended = self.start(arguments, settings(variables)?, outside(Box::new(Terminal)));
        if let Some(message) = ended.message {
            complain(&message);
        }
        if matches!(ended.stop, Stop::Fault(Fault::Uninitialized { .. })) {
            complain("help: with --host-memory zero, host memory that nothing has written reads as zero");
        }
        for line in ended.summary {
            complain(&line);
        }
        Ok(ended.code as u8)
    }
}

/// Standard output and standard error.
pub struct Terminal;

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
