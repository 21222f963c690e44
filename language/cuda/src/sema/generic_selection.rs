//! `_Generic`: an expression that the type of another expression selects (C11 [6.5.1.1]).

use super::Sema;
use super::value::{Res, Value};
use crate::source::Span;
use crate::syntax::ast::{Expr, TypeName};

impl Sema<'_> {
    /// The value of the association with the type of `control`, or of the default. The other
    /// expressions are not analyzed: they may be wrong for this type.
    pub(super) fn generic_selection(
        &mut self,
        control: &Expr,
        list: &[(Option<TypeName>, Expr)],
        span: Span,
    ) -> Res<Value> {
        let value = self.without_evaluation(|sema| {
            let value = sema.expression(control)?;
            sema.rvalue(value)
        })?;
        let (mut selected, mut default) = (None, None);
        let mut known = Vec::with_capacity(list.len());
        for (ty, expr) in list {
            let Some(ty) = ty else {
                if default.replace(expr).is_some() {
                    return self.error("wrong-type", expr.span, "`_Generic` has two `default` associations");
                }
                continue;
            };
            let of = self.type_name(ty)?;
            if known.contains(&of) {
                let message = format!("`_Generic` has two associations of `{}`", self.show(of));
                return self.error("wrong-type", ty.span, message);
            }
            known.push(of);
            if of == value.ty.unqualified() {
                selected = Some(expr);
            }
        }
        if let Some(expr) = selected.or(default) {
            return self.expression(expr);
        }
        let shown = self.show(value.ty.unqualified());
        self.error("wrong-type", span, format!("`_Generic` has no association of `{shown}`"))
    }
}
