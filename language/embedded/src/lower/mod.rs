//! Typed host functions to portable code.

mod cleanup;
mod expression;
mod inline;
mod place;
mod statement;
mod unset;

use crate::code::{FUNCTIONS, Function, Global, Home, Instr, Launch, Local, Program, Reg, Variable};
use crate::optimize::optimize;
use cuda::hir::{self, LocalId, PlaceKind, Storage, Type, TypeId, Types};
use cuda::source::Span;
use rustc_hash::FxHashMap;

/// Why a program cannot be lowered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// Largest number of registers of a function.
const MOST_REGISTERS: usize = 60_000;

/// Tables that functions share.
struct Shared<'p> {
    program: &'p hir::Program,
    library: Vec<String>,
    kernels: Vec<String>,
    launches: Vec<Launch>,
    handlers: Vec<Vec<Option<u32>>>,
    /// Whether calls of a function are lowered in place, as far as known.
    small: FxHashMap<usize, bool>,
    /// The functions whose results are used, once a function ends without one.
    used: Option<Vec<bool>>,
}

impl Shared<'_> {
    fn types(&self) -> &Types {
        &self.program.types
    }

    /// The number of a function of the library.
    fn library(&mut self, name: &str) -> u32 {
        number_of(&mut self.library, name)
    }

    fn kernel(&mut self, name: &str) -> u32 {
        number_of(&mut self.kernels, name)
    }

    /// Whether a call of a function uses its result, or may.
    fn is_used(&mut self, function: &hir::Function) -> bool {
        let used = self.used.get_or_insert_with(|| hir::visit::used_results(self.program));
        let at = self.program.functions.position(|one| std::ptr::eq(one, function));
        at.is_none_or(|at| used[at.0 as usize])
    }
}

fn number_of(list: &mut Vec<String>, name: &str) -> u32 {
    let at = list.iter().position(|known| known == name).unwrap_or_else(|| {
        list.push(name.to_owned());
        list.len() - 1
    });
    at as u32
}

/// Lowers the host half of a program.
///
/// # Errors
///
/// The program has no `main`, needs a function that the library lacks, or is too large.
pub fn lower(program: &hir::Program) -> Result<Program, Problem> {
    let main = program.functions.position(|function| function.name == "main");
    let Some(main) = main else {
        return Err(Problem { message: "the program has no `main`".to_owned(), span: Span::NONE });
    };
    let start = program.functions.position(|function| function.name == cuda::hir::START);
    let mut shared = Shared {
        program,
        library: Vec::new(),
        kernels: Vec::new(),
        launches: Vec::new(),
        handlers: Vec::new(),
        used: None,
        small: FxHashMap::default(),
    };
    let mut functions = Vec::with_capacity(program.functions.len());
    for function in &program.functions {
        let made = Lowerer::new(&mut shared, function).run();
        // The headers of the compiler are not the user's to correct.
        let is_users = !function.is_builtin || function.origin == Span::NONE;
        let place = |problem: Problem| {
            if is_users { problem } else { Problem { span: function.origin, ..problem } }
        };
        functions.push(made.map_err(place)?);
    }
    for function in &mut functions {
        optimize(function, &shared.launches);
    }
    let globals = program.globals.iter().map(|global| lower_global(program, global)).collect();
    let parameters = program.functions[main].parameters.len();
    let Shared { library, kernels, launches, handlers, .. } = shared;
    Ok(Program {
        globals,
        functions,
        start: start.map(|start| start.0),
        thrown: program.thrown.clone(),
        handlers,
        main: (main.0, parameters),
        library,
        kernels,
        launches,
    })
}

/// The address of a function of the host.
fn function_address(function: hir::FunctionId) -> u64 {
    FUNCTIONS + 16 * u64::from(function.0)
}

