//! Name resolution: finds the declaration of every name in an entry or function, and the form of
//! every instruction.

use super::functions::Functions;
use super::modules::Modules;
pub use super::resolved::{Arg, ArgKind, Base, Inst, Item, Resolved, Targets};
use super::scope::{Entity, Scope, Scopes, VarRef};
use crate::diag::{Diagnostic, MAX_DRAWN, is_flood};
use crate::ptx::ast::{
    CallTable, CallTargets, Function, Ident, Instruction, Literal, Operand, OperandKind, Statement, Variable,
};
use crate::ptx::forms::{self};
use crate::ptx::header::Header;
use crate::span::Span;
use crate::sreg::SReg;
use crate::types::StateSpace;
use std::collections::BTreeSet;

/// Number of lanes of a warp, the PTX constant `WARP_SZ`.
const WARP_SIZE: u64 = 32;

/// Returns the scope with the names of module number `module`: its variables and its functions.
pub fn module_scope<'a>(module: u32, modules: &Modules<'a>, functions: &Functions<'a>) -> Scope<'a> {
    let mut scope = Scope::default();
    for (name, number) in modules.variables_of(module) {
        // The layout reports duplicate variables, once.
        let span = modules.tree.variables[number as usize].name.span;
        let _ = scope.declare(name, Entity::Variable(VarRef::Module(number)), span);
    }
    for (name, number) in functions.names_of(module) {
        // Another check reports a function with the name of a variable.
        let _ = scope.declare(name, Entity::Function(number), functions.get(number).head.name.span);
    }
    scope
}

/// Resolves the body of `function` in a module with these names and this `header`. If `trusted` is
/// false, the parser has lost a declaration and undeclared names are not reported.
pub fn resolve<'a>(
    function: &'a Function,
    module: &Scope<'a>,
    trusted: bool,
    header: Header,
    diagnostics: &mut Vec<Diagnostic>,
) -> Resolved<'a> {
    let mut resolver = Resolver {
        out: Resolved::default(),
        scopes: Scopes::new(module),
        trusted,
        header,
        rejected: false,
        reported: BTreeSet::new(),
        diagnostics,
    };
    resolver.scopes.enter();
    for (i, param) in function.params.iter().enumerate() {
        let register = resolver.parameter(function, param, VarRef::Param(i as u32));
        resolver.out.params.push(register);
    }
    for (i, result) in function.returns.iter().enumerate() {
        let register = resolver.parameter(function, result, VarRef::Return(i as u32));
        resolver.out.returns.push(register);
    }
    resolver.block(function.body.as_deref().unwrap_or(&[]));
    let mut out = resolver.out;
    out.registers = resolver.scopes.registers;
    out
}

/// Returns the error for a second declaration of a name.
pub fn declared_twice(name: &Ident, earlier: Span) -> Diagnostic {
    let message = format!("`{}` is declared twice", name.name);
    Diagnostic::error("E0302", name.span, message)
        .label("declared again here")
        .at(earlier, "first declared here")
}

