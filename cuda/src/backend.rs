//! The back end: typed program to PTX.

use crate::hir::Program;
use crate::lower::{self, Problem};
use crate::options::Options;
use crate::source::Sources;
use crate::{passes, ptx};

/// PTX text and what the back end has to say about the program.
#[derive(Clone, Debug)]
pub struct Output {
    /// The text; absent after errors.
    pub ptx: Option<String>,
    /// Errors and warnings in order of their lines.
    pub problems: Vec<Problem>,
}

/// Compiles a typed program.
pub fn run(program: &Program, sources: &Sources, options: &Options) -> Output {
    let mut module = lower::lower(program, sources, options);
    let mut problems = passes::run(&mut module, program.target, options);
    problems.sort_by(|a, b| (a.warning, a.loc, &a.message).cmp(&(b.warning, b.loc, &b.message)));
    problems.dedup();
    let failed = problems.iter().any(|problem| !problem.warning);
    let ptx = (!failed).then(|| ptx::emit(&module, program.target, options, sources));
    Output { ptx, problems }
}
