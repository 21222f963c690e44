//! A program whose host code the built-in compiler takes: it runs in this process.

use crate::access::Quoted;
use crate::args::WorkloadArgs;
use crate::cuda_c;
use crate::exit::Failure;
use crate::output::{Files, complain, interrupt, read_source, shown};
use cuda::options::Options;
use embedded::library::{DiskFolder, Streams};
use embedded::memory::Fault;
use embedded::stop::Stop;
use embedded::{Compiled, Ended, Interrupted, Outside, Unwritten};
use isa::ptx::parse::MAX_TEXT;
use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;
use warpsim_cuda::settings::Settings;

/// Most bytes of the memory of host code.
const MEMORY: u64 = 4 << 30;
/// Most instructions of host code: some minutes.
const STEPS: u64 = 50_000_000_000;

/// Most bytes of standard input that are read at once.
const PART: usize = 1 << 16;
/// Time between two questions whether a signal has arrived, during a read.
const PAUSE: Duration = Duration::from_millis(50);

/// A compiled program.
pub struct Program {
    /// Its two halves.
    pub compiled: Compiled,
    /// Rule for reads of host memory that nothing has written.
    unwritten: Unwritten,
    /// The source and the files that it includes.
    pub files: Vec<PathBuf>,
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
    let quoted = Quoted::new([path], folders);
    let files = RefCell::new(vec![path.to_owned()]);
    let load = |wanted: &str, from: &str, angled| {
        let path = cuda_c::find(folders, wanted, from, angled)?;
        files.borrow_mut().push(path.clone());
        cuda_c::read(&path, &quoted)
    };
    match embedded::compile(&name, &text, &load, target, &options) {
        Err(refused) if refused.is_of_chip => Err(Failure::input(refused.messages)),
        Err(refused) => Ok(Err(Failure::input(refused.messages))),
        Ok((program, warnings)) => {
            if !warnings.is_empty() {
                complain(&warnings);
            }
            let unwritten = workload.host_memory.map_or_else(Unwritten::default, Into::into);
            let files = files.into_inner();
            Ok(Ok(Program { compiled: program, unwritten, files }))
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

/// The current folder and the streams of a program. It does not write the files of the run.
pub fn outside<'g>(streams: Box<dyn Streams>, files: Files) -> Outside<'g> {
    let folder =
        DiskFolder::new(std::env::current_dir().unwrap_or_default(), Box::new(move |path| files.has(path)));
    Outside::new(streams, Box::new(folder))
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
    pub fn run(
        &self,
        arguments: &[String],
        variables: &[(&'static str, OsString)],
        files: Files,
    ) -> Result<u8, Failure> {
        interrupt::catch();
        let interrupted: Interrupted = Arc::new(|| interrupt::flow().is_break());
        let outside = Outside { interrupted: Some(interrupted), ..outside(Box::new(Terminal), files) };
        let ended = self.start(arguments, settings(variables)?, outside);
        if let Some(message) = ended.message {
            complain(&message);
        }
        if matches!(ended.stop, Stop::Fault(Fault::Uninitialized { .. })) {
            complain("help: with --host-memory zero, host memory that nothing has written reads as zero");
        }
        for line in ended.summary {
            complain(&line);
        }
        Ok(if ended.stop == Stop::Interrupted { interrupt::code() as u8 } else { ended.code as u8 })
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

    fn input(&mut self) -> Option<Vec<u8>> {
        // A signal does not end a read, so another thread waits for the input.
        let (sender, receiver) = channel();
        let read = move || drop(sender.send(read_part()));
        if thread::Builder::new().name("input".to_owned()).spawn(read).is_err() {
            return Some(read_part());
        }
        loop {
            match receiver.recv_timeout(PAUSE) {
                Ok(bytes) => return Some(bytes),
                Err(RecvTimeoutError::Disconnected) => return Some(Vec::new()),
                Err(RecvTimeoutError::Timeout) if interrupt::flow().is_break() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn is_terminal(&self) -> bool {
        std::io::stdout().is_terminal()
    }
}

/// Reads what standard input has: of a terminal, a line. Empty at the end of the input.
fn read_part() -> Vec<u8> {
    let mut bytes = vec![0; PART];
    let count = loop {
        match std::io::stdin().lock().read(&mut bytes) {
            Err(why) if why.kind() == std::io::ErrorKind::Interrupted => {}
            result => break result.unwrap_or(0),
        }
    };
    bytes.truncate(count);
    bytes
}
