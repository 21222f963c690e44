//! Joins the files of a program.
//!
//! The device code of each file is on its own, as nvcc compiles it without `-rdc=true`: variables
//! and device functions that have equal names in several files stay apart. Host code follows the
//! rules of C++ ([basic.link]).

use crate::arena::Arena;
use crate::diagnostics::Diagnostic;
use crate::hir::references::{Reference, statements};
use crate::hir::visit::used_results;
use crate::hir::{
    Expr, ExprKind, Function, FunctionId, FunctionKind, Global, GlobalId, Inlining, Linkage, Program, START,
    Stmt, StmtKind, Storage, Thrown, Type, TypeId, Types,
};
use crate::sema::{Analyzed, UsedKernel, prune::prune};
use crate::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The names of the device code of a file.
#[derive(Debug, Default)]
pub struct Names {
    /// Its kernels.
    kernels: FxHashSet<String>,
    /// Those of its kernels that other files can launch.
    external: FxHashSet<String>,
    /// The names in PTX that differ from those in the file.
    changed: FxHashMap<String, String>,
}

/// Joins the device code of the files. Also returns the names of each file.
pub fn device(
    mut units: Vec<Analyzed>,
    types: Types,
    list: &mut Vec<Diagnostic>,
) -> Option<(Analyzed, Vec<Names>)> {
    let mut taken: FxHashMap<String, Span> = FxHashMap::default();
    let mut names: Vec<Names> = Vec::new();
    for unit in &units {
        let mut own = Names::default();
        for function in unit.program.functions.iter().filter(|one| one.kind == FunctionKind::Kernel) {
            own.kernels.insert(function.symbol.clone());
            if function.linkage == Linkage::External {
                own.external.insert(function.symbol.clone());
                if let Some(first) = taken.insert(function.symbol.clone(), function.span) {
                    list.push(defined_twice("kernel", &function.name, function.span, first));
                }
            }
        }
        names.push(own);
    }
    for (number, (unit, names)) in units.iter_mut().zip(&mut names).enumerate() {
        let Analyzed { program, entries, .. } = unit;
        let functions = program
            .functions
            .iter_mut()
            .map(|function| (&mut function.symbol, function.span, function.linkage == Linkage::External));
        let globals = program.globals.iter_mut().map(|global| (&mut global.symbol, global.span, false));
        for (symbol, span, _) in functions.chain(globals).filter(|(.., is_external)| !is_external) {
            let known = taken.contains_key(symbol);
            let name = if known { format!("{symbol}${}", number + 1) } else { symbol.clone() };
            taken.insert(name.clone(), span);
            if known {
                let before = std::mem::replace(symbol, name.clone());
                names.changed.insert(before, name);
            }
        }
        for entry in entries {
            if let Some(name) = names.changed.get(&entry.symbol) {
                entry.symbol.clone_from(name);
            }
        }
    }
    let contracts = units.iter().all(|unit| unit.contracts);
    let entries = units.iter_mut().flat_map(|unit| std::mem::take(&mut unit.entries)).collect();
    let program = joined(units.into_iter().map(|unit| unit.program), types)?;
    let (kernels, closures, has_open_kernels) = (Vec::new(), Vec::new(), false);
    Some((Analyzed { program, entries, kernels, closures, has_open_kernels, contracts }, names))
}

/// Joins the host code of the files, for device code with these names, if it has no errors.
pub fn host(
    units: Vec<Analyzed>,
    types: Types,
    names: Option<&[Names]>,
    list: &mut Vec<Diagnostic>,
) -> Option<Program> {
    let errors = |list: &[Diagnostic]| list.iter().filter(|one| one.is_error()).count();
    let before = errors(list);
    let mut programs = Vec::new();
    for (number, unit) in units.into_iter().enumerate() {
        let Analyzed { mut program, kernels, .. } = unit;
        if let Some(names) = names {
            let lacks_code = |used: &&UsedKernel| {
                let has = |names: &Names| names.external.contains(&used.symbol);
                !names[number].kernels.contains(&used.symbol) && (used.is_defined || !names.iter().any(has))
            };
            list.extend(kernels.iter().filter(lacks_code).map(without_code));
            rename(&mut program, &names[number].changed);
        }
        programs.push(program);
    }
    let is_one = programs.len() == 1;
    let mut program = joined(programs.into_iter(), types)?;
    if !is_one {
        resolve(&mut program, list);
    }
    (errors(list) == before).then_some(program)
}

