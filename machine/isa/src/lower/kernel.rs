//! Programs: each entry is selected, linked and finished together with the functions that it can
//! reach.

use super::calls::Calls;
use super::code::Code;
use super::exits;
use super::finish::{self, finish};
use super::functions::Functions;
use super::layout::{self, FunctionLayout, ModuleLayout};
use super::link::{Linked, link};
use super::modules::Modules;
use super::optimize;
use super::recursion::{self, Stack};
use super::resolve::{Item, Resolved};
use super::schedule::{Spare, schedule};
use super::select::{self, select};
use super::spill;
use super::uses::uses;
use crate::diag::{Diagnostic, is_flood};
use crate::options::Options;
use crate::ptx::ast::Function;
use crate::ptx::header::Header;
use crate::span::{LineIndex, Span};
use crate::types::{Capability, StateSpace};
use crate::uop::program::{MAX_FUNCTIONS, Source};
use crate::uop::{FunctionCode, Program, Spills, Symbol, verify};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The linked modules before their code is generated.
pub struct Module<'a> {
    /// Source text.
    pub text: &'a str,
    /// Syntax trees of the modules.
    pub modules: &'a Modules<'a>,
    /// Text and file name, which are stored in the programs.
    pub source: &'a Arc<Source>,
    /// Line index of the text.
    pub lines: &'a LineIndex,
    /// Declarations of the library functions, which follow the source.
    pub library: &'a [(&'static str, Span)],
    /// Functions that the kernel can call.
    pub functions: &'a Functions<'a>,
    /// All bodies, of entries and functions.
    pub bodies: &'a [Body<'a>],
    /// Index into `bodies` of each function's body, if it has one.
    pub places: &'a [Option<usize>],
    /// Call graph.
    pub calls: &'a Calls,
    /// Layout of the variables.
    pub layout: &'a ModuleLayout,
    /// Compute capability that the module was compiled for.
    pub target: Capability,
    /// Address size in bits.
    pub address_bits: u32,
    /// Compiler options.
    pub options: Options,
    /// Names of the textures.
    pub textures: &'a Arc<[String]>,
    /// Variables of constant memory.
    pub consts: &'a Arc<[Symbol]>,
    /// Names of the surfaces.
    pub surfaces: &'a Arc<[String]>,
}

/// A body with the number of its function; `None` for an entry.
pub type Body<'a> = (Option<u32>, &'a Function<'a>, Resolved<'a>);

/// Maximum number of function instructions that are copied into additional kernels. Each kernel
/// contains the code of all functions that it can reach, so many kernels with many functions could
/// otherwise need an unlimited amount of code.
const MAX_COPIED: usize = 1 << 17;

/// Compiles the programs of all entries. Functions that no entry reaches are only checked for
/// errors.
pub fn programs(module: &Module, diagnostics: &mut Vec<Diagnostic>) -> Vec<Arc<Program>> {
    check_heads(module, diagnostics);
    let mut programs = Vec::new();
    let mut reached = vec![false; module.places.len()];
    let mut copied = 0;
    for entry in module.bodies.iter().filter(|(_, function, _)| function.entry) {
        let functions = module.calls.reached(&entry.2);
        for number in &functions {
            if std::mem::replace(&mut reached[*number as usize], true) {
                copied += 1 + body(module, *number).map_or(0, |(.., resolved)| resolved.items.len());
            }
        }
        if copied > MAX_COPIED {
            let name = &entry.1.name;
            let message = format!(
                "the copies of the functions that the kernels up to `{}` call are too large",
                name.name
            );
            let label = format!("more than {MAX_COPIED} instructions in all copies");
            diagnostics.push(Diagnostic::error("E0403", name.span, message).label(label));
        }
        if copied > MAX_COPIED || is_flood(diagnostics) {
            return Vec::new();
        }
        programs.extend(program(module, entry, &functions, diagnostics));
    }
    let unreached = (0..).zip(&reached).filter(|(_, reached)| !**reached);
    for body in unreached.filter_map(|(number, _)| body(module, number)) {
        if is_flood(diagnostics) {
            break;
        }
        code_of(module, &[body], diagnostics);
    }
    programs
}

