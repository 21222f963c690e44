//! The steps of a run: compiles each file, then links.

use crate::args::{self, Item, Question, Request};
use crate::clang;
use crate::command::Mode;
use crate::compile::{self, Source, Tools};
use crate::error::Failure;
use crate::headers;
use crate::input::{self, Kind};
use crate::link;
use crate::options::Stop;
use crate::resources;
use crate::toolkit;
use crate::usage;
use std::fs;
use std::path::{Path, PathBuf};

/// Runs the driver with the arguments after the name of the program.
pub fn run(arguments: Vec<String>) -> Result<(), Failure> {
    run_in(&std::env::temp_dir(), arguments, Mode::Run)
}

/// Runs the driver, whose temporary files are below a folder. `mode` is what happens to commands if
/// the arguments do not say it.
pub fn run_in(temporary: &Path, arguments: Vec<String>, mode: Mode) -> Result<(), Failure> {
    let request = args::parse(arguments)?;
    match request.question {
        Some(Question::Help) => print!("{}", usage::HELP),
        Some(Question::Version) => {
            // Makefiles search for the release of nvcc.
            println!("warpcc: CUDA C for warpsim {}", env!("CARGO_PKG_VERSION"));
            println!("Cuda compilation tools, release 8.0, V8.0.0");
        }
        Some(Question::Headers) => println!("{}", headers::folder()?.display()),
        None => match &request.toolkit {
            Some(folder) => toolkit::write(folder, request.library.as_deref())?,
            None => build(temporary, &request, mode)?,
        },
    }
    Ok(())
}

fn build(temporary: &Path, request: &Request, mode: Mode) -> Result<(), Failure> {
    if request.files().next().is_none() {
        return Err(Failure::Usage("no input file; see warpcc --help".to_owned()));
    }
    check_output(request)?;
    let kinds = request.files().map(|path| input::kind(path, request.language.as_deref()));
    let kinds = kinds.collect::<Result<Vec<Kind>, Failure>>()?;
    if mode != Mode::Quiet {
        note(request);
    }
    let scratch = tempfile::Builder::new().prefix("warpcc-").tempdir_in(temporary);
    let scratch = scratch.map_err(|error| Failure::file("create a folder in", temporary, &error))?;
    let mode = match (request.dry, request.verbose) {
        (true, _) => Mode::Dry,
        (false, true) => Mode::Verbose,
        (false, false) => mode,
    };
    let clang = clang::find(request.clang.as_deref())?;
    let tools = Tools { clang, headers: headers::folder()?, scratch: scratch.path(), mode };
    if let Some(folder) = &request.keep {
        fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))?;
    }
    let mut objects = Vec::new();
    for (number, (path, kind)) in request.files().zip(kinds).enumerate() {
        objects.extend(file(&tools, request, (path, kind), number)?);
    }
    let output = |name: &str| request.output.clone().unwrap_or_else(|| in_folder(request, name));
    match request.stop {
        Stop::Program | Stop::Shared => link::link(&tools, request, &objects, &output("a.out")),
        Stop::Archive => link::archive(&tools, &objects, &output("a.a")),
        Stop::DeviceLink => link::empty_object(&tools, &output("a_dlink.o")),
        _ => Ok(()),
    }
}

/// Whether each input file has a result, rather than all together.
fn one_for_each(stop: Stop) -> bool {
    !matches!(stop, Stop::Program | Stop::Shared | Stop::Archive | Stop::DeviceLink)
}

fn check_output(request: &Request) -> Result<(), Failure> {
    if one_for_each(request.stop) && request.output.is_some() && request.files().nth(1).is_some() {
        let text = "-o names one result, but each of the input files has a result; use -odir DIR";
        return Err(Failure::Usage(text.to_owned()));
    }
    for path in request.files() {
        if !path.is_file() {
            return Err(Failure::Usage(format!("{}: no such file", path.display())));
        }
    }
    Ok(())
}

/// Prints the options without an effect, in one line.
fn note(request: &Request) {
    let mut ignored = request.ignored.clone();
    if matches!(request.stop, Stop::Program | Stop::Shared) {
        for item in &request.items {
            let Item::Option(option) = item else { continue };
            if let Some(reason) = link::left_out(option).filter(|reason| !reason.is_empty()) {
                ignored.push(format!("{option} ({reason})"));
            }
        }
    }
    if !ignored.is_empty() {
        eprintln!("warpcc: note: ignored: {}", ignored.join(", "));
    }
}

/// Compiles a file as far as the request asks. Returns its object file for the linker.
fn file(
    tools: &Tools,
    request: &Request,
    (path, kind): (&Path, Kind),
    number: usize,
) -> Result<Option<PathBuf>, Failure> {
    if kind == Kind::Object || request.stop == Stop::DeviceLink {
        return Ok(Some(path.to_owned()));
    }
    let source = Source::new(path, kind);
    let overlay = compile::overlay(tools, request, &source, number)?;
    let source = source.with_overlay(overlay.as_deref());
    let named = |extension: &str| request.output.clone().unwrap_or_else(|| result(request, path, extension));
    let kept = |extension: &str| match &request.keep {
        Some(folder) => folder.join(format!("{}.{extension}", stem(path))),
        None => tools.scratch.join(format!("{number}-{}.{extension}", stem(path))),
    };
    match request.stop {
        Stop::Ptx | Stop::Binary(_) => {
            if kind != Kind::Cuda {
                let text = format!("{}: only a CUDA file has device code", path.display());
                return Err(Failure::Usage(text));
            }
            let extension = if let Stop::Binary(extension) = request.stop { extension } else { "ptx" };
            let ptx = named(extension);
            compile::device(tools, request, &source, &ptx)?;
            describe(tools, request, path, &ptx)?;
            Ok(None)
        }
        Stop::Preprocess | Stop::Dependencies(_) => {
            let action = match request.stop {
                Stop::Preprocess => "-E",
                Stop::Dependencies(true) => "-M",
                _ => "-MM",
            };
            compile::preprocess(tools, request, &source, action, request.output.as_deref())?;
            Ok(None)
        }
        _ => {
            let object = if one_for_each(request.stop) { named("o") } else { kept("o") };
            let ptx = (kind == Kind::Cuda).then(|| kept("ptx"));
            if let Some(ptx) = &ptx {
                compile::device(tools, request, &source, ptx)?;
                describe(tools, request, path, ptx)?;
            }
            compile::host(tools, request, &source, ptx.as_deref(), &object)?;
            Ok(Some(object))
        }
    }
}

/// Prints registers and memory of the kernels if the request asks for them.
fn describe(tools: &Tools, request: &Request, path: &Path, ptx: &Path) -> Result<(), Failure> {
    if !request.resources || tools.mode == Mode::Dry {
        return Ok(());
    }
    let name = format!("PTX of {}", path.display());
    match resources::describe(&name, &compile::read(ptx)?, &request.device_arch) {
        Ok(text) => eprint!("{text}"),
        Err(messages) => eprintln!("warpcc: note: no register counts: the PTX is not accepted\n{messages}"),
    }
    Ok(())
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the default name of the result of an input file.
fn result(request: &Request, path: &Path, extension: &str) -> PathBuf {
    in_folder(request, &format!("{}.{extension}", stem(path)))
}

fn in_folder(request: &Request, name: &str) -> PathBuf {
    request.folder.as_ref().map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
}
