//! Loops: `while`, `for`, and `for` over an array or a range.

use super::Sema;
use super::scope::Entity;
use super::scope::Owner;
use super::types::{CTypes, Qual, TypeKind};
use super::value::{Res, Value, ValueKind};
use crate::hir::{self, LocalKind, Stmt, StmtKind, Unroll};
use crate::lex::Punct;
use crate::source::Span;
use crate::syntax::ast::{Condition, DeclaratorName, Expr, ExprKind, For, ListItem, RangeFor, Stmt as Ast};

pub(super) fn unroll(pragma: Option<u32>) -> Unroll {
    match pragma {
        None => Unroll::Auto,
        Some(0) => Unroll::Full,
        Some(times) => Unroll::Times(times),
    }
}

/// The body of a loop whose condition declares a variable, which each iteration declares anew.
fn tested(mut declaration: Vec<Stmt>, test: hir::Expr, mut body: Vec<Stmt>, deferred: bool) -> Vec<Stmt> {
    let at = test.span;
    let stop = vec![Stmt { kind: StmtKind::Break, span: at }];
    let kind = StmtKind::If { condition: test, then: Vec::new(), otherwise: stop };
    declaration.push(Stmt { kind, span: at });
    declaration.append(&mut body);
    if deferred { vec![Stmt { kind: StmtKind::Scope(declaration), span: at }] } else { declaration }
}

