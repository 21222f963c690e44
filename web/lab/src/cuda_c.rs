//! CUDA C in the page: a file with kernels for a launch file, or a whole program with its host
//! code.

use crate::check::{Checked, Kernel, Marked, units};
use crate::named::{NamedBytes, NamedText};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cuda::diagnostics::{Diagnostic, Severity};
use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::source::{FileId, Sources};
use cuda::target::Target;
use embedded::Outside;
use embedded::library::{Recorded, VirtualFolder};
use isa::diag;
use isa::source::Source;
use isa::uop::Module;
use kernels::Settings;
use report::exit::Failure;
use report::outcome::RunResult;
use report::render::short::WIDTH;
use report::text::visible;
use sim_core::config::Chip;
use sim_core::host::Gpu;
use std::path::Path;
use std::sync::Arc;

/// Most bytes of the memory of host code.
const MEMORY: u64 = 1 << 30;
/// Most instructions of host code; the page can end a run at any time.
const STEPS: u64 = 20_000_000_000;

/// A program with its host code.
#[derive(Debug)]
pub struct Program {
    /// The source.
    pub text: NamedText,
    compiled: embedded::Compiled,
    /// Arguments after its name.
    pub arguments: Vec<String>,
    /// Standard input.
    pub input: String,
    /// Its files before it starts.
    pub folder: VirtualFolder,
}

/// What a program has printed, and its report.
#[derive(Debug)]
pub struct Output {
    /// The text.
    pub text: String,
    /// The exit code of the program.
    pub code: i32,
    /// Messages about the program.
    pub messages: Vec<String>,
    /// The files that it has written.
    pub files: Vec<NamedBytes>,
}

/// Whether a file is CUDA C.
pub fn is_cuda_c(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|end| end.eq_ignore_ascii_case("cu") || end.eq_ignore_ascii_case("cuh"))
}

fn none(_: &str, _: &str, _: bool) -> Option<Included> {
    None
}

fn options(target: Target, level: u32) -> Options {
    Options { opt_level: level, ..Options::of(target) }
}

/// Compiles the kernels of a file. Returns the module and the warnings.
pub fn module(
    file: &NamedText,
    chip: &Chip,
    level: u32,
    options_of_ptx: isa::Options,
) -> Result<(Module, String), Failure> {
    let target = Target::of_capability(chip.capability);
    let compiled = cuda::compile(&file.name, &file.text, &none, target, &options(target, level));
    let messages = compiled.messages();
    let Some(ptx) = compiled.ptx else { return Err(Failure::input(messages)) };
    let module = lowered(&cuda::listing(&file.name, &file.text, &ptx, compiled.variables), options_of_ptx)?;
    Ok((module, messages))
}

fn lowered(source: &Arc<Source>, options: isa::Options) -> Result<Module, Failure> {
    let (module, diagnostics) = isa::compile_source(source, options);
    module.ok_or_else(|| Failure::input(diag::render_source(&diagnostics, source)))
}

/// Compiles a program. Returns its warnings, too.
pub fn program(file: &NamedText, chip: &Chip, level: u32) -> Result<(Program, String), Failure> {
    let target = Target::of_capability(chip.capability);
    let (compiled, warnings) =
        embedded::compile(&file.name, &file.text, &none, target, &options(target, level))
            .map_err(|refused| Failure::input(refused.messages))?;
    let (arguments, input, folder) = (Vec::new(), String::new(), VirtualFolder::default());
    Ok((Program { text: file.clone(), compiled, arguments, input, folder }, warnings))
}

/// Divides the arguments of a program into words, as a shell does.
///
/// # Errors
///
/// A quotation mark is not closed.
pub fn words(arguments: &str) -> Result<Vec<String>, Failure> {
    let open = || {
        let message = format!("error: the arguments `{arguments}` have a quotation mark that is not closed");
        Failure::input(message + "\nhelp: close it, or write a backslash before it")
    };
    shlex::split(arguments).ok_or_else(open)
}

/// Makes the folder of a program.
///
/// # Errors
///
/// A file is too large, or its name is not for programs.
pub fn folder(files: &[NamedBytes]) -> Result<VirtualFolder, Failure> {
    let decoded = files.iter().map(|NamedBytes { name, base64 }| {
        let bytes = STANDARD.decode(base64);
        let bytes = bytes.map_err(|_| Failure::input(format!("error: the file `{name}` is not base 64")));
        Ok((name.clone(), bytes?))
    });
    let decoded = decoded.collect::<Result<Vec<_>, Failure>>()?;
    VirtualFolder::new(decoded)
        .map_err(|(name, why)| Failure::input(format!("error: the file `{name}` is refused: {why}")))
}

