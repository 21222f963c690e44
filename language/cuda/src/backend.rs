//! The back end: typed program to PTX.

use crate::budget::Budget;
use crate::hir::Program;
use crate::lower::{self, Problem};
use crate::options::Options;
use crate::source::Sources;
use crate::{passes, ptx};
use isa::variables::Variables;

/// PTX text and what the back end has to say about the program.
#[derive(Clone, Debug)]
pub struct Output {
    /// The text; absent after errors.
    pub ptx: Option<String>,
    /// The variables of the program in the text.
    pub variables: Variables,
    /// Errors and warnings in order of their lines.
    pub problems: Vec<Problem>,
}

/// Compiles a typed program.
pub fn run(program: &Program, sources: &Sources, options: &Options) -> Output {
    let mut budget = Budget::default();
    let mut module = match lower::lower(program, sources, options, &mut budget) {
        Ok(module) => module,
        Err(problem) => {
            return Output { ptx: None, variables: Variables::default(), problems: vec![problem] };
        }
    };
    let mut problems = passes::run(&mut module, program.target, options);
    problems.sort_by(|a, b| (a.warning, a.loc, &a.message).cmp(&(b.warning, b.loc, &b.message)));
    problems.dedup();
    let failed = problems.iter().any(|problem| !problem.warning);
    let made = (!failed).then(|| ptx::emit(&module, program, options, sources));
    let (ptx, variables) = made.unzip();
    Output { ptx, variables: variables.unwrap_or_default(), problems }
}
