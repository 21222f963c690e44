//! Ends of functions that have a result and no `return` there.

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir::visit::bodies;
use crate::hir::{Expr, ExprKind as Hir, Function, FunctionKind, Intrinsic, Stmt, StmtKind, Types};

/// Warns about a device function whose end has no `return`. Host code stops there when it runs.
pub(super) fn missing_return(function: &Function, out: &mut Diagnostics) {
    let has_result = function.kind == FunctionKind::Device && function.result != Types::VOID;
    if has_result && !function.is_builtin && goes_on(&function.body) {
        let message = format!("device function `{}` can end without a `return`", function.name);
        let warning = Diagnostic::warning("missing-return", function.span, message)
            .label("its result is undefined then")
            .at(function.end, "this end can be reached");
        out.push_once(warning);
    }
}

/// Whether code behind statements can be reached.
fn goes_on(list: &[Stmt]) -> bool {
    end_is_reached(list, true)
}

/// Whether the end of statements is reached from their start, if that is reached, or a label.
fn end_is_reached(list: &[Stmt], from_start: bool) -> bool {
    let mut reached = from_start;
    for statement in list {
        if matches!(statement.kind, StmtKind::Label(_)) {
            reached = true;
        } else if reached || has_label(statement) {
            reached = leads_on(statement);
        }
    }
    reached
}

/// Whether a jump can lead into a statement.
fn has_label(statement: &Stmt) -> bool {
    let is_label = |one: &Stmt| matches!(one.kind, StmtKind::Label(_)) || has_label(one);
    bodies(statement).into_iter().any(|(list, _)| list.iter().any(is_label))
}

fn leads_on(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::Return(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Expr(Expr { kind: Hir::Intrinsic(Intrinsic::Trap, _), .. }) => false,
        StmtKind::Block(list) | StmtKind::Scope(list) => goes_on(list),
        StmtKind::If { condition, then, otherwise } => {
            let known = known(Some(condition));
            known != Some(false) && goes_on(then) || known != Some(true) && goes_on(otherwise)
        }
        StmtKind::While { condition, body, .. } => known(Some(condition)) != Some(true) || leaves(body),
        StmtKind::For { condition, body, .. } => {
            condition.is_some() && known(condition.as_ref()) != Some(true) || leaves(body)
        }
        StmtKind::DoWhile { condition, body, .. } => {
            let ends = goes_on(body) || finds(body, &|kind| matches!(kind, StmtKind::Continue), false);
            known(Some(condition)) != Some(true) && ends || leaves(body)
        }
        StmtKind::Switch { default, body, .. } => {
            default.is_none() || end_is_reached(body, false) || leaves(body)
        }
        _ => true,
    }
}

/// The value of a condition that is constant.
fn known(condition: Option<&Expr>) -> Option<bool> {
    match condition.map(|condition| &condition.kind) {
        Some(Hir::Int(value)) => Some(*value != 0),
        _ => None,
    }
}

/// Whether `break` leaves the loop or `switch` with this body.
fn leaves(body: &[Stmt]) -> bool {
    finds(body, &|kind| matches!(kind, StmtKind::Break), true)
}

/// Whether one of these statements belongs to the loop, or for `break` to the `switch`, around it.
fn finds(list: &[Stmt], is_it: &dyn Fn(&StmtKind) -> bool, of_switch: bool) -> bool {
    list.iter().any(|one| match &one.kind {
        StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => false,
        StmtKind::Switch { .. } if of_switch => false,
        kind if is_it(kind) => true,
        _ => bodies(one).into_iter().any(|(inner, _)| finds(inner, is_it, of_switch)),
    })
}
