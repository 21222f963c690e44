//! Variables that may be read before they have a value.
//!
//! Registers have values from the start. A variable that no statement gives a value on some way to
//! a use is kept in memory, where a read of bytes that were never set is found.

use cuda::hir::visit::visit_children;
use cuda::hir::{Expr, ExprKind as Hir, Function, Intrinsic, LocalId, PlaceKind, Stmt, StmtKind};

/// Marks the variables of a function that may be read before they have a value.
pub(super) fn mark_unset(function: &Function, marks: &mut [bool]) {
    let mut declared = Vec::new();
    find_declared(&function.body, &mut declared);
    if declared.is_empty() {
        return;
    }
    let mut flow = Flow {
        marks,
        declared: &declared,
        unset: Some(Vec::new()),
        breaks: Vec::new(),
        continues: Vec::new(),
    };
    flow.statements(&function.body);
}

/// The variables that are declared without a value.
fn find_declared(list: &[Stmt], out: &mut Vec<LocalId>) {
    for statement in list {
        if let StmtKind::Declare { local, init: None } = &statement.kind {
            out.push(*local);
        }
        for (inner, _) in cuda::hir::visit::bodies(statement) {
            find_declared(inner, out);
        }
    }
}

/// Variables without a value at a point of the program; `None` where no execution comes to.
type Unset = Option<Vec<LocalId>>;

struct Flow<'a> {
    marks: &'a mut [bool],
    declared: &'a [LocalId],
    unset: Unset,
    /// What is unset where the loops and `switch` around are left.
    breaks: Vec<Unset>,
    continues: Vec<Unset>,
}

/// Adds what another way to a point leaves unset.
fn join(one: &mut Unset, other: &Unset) {
    match (one.as_mut(), other) {
        (_, None) => {}
        (None, Some(_)) => one.clone_from(other),
        (Some(list), Some(more)) => {
            for local in more {
                if !list.contains(local) {
                    list.push(*local);
                }
            }
        }
    }
}

