//! Launch files: the launch parameters of a kernel in any PTX file, its data, and its expected
//! results.
//!
//! `schema` has the fields of the file, each in one row from which its reader and its documentation
//! follow, with `forms` for values that only launch files have; `read` has the rules over several
//! fields of an entry, `bind` checks it against the compiled module, `init`
//! makes the contents of buffers and symbols, `expect` makes the expected contents and compares,
//! `kernel` finds the kernel and its arguments by name, `edit` changes values in the text, `device`
//! runs the launch, `streams` the calls of a list,
//! `ready` a launch that a command runs itself. All errors are collected and reported together,
//! before anything runs. `docs/LAUNCH.md` describes the format.

mod argument;
mod bind;
pub mod codes;
mod device;
mod edit;
mod expect;
mod forms;
mod init;
mod kernel;
#[cfg(test)]
mod mutants;
mod read;
mod ready;
mod recorded;
mod schema;
mod streams;
mod structure;
mod value;

pub use argument::Argument;
pub use device::{Device, run, watchdog_cycles};
pub use edit::{edit, has_path, random_seeds};
pub use expect::{Comparison, Expected};
pub use forms::Extent;
pub use kernel::{c_name, kernel};
pub use ready::{Area, Ready};
pub use recorded::{Recorded, recorded};
pub use schema::{DataName, Dump, LaunchFile};
pub use structure::{is_structure, placeholder};
pub use value::{TYPES, decode};

use crate::access::{self, Refusal};
use crate::text::shown;
use isa::diag::{Diagnostic, render_all};
use isa::span::{Span, Spanned};
use isa::types::ScalarType;
use isa::uop::Module;
use std::path::{Path, PathBuf};

/// An array of typed elements, as bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// Element type.
    pub ty: ScalarType,
    /// Bytes of whole elements.
    pub bytes: Vec<u8>,
}

/// Returns the errors that a launch file has without a module; empty if there are none.
pub fn complaints(path: &Path, text: &str) -> String {
    render_all(&diagnostics(text), &shown(path), text)
}

/// Returns the diagnostics of a launch file without a module.
pub fn diagnostics(text: &str) -> Vec<Diagnostic> {
    read::read(text).1
}

/// Returns the input files that a launch file names; of a file with errors, those that were parsed.
pub fn inputs(path: &Path, text: &str) -> Vec<PathBuf> {
    let folder = folder_of(path);
    read::read(text).0.iter().flat_map(LaunchFile::inputs).map(|input| folder.join(input)).collect()
}

/// Returns the PTX files that a launch file names; of a file with other errors, those that were
/// parsed. The error is the text of the diagnostics about their paths.
pub fn linked(path: &Path, text: &str) -> Result<Vec<PathBuf>, String> {
    let folder = folder_of(path);
    let (mut files, mut diagnostics) = (Vec::new(), Vec::new());
    for Spanned { value, span } in read::read(text).0.iter().flat_map(|file| &file.ptx) {
        match access::named(folder, value) {
            Ok(_) => files.push(folder.join(value)),
            Err(why) => diagnostics.push(refused("read", &folder.join(value), &why, *span)),
        }
    }
    if diagnostics.is_empty() { Ok(files) } else { Err(render_all(&diagnostics, &shown(path), text)) }
}

/// Returns the folder to which the paths in a launch file are relative.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Returns the diagnostic for a path of a launch file; `verb` is the action that failed.
fn refused(verb: &str, path: &Path, why: &Refusal, span: Span) -> Diagnostic {
    let message = format!("cannot {verb} {}: {why}", shown(path));
    match why {
        Refusal::Outside => Diagnostic::error(codes::OUTSIDE, span, message)
            .label("outside the permitted folders")
            .help(access::ADVICE),
        Refusal::Special | Refusal::Io(_) => Diagnostic::error(codes::FILE, span, message).label("this file"),
    }
}

/// Reports dumps outside the permitted folders. Other errors are reported when a file is opened.
fn check_dumps(file: &LaunchFile, folder: &Path, diagnostics: &mut Vec<Diagnostic>) {
    for Dump { to, .. } in &file.dumps {
        match access::named(folder, &to.value) {
            Ok(_) | Err(Refusal::Io(_)) => {}
            Err(why) => diagnostics.push(refused("write", &folder.join(&to.value), &why, to.span)),
        }
    }
}

/// A launch with all its data.
#[derive(Debug)]
pub struct Plan {
    /// The launch file.
    pub file: LaunchFile,
    /// Initial contents of each buffer, in the file's order.
    pub buffers: Vec<Data>,
    /// Initial contents of each symbol that the file initializes, in the file's order.
    pub symbols: Vec<Data>,
    /// Expected results, in the file's order.
    pub expected: Vec<Expected>,
}

impl Plan {
    /// Reads and checks a launch file for `module`, and makes all its data. The buffers may have
    /// `memory` bytes together. The error is the text of the diagnostics.
    pub fn read(path: &Path, text: &str, module: &Module, memory: u64) -> Result<Self, String> {
        Self::check(path, text, module, memory)
            .map_err(|diagnostics| render_all(&diagnostics, &shown(path), text))
    }

    /// As [`Self::read`]; the error is the diagnostics.
    pub fn check(path: &Path, text: &str, module: &Module, memory: u64) -> Result<Self, Vec<Diagnostic>> {
        let (file, mut diagnostics) = read::read(text);
        let Some(file) = file else { return Err(diagnostics) };
        let folder = folder_of(path);
        check_dumps(&file, folder, &mut diagnostics);
        let bound = bind::bind(&file, module, &mut diagnostics);
        let (buffers, symbols) = init::make_all(&file, &bound, folder, memory, &mut diagnostics);
        streams::check(&file, &buffers, &mut diagnostics);
        let expected = expect::make_all(&file, &bound, &buffers, &symbols, folder, &mut diagnostics);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(diagnostics);
        }
        let unwrap = |data: Vec<Option<Data>>| data.into_iter().flatten().collect();
        Ok(Self { file, buffers: unwrap(buffers), symbols: unwrap(symbols), expected })
    }
}
