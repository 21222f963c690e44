//! A program of CUDA C or C with its host code, which the built-in compiler takes: it runs in this
//! process, on the GPU of a command.

use crate::Warn;
use crate::compilation::Compilation;
use crate::options::{Request, is_source};
use crate::streams::{Captured, Input, Misses};
use cuda::Unit;
use cuda::options::Options;
use embedded::library::{DiskFolder, Folder, VirtualFolder};
use embedded::{Compiled, Control, Ended, Interrupted, Outside, Unwritten};
use isa::uop::Module;
use report::exit::Failure;
use report::outcome::RunResult;
use report::program::streams::Streams;
use report::text::shown;
use sim_core::host::{Gpu, Launch, LaunchSettings};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

/// Most bytes of the memory of host code; a page has 4 GiB for all.
const MEMORY: u64 = if cfg!(target_arch = "wasm32") { 1 << 30 } else { 4 << 30 };
/// Most instructions of host code: some minutes.
const STEPS: u64 = 50_000_000_000;

/// A compiled program with the words of its command line.
#[derive(Clone)]
pub struct Program {
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
    /// How it runs.
    pub with: With,
}

/// How a program runs, beside the settings of its launches.
#[derive(Clone, Default)]
pub struct With {
    /// Number of launches of a series that are timed at first, if the others are estimated.
    pub sample_launches: Option<u64>,
    /// Most work of the timed launches; later ones run without timing.
    pub timed_work: Option<u64>,
    /// Whether each launch has the number of host threads that suits it, instead of the number of
    /// the settings.
    pub chooses_threads: bool,
    /// Folder in which the launches are recorded.
    pub record: Option<PathBuf>,
    /// Number of a launch that is not started.
    pub hold: Option<u64>,
    /// Number of GPUs; without a number, one.
    pub devices: Option<usize>,
    /// Standard input that a run has read, for the runs after it.
    pub input: Input,
    /// Its files; without them, the files of this machine, which it does not change.
    pub folder: Option<VirtualFolder>,
    /// Asked regularly whether the user interrupts the program.
    pub interrupted: Option<Interrupted>,
}

impl With {
    /// Gives the bytes of the standard input, and the names and bytes of the files.
    pub fn contents(&self, add: &mut dyn FnMut(&[u8])) {
        add(&self.input.lock().unwrap_or_else(PoisonError::into_inner));
        for (name, bytes) in self.folder.iter().flat_map(VirtualFolder::all) {
            add(name.as_bytes());
            add(&bytes);
        }
    }
}

/// Environment of a run of a program: its streams, its files and its observers.
pub struct Around {
    /// Standard streams.
    pub streams: Box<dyn Streams>,
    /// Its files.
    pub folder: Box<dyn Folder>,
    /// A debugger.
    pub control: Option<Box<dyn Control>>,
}

