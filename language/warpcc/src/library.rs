//! Finds the library with the runtime API: `libwarpsim_cuda`.

use crate::error::Failure;
use std::path::{Path, PathBuf};

/// Names of the shared library on the systems.
const NAMES: [&str; 3] = ["libwarpsim_cuda.so", "libwarpsim_cuda.dylib", "warpsim_cuda.dll"];

/// Name of the library for the linker.
pub const NAME: &str = "warpsim_cuda";

/// Returns the folder of the library: `chosen` (of `--lib=`), `WARPSIM_LIB`, the folder of the
/// program, `../lib` and `deps` beside it.
pub fn folder(chosen: Option<&Path>) -> Result<PathBuf, Failure> {
    let variable = std::env::var_os("WARPSIM_LIB").filter(|value| !value.is_empty()).map(PathBuf::from);
    let folders = match chosen.map(Path::to_owned).or(variable) {
        Some(folder) => vec![folder],
        None => beside_program(),
    };
    for folder in &folders {
        if NAMES.iter().any(|name| folder.join(name).is_file()) {
            return folder.canonicalize().map_err(|error| Failure::file("read", folder, &error));
        }
    }
    let searched: Vec<String> = folders.iter().map(|folder| format!("  {}", folder.display())).collect();
    Err(Failure::Missing(format!(
        "{} is in none of these folders:\n{}\nName its folder with --lib=DIR or WARPSIM_LIB.",
        NAMES[usize::from(cfg!(target_os = "macos"))],
        searched.join("\n")
    )))
}

fn beside_program() -> Vec<PathBuf> {
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let Some(folder) = program.ok().and_then(|program| Some(program.parent()?.to_owned())) else {
        return Vec::new();
    };
    let mut folders = vec![folder.clone()];
    folders.extend(folder.parent().map(|above| above.join("lib")));
    folders.push(folder.join("deps"));
    folders
}