fn lower_global(program: &hir::Program, global: &hir::Global) -> Global {
    let none = hir::Initializer { bytes: Vec::new(), addresses: Vec::new(), code: Vec::new() };
    let hir::Initializer { mut bytes, addresses, code } = global.init.clone().unwrap_or(none);
    for (at, function) in code {
        if let Some(place) = bytes.get_mut(at as usize..at as usize + 8) {
            place.copy_from_slice(&function_address(function).to_le_bytes());
        }
    }
    Global {
        name: global.name.as_str().into(),
        device: (global.storage != Storage::Host || global.reference.is_some())
            .then(|| global.symbol.clone()),
        reference: global.reference,
        size: program.types.size(global.ty),
        bytes,
        addresses: addresses.into_iter().map(|(at, of, plus)| (at, of.0, plus)).collect(),
        span: global.span,
    }
}

/// Instructions that jump to a place that is not known yet.
#[derive(Debug, Default)]
struct Label {
    at: Option<u32>,
    jumps: Vec<usize>,
}

/// State of a function.
struct Lowerer<'s, 'p> {
    shared: &'s mut Shared<'p>,
    function: &'p hir::Function,
    code: Vec<Instr>,
    spans: Vec<Span>,
    span: Span,
    /// Place of the call whose function is lowered in place, and the nesting of such calls.
    place: Option<Span>,
    nested: u32,
    homes: Vec<Home>,
    variables: Vec<Variable>,
    /// The next free register, and the largest so far.
    next: usize,
    most: usize,
    labels: Vec<Label>,
    /// Label behind, and label of the next iteration, of loops and switches.
    targets: Vec<(usize, Option<usize>)>,
    /// Registers with the marks of the scopes that are open, and how many were open at each target.
    marks: Vec<Reg>,
    target_marks: Vec<usize>,
    continue_marks: Vec<usize>,
    /// Marks of the scopes around each label of the source: numbers of scopes.
    label_scopes: FxHashMap<u32, Vec<u32>>,
    open_scopes: Vec<u32>,
    scopes: u32,
    /// Labels of the source.
    named: FxHashMap<u32, usize>,
    /// Register with the address for the result, if that is a structure.
    result: Option<Reg>,
    problem: Option<Problem>,
}

impl<'s, 'p> Lowerer<'s, 'p> {
    fn new(shared: &'s mut Shared<'p>, function: &'p hir::Function) -> Self {
        Self {
            shared,
            function,
            code: Vec::new(),
            spans: Vec::new(),
            span: function.span,
            place: None,
            nested: 0,
            homes: Vec::new(),
            variables: Vec::new(),
            next: 0,
            most: 1,
            labels: Vec::new(),
            targets: Vec::new(),
            marks: Vec::new(),
            target_marks: Vec::new(),
            continue_marks: Vec::new(),
            label_scopes: FxHashMap::default(),
            open_scopes: Vec::new(),
            scopes: 0,
            named: FxHashMap::default(),
            result: None,
            problem: None,
        }
    }

    fn run(mut self) -> Result<Function, Problem> {
        self.enter();
        let mut scopes = Vec::new();
        cleanup::scopes_of_labels(&self.function.body, &mut scopes, &mut 0, &mut self.label_scopes);
        for statement in &self.function.body {
            self.statement(statement);
        }
        self.span = self.function.end;
        let is_void = self.function.result == Types::VOID;
        // `main` returns 0 at its end.
        if self.function.name == "main" {
            self.emit(Instr::Const { to: 0, value: 0 });
            self.emit(Instr::Return);
        } else {
            // The end of a function whose result no call uses is no mistake (C99 6.9.1/12).
            let ends = is_void || !self.shared.is_used(self.function);
            self.emit(if ends { Instr::Return } else { Instr::NoResult });
        }
        self.resolve();
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        if self.most > MOST_REGISTERS {
            let message = format!("function `{}` is too large", self.function.name);
            return Err(Problem { message, span: self.function.span });
        }
        Ok(Function {
            name: self.function.name.clone(),
            span: self.function.span,
            is_builtin: self.function.is_builtin,
            code: self.code,
            spans: self.spans,
            firsts: Vec::new(),
            registers: self.most as u16,
            locals: locals(self.function, &self.homes),
            variables: self.variables,
        })
    }

