//! Writes a folder that Makefiles, `CMake` and other build systems accept as a CUDA toolkit.

use crate::error::Failure;
use crate::{headers, library};
use std::fs;
use std::path::Path;

/// File with the version of a toolkit, and its text.
const VERSION_FILE: &str = "version.txt";
const VERSION: &str = "CUDA Version 8.0.0\nwarpsim: written by warpcc --toolkit\n";

/// Names in `lib64` of the shared library, which has both APIs. All of them are links to one file,
/// so that a program that is linked with several loads it once.
const NAMES: [&str; 6] = [
    "libcudart.so",
    "libcudart.so.8.0",
    "libcuda.so",
    "libcuda.so.1",
    "stubs/libcuda.so",
    "libwarpsim_cuda.so",
];

/// Name of the static library of the runtime API. It is a script for the linker that names the
/// shared library: a program that is linked with `-lcuda` too would have two libraries otherwise.
const STATIC: &str = "libcudart_static.a";

/// Writes the folder, or writes it again: `bin/nvcc`, `include`, `lib64` and the version.
///
/// # Errors
///
/// The folder has other files, the library is missing, or a file cannot be written.
pub fn write(folder: &Path, chosen: Option<&Path>) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        return Err(Failure::Usage(
            "--toolkit needs Linux: its libraries have the names of Linux".to_owned(),
        ));
    }
    let library = library::folder(chosen)?;
    let own = fs::read_to_string(folder.join(VERSION_FILE)).is_ok_and(|text| text == VERSION);
    let empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !own && !empty {
        return Err(Failure::Usage(format!("--toolkit: {} is not empty", folder.display())));
    }
    if own {
        for part in ["bin", "include", "lib64"] {
            let part = folder.join(part);
            remove(&part).map_err(|error| Failure::file("replace", &part, &error))?;
        }
    }
    for part in ["bin", "include", "lib64/stubs"] {
        let part = folder.join(part);
        fs::create_dir_all(&part).map_err(|error| Failure::file("create", &part, &error))?;
    }
    headers::write(&folder.join("include"))?;
    let shared = library.join(NAMES[5]);
    for name in NAMES {
        link(&shared, &folder.join("lib64").join(name))?;
    }
    let text = format!("INPUT(\"{}\")\n", shared.display());
    put(&folder.join("lib64").join(STATIC), &text)?;
    // Device code is linked when a program starts: this library has nothing.
    put(&folder.join("lib64/libcudadevrt.a"), "!<arch>\n")?;
    if !folder.join("lib").exists() {
        link(Path::new("lib64"), &folder.join("lib"))?;
    }
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let program = program.map_err(|error| Failure::file("find", Path::new("warpcc"), &error))?;
    let nvcc = folder.join("bin/nvcc");
    put(&nvcc, &script(&program, &library)?)?;
    make_executable(&nvcc)?;
    put(&folder.join(VERSION_FILE), VERSION)
}

/// Removes a folder, if it exists.
fn remove(folder: &Path) -> std::io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns the shell script `nvcc`: warpcc with the library of the folder.
fn script(program: &Path, library: &Path) -> Result<String, Failure> {
    let quoted = |path: &Path| {
        let text = path.to_str().and_then(|text| shlex::try_quote(text).ok());
        let text = text.map(std::borrow::Cow::into_owned);
        text.ok_or_else(|| Failure::Usage(format!("--toolkit: {} is not a usable path", path.display())))
    };
    let (program, library) = (quoted(program)?, quoted(library)?);
    Ok(format!(
        "#!/bin/sh\nif [ -z \"$WARPSIM_LIB\" ]; then\n    WARPSIM_LIB={library}\n    export WARPSIM_LIB\nfi\nexec \
         {program} \"$@\"\n"
    ))
}

fn put(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::file("write", path, &error))
}

#[cfg(unix)]
fn link(target: &Path, path: &Path) -> Result<(), Failure> {
    std::os::unix::fs::symlink(target, path).map_err(|error| Failure::file("create", path, &error))
}

#[cfg(not(unix))]
fn link(_: &Path, path: &Path) -> Result<(), Failure> {
    Err(Failure::Usage(format!("{}: this system has no symbolic links", path.display())))
}

fn make_executable(path: &Path) -> Result<(), Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(path, mode).map_err(|error| Failure::file("change", path, &error))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
