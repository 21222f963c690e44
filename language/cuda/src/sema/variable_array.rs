//! Arrays whose length is known when they are declared (C99 [6.7.5.2]; C++ of GNU): host code only.
//!
//! The size in bytes of such a type is in a variable of the function. An array is in memory that is
//! freed at the end of its scope, and its name is a reference to it.

use super::Sema;
use super::scope::{Entity, Owner};
use super::types::{CType, CTypes, Qual, TypeKind};
use super::value::{Res, Value};
use crate::hir::{ExprKind as Hir, Intrinsic, LocalId, LocalKind, Stmt, StmtKind};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{Chunk, DeclaratorName, Expr, InitDeclarator, Parameter};

impl Sema<'_> {
    /// The type of an array of `element` whose length is not constant, or whose element has a
    /// variable size; `None` if it is an array as all others. `mark` is before the messages about
    /// the length.
    pub(super) fn variable_array(
        &mut self,
        element: Qual,
        length: &Expr,
        is_constant: bool,
        mark: usize,
        span: Span,
    ) -> Option<Res<Qual>> {
        let is_variable = !is_constant || self.types.variable_size(element.ty).is_some();
        let in_class = matches!(self.scopes.get(self.scope).owner, Owner::Record(_));
        if !self.rules.has_library || !is_variable || in_class {
            return None;
        }
        // Parameters of a declaration belong to a function without a number.
        let in_code = self.function.as_ref().is_some_and(|function| function.number > 0);
        if !in_code {
            // The length of a parameter matters in the function only.
            return self.rules.is_c.then(|| {
                self.out.truncate(mark);
                Ok(Qual { ty: self.types.intern(TypeKind::Array(element, None)), quals: element.quals })
            });
        }
        let attempt = self.out.mark();
        let Ok(count) = self.expression(length) else {
            // The message about the value says more.
            let said = self.out.truncate(attempt);
            self.out.truncate(mark);
            for one in said {
                self.out.push(one);
            }
            return Some(Err(super::Failed));
        };
        if !self.types.is_integral(count.ty.ty) {
            self.out.truncate(attempt);
            return None;
        }
        self.out.truncate(mark);
        Some(self.sized_array(element, count, span))
    }

    fn sized_array(&mut self, element: Qual, count: Value, span: Span) -> Res<Qual> {
        let size_type = self.types.size_type;
        let to = Qual::plain(size_type);
        let count = self.convert(count, to, "as the length of an array")?;
        let each = self.size_of(element, span)?;
        let each = self.convert(each, to, "")?;
        let product = Hir::Binary(crate::hir::BinaryOp::Mul, Box::new(count), Box::new(each));
        let product = self.make(product, size_type, span)?;
        let size = self.new_local(String::new(), to, LocalKind::Temporary, span)?;
        if let Some(function) = &mut self.function {
            let kind = StmtKind::Declare { local: size, init: Some(product) };
            function.sizes.push(Stmt { kind, span });
        }
        let ty = self.types.intern(TypeKind::VariableArray(element, size));
        Ok(Qual { ty, quals: element.quals })
    }

    /// Appends the statements that compute sizes.
    pub(super) fn take_sizes(&mut self, out: &mut Vec<Stmt>) {
        if let Some(function) = &mut self.function {
            out.append(&mut function.sizes);
        }
    }

    /// Inserts the statements that compute sizes in front of a statement.
    pub(super) fn take_sizes_to(&mut self, first: usize, out: &mut Vec<Stmt>) {
        if let Some(function) = &mut self.function
            && !function.sizes.is_empty()
        {
            out.splice(first..first, std::mem::take(&mut function.sizes));
        }
    }

    /// `sizeof` of an array of variable length.
    pub(super) fn size_of_variable(&mut self, size: LocalId, span: Span) -> Res<Value> {
        let ty = Qual::plain(self.types.size_type);
        let value = self.read_local(size, ty, span);
        self.rvalue(value)
    }

    /// A pointer plus a number of elements of type `to`.
    pub(super) fn stepped(
        &mut self,
        pointer: crate::hir::Expr,
        count: crate::hir::Expr,
        ty: Qual,
        to: Qual,
        span: Span,
    ) -> Res<Value> {
        let Some(size) = self.types.variable_size(to.ty) else {
            let sum = Hir::PointerAdd(Box::new(pointer), Box::new(count));
            return Ok(Value::rvalue(sum, ty.ty, span));
        };
        let long = self.types.difference_type;
        let size = self.size_of_variable(size, span)?;
        let size = self.expr(size)?;
        let (size, count) = (self.cast(size, long)?, self.cast(count, long)?);
        let product = Hir::Binary(crate::hir::BinaryOp::Mul, Box::new(count), Box::new(size));
        let bytes = self.make(product, long, span)?;
        let text = self.types.pointer(Qual::plain(CTypes::CHAR));
        let base = self.cast(pointer, text)?;
        let sum = self.make(Hir::PointerAdd(Box::new(base), Box::new(bytes)), text, span)?;
        let sum = self.cast(sum, ty.ty)?;
        Ok(Value::rvalue(sum.kind, ty.ty, span))
    }

    /// Declares an array of variable length.
    pub(super) fn variable_array_local(
        &mut self,
        name: Symbol,
        ty: Qual,
        one: &InitDeclarator,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let span = one.declarator.span;
        if one.init.is_some() {
            let message = "an array of variable length has no initial value";
            return self.error("wrong-type", span, message);
        }
        let (Some(size), element) = (self.types.variable_size(ty.ty), self.innermost(ty.ty)) else {
            return Err(super::Failed);
        };
        if self.types.record(element).is_some_and(|record| !self.records[record].constructors.is_empty())
            || self.classes().is_destroyed(element)
        {
            return self.unsupported(span, "an array of variable length of objects with constructors");
        }
        let size = self.size_of_variable(size, span)?;
        let size = self.expr(size)?;
        let pointer = self.types.pointer(ty);
        let memory = Hir::Intrinsic(Intrinsic::Library("__ws_malloc".to_owned()), vec![size]);
        let memory = self.make(memory, pointer, span)?;
        let reference = Qual::plain(self.types.intern(TypeKind::Reference(ty)));
        let text = self.text(name).to_owned();
        let local = self.new_local(text, reference, LocalKind::Variable, span)?;
        self.declare_local(name, local, reference, span)?;
        out.push(Stmt { kind: StmtKind::Declare { local, init: Some(memory) }, span });
        let free = self.prelude_function("__ws_free", Vec::new(), span)?;
        let void = self.types.pointer(Qual::plain(CTypes::VOID));
        let free = self.make(Hir::FunctionAddress(free), void, span)?;
        let address = self.read_local(local, Qual::plain(pointer), span);
        let address = self.rvalue(address)?;
        let address = self.expr(address)?;
        let defer = Hir::Intrinsic(Intrinsic::Defer, vec![address, free]);
        let defer = self.make(defer, CTypes::VOID, span)?;
        self.set_deferred(true);
        out.push(Stmt { kind: StmtKind::Expr(defer), span });
        Ok(())
    }

    /// The element of an array of any dimensions.
    fn innermost(&self, ty: CType) -> CType {
        let mut element = ty;
        while let Some((inner, _)) = self.types.array(element) {
            element = inner.ty;
        }
        element
    }

    /// Gives parameters such as `float a[n][m]` their types, which name other parameters.
    pub(super) fn variable_parameters(&mut self, parameters: &[Parameter], out: &mut Vec<Stmt>) -> Res<()> {
        for parameter in parameters {
            let chunks = &parameter.declarator.chunks;
            let DeclaratorName::Plain(name) = parameter.declarator.name else { continue };
            let is_array = |chunk: &&Chunk| matches!(chunk, Chunk::Array(Some(_)));
            if chunks.iter().filter(is_array).count() == 0 {
                continue;
            }
            let base = self.specifiers(&parameter.specifiers)?;
            // The first length of a parameter has no meaning.
            let first = usize::from(matches!(chunks.first(), Some(Chunk::Array(_))));
            let inner = self.declarator(base, &chunks[first..], parameter.declarator.span)?;
            let ty = if first == 1 { Qual::plain(self.types.pointer(inner)) } else { inner };
            self.take_sizes(out);
            if let Some(Entity::Local(info)) = self.scopes.get_mut(self.scope).names.get_mut(&name.symbol) {
                info.ty = ty;
            }
        }
        Ok(())
    }
}
