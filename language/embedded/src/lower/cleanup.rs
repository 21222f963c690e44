//! Scopes that destroy objects, and exceptions.
//!
//! The machine has one stack of registered objects and handlers. A scope keeps the height of the
//! stack at its start in a register, and every way out of the scope unwinds the stack to it.

use super::{Home, Lowerer};
use crate::code::{End, Instr, Reg};
use crate::exceptions::Keep;
use cuda::hir::{Expr, ExprKind, Intrinsic, LocalId, LocalKind, PlaceKind, Stmt, StmtKind};
use rustc_hash::FxHashMap;

impl Lowerer<'_, '_> {
    /// Emits what remembers the height of the stack.
    fn mark(&mut self) -> Reg {
        let mark = self.register();
        self.emit(Instr::Mark { to: mark });
        mark
    }

    fn unwind(&mut self, mark: Reg) {
        let free = self.next;
        let base = self.register();
        self.next = free;
        self.emit(Instr::Unwind { mark, base });
    }

    /// Unwinds to the scope of a depth, before a jump out of inner scopes.
    pub(super) fn unwind_to(&mut self, depth: usize) {
        if let Some(mark) = self.marks.get(depth).copied() {
            self.unwind(mark);
        }
    }

    /// Unwinds before a jump to a label.
    pub(super) fn unwind_for(&mut self, label: u32) {
        let target = self.label_scopes.get(&label).cloned().unwrap_or_default();
        let common = target.iter().zip(&self.open_scopes).take_while(|(one, other)| one == other).count();
        if common < target.len() {
            self.fail("a `goto` into a block with variables that have destructors is not supported");
        }
        self.unwind_to(common);
    }

    /// Lowers the inside of a scope.
    fn in_scope(&mut self, mark: Reg, step: impl FnOnce(&mut Self)) {
        self.marks.push(mark);
        self.open_scopes.push(self.scopes);
        self.scopes += 1;
        step(self);
        self.open_scopes.pop();
        self.marks.pop();
    }

    /// Statements at whose end objects are destroyed.
    pub(super) fn scope(&mut self, list: &[Stmt]) {
        let mark = self.mark();
        self.in_scope(mark, |lower| lower.statements(list));
        self.unwind(mark);
    }

    /// A full expression at whose end temporary objects are destroyed.
    pub(super) fn full(&mut self, step: impl FnOnce(&mut Self)) {
        let free = self.next;
        let mark = self.mark();
        step(self);
        self.unwind(mark);
        self.next = free;
    }

    /// `try` and its handlers.
    pub(super) fn try_statement(&mut self, body: &[Stmt], handlers: &[(Option<u32>, Vec<Stmt>)]) {
        let (landing, end) = (self.label(), self.label());
        let mark = self.mark();
        let types = handlers.iter().map(|(ty, _)| *ty).collect();
        let number = self.shared.handlers.len() as u32;
        self.shared.handlers.push(types);
        self.jump(landing, Instr::Try { handlers: number, target: 0 });
        self.in_scope(mark, |lower| lower.statements(body));
        self.unwind(mark);
        self.jump(end, Instr::Jump { target: 0 });
        self.place_label(landing);
        self.in_scope(mark, |lower| {
            for (ty, list) in handlers {
                let next = lower.label();
                if let Some(ty) = ty {
                    let to = lower.register();
                    lower.emit(Instr::Catches { to, ty: *ty });
                    lower.jump(next, Instr::JumpIf { a: to, value: false, target: 0 });
                }
                lower.statements(list);
                lower.unwind(mark);
                lower.jump(end, Instr::Jump { target: 0 });
                lower.place_label(next);
            }
        });
        self.place_label(end);
    }

