//! Lowering: compiles a syntax tree to programs in separate passes.
//!
//! ```text
//! demote    double precision below sm_13    modules  several modules as one
//! uncalled  functions that no kernel reaches
//! resolve   names to ids                    scope    nested { }
//! handles   textures, parameters by address
//! functions .func and their signatures      calls    call graph
//! layout    addresses and images            literal  numbers as bits
//! select    PTX forms to micro-ops          code     micro-ops on virtual registers
//! exits     branches that end a thread      optimize  optimizations of the assembler
//! pure      micro-ops without effects       step     what control flow sees of them
//! link      joint code of kernel and functions
//! recursion values saved around calls       schedule order of instructions
//! spill     values kept in local memory     flow     blocks, reconvergence points
//! slots     liveness, rows, registers       finish   the flat program
//! ```

mod bitset;
mod calls;
mod code;
mod demote;
mod dominators;
mod exits;
mod finish;
pub mod flow;
mod functions;
mod graph;
mod handles;
mod header;
mod image;
mod kernel;
mod layout;
mod link;
mod literal;
pub mod live;
mod modules;
mod optimize;
mod pressure;
mod pure;
mod recursion;
mod resolve;
mod resolved;
mod schedule;
mod scope;
mod select;
mod selections;
mod slots;
mod spill;
mod step;
#[cfg(test)]
mod tests;
mod uncalled;
mod uses;

use crate::diag::{Diagnostic, cut_flood};
use crate::options::Options;
use crate::ptx::ast::Ast;
use crate::source::Source;
use crate::span::{LineIndex, Span};
use crate::types::ScalarType;
use crate::types::StateSpace;
use crate::uop::{Module, Sampler, Symbol};
use calls::Calls;
pub use demote::{demote, double_warning};
use functions::Functions;
pub use header::newer_once;
pub use image::initial_bytes;
use modules::Modules;
use resolve::{ArgKind, Base, Item};
use std::collections::BTreeMap;
use std::sync::Arc;
pub use uncalled::drop_uncalled;

/// Diagnostic codes of this stage, with their meanings.
pub const CODES: [(&str, &str); 25] = [
    ("E0301", "a name is not declared"),
    ("E0302", "a name is declared twice in one scope"),
    ("E0303", "a branch goes to a label that does not exist"),
    ("E0304", "an operand of a kind that is not allowed at this place"),
    ("E0305", "a register's type does not match the instruction's type"),
    ("E0306", "a literal is not a value of the required type"),
    ("E0307", "a variable is in a state space that the instruction does not access"),
    ("E0308", "an offset or number is out of range"),
    ("E0309", "a declaration is incomplete, or not allowed in its state space"),
    ("E0310", "an unknown target or target option"),
    ("E0311", "the arguments or results of a call do not match the function"),
    ("E0312", "a function without a body in the given files is called, or its address is taken"),
    ("E0313", "conflicting declarations of a function or variable"),
    ("E0314", "a target or option that requires a newer `.version`"),
    ("E0315", "an external variable that the given files do not define"),
    ("E0316", "two linked modules define a name that they share"),
    ("E0317", "linked modules have different targets or address sizes"),
    ("E0401", "an instruction, register or directive requires a higher target than the module's"),
    ("E0402", "valid PTX that this simulator does not support"),
    ("E0403", "a kernel or module is too large"),
    ("E0404", "an instruction, register or directive requires a newer PTX version than the module's"),
    ("E0405", "a form of an instruction that was removed before the module's PTX version"),
    ("W0301", "a literal has more bits than its type"),
    ("W0302", "the header is newer than this simulator supports; the module is read as PTX 2.3 for sm_21"),
    ("W0303", "double precision below `sm_13`, which is computed in single precision"),
];

/// The texts of a program.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Files and texts of the modules.
    pub source: &'a Arc<Source>,
    /// The text of the source, followed by that of the [library](crate::library) functions that it
    /// uses.
    pub whole: &'a str,
    /// Declarations of the library functions.
    pub library: &'a [(&'static str, Span)],
}

