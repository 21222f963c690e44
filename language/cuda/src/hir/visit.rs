//! Visits all expressions of statements.

use super::{Expr, ExprKind as Hir, Place, PlaceKind, Program, Stmt, StmtKind};

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

/// The functions whose results a program uses, or may.
pub fn used_results(program: &Program) -> Vec<bool> {
    let mut used = vec![false; program.functions.len()];
    program.functions.iter().for_each(|one| mark_results(&one.body, &mut used));
    // Tables of functions, as of classes with virtual functions.
    let tables = program.globals.iter().filter_map(|global| global.init.as_ref());
    tables.flat_map(|init| &init.code).for_each(|(_, function)| used[function.0 as usize] = true);
    used
}

/// Marks the functions whose results statements use, or whose addresses they take.
fn mark_results(list: &[Stmt], used: &mut [bool]) {
    fn mark(expr: &Expr, used: &mut [bool]) {
        visit_expr(expr, &mut |one| {
            if let Hir::Call(id, _) | Hir::FunctionAddress(id) = &one.kind {
                used[id.0 as usize] = true;
            }
        });
    }
    for statement in list {
        if let StmtKind::Expr(expr) = &statement.kind {
            let mut dropped = expr;
            while let Hir::Scoped(inner) | Hir::Cast(inner) = &dropped.kind {
                dropped = inner;
            }
            match &dropped.kind {
                Hir::Call(_, arguments) => arguments.iter().for_each(|one| mark(one, used)),
                _ => mark(dropped, used),
            }
        } else {
            for one in own_expressions(statement) {
                mark(one, used);
            }
        }
        for (inner, _) in bodies(statement) {
            mark_results(inner, used);
        }
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

/// Calls `each` on an expression and every expression in it.
pub fn visit_expr(expr: &Expr, each: &mut dyn FnMut(&Expr)) {
    each(expr);
    visit_inside(&expr.kind, each);
}

fn visit_inside(kind: &Hir, each: &mut dyn FnMut(&Expr)) {
    visit_children(kind, &mut |inner| visit_expr(inner, each));
}

fn place_children(place: &Place, each: &mut dyn FnMut(&Expr)) {
    kind_children(&place.kind, each);
}

fn kind_children(place: &PlaceKind, each: &mut dyn FnMut(&Expr)) {
    match place {
        PlaceKind::Local(_) | PlaceKind::Global(_) => {}
        PlaceKind::Deref(pointer) => each(pointer),
        PlaceKind::Field(inner, _) | PlaceKind::Bits(inner, ..) => place_children(inner, each),
        PlaceKind::Index(inner, index) => {
            place_children(inner, each);
            each(index);
        }
    }
}

/// Calls `each` on the expressions of an expression, not on those inside them.
pub fn visit_children(kind: &Hir, each: &mut dyn FnMut(&Expr)) {
    match kind {
        Hir::Int(_) | Hir::Float(_) | Hir::Zero | Hir::FunctionAddress(_) | Hir::KernelAddress(_) => {}
        Hir::Launch(launch) => {
            for one in [&launch.kernel, &launch.grid, &launch.block, &launch.shared, &launch.stream] {
                each(one);
            }
            launch.arguments.iter().for_each(each);
        }
        Hir::Aggregate(list) | Hir::Call(_, list) | Hir::Intrinsic(_, list) => {
            for one in list {
                each(one);
            }
        }
        Hir::Load(place) | Hir::AddressOf(place) => place_children(place, each),
        Hir::Extract(inner, _) | Hir::Unary(_, inner) | Hir::Cast(inner) | Hir::Scoped(inner) => {
            each(inner);
        }
        Hir::Binary(_, left, right)
        | Hir::LogicalAnd(left, right)
        | Hir::LogicalOr(left, right)
        | Hir::PointerAdd(left, right)
        | Hir::PointerDiff(left, right)
        | Hir::Comma(left, right) => {
            each(left);
            each(right);
        }
        Hir::Conditional(condition, left, right) => {
            each(condition);
            each(left);
            each(right);
        }
        Hir::Assign(place, value) | Hir::Update { place, value, .. } => {
            place_children(place, each);
            each(value);
        }
        Hir::CallIndirect(function, list) => {
            each(function);
            for one in list {
                each(one);
            }
        }
        Hir::Asm(asm) => {
            asm.outputs.iter().for_each(|output| place_children(&output.place, each));
            asm.inputs.iter().for_each(|input| each(&input.value));
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
        kind_children(place, &mut |inner| visit_expr(inner, &mut |one| found.add(&one.kind)));
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
