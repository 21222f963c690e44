//! Launch files: how to launch a kernel of any PTX file, with what data, and what should come of it.
//!
//! `read` makes a `schema` of the RON text, `bind` holds it against the compiled module, `init` makes the bytes of buffers and
//! symbols, `expect` makes the expected bytes and compares. All complaints are collected and told at once; they are
//! all told before anything runs. `docs/LAUNCH.md` describes the format.

mod bind;
pub mod codes;
mod expect;
mod formula;
mod init;
mod read;
mod schema;
mod value;

#[cfg(test)]
pub use value::TYPES;
#[cfg(test)]
pub const FUNCTIONS: [(&str, formula::Function, usize); 5] = formula::Function::TABLE;
pub use expect::{Comparison, Expected};
pub use schema::{Argument, LaunchFile, Place};

use isa::diag::{Diagnostic, render_all};
use isa::span::Span;
use isa::types::ScalarType;
use isa::uop::Module;
use std::path::Path;

/// A value with its place in the launch file.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub span: Span,
}

/// An array of typed elements, as bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// Element type.
    pub ty: ScalarType,
    /// Whole elements.
    pub bytes: Vec<u8>,
}

/// What is wrong with a launch file as far as that can be said without a module; empty if nothing is.
pub fn complaints(path: &Path, text: &str) -> String {
    render_all(&read::read(text).1, &path.display().to_string(), text)
}

/// A launch with all its data at hand.
#[derive(Debug)]
pub struct Plan {
    /// What the file says.
    pub file: LaunchFile,
    /// Initial contents of each buffer, in the file's order.
    pub buffers: Vec<Data>,
    /// Initial contents of each symbol that the file gives values for, in the file's order.
    pub symbols: Vec<Data>,
    /// What the results should be, in the file's order.
    pub expected: Vec<Expected>,
}

impl Plan {
    /// Reads and checks a launch file for `module`, and makes all its data. The buffers may hold `memory` bytes
    /// together. On failure the diagnostics come drawn.
    pub fn read(path: &Path, text: &str, module: &Module, memory: u64) -> Result<Self, String> {
        let name = path.display().to_string();
        let drawn = |diagnostics: Vec<Diagnostic>| render_all(&diagnostics, &name, text);
        let (file, mut diagnostics) = read::read(text);
        let Some(file) = file else { return Err(drawn(diagnostics)) };
        let folder = path.parent().unwrap_or(Path::new(""));
        let bound = bind::bind(&file, module, &mut diagnostics);
        let (buffers, symbols) = init::make_all(&file, &bound, folder, memory, &mut diagnostics);
        let expected = expect::make_all(&file, &bound, &buffers, &symbols, folder, &mut diagnostics);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(drawn(diagnostics));
        }
        let unwrap = |data: Vec<Option<Data>>| data.into_iter().flatten().collect();
        Ok(Self { file, buffers: unwrap(buffers), symbols: unwrap(symbols), expected })
    }
}
