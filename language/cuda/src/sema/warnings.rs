//! Warnings about expressions.

use super::Sema;
use super::scope::Constant;
use super::types::{CTypes, Qual};
use super::value::{Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{BinaryOp, ExprKind as Hir, UnaryOp};
use crate::lex::Punct;
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind};

impl Sema<'_> {
    /// Says once for each name that it is newer than the chip, and what it means here.
    pub(super) fn say_later(&mut self, name: &str, meaning: &str, span: Span) {
        if self.rules.has_device_code && !self.is_builtin(span) {
            let message = format!("{name} is newer than this chip");
            self.out.push_once(Diagnostic::warning("later-name", span, message).label(meaning));
        }
    }

    /// Warns about a `double` constant that makes the arithmetic of a `float` double.
    pub(super) fn warn_double_literal(&mut self, left: &Value, right: &Value, span: Span) {
        let is_literal = |value: &Value| {
            value.ty.ty == CTypes::DOUBLE && matches!(value.kind, ValueKind::Rvalue(Hir::Float(_)))
        };
        let (literal, _) = match (left.ty.ty, right.ty.ty) {
            (CTypes::FLOAT, CTypes::DOUBLE) if is_literal(right) => (right, left),
            (CTypes::DOUBLE, CTypes::FLOAT) if is_literal(left) => (left, right),
            _ => return,
        };
        if self.is_builtin(span) || !self.rules.has_device_code || !self.target.has_double() {
            return;
        }
        let text = self.sources.text(literal.span).to_owned();
        let spelled = text.chars().next().is_some_and(|first| first.is_ascii_digit() || first == '.');
        let shown = if spelled { text.clone() } else { "the constant".to_owned() };
        let cost = match self.target.capability {
            13 => "a GT200 computes 8 float operations in the time of one double operation",
            20 => {
                "a GF100 computes 2 (Tesla) or 8 (GeForce) float operations in the time of one double operation"
            }
            _ => "this chip computes 12 float operations in the time of one double operation",
        };
        let mut warning =
            Diagnostic::warning("double-literal", literal.span, format!("`{shown}` is a `double`"))
                .label("the operation is computed in double precision")
                .note(cost);
        if spelled {
            let fixed =
                if text.contains(['.', 'e', 'E']) { format!("{text}f") } else { format!("{text}.0f") };
            warning = warning.help(format!("write `{fixed}`"));
        }
        self.out.push(warning);
    }

    /// Warns about a comparison of an unsigned integer with a signed one that is negative as it is
    /// written: a constant, a difference or a negation. `i < blockDim.x` is usual.
    pub(super) fn warn_signs(&mut self, left: &Value, right: &Value, place: Span) {
        let common = self.types.common(left.ty.ty, right.ty.ty);
        let Some(int) = self.types.int_type(common).filter(|int| !int.signed) else { return };
        for (signed, unsigned) in [(left, right), (right, left)] {
            let negative = match signed.known() {
                Some(Constant::Int(value)) => value < 0,
                _ => is_difference(signed),
            };
            let own = self.types.int_type(signed.ty.ty);
            let is_signed = own.is_some_and(|own| own.signed && own.bits <= int.bits);
            if is_signed && negative && !self.is_builtin(place) {
                let (one, two) = (self.show(signed.ty.unqualified()), self.show(unsigned.ty.unqualified()));
                let warning =
                    Diagnostic::warning("sign-compare", place, format!("comparison of `{one}` and `{two}`"))
                        .label(format!("the `{one}` is converted to unsigned: -1 becomes a large number"))
                        .help(format!("cast the other side, for example `({one})`"));
                self.out.push(warning);
                return;
            }
        }
    }

    /// Warns about constants that do not fit in their target.
    pub(super) fn warn_narrowing_literal(&mut self, value: &Value, to: Qual) {
        let Some(Constant::Int(known)) = value.known() else { return };
        let Some(int) = self.types.int_type(to.ty).filter(|_| !self.types.is_enum(to.ty)) else { return };
        let wrapped = int.wrap(known);
        // `unsigned x = -1` and `char c = 0xff` are usual.
        let unusual = wrapped != known
            && known != -1
            && (known < 0 && known < -(1i128 << (int.bits - 1)) || known >> int.bits > 0);
        if unusual && !self.is_builtin(value.span) {
            let shown = self.show(to.unqualified());
            let warning =
                Diagnostic::warning("overflow", value.span, format!("{known} does not fit in `{shown}`"))
                    .label(format!("the value becomes {wrapped}"));
            self.out.push(warning);
        }
    }

    /// Warns about an expression whose value is not used.
    pub(super) fn warn_unused(&mut self, expr: &ast::Expr, value: &Value) {
        let useless = match &expr.kind {
            ExprKind::Binary(punct, ..) => {
                self.types.record(value.ty.ty).is_none()
                    && matches!(punct, Punct::EqEq | Punct::Plus | Punct::Minus | Punct::Star)
                    && matches!(&value.kind, ValueKind::Rvalue(Hir::Binary(..) | Hir::PointerAdd(..)))
            }
            ExprKind::Name(_) => matches!(value.kind, ValueKind::Functions(_)),
            _ => false,
        };
        if useless {
            let mut warning =
                Diagnostic::warning("unused-value", expr.span, "the value of this expression is not used");
            if let ExprKind::Binary(Punct::EqEq, ..) = expr.kind {
                warning = warning.help("write `=` to assign");
            }
            if let ExprKind::Name(_) = expr.kind {
                warning = warning.help("write `()` behind the name to call the function");
            }
            self.out.push(warning);
        }
    }

    /// Warns about `if (a = b)`.
    pub(super) fn warn_assignment(&mut self, condition: &ast::Expr) {
        if let ExprKind::Assign(None, ..) = condition.kind
            && !self.sources.text(condition.span).starts_with('(')
        {
            let warning = Diagnostic::warning("assignment", condition.span, "an assignment as a condition")
                .help("write `==` to compare, or put the assignment in parentheses");
            self.out.push(warning);
        }
    }
}

/// Whether a value is a difference or a negation.
fn is_difference(value: &Value) -> bool {
    let ValueKind::Rvalue(kind) = &value.kind else { return false };
    let mut kind = kind;
    while let Hir::Cast(inner) = kind {
        kind = &inner.kind;
    }
    matches!(kind, Hir::Binary(BinaryOp::Sub, ..) | Hir::Unary(UnaryOp::Negate, _))
}