impl Program {
    /// Compiles its kernels, with the lines of CUDA C as their lines.
    ///
    /// # Errors
    ///
    /// The PTX is invalid.
    pub fn module(&self, options: isa::Options) -> Result<Module, Failure> {
        let device = &self.compiled.device;
        let NamedText { name, text } = &self.text;
        lowered(&cuda::listing(name, text, &device.ptx, device.variables.clone()), options)
    }

    /// Runs the program with `gpu` as its device.
    pub fn run(&self, gpu: &mut Gpu, settings: Settings) -> (RunResult, Output) {
        let settings = embedded::settings(gpu, settings);
        let arguments = std::iter::once(&self.text.name).chain(&self.arguments).cloned().collect();
        let options = embedded::Options {
            arguments,
            memory: MEMORY,
            unwritten: embedded::Unwritten::default(),
            steps: STEPS,
            called_ns: u64::MAX,
        };
        let streams = Recorded::new(&self.input);
        let folder = self.folder.copy();
        let outside = Outside::new(Box::new(streams.clone()), Box::new(folder.clone()));
        let outside = Outside { gpu: Some(gpu), ..outside };
        let ended = embedded::run(&self.compiled, settings, &options, outside);
        let printed = streams.take();
        let mut text = String::from_utf8_lossy(&printed.both).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let result = RunResult::from(ended);
        text += &result.program_text(WIDTH, None).unwrap_or_default();
        let files = folder.written().into_iter();
        let files = files.map(|(name, bytes)| NamedBytes { name, base64: STANDARD.encode(&bytes) });
        let ran = result.program.as_deref();
        let code = ran.map_or(0, |ran| ran.code.into());
        let messages = ran.map_or_else(Vec::new, |ran| ran.messages.clone());
        let output = Output { text, code, messages, files: files.collect() };
        (result, output)
    }
}

/// Checks a text while it is typed: a program with its host code, or kernels for a launch file.
pub fn check(file: &NamedText, is_program: bool, chip: &Chip, level: u32) -> Checked {
    let target = Target::of_capability(chip.capability);
    let options = options(target, level);
    let (diagnostics, sources, drawn, device) = if is_program {
        let made = cuda::compile_program(&file.name, &file.text, &none, target, &options);
        let drawn = made.messages();
        let mut all: Vec<(Diagnostic, bool)> = made.diagnostics.into_iter().map(|one| (one, true)).collect();
        all.extend(made.device.diagnostics.into_iter().map(|one| (one, false)));
        (all, [made.sources, made.device.sources], drawn, (made.device.ptx, made.device.variables))
    } else {
        let made = cuda::compile(&file.name, &file.text, &none, target, &options);
        let drawn = made.messages();
        let all = made.diagnostics.into_iter().map(|one| (one, false)).collect();
        (all, [Sources::default(), made.sources], drawn, (made.ptx, made.variables))
    };
    let mut marks: Vec<Marked> = Vec::new();
    for (one, is_host) in &diagnostics {
        let mark = mark(one, &sources[usize::from(!is_host)], &file.text);
        if !marks.iter().any(|known| (known.from, &known.message) == (mark.from, &mark.message)) {
            marks.push(mark);
        }
    }
    marks.sort_by_key(|mark| mark.from);
    let (ptx, variables) = device;
    let listing = ptx.map(|ptx| cuda::listing(&file.name, &file.text, &ptx, variables));
    let module = listing.and_then(|source| isa::compile_source(&source, isa::Options::default()).0);
    let entries = module.iter().flat_map(|module| &module.entries);
    Checked {
        diagnostics: marks,
        drawn: visible(&drawn).into_owned(),
        kernels: entries.map(|entry| Kernel::of(entry)).collect(),
        launch: String::new(),
    }
}

/// A diagnostic at its place in the text of the user.
fn mark(one: &Diagnostic, sources: &Sources, text: &str) -> Marked {
    let span = sources.outermost(one.span);
    let own = |file: FileId| sources.file(file).text.as_ref() == text;
    let (start, end) = match sources.file_of(span).filter(|file| own(*file)) {
        Some(file) => (span.start - sources.start(file), span.end - sources.start(file)),
        None => (0, 0),
    };
    let ((from, line), (to, _)) = (units(text, start), units(text, end));
    let severity = match one.severity {
        Severity::Error => diag::Severity::Error,
        Severity::Warning => diag::Severity::Warning,
    };
    let notes = one.notes.iter().map(|note| format!("note: {note}"));
    let helps = one.helps.iter().map(|help| format!("help: {help}"));
    Marked {
        severity,
        code: one.code,
        message: visible(&one.message).into_owned(),
        from,
        to,
        line,
        label: visible(&one.label).into_owned(),
        more: notes.chain(helps).collect(),
    }
}