impl Program {
    /// Compiles a program. The inner error is what the built-in compiler refuses. Warnings go to
    /// `warn`.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or the chip cannot run the program.
    pub fn new(args: &Request, how: &Compilation, warn: Warn<'_>) -> Result<Result<Self, Failure>, Failure> {
        let paths: Vec<&Path> =
            [Path::new(&args.kernel)].into_iter().chain(args.linked.iter().map(PathBuf::as_path)).collect();
        for path in &args.linked {
            check_linked(args, path)?;
        }
        let texts = paths.iter().map(|path| how.sources.cuda_c(path)).collect::<Result<Vec<_>, _>>()?;
        // The program names a variable that is too large when it starts.
        let options = Options { max_registers: args.compile.maxrregcount, memory_bytes: None, ..how.cuda() };
        let options: Vec<Options> =
            paths.iter().map(|path| options.clone().of_file(path, how.target())).collect();
        let names: Vec<String> = paths.iter().map(|path| shown(path)).collect();
        let quoted = how.quoted(paths.iter().copied());
        let files = RefCell::new(paths.iter().map(|path| (*path).to_owned()).collect::<Vec<PathBuf>>());
        let load = |wanted: &str, from: &str, is_angled| {
            let (path, file) = how.load(wanted, (from, is_angled), &quoted)?;
            files.borrow_mut().push(path);
            Some(file)
        };
        let units: Vec<Unit> = names
            .iter()
            .zip(&texts)
            .zip(&options)
            .map(|((name, text), options)| Unit { name, text, loader: &load, options })
            .collect();
        let (compiled, warnings) = match embedded::compile(&units, how.target()) {
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
            files: files.into_inner().into_iter().filter(|path| how.sources.given(path).is_none()).collect(),
            with: With::default(),
        }))
    }

    /// Returns the same program with other kernels, compiled from a change of the PTX.
    #[must_use]
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
    pub fn held(&self, gpu: &mut Gpu, settings: LaunchSettings, number: u32) -> Result<Launch, Failure> {
        let with = With { hold: Some(number.into()), ..self.with.clone() };
        let misses = Misses::default();
        let ended = Self { with, ..self.clone() }.start(gpu, settings, self.unseen(&misses));
        ended.held.ok_or_else(|| {
            let (launches, code) = (ended.record.launches.len(), ended.code);
            let message = ended.message.map_or_else(String::new, |message| format!("{message}\n"));
            let refused = ended.record.unchecked.first();
            let refused = refused.map_or_else(String::new, |refused| format!("; {refused}"));
            Failure::input(format!(
                "{message}error: launch {number} does not exist: the number of launches of the program is {launches}, and \
                 its exit code {code}{refused}{}",
                misses.note()
            ))
        })
    }

    /// The names of its variables in device memory.
    pub fn variables(&self) -> Vec<String> {
        self.compiled.program.globals.iter().filter_map(|global| global.device.clone()).collect()
    }

    /// Streams that print nothing, with the input of an earlier run, and files that do not change.
    fn unseen(&self, misses: &Misses) -> Around {
        let folder: Box<dyn Folder> = match &self.with.folder {
            Some(folder) => Box::new(folder.copy()),
            None => Box::new(DiskFolder::new(current(), Box::new(|_| false)).unchanged()),
        };
        Around { streams: Box::new(Captured::new(&self.with.input, misses.clone())), folder, control: None }
    }

    /// Runs the program with `gpu` as its device. Nothing is printed, and no file is written.
    pub fn run(&self, gpu: &mut Gpu, settings: LaunchSettings) -> RunResult {
        let misses = Misses::default();
        let mut result: RunResult = self.start(gpu, settings, self.unseen(&misses)).into();
        if let (Some(false), Some(fact)) = (result.check.passed, result.check.lines.first_mut()) {
            fact.text.push_str(misses.note());
        }
        result
    }

    /// Runs the program with `gpu` as its device.
    pub fn start(&self, gpu: &mut Gpu, settings: LaunchSettings, around: Around) -> Ended {
        let Around { streams, folder, control } = around;
        let options = embedded::Options {
            arguments: self.words.clone(),
            memory: MEMORY,
            unwritten: self.unwritten,
            steps: STEPS,
            called_ns: u64::MAX,
            interpreted: embedded::INTERPRETED,
        };
        let usual = embedded::settings(gpu, settings);
        let runtime = warpsim_cuda::settings::Settings {
            compilation: self.compilation,
            sample_launches: self.with.sample_launches,
            timed_work: self.with.timed_work,
            threads: usual.threads.filter(|_| !self.with.chooses_threads),
            record: self.with.record.clone(),
            hold: self.with.hold,
            devices: self.with.devices.unwrap_or(usual.devices),
            ..usual
        };
        let outside = Outside {
            streams,
            folder,
            gpu: Some(gpu),
            module: self.is_changed.then(|| self.module.clone()),
            // A debugger asks for itself.
            interrupted: self.with.interrupted.clone().filter(|_| control.is_none()),
            control,
        };
        embedded::run(&self.compiled, runtime, &options, outside)
    }
}

/// Checks a further file of a program, which may be meant as one of its arguments.
fn check_linked(args: &Request, path: &Path) -> Result<(), Failure> {
    let is_file = args.sources.is_file(path);
    if is_file && is_source(&path.to_string_lossy()) {
        return Ok(());
    }
    let files: Vec<String> = args.linked.iter().map(|path| shown(path)).collect();
    let files = files.join(" ");
    let name = shown(path);
    let what =
        if is_file { format!("{name} is not a source file") } else { format!("there is no file {name}") };
    Err(Failure::input(format!(
        "error: {what}\nhelp: arguments of the program follow `--`: {} -- {files}",
        args.kernel
    )))
}

/// The current folder.
pub fn current() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}
