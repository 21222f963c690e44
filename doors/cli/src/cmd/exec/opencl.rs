//! The vendor library of OpenCL: the loaders of the system find it.

use crate::exit::Failure;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names of the library on the systems.
const NAMES: [&str; 3] = ["libwarpsim_opencl.so", "libwarpsim_opencl.dylib", "warpsim_opencl.dll"];

/// Returns the library in `WARPSIM_LIB`, or beside this program as `libwarpsim_cuda` is.
fn library() -> Option<PathBuf> {
    let chosen = std::env::var_os("WARPSIM_LIB").filter(|value| !value.is_empty()).map(PathBuf::from);
    let folders = if let Some(folder) = chosen {
        vec![folder]
    } else {
        let program = std::env::current_exe().and_then(|program| program.canonicalize()).ok()?;
        let folder = program.parent()?.to_owned();
        let above = folder.parent().map(|above| above.join("lib"));
        let deps = folder.join("deps");
        [Some(folder), above, Some(deps)].into_iter().flatten().collect()
    };
    let files = folders.iter().flat_map(|folder| NAMES.iter().map(|name| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

/// The variables that name the library to both loaders: the one of Debian reads the file in the
/// folder, the one of Khronos both. None if the library is missing: CUDA programs do not need it.
pub fn variables(folder: &Path) -> Result<Vec<(&'static str, OsString)>, Failure> {
    let Some(library) = library() else { return Ok(Vec::new()) };
    let vendors = folder.join("vendors");
    let file = vendors.join("warpsim.icd");
    let text = library.display().to_string() + "\n";
    std::fs::create_dir(&vendors)
        .and_then(|()| std::fs::write(&file, text))
        .map_err(|why| Failure::input(format!("error: cannot write {}: {why}", file.display())))?;
    // Both loaders join the folder and the name of a file without a separator in some versions.
    let mut folder = vendors.into_os_string();
    folder.push("/");
    Ok(vec![("OCL_ICD_VENDORS", folder), ("OCL_ICD_FILENAMES", library.into_os_string())])
}
