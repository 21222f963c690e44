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
    problems.extend(shared_memory(program, &module));
    problems.sort_by(|a, b| (a.warning, a.loc, &a.message).cmp(&(b.warning, b.loc, &b.message)));
    problems.dedup();
    let failed = problems.iter().any(|problem| !problem.warning);
    let ptx = (!failed).then(|| ptx::emit(&module, program.target, options, sources));
    Output { ptx, problems }
}

/// An error if the static shared arrays of a kernel do not fit.
fn shared_memory(program: &Program, module: &crate::ssa::Module) -> Vec<Problem> {
    let limit = program.target.shared_bytes();
    let mut problems = Vec::new();
    for function in module.functions.iter().filter(|function| function.kernel) {
        let mut used: Vec<usize> = Vec::new();
        for value in function.blocks.iter().flat_map(|block| &block.insts) {
            if let crate::ssa::Op::Address(symbol) = function.op(*value)
                && module.symbols[symbol.at()].space == crate::ssa::Space::Shared
                && !used.contains(&symbol.at())
            {
                used.push(symbol.at());
            }
        }
        let total: u64 = used.iter().map(|index| module.symbols[*index].size).sum();
        // Below sm_20 the parameters and 16 bytes of indices are in shared memory too.
        let params = function.kernel_params.last().map_or(0, |last| u64::from(last.offset) + last.size);
        let own = if program.target.is_fermi() { 0 } else { params + 16 };
        if total + own <= limit {
            continue;
        }
        used.sort_by_key(|index| (std::cmp::Reverse(module.symbols[*index].size), *index));
        let list: Vec<String> = used
            .iter()
            .map(|index| format!("`{}` {} bytes", program.globals[*index].name, module.symbols[*index].size))
            .collect();
        let rest = if own > 0 { format!(", parameters and indices {own} bytes") } else { String::new() };
        problems.push(Problem {
            message: format!(
                "a block uses {} bytes of shared memory; {} has {limit}",
                total + own,
                program.target.name()
            ),
            help: format!("{}{rest}", list.join(", ")),
            loc: function.loc,
            warning: false,
        });
    }
    problems
}
