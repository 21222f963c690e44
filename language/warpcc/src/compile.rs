//! Compiles one file: the device side to PTX, the host side to an object file that contains the
//! PTX.

use crate::args::Request;
use crate::blanks;
use crate::clang::Clang;
use crate::command::{Line, Mode};
use crate::error::Failure;
use crate::input::Kind;
use crate::maxnreg;
use crate::options::Stop;
use std::fs;
use std::path::{Path, PathBuf};

/// Parts of the installation, and the folder for intermediate files.
#[derive(Debug)]
pub struct Tools<'a> {
    /// The compiler.
    pub clang: Clang,
    /// Folder of the headers.
    pub headers: PathBuf,
    /// A folder that is removed at the end.
    pub scratch: &'a Path,
    /// Whether commands are run or printed.
    pub mode: Mode,
}

/// Errors of clang that are warnings or nothing for nvcc with its host compiler, and warnings about
/// the style of old programs.
const LENIENT: &[&str] = &[
    "-Wno-unknown-warning-option",
    "-Wno-unused-command-line-argument",
    "-Wno-unknown-cuda-version",
    "-Wno-c++11-narrowing",
    "-Wno-deprecated-register",
    "-Wno-dynamic-exception-spec",
    "-Wno-invalid-constexpr",
    "-Wno-register",
    "-Wno-reserved-user-defined-literal",
    "-Wno-vla-cxx-extension",
    "-Wno-writable-strings",
];

/// The same for C.
const LENIENT_C: &[&str] = &[
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=int-conversion",
];

/// Old programs have functions without a return, which clang otherwise compiles to a trap, read
/// values through pointers of other types, and compare `this` with null.
const TOLERANT: &[&str] = &["-fno-strict-return", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks"];

/// A source file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its path.
    pub path: &'a Path,
    /// Its kind, not [`Kind::Object`].
    pub kind: Kind,
    /// Overlay of the file system with changed copies of files.
    overlay: Option<&'a Path>,
}

impl<'a> Source<'a> {
    /// Creates a source file.
    pub fn new(path: &'a Path, kind: Kind) -> Self {
        Self { path, kind, overlay: None }
    }
}

/// Returns the overlay that a source file needs, if any. Its files are in a new folder in the
/// scratch folder.
pub fn overlay(
    tools: &Tools,
    request: &Request,
    source: &Source,
    number: usize,
) -> Result<Option<PathBuf>, Failure> {
    if source.kind != Kind::Cuda {
        return Ok(None);
    }
    let folder = tools.scratch.join(format!("overlay-{number}"));
    fs::create_dir_all(&folder).map_err(|error| Failure::file("create", &folder, &error))?;
    let searched = request.preprocessor.iter().filter_map(|option| option.strip_prefix("-I"));
    let searched: Vec<&Path> = searched.map(Path::new).collect();
    blanks::overlay(source.path, &searched, &folder)
}

impl<'a> Source<'a> {
    /// Sets the overlay.
    #[must_use]
    pub fn with_overlay(self, overlay: Option<&'a Path>) -> Self {
        Self { overlay, ..self }
    }
}

/// Compiles the device side to PTX.
pub fn device(tools: &Tools, request: &Request, source: &Source, ptx: &Path) -> Result<(), Failure> {
    let arithmetic = request.arithmetic;
    let mut line = common(tools, request, source);
    // The host side reports the warnings. The device code is always optimized: a texture handle
    // must be a constant.
    line = line.args(["--cuda-device-only", "-S", "-w", "-O3", "-gline-tables-only"]);
    // A store that a thread makes before it returns stays there. Joined with a store behind a
    // barrier, it would make a return before the barrier a path around it.
    line = line.args(["-mllvm", "-sink-common-insts=false"]);
    // A lane that has its turn in a loop around a lock releases the lock in the loop, as the source
    // says. Behind the loop it would wait for lanes that wait for the lock.
    line = line.args(["-mllvm", "-simplifycfg-max-small-block-size=-1"]);
    if request.relocatable {
        line = line.arg("-fgpu-rdc");
    }
    if arithmetic.fast_functions {
        line = line.arg("-D__USE_FAST_MATH__");
    }
    if arithmetic.flush {
        line = line.args(["-Xclang", "-fdenormal-fp-math-f32=preserve-sign"]);
    }
    if !arithmetic.division {
        // 0: div.approx, as with -use_fast_math; 1: div.full.
        let level = u32::from(!arithmetic.fast_functions);
        line = line.arg("-mllvm").arg(format!("-nvptx-prec-divf32={level}"));
    }
    if !arithmetic.root {
        let flush = if arithmetic.flush { ".ftz" } else { "" };
        line = line.arg(format!("-DWARPCC_APPROXIMATE_SQRT=\"sqrt.approx{flush}.f32\""));
    }
    if !arithmetic.fused {
        line = line.arg("-ffp-contract=off");
    }
    let result = line.arg(source.path).arg("-o").arg(ptx).run(tools.mode);
    if result.is_err() && request.architecture >= 30 && request.device_arch == "sm_20" {
        eprintln!(
            "warpcc: note: device code is compiled for sm_20, although -arch names sm_{}. Functions \
             of later architectures need --device-arch sm_30 and a chip that has them.",
            request.architecture
        );
    }
    result?;
    if let (Some(registers), true) = (request.registers, tools.mode != Mode::Dry) {
        let limited = maxnreg::limit(&read(ptx)?, registers);
        fs::write(ptx, limited).map_err(|error| Failure::file("write", ptx, &error))?;
    }
    Ok(())
}