struct Resolver<'a, 'd> {
    out: Resolved<'a>,
    scopes: Scopes<'a, 'd>,
    trusted: bool,
    header: Header,
    /// Whether the current instruction has been rejected. Its names may then be of unknown kinds,
    /// such as functions.
    rejected: bool,
    reported: BTreeSet<&'a str>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'a> Resolver<'a, '_> {
    fn declare(&mut self, name: &'a Ident, entity: Entity) {
        if let Err(earlier) = self.scopes.declare(name.name, entity, name.span) {
            self.diagnostics.push(declared_twice(name, earlier));
        }
    }

    /// Declares a parameter. Returns its register if the parameter is a register.
    fn parameter(&mut self, function: &Function, param: &'a Variable, place: VarRef) -> Option<u32> {
        if function.entry || param.space != StateSpace::Reg {
            self.declare(&param.name, Entity::Variable(place));
            return None;
        }
        let number = self.scopes.registers.len() as u32;
        match self.scopes.declare_register(param.name.name, param.ty, param.name.span) {
            Ok(()) => Some(number),
            Err(earlier) => {
                self.diagnostics.push(declared_twice(&param.name, earlier));
                None
            }
        }
    }

    /// Resolves a `{ }` in a new scope. Labels are visible in the whole block, variables from their
    /// declaration on.
    fn block(&mut self, statements: &'a [Statement]) {
        self.scopes.enter();
        for statement in statements {
            if let Statement::Label(label) = statement {
                self.declare(label, Entity::Label(self.out.labels.len() as u32));
                self.out.labels.push(label.name);
            }
            if let Statement::CallTable(table) = statement {
                self.call_table(table);
            }
        }
        for statement in statements {
            if is_flood(self.diagnostics) {
                break;
            }
            match statement {
                Statement::Variable(variable) => self.variable(variable),
                Statement::Label(label) => {
                    if let Some(Entity::Label(number)) = self.scopes.find(label.name) {
                        self.out.items.push(Item::Label(number));
                    }
                }
                Statement::Instruction(instruction) => self.instruction(instruction),
                Statement::Block(inner) => self.block(inner),
                Statement::Loc { .. } | Statement::CallTable(_) => {}
            }
        }
        self.scopes.leave();
    }

    /// Declares a call table: the possible targets of indirect calls.
    fn call_table(&mut self, table: &'a CallTable) {
        let targets = match &table.targets {
            CallTargets::Prototype { returns, params } => Targets::Prototype(returns, params),
            CallTargets::Functions(names) => Targets::Functions(
                names.iter().filter_map(|name| self.function(name.name, name.span)).collect(),
            ),
            // Its label has been declared; the branches that use it have been rewritten.
            CallTargets::Labels(_) => return,
        };
        self.declare(&table.name, Entity::CallTable(self.out.call_tables.len() as u32));
        self.out.call_tables.push(targets);
    }

    fn function(&mut self, name: &'a str, span: Span) -> Option<u32> {
        match self.name(name, 0, span, false)? {
            ArgKind::Function(number) => Some(number),
            _ => self.wrong_kind(name, span, "expected a function"),
        }
    }

    fn variable(&mut self, variable: &'a Variable) {
        let Variable { name, ty, .. } = variable;
        if variable.space != StateSpace::Reg {
            let reference = VarRef::Function(self.out.variables.len() as u32);
            self.out.variables.push(variable);
            self.declare(name, Entity::Variable(reference));
            return;
        }
        if variable.vector > 1 || !variable.dims.is_empty() {
            let message = "vector registers are not supported by this simulator";
            self.diagnostics.push(Diagnostic::error("E0402", variable.span, message).label("not supported"));
        }
        let declared = match variable.range {
            Some(count) => self.scopes.declare_range(name.name, count, *ty, name.span),
            None => self.scopes.declare_register(name.name, *ty, name.span),
        };
        if let Err(earlier) = declared {
            self.diagnostics.push(declared_twice(name, earlier));
        }
    }

    fn instruction(&mut self, instruction: &'a Instruction) {
        // Functions of a lowered module keep their `.param` parameters.
        let passes = instruction.opcode.name == "st"
            && instruction.modifiers.first().is_some_and(|word| word.name == "param");
        let header = if passes && self.header.is_lowered() { Header::any() } else { self.header };
        let form = forms::form_in(instruction, &header);
        self.rejected = form.is_err();
        let jumps = instruction.opcode.name == "bra";
        let scalar = matches!(instruction.opcode.name, "ld" | "ldu" | "st");
        let mut whole = true;
        let guard = instruction.guard.as_ref().and_then(|(name, negated)| {
            let register = self.register(name.name, name.span);
            whole &= register.is_some();
            register.map(|register| (register, *negated, name.span))
        });
        let mut operands = Vec::with_capacity(instruction.operands.len());
        for operand in &instruction.operands {
            match self.operand(operand, jumps, scalar) {
                Some(arg) => operands.push(arg),
                None => whole = false,
            }
        }
        let name_span = instruction
            .modifiers
            .last()
            .map_or(instruction.opcode.span, |last| instruction.opcode.span.to(last.span));
        match form {
            Err(errors) => self.diagnostics.extend(errors),
            Ok(form) if whole => {
                let span = instruction.span;
                self.out.items.push(Item::Inst(Box::new(Inst { form, guard, operands, span, name_span })));
            }
            Ok(_) => {}
        }
    }

    /// Resolves an operand. `jumps`: of a branch. `scalar`: of a load or store, whose data may be
    /// one register in braces.
    fn operand(&mut self, operand: &'a Operand, jumps: bool, scalar: bool) -> Option<Arg> {
        let span = operand.span;
        let kind = match &operand.kind {
            OperandKind::Name(name) => self.name(name, 0, span, jumps)?,
            OperandKind::NameOffset(name, offset) => self.name(name, *offset, span, jumps)?,
            OperandKind::Literal(literal) => ArgKind::Literal(*literal),
            OperandKind::Not(name) => ArgKind::Not(self.register(name, span)?),
            OperandKind::Part { name, negated, selector } => {
                ArgKind::Part { register: self.register(name, span)?, negated: *negated, selector: *selector }
            }
            OperandKind::Pair(p, q) => ArgKind::Pair(self.half(p, span)?, self.half(q, span)?),
            OperandKind::Memory { base, offset } => {
                let base = match base {
                    None => Base::Zero,
                    Some(base) => match self.name(base.name, 0, base.span, false)? {
                        ArgKind::Register(register) => Base::Register(register),
                        ArgKind::Address(variable, _) => Base::Variable(variable),
                        _ => {
                            let label = "expected a register or a variable as the base of the address";
                            return self.wrong_kind(base.name, base.span, label);
                        }
                    },
                };
                ArgKind::Memory(base, *offset)
            }
            // The data of an access of one element, which the form allows.
            OperandKind::Vector(elements) if scalar && elements.len() == 1 => {
                return self.operand(&elements[0], jumps, false);
            }
            OperandKind::Vector(elements) => {
                let args: Vec<_> =
                    elements.iter().map(|element| self.operand(element, false, false)).collect();
                ArgKind::Vector(args.into_iter().collect::<Option<_>>()?)
            }
            OperandKind::Sink => ArgKind::Sink,
            // The operand list of a texture instruction belongs to an unsupported form, which has
            // its own error.
            OperandKind::List(elements) => {
                let args: Vec<_> =
                    elements.iter().map(|element| self.operand(element, false, false)).collect();
                ArgKind::List(args.into_iter().collect::<Option<_>>()?)
            }
        };
        Some(Arg { kind, span })
    }

    /// Resolves one side of `p|q`.
    #[expect(
        clippy::option_option,
        reason = "`Some(None)` is `_`, a side without a register; `None` is an unknown name"
    )]
    fn half(&mut self, name: &'a str, span: Span) -> Option<Option<u32>> {
        if name == "_" { Some(None) } else { self.register(name, span).map(Some) }
    }

    fn register(&mut self, name: &'a str, span: Span) -> Option<u32> {
        match self.name(name, 0, span, false)? {
            ArgKind::Register(register) => Some(register),
            _ => self.wrong_kind(name, span, "expected a register"),
        }
    }

    fn name(&mut self, name: &'a str, offset: i64, span: Span, jumps: bool) -> Option<ArgKind> {
        match self.scopes.find(name) {
            Some(Entity::Variable(variable)) => {
                if let VarRef::Module(number) = variable {
                    self.out.used.insert(number);
                }
                Some(ArgKind::Address(variable, offset))
            }
            Some(_) if offset != 0 => {
                self.wrong_kind(name, span, "only the address of a variable can have an offset")
            }
            Some(Entity::Register(register)) => Some(ArgKind::Register(register)),
            Some(Entity::Label(label)) => Some(ArgKind::Label(label)),
            Some(Entity::Function(number)) => Some(ArgKind::Function(number)),
            Some(Entity::CallTable(number)) => Some(ArgKind::CallTable(number)),
            None => self.special(name, span, jumps),
        }
    }

    /// Resolves an undeclared name: a special register, a constant, or an error.
    fn special(&mut self, name: &'a str, span: Span, jumps: bool) -> Option<ArgKind> {
        if let Some(special) = SReg::from_name(name) {
            self.diagnostics.extend(self.header.rejection(name, &special.needs(), span));
            return Some(ArgKind::Special(special));
        }
        if name == "WARP_SZ" {
            return Some(ArgKind::Literal(Literal::Int { value: WARP_SIZE, negative: false }));
        }
        // The parser never loses a label, because each label is a separate statement.
        if self.rejected || !(self.trusted || jumps) || !self.reported.insert(name) {
            return None;
        }
        // Further diagnostics are not drawn and need no hint.
        let hints = self.diagnostics.len() < MAX_DRAWN;
        let (diagnostic, hint) = if jumps {
            let hint = self.scopes.hint(name, |entity| hints && matches!(entity, Entity::Label(_)));
            (
                Diagnostic::error("E0303", span, format!("unknown label `{name}`"))
                    .label("not found in this function"),
                hint,
            )
        } else {
            let hint = self.scopes.hint(name, |_| hints);
            let message = format!("`{name}` is not declared");
            (Diagnostic::error("E0301", span, message).label("not found in this scope"), hint)
        };
        self.diagnostics.push(match hint {
            Some(hint) => diagnostic.help(hint),
            None => diagnostic,
        });
        None
    }

    fn wrong_kind<T>(&mut self, name: &str, span: Span, label: &str) -> Option<T> {
        self.diagnostics
            .push(Diagnostic::error("E0304", span, format!("`{name}` is not allowed here")).label(label));
        None
    }
}