/// Gives the names of device code their new form.
fn rename(program: &mut Program, changed: &FxHashMap<String, String>) {
    if changed.is_empty() {
        return;
    }
    let change = |name: &mut String| {
        if let Some(new) = changed.get(name) {
            name.clone_from(new);
        }
    };
    for global in &mut program.globals {
        if global.storage != Storage::Host || global.reference.is_some() {
            change(&mut global.symbol);
        }
    }
    for function in &mut program.functions {
        statements(&mut function.body, &mut |reference| {
            if let Reference::Kernel(name) = reference {
                change(name);
            }
        });
    }
}

/// Puts the functions and variables of programs, which have the same types, into one.
fn joined(mut programs: impl Iterator<Item = Program>, types: Types) -> Option<Program> {
    let mut whole = programs.next()?;
    whole.types = types;
    for mut program in programs {
        let functions = whole.functions.len() as u32;
        let globals = whole.globals.len() as u32;
        let thrown = merge_thrown(&mut whole.thrown, &program.thrown);
        for function in &mut program.functions {
            statements(&mut function.body, &mut |reference| match reference {
                Reference::Function(id) => id.0 += functions,
                Reference::Global(id) => id.0 += globals,
                Reference::Thrown(ty) => *ty = thrown.get(*ty as usize).copied().unwrap_or(*ty),
                Reference::Kernel(_) => {}
            });
        }
        for init in program.globals.iter_mut().filter_map(|global| global.init.as_mut()) {
            init.addresses.iter_mut().for_each(|(_, id, _)| id.0 += globals);
            init.code.iter_mut().for_each(|(_, id)| id.0 += functions);
        }
        program.functions.into_iter().for_each(|function| _ = whole.functions.push(function));
        program.globals.into_iter().for_each(|global| _ = whole.globals.push(global));
    }
    Some(whole)
}

/// Adds the types of exceptions of a file. Returns their numbers in the whole.
fn merge_thrown(whole: &mut Vec<Thrown>, own: &[Thrown]) -> Vec<u32> {
    let before = whole.len();
    let numbers: Vec<u32> = own
        .iter()
        .map(|one| {
            let known =
                whole.iter().position(|known| known.name == one.name && !one.is_local && !known.is_local);
            known.unwrap_or_else(|| {
                whole.push(one.clone());
                whole.len() - 1
            }) as u32
        })
        .collect();
    let renumbered = |bases: &[(u32, u64)]| {
        bases.iter().map(|(base, at)| (numbers[*base as usize], *at)).collect::<Vec<_>>()
    };
    for (one, number) in own.iter().zip(&numbers) {
        let bases = renumbered(&one.bases);
        let known = &mut whole[*number as usize];
        if (*number as usize) >= before {
            known.bases = bases;
        } else {
            known.bases.extend(bases.iter().filter(|base| !one.bases.contains(base)));
            known.bases.sort_unstable();
            known.bases.dedup();
        }
    }
    numbers
}

