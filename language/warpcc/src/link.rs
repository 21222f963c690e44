//! Links object files with the library of the runtime API.

use crate::args::{Item, Request};
use crate::command::{Line, Mode};
use crate::compile::Tools;
use crate::error::Failure;
use crate::library;
use crate::options::Stop;
use std::fs;
use std::path::{Path, PathBuf};

/// Libraries of CUDA that the library of the runtime API or the headers replace.
const REPLACED: &[&str] = &["cudart", "cudart_static", "cuda", "cudadevrt", "culibos"];

/// Beginnings of the names of libraries whose functions are in the headers, or are not provided.
const DROPPED: &[(&str, &str)] = &[
    ("cutil", "its functions are in the headers"),
    ("shrutil", "its functions are in the headers"),
    ("gomp", "omp.h is serial"),
    ("omp", "omp.h is serial"),
    ("iomp5", "omp.h is serial"),
    ("cublas", "not provided"),
    ("cufft", "not provided"),
    ("curand", "not provided"),
    ("cusparse", "not provided"),
    ("cusolver", "not provided"),
    ("npp", "not provided"),
    ("nvToolsExt", "its functions are in the headers"),
];

/// Returns why a library is left out: an empty text if there is nothing to say.
pub fn left_out(option: &str) -> Option<&'static str> {
    let name = option.strip_prefix("-l")?;
    if REPLACED.contains(&name) {
        return Some("");
    }
    DROPPED.iter().find(|(start, _)| name.starts_with(start)).map(|(_, reason)| *reason)
}

/// Links the objects to a program or a shared library. `objects` has a file for each input file.
pub fn link(tools: &Tools, request: &Request, objects: &[PathBuf], output: &Path) -> Result<(), Failure> {
    let folder = match library::folder(request.library.as_deref()) {
        Err(_) if tools.mode == Mode::Dry => PathBuf::from("."),
        folder => folder?,
    };
    let mut line = Line::new(&tools.clang.path).arg("--driver-mode=g++").args(&request.host);
    if request.stop == Stop::Shared {
        line = line.arg("-shared");
    }
    let mut files = objects.iter();
    for item in &request.items {
        match item {
            Item::File(_) => line = files.next().map_or(line.clone(), |file| with_file(line, file)),
            Item::Option(option) if left_out(option).is_some() => {}
            Item::Option(option) => line = with_option(line, option, &request.items),
        }
    }
    if request.openmp && has_openmp(tools) {
        line = line.arg(OPENMP);
    }
    line = line.arg("-L").arg(&folder).arg(format!("-l{}", library::NAME));
    line = line.arg(format!("-Wl,-rpath,{}", folder.display())).args(["-lm", "-lpthread"]);
    if cfg!(target_os = "linux") {
        line = line.args(["-ldl", "-lrt"]);
    }
    line.arg("-Wno-unused-command-line-argument").arg("-o").arg(output).run(tools.mode)
}

/// Adds an input file. All members of a static library with relocatable device code are linked: the
/// host code of a program does not name the device functions that it needs.
fn with_file(line: Line, file: &Path) -> Line {
    let archive = file.extension().is_some_and(|extension| extension == "a");
    if !archive || !fs::read(file).is_ok_and(|bytes| contains(&bytes, RELOCATABLE)) {
        return line.arg(file);
    }
    if cfg!(target_os = "macos") {
        return line.arg(format!("-Wl,-force_load,{}", file.display()));
    }
    line.arg("-Wl,--whole-archive").arg(file).arg("-Wl,--no-whole-archive")
}

/// Adds an option: `-lNAME` as the file of the static library if the linker would find this file.
fn with_option(line: Line, option: &str, items: &[Item]) -> Line {
    let Some(name) = option.strip_prefix("-l") else { return line.arg(option) };
    let folders = items.iter().filter_map(|item| match item {
        Item::Option(option) => option.strip_prefix("-L").map(Path::new),
        Item::File(_) => None,
    });
    for folder in folders {
        let shared = ["so", "dylib"].iter().any(|end| folder.join(format!("lib{name}.{end}")).is_file());
        let file = folder.join(format!("lib{name}.a"));
        match (shared, file.is_file()) {
            (true, _) => break,
            (false, true) => return with_file(line, &file),
            (false, false) => {}
        }
    }
    line.arg(option)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// A symbol of each object file with relocatable device code, as in `cuda_runtime.h`.
const RELOCATABLE: &[u8] = b"warpcc_registers_this_file";

/// The library for functions of OpenMP that a program declares itself or not at all, or that
/// objects of another compiler call.
const OPENMP: &str = "-lgomp";

/// Whether clang finds this library.
fn has_openmp(tools: &Tools) -> bool {
    let output = std::process::Command::new(&tools.clang.path).arg("-print-file-name=libgomp.so").output();
    // clang answers with the bare name if there is no such file.
    output.is_ok_and(|output| output.stdout.contains(&b'/'))
}

/// Makes a static library.
pub fn archive(tools: &Tools, objects: &[PathBuf], output: &Path) -> Result<(), Failure> {
    if tools.mode != Mode::Dry && output.exists() {
        fs::remove_file(output).map_err(|error| Failure::file("replace", output, &error))?;
    }
    Line::new("ar").arg("rcs").arg(output).args(objects).run(tools.mode)
}

/// Writes an object file without contents: the result of nvcc's step that links device code.
pub fn empty_object(tools: &Tools, output: &Path) -> Result<(), Failure> {
    let source = tools.scratch.join("empty.c");
    fs::write(&source, "").map_err(|error| Failure::file("write", &source, &error))?;
    Line::new(&tools.clang.path).args(["-x", "c", "-c"]).arg(&source).arg("-o").arg(output).run(tools.mode)
}

#[cfg(test)]
mod tests {
    use super::left_out;

    #[test]
    fn libraries_of_cuda_are_left_out() {
        assert_eq!(left_out("-lcudart"), Some(""));
        assert_eq!(left_out("-lcutil_x86_64"), Some("its functions are in the headers"));
        assert_eq!(left_out("-lcublas"), Some("not provided"));
        assert_eq!(left_out("-lm"), None);
        assert_eq!(left_out("-L/usr/lib"), None);
    }
}
