//! The typed program to SSA.
//!
//! Every variable becomes a slot of local memory here, and every access a load or store; the pass
//! `promote` turns slots into values afterwards. That keeps this step simple and treats scalars,
//! structures and variables behind references in one way. Nothing is optimized here.
//!
//! Structures are passed to device functions by address: the caller makes a copy, or lends the
//! object that it destroys. The address for a structure that a function returns is its first
//! parameter.

mod access;
mod addr;
mod aggregate;
mod asm;
mod assign;
mod bits;
mod cast;
mod expr;
mod function;
mod intrinsic;
mod lifetime;
mod math;
mod place;
mod registered;
mod stmt;
mod surface;

use crate::budget::{Budget, Resource};
use crate::hir::{self, Program, Storage, Type};
use crate::options::Options;
use crate::source::{Sources, Span};
use crate::ssa::{FuncId, Loc, Module, Space, SymId, Symbol, Ty};
use crate::target::Side;
use function::Lowerer;

/// A problem that the back end finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
    /// The place in the source.
    pub loc: Loc,
    /// Whether it is a warning.
    pub warning: bool,
}

/// Lowers a program. The functions keep their indices.
///
/// # Errors
///
/// The function with which the program has too many instructions.
pub fn lower(
    program: &Program,
    sources: &Sources,
    options: &Options,
    budget: &mut Budget,
) -> Result<Module, Problem> {
    let mut module = Module {
        files: sources.files().iter().map(|file| file.name.clone()).collect(),
        symbols: program.globals.iter().map(|global| symbol(program, global)).collect(),
        typed_pointers: program.target.side == Side::OpenCl,
        ..Module::default()
    };
    for index in 0..program.functions.len() {
        let id = FuncId(index as u32);
        let function = Lowerer::new(program, sources, options, &mut module, id).run();
        let loc = function.loc;
        let help = "use fewer or smaller functions".to_owned();
        budget.spend(Resource::Instructions, function.values.len()).map_err(|message| Problem {
            message,
            help,
            loc,
            warning: false,
        })?;
        module.functions.push(function);
    }
    Ok(module)
}

fn symbol(program: &Program, global: &hir::Global) -> Symbol {
    let (space, external) = match global.storage {
        Storage::Device | Storage::Texture | Storage::Surface => (Space::Global, false),
        Storage::Constant => (Space::Const, false),
        Storage::Shared => (Space::Shared, false),
        Storage::SharedDynamic => (Space::Shared, true),
        Storage::Host => unreachable!("host code is not lowered to PTX"),
    };
    let mut init = Vec::new();
    let (mut relocations, mut code) = (Vec::new(), Vec::new());
    if let Some(given) = &global.init {
        init.clone_from(&given.bytes);
        relocations = given.addresses.iter().map(|(at, of, plus)| (*at, SymId(of.0), *plus)).collect();
        code = given.code.iter().map(|(at, function)| (*at, FuncId(function.0))).collect();
        if relocations.is_empty() && code.is_empty() && init.iter().all(|byte| *byte == 0) {
            init.clear();
        }
    }
    Symbol {
        name: global.symbol.clone(),
        space,
        size: if external { 0 } else { program.types.size(global.ty) },
        align: global.align.clamp(1, 128) as u32,
        init,
        relocations,
        code,
        external,
        visible: global.visible,
        texture: global.storage == Storage::Texture,
        surface: global.storage == Storage::Surface,
        sampler: None,
    }
}

/// Type of a scalar in registers. `bool` is a predicate; structures and arrays have no value.
pub(crate) fn scalar(types: &hir::Types, id: hir::TypeId) -> Option<Ty> {
    Some(match types.get(id) {
        Type::Void => Ty::Void,
        Type::Bool => Ty::I1,
        Type::Int(int) => {
            if int.bits == 64 {
                Ty::I64
            } else {
                Ty::I32
            }
        }
        Type::F32 => Ty::F32,
        Type::F64 => Ty::F64,
        Type::Pointer(..) | Type::FunctionPointer(_) => {
            if types.size(id) == 8 {
                Ty::I64
            } else {
                Ty::I32
            }
        }
        Type::Array(..) | Type::Struct(_) => return None,
    })
}

/// Finds lines of spans; consecutive spans are often on one line.
pub(crate) struct Lines<'a> {
    sources: &'a Sources,
    last: Option<(u32, Loc)>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(sources: &'a Sources) -> Self {
        Self { sources, last: None }
    }

    /// The line of a span.
    pub(crate) fn of(&mut self, span: Span) -> Loc {
        if let Some((start, loc)) = self.last
            && start == span.start
        {
            return loc;
        }
        // Code of the compiler's headers belongs to the lines of its callers.
        let own = |file| !self.sources.file(file).builtin;
        let found = self.sources.location(span).filter(|at| own(at.file));
        let loc = found.map_or(Loc::default(), |at| Loc { file: at.file.0 + 1, line: at.line });
        self.last = Some((span.start, loc));
        loc
    }
}
