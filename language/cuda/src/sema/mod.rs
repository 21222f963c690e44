//! Names, types, overloads and templates: the syntax tree to the typed program.
//!
//! Declarations are collected first; classes are laid out and functions analyzed when code needs
//! them. So host code is never looked at, unless device code names it.

mod access;
mod alloca;
mod allocation;
mod asm;
mod assign;
mod bases;
mod bindings;
mod block_variable;
mod builtin;
mod call;
mod call_deduction;
mod cast;
mod cells;
mod checks;
mod class_deduction;
mod classes;
mod closure;
mod collect;
mod comparison;
mod concept;
mod constant;
mod constant_array;
mod constexpr;
mod constraint_order;
mod construct;
mod convert;
mod declare;
mod deduce;
mod described;
mod display;
mod ends;
mod entity;
mod evaluation;
mod exception;
mod expression;
mod extended;
mod function;
mod function_order;
mod generic_selection;
mod handover;
mod host_format;
mod host_launch;
mod id;
mod initializer;
mod initializer_list;
mod instance;
mod jump;
mod lambda;
mod launch;
mod launch_bounds;
mod layout;
mod lifetime;
mod linkage;
mod literal;
mod local;
mod lookup;
mod loops;
mod mangle;
mod member;
mod member_initializer;
mod member_pointer;
mod memory_function;
pub(crate) mod names;
mod noexcept;
mod old_style;
mod opencl;
mod operators;
mod outside;
mod overload;
mod pack;
mod program;
mod promotion;
pub(crate) mod prune;
mod rank;
mod record;
mod resolve;
mod returns;
mod scope;
mod side;
mod special;
mod statement;
mod static_value;
mod template;
mod texture;
mod traits;
mod type_info;
mod types;
mod unary;
mod user_literal;
mod user_operator;
mod using;
mod value;
mod variable;
mod variable_array;
mod virtual_function;
mod virtual_table;
mod warnings;

use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::arena::Arena;
use crate::budget::Resource;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir;
use crate::lex::{Interner, Symbol};
use crate::source::{Place, Sources, Span};
use crate::syntax::ast::Lambda;
use crate::syntax::{Parsed, Skipped};
use crate::target::Target;

use classes::Classes;
use function::FunctionState;
use scope::{Entity, FunctionIndex, ScopeId, Scopes, TemplateIndex, VariableIndex};
use side::SideRules;
use types::{CType, CTypes, RecordId};
use value::{Failed, FunctionInfo, Instance, Record, RecordTemplate, Res, VariableInfo};

pub use described::Closure;
pub use handover::KernelInstance;
pub(crate) use handover::UsedKernel;
pub use program::{Analyzed, Entry, Parameter, ParameterKind};

/// Nesting of template instantiations and deduced results: as in g++, unless the stack is small.
const MAX_INSTANTIATION: u32 = if cfg!(target_family = "wasm") { 48 } else { 900 };

/// Bytes of the stack that an instantiation may need for itself.
const STACK_LEFT: usize = 512 << 10;

/// Bytes that it gets if fewer are left.
const STACK_ADDED: usize = 8 << 20;

/// Function templates whose instances lead to each other, as in nvcc.
pub(super) const MAX_CHAIN: u32 = 200;

/// Types around the innermost part of a type. Types are shown, mangled and compared recursively.
pub(super) const MAX_HEIGHT: u32 = 200;

/// Bytes of the name of a class with its template arguments. Longer names are cut: an instance is
/// known by its arguments, not by its name.
pub(super) const MAX_NAME: usize = 1000;

