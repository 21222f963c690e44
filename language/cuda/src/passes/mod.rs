//! The passes of the optimizer, and their order.
//!
//! Each pass changes one function and keeps it valid ([`crate::ssa::verify`]); debug builds check
//! that after each pass.

pub mod address;
pub mod alias;
pub mod const_operands;
pub mod contract;
pub mod dce;
pub mod fold;
pub mod group_loads;
pub mod gvn;
pub mod hoist;
pub mod if_convert;
pub mod inline;
pub mod licm;
pub mod merge;
pub mod objects;
pub mod promote;
pub mod reassociate;
pub mod simplify;
pub mod sink;
pub mod spaces;
pub mod strength;
pub mod tables;
#[cfg(test)]
mod tests;
pub mod unroll;
pub mod vector_loads;

use crate::lower::Problem;
use crate::options::Options;
use crate::ssa::{Function, Module, Op};
use crate::target::{Side, Target};
use contract::Contraction;
use fold::Arithmetic;

/// Rounds of unrolling: each goes one level of nesting outwards.
const MAX_UNROLLED: usize = 256;
/// Instructions by which unrolling may grow a program.
const UNROLLED: usize = 200_000;
/// Instructions of a program that all rounds of unrolling visit.
const UNROLLING_STEPS: usize = 600_000;
/// Visits of each instruction between two rounds of unrolling.
const VISITS: usize = 3;

/// Optimizes a module for a target. Functions that no kernel needs are removed.
pub fn run(module: &mut Module, target: Target, options: &Options) -> Vec<Problem> {
    let mut problems = Vec::new();
    let pipeline = Pipeline::new(target, options);
    inline::run(module, target.is_fermi(), &mut problems, |function| pipeline.clean(function));
    remove_unused(module, target.is_fermi());
    let mut functions = std::mem::take(&mut module.functions);
    let mut room = Room { instructions: UNROLLED, steps: UNROLLING_STEPS };
    for function in functions.iter_mut().filter(|function| !function.blocks.is_empty()) {
        pipeline.function(function, module, &mut room, &mut problems);
    }
    module.functions = functions;
    problems
}

/// What unrolling may still use.
struct Room {
    /// Instructions that it may add.
    instructions: usize,
    /// Instructions that it may visit.
    steps: usize,
}

struct Pipeline {
    arithmetic: Arithmetic,
    contraction: Contraction,
    fermi: bool,
    side: Side,
    /// Whether addresses have 64 bits.
    wide: bool,
    optimize: bool,
}

impl Pipeline {
    fn new(target: Target, options: &Options) -> Pipeline {
        let fermi = target.is_fermi();
        let arithmetic = Arithmetic {
            ftz: options.ftz || !fermi,
            fused: fermi,
            exact_division: fermi && options.prec_div,
            double: target.has_double(),
        };
        let contraction = Contraction { floats: options.fmad, doubles: options.fmad, fermi };
        Pipeline {
            arithmetic,
            contraction,
            fermi,
            side: target.side,
            wide: target.pointer_bytes == 8,
            optimize: options.optimizes(),
        }
    }

    /// What every function needs before it is inlined.
    fn clean(&self, f: &mut Function) {
        check(f, "lower");
        simplify::run(f);
        check(f, "simplify");
        promote::run(f);
        check(f, "promote");
        if self.optimize {
            self.scalar(f);
        } else {
            simplify::run(f);
            dce::run(f);
        }
    }

    /// The passes that look at single values.
    fn scalar(&self, f: &mut Function) {
        simplify::run(f);
        fold::run(f, self.arithmetic);
        check(f, "fold");
        gvn::run(f);
        check(f, "gvn");
        dce::run(f);
        simplify::run(f);
        check(f, "scalar");
    }

    /// Optimizes a function.
    fn function(&self, f: &mut Function, module: &mut Module, room: &mut Room, problems: &mut Vec<Problem>) {
        while promote::run(f) && self.optimize {
            self.scalar(f);
        }
        objects::run(f, &mut module.symbols, self.side == Side::OpenCl, problems);
        if !self.optimize {
            simplify::run(f);
            spaces::run(f, module, self.fermi, problems);
            dce::run(f);
            check(f, "spaces");
            // Changes results, so it does not depend on the level.
            contract::run(f, self.contraction);
            dce::run(f);
            return;
        }
        f.compact();
        let before = f.size();
        let most = (before + room.instructions).min(unroll::FUNCTION_SIZE);
        for _ in 0..MAX_UNROLLED {
            if !unroll::run(f, self.fermi, most, &mut room.steps) {
                break;
            }
            room.steps = room.steps.saturating_sub(VISITS * f.size());
            check(f, "unroll");
            // Indices of arrays become constants in between.
            while promote::run(f) {
                check(f, "promote");
                self.scalar(f);
            }
            self.scalar(f);
            if promote::run(f) {
                self.scalar(f);
            }
            f.compact();
        }
        room.instructions = room.instructions.saturating_sub(f.size().saturating_sub(before));
        problems.extend(unroll::dropped(f, most, &mut room.steps));
        spaces::run(f, module, self.fermi, problems);
        check(f, "spaces");
        self.scalar(f);
        if tables::run(f, &mut module.symbols) {
            check(f, "tables");
            self.scalar(f);
        }
        if hoist::run(f) {
            check(f, "hoist");
            self.scalar(f);
        }
        if merge::run(f) {
            check(f, "merge");
            self.scalar(f);
        }
        if if_convert::run(f) {
            check(f, "if_convert");
            self.scalar(f);
        }
        address::run(f);
        if reassociate::run(f, self.wide) {
            check(f, "reassociate");
            self.scalar(f);
        }
        licm::run(f);
        check(f, "licm");
        address::run(f);
        self.scalar(f);
        if strength::run(f, self.wide && !self.fermi) {
            check(f, "strength");
            self.scalar(f);
            licm::run(f);
            address::run(f);
            self.scalar(f);
        }
        contract::run(f, self.contraction);
        check(f, "contract");
        dce::run(f);
        simplify::run(f);
        vector_loads::run(f, self.fermi);
        check(f, "vector_loads");
        group_loads::run(f);
        sink::run(f);
        if !self.fermi {
            const_operands::run(f);
        }
        check(f, "sink");
    }
}

/// Panics in debug builds if a pass left an invalid function.
fn check(f: &Function, pass: &str) {
    if cfg!(debug_assertions)
        && let Err(wrong) = crate::ssa::verify::verify(f)
    {
        panic!("after {pass}: {wrong}\n{f}");
    }
}

/// Removes device functions that no kernel and no function pointer reaches: their blocks.
fn remove_unused(module: &mut Module, fermi: bool) {
    let mut needed: Vec<bool> = module.functions.iter().map(|function| function.kernel).collect();
    for (_, function) in module.symbols.iter().flat_map(|symbol| &symbol.code) {
        needed[function.at()] = true;
    }
    let mut work: Vec<usize> = (0..needed.len()).filter(|index| needed[*index]).collect();
    while let Some(index) = work.pop() {
        let function = &module.functions[index];
        for value in function.blocks.iter().flat_map(|block| &block.insts) {
            if let Op::Call { func, .. } | Op::FuncAddress(func) = function.op(*value)
                && !needed[func.at()]
            {
                needed[func.at()] = true;
                work.push(func.at());
            }
        }
    }
    for (function, needed) in module.functions.iter_mut().zip(needed) {
        if !needed || !function.kernel && !fermi {
            function.blocks.clear();
        }
    }
}