impl Flow<'_> {
    fn statements(&mut self, list: &[Stmt]) {
        for statement in list {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Declare { local, init } => match (init, &mut self.unset) {
                (Some(init), _) => self.expr(init),
                (None, Some(unset)) if !unset.contains(local) => unset.push(*local),
                _ => {}
            },
            StmtKind::Block(list) | StmtKind::Scope(list) => self.statements(list),
            StmtKind::Try { body, handlers } => {
                let before = self.unset.clone();
                self.statements(body);
                let mut after = self.unset.take();
                for (_, handler) in handlers {
                    self.unset.clone_from(&before);
                    self.statements(handler);
                    join(&mut after, &self.unset);
                }
                self.unset = after;
            }
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition);
                let before = self.unset.clone();
                self.statements(then);
                let after = std::mem::replace(&mut self.unset, before);
                self.statements(otherwise);
                join(&mut self.unset, &after);
            }
            StmtKind::While { condition, body, .. } => self.looped(Some(condition), body, None),
            StmtKind::For { init, condition, step, body, .. } => {
                self.statements(init);
                self.looped(condition.as_ref(), body, step.as_ref());
            }
            StmtKind::DoWhile { body, condition, .. } => {
                self.enter();
                self.statements(body);
                let (breaks, continues) = self.leave();
                join(&mut self.unset, &continues);
                self.expr(condition);
                join(&mut self.unset, &breaks);
            }
            StmtKind::Switch { value, default, body, .. } => {
                self.expr(value);
                // Each label may be the next statement.
                let before = self.unset.take();
                self.breaks.push(None);
                self.cases(body, &before);
                let breaks = self.breaks.pop().flatten();
                join(&mut self.unset, &breaks);
                if default.is_none() {
                    join(&mut self.unset, &before);
                }
            }
            StmtKind::Break => {
                let unset = self.unset.take();
                if let Some(breaks) = self.breaks.last_mut() {
                    join(breaks, &unset);
                }
            }
            StmtKind::Continue => {
                let unset = self.unset.take();
                if let Some(continues) = self.continues.last_mut() {
                    join(continues, &unset);
                }
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
                self.unset = None;
            }
            StmtKind::Goto(_) => self.unset = None,
            // Which jumps lead here is not looked at.
            StmtKind::Label(_) => self.unset = Some(self.declared.to_vec()),
        }
    }

    /// The body of a `switch`: what is unset at its head is unset at its labels.
    fn cases(&mut self, body: &[Stmt], before: &Unset) {
        for statement in body {
            match &statement.kind {
                StmtKind::Label(_) => join(&mut self.unset, before),
                StmtKind::Block(list) | StmtKind::Scope(list) => self.cases(list, before),
                _ => self.statement(statement),
            }
        }
    }

    fn looped(&mut self, condition: Option<&Expr>, body: &[Stmt], step: Option<&Expr>) {
        // What the first iteration finds unset includes what later ones find.
        if let Some(condition) = condition {
            self.expr(condition);
        }
        let ends =
            condition.is_some_and(|condition| !matches!(condition.kind, Hir::Int(value) if value != 0));
        let mut after = if ends { self.unset.clone() } else { None };
        self.enter();
        self.statements(body);
        let (breaks, continues) = self.leave();
        join(&mut self.unset, &continues);
        if let Some(step) = step {
            self.expr(step);
        }
        join(&mut after, &breaks);
        self.unset = after;
    }

    fn enter(&mut self) {
        self.breaks.push(None);
        self.continues.push(None);
    }

    fn leave(&mut self) -> (Unset, Unset) {
        (self.breaks.pop().flatten(), self.continues.pop().flatten())
    }

    fn read(&mut self, local: LocalId) {
        if self.unset.as_ref().is_some_and(|unset| unset.contains(&local)) {
            self.marks[local.0 as usize] = true;
        }
    }

    fn set(&mut self, local: LocalId) {
        if let Some(unset) = &mut self.unset {
            unset.retain(|one| *one != local);
        }
    }

    fn either(&mut self, one: &Expr, other: Option<&Expr>) {
        let before = self.unset.clone();
        self.expr(one);
        let after = std::mem::replace(&mut self.unset, before);
        if let Some(other) = other {
            self.expr(other);
        }
        join(&mut self.unset, &after);
    }

    fn expr(&mut self, expr: &Expr) {
        if self.unset.as_ref().is_none_or(Vec::is_empty) && !matches!(expr.kind, Hir::Intrinsic(..)) {
            return;
        }
        match &expr.kind {
            Hir::Load(place) => match place.kind {
                PlaceKind::Local(local) => self.read(local),
                _ => visit_children(&expr.kind, &mut |inner| self.expr(inner)),
            },
            Hir::Assign(place, value) => {
                if let PlaceKind::Local(local) = place.kind {
                    self.expr(value);
                    self.set(local);
                } else {
                    visit_children(&expr.kind, &mut |inner| self.expr(inner));
                }
            }
            Hir::Update { place, value, .. } => {
                if let PlaceKind::Local(local) = place.kind {
                    self.read(local);
                    self.expr(value);
                    self.set(local);
                } else {
                    visit_children(&expr.kind, &mut |inner| self.expr(inner));
                }
            }
            Hir::LogicalAnd(first, second) | Hir::LogicalOr(first, second) => {
                self.expr(first);
                self.either(second, None);
            }
            Hir::Conditional(condition, one, two) => {
                self.expr(condition);
                self.either(one, Some(two));
            }
            kind => {
                visit_children(kind, &mut |inner| self.expr(inner));
                if let Hir::Intrinsic(intrinsic, _) = kind
                    && never_returns(intrinsic)
                {
                    self.unset = None;
                }
            }
        }
    }
}

fn never_returns(intrinsic: &Intrinsic) -> bool {
    match intrinsic {
        Intrinsic::Throw(_) | Intrinsic::Rethrow => true,
        Intrinsic::Library(name) => {
            matches!(name.as_str(), "exit" | "_exit" | "abort" | "__ws_exception_throw")
        }
        _ => false,
    }
}
