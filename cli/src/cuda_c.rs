//! CUDA C files: the one place that turns a path into PTX text.

use crate::chip;
use crate::exit::Failure;
use crate::output::{complain, read_text, shown};
use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use isa::ptx::parse::MAX_TEXT;
use sim_core::config::Chip;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Chip that the command line names; PTX of a file is made for it.
static CHIP: OnceLock<String> = OnceLock::new();

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

/// Returns the target of files that are compiled without `--target`.
pub fn target() -> Result<Target, Failure> {
    let name = match CHIP.get() {
        None => DEFAULT_TARGET.to_owned(),
        // `occupancy` takes a compute capability in place of a chip.
        Some(chip) if chip.parse::<f32>().is_ok() => format!("sm_{}", chip.replace('.', "")),
        Some(chip) => {
            let texts = chip::texts(chip)?;
            let (chip, _) =
                Chip::from_texts(&texts, &[]).map_err(|errors| Failure::input(errors.to_string()))?;
            let capability = chip.capability;
            format!("sm_{}{}", capability.major, capability.minor)
        }
    };
    // Later chips run the code of the latest target.
    let [.., latest] = Target::NAMES;
    Ok(Target::from_name(&name).or_else(|| Target::from_name(latest)).expect("a target of the compiler"))
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