    /// The operations of objects and exceptions. Returns whether an intrinsic is one.
    pub(super) fn lifetime(&mut self, intrinsic: &Intrinsic, arguments: &[Expr], to: Reg) -> bool {
        let free = self.next;
        match intrinsic {
            Intrinsic::Defer | Intrinsic::Guard | Intrinsic::AtExit => {
                let (object, destructor) = (self.value(&arguments[0]), self.value(&arguments[1]));
                let end = match intrinsic {
                    Intrinsic::Guard => End::Failure,
                    Intrinsic::AtExit => End::Exit,
                    _ => End::Scope,
                };
                self.emit(Instr::Defer { object, destructor, end });
            }
            Intrinsic::Forget => {
                let object = self.value(&arguments[0]);
                self.emit(Instr::Forget { object });
            }
            Intrinsic::Throw(ty) => {
                let (object, destructor) = (self.value(&arguments[0]), self.value(&arguments[1]));
                let uncaught = self.value(&arguments[2]);
                self.emit(Instr::Throw { object, destructor, uncaught, ty: *ty });
                self.propagate();
            }
            Intrinsic::Rethrow => {
                self.emit(Instr::Rethrow);
                self.propagate();
            }
            Intrinsic::Caught(ty) => self.emit(Instr::Caught { to, ty: *ty }),
            _ => return false,
        }
        self.next = free;
        true
    }

    /// An operation on an exception that pointers keep. Returns the register of the result.
    pub(super) fn keep(&mut self, op: Keep, arguments: &[Expr]) -> Reg {
        let object = if let Some(object) = arguments.first() {
            self.value(object)
        } else {
            let none = self.register();
            self.emit(Instr::Const { to: none, value: 0 });
            none
        };
        let base = self.register();
        self.emit(Instr::Keep { op, object, base });
        if op == Keep::Throw {
            self.propagate();
        }
        base
    }

    fn propagate(&mut self) {
        let base = self.register();
        self.emit(Instr::Propagate { base });
    }

    /// Lets the temporary variable whose value an expression ends with use the memory of the value:
    /// an object is then made where it stays.
    /// Returns the variable and where it was before.
    pub(super) fn share_memory(&mut self, last: &Expr, to: Reg) -> Option<(usize, Home)> {
        let mut last = last;
        while let ExprKind::Comma(_, right) = &last.kind {
            last = right;
        }
        let ExprKind::Load(place) = &last.kind else { return None };
        let PlaceKind::Local(local) = place.kind else { return None };
        let at = local.0 as usize;
        let before = self.homes[at];
        if self.function.locals[local].kind != LocalKind::Temporary || !matches!(before, Home::Late(_)) {
            return None;
        }
        self.homes[at] = Home::Memory(to);
        Some((at, before))
    }
}

/// Notes the scopes around each label, by the order of the scopes in the function.
pub(super) fn scopes_of_labels(
    list: &[Stmt],
    open: &mut Vec<u32>,
    next: &mut u32,
    labels: &mut FxHashMap<u32, Vec<u32>>,
) {
    for statement in list {
        let groups: Vec<Vec<&[Stmt]>> = match &statement.kind {
            StmtKind::Label(label) => {
                labels.insert(label.0, open.clone());
                continue;
            }
            StmtKind::Scope(list) => vec![vec![list]],
            StmtKind::Try { body, handlers } => {
                vec![vec![body], handlers.iter().map(|(_, list)| list.as_slice()).collect()]
            }
            _ => {
                for (inner, _) in cuda::hir::visit::bodies(statement) {
                    scopes_of_labels(inner, open, next, labels);
                }
                continue;
            }
        };
        for group in groups {
            open.push(*next);
            *next += 1;
            for list in group {
                scopes_of_labels(list, open, next, labels);
            }
            open.pop();
        }
    }
}

/// The variable whose value a function returns without a copy: it is made where the result goes.
pub(super) fn returned_variable(list: &[Stmt]) -> Option<LocalId> {
    list.iter().find_map(|statement| match &statement.kind {
        StmtKind::Return(Some(value)) => forgotten(value),
        _ => cuda::hir::visit::bodies(statement).into_iter().find_map(|(list, _)| returned_variable(list)),
    })
}

/// The variable that a result takes over.
fn forgotten(value: &Expr) -> Option<LocalId> {
    match &value.kind {
        ExprKind::Scoped(inner) => forgotten(inner),
        ExprKind::Comma(left, right) => match (&left.kind, &right.kind) {
            (ExprKind::Intrinsic(Intrinsic::Forget, _), ExprKind::Load(place)) => match place.kind {
                PlaceKind::Local(local) => Some(local),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