    /// Gives each local its register or memory, and copies parameters into memory.
    fn enter(&mut self) {
        let function = self.function;
        let mut addressed = vec![false; function.locals.len()];
        mark_addressed(&function.body, &mut addressed);
        if !function.is_builtin {
            unset::mark_unset(function, &mut addressed);
        }
        if self.is_aggregate(function.result) {
            self.result = Some(self.register());
        }
        let arguments: Vec<(LocalId, Reg)> =
            function.parameters.iter().map(|local| (*local, self.register())).collect();
        let mut homes = vec![None; function.locals.len()];
        if let (Some(result), Some(local)) = (self.result, cleanup::returned_variable(&function.body)) {
            homes[local.0 as usize] = Some(Home::Memory(result));
        }
        for (local, register) in &arguments {
            let at = local.0 as usize;
            let ty = function.locals[*local].ty;
            if self.types().as_struct(ty).is_some_and(|layout| layout.is_destroyed) {
                homes[at] = Some(Home::Memory(*register));
                continue;
            }
            let in_register = !addressed[at] && !self.is_aggregate(ty);
            if in_register {
                homes[at] = Some(Home::Register(*register));
            }
        }
        for (at, local) in function.locals.iter().enumerate() {
            if homes[at].is_some() {
                continue;
            }
            let memory = addressed[at] || self.is_aggregate(local.ty);
            if memory && local.kind == hir::LocalKind::Temporary {
                let number = self.new_variable(&local.name, local.ty, local.span);
                homes[at] = Some(Home::Late(number));
                continue;
            }
            let register = self.register();
            homes[at] = Some(if addressed[at] || self.is_aggregate(local.ty) {
                self.variable(&local.name, local.ty, local.span, register);
                Home::Memory(register)
            } else {
                Home::Register(register)
            });
        }
        self.homes = homes.into_iter().flatten().collect();
        for (local, register) in arguments {
            if let Home::Memory(address) = self.homes[local.0 as usize]
                && address != register
            {
                let ty = function.locals[local].ty;
                if self.is_aggregate(ty) {
                    self.copy(address, register, ty);
                } else {
                    let access = self.access(ty);
                    self.emit(Instr::Store { access, from: register, base: address, offset: 0 });
                }
            }
        }
    }

    /// Makes memory for a variable, whose address a register gets.
    fn variable(&mut self, name: &str, ty: TypeId, span: Span, to: Reg) {
        let number = self.new_variable(name, ty, span);
        self.emit(Instr::Variable { to, variable: number });
    }

    /// Adds a variable in memory.
    fn new_variable(&mut self, name: &str, ty: TypeId, span: Span) -> u32 {
        let number = self.variables.len() as u32;
        self.variables.push(Variable { name: name.into(), size: self.size(ty), span });
        number
    }

    /// The address of a local in memory.
    fn home(&mut self, local: LocalId) -> Home {
        let home = self.homes[local.0 as usize];
        let Home::Late(variable) = home else { return home };
        let to = self.register();
        self.emit(Instr::Variable { to, variable });
        Home::Memory(to)
    }

    fn types(&self) -> &Types {
        self.shared.types()
    }