/// Compiles the host side to an object file. `ptx` is the device side of a CUDA file.
pub fn host(
    tools: &Tools,
    request: &Request,
    source: &Source,
    ptx: Option<&Path>,
    object: &Path,
) -> Result<(), Failure> {
    let mut line = host_line(tools, request, source).arg("-c");
    if let Some(ptx) = ptx {
        let binary = tools.scratch.join("device.bin");
        if tools.mode != Mode::Dry {
            // The library reads the text up to the NUL.
            let text = read(ptx)? + "\0";
            fs::write(&binary, text).map_err(|error| Failure::file("write", &binary, &error))?;
        }
        line = line.args(["-Xclang", "-fcuda-include-gpubinary", "-Xclang"]).arg(&binary);
    }
    line.arg(source.path).arg("-o").arg(object).run(tools.mode)
}

/// Runs the preprocessor with `action`: `-E`, `-M` or `-MM`. Without `output`, to standard output.
pub fn preprocess(
    tools: &Tools,
    request: &Request,
    source: &Source,
    action: &str,
    output: Option<&Path>,
) -> Result<(), Failure> {
    let mut line = host_line(tools, request, source).arg(action).arg(source.path);
    if let Some(output) = output {
        line = line.arg("-o").arg(output);
    }
    line.run(tools.mode)
}

/// Reads a PTX text.
pub fn read(ptx: &Path) -> Result<String, Failure> {
    fs::read_to_string(ptx).map_err(|error| Failure::file("read", ptx, &error))
}

/// The command for the host side, without its action.
fn host_line(tools: &Tools, request: &Request, source: &Source) -> Line {
    let mut line = common(tools, request, source);
    if source.kind == Kind::Cuda {
        line = line.arg("--cuda-host-only");
        if request.relocatable {
            line = line.arg("-DWARPCC_RELOCATABLE");
        }
    }
    // Without -O, nvcc's host compiler does not use that signed sums cannot overflow.
    line = line.arg("-fwrapv");
    if request.stop == Stop::Shared {
        line = line.arg("-fPIC");
    }
    let level = request.optimize.as_deref().unwrap_or("2");
    line.arg(format!("-O{level}")).args(&request.host)
}

/// The options of both sides.
fn common(tools: &Tools, request: &Request, source: &Source) -> Line {
    let mut line = Line::new(&tools.clang.path);
    match source.kind {
        Kind::Cuda => {
            line = line.args(["-x", "cuda", "-nocudainc", "-nocudalib", "--no-cuda-version-check"]);
            line = line.arg(format!("--cuda-gpu-arch={}", request.device_arch));
            // An installed toolkit must not change anything.
            line = line.arg(format!("--cuda-path={}", tools.headers.display()));
            line = line.arg("-D__NVCC__").args(LENIENT);
        }
        Kind::Cxx => line = line.args(["-x", "c++"]).args(LENIENT),
        Kind::C | Kind::Object => line = line.args(["-x", "c"]).args(LENIENT_C),
    }
    line = line.args(standard(request.standard.as_deref(), source.kind)).args(TOLERANT);
    if let Some(overlay) = source.overlay {
        line = line.arg("-ivfsoverlay").arg(overlay);
    }
    line = line.args(&request.preprocessor).arg("-isystem").arg(&tools.headers);
    // `../common/book.h` of a textbook is found below the headers too.
    line = line.arg("-isystem").arg(tools.headers.join("common"));
    if source.kind == Kind::Cuda {
        line = line.arg("-include").arg(tools.headers.join("cuda_runtime.h"));
    }
    line
}

/// Returns the option of the language standard. The variants with GNU extensions accept the same
/// programs and more.
fn standard(given: Option<&str>, kind: Kind) -> Option<String> {
    let name = match (given, kind) {
        (Some("c++03"), Kind::Cuda | Kind::Cxx) => "gnu++98".to_owned(),
        (Some(given), Kind::Cuda | Kind::Cxx) if given.contains("++") => given.replace("c++", "gnu++"),
        (_, Kind::Cuda | Kind::Cxx) => "gnu++17".to_owned(),
        (Some(given), _) if !given.contains("++") => {
            given.replacen('c', "gnu", usize::from(given.starts_with('c')))
        }
        _ => return None,
    };
    Some(format!("-std={}", name.replace("gnugnu", "gnu")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standards_have_gnu_extensions_and_belong_to_their_language() {
        let of = |given, kind| standard(given, kind).unwrap_or_default();
        assert_eq!(of(None, Kind::Cuda), "-std=gnu++17");
        assert_eq!(of(Some("c++11"), Kind::Cuda), "-std=gnu++11");
        assert_eq!(of(Some("gnu++14"), Kind::Cxx), "-std=gnu++14");
        assert_eq!(of(Some("c++03"), Kind::Cuda), "-std=gnu++98");
        assert_eq!(of(Some("c++11"), Kind::C), "");
        assert_eq!(of(Some("c99"), Kind::C), "-std=gnu99");
        assert_eq!(of(Some("gnu99"), Kind::C), "-std=gnu99");
        assert_eq!(of(Some("c99"), Kind::Cxx), "-std=gnu++17");
    }
}
