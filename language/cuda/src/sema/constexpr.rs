//! Compile-time calls of `constexpr` functions ([expr.const]).

use super::Sema;
use super::overload::{Argument, Selected};
use super::scope::Constant;
use super::value::{Res, Value};
use crate::arena::Arena;
use crate::budget::Resource;
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, LocalId, PlaceKind, StmtKind};
use crate::source::Span;

/// Steps that the evaluation of one constant call may take.
const MAX_STEPS: u32 = 100_000;

/// Nesting of constant calls.
const MAX_CALLS: u32 = 100;

impl Sema<'_> {
    /// A call outside functions: it must be a constant.
    pub(super) fn constant_call(
        &mut self,
        selected: &Selected,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Res<Value> {
        let info = &self.functions[selected.function];
        if !info.decl.specifiers.flags.is_constexpr || info.class.is_some() && !info.is_static {
            let error = Diagnostic::error("not-constant", span, "the value must be a constant")
                .label("only `constexpr` functions can be called here");
            return self.fail(error);
        }
        let id = self.instance(selected.function, selected.arguments.clone(), span)?;
        let signature = self.instances[id].signature.clone();
        let mut values = Vec::new();
        for (argument, to) in arguments.into_iter().zip(&signature.parameters) {
            values.push(self.convert_argument(argument, *to, "for an argument")?);
        }
        match self.folded_call(id, &values, span) {
            Some(known) => Ok(Value::constant(known, signature.result.ty, span)),
            None => self.error("not-constant", span, "the call is not a constant"),
        }
    }

    /// The value of a call of a `constexpr` function with constant arguments.
    pub(super) fn folded_call(
        &mut self,
        id: hir::FunctionId,
        values: &[hir::Expr],
        span: Span,
    ) -> Option<Constant> {
        let info = &self.functions[self.instances[id].function];
        if !info.decl.specifiers.flags.is_constexpr || info.class.is_some() && !info.is_static {
            return None;
        }
        let arguments: Option<Vec<Constant>> = values.iter().map(|value| Constant::of(&value.kind)).collect();
        let arguments = arguments?;
        self.deeper(span, |sema| {
            let scope = sema.scope;
            sema.analyze_instance(id);
            sema.scope = scope;
            Ok(())
        })
        .ok()?;
        let mut steps = 0;
        let value = self.run(id, &arguments, &mut steps, 0);
        self.spend(Resource::Steps, steps as usize, span).ok()?;
        value
    }

    /// Runs the body of a function on constants.
    fn run(
        &self,
        id: hir::FunctionId,
        arguments: &[Constant],
        steps: &mut u32,
        depth: u32,
    ) -> Option<Constant> {
        let function = self.instances[id].body.as_ref()?;
        if depth > MAX_CALLS || function.parameters.len() != arguments.len() {
            return None;
        }
        let mut locals = Arena::parallel(&function.locals, |_| None);
        for (parameter, value) in function.parameters.iter().zip(arguments) {
            locals[*parameter] = Some(*value);
        }
        let mut frame = Frame { sema: self, locals, steps, depth };
        match frame.statements(&function.body)? {
            Flow::Return(value) => value,
            _ => None,
        }
    }
}

/// How statements end.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Constant>),
}

struct Frame<'s, 'a> {
    sema: &'s Sema<'a>,
    locals: Arena<LocalId, Option<Constant>>,
    steps: &'s mut u32,
    depth: u32,
}

impl Frame<'_, '_> {
    fn statements(&mut self, list: &[hir::Stmt]) -> Option<Flow> {
        for statement in list {
            match self.statement(statement)? {
                Flow::Next => {}
                flow => return Some(flow),
            }
        }
        Some(Flow::Next)
    }

    fn truth(&mut self, condition: &hir::Expr) -> Option<bool> {
        match self.value(condition)? {
            Constant::Int(int) => Some(int != 0),
            Constant::Float(_) => None,
        }
    }

