//! CUDA C files: the one place that turns a path into PTX text.

use crate::exit::Failure;
use crate::output::{complain, read_text, shown};
use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use isa::ptx::parse::MAX_TEXT;
use sim_core::config::Chip;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Target of the chip that the command line names; PTX of a file is made for it.
static TARGET: OnceLock<Target> = OnceLock::new();

/// The warnings that have been printed.
static PRINTED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Target without a chip: that of the chip that `run` uses by default.
const DEFAULT_TARGET: &str = "sm_13";

/// Notes the chip of the command line. An unknown chip is reported later, by the command.
pub fn select(chip: &str) {
    let known = Chip::builtin(chip).map(|chip| chip.capability);
    let found = known.and_then(|known| {
        let capability = u32::from(known.major) * 10 + u32::from(known.minor);
        let name = if capability > 21 { "sm_21".to_owned() } else { format!("sm_{capability}") };
        Target::from_name(&name)
    });
    if let Some(target) = found {
        // The first chip of the command line counts.
        let _ = TARGET.set(target);
    }
}

/// The target of files that are compiled without `--target`.
pub fn target() -> Target {
    TARGET.get().copied().or_else(|| Target::from_name(DEFAULT_TARGET)).expect("a target of the compiler")
}

/// Compiles a CUDA C file. Warnings go to standard error.
pub fn to_ptx(
    path: &Path,
    target: Target,
    options: &Options,
    folders: &[PathBuf],
) -> Result<String, Failure> {
    let text = read_text(path, MAX_TEXT as u64)?;
    text_to_ptx(path, &text, target, options, folders)
}

/// Compiles the text of a CUDA C file.
pub fn text_to_ptx(
    path: &Path,
    text: &str,
    target: Target,
    options: &Options,
    folders: &[PathBuf],
) -> Result<String, Failure> {
    let name = shown(path);
    let load = |wanted: &str, from: &str, angled: bool| {
        let beside = Path::new(from).parent().filter(|_| !angled).map(Path::to_path_buf);
        let found = beside.into_iter().chain(folders.iter().cloned()).map(|folder| folder.join(wanted));
        let path = found.into_iter().find(|path| path.is_file())?;
        let text = read_text(&path, MAX_TEXT as u64).ok()?;
        Some(Included { name: shown(&path), text })
    };
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
            Ok(ptx)
        }
        None => Err(Failure::input(messages)),
    }
}
