//! The whole compiler: from the text of a file to PTX.

use crate::backend;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::headers::PRELUDE;
use crate::lex::Interner;
use crate::lower::Problem;
use crate::options::Options;
use crate::preprocess::{Loader, Preprocessor};
pub use crate::sema::Entry;
use crate::sema::analyze;
use crate::source::{Sources, Span};
use crate::syntax::{Keyword, parse};
use crate::target::Target;
use std::fmt::Write as _;

/// A compiled file, or what is wrong with it.
#[derive(Debug)]
pub struct Compiled {
    /// The PTX; absent after errors.
    pub ptx: Option<String>,
    /// The kernels; empty after errors.
    pub entries: Vec<Entry>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The files, for the messages.
    pub sources: Sources,
}

impl Compiled {
    /// The messages as text, each with its place in the source.
    pub fn messages(&self) -> String {
        let all: Vec<String> = self.diagnostics.iter().map(|one| one.render(&self.sources)).collect();
        all.join("\n")
    }
}

/// Compiles a file. `loader` finds the files that it includes.
pub fn compile(name: &str, text: &str, loader: &dyn Loader, target: Target, options: &Options) -> Compiled {
    let mut sources = Sources::default();
    let mut out = Diagnostics::default();
    let made = translate(name, text, loader, target, options, &mut sources, &mut out);
    let (ptx, entries) = made.filter(|_| !out.has_errors()).unzip();
    Compiled { ptx, entries: entries.unwrap_or_default(), diagnostics: out.into_list(), sources }
}

/// The macros that the compiler defines.
fn macros(target: Target, options: &Options) -> String {
    let mut text = String::new();
    let capability = target.capability;
    let _ = writeln!(text, "#define __CUDA_ARCH__ {capability}0");
    for name in ["__CUDACC__", "__NVCC__", "__cplusplus 199711L", "__WARPSIM__"] {
        let _ = writeln!(text, "#define {name}{}", if name.contains(' ') { "" } else { " 1" });
    }
    let flags = [
        ("__CUDA_FTZ", options.ftz),
        ("__CUDA_PREC_DIV", options.prec_div),
        ("__CUDA_PREC_SQRT", options.prec_sqrt),
    ];
    for (name, on) in flags {
        let _ = writeln!(text, "#define {name} {}", u8::from(on));
    }
    // Programs test whether this macro is defined, not its value.
    if options.use_fast_math {
        text.push_str("#define __USE_FAST_MATH__ 1\n");
    }
    for define in &options.defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        let _ = writeln!(text, "#define {name} {}", value.replace('\n', " "));
    }
    text
}

fn translate(
    name: &str,
    text: &str,
    loader: &dyn Loader,
    target: Target,
    options: &Options,
    sources: &mut Sources,
    out: &mut Diagnostics,
) -> Option<(String, Vec<Entry>)> {
    let mut names = Interner::default();
    Keyword::register(&mut names);
    let macros = macros(target, options);
    let mut files = Vec::new();
    for (name, text) in [("<macros>", &*macros)].into_iter().chain(PRELUDE) {
        files.push(sources.add(name, text, true)?);
    }
    let Some(file) = sources.add(name, text, false) else {
        out.push(Diagnostic::error("limit", Span::NONE, format!("{name} is too large")));
        return None;
    };
    files.push(file);
    let mut tokens = Vec::new();
    let mut preprocessor = Preprocessor::new(sources, &mut names, out, loader);
    for file in files {
        preprocessor.run(file, &mut tokens);
    }
    // What a missing file declares would be missing everywhere.
    if out.list().iter().any(|one| one.code == "missing-file" || one.code == "limit") {
        return None;
    }
    let parsed = parse(&tokens, &names, sources, out);
    if out.has_errors() {
        return None;
    }
    let analyzed = analyze(&parsed, &names, sources, out, target);
    if out.has_errors() {
        return None;
    }
    let output = backend::run(&analyzed.program, sources, options);
    for problem in &output.problems {
        out.push(diagnostic(problem, sources));
    }
    Some((output.ptx?, analyzed.entries))
}

/// A problem of the back end as a message.
fn diagnostic(problem: &Problem, sources: &Sources) -> Diagnostic {
    let span = sources.line_span(problem.loc.file, problem.loc.line);
    let message = problem.message.clone();
    let made = if problem.warning {
        Diagnostic::warning("code-generation", span, message)
    } else {
        Diagnostic::error("code-generation", span, message)
    };
    if problem.help.is_empty() { made } else { made.help(problem.help.clone()) }
}