/// State of the analysis.
#[expect(clippy::struct_excessive_bools, reason = "independent states of the analysis")]
pub(crate) struct Sema<'a> {
    names: &'a Interner,
    sources: &'a Sources,
    out: &'a mut Diagnostics,
    target: Target,
    /// Whether the program has further files.
    is_part: bool,
    /// Whether the standard is C++20 or a later one.
    is_cpp20: bool,
    /// The rules of the half of the program that is analyzed.
    rules: &'static SideRules,
    types: CTypes,
    hir: hir::Types,
    /// Whether the program enables `double` (OpenCL C), and numbers without suffix have this type.
    doubles: bool,
    double_literals: bool,
    /// The functions that kernels are to kernels that call them (OpenCL C).
    kernel_functions: FxHashMap<FunctionIndex, FunctionIndex>,
    /// The structures of vectors in the typed program.
    vectors: FxHashMap<CType, hir::TypeId>,
    scopes: Scopes,
    records: Arena<RecordId, Record>,
    templates: Arena<TemplateIndex, RecordTemplate>,
    aliases: Arena<scope::AliasIndex, Rc<scope::AliasTemplate>>,
    packs: pack::Packs,
    functions: Arena<FunctionIndex, FunctionInfo>,
    instances: Arena<hir::FunctionId, Instance>,
    variables: Arena<VariableIndex, VariableInfo>,
    globals: Arena<hir::GlobalId, hir::Global>,
    /// Variables that are constant objects, with their values.
    constants: FxHashMap<hir::GlobalId, Rc<cells::Cells>>,
    /// String literals by their bytes.
    strings: FxHashMap<Vec<u8>, hir::GlobalId>,
    /// What a program knows of types when it runs, if code needs it (host).
    type_infos: FxHashMap<CType, hir::GlobalId>,
    /// Instances whose bodies are still to be analyzed.
    pending: VecDeque<hir::FunctionId>,
    /// Innermost scope.
    scope: ScopeId,
    /// The function whose body is analyzed.
    function: Option<FunctionState>,
    /// Number of functions and lambda expressions so far.
    function_count: u32,
    lambda_count: u32,
    /// The types of the lambda expressions outside functions by expression and scope.
    file_lambdas: FxHashMap<(*const Lambda, ScopeId), (Rc<Lambda>, CType)>,
    /// The lambda expressions that both halves know, and those of the other half that are made.
    closures: Vec<Rc<Closure>>,
    lambdas: &'a FxHashMap<Place, Rc<Lambda>>,
    found_closures: FxHashMap<u32, CType>,
    /// Number of the declaration of the file that is being collected or analyzed.
    order: u32,
    depth: u32,
    skipped: &'a [Skipped],
    /// Whether the initial value of a variable in device memory is being analyzed.
    in_device_variable: bool,
    /// Whether types are deduced that must be equal: no conversion adds `const`.
    deduces_exactly: bool,
    /// Whether a conversion by a constructor is being looked for.
    converting: bool,
    /// Whether the value of the expression is not computed: functions that it calls are not made.
    is_unevaluated: bool,
    /// The lambda expressions of an initializer from which template arguments are deduced.
    made_lambdas: Option<class_deduction::MadeLambdas>,
    /// The arguments of specializations of function templates.
    specialized: FxHashMap<FunctionIndex, Vec<value::TemplateValue>>,
    /// Which of two function templates is more specialized in a call of so many arguments.
    orders: FxHashMap<(FunctionIndex, FunctionIndex, usize), Option<std::cmp::Ordering>>,
    /// The constraints of functions that the arguments of the last call did not satisfy.
    unsatisfied: FxHashMap<FunctionIndex, Span>,
    /// Kernels that host code uses.
    kernels: Vec<UsedKernel>,
    /// Types of exceptions (host).
    thrown: Vec<CType>,
    /// Instances that the source asks for, which other files may use.
    explicit: Vec<hir::FunctionId>,
    /// Classes that `template class C<int>;` instantiates.
    explicit_classes: Vec<RecordId>,
    /// Classes that stand for the types of template parameters.
    placeholders: Vec<CType>,
    /// Variables of the host that code initializes before `main`, in order.
    dynamic: Vec<(hir::GlobalId, VariableIndex)>,
    /// The type of pointers to methods in the typed program (host).
    method_pointer: Option<hir::TypeId>,
    /// Messages about declarations that no code has needed so far (host).
    quiet: Vec<Diagnostic>,
    /// Messages about the variables and types whose declarations failed.
    failed: FxHashMap<Symbol, Vec<Diagnostic>>,
    /// Classes whose members are being analyzed, and classes that they only point to (host).
    completing: u32,
    later: Vec<RecordId>,
}

/// What is around a file.
#[derive(Debug)]
pub struct Around<'k> {
    /// The kernels from templates to make; without it, those of the launches that the parser saw.
    pub kernels: Option<&'k [KernelInstance]>,
    /// The types so far.
    pub types: hir::Types,
    /// Whether the program has further files.
    pub is_part: bool,
    /// Whether the standard is C++20 or a later one.
    pub is_cpp20: bool,
}

