//! Vector literals: `(float4)(a, b, c, d)`.

use crate::hir;
use crate::sema::Sema;
use crate::sema::types::Qual;
use crate::sema::value::{Res, Value};
use crate::source::Span;
use crate::syntax::ast::{CastKind, Expr};

impl Sema<'_> {
    /// `(float4)(a, b)`, where `a` and `b` have four elements together; one number is widened.
    pub(in crate::sema) fn vector_literal(&mut self, to: Qual, list: &[Expr], span: Span) -> Res<Value> {
        let Some((element, count)) = self.types.vector(to.ty) else { return Err(crate::sema::Failed) };
        if let [one] = list {
            let value = self.expression(one)?;
            return self.explicit_cast(CastKind::C, value, to, span);
        }
        let (mut before, mut parts) = (Vec::new(), Vec::new());
        for expr in list {
            let value = self.expression(expr)?;
            let own = self.element_type(value.ty.ty);
            let is_vector = self.types.vector(value.ty.ty).is_some();
            if !self.types.is_arithmetic(own) || is_vector && own != element {
                let (shown, wanted) = (self.show(value.ty), self.show(to));
                let message = format!("a `{wanted}` cannot be made from a `{shown}`");
                return self.error("wrong-type", expr.span, message);
            }
            let made = self.vector_parts(value, false)?;
            before.extend(made.before);
            for part in made.list {
                parts.push(self.cast_value(part, element)?);
            }
        }
        if parts.len() != usize::from(count) {
            let (shown, given) = (self.show(to), parts.len());
            let message = format!("a `{shown}` is made from {count} elements, but {given} are given");
            return self.error("wrong-type", span, message);
        }
        self.vector_from(before, parts, to.ty, span)
    }

    /// Converts a value to a vector: itself, or a number that is widened.
    pub(in crate::sema) fn convert_to_vector(
        &mut self,
        value: Value,
        to: Qual,
        what: &str,
    ) -> Res<hir::Expr> {
        if value.ty.ty == to.ty {
            return self.expr(value);
        }
        if !self.types.is_arithmetic(value.ty.ty) {
            return self.mismatch(&value, to, what);
        }
        let value = self.widened(value, to.ty)?;
        self.expr(value)
    }
}
