//! `throw`, and `try` with its handlers, in host code ([except]).

use super::Sema;
use super::scope::Owner;
use super::types::{CType, CTypes, Qual, TypeKind};
use super::value::{Res, Value};
use crate::hir::{self, ExprKind as Hir, Intrinsic, LocalKind, Stmt, StmtKind, Thrown};
use crate::source::Span;
use crate::syntax::ast::{Declarator, DeclaratorName, Expr, Handler, Specifiers, Stmt as Ast};

impl Sema<'_> {
    /// `throw e`, and `throw` in a handler.
    pub(super) fn throw(&mut self, value: Option<&Expr>, span: Span) -> Res<Value> {
        let Some(value) = value else {
            return Ok(Value::rvalue(Hir::Intrinsic(Intrinsic::Rethrow, Vec::new()), CTypes::VOID, span));
        };
        let value = self.expression(value)?;
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
        let thrown = Hir::Intrinsic(Intrinsic::Throw(number), vec![address, destroyer]);
        let whole = self.make(thrown, CTypes::VOID, span)?;
        let whole = self.after(parts, whole, CTypes::VOID)?;
        Ok(Value::rvalue(whole.kind, CTypes::VOID, span))
    }

    /// The number of a type of exceptions. A handler in another file may name a base class of it.
    fn thrown_type(&mut self, ty: CType) -> u32 {
        if let Some(at) = self.thrown.iter().position(|known| *known == ty) {
            return at as u32;
        }
        self.thrown.push(ty);
        let number = self.thrown.len() as u32 - 1;
        if let Some(base) = self.types.record(ty).and_then(|record| self.records[record].base) {
            let base = self.types.intern(TypeKind::Record(base));
            self.thrown_type(base);
        }
        number
    }

    /// `try { ... } catch (T x) { ... }`.
    pub(super) fn try_statement(&mut self, body: &[Ast], handlers: &[Handler]) -> Res<StmtKind> {
        let body = self.block(body);
        let mut made = Vec::new();
        for handler in handlers {
            made.push(self.handler(handler)?);
        }
        Ok(StmtKind::Try { body: body?, handlers: made })
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
        let address = self.make(Hir::Intrinsic(Intrinsic::Caught, Vec::new()), pointer, span)?;
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
        for (at, ty) in list.iter().enumerate() {
            // A handler of a base class takes the object, too ([except.handle]/3).
            let number = |base| list.iter().position(|one| self.types.record(*one) == Some(base));
            let bases = match self.types.record(*ty) {
                Some(record) => self.classes().bases(record).filter_map(number).map(|at| at as u32).collect(),
                None => vec![at as u32],
            };
            let record = self.types.record(*ty).map(|record| self.records[record].parent);
            let is_local = record.is_some_and(|parent| self.is_nameless(parent));
            made.push(Thrown { name: self.runtime_name(*ty), bases, has_text: self.has_text(*ty), is_local });
        }
        made
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