/// Analyzes a program. Returns what could be analyzed, also when there are errors.
pub fn analyze<'a>(
    parsed: &'a Parsed,
    names: &'a Interner,
    sources: &'a Sources,
    out: &'a mut Diagnostics,
    target: Target,
    Around { kernels, types, is_part, is_cpp20 }: Around,
) -> Analyzed {
    let mut sema = Sema {
        names,
        sources,
        out,
        target,
        is_part,
        is_cpp20,
        rules: SideRules::of(target.side),
        types: CTypes::new(target),
        hir: types,
        doubles: parsed.doubles,
        double_literals: parsed.doubles && !parsed.single_literals,
        kernel_functions: FxHashMap::default(),
        vectors: FxHashMap::default(),
        scopes: Scopes::default(),
        records: Arena::default(),
        templates: Arena::default(),
        aliases: Arena::default(),
        packs: pack::Packs::default(),
        functions: Arena::default(),
        instances: Arena::default(),
        variables: Arena::default(),
        globals: Arena::default(),
        constants: FxHashMap::default(),
        strings: FxHashMap::default(),
        type_infos: FxHashMap::default(),
        pending: VecDeque::new(),
        scope: Scopes::FILE,
        function: None,
        function_count: 0,
        lambda_count: 0,
        file_lambdas: FxHashMap::default(),
        closures: Vec::new(),
        lambdas: &parsed.lambdas,
        found_closures: FxHashMap::default(),
        order: 0,
        depth: 0,
        skipped: &parsed.skipped,
        in_device_variable: false,
        deduces_exactly: false,
        converting: false,
        is_unevaluated: false,
        made_lambdas: None,
        specialized: FxHashMap::default(),
        orders: FxHashMap::default(),
        unsatisfied: FxHashMap::default(),
        kernels: Vec::new(),
        thrown: Vec::new(),
        explicit: Vec::new(),
        explicit_classes: Vec::new(),
        placeholders: Vec::new(),
        dynamic: Vec::new(),
        method_pointer: None,
        quiet: Vec::new(),
        failed: FxHashMap::default(),
        completing: 0,
        later: Vec::new(),
    };
    if sema.rules.is_open_cl {
        sema.collect_open_cl(&parsed.declarations);
    } else {
        sema.collect(&parsed.declarations);
    }
    sema.program(&parsed.launches, kernels)
}

impl Sema<'_> {
    /// Records an error.
    pub(super) fn fail<T>(&mut self, error: Diagnostic) -> Res<T> {
        self.out.push(error);
        Err(Failed)
    }

    /// Records an error with a code and a message.
    pub(super) fn error<T>(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Res<T> {
        self.fail(Diagnostic::error(code, span, message))
    }

    /// Uses some of the budget of the compilation.
    pub(super) fn spend(&mut self, what: Resource, amount: usize, span: Span) -> Res<()> {
        if self.out.spend(what, amount, span) { Ok(()) } else { Err(Failed) }
    }

    pub(super) fn unsupported<T>(&mut self, span: Span, construct: &str) -> Res<T> {
        self.fail((self.rules.unsupported)(span, construct))
    }

    /// Whether a place is in a header of the compiler.
    pub(super) fn is_builtin(&self, span: Span) -> bool {
        // A macro of the compiler is text of the program that uses it.
        let span = if self.rules.is_open_cl { self.sources.outermost(span) } else { span };
        self.sources.is_builtin(span)
    }

    /// The tables with classes.
    fn classes(&self) -> Classes<'_> {
        Classes { types: &self.types, records: &self.records, functions: &self.functions }
    }

    pub(super) fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    /// Declares a name in the current scope.
    pub(super) fn declare(&mut self, name: Symbol, entity: Entity) {
        self.scopes.get_mut(self.scope).names.insert(name, entity);
    }

    /// Runs a step in another scope.
    pub(super) fn in_scope<T>(&mut self, scope: ScopeId, step: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope, scope);
        let result = step(self);
        self.scope = outer;
        result
    }

    /// Runs a step that may instantiate templates.
    pub(super) fn deeper<T>(&mut self, span: Span, step: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= MAX_INSTANTIATION {
            // Also where an error decides between candidates.
            self.out.stop(span, format!("templates are instantiated more than {MAX_INSTANTIATION} deep"));
            return Err(Failed);
        }
        self.depth += 1;
        let result = stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || step(self));
        self.depth -= 1;
        result
    }
}

#[cfg(test)]
mod tests;
