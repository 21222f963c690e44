//! A program of CUDA C with its host code, which the built-in compiler takes: it runs in this
//! process, on the GPU of a command.

use super::RunResult;
use super::streams::{Captured, Input, Remembered, Terminal};
use crate::access::Quoted;
use crate::args::WorkloadArgs;
use crate::cuda_c::{self, Compilation};
use crate::exit::Failure;
use crate::output::{Files, interrupt, read_source, shown};
use cuda::options::Options;
use embedded::library::{DiskFolder, Streams};
use embedded::{Compiled, Control, Ended, Interrupted, Outside, Unwritten};
use isa::ptx::parse::MAX_TEXT;
use isa::uop::Module;
use kernels::Settings;
use report::render::number::plural;
use sim_core::host::{Gpu, Launch};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use studies::host::Warn;

/// Most bytes of the memory of host code.
const MEMORY: u64 = 4 << 30;
/// Most instructions of host code: some minutes.
const STEPS: u64 = 50_000_000_000;

/// A compiled program with the words of its command line.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Its two halves.
    pub compiled: Arc<Compiled>,
    /// Its kernels, as they are launched.
    module: Module,
    /// Options for their PTX.
    compilation: isa::Options,
    /// Whether the kernels are not those of the program.
    is_changed: bool,
    /// The command line, with the name of the program.
    pub words: Vec<String>,
    /// Rule for reads of host memory that nothing has written.
    unwritten: Unwritten,
    /// The source and the files that it includes.
    files: Vec<PathBuf>,
    /// Number of launches of a series that are timed at first, if the others are estimated.
    sample_launches: Option<u64>,
    /// Folder in which the launches are recorded.
    record: Option<PathBuf>,
    /// Number of a launch that is not started.
    hold: Option<u64>,
    /// Standard input that a run has read, for the runs after it.
    input: Input,
}

/// What is around a program: its streams, its files, and who asks it to end or watches it.
pub struct Around {
    /// Standard streams.
    pub streams: Box<dyn Streams>,
    /// The files of the run, which the program does not write; without them, the program writes no
    /// file, and reads back what it has written.
    pub files: Option<Files>,
    /// A debugger.
    pub control: Option<Box<dyn Control>>,
}

impl Prepared {
    /// Compiles a program. The inner error is what the built-in compiler refuses. Warnings go to
    /// `warn`.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or the chip cannot run the program.
    pub fn new(
        args: &WorkloadArgs,
        how: &Compilation,
        warn: Warn<'_>,
    ) -> Result<Result<Self, Failure>, Failure> {
        let path = Path::new(&args.kernel);
        let text = read_source(path, MAX_TEXT as u64)?;
        if !args.linked.is_empty() {
            return Ok(Err(Failure::input(
                "error: the built-in compiler takes programs of one file\nhelp: `--compiler clang` takes several",
            )));
        }
        // The program names a variable that is too large when it starts.
        let options = Options { max_registers: args.compile.maxrregcount, memory_bytes: None, ..how.cuda() };
        let folders = &args.preprocess.include;
        let quoted = Quoted::new([path], folders);
        let files = RefCell::new(vec![path.to_owned()]);
        let load = |wanted: &str, from: &str, angled| {
            let path = cuda_c::find(folders, wanted, from, angled)?;
            files.borrow_mut().push(path.clone());
            cuda_c::read(&path, &quoted)
        };
        let (compiled, warnings) = match embedded::compile(&shown(path), &text, &load, how.target(), &options)
        {
            Err(refused) if refused.is_of_chip => return Err(Failure::input(refused.messages)),
            Err(refused) => return Ok(Err(Failure::input(refused.messages))),
            Ok(compiled) => compiled,
        };
        if !warnings.is_empty() {
            warn(&warnings);
        }
        let chip = how.capability.ok_or_else(|| Failure::input("error: a program needs a chip"))?;
        // The compiler of CUDA C has limited the registers.
        let compilation = isa::Options { max_registers: None, ..how.options };
        let module = compiled.module(chip, compilation).map_err(Failure::input)?;
        let words = args.program_arguments.iter().map(|word| word.to_string_lossy().into_owned());
        Ok(Ok(Self {
            compiled: Arc::new(compiled),
            module,
            compilation,
            is_changed: false,
            words: [args.kernel.clone()].into_iter().chain(words).collect(),
            unwritten: args.host_memory.map_or_else(Unwritten::default, Into::into),
            files: files.into_inner(),
            sample_launches: None,
            record: None,
            hold: None,
            input: Input::default(),
        }))
    }