/// Finds what other files define, and what is defined twice.
fn resolve(program: &mut Program, list: &mut Vec<Diagnostic>) {
    let types = &program.types;
    let globals = definitions(&program.globals, list);
    let mut to: Arena<GlobalId, GlobalId> = program.globals.ids().collect();
    for id in program.globals.ids() {
        let global = &program.globals[id];
        if global.linkage == Linkage::Internal {
            continue;
        }
        match globals.get(global.symbol.as_str()) {
            Some(&found) if found == id => {}
            Some(&found) => {
                let other = &program.globals[found];
                if is_like(types, global.ty, other.ty) {
                    to[id] = found;
                } else {
                    let what = format!("variable `{}` has another type in another file", global.name);
                    list.push(Diagnostic::error("link", global.span, what).at(other.span, "defined here"));
                }
            }
            None => {
                let what = format!("variable `{}` is not defined in any file", global.name);
                list.push(Diagnostic::error("link", global.span, what).label("declared here"));
            }
        }
    }
    let functions = definitions(&program.functions, list);
    let mut calls: Arena<FunctionId, FunctionId> = program.functions.ids().collect();
    // Which results are used: found if a declaration has another one than its definition.
    let mut results: Option<Vec<bool>> = None;
    for id in program.functions.ids() {
        let function = &program.functions[id];
        if !matches!(function.linkage, Linkage::Undefined | Linkage::Library) {
            continue;
        }
        match functions.get(function.symbol.as_str()) {
            Some(&found)
                if has_types_of(types, function, &program.functions[found], || {
                    results.get_or_insert_with(|| used_results(program))[id.0 as usize]
                }) =>
            {
                calls[id] = found;
            }
            Some(&found) => {
                let what = format!("function `{}` has other types in another file", function.name);
                let place = program.functions[found].span;
                list.push(Diagnostic::error("link", function.span, what).at(place, "defined here"));
            }
            None if function.linkage == Linkage::Library => {}
            None => list.push(undefined(function, &program.functions)),
        }
    }
    let mut functions: Arena<FunctionId, _> =
        std::mem::take(&mut program.functions).into_iter().map(Some).collect();
    for function in functions.iter_mut().flatten() {
        statements(&mut function.body, &mut |reference| match reference {
            Reference::Function(id) => *id = calls[*id],
            Reference::Global(id) => *id = to[*id],
            Reference::Kernel(_) | Reference::Thrown(_) => {}
        });
    }
    for id in program.globals.ids() {
        let global = &mut program.globals[id];
        // The other definition is kept.
        global.visible &= to[id] == id;
        if let Some(init) = &mut global.init {
            init.addresses.iter_mut().for_each(|(_, id, _)| *id = to[*id]);
            init.code.iter_mut().for_each(|(_, id)| *id = calls[*id]);
        }
    }
    let named =
        |name: &'static str| move |one: &&Function| one.name == name && one.kind == FunctionKind::Host;
    let starts: Vec<FunctionId> =
        functions.ids().filter(|id| functions[*id].as_ref().filter(named(START)).is_some()).collect();
    let main = functions.position(|one| one.as_ref().filter(named("main")).is_some());
    let start = (!starts.is_empty()).then(|| {
        for id in &starts {
            if let Some(function) = &mut functions[*id] {
                function.name.push_str(" of a file");
            }
        }
        functions.push(Some(start(&starts)))
    });
    let roots: Vec<FunctionId> = main.into_iter().chain(start).collect();
    let globals = std::mem::take(&mut program.globals);
    (program.functions, program.globals) = prune(functions, globals, &roots);
}

/// A name that several files may have.
trait Named {
    const WHAT: &'static str;
    fn linkage(&self) -> Linkage;
    fn names(&self) -> (&str, &str, Span);
    /// Whether code would initialize it in each file.
    fn is_dynamic(&self) -> bool;
}

impl Named for Function {
    const WHAT: &'static str = "function";
    fn linkage(&self) -> Linkage {
        self.linkage
    }
    fn names(&self) -> (&str, &str, Span) {
        (&self.name, &self.symbol, self.span)
    }
    fn is_dynamic(&self) -> bool {
        false
    }
}

impl Named for Global {
    const WHAT: &'static str = "variable";
    fn linkage(&self) -> Linkage {
        self.linkage
    }
    fn names(&self) -> (&str, &str, Span) {
        (&self.name, &self.symbol, self.span)
    }
    fn is_dynamic(&self) -> bool {
        self.is_dynamic
    }
}

/// The definitions by their names in the object file: the strongest one of each name.
fn definitions<I: crate::arena::Id, T: Named>(
    all: &Arena<I, T>,
    list: &mut Vec<Diagnostic>,
) -> FxHashMap<String, I> {
    let strength = |one: &T| match one.linkage() {
        Linkage::External => 3,
        Linkage::Common => 2,
        Linkage::Weak => 1,
        Linkage::Internal | Linkage::Undefined | Linkage::Library => 0,
    };
    let mut found: FxHashMap<String, I> = FxHashMap::default();
    for id in all.ids().filter(|id| strength(&all[*id]) > 0) {
        let (name, symbol, span) = all[id].names();
        let Some(&known) = found.get(symbol) else {
            found.insert(symbol.to_owned(), id);
            continue;
        };
        let (new, old) = (strength(&all[id]), strength(&all[known]));
        if new == 3 && old == 3 {
            list.push(defined_twice(T::WHAT, name, span, all[known].names().2));
        } else if new == 1 && all[id].is_dynamic() {
            let what = format!("variable `{name}` of several files needs code that initializes it");
            let error = Diagnostic::error("unsupported", span, format!("{what}, which is not supported"));
            list.push(error.help("define it in one file, or give it a constant value"));
        } else if new > old {
            found.insert(symbol.to_owned(), id);
        }
    }
    found
}