/// Lowers every entry of the modules `trees`, one for each file, followed by that of the library.
///
/// All errors are added to `diagnostics`, which may already contain errors of the parser. If the
/// parser may have lost a declaration, undeclared names are not reported. Returns `None` if there
/// is any error.
pub fn lower<'t>(
    input: &Input<'t>,
    trees: Vec<Ast<'t>>,
    options: Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Module> {
    let Input { source, whole: text, library } = *input;
    let trusted = !lost_declaration(text, diagnostics);
    let mut modules = Modules::new(trees, source, diagnostics);
    check_names(&modules.tree, diagnostics);
    drop_uncalled(std::slice::from_mut(&mut modules.tree));
    let modules = &modules;
    let tree = &modules.tree;
    let functions = Functions::new(tree, diagnostics);
    let layout = layout::module(modules, &functions, diagnostics);
    let textures: Arc<[String]> = layout.textures.as_slice().into();
    let surfaces: Arc<[String]> = layout.surfaces.as_slice().into();
    let samplers: Arc<[Sampler]> = layout.samplers.as_slice().into();
    let consts: Arc<[Symbol]> = layout.consts.as_slice().into();
    let scopes: Vec<_> = (0..)
        .zip(&modules.headers)
        .map(|(number, _)| resolve::module_scope(number, modules, &functions))
        .collect();
    let bodies: Vec<kernel::Body> = tree
        .functions
        .iter()
        .filter(|function| function.body.is_some())
        .map(|function| {
            let number = functions.number(function.module, function.name.name);
            let module = function.module as usize;
            let (scope, header) = (&scopes[module], modules.headers[module]);
            let mut resolved = resolve::resolve(function, scope, trusted, header, diagnostics);
            let params = (!function.entry).then_some(&*function.params);
            handles::name(&mut resolved, params, &tree.variables);
            (number.filter(|_| !function.entry), function, resolved)
        })
        .collect();
    let mut places = vec![None; functions.list.len()];
    for (place, (number, ..)) in bodies.iter().enumerate().rev() {
        if let Some(number) = number {
            places[*number as usize] = Some(place);
        }
    }
    let address_bits = address_bits(tree, &bodies);
    let lines = LineIndex::new(text);
    let numbered: Vec<_> = bodies.iter().map(|(number, _, resolved)| (*number, resolved)).collect();
    let calls = Calls::new(&functions, &numbered, &tree.variables, diagnostics);
    let programs = kernel::programs(
        &kernel::Module {
            text,
            modules,
            source,
            lines: &lines,
            library,
            functions: &functions,
            bodies: &bodies,
            places: &places,
            calls: &calls,
            layout: &layout,
            target: modules.target,
            address_bits,
            options,
            textures: &textures,
            consts: &consts,
            surfaces: &surfaces,
        },
        diagnostics,
    );
    if diagnostics.iter().any(Diagnostic::is_error) {
        cut_flood(diagnostics);
        return None;
    }
    let mut globals = layout.globals;
    let declared = tree.variables.iter().filter(|variable| variable.space == StateSpace::Global);
    for (symbol, variable) in globals.iter_mut().zip(declared) {
        symbol.line = lines.line(variable.span.start);
    }
    Some(Module {
        entries: programs,
        globals,
        consts: layout.consts,
        const_bytes: layout.const_bytes,
        textures,
        surfaces,
        samplers,
    })
}

/// Whether the parser reported an error in a line that may be a declaration. A name that seems
/// undeclared may have been declared there.
fn lost_declaration(text: &str, diagnostics: &[Diagnostic]) -> bool {
    let lines = LineIndex::new(text);
    let errors = diagnostics.iter().filter(|d| d.is_error()).filter_map(|d| d.labels.first());
    // Each line is checked once, even if it has several errors.
    let mut places: Vec<u32> = errors.map(|(span, _)| lines.line(span.start)).collect();
    places.sort_unstable();
    places.dedup();
    places.into_iter().any(|line| {
        // The statement may begin on the line before.
        let mut around = [line.saturating_sub(1), line].into_iter().map(|line| lines.text(text, line));
        let spaces = [".reg", ".shared", ".param", ".global", ".const", ".local", ".tex"];
        around.any(|line| {
            // A declaration begins with a directive; a line with `ld.global` is not a declaration.
            let line = line.trim_start_matches([' ', '\t', '{', '(']);
            line.starts_with('.') && spaces.iter().any(|space| line.contains(space))
        })
    })
}

/// Reports functions that have the same name as another function or a variable of their module.
fn check_names(tree: &Ast, diagnostics: &mut Vec<Diagnostic>) {
    let variables = tree.variables.iter().rev();
    let mut names: BTreeMap<(u32, &str), Span> =
        variables.map(|variable| ((variable.module, variable.name.name), variable.name.span)).collect();
    for function in tree.functions.iter().filter(|function| function.body.is_some()) {
        if let Some(earlier) = names.insert((function.module, function.name.name), function.name.span) {
            diagnostics.push(resolve::declared_twice(&function.name, earlier));
        }
    }
}

/// Returns the address size in bits: the `.address_size` of the module if it has one, which
/// requires PTX 2.3. Otherwise 64 if any address is in a 64-bit register or any instruction takes a
/// variable's address in 64 bits, else 32.
fn address_bits(tree: &Ast, bodies: &[kernel::Body]) -> u32 {
    if let Some((bits, _)) = tree.address_size {
        return bits;
    }
    let wide = bodies.iter().any(|(.., resolved)| {
        let is_wide = |item: &Item| {
            let Item::Inst(inst) = item else { return false };
            inst.operands.iter().any(|arg| match arg.kind {
                ArgKind::Memory(Base::Register(register), _) => {
                    resolved.registers[register as usize].ty.bytes() == 8
                }
                ArgKind::Address(..) => inst.form.ty.map_or(0, ScalarType::bytes) == 8,
                _ => false,
            })
        };
        resolved.items.iter().any(is_wide)
    });
    if wide { 64 } else { 32 }
}
