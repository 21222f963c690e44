//! The instruction set: PTX text in, a flat executable [`Program`](uop::Program) out.
//!
//! The road, told once:
//!
//! ```text
//! text ─lex─► tokens ─parse─► tree ─resolve─► names ─layout─► addresses ─select─► micro-ops ─fold─► fewer of them
//!      ─flow─► reconvergence ─slots─► register rows ─finish─► Program
//! ```
//!
//! This crate is true of every machine: it knows no cycle, no machine state, and does no input or
//! output.

pub mod diag;
pub mod generic;
pub mod lower;
pub mod options;
pub mod ptx;
pub mod sem;
pub mod span;
pub mod sreg;
pub mod types;
pub mod uop;

use diag::Diagnostic;
pub use options::Options;
use uop::Module;

/// Compiles PTX text: every entry of the module lowered to a [`uop::Program`].
///
/// All diagnostics come back at once. The module is `None` exactly when one of them is an error;
/// notes and warnings may accompany a module.
pub fn compile(file_name: &str, text: &str) -> (Option<Module>, Vec<Diagnostic>) {
    compile_with(file_name, text, Options::default())
}

/// [`compile`], with as much of the assembler's work as `options` say. They change no diagnostic.
pub fn compile_with(file_name: &str, text: &str, options: Options) -> (Option<Module>, Vec<Diagnostic>) {
    let (tree, mut diagnostics) = ptx::parse::parse(text);
    let module = lower::lower(file_name, text, &tree, options, &mut diagnostics);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    (module.filter(|_| !failed), diagnostics)
}