fn defined_twice(what: &str, name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("link", span, format!("{what} `{name}` is defined in several files"))
        .at(first, "first definition")
        .help("define it in one file and declare it in the others, or make it `static` or `inline`")
}

/// The error about a function that no file defines.
fn undefined(function: &Function, all: &Arena<FunctionId, Function>) -> Diagnostic {
    let name = &function.name;
    let error =
        Diagnostic::error("link", function.origin, format!("function `{name}` is not defined in any file"))
            .at(function.span, "declared here");
    let defines =
        |one: &&Function| one.name == *name && !matches!(one.linkage, Linkage::Undefined | Linkage::Library);
    let Some(other) = all.iter().find(defines) else { return error };
    let error = error.at(other.span, "this one does not fit");
    if other.linkage == Linkage::Internal {
        return error.help("a `static` function is for its own file");
    }
    match (other.symbol == *name, function.symbol == *name) {
        (true, false) => error.help(format!("`{name}` is a function of C: declare it in `extern \"C\"`")),
        (false, true) => error.help(format!("declare `{name}` in `extern \"C\"` where it is defined")),
        _ => error.help("the types of its parameters differ"),
    }
}

/// Whether values of two types have the same form. An array may be declared without its length.
fn is_like(types: &Types, one: TypeId, other: TypeId) -> bool {
    match (types.get(one), types.get(other)) {
        (Type::Array(one, a), Type::Array(other, b)) => {
            is_like(types, one, other) && (a == b || a == 0 || b == 0)
        }
        (Type::Pointer(..), Type::Pointer(..)) | (Type::FunctionPointer(_), Type::FunctionPointer(_)) => true,
        (Type::Struct(a), Type::Struct(b)) => {
            let (a, b) = (types.layout(a), types.layout(b));
            a.size == b.size && a.align == b.align
        }
        // Signed and unsigned values have the same form.
        (Type::Int(a), Type::Int(b)) => a.bits == b.bits,
        (one, other) => one == other,
    }
}

/// Whether a declared function can be the one that another file defines. The names of C++ have the
/// types of the parameters.
fn has_types_of(
    types: &Types,
    declared: &Function,
    defined: &Function,
    is_result_used: impl FnOnce() -> bool,
) -> bool {
    let parameters = |function: &Function| -> Vec<TypeId> {
        function.parameters.iter().map(|local| function.locals[*local].ty).collect()
    };
    let (one, other) = (parameters(declared), parameters(defined));
    // A call declares a function of C with the result `int`, also one without a result.
    let returns = |function: &Function| matches!(types.get(function.result), Type::Int(_) | Type::Void);
    let is_result_like = is_like(types, declared.result, defined.result)
        || returns(declared) && returns(defined) && !is_result_used();
    declared.symbol != declared.name
        || one.len() == other.len()
            && one.iter().zip(&other).all(|(one, other)| is_like(types, *one, *other))
            && is_result_like
}

/// The function that initializes the variables of all files.
fn start(of_files: &[FunctionId]) -> Function {
    let span = Span::NONE;
    let call = |id: &FunctionId| {
        let kind = ExprKind::Call(*id, Vec::new());
        Stmt { kind: StmtKind::Expr(Expr { kind, ty: Types::VOID, span }), span }
    };
    Function {
        name: START.to_owned(),
        symbol: START.to_owned(),
        kind: FunctionKind::Host,
        linkage: Linkage::Internal,
        result: Types::VOID,
        parameters: Vec::new(),
        locals: Arena::default(),
        labels: 0,
        body: of_files.iter().map(call).collect(),
        inlining: Inlining::Auto,
        launch_bounds: None,
        attributes: String::new(),
        work_group: None,
        is_builtin: true,
        span,
        origin: span,
        end: span,
    }
}

/// A use of a kernel that no device code has.
fn without_code(used: &UsedKernel) -> Diagnostic {
    let name = &used.name;
    if used.is_defined {
        let message = format!("kernel `{name}` is not in the device code");
        return Diagnostic::error("launch", used.span, message)
            .at(used.declared, "defined here for host code only")
            .help("compile its definition also where `__CUDA_ARCH__` is defined");
    }
    Diagnostic::error("launch", used.span, format!("kernel `{name}` has no body"))
        .at(used.declared, "declared here")
        .help("name the file that defines it on the command line, too, or include it")
}
