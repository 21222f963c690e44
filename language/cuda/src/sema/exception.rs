//! `throw`, and `try` with its handlers, in host code ([except]).

use super::Sema;
use super::scope::{Entity, Owner};
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{Res, TemplateValue, Value};
use crate::hir::{self, ExprKind as Hir, Intrinsic, LocalKind, Stmt, StmtKind, Thrown};
use crate::source::Span;
use crate::syntax::ast::{
    Body, Declarator, DeclaratorName, Expr, ExprKind, Handler, Specifiers, Stmt as Ast, StmtKind as AstKind,
};

impl Sema<'_> {
    /// `throw e`, and `throw` in a handler.
    pub(super) fn throw(&mut self, value: Option<&Expr>, span: Span) -> Res<Value> {
        let Some(value) = value else {
            return Ok(Value::rvalue(Hir::Intrinsic(Intrinsic::Rethrow, Vec::new()), CTypes::VOID, span));
        };
        let ends = self.ends_with_try(value);
        let mut value = self.expression(value)?;
        // A variable that the exception ends is moved from ([class.copy.elision]/3).
        value.ty.quals.is_expiring |= ends && self.types.record(value.ty.ty).is_some();
        let value = self.rvalue(value)?;
        let ty = value.ty.unqualified();
        if ty.ty == CTypes::VOID {
            return self.error("wrong-type", span, "`void` cannot be thrown");
        }
        let pointer = Qual::plain(self.types.pointer(ty));
        let hir_ty = self.hir_type(ty.ty, span)?;
        let size = self.make(Hir::Int(i128::from(self.hir.size(hir_ty))), self.types.size_type, span)?;
        let malloc = Intrinsic::Library("__ws_malloc".to_owned());
        let memory = self.make(Hir::Intrinsic(malloc, vec![size]), pointer.ty, span)?;
        let slot = self.new_local(String::new(), pointer, LocalKind::Temporary, span)?;
        let target = self.read_local(slot, pointer, span);
        // The value comes first: it may throw itself.
        let holder = self.new_local(String::new(), ty, LocalKind::Temporary, span)?;
        let held = self.read_local(holder, ty, span);
        let mut parts = Vec::new();
        let value = self.expr(value)?;
        self.store(held.clone(), value, &mut parts)?;
        self.store(target.clone(), memory, &mut parts)?;
        let object = self.deref(target.clone(), span)?;
        let bytes = self.bytes_of(held)?;
        self.store(object.clone(), bytes, &mut parts)?;
        let address = self.expr(target)?;
        let destroyer = match self.registered(&object, Intrinsic::Defer)? {
            Some(hir::Expr { kind: Hir::Intrinsic(_, mut arguments), .. }) => arguments.pop(),
            _ => None,
        };
        let destroyer = match destroyer {
            Some(destroyer) => destroyer,
            None => self.make(Hir::Int(0), pointer.ty, span)?,
        };
        let number = self.thrown_type(ty.ty);
        let uncaught = self.uncaught(ty, span)?;
        let thrown = Hir::Intrinsic(Intrinsic::Throw(number), vec![address, destroyer, uncaught]);
        let whole = self.make(thrown, CTypes::VOID, span)?;
        let whole = self.after(parts, whole, CTypes::VOID)?;
        Ok(Value::rvalue(whole.kind, CTypes::VOID, span))
    }

    /// Whether an expression names a variable of the innermost `try` block, or, without one, of the
    /// function.
    fn ends_with_try(&mut self, value: &Expr) -> bool {
        let ExprKind::Name(name) = &value.kind else { return false };
        let found = name.plain().and_then(|name| self.find(name.symbol));
        let (Some((Entity::Local(local), scope)), Some(function)) = (found, &self.function) else {
            return false;
        };
        // Neither what a reference names nor what a lambda expression captures ends.
        if self.types.referent(local.ty.ty).is_some() || local.function != function.number {
            return false;
        }
        let is_around = |around| self.scopes.outwards(scope).skip(1).any(|one| one == around);
        function.around_try.is_none_or(is_around)
    }

    /// The address of the function that prints the text of an exception without a handler and ends
    /// the program; 0 for exceptions without a text.
    fn uncaught(&mut self, ty: Qual, span: Span) -> Res<hir::Expr> {
        let is_exception = |id: &RecordId| self.records[*id].builtin && self.records[*id].name == "exception";
        let base = self.types.record(ty.ty).and_then(|record| {
            let base = self.classes().bases(record).find(is_exception)?;
            self.classes().public_base(record, base).map(|_| base)
        });
        let Some(base) = base else { return self.make(Hir::Int(0), self.types.size_type, span) };
        let base = Qual::plain(self.types.intern(TypeKind::Record(base)));
        let values = vec![TemplateValue::Type(base), TemplateValue::Type(ty)];
        let function = self.prelude_function("__ws_uncaught", values, span)?;
        let void = self.types.pointer(Qual::plain(CTypes::VOID));
        self.make(Hir::FunctionAddress(function), void, span)
    }

    /// The number of a type of exceptions. A handler in another file may name a base class of it.
    fn thrown_type(&mut self, ty: CType) -> u32 {
        if let Some(at) = self.thrown.iter().position(|known| *known == ty) {
            return at as u32;
        }
        self.thrown.push(ty);
        let number = self.thrown.len() as u32 - 1;
        let to = self.types.pointee(ty);
        let bases = self.types.record(to.map_or(ty, |to| to.ty)).map(|id| self.records[id].bases.clone());
        for base in bases.into_iter().flatten() {
            let mut base = self.types.intern(TypeKind::Record(base));
            if let Some(to) = to {
                base = self.types.pointer(Qual { ty: base, quals: to.quals });
            }
            self.thrown_type(base);
        }
        number
    }

    /// `try { ... } catch (T x) { ... }`.
    pub(super) fn try_statement(&mut self, body: &[Ast], handlers: &[Handler]) -> Res<StmtKind> {
        let around = self.scope;
        let outer = self.function.as_mut().map(|function| function.around_try.replace(around));
        let body = self.block(body);
        if let (Some(function), Some(outer)) = (&mut self.function, outer) {
            function.around_try = outer;
        }
        let mut made = Vec::new();
        for handler in handlers {
            made.push(self.handler(handler)?);
        }
        Ok(StmtKind::Try { body: body?, handlers: made })
    }

    /// The `try` block that is the body of a constructor: it guards the members, too, and its
    /// handlers throw the exception again ([except.handle]).
    pub(super) fn constructor_try(
        &mut self,
        body: &Body,
        class: RecordId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let [Ast { kind: AstKind::Try(list, handlers), span: place }] = body.statements.as_slice() else {
            return Err(super::Failed);
        };
        let made = self.lifetimes(|sema| {
            let mut made = Vec::new();
            sema.constructor_members(body, class, span, &mut made)?;
            made.append(&mut sema.block(list)?);
            Ok(made)
        });
        let mut guarded = Vec::new();
        for handler in handlers {
            let again = Ast {
                kind: AstKind::Expr(Expr { kind: ExprKind::Throw(None), span: body.end, depth: 1, chain: 0 }),
                span: body.end,
            };
            if super::returns::has_return(&handler.body) {
                let message = "a handler of a constructor whose body is a `try` block cannot return";
                return self.error("wrong-type", handler.span, message);
            }
            let mut handler = handler.clone();
            handler.body.push(again);
            guarded.push(self.handler(&handler)?);
        }
        let mut failed = false;
        self.check_labels(&mut failed);
        if failed {
            return Err(super::Failed);
        }
        out.push(Stmt { kind: StmtKind::Try { body: made?, handlers: guarded }, span: *place });
        Ok(())
    }

    fn handler(&mut self, handler: &Handler) -> Res<(Option<u32>, Vec<Stmt>)> {
        let Some((specifiers, declarator)) = &handler.variable else {
            return Ok((None, self.block(&handler.body)?));
        };
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| {
            let mut number = 0;
            let list = sema.lifetimes(|sema| {
                let mut out = Vec::new();
                number = sema.caught_variable(specifiers, declarator, &mut out)?;
                let mut rest = sema.block(&handler.body)?;
                out.append(&mut rest);
                Ok(out)
            })?;
            Ok((Some(number), list))
        })
    }

    /// Declares the variable of a handler. Returns the number of its type.
    fn caught_variable(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        out: &mut Vec<Stmt>,
    ) -> Res<u32> {
        let span = declarator.span;
        let base = self.specifiers(specifiers)?;
        let ty = self.declarator(base, &declarator.chunks, span)?;
        let ty = self.types.adjusted(ty);
        let mut object = self.types.referent(ty.ty).unwrap_or(ty);
        object.quals.is_expiring = false;
        self.require_complete(object.ty, span)?;
        let number = self.thrown_type(object.ty);
        let pointer = self.types.pointer(object);
        let address = self.make(Hir::Intrinsic(Intrinsic::Caught(number), Vec::new()), pointer, span)?;
        let caught = Value::deref(address, object, span);
        if let DeclaratorName::Plain(name) = declarator.name {
            if self.types.referent(ty.ty).is_some() {
                self.reference_variable(name.symbol, ty, caught, span, out)?;
            } else {
                let init = self.convert(caught, ty.unqualified(), "in the handler")?;
                let text = self.text(name.symbol).to_owned();
                let local = self.new_local(text, ty, LocalKind::Variable, span)?;
                self.declare_local(name.symbol, local, ty, span)?;
                out.push(Stmt { kind: StmtKind::Declare { local, init: Some(init) }, span });
                self.defer_variable(name.symbol, out)?;
            }
        }
        Ok(number)
    }

    /// The types of exceptions of the program.
    pub(super) fn thrown_types(&mut self) -> Vec<Thrown> {
        let list = self.thrown.clone();
        let mut made = Vec::new();
        for ty in &list {
            let taken = list.iter().enumerate();
            let bases = taken.filter_map(|(by, to)| Some((by as u32, self.taken_at(*ty, *to)?))).collect();
            let is_pointer = self.types.is_pointer(*ty);
            let record = self.types.record(*ty).map(|record| self.records[record].parent);
            let is_local = record.is_some_and(|parent| self.is_nameless(parent));
            made.push(Thrown { name: self.runtime_name(*ty), bases, is_pointer, is_local });
        }
        made
    }

    /// The place of the part of an exception that a handler of another type takes, if it does
    /// ([except.handle]/3): of an object, or of the object to which a pointer points.
    fn taken_at(&self, thrown: CType, by: CType) -> Option<u64> {
        if thrown == by {
            return Some(0);
        }
        if matches!(self.types.kind(thrown), TypeKind::Nullptr) {
            let is_pointer = self.types.is_pointer(by) || self.types.member_pointer(by).is_some();
            return is_pointer.then_some(0);
        }
        let (mut from, mut to) = (thrown, by);
        if let (Some(one), Some(other)) = (self.types.pointee(thrown), self.types.pointee(by)) {
            let keeps = (other.quals.is_const || !one.quals.is_const)
                && (other.quals.is_volatile || !one.quals.is_volatile);
            let is_function = matches!(self.types.kind(one.ty), TypeKind::Function(_));
            if !keeps || is_function {
                return None;
            }
            if one.ty == other.ty || other.ty == CTypes::VOID {
                return Some(0);
            }
            (from, to) = (one.ty, other.ty);
        }
        let (from, to) = (self.types.record(from)?, self.types.record(to)?);
        self.classes().public_base(from, to).map(|path| self.path_offset(from, &path))
    }

    /// Name of a type as the C++ runtime library prints it.
    fn runtime_name(&mut self, ty: CType) -> String {
        match self.types.kind(ty).clone() {
            TypeKind::Pointer(to) => {
                let inner = self.runtime_name(to.ty);
                if to.quals.is_const { format!("{inner} const*") } else { format!("{inner}*") }
            }
            TypeKind::Record(id) => {
                let record = &self.records[id];
                if record.builtin && record.name == "string" {
                    return "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
                        .to_owned();
                }
                let (name, parent) = (record.name.clone(), record.parent);
                match self.scopes.get(parent).owner {
                    Owner::Namespace(Some(_)) => format!("{}::{name}", self.scope_name(parent)),
                    _ => name,
                }
            }
            _ => self.show(Qual::plain(ty)),
        }
    }
}