    /// Returns the same program; with a number, the times of some of its launches are estimated,
    /// and with a folder, its launches are recorded there.
    #[must_use]
    pub fn with(self, sample_launches: Option<u64>, record: Option<&Path>) -> Self {
        Self { sample_launches, record: record.map(Path::to_owned), ..self }
    }

    /// Returns the same program with other kernels, compiled from a change of the PTX.
    pub fn with_module(&self, module: Module) -> Self {
        Self { module, is_changed: true, ..self.clone() }
    }

    /// Returns the kernels.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Returns the source and the files that it includes.
    pub fn files(&self) -> Vec<PathBuf> {
        self.files.clone()
    }

    /// Iterates over the texts of the source and of the files that it includes.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.compiled.sources.files().iter().filter(|file| !file.builtin).map(|file| file.text.as_ref())
    }

    /// Runs the program up to launch `number`, from 1, which is not started. `gpu` has the memory
    /// of the launch. Nothing is printed, and no file is written.
    ///
    /// # Errors
    ///
    /// The program ends before.
    pub fn held(&self, gpu: &mut Gpu, settings: Settings, number: u32) -> Result<Launch, Failure> {
        let streams = Box::new(Captured::new(&self.input));
        let around = Around { streams, files: None, control: None };
        let held = Self { hold: Some(number.into()), ..self.clone() };
        let ended = held.start(gpu, settings, around);
        ended.held.ok_or_else(|| {
            let (launches, code) = (ended.record.launches.len(), ended.code);
            let message = ended.message.map_or_else(String::new, |message| format!("{message}\n"));
            Failure::input(format!(
                "{message}error: launch {number} does not exist: the program makes {}, and ends with exit code {code}",
                plural(launches as u64, "launch")
            ))
        })
    }

    /// Streams whose input later runs of the program read again.
    pub fn remembered(&self, streams: Terminal) -> Box<dyn Streams> {
        Box::new(Remembered::new(streams, &self.input))
    }

    /// The names of its variables in device memory.
    pub fn variables(&self) -> Vec<String> {
        self.compiled.program.globals.iter().filter_map(|global| global.device.clone()).collect()
    }

    /// Runs the program with `gpu` as its device. Nothing is printed, and no file is written.
    pub fn run(&self, gpu: &mut Gpu, settings: Settings) -> RunResult {
        let streams = Box::new(Captured::new(&self.input));
        self.start(gpu, settings, Around { streams, files: None, control: None }).into()
    }

    /// Runs the program with `gpu` as its device.
    pub fn start(&self, gpu: &mut Gpu, settings: Settings, around: Around) -> Ended {
        let Around { streams, files, control } = around;
        let options = embedded::Options {
            arguments: self.words.clone(),
            memory: MEMORY,
            unwritten: self.unwritten,
            steps: STEPS,
            called_ns: u64::MAX,
        };
        let root = std::env::current_dir().unwrap_or_default();
        let folder = match files {
            Some(files) => DiskFolder::new(root, Box::new(move |path| files.has(path))),
            None => DiskFolder::new(root, Box::new(|_| false)).unchanged(),
        };
        let interrupted: Interrupted = Arc::new(|| interrupt::flow().is_break());
        let runtime = warpsim_cuda::settings::Settings {
            compilation: self.compilation,
            sample_launches: self.sample_launches,
            record: self.record.clone(),
            hold: self.hold,
            ..embedded::settings(gpu, settings)
        };
        let outside = Outside {
            streams,
            folder: Box::new(folder),
            gpu: Some(gpu),
            module: self.is_changed.then(|| self.module.clone()),
            interrupted: control.is_none().then_some(interrupted),
            control,
        };
        embedded::run(&self.compiled, runtime, &options, outside)
    }
}
