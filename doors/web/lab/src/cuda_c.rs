//! CUDA C in the page: a file with kernels for a launch file, or a whole program with its host
//! code.

use crate::check::{Checked, Kernel, Marked};
use crate::named::{NamedBytes, NamedText};
use ::request::options::{is_cuda_c_file, is_source};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cuda::diagnostics::Diagnostic;
use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::source::Sources;
use cuda::target::Target;
use embedded::library::VirtualFolder;
use report::exit::Failure;
use report::text::visible;
use sim_core::config::Chip;
use std::path::Path;

/// Whether a file is CUDA C, OpenCL C, or a program in C.
pub fn is_cuda_c(name: &str) -> bool {
    is_cuda_c_file(Path::new(name)) || is_source(name)
}

fn none(_: &str, _: &str, _: bool) -> Option<Included> {
    None
}

fn options(target: Target, level: u32) -> Options {
    Options { opt_level: level, ..Options::of(target) }
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

/// Checks a text while it is typed: a program with its host code, or kernels for a launch file.
pub fn check(file: &NamedText, is_program: bool, chip: &Chip, level: u32) -> Checked {
    let target = Target::of_chip(chip.capability, chip.features);
    let options = options(target, level).of_file(Path::new(&file.name), target);
    let (diagnostics, sources, drawn, device) = if is_program {
        let unit = cuda::Unit::new(&file.name, &file.text, &none, &options);
        let made = cuda::compile_program(&[unit], target);
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
        let mark = Marked::of(one, &sources[usize::from(!is_host)], &file.text);
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
