//! CUDA C files: the one place that turns a path into PTX text.

use crate::chip;
use crate::exit::Failure;
use crate::output::{complain, read_source, shown};
use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use isa::ptx::parse::MAX_TEXT;
use isa::types::Capability;
use isa::variables::Variables;
use sim_core::config::Chip;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Chip that the command line names; PTX of a file is made for it.
static CHIP: OnceLock<String> = OnceLock::new();

/// Optimization level of the command line.
static LEVEL: OnceLock<u32> = OnceLock::new();

/// Folders of included files, and macros, of the command line.
static PREPROCESS: OnceLock<(Vec<PathBuf>, Vec<String>)> = OnceLock::new();

/// Whether programs have the lines of their PTX, even if the source files of CUDA C are known.
static PTX_LINES: OnceLock<()> = OnceLock::new();

/// The warnings that have been printed.
static PRINTED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Target for commands without a chip: the latest one whose code runs on chips of all generations
/// but the first.
const DEFAULT_TARGET: &str = "sm_13";

/// Notes the chip of the command line. It is read when a file is compiled, so that other commands
/// do not wait for it.
pub fn select(chip: &str) {
    // The first chip of the command line counts.
    let _ = CHIP.set(chip.to_owned());
}

/// Sets the optimization level of files that are compiled for other commands than `compile`.
pub fn optimize(level: u32) {
    let _ = LEVEL.set(level);
}

/// Sets the folders of included files, and the macros.
pub fn preprocess(folders: Vec<PathBuf>, macros: Vec<String>) {
    let _ = PREPROCESS.set((folders, macros));
}

/// Returns the options of these files.
pub fn options(target: Target) -> Options {
    let usual = Options::of(target);
    let defines = PREPROCESS.get().map_or_else(Vec::new, |(_, macros)| macros.clone());
    Options { opt_level: LEVEL.get().copied().unwrap_or(usual.opt_level), defines, ..usual }
}

/// Keeps the lines of the PTX (`--lines ptx`).
pub fn keep_ptx_lines() {
    let _ = PTX_LINES.set(());
}

/// Whether programs have the lines of their PTX.
pub fn keeps_ptx_lines() -> bool {
    PTX_LINES.get().is_some()
}

/// Returns the target of files that are compiled without `--target`.
pub fn target() -> Result<Target, Failure> {
    CHIP.get()
        .map_or_else(|| Ok(Target::from_name(DEFAULT_TARGET).expect("a target")), |chip| target_of(chip))
}

/// Returns the target of a chip's code.
pub fn target_of(chip: &str) -> Result<Target, Failure> {
    // `occupancy` takes a compute capability in place of a chip.
    if let Some((major, minor)) = chip.split_once('.')
        && let (Ok(major), Ok(minor)) = (major.parse(), minor.parse())
    {
        return Ok(Target::of_capability(Capability::new(major, minor)));
    }
    let texts = chip::texts(chip)?;
    let (chip, _) = Chip::from_texts(&texts, &[]).map_err(|errors| Failure::input(errors.to_string()))?;
    Ok(Target::of_capability(chip.capability))
}

/// Finds a file that a program includes: beside the file in which it is named, or in the folders of
/// the command line.
pub fn load(wanted: &str, from: &str, angled: bool) -> Option<Included> {
    let beside = Path::new(from).parent().filter(|_| !angled);
    let folders = PREPROCESS.get().map_or(&[][..], |(folders, _)| folders);
    let mut found =
        beside.into_iter().chain(folders.iter().map(PathBuf::as_path)).map(|one| one.join(wanted));
    let path = found.find(|path| path.is_file())?;
    let text = read_source(&path, MAX_TEXT as u64).ok()?;
    Some(Included { name: shown(&path), text })
}

/// Compiles a CUDA C file. Returns the PTX and the variables of the program in it. Warnings go to
/// standard error.
pub fn to_ptx(path: &Path, target: Target, options: &Options) -> Result<(String, Variables), Failure> {
    let text = read_source(path, MAX_TEXT as u64)?;
    text_to_ptx(path, &text, target, options)
}

/// Compiles the text of a CUDA C file.
pub fn text_to_ptx(
    path: &Path,
    text: &str,
    target: Target,
    options: &Options,
) -> Result<(String, Variables), Failure> {
    let name = shown(path);
    let compiled = cuda::compile(&name, text, &load, target, options);
    let messages = compiled.messages();
    match compiled.ptx {
        Some(ptx) => {
            // A command may compile a file several times.
            let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
            if !messages.is_empty() && !printed.contains(&messages) {
                complain(&messages);
                printed.push(messages);
            }
            Ok((ptx, compiled.variables))
        }
        None => Err(Failure::input(messages)),
    }
}
