//! Links object files with the library of the runtime API.

use crate::args::{Item, Request, Stop};
use crate::command::{Line, Mode};
use crate::compile::Tools;
use crate::error::Failure;
use crate::library;
use std::fs;
use std::path::{Path, PathBuf};

/// Libraries of CUDA that the library of the runtime API or the headers replace.
const REPLACED: &[&str] = &["cudart", "cudart_static", "cuda", "cudadevrt", "culibos"];

/// Beginnings of the names of libraries whose functions are in the headers, or are not provided.
const DROPPED: &[(&str, &str)] = &[
    ("cutil", "its functions are in the headers"),
    ("shrutil", "its functions are in the headers"),
    ("gomp", "omp.h is serial"),
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
            Item::File(_) => line = line.args(files.next()),
            Item::Option(option) if left_out(option).is_some() => {}
            Item::Option(option) => line = line.arg(option),
        }
    }
    line = line.arg("-L").arg(&folder).arg(format!("-l{}", library::NAME));
    line = line.arg(format!("-Wl,-rpath,{}", folder.display())).args(["-lm", "-lpthread"]);
    if cfg!(target_os = "linux") {
        line = line.args(["-ldl", "-lrt"]);
    }
    line.arg("-Wno-unused-command-line-argument").arg("-o").arg(output).run(tools.mode)
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
