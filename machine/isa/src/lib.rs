//! The instruction set: compiles PTX text to a flat executable [`Program`](uop::Program).
//!
//! The stages:
//!
//! ```text
//! text ─lex─► tokens ─parse─► tree ─resolve─► names ─layout─► addresses ─select─► micro-ops ─optimize─► fewer micro-ops
//!      ─flow─► reconvergence ─slots─► register rows ─finish─► Program
//! ```
//!
//! It must not know a chip, a cycle or the state of a machine, and it does no input or output.

pub mod blocks;
pub mod diag;
pub mod feature;
mod fit;
pub mod generic;
pub mod library;
pub mod listing;
pub mod lower;
pub mod mangled;
pub mod options;
pub mod origin;
mod provided;
pub mod ptx;
pub mod retarget;
pub mod sem;
pub mod source;
pub mod span;
pub mod sreg;
pub mod terms;
pub mod types;
pub mod uop;
pub mod variables;

use diag::Diagnostic;
pub use options::{Compilation, Options};
use source::Source;
use std::sync::Arc;
use uop::Module;

/// Compiles PTX text: lowers every entry of the module to a [`uop::Program`].
///
/// Returns all diagnostics together. The module is `None` exactly when one of them is an error;
/// notes and warnings may accompany a module.
pub fn compile(file_name: &str, text: &str) -> (Option<Module>, Vec<Diagnostic>) {
    compile_with(file_name, text, Options::default())
}

/// Compiles PTX text as [`compile`] does, with the given compiler options. The options change no
/// diagnostic.
pub fn compile_with(file_name: &str, text: &str, options: Options) -> (Option<Module>, Vec<Diagnostic>) {
    compile_source(&Arc::new(Source::new(file_name, text)), options)
}

/// Compiles the PTX texts of one or several files and links them: the module has the entries and
/// variables of all files. Diagnostics and results are as those of [`compile_with`].
pub fn compile_source(source: &Arc<Source>, options: Options) -> (Option<Module>, Vec<Diagnostic>) {
    compile_for(source, Compilation { options, ..Compilation::default() })
}

/// Compiles PTX texts as [`compile_source`] does, with all settings of a compilation.
pub fn compile_for(
    source: &Arc<Source>,
    Compilation { options, header_note, chip }: Compilation,
) -> (Option<Module>, Vec<Diagnostic>) {
    let whole: String;
    let text = &*source.text;
    let (mut trees, mut diagnostics) = (Vec::new(), Vec::new());
    for part in source.ranges() {
        let (tree, found) = ptx::parse::parse_part(&text[..part.end], part.start);
        diagnostics.extend(found);
        trees.push(tree);
    }
    retarget::rewrite_later(&mut trees);
    if let Some(chip) = chip {
        retarget::retarget(&mut trees, chip, &mut diagnostics);
    }
    for tree in &mut trees {
        lower::demote(tree, &mut diagnostics);
    }
    let library = library::used(&trees, &mut diagnostics);
    let mut input = lower::Input { source, whole: text, library: &[] };
    if let Some(library) = &library {
        whole = format!("{text}\n{}", library.text);
        library::append(&mut trees, &whole, text.len(), &library.declared);
        input = lower::Input { whole: &whole, library: &library.declared, ..input };
    }
    let module = lower::lower(&input, trees, options, &mut diagnostics);
    lower::newer_once(&mut diagnostics, header_note);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    (module.filter(|_| !failed), diagnostics)
}

/// Returns the module compiled again for a chip of compute capability `chip` below 2.0, if the
/// module has a newer target that can be [lowered](retarget) to it: otherwise the module as it is.
/// `Err` has the diagnostics of a module that cannot be lowered. Warnings are returned with the
/// module.
pub fn lowered_for(
    module: Module,
    chip: types::Capability,
) -> Result<(Module, Vec<Diagnostic>), Vec<Diagnostic>> {
    let newer = module.entries.first().filter(|program| chip.major < 2 && program.target > chip);
    let Some(program) = newer else { return Ok((module, Vec::new())) };
    let asked = Compilation { options: program.options, header_note: false, chip: Some(chip) };
    match compile_for(&program.ptx, asked) {
        (Some(lowered), warnings) => Ok((lowered, warnings)),
        (None, errors) => Err(errors),
    }
}
