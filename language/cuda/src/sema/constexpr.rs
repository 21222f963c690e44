//! Constant expressions: where their values are computed, and constant objects ([expr.const]).

use std::rc::Rc;

use super::Sema;
use super::assign::root_global;
use super::cells::{Cells, Run, Stop, Value as Computed};
use super::evaluation::Evaluator;
use super::function::FunctionState;
use super::scope::Constant;
use super::types::{CType, CTypes, Qual, RecordId};
use super::value::{Res, Value};
use crate::budget::Resource;
use crate::diagnostics::Diagnostic;
use crate::hir::visit::Effects;
use crate::hir::{self, ExprKind as Hir, GlobalId, LocalId, LocalKind, Place, PlaceKind};
use crate::source::Span;
use crate::syntax::ast::Initializer;

/// Steps that the evaluation of one constant expression may take.
const MAX_STEPS: u32 = 1_000_000;

/// Steps that the evaluation of what need not be a constant may take.
const MAX_STEPS_OF_OTHERS: u32 = 100_000;

impl Sema<'_> {
    /// Evaluates with the bodies of all functions that are called.
    fn evaluate<T>(
        &mut self,
        max_steps: u32,
        span: Span,
        step: impl Fn(&mut Evaluator<'_, '_>) -> Run<T>,
    ) -> Run<T> {
        let mut steps = 0;
        let result = loop {
            let mut evaluator = Evaluator::new(self, steps, max_steps);
            let result = step(&mut evaluator);
            steps = evaluator.steps;
            let Err(Stop::Missing(id)) = result else { break result };
            if !self.analyzed_early(id, span) {
                break Err(Stop::Unknown);
            }
        };
        self.spend(Resource::Steps, steps as usize, span).map_err(|_| Stop::Unknown)?;
        result
    }

    /// Analyzes the body of a function that a constant expression calls. A body with errors is
    /// analyzed again, and they are reported, if the program needs the function.
    fn analyzed_early(&mut self, id: hir::FunctionId, span: Span) -> bool {
        let mark = self.out.mark();
        let analyzed = self.deeper(span, |sema| {
            let scope = sema.scope;
            sema.analyze_instance(id);
            sema.scope = scope;
            Ok(())
        });
        let is_made = self.instances[id].body.is_some();
        if analyzed.is_ok() && !is_made {
            self.out.truncate(mark);
            self.instances[id].started = false;
        }
        is_made
    }

    /// Runs a step that makes an expression only to evaluate it: its temporary objects are not part
    /// of the function around it.
    pub(super) fn as_constant<T>(&mut self, step: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let count = self.function.as_ref().map(|function| function.locals.len());
        if count.is_none() {
            self.function = Some(FunctionState { in_template: true, ..FunctionState::new(0, "") });
        }
        let deferred = self.set_deferred(false);
        let result = step(self);
        self.set_deferred(deferred);
        match (count, &mut self.function) {
            (Some(count), Some(function)) => function.locals.truncate(count),
            _ => self.function = None,
        }
        result
    }

    /// The number that an expression is.
    pub(super) fn constant_value(&mut self, expr: &hir::Expr) -> Run<Constant> {
        if let Some(known) = Constant::of(&expr.kind) {
            return Ok(known);
        }
        if self.rules.is_c {
            return Err(Stop::Unknown);
        }
        let value = self.evaluate(MAX_STEPS, expr.span, |run| {
            let mut frame = run.around(None);
            run.value(&mut frame, expr)
        })?;
        match value {
            Computed::Scalar(scalar) => scalar.constant().ok_or(Stop::Unknown),
            _ => Err(Stop::Unknown),
        }
    }

    /// The value of a call of a `constexpr` function with constant arguments.
    pub(super) fn folded_call(
        &mut self,
        id: hir::FunctionId,
        values: &[hir::Expr],
        span: Span,
    ) -> Option<Constant> {
        let instance = &self.instances[id];
        let result = instance.signature.result.ty;
        if !self.functions[instance.function].decl.specifiers.flags.is_constexpr
            || !self.has_number(result)
            || !values.iter().all(|value| self.is_constant(value))
        {
            return None;
        }
        let value = self.evaluate(MAX_STEPS_OF_OTHERS, span, |run| {
            let mut frame = run.around(None);
            let values = values.iter().map(|value| run.value(&mut frame, value));
            let values = values.collect::<Run<Vec<_>>>()?;
            run.call(id, values, span)
        });
        match value {
            Ok(Computed::Scalar(scalar)) => scalar.constant(),
            _ => None,
        }
    }

    /// Whether objects of a type are numbers: their values are known without an object.
    pub(super) fn has_number(&self, ty: CType) -> bool {
        self.types.is_arithmetic(ty) || self.types.is_enum(ty)
    }

    /// Whether an expression is made of literals and constant objects alone.
    fn is_constant(&self, expr: &hir::Expr) -> bool {
        match &expr.kind {
            Hir::Int(_) | Hir::Float(_) | Hir::Zero | Hir::FunctionAddress(_) => true,
            Hir::Aggregate(list) => list.iter().all(|one| self.is_constant(one)),
            Hir::Cast(inner) => self.is_constant(inner),
            Hir::Load(place) | Hir::AddressOf(place) => self.is_constant_place(place),
            _ => false,
        }
    }

    fn is_constant_place(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(local) => self.constant_local(*local).is_some(),
            PlaceKind::Global(global) => {
                self.constants.contains_key(global) || self.is_string_literal(*global)
            }
            PlaceKind::Deref(pointer) => self.is_constant(pointer),
            PlaceKind::Field(inner, _) | PlaceKind::Bits(inner, ..) => self.is_constant_place(inner),
            PlaceKind::Index(inner, index) => self.is_constant_place(inner) && self.is_constant(index),
        }
    }

    /// The value of a variable of the function that is a constant object.
    pub(super) fn constant_local(&self, local: LocalId) -> Option<&Rc<Cells>> {
        self.function.as_ref().and_then(|function| function.constants.get(&local))
    }

    /// Whether a variable is a string literal.
    fn is_string_literal(&self, global: GlobalId) -> bool {
        let init = self.globals[global].init.as_ref();
        init.is_some_and(|init| self.strings.get(&init.bytes) == Some(&global))
    }

    /// The value of a constant variable of the program, or of a string literal.
    pub(super) fn constant_cells(&self, global: GlobalId) -> Option<Rc<Cells>> {
        if let Some(known) = self.constants.get(&global) {
            return Some(known.clone());
        }
        let init = self.globals[global].init.as_ref().filter(|_| self.is_string_literal(global))?;
        Some(Rc::new(Cells::of_text(&init.bytes)))
    }

    /// The number that a part of a constant object is.
    pub(super) fn constant_part(&mut self, place: &PlaceKind, ty: Qual, span: Span) -> Option<Constant> {
        let is_constant = root_global(place).is_some_and(|global| self.constants.contains_key(&global));
        if !is_constant || !self.has_number(ty.ty) || Effects::of_place(place).any() {
            return None;
        }
        let place = self.make_place(place.clone(), ty, span).ok()?;
        if !self.is_constant_place(&place) {
            return None;
        }
        let load = self.make(Hir::Load(Box::new(place)), ty.ty, span).ok()?;
        self.constant_value(&load).ok()
    }

    /// The value of a `constexpr` object or of another object that a constant initializes, which is
    /// no number. Undefined behavior of the initializer of a `constexpr` variable is an error.
    pub(super) fn constant_object(
        &mut self,
        ty: Qual,
        init: Option<&Initializer>,
        is_constexpr: bool,
        span: Span,
    ) -> Option<Rc<Cells>> {
        if self.rules.is_c || self.types.referent(ty.ty).is_some() || self.classes().is_destroyed(ty.ty) {
            return None;
        }
        // Code initializes other variables of the host.
        if !is_constexpr && !self.in_device_variable && !self.rules.has_device_code {
            return None;
        }
        // As nvcc: the pointer to the table of a class with virtual functions is no constant.
        let (element, _) = self.types.all_elements(ty.ty);
        let has_table = |id: RecordId| !self.records[id].slots.is_empty();
        if !is_constexpr && self.types.record(element).is_some_and(has_table) {
            return None;
        }
        let mark = self.out.mark();
        let made = self.as_constant(|sema| {
            let plain = ty.unqualified();
            sema.require_complete(plain.ty, span)?;
            let local = sema.new_local(String::new(), plain, LocalKind::Temporary, span)?;
            let place = Value::place(PlaceKind::Local(local), plain, span);
            let mut parts = Vec::new();
            match init {
                Some(init) => sema.initialize(&place, init, &mut parts)?,
                None => sema.construct_default(&place, &mut parts)?,
            }
            Ok(sema.initialized(local, &parts, MAX_STEPS, span))
        });
        self.out.truncate(mark);
        self.checked(made.ok()?, is_constexpr, span)
    }

    /// The value of a variable of the function that expressions initialize.
    fn initialized(
        &mut self,
        local: LocalId,
        parts: &[hir::Expr],
        max_steps: u32,
        span: Span,
    ) -> Run<Rc<Cells>> {
        self.evaluate(max_steps, span, |run| {
            let mut frame = run.around(Some(local));
            for part in parts {
                run.value(&mut frame, part)?;
            }
            run.finished(&mut frame, local)
        })
    }

    /// The result of an evaluation, if there is one. Undefined behavior in the initializer of a
    /// `constexpr` variable is an error.
    pub(super) fn checked<T>(&mut self, result: Run<T>, is_constexpr: bool, span: Span) -> Option<T> {
        if let (Err(Stop::Undefined(problem, at)), true) = (&result, is_constexpr) {
            let message = "the initializer of a `constexpr` variable must be a constant";
            let error = Diagnostic::error("not-constant", span, message);
            self.out.push(if *at == span { error.label(*problem) } else { error.at(*at, *problem) });
        }
        result.ok()
    }

    /// Notes the value of a `constexpr` variable of the function.
    pub(super) fn note_constant(&mut self, local: LocalId, parts: &[hir::Expr], span: Span) {
        if self.rules.is_c {
            return;
        }
        let made = self.initialized(local, parts, MAX_STEPS, span);
        if let (Some(cells), Some(function)) = (self.checked(made, true, span), &mut self.function) {
            function.constants.insert(local, cells);
        }
    }

    /// Notes a reference to a constant object.
    pub(super) fn note_reference(&mut self, local: LocalId, ty: Qual, init: &hir::Expr) -> Res<()> {
        if self.is_constant(init) {
            let place = self.make_place(PlaceKind::Local(local), ty, init.span)?;
            let kind = Hir::Assign(Box::new(place), Box::new(init.clone()));
            let store = self.make(kind, CTypes::VOID, init.span)?;
            self.note_constant(local, &[store], init.span);
        }
        Ok(())
    }

    /// The initial value of a variable in memory that is a constant object.
    pub(super) fn constant_initializer(
        &mut self,
        id: GlobalId,
        cells: &Rc<Cells>,
    ) -> Option<hir::Initializer> {
        let init = cells.initializer(self.hir.size(self.globals[id].ty))?;
        self.constants.insert(id, cells.clone());
        Some(init)
    }
}