/// Checks the function heads against the target.
fn check_heads(module: &Module, diagnostics: &mut Vec<Diagnostic>) {
    if module.functions.list.len() > MAX_FUNCTIONS {
        let span = module.functions.get(MAX_FUNCTIONS as u32).head.span;
        let message = format!("a module has at most {MAX_FUNCTIONS} functions");
        diagnostics.push(Diagnostic::error("E0403", span, message).label("one function too many"));
    }
    // A lowered module passes parameters in registers, as functions do here in any case.
    if module.target.major >= 2 || module.modules.headers.iter().any(Header::is_lowered) {
        return;
    }
    for known in &module.functions.list {
        let mut variables = known.head.returns.iter().chain(&known.head.params);
        if let Some(variable) = variables.find(|variable| variable.space == StateSpace::Param) {
            let message = format!(
                "`.param` parameters of a function require compute capability 2.0, but this module targets {}",
                module.target
            );
            let label = format!("not available in compute capability {}", module.target);
            let error = Diagnostic::error("E0401", variable.span, message).label(label);
            diagnostics.push(error.help("pass the value in a `.reg`, or write `.target sm_20` or above"));
        }
    }
}

/// Returns the body of a function, if it has one.
fn body<'a>(module: &Module<'a>, number: u32) -> Option<&'a Body<'a>> {
    module.places[number as usize].map(|place| &module.bodies[place])
}

/// Code of bodies, the first of which is an entry or takes its place.
struct Selected {
    /// Layout of the first body.
    layout: FunctionLayout,
    /// Frame size of each other body that has a frame.
    frames: Vec<Option<u32>>,
    /// Local variables of the other bodies.
    locals: Vec<Vec<(String, u32)>>,
    codes: Vec<Code>,
}

/// Lays out and selects bodies. An error in a function that is part of several kernels is reported
/// only once.
fn code_of(module: &Module, bodies: &[&Body], diagnostics: &mut Vec<Diagnostic>) -> Selected {
    let mut errors = Vec::new();
    let first = bodies[0].1;
    let recursive = |own: &Option<u32>| own.is_some_and(|own| module.calls.is_recursive(own));
    let placed: Vec<_> = bodies.iter().map(|(own, _, resolved)| (resolved, recursive(own))).collect();
    let mut layouts =
        layout::kernel(first, &placed, &module.modules.tree.variables, module.layout, &mut errors);
    let mut codes = Vec::new();
    for ((own, function, resolved), layout) in bodies.iter().zip(&layouts) {
        let context = select::Context {
            text: module.text,
            resolved,
            own: *own,
            functions: module.functions,
            calls: module.calls,
            layout,
            module: module.layout,
            target: module.target,
            version: module.modules.version(function.module),
            address_bits: module.address_bits,
            independent: module.modules.headers[function.module as usize].is_independent(),
        };
        let mut code = select(context, end(function, resolved), &mut errors);
        exits::leave(&mut code);
        codes.push(code);
    }
    for error in errors {
        let reported = |known: &Diagnostic| {
            (known.code, &known.message, &known.labels) == (error.code, &error.message, &error.labels)
        };
        // An error that occurs twice in one body is reported twice.
        let known = bodies.len() > 1 || bodies[0].0.is_some();
        if !known || !diagnostics.iter().any(reported) {
            diagnostics.push(error);
        }
    }
    let resolved: Vec<_> = bodies.iter().map(|(.., resolved)| resolved).collect();
    layouts[0].uses = uses(&resolved, &layouts, module.layout);
    let mut layouts = layouts.into_iter();
    let layout = layouts.next().unwrap_or_default();
    let (frames, locals) = layouts.map(|layout| (layout.frame_bytes, layout.own)).unzip();
    Selected { layout, frames, locals, codes }
}