impl Sema<'_> {
    pub(super) fn loop_body(&mut self, body: &Ast) -> Res<Vec<Stmt>> {
        if let Some(function) = &mut self.function {
            function.loops += 1;
            function.breakable += 1;
        }
        let result = self.scoped_statement(body);
        if let Some(function) = &mut self.function {
            function.loops -= 1;
            function.breakable -= 1;
        }
        result
    }

    pub(super) fn while_statement(
        &mut self,
        condition: &Condition,
        body: &Ast,
        pragma: Option<u32>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| {
            let mut before = Vec::new();
            let outer = sema.set_deferred(false);
            let test = sema.full_condition(condition, &mut before);
            let body = sema.loop_body(body);
            let deferred = sema.set_deferred(outer);
            let (test, body) = (test?, body?);
            if before.is_empty() {
                let kind = StmtKind::While { condition: test, body, unroll: unroll(pragma) };
                out.push(Stmt { kind, span });
                return Ok(());
            }
            let at = test.span;
            let before = tested(before, test, body, deferred);
            let always = hir::Expr { kind: hir::ExprKind::Int(1), ty: hir::Types::BOOL, span: at };
            let kind = StmtKind::While { condition: always, body: before, unroll: unroll(pragma) };
            out.push(Stmt { kind, span });
            Ok(())
        })
    }

    pub(super) fn for_statement(&mut self, inner: &For, span: Span) -> Res<Vec<Stmt>> {
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| sema.lifetimes(|sema| sema.for_parts(inner, span)))
    }

    fn for_parts(&mut self, inner: &For, span: Span) -> Res<Vec<Stmt>> {
        let sema = self;
        let mut init = Vec::new();
        let started = inner.init.as_ref().map_or(Ok(()), |first| sema.statement(first, &mut init));
        let mut before = Vec::new();
        let outer = sema.set_deferred(false);
        let condition = match &inner.condition {
            None => Ok(None),
            Some(condition) => sema.full_condition(condition, &mut before).map(Some),
        };
        let step = match &inner.step {
            None => Ok(None),
            Some(step) => {
                sema.full(|sema| sema.expression(step).and_then(|value| sema.discarded(value))).map(Some)
            }
        };
        let body = sema.loop_body(&inner.body);
        let deferred = sema.set_deferred(outer);
        let (mut condition, mut body) = (condition?, body?);
        if !before.is_empty() {
            if deferred && step.as_ref().is_ok_and(Option::is_some) {
                // The step belongs to the scope of the variable.
                return sema.unsupported(span, "an object in the condition of `for` with a step");
            }
            if let Some(test) = condition.take() {
                body = tested(before, test, body, deferred);
            }
        }
        started?;
        let kind = StmtKind::For { init, condition, step: step?, body, unroll: unroll(inner.unroll) };
        Ok(vec![Stmt { kind, span }])
    }

    /// `for (x : range)`: a loop over an index of an array, or over iterators.
    pub(super) fn range_for(&mut self, inner: &RangeFor, span: Span) -> Res<Vec<Stmt>> {
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| {
            sema.lifetimes(|sema| {
                if let ExprKind::List(items) = &inner.range.kind {
                    return sema.list_for(inner, items, span);
                }
                let range = sema.expression(&inner.range)?;
                if sema.types.record(range.ty.ty).is_some() {
                    return sema.iterator_for(inner, range, span);
                }
                sema.array_for(inner, &range, span)
            })
        })
    }

    /// A loop over the elements of an array.
    fn array_for(&mut self, inner: &RangeFor, range: &Value, span: Span) -> Res<Vec<Stmt>> {
        let at = inner.range.span;
        let (Some((element, Some(length))), ValueKind::Place(kind, _)) =
            (self.types.array(range.ty.ty), range.kind.clone())
        else {
            return self.unsupported(at, "a `for` loop over what is not an array");
        };
        let index_ty = Qual::plain(CTypes::INT);
        let index = self.new_local(String::new(), index_ty, LocalKind::Temporary, at)?;
        let read = |sema: &mut Self| sema.read_local(index, index_ty, at);
        let zero = self.make(hir::ExprKind::Int(0), index_ty.ty, at)?;
        let init = vec![Stmt { kind: StmtKind::Declare { local: index, init: Some(zero) }, span: at }];
        let (left, limit) = (read(self), Value::int(i128::from(length), index_ty.ty, at));
        let condition = self.binary(Punct::Less, left, limit, at, at)?;
        let condition = self.condition(condition)?;
        let one = Value::int(1, index_ty.ty, at);
        let value = read(self);
        let next = self.binary(Punct::Plus, value, one, at, at)?;
        let next = self.expr(next)?;
        let place = self.make_place(hir::PlaceKind::Local(index), index_ty, at)?;
        let step = self.make(hir::ExprKind::Assign(Box::new(place), Box::new(next)), CTypes::VOID, at)?;
        let array = self.make_place(kind, range.ty, at)?;
        let index_value = read(self);
        let index_value = self.expr(index_value)?;
        let kind = hir::PlaceKind::Index(Box::new(array), Box::new(index_value));
        let element =
            Value { kind: ValueKind::Place(kind, None), ty: element.with(range.ty.quals), span: at };
        let body = self.range_body(inner, element)?;
        let kind = StmtKind::For {
            init,
            condition: Some(condition),
            step: Some(step),
            body,
            unroll: unroll(inner.unroll),
        };
        Ok(vec![Stmt { kind, span }])
    }

    /// A loop over the values of a list.
    fn list_for(&mut self, inner: &RangeFor, items: &[ListItem], span: Span) -> Res<Vec<Stmt>> {
        let at = inner.range.span;
        let array = self.array_of_list(items, at)?;
        let pointer = Qual::plain(self.types.pointer(array.ty));
        let local = self.new_local(String::new(), pointer, LocalKind::Temporary, at)?;
        let address = self.address(array)?;
        let mut out = vec![Stmt { kind: StmtKind::Declare { local, init: Some(address) }, span: at }];
        let object = self.read_local(local, pointer, at);
        let array = self.deref(object, at)?;
        out.append(&mut self.array_for(inner, &array, span)?);
        Ok(out)
    }

    /// The variable of the loop, and the body.
    fn range_body(&mut self, inner: &RangeFor, element: Value) -> Res<Vec<Stmt>> {
        self.lifetimes(|sema| {
            let mut body = Vec::new();
            if let DeclaratorName::Bindings(names) = &inner.declarator.name {
                sema.bind_element(&inner.specifiers, &inner.declarator, names, element, &mut body)?;
                let mut rest = sema.loop_body(&inner.body)?;
                body.append(&mut rest);
                return Ok(body);
            }
            sema.declare_variable_from(&inner.specifiers, &inner.declarator, element, &mut body)?;
            if let DeclaratorName::Plain(name) = inner.declarator.name {
                sema.defer_variable(name.symbol, &mut body)?;
            }
            let mut rest = sema.loop_body(&inner.body)?;
            body.append(&mut rest);
            Ok(body)
        })
    }

    /// A loop over what `begin()` and `end()` of a class return.
    fn iterator_for(&mut self, inner: &RangeFor, range: Value, span: Span) -> Res<Vec<Stmt>> {
        let at = inner.range.span;
        let mut range = self.as_place(range)?;
        range.ty.quals.is_expiring = false;
        let pointer = Qual::plain(self.types.pointer(range.ty));
        let local = self.new_local(String::new(), pointer, LocalKind::Temporary, at)?;
        let address = self.address(range)?;
        let mut out = vec![Stmt { kind: StmtKind::Declare { local, init: Some(address) }, span: at }];
        let mut iterators = Vec::new();
        for name in ["begin", "end"] {
            let object = self.read_local(local, pointer, at);
            let object = self.deref(object, at)?;
            let value = self.call_named(object, name, at)?;
            let value = self.rvalue(value)?;
            let ty = value.ty.unqualified();
            let value = self.expr(value)?;
            let iterator = self.new_local(String::new(), ty, LocalKind::Temporary, at)?;
            out.push(Stmt { kind: StmtKind::Declare { local: iterator, init: Some(value) }, span: at });
            iterators.push((iterator, ty));
        }
        let read = |sema: &mut Self, which: usize| {
            let (local, ty) = iterators[which];
            sema.read_local(local, ty, at)
        };
        let (first, last) = (read(self, 0), read(self, 1));
        let condition = self.full(|sema| {
            let differs = sema.binary(Punct::NotEq, first, last, at, at)?;
            sema.condition(differs)
        })?;
        let current = read(self, 0);
        let step = self.full(|sema| sema.advance(current))?;
        let current = read(self, 0);
        let element = if self.types.record(current.ty.ty).is_some() {
            match self.overloaded(Punct::Star, &[current], at)? {
                Some(element) => element,
                None => return self.error("no-match", at, "the iterator has no `operator*`"),
            }
        } else {
            self.deref(current, at)?
        };
        let body = self.range_body(inner, element)?;
        let kind = StmtKind::For {
            init: Vec::new(),
            condition: Some(condition),
            step: Some(step),
            body,
            unroll: unroll(inner.unroll),
        };
        out.push(Stmt { kind, span });
        Ok(out)
    }

    /// `++iterator`.
    fn advance(&mut self, iterator: Value) -> Res<hir::Expr> {
        let (ty, at) = (iterator.ty, iterator.span);
        if self.types.record(ty.ty).is_some() {
            return match self.overloaded(Punct::Increment, &[iterator], at)? {
                Some(value) => self.discarded(value),
                None => self.error("no-match", at, "the iterator has no `operator++`"),
            };
        }
        let one = Value::int(1, CTypes::INT, at);
        let next = self.binary(Punct::Plus, iterator.clone(), one, at, at)?;
        let next = self.expr(next)?;
        let mut out = Vec::new();
        self.store(iterator, next, &mut out)?;
        out.pop().ok_or(super::Failed)
    }

    /// Calls a method without arguments by its name.
    pub(super) fn call_named(&mut self, object: Value, name: &str, span: Span) -> Res<Value> {
        let shown = self.show(object.ty);
        let Some(record) = self.types.record(object.ty.ty) else { return Err(super::Failed) };
        self.require_complete(object.ty.ty, span)?;
        let found = self.names.find(name).and_then(|symbol| self.find_member(record, symbol));
        let Some((Entity::Functions(list), _)) = found else {
            return self.error("no-match", span, format!("`{shown}` has no method `{name}()`"));
        };
        let Some(selected) = self.select(&list, None, Some(&object), &[], span)? else {
            return self.error("no-match", span, format!("`{shown}` has no method `{name}()` that fits"));
        };
        self.call_selected(&selected, Some(object), Vec::new(), span)
    }

    /// A temporary array with the values of a list.
    pub(super) fn array_of_list(&mut self, items: &[ListItem], span: Span) -> Res<Value> {
        // Lists in the list get the type of the others.
        let mut typed = items.iter().filter(|item| !matches!(item.value.kind, ExprKind::List(_)));
        let Some(first) = typed.next() else {
            return self.error("wrong-type", span, "the list has no type");
        };
        let element = self.type_of_item(&first.value)?;
        for item in typed {
            let other = self.type_of_item(&item.value)?;
            if other != element {
                let (one, two) = (self.show(element), self.show(other));
                let message = format!("the values of the list have different types, `{one}` and `{two}`");
                return self.error("wrong-type", item.value.span, message);
            }
        }
        self.temporary_array(element, items, span)
    }

    /// The type of a value in a list.
    pub(super) fn type_of_item(&mut self, item: &Expr) -> Res<Qual> {
        let mark = self.out.mark();
        let value = self.expression(item)?;
        let value = self.rvalue(value)?;
        self.out.truncate(mark);
        Ok(value.ty.unqualified())
    }

    /// A temporary array of constant elements of a type.
    pub(super) fn temporary_array(&mut self, element: Qual, items: &[ListItem], span: Span) -> Res<Value> {
        let length = items.len() as u64;
        let ty = Qual::plain(self.types.intern(TypeKind::Array(element, Some(length))));
        let (place, mut parts) = self.temporary(ty, span)?;
        self.initialize_list(&place, items, span, &mut parts)?;
        if let Some(defer) = self.defer(&place)? {
            parts.push(defer);
        }
        // The address of the array is evaluated after its elements.
        let mut object = self.object_after(parts, place)?;
        let constant = TypeKind::Array(Qual::constant(element.ty), Some(length));
        object.ty.ty = self.types.intern(constant);
        Ok(object)
    }
}
