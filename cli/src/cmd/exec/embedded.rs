//! A program whose host code the built-in compiler takes: it runs in this process.

use crate::args::{ExecArgs, RunArgs};
use crate::cuda_c;
use crate::exit::Failure;
use crate::output::{complain, read_source, shown};
use cuda::CompiledProgram;
use cuda::options::Options;
use cuda::source::Sources;
use embedded::Device;
use embedded::library::Streams;
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
    host: embedded::code::Program,
    sources: Sources,
    device: Device,
}

/// Compiles a program. The inner error is what the built-in compiler refuses.
///
/// # Errors
///
/// The file cannot be read, or the chip is unknown.
pub fn prepare(args: &RunArgs, exec: &ExecArgs) -> Result<Result<Program, Failure>, Failure> {
    let path = Path::new(&args.workload.kernel);
    let text = read_source(path, MAX_TEXT as u64)?;
    if !args.workload.linked.is_empty() {
        return Ok(Err(Failure::input(
            "error: the built-in compiler takes programs of one file\nhelp: `--compiler clang` takes several",
        )));
    }
    let target = cuda_c::target_of(&exec.chip.chip)?;
    let compile = &args.workload.compile;
    let options =
        Options { opt_level: compile.opt_level, max_registers: compile.maxrregcount, ..Options::of(target) };
    let name = shown(path);
    let compiled = cuda::compile_program(&name, &text, &cuda_c::load(&[]), target, &options);
    let messages = compiled.messages();
    let CompiledProgram { host: Some(host), device, sources, .. } = compiled else {
        return Ok(Err(Failure::input(messages)));
    };
    let Some(ptx) = device.ptx else { return Ok(Err(Failure::input(messages))) };
    let device = Device { ptx, variables: device.variables };
    let host = match embedded::lower::lower(&host) {
        Ok(host) => host,
        Err(problem) => {
            let place = sources.location(problem.span).map_or(String::new(), |location| {
                format!("{}:{}: ", sources.file(location.file).name, location.line)
            });
            return Ok(Err(Failure::input(format!("error: {place}{}", problem.message))));
        }
    };
    if !messages.is_empty() {
        complain(&messages);
    }
    Ok(Ok(Program { host, sources, device }))
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
        let folder = std::env::current_dir().ok();
        let options = embedded::Options { arguments, folder, memory: MEMORY, steps: STEPS };
        let ended = embedded::run(
            (&self.host, &self.sources),
            self.device,
            settings,
            &options,
            Box::new(Terminal),
            None,
        );
        if let Some(message) = ended.message {
            complain(&message);
        }
        for line in ended.summary {
            complain(&line);
        }
        Ok(ended.code as u8)
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
