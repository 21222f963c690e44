//! `alloca` of host code: memory that a function frees at its end.
//!
//! A function that calls it has a list of its blocks, which is registered for destruction at its
//! start, as an object is. The blocks end with the function, not with the scope of the call.

use super::Sema;
use super::types::{CTypes, Qual};
use super::value::{Res, Value};
use crate::hir::{ExprKind as Hir, Intrinsic, LocalKind, Stmt, StmtKind};
use crate::source::Span;
use crate::syntax::ast::Expr;

impl Sema<'_> {
    /// `alloca(size)`.
    pub(super) fn stacked(&mut self, list: &[Expr], span: Span) -> Res<Value> {
        let [size] = list else {
            let text = format!("`alloca` takes 1 argument, but {} are given", list.len());
            return self.error("no-match", span, text);
        };
        let size = self.expression(size)?;
        let size = self.convert(size, Qual::plain(self.types.size_type), "as the size of memory")?;
        let void = Qual::plain(self.types.pointer(Qual::plain(CTypes::VOID)));
        let known = self.function.as_ref().and_then(|function| function.stacked);
        let blocks = match known {
            Some(blocks) => blocks,
            None => self.new_local(String::new(), void, LocalKind::Temporary, span)?,
        };
        if let Some(function) = &mut self.function {
            function.stacked = Some(blocks);
        }
        let object = self.read_local(blocks, void, span);
        let address = self.address(object)?;
        let call = self.prelude_function("__ws_stacked", Vec::new(), span)?;
        Ok(Value::rvalue(Hir::Call(call, vec![address, size]), void.ty, span))
    }

    /// The statements of a function with those that begin and end the list of its blocks.
    pub(super) fn unstacked(&mut self, body: Vec<Stmt>, span: Span) -> Res<Vec<Stmt>> {
        let Some(blocks) = self.function.as_ref().and_then(|function| function.stacked) else {
            return Ok(body);
        };
        let void = Qual::plain(self.types.pointer(Qual::plain(CTypes::VOID)));
        let none = self.make(Hir::Int(0), void.ty, span)?;
        let declare = Stmt { kind: StmtKind::Declare { local: blocks, init: Some(none) }, span };
        let end = self.prelude_function("__ws_unstacked", Vec::new(), span)?;
        let end = self.make(Hir::FunctionAddress(end), void.ty, span)?;
        let object = self.read_local(blocks, void, span);
        let address = self.address(object)?;
        let defer = self.make(Hir::Intrinsic(Intrinsic::Defer, vec![address, end]), CTypes::VOID, span)?;
        let defer = Stmt { kind: StmtKind::Expr(defer), span };
        let list = [declare, defer].into_iter().chain(body).collect();
        Ok(vec![Stmt { kind: StmtKind::Scope(list), span }])
    }
}
