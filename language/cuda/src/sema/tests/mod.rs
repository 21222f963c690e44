//! Tests of the analysis: accepted programs, messages, mangled names and mutated programs.

use crate::diagnostics::{Diagnostics, Severity};
use crate::headers::PRELUDE;
use crate::hir::Program;
use crate::lex::Interner;
use crate::preprocess::{Included, Preprocessor};
use crate::source::Sources;
use crate::syntax::{Keyword, parse};
use crate::target::Target;

/// Analyzes a program for a target. Returns it with the rendered errors and warnings.
fn run(text: &str, target: &str) -> (Program, Vec<String>, Vec<String>) {
    let target = Target::from_name(target).unwrap();
    let mut sources = Sources::default();
    let (mut names, mut out) = (Interner::default(), Diagnostics::default());
    Keyword::register(&mut names);
    let macros = format!("#define __CUDA_ARCH__ {}0\n#define __WARPSIM__ 1\n", target.architecture());
    let mut files = vec![sources.add("<macros>", macros.clone(), true).unwrap()];
    files.extend(PRELUDE.iter().map(|(name, text)| sources.add(name, *text, true).unwrap()));
    let own = sources.add("t.cu", text, false).unwrap();
    let loader = |_: &str, _: &str, _: bool| None::<Included>;
    let mut tokens = Vec::new();
    let mut preprocessor = Preprocessor::new(&mut sources, &mut names, &mut out, &loader);
    for file in files {
        preprocessor.run(file, &mut tokens);
    }
    let start = tokens.len();
    preprocessor.run(own, &mut tokens);
    let library = crate::compile::library(&macros, false, &mut sources, &mut names, &mut out).unwrap();
    tokens.splice(start..start, library);
    let parsed = parse(&tokens, &names, &sources, &mut out, crate::target::Side::Device, &[]);
    let types = crate::hir::Types::new(target);
    let around = super::Around { kernels: None, types, is_part: false, is_cpp20: false };
    let analyzed = super::analyze(&parsed, &names, &sources, &mut out, target, around);
    let rendered = |severity| {
        let list = out.list().iter().filter(|one| one.severity == severity);
        list.map(|one| one.render(&sources)).collect::<Vec<_>>()
    };
    (analyzed.program, rendered(Severity::Error), rendered(Severity::Warning))
}

mod accepted;
mod mangling;
mod messages;
mod mutations;