/// Returns the span of an implicit exit or return: that of the last instruction.
fn end(function: &Function, resolved: &Resolved) -> Span {
    let last = resolved.items.iter().rev().find_map(|item| match item {
        Item::Inst(inst) => Some(inst.span),
        Item::Label(_) => None,
    });
    last.unwrap_or(function.name.span)
}

/// Returns the maximum number of registers of an entry: the option or `.maxnreg`, whichever is
/// smaller.
fn limit(entry: &Function, options: Options) -> Option<u32> {
    let directive = entry.directives.iter().find(|(name, _)| name.name == "maxnreg");
    let directive = directive.and_then(|(_, numbers)| numbers.first().copied());
    directive.into_iter().chain(options.max_registers).min()
}

/// Compiles the program of an entry that reaches `functions`; `None` if there is an error.
fn program(
    module: &Module,
    entry: &Body,
    functions: &BTreeSet<u32>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Arc<Program>> {
    let of_functions = functions.iter().filter_map(|number| body(module, *number));
    let bodies: Vec<&Body> = [entry].into_iter().chain(of_functions).collect();
    let Selected { mut layout, frames, locals, mut codes } = code_of(module, &bodies, diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let most = limit(entry.1, module.options);
    let variables = !module.source.variables().locals.is_empty();
    let budget = optimize::Budget::new(module.target, most, variables);
    let mut relieved = false;
    if module.options.optimize {
        let context = optimize::Context {
            target: module.target,
            fmad: module.options.fmad,
            wide_addresses: module.options.wide_addresses,
            budget,
            param_bytes: layout.param_bytes,
            const_bytes: module.layout.const_bytes,
        };
        for code in &mut codes {
            relieved |= optimize::run(code, &context);
        }
    }
    let labels = bodies.iter().flat_map(|(_, _, resolved)| resolved.labels.iter().copied()).collect();
    let mut codes = codes.into_iter();
    let kernel = codes.next().unwrap_or_default();
    let linked = codes.zip(locals).zip(&bodies[1..]).filter_map(|((code, local), (number, function, _))| {
        let number = (*number)?;
        let function = FunctionCode {
            number,
            name: function.title().to_owned(),
            signature: module.calls.indirect_signature(number),
            local,
            ..FunctionCode::default()
        };
        Some(Linked { function, recursive: module.calls.is_recursive(number), code })
    });
    let (mut code, mut sites) = link(kernel, linked.collect(), |signature| module.calls.targets(signature));
    let Stack { local_bytes, call_depth } =
        recursion::save(&mut code, &mut sites, layout.local_bytes, &frames, module.calls.depth(functions));
    layout.local_bytes = local_bytes;
    code.prune_registers();
    if module.options.optimize {
        optimize::join(&mut code, &mut sites);
    }
    if module.options.optimize && module.options.schedule {
        schedule(&mut code, &sites, module.target, Spare::Allocated);
    } else if relieved {
        // Arithmetic is now as early as possible, and would wait for its operands.
        schedule(&mut code, &sites, module.target, Spare::UpTo(budget.goal));
    }
    let mut spills = Spills::default();
    if let Some(limit) = most {
        (layout.local_bytes, spills) = spill::fit(&mut code, &mut sites, limit, layout.local_bytes);
        // A store that follows a load waits for it, so spilled code needs an order.
        if module.options.optimize && spills != Spills::default() {
            schedule(&mut code, &sites, module.target, Spare::None);
        }
    }
    let context = finish::Context {
        source: module.source,
        lines: module.lines,
        library: module.library,
        target: module.target,
        address_bits: module.address_bits,
        options: module.options,
        textures: module.textures,
        consts: module.consts,
        surfaces: module.surfaces,
    };
    match finish(&context, entry.1, layout, finish::Linked { code, labels, sites, call_depth, spills }) {
        Ok(program) => {
            debug_assert_eq!(verify::verify(&program), Ok(()), "lowering follows the verifier's rules");
            Some(Arc::new(program))
        }
        Err(error) => {
            diagnostics.push(error);
            None
        }
    }
}