    fn statement(&mut self, statement: &hir::Stmt) -> Option<Flow> {
        *self.steps += 1;
        if *self.steps > MAX_STEPS {
            return None;
        }
        match &statement.kind {
            StmtKind::Expr(expr) => {
                self.value(expr)?;
                Some(Flow::Next)
            }
            StmtKind::Declare { local, init } => {
                let value = match init {
                    Some(init) => Some(self.value(init)?),
                    None => None,
                };
                self.locals[*local] = value;
                Some(Flow::Next)
            }
            StmtKind::Block(list) => self.statements(list),
            StmtKind::Try { body, handlers } if handlers.is_empty() => self.statements(body),
            StmtKind::If { condition, then, otherwise } => {
                if self.truth(condition)? {
                    self.statements(then)
                } else {
                    self.statements(otherwise)
                }
            }
            StmtKind::While { condition, body, .. } => self.looped(&[], Some(condition), None, body, true),
            StmtKind::DoWhile { body, condition, .. } => self.looped(&[], Some(condition), None, body, false),
            StmtKind::For { init, condition, step, body, .. } => {
                self.looped(init, condition.as_ref(), step.as_ref(), body, true)
            }
            StmtKind::Break => Some(Flow::Break),
            StmtKind::Continue => Some(Flow::Continue),
            StmtKind::Return(value) => Some(Flow::Return(match value {
                Some(value) => Some(self.value(value)?),
                None => None,
            })),
            StmtKind::Switch { .. }
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Scope(_)
            | StmtKind::Try { .. } => None,
        }
    }

    fn looped(
        &mut self,
        init: &[hir::Stmt],
        condition: Option<&hir::Expr>,
        step: Option<&hir::Expr>,
        body: &[hir::Stmt],
        test_first: bool,
    ) -> Option<Flow> {
        self.statements(init)?;
        let mut test = test_first;
        loop {
            *self.steps += 1;
            if *self.steps > MAX_STEPS {
                return None;
            }
            if test
                && let Some(condition) = condition
                && !self.truth(condition)?
            {
                return Some(Flow::Next);
            }
            test = true;
            match self.statements(body)? {
                Flow::Break => return Some(Flow::Next),
                flow @ Flow::Return(_) => return Some(flow),
                Flow::Next | Flow::Continue => {}
            }
            if let Some(step) = step {
                self.value(step)?;
            }
        }
    }

    fn value(&mut self, expr: &hir::Expr) -> Option<Constant> {
        *self.steps += 1;
        if *self.steps > MAX_STEPS {
            return None;
        }
        match &expr.kind {
            Hir::Int(_) | Hir::Float(_) => Constant::of(&expr.kind),
            Hir::Load(place) => match place.kind {
                PlaceKind::Local(local) => self.locals[local],
                _ => None,
            },
            Hir::Unary(op, operand) => {
                let value = self.value(operand)?.kind();
                Constant::of(&super::constant::fold_unary(*op, &value, self.sema.hir.get(operand.ty))?)
            }
            Hir::Binary(op, left, right) => {
                let (one, two) = (self.value(left)?.kind(), self.value(right)?.kind());
                Constant::of(&super::constant::fold_binary(*op, &one, &two, self.sema.hir.get(left.ty))?)
            }
            Hir::LogicalAnd(left, right) => {
                Some(Constant::Int(i128::from(self.truth(left)? && self.truth(right)?)))
            }
            Hir::LogicalOr(left, right) => {
                Some(Constant::Int(i128::from(self.truth(left)? || self.truth(right)?)))
            }
            Hir::Conditional(condition, one, two) => {
                if self.truth(condition)? {
                    self.value(one)
                } else {
                    self.value(two)
                }
            }
            Hir::Cast(operand) => {
                let value = self.value(operand)?.kind();
                Constant::of(&self.sema.fold_cast(&value, operand.ty, expr.ty)?)
            }
            Hir::Assign(place, value) => {
                let PlaceKind::Local(local) = place.kind else { return None };
                let value = self.value(value)?;
                self.locals[local] = Some(value);
                Some(value)
            }
            Hir::Update { place, old, value, yields } => {
                let PlaceKind::Local(local) = place.kind else { return None };
                let before = self.locals[local]?;
                self.locals[*old] = Some(before);
                let after = self.value(value)?;
                self.locals[local] = Some(after);
                Some(if *yields == hir::Yields::Old { before } else { after })
            }
            Hir::Comma(first, second) => {
                self.value(first)?;
                self.value(second)
            }
            Hir::Call(id, arguments) => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(self.value(argument)?);
                }
                self.sema.run(*id, &values, self.steps, self.depth + 1)
            }
            _ => None,
        }
    }
}
