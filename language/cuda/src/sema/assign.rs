//! Assignments, increments and decrements ([expr.ass]).

use super::Sema;
use super::scope::FunctionIndex;
use super::types::{CTypes, Qual};
use super::value::{Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::visit::Effects;
use crate::hir::{self, ExprKind as Hir, LocalKind, PlaceKind, Yields};
use crate::lex::Punct;
use crate::source::Span;
use crate::space::AddressSpace;
use crate::syntax::ast::{BaseType, Expr, ExprKind};

/// The variable of the program that a place is a part of.
pub(super) fn root_global(place: &PlaceKind) -> Option<hir::GlobalId> {
    match place {
        PlaceKind::Global(id) => Some(*id),
        PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) | PlaceKind::Bits(inner, ..) => {
            root_global(&inner.kind)
        }
        PlaceKind::Local(_) | PlaceKind::Deref(_) => None,
    }
}

/// The assignment form of an operator.
fn compound(punct: Punct) -> Punct {
    match punct {
        Punct::Plus => Punct::AddAssign,
        Punct::Minus => Punct::SubAssign,
        Punct::Star => Punct::MulAssign,
        Punct::Slash => Punct::DivAssign,
        Punct::Percent => Punct::RemAssign,
        Punct::And => Punct::AndAssign,
        Punct::Or => Punct::OrAssign,
        Punct::Xor => Punct::XorAssign,
        Punct::Shl => Punct::ShlAssign,
        _ => Punct::ShrAssign,
    }
}

/// Whether a value is an assignment or a prefix step, which C++ defines as an lvalue.
pub(super) fn is_assigned_object(value: &Value) -> bool {
    let ValueKind::Rvalue(kind) = &value.kind else { return false };
    value.ty.ty != CTypes::VOID && assigns(kind)
}

/// Whether an expression is an assignment, or ends with one.
pub(super) fn assigns(kind: &Hir) -> bool {
    match kind {
        Hir::Assign(..) | Hir::Update { yields: Yields::New, .. } => true,
        Hir::Comma(_, last) => assigns(&last.kind),
        _ => false,
    }
}