    fn size(&self, ty: TypeId) -> u64 {
        self.types().size(ty)
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.types().get(ty), Type::Struct(_) | Type::Array(..))
    }

    /// A new register.
    fn register(&mut self) -> Reg {
        let register = self.next;
        self.next += 1;
        self.most = self.most.max(self.next);
        register.min(MOST_REGISTERS) as Reg
    }

    fn emit(&mut self, instr: Instr) {
        self.code.push(instr);
        self.spans.push(self.place.unwrap_or(self.span));
    }

    fn fail(&mut self, message: impl Into<String>) {
        if self.problem.is_none() {
            self.problem = Some(Problem { message: message.into(), span: self.span });
        }
    }

    fn label(&mut self) -> usize {
        self.labels.push(Label::default());
        self.labels.len() - 1
    }

    /// Defines a label here.
    fn place_label(&mut self, label: usize) {
        self.labels[label].at = Some(self.code.len() as u32);
    }

    /// Emits an instruction whose target is a label.
    fn jump(&mut self, label: usize, instr: Instr) {
        self.labels[label].jumps.push(self.code.len());
        self.emit(instr);
    }

    fn resolve(&mut self) {
        for label in &self.labels {
            let at = label.at.unwrap_or(0);
            for jump in &label.jumps {
                *self.code[*jump].target_mut().expect("only jumps have labels") = at;
            }
        }
    }
}

/// The parameters and variables of a function, with their scopes.
fn locals(function: &hir::Function, homes: &[Home]) -> Vec<Local> {
    if function.is_builtin {
        return Vec::new();
    }
    let mut ends = vec![function.end.end; function.locals.len()];
    end_scopes(&function.body, &mut ends);
    // The outermost scope has the closing brace, too.
    for local in declared(&function.body).chain(function.parameters.iter().copied()) {
        ends[local.0 as usize] = function.end.end;
    }
    let all = function.locals.iter().zip(homes).zip(ends);
    let named =
        all.filter(|((local, _), _)| local.kind != hir::LocalKind::Temporary && !local.name.is_empty());
    let made = named.map(|((local, home), end)| Local {
        name: local.name.clone(),
        ty: local.ty.0,
        c_type: local.c_type.clone(),
        home: *home,
        span: local.span,
        end,
    });
    made.collect()
}

/// The variables that statements declare themselves.
fn declared(list: &[hir::Stmt]) -> impl Iterator<Item = LocalId> {
    list.iter().filter_map(|statement| match &statement.kind {
        hir::StmtKind::Declare { local, .. } => Some(*local),
        _ => None,
    })
}

/// Ends the scopes of the variables that statements declare at the end of the last one. Returns
/// this end.
fn end_scopes(list: &[hir::Stmt], ends: &mut [u32]) -> u32 {
    let end = |span: Span| if span.is_expanded() { 0 } else { span.end };
    let mut last = 0;
    for statement in list {
        last = last.max(end(statement.span));
        for expr in hir::visit::own_expressions(statement) {
            hir::visit::visit_expr(expr, &mut |expr| last = last.max(end(expr.span)));
        }
        let bodies = hir::visit::bodies(statement);
        let inner = bodies.into_iter().map(|(body, _)| end_scopes(body, ends)).max().unwrap_or(0);
        // The variables of a `for` live up to the end of its body.
        if let hir::StmtKind::For { init, .. } = &statement.kind {
            declared(init).for_each(|local| ends[local.0 as usize] = inner);
        }
        last = last.max(inner);
    }
    declared(list).for_each(|local| ends[local.0 as usize] = last);
    last
}

/// Marks the locals whose address is taken.
fn mark_addressed(list: &[hir::Stmt], marks: &mut [bool]) {
    let mut mark = |expr: &hir::Expr| {
        if let hir::ExprKind::AddressOf(place) = &expr.kind {
            let mut place = place;
            loop {
                match &place.kind {
                    PlaceKind::Local(local) => {
                        marks[local.0 as usize] = true;
                        break;
                    }
                    PlaceKind::Field(inner, _) | PlaceKind::Bits(inner, ..) | PlaceKind::Index(inner, _) => {
                        place = inner;
                    }
                    PlaceKind::Global(_) | PlaceKind::Deref(_) => break,
                }
            }
        }
    };
    hir::visit::statements(list, &mut mark);
}
