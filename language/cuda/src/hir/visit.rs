//! Visits all expressions of statements.

use super::{Expr, ExprKind as Hir, Place, PlaceKind, Stmt, StmtKind};

/// Expressions of a statement itself.
pub fn own_expressions(statement: &Stmt) -> Vec<&Expr> {
    match &statement.kind {
        StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => vec![expr],
        StmtKind::Declare { init: Some(init), .. } => vec![init],
        StmtKind::If { condition, .. }
        | StmtKind::While { condition, .. }
        | StmtKind::DoWhile { condition, .. } => {
            vec![condition]
        }
        StmtKind::For { condition, step, .. } => condition.iter().chain(step).collect(),
        StmtKind::Switch { value, .. } => vec![value],
        _ => Vec::new(),
    }
}

/// Statements inside a statement, with the condition under which they run.
pub fn bodies(statement: &Stmt) -> Vec<(&[Stmt], Option<&Expr>)> {
    match &statement.kind {
        StmtKind::Block(list) | StmtKind::Scope(list) => vec![(list, None)],
        StmtKind::Try { body, handlers } => {
            let handlers = handlers.iter().map(|(_, list)| (list.as_slice(), None));
            std::iter::once((body.as_slice(), None)).chain(handlers).collect()
        }
        StmtKind::If { condition, then, otherwise } => {
            vec![(then, Some(condition)), (otherwise, Some(condition))]
        }
        StmtKind::While { condition, body, .. } | StmtKind::DoWhile { condition, body, .. } => {
            vec![(body, Some(condition))]
        }
        StmtKind::For { init, condition, body, .. } => vec![(init, None), (body, condition.as_ref())],
        StmtKind::Switch { value, body, .. } => vec![(body, Some(value))],
        _ => Vec::new(),
    }
}

/// Calls `each` on every expression in statements.
pub fn statements(list: &[Stmt], each: &mut dyn FnMut(&Expr)) {
    for statement in list {
        for expr in own_expressions(statement) {
            visit_expr(expr, each);
        }
        for (inner, _) in bodies(statement) {
            statements(inner, each);
        }
    }
}

fn visit_place(place: &Place, each: &mut dyn FnMut(&Expr)) {
    visit_kind(&place.kind, each);
}

fn visit_kind(place: &PlaceKind, each: &mut dyn FnMut(&Expr)) {
    match place {
        PlaceKind::Local(_) | PlaceKind::Global(_) => {}
        PlaceKind::Deref(pointer) => visit_expr(pointer, each),
        PlaceKind::Field(inner, _) | PlaceKind::Bits(inner, ..) => visit_place(inner, each),
        PlaceKind::Index(inner, index) => {
            visit_place(inner, each);
            visit_expr(index, each);
        }
    }
}

/// Calls `each` on an expression and every expression in it.
pub fn visit_expr(expr: &Expr, each: &mut dyn FnMut(&Expr)) {
    each(expr);
    visit_inside(&expr.kind, each);
}

fn visit_inside(kind: &Hir, each: &mut dyn FnMut(&Expr)) {
    match kind {
        Hir::Int(_) | Hir::Float(_) | Hir::Zero | Hir::FunctionAddress(_) | Hir::KernelAddress(_) => {}
        Hir::Launch(launch) => {
            for one in [&launch.kernel, &launch.grid, &launch.block, &launch.shared, &launch.stream] {
                visit_expr(one, each);
            }
            launch.arguments.iter().for_each(|one| visit_expr(one, each));
        }
        Hir::Aggregate(list) | Hir::Call(_, list) | Hir::Intrinsic(_, list) => {
            for one in list {
                visit_expr(one, each);
            }
        }
        Hir::Load(place) | Hir::AddressOf(place) => visit_place(place, each),
        Hir::Extract(inner, _) | Hir::Unary(_, inner) | Hir::Cast(inner) | Hir::Scoped(inner) => {
            visit_expr(inner, each);
        }
        Hir::Binary(_, left, right)
        | Hir::LogicalAnd(left, right)
        | Hir::LogicalOr(left, right)
        | Hir::PointerAdd(left, right)
        | Hir::PointerDiff(left, right)
        | Hir::Comma(left, right) => {
            visit_expr(left, each);
            visit_expr(right, each);
        }
        Hir::Conditional(condition, left, right) => {
            visit_expr(condition, each);
            visit_expr(left, each);
            visit_expr(right, each);
        }
        Hir::Assign(place, value) | Hir::Update { place, value, .. } => {
            visit_place(place, each);
            visit_expr(value, each);
        }
        Hir::CallIndirect(function, list) => {
            visit_expr(function, each);
            for one in list {
                visit_expr(one, each);
            }
        }
        Hir::Asm(asm) => {
            asm.outputs.iter().for_each(|output| visit_place(&output.place, each));
            asm.inputs.iter().for_each(|input| visit_expr(&input.value, each));
        }
    }
}

/// What the evaluation of an expression or a place may change, or see changed.
#[derive(Clone, Copy, Default)]
pub struct Effects {
    /// It assigns to a variable.
    pub changes: bool,
    /// It calls a function.
    pub calls: bool,
}

impl Effects {
    /// Those of an expression of a kind.
    #[must_use]
    pub fn of_kind(kind: &Hir) -> Self {
        let mut found = Self::default();
        found.add(kind);
        visit_inside(kind, &mut |one| found.add(&one.kind));
        found
    }

    /// Those of the address of a place.
    #[must_use]
    pub fn of_place(place: &PlaceKind) -> Self {
        let mut found = Self::default();
        visit_kind(place, &mut |one| found.add(&one.kind));
        found
    }

    fn add(&mut self, kind: &Hir) {
        match kind {
            Hir::Assign(..) | Hir::Update { .. } => self.changes = true,
            Hir::Call(..) | Hir::CallIndirect(..) | Hir::Intrinsic(..) | Hir::Launch(_) | Hir::Asm(_) => {
                self.calls = true;
            }
            _ => {}
        }
    }

    /// Whether there are any.
    #[must_use]
    pub fn any(self) -> bool {
        self.changes || self.calls
    }
}