impl Sema<'_> {
    /// Returns the object of an assignment or prefix step as a place; returns other values as they
    /// are. A temporary pointer keeps the address, so that the place is evaluated once.
    pub(super) fn assigned_object(&mut self, value: Value) -> Res<Value> {
        let value = self.selected_object(value)?;
        if !is_assigned_object(&value) {
            return Ok(value);
        }
        let (mut ty, span) = (value.ty, value.span);
        let ValueKind::Rvalue(mut kind) = value.kind else { return Err(super::Failed) };
        if let Hir::Comma(first, last) = kind {
            let object = self.assigned_object(Value::rvalue(last.kind, ty.ty, span))?;
            let address = self.address(object)?;
            let pointer = self.types.pointer(ty);
            let address = self.after(vec![*first], address, pointer)?;
            return Ok(Value::deref(address, ty, span));
        }
        let (Hir::Assign(place, _) | Hir::Update { place, .. }) = &mut kind else {
            return Err(super::Failed);
        };
        if let PlaceKind::Bits(..) = place.kind {
            return self.unsupported(span, "an assignment to a bit field as an object");
        }
        ty.quals.is_volatile |= place.volatile;
        let pointer = self.types.pointer(ty);
        let local = self.new_local(String::new(), Qual::plain(pointer), LocalKind::Temporary, span)?;
        let slot = self.make_place(PlaceKind::Local(local), Qual::plain(pointer), span)?;
        let load = self.make(Hir::Load(Box::new(slot.clone())), pointer, span)?;
        let object = self.make_place(PlaceKind::Deref(Box::new(load.clone())), ty, span)?;
        let object = std::mem::replace(&mut **place, object);
        let address = self.make(Hir::AddressOf(Box::new(object)), pointer, span)?;
        let save = self.make(Hir::Assign(Box::new(slot), Box::new(address)), CTypes::VOID, span)?;
        let change = self.make(kind, ty.ty, span)?;
        let result = self.make(Hir::Comma(Box::new(change), Box::new(load)), pointer, span)?;
        let result = self.make(Hir::Comma(Box::new(save), Box::new(result)), pointer, span)?;
        Ok(Value::deref(result, ty, span))
    }

    /// Whether a value of C++ is an object: a place, or an assignment or a choice of two objects,
    /// which become places only where their addresses are needed.
    pub(super) fn names_object(value: &Value) -> bool {
        matches!(value.kind, ValueKind::Place(..))
            || is_assigned_object(value)
            || Self::is_selected_object(value)
    }

    /// Whether a value is one of two objects of one type.
    pub(super) fn is_selected_object(value: &Value) -> bool {
        let ValueKind::Rvalue(Hir::Conditional(_, one, two)) = &value.kind else { return false };
        let object = |expr: &hir::Expr| match &expr.kind {
            Hir::Load(place) => !matches!(place.kind, PlaceKind::Bits(..)),
            _ => false,
        };
        object(one) && object(two)
    }

    /// The object that a conditional selects, as a place.
    fn selected_object(&mut self, value: Value) -> Res<Value> {
        if !Self::is_selected_object(&value) {
            return Ok(value);
        }
        let (ty, span) = (value.ty, value.span);
        let pointer = self.types.pointer(ty);
        let ValueKind::Rvalue(Hir::Conditional(test, one, two)) = value.kind else {
            return Err(super::Failed);
        };
        let mut addresses = Vec::new();
        for expr in [one, two] {
            let Hir::Load(place) = expr.kind else { return Err(super::Failed) };
            addresses.push(self.make(Hir::AddressOf(place), pointer, span)?);
        }
        let (Some(two), Some(one)) = (addresses.pop(), addresses.pop()) else { return Err(super::Failed) };
        let kind = Hir::Conditional(test, Box::new(one), Box::new(two));
        let address = self.make(kind, pointer, span)?;
        Ok(Value::deref(address, ty, span))
    }

    /// The place of a value that is written to.
    pub(super) fn target(&mut self, value: Value, operator: Span) -> Res<(hir::Place, Qual)> {
        let value = self.assigned_object(value)?;
        let (ty, span) = (value.ty, value.span);
        let ValueKind::Place(kind, _) = value.kind else {
            let message = "this is a value, not a variable: it cannot be assigned to";
            return self.error("wrong-type", span, message);
        };
        if ty.quals.is_const {
            let shown = self.show(ty);
            let mut error = Diagnostic::error("const", span, format!("a `{shown}` cannot be changed"));
            if let PlaceKind::Global(id) = kind
                && self.globals[id].storage == hir::Storage::Constant
                && !self.rules.is_open_cl
            {
                error = error.note("device code reads `__constant__` variables; host code writes them");
            }
            return self.fail(error.at(operator, "changed here"));
        }
        if let Some(id) = root_global(&kind)
            && self.globals[id].storage == hir::Storage::Constant
        {
            let name = self.globals[id].name.clone();
            let message = format!("device code cannot write to `__constant__ {name}`");
            let error = Diagnostic::error("const", span, message)
                .help("host code writes it with `cudaMemcpyToSymbol`");
            return self.fail(error);
        }
        if ty.quals.space == AddressSpace::Constant {
            return self.error("const", span, "`__constant` memory cannot be changed");
        }
        self.refuse_object(ty.ty, "assigned to", span)?;
        if self.types.array(ty.ty).is_some() {
            return self.error("wrong-type", span, "an array cannot be assigned to");
        }
        Ok((self.make_place(kind, ty, span)?, ty))
    }

    /// `=` and its compound forms.
    pub(super) fn assignment(
        &mut self,
        op: Option<Punct>,
        left: &Expr,
        right: &Expr,
        span: Span,
        place: Span,
    ) -> Res<Value> {
        let target = self.expression(left)?;
        if let (ExprKind::List(_), Some(op)) = (&right.kind, op) {
            return self.operator_of_list(compound(op), target, right, span);
        }
        let value = if let ExprKind::List(_) = &right.kind {
            let ty = target.ty.unqualified();
            self.value_of_list(right, ty)?
        } else {
            self.expression(right)?
        };
        // Bytes that are copied come first anyway.
        let is_called = op.is_some()
            || self.classes().assigns(target.ty.ty)
            || self.types.record(target.ty.ty).is_some_and(|id| !self.classes().assignments(id).is_empty());
        let (value, first) = if is_called { self.right_first(value, &target)? } else { (value, Vec::new()) };
        let made = match op {
            None => self.assign(target, value, span, place),
            Some(op) => self.compound_assignment(op, target, value, span, place),
        };
        self.behind(first, made?)
    }

    fn compound_assignment(
        &mut self,
        op: Punct,
        target: Value,
        value: Value,
        span: Span,
        place: Span,
    ) -> Res<Value> {
        if self.types.vector(target.ty.ty).is_some() {
            let change = |sema: &mut Self, old| sema.binary(op, old, value, span, place);
            return self.vector_update(target, span, place, false, change);
        }
        if self.types.record(target.ty.ty).is_some() {
            let operands = [target.clone(), value.clone()];
            if let Some(result) = self.overloaded(compound(op), &operands, span)? {
                return Ok(result);
            }
        }
        let target = self.changed_object(target)?;
        let (value, first) = self.evaluated_first(value, &target)?;
        let made = self
            .update(target, span, place, Yields::New, |sema, old| sema.binary(op, old, value, span, place))?;
        self.behind(first, made)
    }

    /// The object that a compound assignment or a step changes. An object of a class that converts
    /// to a reference is what this refers to. An iterator that a function of the library returns is
    /// a pointer here and an object of a class in GNU's library, which can change.
    fn changed_object(&mut self, value: Value) -> Res<Value> {
        if self.types.record(value.ty.ty).is_some() {
            let object = self.scalar_of(value.clone())?;
            return Ok(if matches!(object.kind, ValueKind::Place(..)) { object } else { value });
        }
        let ValueKind::Rvalue(Hir::Call(function, _)) = &value.kind else { return Ok(value) };
        let function = self.instances[*function].function;
        if !self.returns_iterator(function) {
            return Ok(value);
        }
        let (ty, span) = (value.ty.unqualified(), value.span);
        let pointer = self.expr(value)?;
        let address = self.materialize(pointer, ty.ty, span)?;
        Ok(Value::deref(address, ty, span))
    }

    /// Whether a function of the library returns an `iterator`.
    fn returns_iterator(&self, function: FunctionIndex) -> bool {
        let info = &self.functions[function];
        let BaseType::Named(result) = &info.decl.specifiers.base else { return false };
        self.is_builtin(info.span) && self.text(result.last().name.symbol).ends_with("iterator")
    }

    /// A value that other expressions are evaluated before.
    fn behind(&mut self, first: Vec<hir::Expr>, made: Value) -> Res<Value> {
        if first.is_empty() {
            return Ok(made);
        }
        let (ty, span) = (made.ty, made.span);
        if let ValueKind::Place(..) = made.kind {
            let address = self.address(made)?;
            let pointer = self.types.pointer(ty);
            let address = self.after(first, address, pointer)?;
            return Ok(Value::deref(address, ty, span));
        }
        let made = self.expr(made)?;
        let made = self.after(first, made, ty.ty)?;
        Ok(Value::rvalue(made.kind, ty.ty, span))
    }

    /// The right operand of an assignment to an object of a class, and what evaluates it. The
    /// operator of the class takes both as arguments, but the right one comes first
    /// ([over.match.oper]/2).
    fn right_first(&mut self, value: Value, target: &Value) -> Res<(Value, Vec<hir::Expr>)> {
        let is_object = self.types.record(target.ty.ty).is_some() && !self.rules.is_c;
        let acts = |one: &Value| match &one.kind {
            ValueKind::Place(place, _) => Effects::of_place(place).any(),
            ValueKind::Rvalue(kind) => Effects::of_kind(kind).any(),
            _ => false,
        };
        if !is_object || !acts(target) || !acts(&value) {
            return Ok((value, Vec::new()));
        }
        let (mut ty, span) = (value.ty, value.span);
        ty.quals.is_expiring |= matches!(value.kind, ValueKind::Rvalue(_));
        let address = self.address(value)?;
        let pointer = Qual::plain(self.types.pointer(ty));
        let local = self.new_local(String::new(), pointer, LocalKind::Temporary, span)?;
        let kept = self.read_local(local, pointer, span);
        let mut parts = Vec::new();
        self.store(kept.clone(), address, &mut parts)?;
        let kept = self.expr(kept)?;
        Ok((Value::deref(kept, ty, span), parts))
    }

    /// The right operand of a compound assignment, which is evaluated before the object is read
    /// ([expr.ass]/1), and what evaluates it, where that can be seen. Device code keeps the order
    /// of calls, which reads the object early.
    fn evaluated_first(&mut self, value: Value, target: &Value) -> Res<(Value, Vec<hir::Expr>)> {
        let effects = match &value.kind {
            ValueKind::Place(place, _) => Effects::of_place(place),
            ValueKind::Rvalue(kind) => Effects::of_kind(kind),
            _ => return Ok((value, Vec::new())),
        };
        let left_acts = match &target.kind {
            ValueKind::Place(place, _) => Effects::of_place(place).any(),
            _ => true,
        };
        let (ty, span) = (value.ty.unqualified(), value.span);
        if self.rules.is_c || !self.types.is_scalar(ty.ty) {
            return Ok((value, Vec::new()));
        }
        let is_seen = effects.changes || effects.calls && (self.rules.has_library || left_acts);
        if !is_seen {
            return Ok((value, Vec::new()));
        }
        let local = self.new_local(String::new(), ty, LocalKind::Temporary, span)?;
        let kept = self.read_local(local, ty, span);
        let value = self.rvalue(value)?;
        let value = self.expr(value)?;
        let mut parts = Vec::new();
        self.store(kept.clone(), value, &mut parts)?;
        let kept = self.rvalue(kept)?;
        Ok((kept, parts))
    }

    /// Assigns a value to an object.
    pub(super) fn assign(&mut self, target: Value, value: Value, span: Span, place: Span) -> Res<Value> {
        if let ValueKind::Elements(elements) = target.kind {
            return self.assign_elements(*elements, value, span, place);
        }
        let record = self.types.record(target.ty.ty);
        if record.is_some() {
            let operands = [target.clone(), value.clone()];
            if let Some(result) = self.overloaded(Punct::Assign, &operands, span)? {
                return Ok(result);
            }
            if self.classes().copies(target.ty.ty) {
                let shown = self.show(target.ty);
                return self.error("no-match", span, format!("`{shown}` cannot be assigned this value"));
            }
        }
        let (place, ty) = self.target(target, place)?;
        self.warn_narrowing_literal(&value, ty);
        let is_destroyed = self.classes().is_destroyed(ty.ty);
        let value = if is_destroyed { self.assigned_object(value)? } else { value };
        let mut value = self.convert(value, ty.unqualified(), "in the assignment")?;
        if is_destroyed && !matches!(value.kind, Hir::Load(_)) {
            // The value is a temporary object, which is destroyed after its bytes are copied.
            let address = self.materialize(value, ty.ty, span)?;
            let object = self.make_place(PlaceKind::Deref(Box::new(address)), ty.unqualified(), span)?;
            value = self.make(Hir::Load(Box::new(object)), ty.ty, span)?;
        }
        if record.is_some() {
            // The value may read the object, so it is not made in place.
            value = hir::Expr { ty: value.ty, span, kind: Hir::Cast(Box::new(value)) };
        }
        Ok(Value::rvalue(Hir::Assign(Box::new(place), Box::new(value)), ty.ty, span))
    }

    /// `x++` and its like.
    pub(super) fn step(&mut self, operand: &Expr, increment: bool, postfix: bool, span: Span) -> Res<Value> {
        let value = self.expression(operand)?;
        let punct = if increment { Punct::Increment } else { Punct::Decrement };
        if self.types.record(value.ty.ty).is_some() || self.types.is_enum(value.ty.ty) {
            let mut operands = vec![value.clone()];
            if postfix {
                operands.push(Value::int(0, CTypes::INT, span));
            }
            if let Some(result) = self.overloaded(punct, &operands, span)? {
                return Ok(result);
            }
        }
        if self.types.vector(value.ty.ty).is_some() {
            let op = if increment { Punct::Plus } else { Punct::Minus };
            let one = Value::int(1, CTypes::INT, span);
            let change = |sema: &mut Self, old| sema.binary(op, old, one, span, span);
            return self.vector_update(value, span, span, postfix, change);
        }
        let value = self.changed_object(value)?;
        let scalar = self.types.is_arithmetic(value.ty.ty) && !self.types.is_enum(value.ty.ty)
            || self.types.is_pointer(value.ty.ty);
        if !scalar {
            let shown = self.show(value.ty);
            return self.error("wrong-type", span, format!("`{}` does not take a `{shown}`", punct.text()));
        }
        let yields = if postfix { Yields::Old } else { Yields::New };
        let op = if increment { Punct::Plus } else { Punct::Minus };
        let is_float = self.types.is_floating(value.ty.ty);
        let ty = value.ty.ty;
        self.update(value, span, span, yields, |sema, old| {
            let one = if is_float {
                Value::rvalue(Hir::Float(1.0), ty, span)
            } else {
                Value::int(1, CTypes::INT, span)
            };
            sema.binary(op, old, one, span, span)
        })
    }

    /// Changes an object by a function of its old value.
    fn update(
        &mut self,
        target: Value,
        span: Span,
        operator: Span,
        yields: Yields,
        change: impl FnOnce(&mut Self, Value) -> Res<Value>,
    ) -> Res<Value> {
        let (place, ty) = self.target(target, operator)?;
        let old = self.new_local(String::new(), ty.unqualified(), LocalKind::Temporary, span)?;
        let load = self.make_place(PlaceKind::Local(old), ty.unqualified(), place.span)?;
        let load = Value::rvalue(Hir::Load(Box::new(load)), ty.ty, place.span);
        let load = match self.bits_promotion(&place.kind, ty.ty) {
            Some(promoted) => {
                let load = self.expr(load)?;
                let load = self.cast(load, promoted)?;
                Value::rvalue(load.kind, promoted, place.span)
            }
            None => load,
        };
        let new = change(self, load)?;
        // What the operator gives converts back as a cast does: `c += 1.5f` is fine.
        let new = if self.types.is_arithmetic(new.ty.ty) && self.types.is_arithmetic(ty.ty) {
            let new = self.expr(new)?;
            self.cast(new, ty.ty)?
        } else {
            self.convert(new, ty.unqualified(), "in the assignment")?
        };
        let kind = Hir::Update { place: Box::new(place), old, value: Box::new(new), yields };
        Ok(Value::rvalue(kind, ty.ty, span))
    }
}
